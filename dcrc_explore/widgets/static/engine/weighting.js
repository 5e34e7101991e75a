// The weights of the answers and of the instances without answers in the objective.

import { GENTLE_ANSWERS, GENTLE_SHARE, LEAST_SEPARATED } from "./constants.js";

/**
 * @typedef {{n: number, constrained: number, triplets: number, pairs: number}} Counts
 * @typedef {{answers: number, separation: number}} Divisors of the log-likelihood and of the summed entropy of U
 */

/** How many answers it takes to reach full weight, with the steady weighting. @param {number} n instances */
export const fullWeight = (n) => Math.min(GENTLE_SHARE * n, GENTLE_ANSWERS);

/** As Eq. (8) and Eq. (9) do. @param {Counts} counts @returns {Divisors} */
const paper = ({ n, constrained, triplets, pairs }) => ({ answers: triplets + pairs, separation: n - constrained });

/** So that each asked instance has the same weight. @param {Counts} counts @returns {Divisors} */
function steady({ n, constrained, triplets, pairs }) {
  const M = triplets + pairs;
  const once = M && (M * constrained) / (3 * triplets + 2 * pairs);
  return { answers: M && Math.max(once, fullWeight(n)), separation: Math.max(n - constrained, LEAST_SEPARATED * n) };
}

/** @type {Record<string, (counts: Counts) => Divisors>} */
export const WEIGHTINGS = { steady, paper };
