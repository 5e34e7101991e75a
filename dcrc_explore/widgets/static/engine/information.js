// Information: what an answer is worth, what it told, and what is left to learn; everything in bits.

import { SAMPLE } from "./constants.js";
import { randomTriplets } from "./drawing.js";
import { Random } from "./random.js";

/** @typedef {[number, number, number, number]} Expected P(yes), P(no), P(dnk), and what the answer is worth */

const xlogy = (/** @type {number} */ x, /** @type {number} */ y) => (x === 0 ? 0 : x * Math.log(y));
const entr = (/** @type {number} */ p) => -xlogy(p, p);
const sum = (/** @type {number[]} */ values) => values.reduce((total, value) => total + value, 0);

/** How a person errs, Table I: rows implied, columns given. @param {number} epsilon @param {number} size */
export const errorMatrix = (epsilon, size = 3) => Array.from({ length: size }, (_, row) =>
  Array.from({ length: size }, (__, column) => (row === column ? 1 - epsilon : epsilon / (size - 1))));

/** The same for pairs, in the model's proportion of right to wrong. @param {number} epsilon */
function pairErrors(epsilon) {
  const right = (1 - epsilon) / (1 - epsilon / 2);
  return [[right, 1 - right], [1 - right, right]];
}

/** The column of an answer: yes, no, don't know. @param {number} answer */
export const columnOf = (answer) => (answer > 0 ? 0 : answer < 0 ? 1 : 2);

/**
 * Probabilities of the implied answers, Eq. (1) or (2), when memberships are independent.
 * @param {Float64Array} P (N, K) @param {number} K @param {number[]} points three, or two
 */
export function impliedProba(P, K, [i, j, k]) {
  const isPair = !(k >= 0);
  let [yes, no] = [0, 0];
  for (let l = 0; l < K; l++) {
    const [p, q] = [P[i * K + l], P[j * K + l]];
    if (isPair) yes += p * q;
    else {
      const r = P[k * K + l];
      yes += p * (q - q * r);
      no += p * (r - q * r);
    }
  }
  return isPair ? [yes, 1 - yes] : [yes, no, 1 - yes - no].map((value) => Math.max(value, 0));
}

/**
 * What a model expects as the answer to a question about three points or two, and what it is worth: I(l; Y).
 * @param {Float64Array} P @param {number} K @param {number[]} points @param {number} epsilon
 * @param {{past?: number[][], useDnk?: boolean}} [known] answers that were given before, points and answer
 * @returns {Expected}
 */
export function expectedAnswer(P, K, points, epsilon, { past = [], useDnk = true } = {}) {
  const implied = impliedProba(P, K, points);
  const channel = implied.length === 3 ? errorMatrix(epsilon) : pairErrors(epsilon);
  const proba = givenThePast(implied, points, past, channel, useDnk);
  const given = channel[0].map((_, l) => sum(proba.map((p, a) => p * channel[a][l])));
  const nats = given.map((q, l) => sum(proba.map((p, a) =>
    xlogy(p * channel[a][l], channel[a][l]) - xlogy(p * channel[a][l], q))));
  const worth = Math.max(sum(nats.slice(0, useDnk ? 3 : 2)), 0) / Math.LN2;
  return [given[0], given[1], given[2] ?? 0, worth];
}

/**
 * P(a | earlier answers to the same question), in proportion to P(a) times P(l|a) of each.
 * @param {number[]} implied @param {number[]} points @param {number[][]} past @param {number[][]} channel
 * @param {boolean} useDnk
 */
function givenThePast(implied, points, past, channel, useDnk) {
  let evidence = implied;
  for (const each of past) {
    const [asked, said] = [each.slice(0, -1), /** @type {number} */ (each.at(-1))];
    if (asked.length !== points.length || (!said && (!useDnk || points.length === 2))) continue;
    const isSame = points.length === 2 ? samePair(asked, points)
      : asked[0] === points[0] && samePair(asked.slice(1), points.slice(1));
    if (!isSame) continue;
    const answer = points.length === 3 && asked[1] !== points[1] ? -said : said;
    evidence = evidence.map((p, a) => p * channel[a][columnOf(answer)]);
  }
  const total = sum(evidence);
  return evidence !== implied && total > 0 ? evidence.map((p) => p / total) : implied;
}

