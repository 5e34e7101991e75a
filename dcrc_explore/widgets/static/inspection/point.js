// A point explained: P(y|x), F(y) answer by answer, alpha^F(y) and q(y).

import { lettered, triplet } from "../answers.js";
import { h } from "../dom.js";
import { marker } from "../markers.js";
import { atNumber } from "../pairs.js";
import { SAID, SHORT, called, plural, two } from "../say.js";

/** @typedef {import("../shapes.d.ts").Child} Child */

export const ASK = "Click a point in the picture to see why it is where it is. While this is open a click starts no " +
  "question; Enter still does.";
const note = (/** @type {Child[]} */ ...text) => h("p", { class: "dcrc-empty" }, text);
/**
 * Plain words, and the formula that stands there when formulas are shown.
 * @param {string} plain @param {string} formula
 */
const either = (plain, formula) => [h("span", { class: "plain" }, plain), h("span", { class: "formal" }, formula)];
const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(1)}%`;

/**
 * @typedef {import("../plane.js").Plane} Plane
 * @typedef {import("../types.d.ts").AnswerPart} AnswerPart
 * @typedef {import("../types.d.ts").PointWhy} PointWhy
 * @param {Plane} plane
 * @param {number} chosen
 * @param {PointWhy | import("../types.d.ts").NoPoint} why
 */
export function explainPoint(plane, chosen, why) {
  if (chosen < 0) return note(ASK);
  if (why.point !== chosen || !("parts" in why)) return null;
  return [
    h("p", { class: "dcrc-sentence" }, h("b", {}, plane.itemOf(why.point)), " ", why.sentence),
    h("p", { class: "dcrc-formula formal" }, h("b", {}, called(plane.points, why.point)), " ", formula(why)),
    table(plane, why),
    remark(plane, why),
    h("div", { role: "list" }, why.parts.map((part) => answerRow(plane, why.point, part))),
  ];
}

function formula(/** @type {PointWhy} */ { alpha, epsilon, set }) {
  if (alpha == null) {
    return [
      `q(y) ∝ P(y|x) for y in {${set.map((k) => k + 1).join(", ")}}, where F is largest; 0 elsewhere `,
      h("i", { title: "Hard answers: the max-compatible set" }, "Eq. (14)"),
    ];
  }
  const number = alpha < 1000 ? Number(alpha.toPrecision(3)) : alpha.toExponential(1);
  return [
    "q(y) ∝ α", h("sup", {}, "F(y)"), ` · P(y|x), α = 2(1−ε)/ε = ${number} `,
    h("i", { title: `Soft answers, ε = ${epsilon}` }, "Eq. (13)"),
  ];
}

/** @param {Plane} plane @param {PointWhy} why */
function table(plane, { point, proba, compatibility, factor, q, alpha, parts }) {
  const hard = alpha == null;
  const most = Math.max(...compatibility, 1); // one answer counts at most 1
  const weights = hard
    ? h("th", { class: "formal", title: "Whether F(y) is the largest" }, "max F")
    : h("th", { class: "formal", title: "Weight of the answers, relative to the largest" }, "α", h("sup", {}, "F"));
  const head = h("tr", {}, h("th"),
    h("th", { title: "The model's probability from its place alone" }, either("where it lies", "P(y|x)")),
    h("th", { title: "How well each cluster suits the answers: the sum of their parts" },
      either("its answers", "F(y), by answer")),
    weights,
    h("th", { title: "Membership, with the answers" }, either("together (Q)", "q(y)")));
  const rows = proba.map((p, k) => h("tr", {},
    h("th", { title: plane.nameOf(k) }, marker(plane.shape(k), plane.colour(k)), k + 1),
    bar(p, plane.colour(k)),
    h("td", { class: "wide" },
      h("span", { class: "bar stack" }, parts.map((part) => stacked(plane, point, part, k, most))),
      h("b", {}, two(compatibility[k]))),
    bar(factor[k], "var(--dcrc-dnk)", hard ? (factor[k] ? "in" : "out") : two(factor[k]), "formal"),
    bar(q[k], plane.colour(k))));
  return h("table", {}, h("thead", {}, head), h("tbody", {}, rows));
}

/** @param {number} value @param {string} background */
const bar = (value, background, text = two(value), cls = "") =>
  h("td", { class: cls },
    h("span", { class: "bar" }, h("i", { style: { width: percent(value), background } })), h("b", {}, text));

/** @type {Record<number, string>} */
const LOOK = { ...SAID, 0: "dnk" }; // classes of the style sheet

/** @param {Plane} plane @param {number} point @param {AnswerPart} part @param {number} k @param {number} most */
function stacked(plane, point, { index, answer, values, pair }, k, most) {
  if (values[k] / most < 0.002) return null;
  const cluster = plane.nameOf(k) || `cluster ${k + 1}`;
  const adds = `counts ${two(values[k])} for ${cluster} of ${called(plane.points, point)}`;
  const title = `Answer ${index + 1}, ${SAID[answer]}: ${adds}`;
  const style = { width: percent(values[k] / most) };
  const t = pair ? -1 : atNumber(plane.pairs, index).t;
  return h("i", { "data-t": t, tabindex: "0", class: LOOK[answer], style, title });
}

/** @param {Plane} plane @param {PointWhy} why */
function remark(plane, { parts, unused }) {
  const are = unused === 1 ? "is" : "are";
  const ignored = unused ? `${plural(unused, "don't-know answer")} of this point ${are} not used by this model.` : "";
  if (parts.length) return ignored && note(ignored);
  const none = plane.answers.count + plane.pairs.length ? "This point stands in no answer" : "There are no answers yet";
  const so = either("Only where it lies counts.", "So F(y) = 0 everywhere and q(y) = P(y|x).");
  return note(`${none}${unused ? ` that counts: ${ignored}` : "."} `, so);
}

/** @param {Plane} plane @param {number} point @param {AnswerPart} part */
function answerRow(plane, point, { index, answer, values, pair }) {
  const text = values.length <= 5 ? values.map(two).join(" ") : `up to ${two(Math.max(...values))}`;
  const { t } = atNumber(plane.pairs, index);
  return h("div", { role: "listitem", class: "dcrc-row", "data-t": pair ? -1 : t, tabindex: "0" },
    h("span", { class: "number" }, index + 1),
    pair ? lettered(pair, point, plane.itemOf) : triplet(plane.answers.at(t), point, plane.itemOf),
    h("span", { class: "said", title: SAID[answer] }, SHORT[answer]),
    h("span", { class: "values", title: "What it counts for each cluster" }, text));
}
