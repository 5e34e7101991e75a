// The cluster model P(y|x; W), Eq. (6). Here, as in all of this folder, arrays have a row for each instance.
// Files, names and letters are those of dcrc_explore/model, which is the reference: tests compare both.

/**
 * Turn logits (N, K) into log-probabilities in place and write the probabilities to `out`, Eq. (6).
 * @param {Float64Array} logits @param {Float64Array} out @param {number} K
 */
export function normalise(logits, out, K) {
  for (let row = 0; row < logits.length; row += K) {
    let highest = -Infinity;
    for (let k = row; k < row + K; k++) if (logits[k] > highest) highest = logits[k];
    let total = 0;
    for (let k = row; k < row + K; k++) total += out[k] = Math.exp((logits[k] -= highest));
    const log = Math.log(total);
    for (let k = row; k < row + K; k++) {
      out[k] /= total;
      logits[k] -= log;
    }
  }
}

/**
 * W x_n of instances, (N, K).
 * @param {Float64Array} W (K, D) @param {Float64Array} X (N, D) @param {number} K @param {number} D
 */
export function scores(W, X, K, D) {
  const out = new Float64Array((X.length / D) * K);
  for (let row = 0, at = 0; row < X.length; row += D) {
    for (let k = 0; k < K; k++, at++) {
      let sum = 0;
      for (let d = 0; d < D; d++) sum += W[k * D + d] * X[row + d];
      out[at] = sum;
    }
  }
  return out;
}

/**
 * log P(y|x; W) and P(y|x; W) of instances with a last column of ones, both (N, K).
 * @param {Float64Array} W @param {Float64Array} X @param {number} K @param {number} D
 */
export function logProba(W, X, K, D) {
  const logP = scores(W, X, K, D);
  const P = new Float64Array(logP.length);
  normalise(logP, P, K);
  return { logP, P };
}

/** Entropy of each row of P in bits, (N,). @param {Float64Array} P @param {number} K */
export function entropy(P, K) {
  return Float64Array.from({ length: P.length / K }, (_, n) => {
    let nats = 0;
    for (let at = n * K; at < (n + 1) * K; at++) if (P[at] > 0) nats -= P[at] * Math.log(P[at]);
    return nats / Math.LN2;
  });
}

/** The most probable cluster of each row. @param {Float64Array} P @param {number} K */
export function labelsOf(P, K) {
  return Int32Array.from({ length: P.length / K }, (_, n) => {
    let best = 0;
    for (let k = 1; k < K; k++) if (P[n * K + k] > P[n * K + best]) best = k;
    return best;
  });
}