/** @param {number[]} one @param {number[]} other */
const samePair = ([a, b], [c, d]) => (a === c && b === d) || (a === d && b === c);

/**
 * Surprise at an answer in bits; infinite where it was impossible.
 * @param {Expected} expected @param {number} answer
 */
export const surpriseOf = (expected, answer) => Math.max(-Math.log2(expected[columnOf(answer)]), 0);

/** Bits of surprise that the model expects: the worth and the noise. @param {Expected} expected */
export const meanSurprise = ([yes, no, dnk]) => sum([yes, no, dnk].map(entr)) / Math.LN2;

/**
 * What a random question about three points is worth on average, of a sample that is always the same.
 * @param {Float64Array} P @param {number} K @param {number} epsilon @param {boolean} useDnk
 */
export function randomWorth(P, K, epsilon, useDnk) {
  const N = P.length / K;
  if (N < 3) return 0;
  const questions = randomTriplets(N, Math.min(SAMPLE, (N * (N - 1) * (N - 2)) / 2), [], new Random(0));
  return sum(questions.map((points) => expectedAnswer(P, K, points, epsilon, { useDnk })[3])) / questions.length;
}

/**
 * Information of one relative constraint for clusters of any size, Eqs. (3) and (5) for equal ones.
 * @param {number[]} shares @param {number} epsilon @param {boolean} useDnk
 */
export function relativeInformation(shares, epsilon, useDnk) {
  const yes = sum(shares.map((p) => p * p * (1 - p)));
  return byAnswers([yes, yes, 1 - 2 * yes], errorMatrix(epsilon), useDnk ? 3 : 2);
}

/**
 * Information of one must-link or cannot-link, Eq. (4) for equal clusters.
 * @param {number[]} shares @param {number} epsilon
 */
export function pairwiseInformation(shares, epsilon) {
  const together = sum(shares.map((p) => p * p));
  return byAnswers([together, 1 - together], pairErrors(epsilon), 2);
}

/** @param {number[]} implied @param {number[][]} channel @param {number} answers that count */
function byAnswers(implied, channel, answers) {
  const given = channel[0].map((_, l) => sum(implied.map((p, a) => p * channel[a][l])));
  return sum(given.slice(0, answers).map((q, l) => sum(implied.map((p, a) =>
    p * channel[a][l] > 0 ? p * channel[a][l] * Math.log(channel[a][l] / q) : 0)))) / Math.LN2;
}

/**
 * Shares of n clusters that are as unequal as others: both have the same Lorenz curve.
 * @param {number[]} shares @param {number} n
 */
export function asUnequal(shares, n) {
  const total = sum(shares);
  const rising = shares.toSorted((a, b) => a - b);
  const lorenz = [0, ...rising.map((_, k) => sum(rising.slice(0, k + 1)) / total)];
  const at = (/** @type {number} */ place) => {
    const low = Math.min(Math.floor(place), shares.length - 1);
    return lorenz[low] + (lorenz[low + 1] - lorenz[low]) * (place - low);
  };
  return Array.from({ length: n }, (_, k) => at(((k + 1) * shares.length) / n) - at((k * shares.length) / n));
}

/**
 * The curves of the paper's Figure 2 for numbers of clusters, to an ideal model or to one with these shares.
 * @param {number[]} clusters @param {number[]} shares @param {number} epsilon @param {boolean} useDnk
 */
export function informationCurves(clusters, shares, epsilon, useDnk) {
  const priors = clusters.map((n) => asUnequal(shares, n));
  const triplet = priors.map((prior) => relativeInformation(prior, epsilon, useDnk));
  const pair = priors.map((prior) => pairwiseInformation(prior, epsilon));
  const decided = priors.map((prior) => relativeInformation(prior, epsilon, false));
  return [
    { name: "2 triplets", values: triplet.map((bits) => 2 * bits) },
    { name: "3 pairs", values: pair.map((bits) => 3 * bits) },
    { name: "1 triplet", values: triplet }, { name: "1 pair", values: pair },
    { name: "yes/no only", values: decided },
  ];
}
