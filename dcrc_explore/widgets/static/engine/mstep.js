// M-step: the weights W that maximise the bound for a given Q. Rows of X begin with the constrained instances I; the
// others are U. J(W) = 1/A sum over I of q log p - lambda R(W) + tau [H(y|X; W) + 1/B sum over U of p log p].

import { BEND_OF_LAM, LARGEST_DEVIATION, LEAST_VARIANCE, MANY_ROWS } from "./constants.js";
import { LBFGS, dot } from "./lbfgs.js";
import { solve } from "./linear.js";
import { normalise, scores } from "./softmax.js";

/**
 * @typedef {{lam: number, separation: number, balance: number}} Factors (lam, tau, tau) in Eq. (9)
 * @typedef {{memberships: number, regulariser: number, separation: number, balance: number}} Terms of J
 *
 * J at W for given memberships; log P(y|x; W) is that of the constrained instances, (|I|, K).
 * @typedef {{W: Float64Array, Q: Float64Array, terms: Terms, value: number, gradient: Float64Array,
 *   logP: Float64Array}} Evaluation
 */

/** @param {Terms} terms */
const total = ({ memberships, regulariser, separation, balance }) => memberships + regulariser + separation + balance;

export class MStepObjective {
  /**
   * @param {Float64Array} X (N, D) with a last column of ones @param {number} constrained size of I
   * @param {import("./weighting.js").Divisors} divisors A and B @param {number} K @param {number} D
   */
  constructor(X, constrained, divisors, K, D) {
    this.X = X;
    this.constrained = constrained;
    this.divisors = divisors;
    this.K = K;
    this.D = D;
    this.N = X.length / D;
    this.mean = new Float64Array(D - 1);
    for (let n = 0; n < this.N; n++) for (let d = 0; d < D - 1; d++) this.mean[d] += X[n * D + d] / this.N;
  }

  /**
   * The terms of J and the gradient dJ/dW.
   * @param {Float64Array} W (K, D) @param {Float64Array} Q (|I|, K) @param {Factors} factors @returns {Evaluation}
   */
  evaluate(W, Q, factors) {
    const { X, K, D, N, divisors } = this;
    const inside = this.constrained * K;
    const logP = scores(W, X, K, D);
    const P = new Float64Array(logP.length);
    normalise(logP, P, K);
    const [mass, massU] = [new Float64Array(K), new Float64Array(K)];
    for (let at = 0; at < P.length; at++) (at < inside ? mass : massU)[at % K] += P[at];

    // The estimated marginal p-hat, and the factors 1/A, tau / B and tau / N of the gradient.
    const marginal = mass.map((value, k) => (value + massU[k]) / N);
    const logMarginal = marginal.map((value) => Math.log(Math.max(value, 1e-300)));
    const observe = divisors.answers ? 1 / divisors.answers : 0;
    const separate = divisors.separation ? factors.separation / divisors.separation : 0;
    const pull = logMarginal.map((value) => (factors.balance / N) * value);

    // The unnumbered gradient after Eq. (14), a sum over instances of G_n x_n':
    //   G_i = (Q_i - P_i) / A - P_i * (b - P_i.b)     for i in I, where b = tau / N log p-hat,
    //   G_j = P_j * (a_j - P_j.a_j)                   for j in U, where a_j = tau / B log P_j - b.
    const gradient = new Float64Array(K * D);
    const G = new Float64Array(K);
    let [separation, memberships] = [0, 0];
    for (let n = 0, at = 0; n < N; n++, at += K) {
      const isI = at < inside;
      let centre = 0;
      for (let k = 0; k < K; k++) {
        G[k] = isI ? -pull[k] : separate * logP[at + k] - pull[k];
        centre += P[at + k] * G[k];
      }
      for (let k = 0; k < K; k++) {
        G[k] = P[at + k] * (G[k] - centre);
        if (isI) {
          G[k] += observe * (Q[at + k] - P[at + k]);
          memberships += Q[at + k] * logP[at + k];
        } else separation += separate * P[at + k] * logP[at + k];
        for (let d = 0; d < D; d++) gradient[k * D + d] += G[k] * X[n * D + d];
      }
    }
    let norm = 0;
    for (let at = 0; at < W.length; at++) {
      if (at % D === D - 1) continue; // the bias
      norm += W[at] * W[at];
      gradient[at] -= 2 * factors.lam * W[at];
    }
    const terms = {
      memberships: observe * memberships, regulariser: -factors.lam * norm, separation,
      balance: -factors.balance * dot(marginal, logMarginal),
    };
    return { W, Q, terms, value: total(terms), gradient, logP: logP.slice(0, inside) };
  }

  /**
   * The evaluation at the same W for another Q, in which J and its gradient are linear.
   * @param {Evaluation} at @param {Float64Array} Q @returns {Evaluation}
   */
  withMemberships(at, Q) {
    if (!this.divisors.answers) return at;
    const { K, D, X } = this;
    const observe = 1 / this.divisors.answers;
    const terms = { ...at.terms, memberships: observe * dot(Q, at.logP) };
    const gradient = at.gradient.slice();
    for (let n = 0; n < this.constrained; n++) {
      for (let k = 0; k < K; k++) {
        const change = observe * (Q[n * K + k] - at.Q[n * K + k]);
        if (change) for (let d = 0; d < D; d++) gradient[k * D + d] += change * X[n * D + d];
      }
    }
    return { ...at, Q, terms, value: total(terms), gradient };
  }

