// Variational EM: the loop over E-steps and M-steps, and the bound Eq. (10) that it climbs.

import {
  EQUAL, LAST_SWEEP_TOL, MAX_SWEEPS, M_STEP_ITERATIONS, M_STEP_LEFT, M_STEP_SHARE, M_STEP_TOL, SMALLEST,
  SOFT_ITERATIONS, SOFT_LAM, SOFT_SHARES, SWEEP_TOL, UNANSWERED_ITERATIONS, UNANSWERED_TOL, UNSETTLED,
} from "./constants.js";
import { AnswerGraph } from "./estep.js";
import { LBFGS, dot } from "./lbfgs.js";
import { MStepObjective, boundingScale, logisticRegression } from "./mstep.js";
import { logProba } from "./softmax.js";
import { WEIGHTINGS } from "./weighting.js";

/**
 * The bound Eq. (10), term by term; for hard answers without log P(L|Y), for which `satisfied` stands.
 * @typedef {{answers: number, regulariser: number, separation: number, balance: number, total: number,
 *   satisfied: number, hard: boolean}} Bound
 *
 * Weights W (K, D), memberships Q (|I|, K), the bound that EM climbs with `factors`.
 * @typedef {{W: Float64Array, Q: Float64Array, bound: Bound, factors: import("./mstep.js").Factors}} State
 *
 * @typedef {{n_clusters: number, epsilon: number, tau: number, lam: number, balance: boolean, weighting: string}} Model
 * @typedef {{Q: Float64Array, entropy: number, satisfied: number}} Memberships
 */

/** Logarithm of alpha = 2 (1 - epsilon) / epsilon of Eq. (13): 0 ignores the answers, infinity makes them hard. */
export function logAlpha(/** @type {number} */ epsilon) {
  if (epsilon === 0) return Infinity;
  return epsilon === 2 / 3 ? 0 : Math.LN2 + Math.log1p(-epsilon) - Math.log(epsilon);
}

/** What decides which fit is better: the bound; for hard answers first the satisfied answers, rounded. */
const rank = (/** @type {number} */ satisfied, /** @type {number} */ value, /** @type {boolean} */ hard) =>
  [hard ? Math.round(satisfied * 1e6) / 1e6 : 0, value];

/** @param {Bound} bound */
export const rankOf = ({ satisfied, total, hard }) => rank(satisfied, total, hard);

/** Whether a bound is that of a better fit, by more than rounding. @param {Bound} one @param {Bound} other */
export function exceeds(one, other) {
  const [[satisfied, value], [there, valueThere]] = [rankOf(one), rankOf(other)];
  return satisfied > there || (satisfied === there && value > valueThere + EQUAL);
}

/**
 * The bound at the same W and Q with other factors; where a factor was 0 it must be 0 again.
 * @param {Bound} bound @param {import("./mstep.js").Factors} old @param {import("./mstep.js").Factors} now
 * @returns {Bound}
 */
export function reweighed(bound, old, now) {
  const part = (/** @type {"separation" | "balance"} */ name) => old[name] ? (now[name] / old[name]) * bound[name] : 0;
  const regulariser = old.lam ? (now.lam / old.lam) * bound.regulariser : 0;
  const [separation, balance] = [part("separation"), part("balance")];
  return { ...bound, regulariser, separation, balance, total: bound.answers + regulariser + separation + balance };
}

