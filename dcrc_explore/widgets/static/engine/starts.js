// Where EM starts: K-means, then a logistic regression on its labels (section IV-C); and a start from the answers.

import { DRAWN, FEW, FEW_ROWS, NO_SCATTER } from "./constants.js";
import { largestDirections } from "./linear.js";
import { Random } from "./random.js";

const RUNS = 10; // of K-means, of which the best counts
const MOST_ROUNDS = 300;

/**
 * @typedef {{W: Float64Array, Q: Float64Array | null, soft: boolean, labels: ArrayLike<number> | null}} Start where EM
 *   begins: weights, memberships, whether with a smaller tau and a larger lambda, and labels that W was fitted to
 */

/** @param {Float64Array} X @param {number} n @param {Float64Array} centres @param {number} k @param {number} d */
function squared(X, n, centres, k, d) {
  let sum = 0;
  for (let e = 0; e < d; e++) sum += (X[n * d + e] - centres[k * d + e]) ** 2;
  return sum;
}

/** @param {Float64Array} X (N, d) @param {number} d @param {number} K @param {Random} random */
export function kmeansLabels(X, d, K, random) {
  const N = X.length / d;
  let best = { inertia: Infinity, labels: new Int32Array(N) };
  for (let run = 0; run < RUNS; run++) {
    const centres = firstCentres(X, d, K, random);
    const labels = new Int32Array(N).fill(-1);
    let inertia = 0;
    for (let round = 0, moved = true; moved && round < MOST_ROUNDS; round++) {
      moved = false;
      inertia = 0;
      const counts = new Int32Array(K);
      for (let n = 0; n < N; n++) {
        let [near, least] = [0, Infinity];
        for (let k = 0; k < K; k++) {
          const away = squared(X, n, centres, k, d);
          if (away < least) [near, least] = [k, away];
        }
        moved ||= near !== labels[n];
        labels[n] = near;
        inertia += least;
        counts[near]++;
      }
      for (let k = 0; k < K; k++) if (counts[k]) centres.fill(0, k * d, (k + 1) * d);
      for (let n = 0; n < N; n++) {
        for (let e = 0; e < d; e++) centres[labels[n] * d + e] += X[n * d + e] / counts[labels[n]];
      }
    }
    if (inertia < best.inertia * (1 - 1e-9)) best = { inertia, labels };
  }
  return best.labels;
}

/**
 * Each drawn far from those before it (k-means++).
 * @param {Float64Array} X @param {number} d @param {number} K @param {Random} random
 */
function firstCentres(X, d, K, random) {
  const N = X.length / d;
  const centres = new Float64Array(K * d);
  const away = new Float64Array(N).fill(1);
  for (let k = 0; k < K; k++) {
    const row = random.place(away);
    centres.set(X.subarray(row * d, (row + 1) * d), k * d);
    for (let n = 0; n < N; n++) away[n] = Math.min(k ? away[n] : Infinity, squared(X, n, centres, k, d));
  }
  return centres;
}

/**
 * K-means along the K - 1 directions that best separate cannot-links from must-links: they maximise v'Dv / v'Sv.
 * @param {Float64Array} X @param {number} d @param {number[][]} must @param {number[][]} cannot @param {number} K
 * @param {Random} random
 * @returns {Int32Array | null} null where the directions cannot be found
 */
export function answerLabels(X, d, must, cannot, K, random) {
  const N = X.length / d;
  const all = new Float64Array(d * d); // the covariance, times 2 d
  const mean = new Float64Array(d);
  for (let n = 0; n < N; n++) for (let e = 0; e < d; e++) mean[e] += X[n * d + e] / N;
  for (let n = 0; n < N; n++) {
    for (let a = 0; a < d; a++) {
      const spread = (2 * d * (X[n * d + a] - mean[a])) / (N - 1);
      for (let b = 0; b < d; b++) all[a * d + b] += spread * (X[n * d + b] - mean[b]);
    }
  }
  const scatter = (/** @type {number[][]} */ pairs) => {
    const sum = all.slice();
    addPairs(sum, X, d, pairs, 1);
    return sum.map((value) => value / (pairs.length + d));
  };
  const [S, D] = [scatter(must), scatter(cannot)];
  // With fewer cannot-links than K - 1 many directions are equally good: a few pairs that the seed draws choose.
  addPairs(D, X, d, Array.from({ length: 2 * K }, () => [random.below(N), random.below(N)]), DRAWN);
  let trace = 0;
  for (let a = 0; a < d; a++) trace += S[a * d + a];
  for (let a = 0; a < d; a++) S[a * d + a] += (NO_SCATTER * trace) / d;
  const directions = largestDirections(D, S, d, Math.min(K - 1, d));
  if (!directions?.every((v) => v.every(Number.isFinite))) return null;
  const m = directions.length;
  const Z = new Float64Array(N * m);
  for (let n = 0; n < N; n++) {
    for (let e = 0; e < m; e++) for (let a = 0; a < d; a++) Z[n * m + e] += X[n * d + a] * directions[e][a];
  }
  return kmeansLabels(Z, m, K, random);
}

/**
 * @param {Float64Array} sum
 * @param {Float64Array} X @param {number} d @param {number[][]} pairs @param {number} weight
 */
function addPairs(sum, X, d, pairs, weight) {
  for (const [i, j] of pairs) {
    for (let a = 0; a < d; a++) {
      const away = weight * (X[i * d + a] - X[j * d + a]);
      if (away) for (let b = 0; b < d; b++) sum[a * d + b] += away * (X[i * d + b] - X[j * d + b]);
    }
  }
}

/**
 * Where EM begins when nothing is known yet; of several starts, the one with the best bound counts.
 * @param {import("./em.js").Problem} problem @param {Float64Array} X (N, d) @param {number} d
 * @param {import("./estep.js").Triplet[]} triplets @param {import("./estep.js").Pair[]} pairs @param {number} seed
 * @returns {Start[]}
 */
export function makeStarts(problem, X, d, triplets, pairs, seed) {
  const random = new Random(seed);
  const start = (/** @type {Int32Array} */ labels, soft = false) =>
    ({ W: problem.weightsFor(labels), Q: null, soft, labels });
  const plain = start(kmeansLabels(X, d, problem.K, random));
  if (!triplets.length && !pairs.length) return [plain];
  const decided = triplets.filter((each) => each[3]);
  const linked = (/** @type {number} */ sign) => [
    ...decided.map(([i, j, k, answer]) => [i, answer * sign > 0 ? j : k]),
    ...pairs.filter((each) => each[2] * sign > 0),
  ];
  /** @type {Start[]} */
  let starts = [{ ...plain, soft: true }];
  const N = X.length / d;
  const manyRows = N >= FEW_ROWS * d;
  if (problem.startsUnanswered && (manyRows || problem.answers <= FEW * N)) {
    const unanswered = { ...plain, W: problem.withoutAnswers(plain.W) };
    starts = manyRows ? [unanswered] : [unanswered, ...starts];
  }
  const [must, cannot] = [linked(1), linked(-1)];
  const labels = must.length + cannot.length ? answerLabels(X, d, must, cannot, problem.K, random) : null;
  return labels ? [...starts, start(labels)] : [plain, ...starts];
}
