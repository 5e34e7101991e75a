// The panel Information: bits by answers, by the number of clusters, and of the question on the card.

import { h } from "./dom.js";
import { axes, curve, dot, keys, label, picture, shape } from "./plot.js";

/**
 * @typedef {import("./types.d.ts").AnswerInformation} AnswerInformation
 * @typedef {import("./types.d.ts").ClusterInformation} ClusterInformation
 * @typedef {import("./types.d.ts").QuestionSent} Question
 * @typedef {{answers: AnswerInformation, clusters: ClusterInformation, random?: number, question?: Question | null,
 *   most?: number}} Information `most` bits are drawn by answers, for two models that share an axis
 * @typedef {"answers" | "clusters" | "question"} View
 */

const LARGE = 420; // pixels of width from which there is room for values on hover and for what comes next
const SAID = ["yes", "no", "don't know"];
const NO_QUESTION = "No question is open. Click three points: here stands what each answer would tell.";

/** @template T @param {T[]} values @returns {T} */
const last = (values) => values[values.length - 1];
const bits = (/** @type {number} */ value) => value.toFixed(value < 9.95 ? 2 : 1);
/** The highest number of an axis, which is easy to read. @param {number} value */
function ceiling(value) {
  const unit = 10 ** Math.floor(Math.log10(Math.max(value, 0.1)));
  return ([1, 1.5, 2, 3, 4, 5, 6, 8].find((step) => step * unit >= value) ?? 10) * unit;
}

/**
 * Values that appear over a place while the pointer is there.
 * @param {import("./plot.js").Frame} frame @param {number} x @param {number} width @param {string[]} lines
 */
function hover(frame, x, width, lines) {
  const side = x > (frame.left + frame.right) / 2 ? -1 : 1;
  return shape("g", { class: "hover" }, [
    shape("rect", { class: "catch", x: x - width / 2, y: frame.top, width, height: frame.bottom - frame.top }),
    shape("g", { class: "values" }, [
      shape("path", { class: "now", d: `M${x} ${frame.top}V${frame.bottom}` }),
      lines.map((text, at) =>
        label(x + 6 * side, frame.top + 10 + 13 * at, text, "strong halo", side > 0 ? "start" : "end")),
    ]),
  ]);
}

/** @param {Information} values @param {number} width @param {number} height */
function byAnswers({ answers: { curves, impossible, left }, question, most = 0 }, width, height) {
  const large = width > LARGE;
  const strip = left.length > 1 && height > 90 ? Math.max(18, 0.22 * height) : 0; // what is left, below the curves
  const frame = axes(width, height, { left: large ? 40 : 26, right: 80, bottom: 20 + (strip && strip + 8) });
  const M = curves[0].values.length - 1;
  const next = question ? last(curves[1].values) + question.worth : 0;
  const high = ceiling(Math.max(most, 1, next, ...curves.map(({ values }) => last(values))));
  const x = (/** @type {number} */ n) => frame.x(n / Math.max(1, M + (question ? 1 : 0)));
  const y = (/** @type {number} */ value) => frame.y(value / high);
  const base = height - 6;
  const names = curves.map(({ name, values }, c) => ({ text: `${name} ${bits(last(values))}`, cls: `told-${c}`,
    y: y(last(values)) }));
  const remaining = left.length ? last(left.map(([, asked, others]) => asked + others)) : 0;
  const words = `After ${M} answers: ${names.map(({ text }) => text).join(", ")}, ` +
    `uncertainty left ${bits(remaining)} bit`;
  const at = (/** @type {number} */ n) => left.find(([number]) => number === n);
  const slot = (frame.right - frame.left) / Math.max(1, M);
  return picture(width, height, words,
    frame.lines,
    label(frame.left - 4, frame.top + 8, large ? `${high} bit` : high),
    label(frame.left - 4, frame.bottom, 0),
    M ? label(frame.left, base, 0, "tick", "middle") : "",
    label(x(M || 0.5), base, M ? (large ? `${M} answers` : M) : "no answers yet", "tick", "middle"),
    strip ? remains(left, x, base - 14, strip - 4, frame.right) : "",
    question ? [
      shape("path", { class: "curve told-1 next", d: `M${x(M)} ${y(last(curves[1].values))}L${x(M + 1)} ${y(next)}` }),
      shape("circle", { class: "dot told-1 open", cx: x(M + 1), cy: y(next), r: 3 }),
    ] : "",
    M ? curves.map(({ values }, c) => curve(`told-${c}`, values.map((value, n) => [x(n), y(value)]))).reverse() : "",
    curves.map(({ values }, c) => dot(`told-${c}`, [x(M), y(last(values))], 2.4)).reverse(),
    impossible.map((t) => label(x(t + 1), frame.top + 8, "∞", "key told-0", "middle")),
    keys(frame, names),
    large && M ? Array.from({ length: M + 1 }, (_, n) => hover(frame, x(n), slot, [
      n === 1 ? "1 answer" : `${n} answers`,
      ...curves.map(({ name, values }) => `${name} ${bits(values[n])} bit`),
      ...(at(n) ? [`left ${bits((at(n) ?? [])[1] + (at(n) ?? [])[2])} bit`] : []),
    ])) : "");
}

