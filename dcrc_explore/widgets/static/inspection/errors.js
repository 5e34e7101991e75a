// Answers from the least to the most believed; wrong ones can be planted, to see whether they are found.

import { lettered } from "../answers.js";
import { deleteButton, flipButtons } from "../changing.js";
import { button, h, put, scaleOf, setDisabled } from "../dom.js";
import { atNumber } from "../pairs.js";
import { axes, curve, keys, label, picture, shape } from "../plot.js";

/** @typedef {import("../types.d.ts").ErrorsWhy} ErrorsWhy */

const NO_ANSWERS = "No answers yet. Give some, or let the truth or a noisy user answer (tab Ask); then see which " +
  "ones the model disbelieves.";
const HINT = "Answers from the least to the most believed. To measure precision and recall, plant errors here or let " +
  "a noisy user answer (tab Ask).";
const SAME = "Precision and recall are the same when as many answers are taken for errors as there are errors";

/**
 * Precision and recall when the first n of the ranking are taken for errors; ticks are the known errors.
 * @param {ErrorsWhy} why @param {number} width @param {number} height
 */
function recoveryPlot({ precision, recall, errors, rows }, width, height) {
  const frame = axes(width, height, { right: 62, bottom: 22, left: 20 });
  const n = precision.length;
  const x = (/** @type {number} */ taken) => frame.x(n > 1 ? (taken - 1) / (n - 1) : 0);
  const curves = [{ text: "precision", values: precision }, { text: "recall", values: recall }];
  const tick = (/** @type {number} */ t) => shape("path", { class: "wrong", d: `M${x(t + 1)} ${frame.bottom + 2}v6` });
  return picture(width, height, `${errors} known errors among ${n} answers`,
    frame.lines,
    label(frame.left - 4, frame.top + 8, 1),
    label(frame.left - 4, frame.bottom, 0),
    errors ? shape("path", { class: "now", d: `M${x(errors)} ${frame.top}V${frame.bottom}` }) : null,
    rows.map(([, , wrong], t) => (wrong ? tick(t) : null)),
    label(frame.left, height - 3, 1, "tick", "middle"),
    label(frame.right, height - 3, n, "tick", "middle"),
    label((frame.left + frame.right) / 2, height - 3, "most surprising answers", "tick", "middle"),
    curves.map(({ values }, c) => curve(`measure-${c}`, values.map((value, t) => [x(t + 1), frame.y(value)]))),
    keys(frame, curves.map(({ text, values }, c) => ({ text, cls: `measure-${c}`, y: frame.y(values[n - 1]) }))));
}

/**
 * @param {import("../shapes.d.ts").ExplorerTool} tool
 * @param {import("../plane.js").Plane} plane
 * @param {HTMLElement} place gives the width
 */
export function makeErrors(tool, plane, place) {
  const howMany = h("input", { type: "number", min: "1", value: "5", "aria-label": "Number of answers to make wrong" });
  const plant = button({
    title: "Change so many answers, chosen at random, to wrong ones; one step to undo",
    onclick: () => tool.request({ do: "plant", errors: Number(howMany.value) }),
  }, "Plant errors");
  const summary = h("span", { class: "dcrc-told", title: SAME });
  const body = h("div");
  const node = h("div", { class: "dcrc-why-errors" }, h("div", { class: "dcrc-more" }, plant, howMany, summary), body);

  function show(/** @type {ErrorsWhy} */ why) {
    const { answers, errors, found, precision } = why;
    const there = plane.answers.count + plane.pairs.length; // what was deleted since is not listed
    const rows = why.rows.filter(([index]) => index < there);
    setDisabled(plant, !answers);
    const none = answers ? "No answer is known to be wrong." : "";
    const measured = () => `${found} of ${errors} found · precision = recall = ${precision[errors - 1].toFixed(2)}`;
    summary.textContent = errors ? measured() : none;
    if (!answers) return void put(body, h("p", { class: "dcrc-empty" }, NO_ANSWERS));
    const most = Math.max(...rows.map(([, bits]) => bits), 1e-9);
    const width = Math.max(place.clientWidth - 8, 200) / scaleOf(place);
    const plot = () => h("div", { class: "dcrc-plot dcrc-recovery" }, recoveryPlot(why, width, 104));
    put(body, errors ? plot() : h("p", { class: "dcrc-empty" }, HINT),
      h("div", { role: "list" }, rows.map((each) => row(each, most))));
  }

  function row(/** @type {ErrorsWhy["rows"][number]} */ [index, bits, wrong], /** @type {number} */ most) {
    const { t, pair } = atNumber(plane.pairs, index);
    const { i, j, k, answer } = pair ? { k: -1, ...plane.pairs[t] } : plane.answers.at(t);
    const about = { index };
    const cost = `Answer ${index + 1}: ${bits.toFixed(2)} bit of surprise for the model; 0 is no surprise`;
    const look = `dcrc-row${wrong ? " wrong" : ""}`;
    return h("div", { role: "listitem", class: look, "data-t": pair ? -1 : t, tabindex: "0" },
      h("span", { class: "number", title: `Answer ${index + 1}, as in the tab Answers` }, index + 1),
      lettered(pair ? [i, j] : [i, j, k], -1, tool.items.thumbnail),
      flipButtons(tool, about, answer),
      h("span", { class: "bar" }, h("i", { style: { width: `${((100 * bits) / most).toFixed(1)}%` } })),
      h("span", { class: "values", title: cost }, `${bits.toFixed(1)} bit`),
      h("span", { class: "state", title: wrong ? "known to be wrong" : "" }, wrong ? "✕" : ""),
      deleteButton(tool, about));
  }
  return { node, show };
}
