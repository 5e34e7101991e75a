// What answers and model say together about each point, and how far to trust the model.

import { Closure } from "./closure.js";
import { DOUBTS, OLD_SURPRISE } from "./constants.js";
import { assignment } from "./quality.js";

/**
 * Memberships in groups: known where the answers settle them, otherwise those of the model, with a doubt.
 * @typedef {ReturnType<typeof makeBelief>} Belief
 *
 * @param {Float64Array} P (N, K) @param {number} K
 * @param {import("./estep.js").Triplet[]} triplets @param {import("./estep.js").Pair[]} pairs
 * @param {number} doubt how far the model's probabilities are mixed with the uniform distribution
 */
export function makeBelief(P, K, triplets, pairs, doubt) {
  const N = P.length / K;
  const { groups, ...closure } = closed(triplets, pairs, K, N);
  const clusters = matchingClusters(P, K, groups);
  const memberships = new Float64Array(N * K);
  for (let at = 0; at < N * K; at += K) {
    let total = 0;
    for (let g = 0; g < K; g++) {
      const mixed = (1 - doubt) * P[at + clusters[g]] + doubt / K;
      total += memberships[at + g] = mixed * closure.possible[at + g];
    }
    for (let g = 0; g < K; g++) memberships[at + g] /= total;
  }
  return { N, K, groups, clusters, memberships, missing: Math.max(K - groups.length, 0), ...closure };
}

/**
 * @param {import("./estep.js").Triplet[]} triplets @param {import("./estep.js").Pair[]} pairs
 * @param {number} K @param {number} N
 */
function closed(triplets, pairs, K, N) {
  const closure = new Closure(triplets, pairs, K);
  return { groups: closure.groups, ...closure.possible(N, K) };
}

/**
 * The model's cluster that stands for each group.
 * @param {Float64Array} P @param {number} K @param {number[][]} groups
 */
function matchingClusters(P, K, groups) {
  const all = Array.from({ length: K }, (_, k) => k);
  if (!groups.length) return all;
  const overlap = groups.map((members) => all.map((k) => {
    const mean = members.reduce((sum, point) => sum + P[point * K + k], 0) / members.length;
    return Math.round(mean * 1e9) / 1e9;
  }));
  const chosen = assignment(overlap);
  return [...chosen, ...all.filter((k) => !chosen.includes(k))];
}

/**
 * How far a model should be doubted: it is judged by the surprises at the answers, recent ones counting most.
 * @param {number[]} surprises in bits, oldest first
 */
export function modelDoubt(surprises) {
  const known = surprises.filter((bits) => !Number.isNaN(bits));
  const scores = DOUBTS.map((doubt) => known.reduce((sum, bits, t) =>
    sum + OLD_SURPRISE ** (known.length - 1 - t) * Math.log((1 - doubt) * 2 ** -bits + doubt / 3), 0));
  const most = Math.max(...scores);
  const weights = scores.map((score) => Math.exp(score - most));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.reduce((sum, weight, at) => sum + weight * DOUBTS[at], 0) / total;
}