/**
 * The uncertainty that is left, of points that were asked about over that of the others.
 * @param {number[][]} left @param {(n: number) => number} x @param {number} bottom @param {number} height
 * @param {number} right
 */
function remains(left, x, bottom, height, right) {
  const most = Math.max(...left.map(([, asked, others]) => asked + others), 0.01);
  const y = (/** @type {number} */ value) => bottom - (height * value) / most;
  /** @param {string} cls @param {(row: number[]) => number} upper */
  const area = (cls, upper) => {
    const line = left.map((row) => `${x(row[0]).toFixed(1)} ${y(upper(row)).toFixed(1)}`).join("L");
    const [from, to] = [left[0], last(left)].map(([n]) => x(n).toFixed(1));
    return shape("path", { class: cls, d: `M${from} ${bottom}L${line}L${to} ${bottom}Z` });
  };
  const [, asked, others] = last(left);
  return [
    area("left-all", (row) => row[1] + row[2]), area("left-asked", (row) => row[1]),
    label(right + 5, bottom - height / 2 + 3, `left ${bits(asked + others)}`, "key left", "start"),
  ];
}

/** @param {Information} values @param {number} width @param {number} height */
function byClusters({ clusters: { clusters, ideal, model, current }, question }, width, height) {
  const large = width > LARGE;
  const frame = axes(width, height, { left: large ? 40 : 26, right: 72 });
  const high = Math.ceil(Math.max(...[...ideal, ...model].flatMap(({ values }) => values)) * 2) / 2;
  const [first, final] = [clusters[0], last(clusters)];
  const x = (/** @type {number} */ K) => frame.x((K - first) / (final - first));
  const y = (/** @type {number} */ value) => frame.y(value / high);
  const now = clusters.indexOf(current);
  const room = 26; // pixels that the text "K = 3" needs on either side
  const paths = (/** @type {import("./types.d.ts").Curve[]} */ curves, /** @type {string} */ look) =>
    curves.map(({ values }, c) => curve(`curve-${c} ${look}`, values.map((value, t) => [x(clusters[t]), y(value)])));
  const words = model.map(({ name, values }, c) => `${name} ${bits(values[now])}, ideal ${bits(ideal[c].values[now])}`);
  return picture(width, height, `Bits per answer at K = ${current}: ${words.join("; ")}`,
    frame.lines,
    label(frame.left - 4, frame.top + 8, large ? `${high} bit` : high),
    label(frame.left - 4, frame.bottom, 0),
    current === first || x(current) - frame.left > room ? label(frame.left, frame.base, first, "tick", "middle") : "",
    label(frame.right, frame.base, final, "tick", "middle"),
    shape("path", { class: "now", d: `M${x(current)} ${frame.top}V${frame.bottom}` }),
    current > first && frame.right - x(current) > room
      ? label(x(current), frame.base, `K = ${current}`, "tick strong", "middle") : "",
    paths(ideal, "ideal"), paths(model, ""),
    model.map(({ values }, c) => dot(`curve-${c}`, [x(current), y(values[now])], 2.2)),
    question ? shape("circle", { class: "dot told-1 open", cx: x(current), cy: y(question.worth), r: 4 }) : "",
    keys(frame, model.map(({ name, values }, c) => ({ text: name, cls: `curve-${c}`, y: y(last(values)) }))),
    large ? clusters.map((K, t) => hover(frame, x(K), (frame.right - frame.left) / (clusters.length - 1), [
      `K = ${K}`,
      ...model.map(({ name, values }, c) => `${name} ${bits(values[t])} of ${bits(ideal[c].values[t])} bit`),
    ])) : "");
}

