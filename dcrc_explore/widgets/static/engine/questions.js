// What to ask next: random questions, those near the decision boundary, the most informative ones, guided ones.

import { makeBelief, modelDoubt } from "./belief.js";
import { REASONS } from "./constants.js";
import { boundaryTriplets, nameOf, randomTriplets } from "./drawing.js";
import { guidedQuestions, mostInformative } from "./guided.js";

const LOOKED_AT = 10_000; // questions among which the most informative one is looked for

/**
 * Choose questions by the name of a strategy, and say why each was chosen.
 * @param {string} strategy
 * @param {object} known
 * @param {Float64Array} known.P what the model believes, (N, K) @param {number} known.K
 * @param {Float64Array} known.X the points, (N, d) @param {number} known.d
 * @param {import("./estep.js").Triplet[]} known.triplets the answers so far
 * @param {import("./estep.js").Pair[]} known.pairs
 * @param {number[]} known.surprises at the answers @param {number} known.epsilon
 * @param {number[][]} known.skipped questions not to be asked again
 * @param {number} size @param {import("./random.js").Random} random
 * @returns {import("./guided.js").Chosen[]}
 */
export function choose(strategy, { P, K, X, d, triplets, pairs, surprises, epsilon, skipped }, size, random) {
  const N = P.length / K;
  const answered = triplets.map((each) => each.slice(0, 3));
  const asked = [...answered, ...skipped];
  const left = (N * (N - 1) * (N - 2)) / 2 - new Set(asked.map(nameOf)).size;
  const count = Math.min(size, left);
  if (strategy === "guided") {
    const belief = makeBelief(P, K, triplets, pairs, modelDoubt(surprises));
    return guidedQuestions(belief, X, d, answered, count, epsilon, skipped, random);
  }
  const drawn = strategy === "boundary" ? boundaryTriplets(P, K, count, asked, random)
    : strategy === "random" ? randomTriplets(N, count, asked, random)
    : strategy === "informative"
      ? mostInformative(P, K, randomTriplets(N, Math.min(LOOKED_AT, left), asked, random), epsilon).slice(0, count)
    : null;
  if (!drawn) throw new Error(`no strategy is called ${strategy}`);
  return drawn.map((points) => ({ points, reason: REASONS[strategy] }));
}
