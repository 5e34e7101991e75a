// What the drawing half gets of a session, as widgets/scene.py and widgets/tabs.py pack it.

import { informationCurves, meanSurprise, surpriseOf } from "../engine/information.js";
import { implied, markedPairs } from "../frames.js";
import { plural } from "../say.js";
import { pairsOf, rowOf, tripletsOf } from "./session.js";
import { alignClusters, asMemberships } from "../engine/quality.js";
import { entropy } from "../engine/softmax.js";

export const RESOLUTION = 150;
const MEASURES = /** @type {const} */ ([["agreement", "ARI"], ["F", "F"], ["NMI", "NMI"], ["accuracy", "accuracy"]]);
const MOST_CLUSTERS = 13; // of the paper's Figure 2
/** @typedef {import("./session.js").Session} Session @typedef {import("./session.js").Fit} Fit */

/** A bit for each row. @param {boolean[]} flags */
function bitsOf(flags) {
  const bits = new Uint8Array(Math.ceil(flags.length / 8));
  flags.forEach((flag, t) => flag && (bits[t >> 3] |= 128 >> (t & 7)));
  return bits;
}

/** @param {number[]} row @param {ArrayLike<number>} labels */
const violates = ([i, j, k, answer], labels) => implied(labels[i], labels[j], labels[k]) !== answer;

/** Classes with the numbers of the clusters that they match. @param {Int32Array} y @param {Fit} fit */
function truthOf(y, fit) {
  const classes = 1 + Math.max(...y);
  const numbers = alignClusters(asMemberships(fit.labels, fit.K), fit.K, asMemberships(y, classes), classes);
  return Uint16Array.from(y, (k) => numbers[k]);
}

/**
 * The picture of a model.
 * @param {import("./session.js").State} state @param {Fit} fit @param {import("./work.js").Surface | undefined} map
 * @param {import("../types.d.ts").Options} options @returns {import("../types.d.ts").Picture}
 */
export function picture({ subject, log, names }, fit, map, options) {
  const [triplets, pairs] = [tripletsOf(log), pairsOf(log)];
  const { K, labels, byQ } = fit;
  const counts = Array(K).fill(0);
  for (const k of labels) counts[k]++;
  return {
    clusters: K, names: names.length ? names : Array(K).fill(""), labels: Uint16Array.from(labels), counts,
    halo: map ? null : haloOf(fit, options),
    truth: options.truth && subject.y ? truthOf(subject.y, fit) : null,
    violated: bitsOf(triplets.map((row) => violates(row, labels))),
    satisfied_by_q: bitsOf(triplets.map((row) => !violates(row, byQ))),
    pairs: markedPairs(pairs.map(([i, j, answer]) => ({ i, j, answer })), labels),
    cluster: Math.min(options.cluster, K - 1), ...(map ? mapOf(map, options) : { regions: null }),
  };
}

/**
 * A value around each point where there is no map.
 * @param {Fit} fit @param {import("../types.d.ts").Options} options
 */
function haloOf({ P, K }, { map, cluster }) {
  const k = Math.min(cluster, K - 1);
  const bytes = (/** @type {ArrayLike<number>} */ shares) =>
    Uint8Array.from(shares, (share) => Math.round(255 * share));
  if (map === "entropy") return bytes(entropy(P, K).map((bits) => bits / Math.log2(K)));
  return map === "probability" ? bytes(P.filter((_, at) => at % K === k)) : null;
}

/** @param {import("./work.js").Surface} map @param {import("../types.d.ts").Options} options */
export const mapOf = (map, options) => ({
  resolution: Math.sqrt(map.regions.length), regions: map.regions, margin: map.edge,
  value: { entropy: map.entropy, probability: map.proba }[options.map] ?? map.margin,
});

/** What the last change did, in a sentence or two. @param {Session} session */
export function story({ now, before }) {
  if (!before || before.state.subject !== now.state.subject || !now.state.log.length) return "";
  const moved = movedRows(before.fit, now.fit);
  const { log } = now.state;
  const rows = log.map(rowOf);
  const held = (/** @type {Int32Array} */ labels) => rows.filter((row) =>
    row.length === 4 ? !violates(row, labels) : !row[2] || (labels[row[0]] === labels[row[1]]) === row[2] > 0).length;
  const [boundary, memberships, M] = [held(now.fit.labels), held(now.fit.byQ), log.length];
  const all = M === 1 ? "The answer is" : `All ${M} answers are`;
  const satisfied = boundary === M && memberships === M ? `${all} satisfied.`
    : boundary === memberships ? `${boundary} of ${M} answers are satisfied.`
    : `${memberships} of ${M} answers fit the memberships; the boundary violates ${M - boundary}.`;
  return `${moved.length ? plural(moved.length, "point") : "No point"} changed cluster. ${satisfied}`;
}

/** Rows in another cluster than before. @param {Fit} one @param {Fit} other */
export const movedRows = (one, other) => Int32Array.from([...other.labels.keys()].filter((n) =>
  one.labels[n] !== other.labels[n]));

/** Bits, added up from nothing. @param {number[]} bits */
function added(bits) {
  let sum = 0;
  return [0, ...bits.map((each) => (sum += Number.isFinite(each) ? each : 0))];
}