/** Instances and answers, arranged for EM. */
export class Problem {
  /**
   * @param {Float64Array} rows (N, d) @param {number} d
   * @param {import("./estep.js").Triplet[]} triplets @param {import("./estep.js").Pair[]} pairs @param {Model} model
   */
  constructor(rows, d, triplets, pairs, model) {
    const { n_clusters: K, epsilon, tau, lam, balance, weighting } = model;
    this.K = K;
    this.D = d + 1;
    this.epsilon = epsilon;
    this.factors = { lam, separation: tau, balance: balance ? tau : 0 };
    this.answers = triplets.length + pairs.length;
    this.graph = new AnswerGraph(triplets, pairs);
    const { instances } = this.graph;
    const known = new Set(instances);
    const N = rows.length / d;
    /** Rows, constrained instances first, in the order in which Q holds them. */
    this.order = Int32Array.of(...instances, ...Array.from({ length: N }, (_, n) => n).filter((n) => !known.has(n)));
    this.X = new Float64Array(N * this.D).fill(1);
    this.order.forEach((row, n) => this.X.set(rows.subarray(row * d, (row + 1) * d), n * this.D));
    const counts = { n: N, constrained: instances.length, triplets: triplets.length, pairs: pairs.length };
    this.objective = new MStepObjective(this.X, instances.length, WEIGHTINGS[weighting](counts), K, this.D);
    this.XI = this.X.subarray(0, instances.length * this.D);
    // With the paper's weights the first answers decide, wherever EM starts. Without tau nothing else does.
    this.startsUnanswered = weighting !== "paper" && tau > 0;
  }

  /** Whether answers are hard. */
  get hard() {
    return this.epsilon === 0;
  }

  /** A logistic regression on labels of the rows. @param {ArrayLike<number>} labels */
  weightsFor(labels) {
    return logisticRegression(this.X, this.order.map((row) => labels[row]), this.K, this.D, this.factors.lam);
  }

  /**
   * The weights to which a fit without answers leads from W. It uses balance, so that no cluster is lost.
   * @param {Float64Array} W
   */
  withoutAnswers(W) {
    const { lam, separation } = this.factors;
    const { K, D } = this;
    const scale = boundingScale(this.X, D);
    const factors = { lam, separation, balance: separation };
    const divisors = { answers: 0, separation: this.order.length };
    const objective = new MStepObjective(this.X.map((value, at) => value / scale[at % D]), 0, divisors, K, D);
    const start = objective.evaluate(W.map((value, at) => value * scale[at % D]), new Float64Array(0), factors);
    const optimiser = new LBFGS(objective.scaling(lam));
    const end = objective.maximise(start, factors, optimiser, UNANSWERED_ITERATIONS, UNANSWERED_TOL);
    return end.W.map((value, at) => value / scale[at % D]);
  }

  /** What is known of the instances, with a row for each row of the data. @param {Float64Array} P */
  inOrderOfRows(P) {
    const rows = new Float64Array(P.length);
    this.order.forEach((row, n) => rows.set(P.subarray(n * this.K, (n + 1) * this.K), row * this.K));
    return rows;
  }

  /** @param {Float64Array} Q @returns {Memberships} */
  memberships(Q) {
    let entropy = 0;
    for (const q of Q) entropy -= q * Math.log(Math.max(q, SMALLEST));
    return { Q, entropy, satisfied: this.graph.satisfaction(Q, this.K).reduce((sum, each) => sum + each, 0) };
  }