/** @param {Information} values @param {number} width @param {number} height */
function ofQuestion({ question, random = 0 }, width, height) {
  if (!question) return h("p", { class: "dcrc-empty" }, NO_QUESTION);
  const names = SAID.slice(0, question.triplet.length);
  const frame = axes(width, height, { left: 62, right: 78, bottom: 24 });
  const high = ceiling(Math.max(1.6, ...question.surprises.map((value) => value ?? 0)));
  const x = (/** @type {number} */ value) => frame.x(value / high);
  const slot = (frame.bottom - frame.top) / names.length;
  const middle = (/** @type {number} */ r) => frame.top + (r + 0.5) * slot;
  const words = names.map((name, r) => {
    const share = `${Math.round(100 * question.probabilities[r])} %`;
    const surprise = question.surprises[r];
    return { name, share, surprise, text: surprise === null ? "cannot be" : `${bits(surprise)} bit, ${share}` };
  });
  return picture(width, height,
    `Worth ${bits(question.worth)} bit; ${words.map(({ name, text }) => `${name}: ${text}`).join("; ")}`,
    words.map(({ surprise }, r) => shape("rect", { class: `said-${r}`, x: frame.left, y: middle(r) - 0.28 * slot,
      width: x(surprise ?? 0) - frame.left, height: 0.56 * slot, rx: 2 })),
    shape("path", { class: "axis", d: `M${frame.left} ${frame.top}V${frame.bottom}H${frame.right}` }),
    shape("path", { class: "even random", d: `M${x(random)} ${frame.top}V${frame.bottom}` }),
    shape("path", { class: "even worth", d: `M${x(question.worth)} ${frame.top}V${frame.bottom}` }),
    words.map(({ name, surprise, text }, r) => [
      label(frame.left - 5, middle(r) + 3.5, name),
      label(x(surprise ?? 0) + 5, middle(r) + 3.5, text, "tick strong halo", "start"),
    ]),
    dot("told-1", [x(question.worth), frame.bottom], 3.4),
    label(frame.left, frame.base, 0, "tick", "middle"),
    label(frame.right, frame.base, `${high} bit`, "tick", "middle"),
    label(x(question.worth), frame.base, `worth ${bits(question.worth)}`, "key told-1 halo",
      question.worth < 0.25 * high ? "start" : "middle"));
}

/** How a curve is called in words. @type {Record<View, [string, string][]>} */
const LEGENDS = {
  answers: [
    ["told-0", "surprise of the answers, added up"],
    ["told-1", "worth of the questions when they were asked, added up; the open circle is the question on the card"],
    ["told-2", "worth of as many random questions"],
    ["left", "uncertainty left in all points, and in those that were asked about (darker), on a scale of its own"],
  ],
  clusters: [
    ["curve-0", "triplets: two (thick) or one (thin)"], ["curve-1", "pairs: three (thick) or one (thin)"],
    ["curve-4", "one triplet, if don't know is ignored"], ["ideal", "pale: equal clusters and no errors"],
    ["told-1 open", "the question on the card"],
  ],
  question: [
    ["said-0", "bar: what this answer would tell, and how likely it is"],
    ["told-1", "worth of the question: what it tells on average, without the noise"],
    ["told-2", "worth of a random question to the model now"],
  ],
};

/** The views of the panel, by name, and what they are called in little room. */
export const VIEWS = {
  answers: {
    title: "by answers", short: "#",
    about: "What the questions were worth and how far the answers surprised the model, answer by answer",
  },
  clusters: { title: "by K", short: "K", about: "How much one answer is worth, over the number of clusters K" },
  question: { title: "this question", short: "?", about: "What yes, no and don't know would each tell" },
};

/** @param {Information} values @param {number} width @param {number} height @param {string} view */
export function informationPanel(values, width, height, view) {
  const plots = { answers: byAnswers, clusters: byClusters, question: ofQuestion };
  return plots[/** @type {View} */ (view)](values, width, height);
}

/** What stands below the large picture. @param {Information} values @param {string} view */
export function informationWords(values, view) {
  const { answers, clusters, question } = values;
  const texts = { answers: answers.words, clusters: clusters.words, question: question?.words ?? [] };
  const random = view === "question" && values.question && values.random != null
    ? [`A random question is worth ${bits(values.random)} bit to this model on average.`] : [];
  return [
    h("ul", { class: "dcrc-legend-words" }, LEGENDS[/** @type {View} */ (view)].map(([cls, text]) =>
      h("li", {}, h("i", { class: `swatch ${cls}` }), text))),
    ...[...texts[/** @type {View} */ (view)], ...random].map((each) => h("p", {}, each)),
  ];
}