  /**
   * What makes the ascent the one of centred, uncorrelated features of one variance, for LBFGS.
   * @param {number} lam @returns {(gradient: Float64Array) => Float64Array}
   */
  scaling(lam) {
    const { K, D, N, X, mean } = this;
    const d = D - 1;
    const ridge = BEND_OF_LAM * lam;
    if (N >= MANY_ROWS * d) {
      const bend = new Float64Array(d * d);
      for (let n = 0; n < N; n++) {
        for (let a = 0; a < d; a++) {
          for (let b = 0; b < d; b++) bend[a * d + b] += ((X[n * D + a] - mean[a]) * (X[n * D + b] - mean[b])) / N;
        }
      }
      let trace = 0;
      for (let a = 0; a < d; a++) trace += bend[a * d + a];
      for (let a = 0; a < d; a++) bend[a * d + a] += ridge + LEAST_VARIANCE * trace || 1;
      const centred = new Float64Array(d * D);
      for (let a = 0; a < d; a++) {
        centred[a * D + a] = 1;
        centred[a * D + d] = -mean[a];
      }
      const solved = solve(bend, centred.slice(), d, D);
      const inverse = new Float64Array(D * D);
      for (let a = 0; a < d; a++) {
        for (let b = 0; b < D; b++) {
          for (let c = 0; c < D; c++) inverse[b * D + c] += centred[a * D + b] * solved[a * D + c];
        }
      }
      inverse[D * D - 1] += 1;
      return (gradient) => {
        const out = new Float64Array(K * D);
        for (let k = 0; k < K; k++) {
          for (let b = 0; b < D; b++) {
            for (let c = 0; c < D; c++) out[k * D + c] += gradient[k * D + b] * inverse[b * D + c];
          }
        }
        return out;
      };
    }
    const variance = variances(X, mean, D);
    const most = Math.max(0, ...variance);
    const bends = variance.map((value) => Math.max(value, LEAST_VARIANCE * most) + ridge || 1);
    return (gradient) => {
      const out = gradient.slice();
      for (let k = 0; k < K; k++) {
        const bias = k * D + d;
        for (let a = 0; a < d; a++) {
          out[k * D + a] = (out[k * D + a] - gradient[bias] * mean[a]) / bends[a];
          out[bias] -= out[k * D + a] * mean[a];
        }
      }
      return out;
    };
  }

  /**
   * Improve W by at most so many iterations of L-BFGS; J never falls.
   * @param {Evaluation} at @param {Factors} factors @param {LBFGS} optimiser @param {number} iterations
   * @param {number} tol
   */
  maximise(at, factors, optimiser, iterations, tol) {
    const reached = optimiser.maximise((W) => this.evaluate(W, at.Q, factors), at.W, at, iterations, tol);
    return { ...reached, W: reached.W.slice() }; // another array even where nothing was gained
  }
}

/** @param {Float64Array} X @param {Float64Array} mean @param {number} D */
function variances(X, mean, D) {
  const [N, out] = [X.length / D, new Float64Array(D - 1)];
  for (let n = 0; n < N; n++) for (let d = 0; d < D - 1; d++) out[d] += (X[n * D + d] - mean[d]) ** 2 / N;
  return out;
}

/**
 * What the columns of X are divided by to have a deviation of at most 10. Where features are larger, lam hardly binds:
 * W would be certain of every label, and EM could not leave it any more.
 * @param {Float64Array} X (N, D) with a last column of ones @param {number} D
 */
export function boundingScale(X, D) {
  const { mean } = new MStepObjective(X, 0, { answers: 0, separation: 0 }, 1, D);
  const deviations = variances(X, mean, D).map((value) => Math.max(Math.sqrt(value) / LARGEST_DEVIATION, 1));
  return Float64Array.of(...deviations, 1);
}

/**
 * Fit W to labels: maximise the mean log P(label|x; W) - lam R(W), with features of a deviation of at most 10.
 * @param {Float64Array} X @param {ArrayLike<number>} labels @param {number} K @param {number} D @param {number} lam
 */
export function logisticRegression(X, labels, K, D, lam) {
  const N = X.length / D;
  const scale = boundingScale(X, D);
  const objective = new MStepObjective(
    X.map((value, at) => value / scale[at % D]), N, { answers: N, separation: 0 }, K, D);
  const Q = new Float64Array(N * K);
  for (let n = 0; n < N; n++) Q[n * K + labels[n]] = 1;
  const factors = { lam, separation: 0, balance: 0 };
  const start = objective.evaluate(new Float64Array(K * D), Q, factors);
  const { W } = objective.maximise(start, factors, new LBFGS(objective.scaling(lam)), 100, 1e-7);
  return W.map((value, at) => value / scale[at % D]);
}