  /** The expectation of log P(L|Y) below Table II; 0 for hard answers. @param {Memberships} memberships */
  #logLikelihood({ satisfied }) {
    if (this.hard) return 0;
    return this.answers * (Math.log(this.epsilon) - Math.LN2) + logAlpha(this.epsilon) * satisfied;
  }

  /** @param {import("./mstep.js").Evaluation} at @param {Memberships} memberships @returns {Bound} */
  bound({ terms }, memberships) {
    const told = memberships.entropy + this.#logLikelihood(memberships);
    const answers = this.answers ? terms.memberships + told / this.objective.divisors.answers : 0;
    const { regulariser, separation, balance } = terms;
    const total = answers + regulariser + separation + balance;
    return { answers, regulariser, separation, balance, total, satisfied: memberships.satisfied, hard: this.hard };
  }

  /**
   * E-step: memberships, never with a lower bound than the last ones. Sweeps start from P(y|x), which lets go of
   * memberships that the weights no longer support; only where that would lower the bound do they continue from Q.
   * @param {Float64Array} logP @param {Memberships | null} last
   */
  #expectation(logP, last) {
    const restarted = this.#sweeps(logP.map(Math.exp), logP);
    if (!last) return restarted;
    const [now, before] = [this.#rank(restarted, logP), this.#rank(last, logP)];
    return now[0] > before[0] || (now[0] === before[0] && now[1] >= before[1]) ? restarted : this.#sweeps(last.Q, logP);
  }

  /** @param {Float64Array} Q @param {Float64Array} logP */
  #sweeps(Q, logP, tol = SWEEP_TOL, unsettled = UNSETTLED) {
    const until = { sweeps: MAX_SWEEPS, tol, unsettled };
    return this.memberships(this.graph.infer(Q, logP, logAlpha(this.epsilon), this.K, until));
  }

  /** @param {Memberships} memberships @param {Float64Array} logP */
  #rank(memberships, logP) {
    const value = dot(memberships.Q, logP) + memberships.entropy + this.#logLikelihood(memberships);
    return rank(memberships.satisfied, value, this.hard);
  }

  /**
   * The states of a fit. A softened start first weighs separation and balance less and the regulariser more.
   * @param {Float64Array} W @param {Float64Array | null} Q
   * @param {{soft: boolean, maxIter: number, tol: number}} options
   * @returns {Generator<State>}
   */
  *run(W, Q, { soft, maxIter, tol }) {
    if (soft) {
      const stage = Math.min(SOFT_ITERATIONS, Math.floor(maxIter / 4));
      const { lam, separation: tau } = this.factors;
      for (const share of SOFT_SHARES) {
        const factors = { lam: Math.max(SOFT_LAM, lam), separation: share * tau, balance: share * tau };
        for (const state of this.climb(W, Q, factors, stage, tol)) {
          yield state;
          maxIter -= Number(state.W !== W);
          ({ W, Q } = state);
        }
      }
    }
    yield* this.climb(W, Q, this.factors, maxIter, tol);
  }

  /**
   * The state after the first E-step, then after each M-step and E-step, until the bound stands still.
   * @param {Float64Array} W @param {Float64Array | null} Q @param {import("./mstep.js").Factors} factors
   * @param {number} maxIter @param {number} tol @returns {Generator<State>}
   */
  *climb(W, Q, factors, maxIter, tol) {
    const { logP } = logProba(W, this.XI, this.K, this.D);
    let memberships = this.#expectation(logP, Q && this.memberships(Q));
    let at = this.objective.evaluate(W, memberships.Q, factors);
    let bound = this.bound(at, memberships);
    const optimiser = new LBFGS(this.objective.scaling(factors.lam));
    const state = (/** @type {boolean} */ last) => {
      if (!last) return { W: at.W, Q: at.Q, bound, factors };
      const end = this.#sweeps(at.Q, at.logP, LAST_SWEEP_TOL, 0);
      const reached = this.objective.withMemberships(at, end.Q);
      return { W: at.W, Q: end.Q, bound: this.bound(reached, end), factors };
    };
    yield state(maxIter === 0);
    let mStepTol = M_STEP_TOL;
    for (let iteration = 0; iteration < maxIter; iteration++) {
      at = this.objective.maximise(at, factors, optimiser, M_STEP_ITERATIONS, mStepTol);
      memberships = this.#expectation(at.logP, memberships);
      at = this.objective.withMemberships(at, memberships.Q);
      const before = rankOf(bound);
      bound = this.bound(at, memberships);
      const [satisfied, value] = rankOf(bound);
      const left = M_STEP_LEFT * (mStepTol - M_STEP_TOL);
      const standsStill = Math.max(satisfied - before[0], value - before[1]) < tol - left;
      mStepTol = Math.max(M_STEP_TOL, M_STEP_SHARE * (value - before[1]));
      yield state(standsStill || iteration + 1 === maxIter);
      if (standsStill) return;
    }
  }
}
