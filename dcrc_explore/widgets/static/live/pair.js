// A second model beside the first, with other settings: as session/comparison.py and widgets/models.py of Python do it.

import { implied } from "../frames.js";
import { picture } from "./pack.js";
import { quality } from "../engine/quality.js";
import { entropy } from "../engine/softmax.js";

/**
 * @typedef {import("./session.js").Moment} Moment @typedef {import("./work.js").Surface} Surface
 * @typedef {import("./session.js").State} State @typedef {import("./session.js").Settings} Settings
 */

const SLIGHT = 0.25; // bits: smaller differences of entropy are not drawn as large ones
const NOTHING = 0.005; // of the adjusted Rand index: what two decimals do not show

/** What clusters imply about two points or three. @param {number[]} points @param {ArrayLike<number>} labels */
const impliedBy = ([i, j, k], labels) =>
  k === undefined ? (labels[i] === labels[j] ? 1 : -1) : implied(labels[i], labels[j], labels[k]);

/**
 * Don't know about two points says nothing.
 * @param {import("./session.js").Entry} entry @param {ArrayLike<number>} labels
 */
const satisfies = ({ points, answer }, labels) =>
  (points.length === 2 && !answer) || impliedBy(points, labels) === answer;

/**
 * Where two maps differ in entropy; without maps, the points.
 * @param {Moment} moment @param {Surface[]} maps @param {number} [most]
 */
function difference({ fit, second }, maps, most) {
  const [a, b] = [fit, second ?? fit].map(({ P, K }, m) => (maps.length
    ? Float64Array.from(maps[m].entropy, (value) => (Math.log2(K) / 255) * value) : entropy(P, K)));
  const bits = a.map((value, at) => b[at] - value);
  const largest = most ?? bits.reduce((all, each) => Math.max(all, Math.abs(each)), SLIGHT);
  return { most: largest, values: Uint8Array.from(bits, (each) =>
    Math.round(128 + 127 * Math.max(-1, Math.min(1, each / largest)))) };
}

/** The same in a part of the picture. @param {Moment} moment @param {Surface[]} maps @param {Surface[]} close */
export const closeUp = (moment, maps, close) => difference(moment, close, difference(moment, maps).most).values;

/**
 * Which of the two is right, in a sentence: by the truth, or by the answers where that is unknown.
 * @param {Moment} moment
 */
export function verdict({ state: { subject: { y }, log, settings, beside }, fit, second }) {
  if (!second || !beside) return "";
  const hard = [settings, beside].map(({ epsilon }) => epsilon === 0);
  const names = hard[0] === hard[1] ? ["the first model", "the second"] : hard.map((is) => (is ? "hard" : "soft"));
  const labels = [fit.labels, second.labels];
  const capital = (/** @type {string} */ text) => `${text[0].toUpperCase()}${text.slice(1)}.`;
  if (!y) {
    const [a, b] = labels.map((each) => log.filter((entry) => satisfies(entry, each)).length);
    return capital(`${names[0]} satisfies ${a} of ${log.length} answers, ${names[1]} ${b}`);
  }
  const [a, b] = labels.map((each) => quality(y, each).ARI);
  const parts = [Math.abs(a - b) < NOTHING
    ? `${names[0]} and ${names[1]} agree equally with the truth (${a.toFixed(2)})`
    : `agreement with the truth: ${names[0]} ${a.toFixed(2)}, ${names[1]} ${b.toFixed(2)}`];
  const wrong = [...log.keys()].filter((t) => !satisfies(log[t], y));
  for (const m of [0, 1]) {
    const obeys = (/** @type {number} */ which, /** @type {number} */ t) => satisfies(log[t], labels[which]);
    const own = wrong.filter((t) => obeys(m, t) && !obeys(1 - m, t)).map((t) => t + 1);
    if (own.length > 3) parts.push(`${names[m]} alone obeys ${own.length} of ${wrong.length} wrong answers`);
    else if (own.length) parts.push(`${names[m]} obeys the wrong answer${own.length > 1 ? "s" : ""} ${own.join(", ")}`);
  }
  return capital(parts.join("; "));
}

/**
 * Settings that differ, in words: name, first, second.
 * @param {State} state @param {import("../types.d.ts").ControlSent[]} controls of a model
 */
function differences({ settings, beside }, controls) {
  if (!beside) return [];
  const softness = (/** @type {Settings} */ { epsilon }) => (epsilon ? `soft, ε = ${epsilon}` : "hard, ε = 0");
  const named = controls.filter(({ name }) => name in settings && name !== "epsilon" && name !== "restart");
  const found = named.flatMap(({ name, label, options }) => {
    const said = [settings, beside].map((each) => {
      const value = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (each))[name];
      const option = options?.find((one) => one.value === value);
      return option?.label ?? (typeof value === "boolean" ? (value ? "on" : "off") : String(value));
    });
    return said[0] === said[1] ? [] : [[label, ...said]];
  });
  const [one, two] = [settings, beside].map(softness);
  return one === two ? found : [["Answers", one, two], ...found];
}

/**
 * Both pictures and where they differ.
 * @param {Moment} moment @param {Surface[]} maps @param {import("../types.d.ts").Options} options
 * @param {import("../types.d.ts").ControlSent[]} controls of a model
 */
export function packPair(moment, maps, options, controls) {
  const { state, fit, second } = moment;
  if (!second) throw new Error("there is no second model");
  const fits = [fit, second];
  const models = fits.map((each, m) => picture(state, each, maps[m], options));
  const changed = fit.labels.filter((k, n) => k !== second.labels[n]).length;
  const { most, values } = difference(moment, maps);
  const mean = fits.map(({ left: [, asked, others], labels }) => (asked + others) / labels.length);
  const disputes = state.log.flatMap((entry, t) => {
    const [one, two] = fits.map(({ labels }) => satisfies(entry, labels));
    return one === two ? [] : [[t, entry.answer, ...fits.map(({ labels }) => impliedBy(entry.points, labels))]];
  });
  return {
    models, disputes, own: null, remark: verdict(moment), differences: differences(state, controls),
    apart: {
      most, changed, entropy: mean, halo: maps.length ? null : values, map: maps.length ? values : null,
    },
  };
}