/** @param {Session} session @returns {import("../types.d.ts").AnswerInformation} */
function answerInformation({ now: { state: { log, subject } }, path }) {
  const worth = added(log.map(({ expected }) => expected[3]));
  const random = added(log.map(({ expected }) => expected[4]));
  const surprise = added(log.map((entry) => entry.surprise));
  const [M, total] = [log.length, (/** @type {number[]} */ [, asked, others]) => asked + others];
  const left = path.map(({ fit }) => fit.left);
  const last = left[left.length - 1];
  const lines = M ? [
    `${plural(M, "question")} ${M === 1 ? "was" : "were"} worth ${worth[M].toFixed(1)} bit when asked. ` +
      `As many random questions would have been worth ${random[M].toFixed(1)} bit.`,
    `The answers surprised the model by ${surprise[M].toFixed(1)} bit.`,
  ] : [];
  return {
    curves: Object.entries({ surprise, worth, random }).map(([name, values]) => ({ name, values })),
    impossible: [...log.keys()].filter((t) => log[t].surprise === Infinity), left,
    words: [...lines, `${total(last).toFixed(1)} bit of uncertainty are left in ${subject.xy.length / 2} points.`],
  };
}

/**
 * @param {Fit} fit
 * @param {import("./session.js").Settings} settings @returns {import("../types.d.ts").ClusterInformation}
 */
function clusterInformation({ K, labels }, { epsilon, use_dnk: useDnk }) {
  const shares = sharesOf(labels, K);
  const clusters = Array.from({ length: Math.max(MOST_CLUSTERS, K) - 1 }, (_, k) => k + 2);
  const ideal = informationCurves(clusters, [1], 0, true);
  const model = informationCurves(clusters, shares, epsilon, useDnk);
  const [best, now] = [ideal[2].values[K - 2], model[2].values[K - 2]];
  return { clusters, current: K, ideal, model, words: [
    `To this model an answer about three points is worth ${now.toFixed(2)} bit; with equal clusters and no errors it ` +
      `would be ${best.toFixed(2)} bit, Eq. (3).`,
  ] };
}

/** @param {Int32Array} labels @param {number} K */
function sharesOf(labels, K) {
  const shares = Array(K).fill(0);
  for (const k of labels) shares[k] += 1 / labels.length;
  return shares;
}

/**
 * The numbers of the panels.
 * @param {Session} session @param {Fit} fit as it is shown @param {number | null} iteration @param {number} version
 * @param {number} random what a random question is worth @returns {import("../types.d.ts").Panels}
 */
export function panels(session, fit, iteration, version, random) {
  const { now, path } = session;
  const { bounds, converged } = now.fit;
  const names = /** @type {const} */ (["answers", "separation", "balance", "regulariser"]);
  const counts = [[0, 0, 0], [0, 0, 0], [0, 0, 0]];
  const column = (/** @type {number} */ answer) => (answer > 0 ? 0 : answer < 0 ? 1 : 2);
  for (const [i, j, k, answer] of tripletsOf(now.state.log)) {
    counts[column(answer)][column(implied(fit.labels[i], fit.labels[j], fit.labels[k]))]++;
  }
  const last = bounds.length - 1;
  return {
    information: {
      answers: answerInformation(session), clusters: clusterInformation(fit, now.state.settings), random,
    },
    objective: {
      terms: [
        { name: "bound", values: bounds.map((bound) => bound.total) },
        ...names.map((name) => ({ name, values: bounds.map((bound) => bound[name]) })),
      ],
      iteration: iteration ?? last, iterations: last, ending: converged ? "" : "not converged",
    },
    quality: now.state.subject.y && {
      answers: path.map(({ state }) => state.log.length),
      curves: MEASURES.map(([name, field]) => ({ name, values: path.map((each) => each.fit.quality?.[field] ?? 0) })),
    },
    answers: now.state.log.some(({ points }) => points.length === 3) ? { counts } : null,
    balance: { shares: sharesOf(fit.labels, fit.K) }, version,
  };
}

/**
 * A question as the card shows it.
 * @param {number[]} points @param {import("../engine/information.js").Expected} expected
 * @param {{suggested: boolean, automatic: boolean, reason: string, version: number}} about
 * @returns {import("../types.d.ts").QuestionSent}
 */
export function question(points, expected, about) {
  const [yes, no, dnk, worth] = expected;
  const answers = [[1, "yes"], [-1, "no"], [0, "don't know"]].slice(0, points.length);
  const surprises = [1, -1, 0].map((answer) => surpriseOf(expected, answer));
  const lines = answers.map(([, name], at) =>
    Number.isFinite(surprises[at]) ? `${name} ${surprises[at].toFixed(2)} bit` : `${name} cannot be`);
  const mean = meanSurprise(expected);
  return {
    triplet: points, probabilities: [yes, no, dnk], worth, differences: [], ...about,
    surprises: surprises.map((bits) => (Number.isFinite(bits) ? bits : null)),
    words: [
      `What each answer would tell: ${lines.join(", ")}. The less the model expects an answer, the more it tells.`,
      `On average that is ${mean.toFixed(2)} bit. ${Math.max(mean - worth, 0).toFixed(2)} bit of it is noise, so the ` +
        `question is worth ${worth.toFixed(2)} bit.`,
    ],
  };
}
