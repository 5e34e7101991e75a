// A fit: EM from each start, of which the best counts; while there are few answers the initialisation is tried as well.

import { BETTER, FEW, MAX_ITER, QUICK, TOL } from "./constants.js";
import { Problem, exceeds, rankOf, reweighed } from "./em.js";
import { alignClusters } from "./quality.js";
import { logProba } from "./softmax.js";
import { makeStarts } from "./starts.js";

/**
 * @typedef {import("./em.js").Model & {kernel: string, gamma: number | string, use_dnk: boolean, restart: boolean,
 *   random_state: number}} Settings
 * @typedef {{W: Float64Array, bound: import("./em.js").Bound, softened: boolean, Q: Float64Array}} Step
 * @typedef {{problem: Problem, steps: Step[], anew: boolean}} Path
 *
 * @typedef {object} Fitted
 * @property {number} K @property {Float64Array} W (K, D), in the numbers of the fit before
 * @property {Float64Array} P (N, K) @property {Float64Array} posterior Q for points with answers, P for the others
 * @property {import("./em.js").Bound[]} bounds after each iteration @property {boolean} converged
 * @property {number[]} steps W of each iteration, one after the other, for a film of the fit
 * @property {boolean} anew whether EM began at the initialisation
 */

/** Whether answers say nothing. @param {number} epsilon */
const ignored = (epsilon) => Math.abs(epsilon - 2 / 3) < 1e-8;

/**
 * EM from a start to its end.
 * @param {Problem} problem @param {import("./starts.js").Start} start @param {boolean} anew @returns {Path}
 */
export function follow(problem, { W, Q, soft }, anew) {
  /** @type {Step[]} */
  const steps = [];
  for (const { W: now, Q: memberships, bound, factors } of problem.run(W, Q, { soft, maxIter: MAX_ITER, tol: TOL })) {
    // Between two values of tau an iteration is seen twice; the later look counts.
    if (steps.length && steps[steps.length - 1].W === now) steps.pop();
    const whole = reweighed(bound, factors, problem.factors);
    steps.push({ W: now, Q: memberships, bound: whole, softened: factors !== problem.factors });
  }
  return { problem, steps, anew };
}

/** @param {Path} path */
const endOf = ({ steps }) => steps[steps.length - 1].bound;

/**
 * Fit settings to answers.
 * @param {import("./features.js").Features} features
 * @param {import("./estep.js").Triplet[]} triplets @param {import("./estep.js").Pair[]} pairs
 * @param {Settings} settings
 * @param {Float64Array | null} start weights to continue from; null is the initialisation
 * @param {{P: Float64Array, K: number} | null} reference memberships whose cluster numbers are taken
 * @returns {Fitted}
 */
export function fit({ rows, d }, triplets, pairs, settings, start, reference) {
  const none = ignored(settings.epsilon);
  const used = none ? [] : settings.use_dnk ? triplets : triplets.filter((each) => each[3]);
  const links = none ? [] : pairs.filter((each) => each[2]);
  const K = settings.n_clusters;
  const problem = new Problem(rows, d, used, links, settings);
  const anew = () => makeStarts(problem, rows, d, used, links, settings.random_state)
    .map((each) => follow(problem, each, true))
    .reduce((best, path) => (exceeds(endOf(path), endOf(best)) ? path : best));
  /** @type {Path} */
  let path;
  if (start && start.length === K * (d + 1) && !settings.restart) {
    path = follow(problem, { W: start, Q: null, soft: false, labels: null }, false);
    const [few, quick] = [(triplets.length + pairs.length) * d <= FEW * rows.length, rows.length * K <= QUICK];
    if (few && quick) {
      const other = anew();
      const gains = rankOf(endOf(other)).map((value, at) => value - rankOf(endOf(path))[at]);
      if (Math.min(...gains) >= 0 && Math.max(...gains) > BETTER) path = other;
    }
  } else path = anew();
  return fitted(path, K, reference);
}

/**
 * Give clusters the numbers that agree with a reference, and the points the rows of the data.
 * @param {Path} path @param {number} K @param {{P: Float64Array, K: number} | null} reference @returns {Fitted}
 */
function fitted({ problem, steps, anew }, K, reference) {
  const { D, graph } = problem;
  const last = steps[steps.length - 1];
  const P = problem.inOrderOfRows(logProba(last.W, problem.X, K, D).P);
  const numbers = reference ? alignClusters(firstColumns(reference, K), Math.min(K, reference.K), P, K)
    : Array.from({ length: K }, (_, k) => k);
  const renumbered = (/** @type {Float64Array} */ values, /** @type {number} */ width) => {
    const out = new Float64Array(values.length);
    for (let at = 0; at < values.length; at++) {
      const [row, within] = width ? [0, at] : [Math.floor(at / K) * K, at % K];
      if (width) out[numbers[Math.floor(within / width)] * width + (within % width)] = values[at];
      else out[row + numbers[within]] = values[at];
    }
    return out;
  };
  const proba = renumbered(P, 0);
  const posterior = proba.slice();
  const Q = renumbered(last.Q, 0);
  graph.instances.forEach((row, i) => posterior.set(Q.subarray(i * K, (i + 1) * K), row * K));
  return {
    K, W: renumbered(last.W, D), P: proba, posterior, bounds: steps.map((step) => step.bound),
    converged: steps.length - 1 < MAX_ITER, steps: steps.flatMap((step) => [...renumbered(step.W, D)]), anew,
  };
}

/** @param {{P: Float64Array, K: number}} reference @param {number} K */
function firstColumns({ P, K: old }, K) {
  return old <= K ? P : P.filter((_, at) => at % old < K);
}
