// The panels of the tool and of exported pages: one list, and for each a function of a few numbers to a picture, in CSS
// pixels. On a large page they are drawn for a smaller size and enlarged as they are, with lines and text.

import { h, put, scaleOf } from "./dom.js";
import { informationPanel, informationWords, VIEWS } from "./information.js";
import { axes, curve, dot, keys, label, picture, shape } from "./plot.js";
import { AGREEMENT } from "./say.js";
import { makeSwitch } from "./tabs.js";

const last = (/** @type {number[]} */ values) => values[values.length - 1];
const sum = (/** @type {number[]} */ values) => values.reduce((a, b) => a + b, 0);
/** @param {import("./types.d.ts").Curve[]} curves @param {(values: number[]) => string} number */
const listed = (curves, number) => curves.map(({ name, values }) => `${name} ${number(values)}`).join(", ");

/** @param {PanelValues["objective"]} values @param {number} width @param {number} height */
function objectivePanel({ terms, iteration }, width, height) {
  const frame = axes(width, height, { bottom: 12 });
  const all = terms.flatMap(({ values }) => values);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const steps = terms[0].values.length;
  const x = (/** @type {number} */ t) => frame.x(steps > 1 ? t / (steps - 1) : 0);
  const y = (/** @type {number} */ value) => frame.y(high > low ? (value - low) / (high - low) : 0.5);
  return picture(width, height,
    `EM iteration ${iteration}: ${listed(terms, (values) => values[iteration].toFixed(3))}`,
    frame.lines,
    label(frame.left - 4, frame.top + 8, high.toFixed(1)),
    label(frame.left - 4, frame.bottom, low.toFixed(1)),
    terms.map(({ values }, c) => curve(`term-${c}`, values.map((value, t) => [x(t), y(value)]))),
    terms.map(({ values }, c) => dot(`term-${c}`, [x(iteration), y(values[iteration])], c ? 2 : 3.4)),
    keys(frame, terms.map(({ name, values }, c) => ({ text: name, cls: `term-${c}`, y: y(last(values)) }))));
}

/** @param {import("./types.d.ts").QualityCurves} values @param {number} width @param {number} height */
function qualityPanel({ answers, curves }, width, height) {
  const frame = axes(width, height, { left: 18, right: 92 });
  const most = last(answers);
  const low = Math.min(0, ...curves.flatMap(({ values }) => values));
  const x = (/** @type {number} */ n) => frame.x(n / Math.max(most, 1));
  const y = (/** @type {number} */ value) => frame.y((value - low) / (1 - low));
  const named = curves.map(({ name, values }, c) => ({
    text: `${name} ${last(values).toFixed(2).replace("-0.00", "0.00")}`, cls: `measure-${c}`, y: y(last(values)),
  }));
  return picture(width, height, named.map(({ text }) => text).join(", "),
    frame.lines,
    label(frame.left - 4, frame.top + 8, 1),
    label(frame.left - 4, y(0), 0),
    label(frame.left, frame.base, 0, "tick", "middle"),
    most ? label(frame.right, frame.base, most, "tick", "middle") : "",
    curves.map(({ values }, c) =>
      curve(`measure-${c}`, values.map((value, t) => [x(answers[t]), y(value)]))).reverse(),
    curves.map(({ values }, c) => dot(`measure-${c}`, [x(most), y(last(values))], 2.4)).reverse(),
    keys(frame, named));
}

/** @param {import("./types.d.ts").AnswerTable} values @param {number} width @param {number} height */
function answersPanel({ counts }, width, height) {
  const names = ["yes", "no", "don't know"];
  const narrow = width < 200; // too little room for the words
  const seen = narrow ? ["yes", "no", "?"] : names;
  const [left, top] = [narrow ? 28 : 62, 16];
  const [w, h] = [(width - left - 6) / 3, (height - top - 16) / 3];
  const most = Math.max(1, ...counts.flat());
  /** @param {number} count @param {number} r @param {number} c */
  const cell = (count, r, c) => {
    const [x, y] = [left + c * w, top + r * h];
    const style = { "--strength": count ? (0.25 + 0.75 * Math.sqrt(count / most)).toFixed(2) : "0" };
    const cls = r === c ? "satisfied" : "broken";
    return [
      shape("rect", { class: cls, x: x + 1, y: y + 1, width: w - 2, height: h - 2, rx: 3, style }),
      count ? label(x + w / 2, y + h / 2 + 4, count, "count", "middle") : null,
    ];
  };
  const words = counts.flatMap((row, r) =>
    row.map((count, c) => count && `given ${names[r]}, model ${names[c]}: ${count}`));
  return picture(width, height, words.filter(Boolean).join("; "),
    counts.flatMap((row, r) => row.map((count, c) => cell(count, r, c))),
    seen.map((name, c) => label(left + (c + 0.5) * w, top - 4, name, "tick", "middle")),
    seen.map((name, r) => label(left - 5, top + (r + 0.5) * h + 3, name)),
    label(left + 1.5 * w, height - 3, "↓ given · model →", "tick", "middle"));
}

/**
 * @param {import("./types.d.ts").Balance} values @param {number} width @param {number} height
 * @param {(k: number) => string} colour
 */
function balancePanel({ shares }, width, height, colour) {
  const frame = axes(width, height, { left: 8, right: 8 });
  const K = shares.length;
  const slot = (frame.right - frame.left) / K;
  const y = (/** @type {number} */ share) => frame.y(share / (1.12 * Math.max(...shares, 1 / K)));
  const wide = slot >= 26; // room for a percentage under the bar
  /** @param {number} share @param {number} k */
  const bar = (share, k) => {
    const x = frame.left + (k + 0.16) * slot;
    const [width, height] = [0.68 * slot, frame.bottom - y(share)];
    const text = wide ? `${Math.round(100 * share)}%` : k + 1;
    return [
      shape("rect", { x, y: y(share), width, height, rx: 2, fill: colour(k) }),
      wide || K <= 8 || k % 2 === 0 ? label(x + 0.34 * slot, frame.base, text, "tick", "middle") : null,
    ];
  };
  const words = shares.map((share, k) => `cluster ${k + 1}: ${Math.round(100 * share)} %`);
  return picture(width, height, words.join(", "),
    shares.map(bar),
    shape("path", { class: "axis", d: `M${frame.left} ${frame.bottom}H${frame.right}` }),
    shape("path", { class: "even", d: `M${frame.left} ${y(1 / K)}H${frame.right}` }),
    label(frame.right, y(1 / K) - 4, `1/${K}`, "tick strong halo"));
}

/**
 * @typedef {import("./shapes.d.ts").PanelName} PanelName
 * @typedef {import("./shapes.d.ts").PanelValues} PanelValues
 */

/**
 * @template Values
 * @typedef {object} Panel
 * @property {string} title
 * @property {string} about what it shows
 * @property {(values: Values) => string} head the words beside the title
 * @property {(values: Values, width: number, height: number, colour: (k: number) => string, view: string) => Element
 *   } plot
 * @property {string} [empty] what stands there without values
 * @property {string} [equation] its number in the paper
 * @property {(values: Values, view: string) => import("./shapes.d.ts").Child} [words] beside the enlarged panel
 * @property {Record<string, {title: string, short: string, about: string}>} [views] one is shown, at first the first
 */

/**
 * Every panel, by the name of its values, in the order in which they stand.
 * @type {{[Name in PanelName]: Panel<PanelValues[Name]>}}
 */
export const PANELS = {
  information: {
    title: "Information", about: "What questions are worth and what answers tell, in bits", head: () => "",
    plot: (values, width, height, _, view) => informationPanel(values, width, height, view), words: informationWords,
    views: VIEWS,
  },
  objective: {
    title: "Objective", about: "The bound that EM raises, and its terms, by EM iteration",
    head: ({ iteration, iterations, ending, number = iteration }) =>
      `EM ${number} of ${iterations}${ending ? `, ${ending}` : ""}`,
    plot: objectivePanel, equation: "Eq. (10)",
  },
  quality: {
    title: "Quality", about: `Four measures of the true classes against the number of answers. ${AGREEMENT}`,
    head: () => "by answers", plot: qualityPanel, empty: "These data have no true classes to compare with.",
  },
  answers: {
    title: "Answers", about: "Rows: the answer given. Columns: the answer that the model implies",
    head: ({ counts }) => `${counts[0][0] + counts[1][1] + counts[2][2]}/${sum(counts.flat())} satisfied`,
    plot: answersPanel, equation: "Eq. (1)", empty: "The answers against those that the model implies.",
  },
  balance: {
    title: "Balance", about: "Share of the points in each cluster, against 1/K",
    head: () => "shares", plot: balancePanel, equation: "Eq. (9)",
  },
};

export const PANEL_NAMES = /** @type {PanelName[]} */ (Object.keys(PANELS));

/**
 * @template {PanelName} Name
 * @param {Name} name
 * @param {(k: number) => string} colour of a cluster
 * @param {object} options
 * @param {string} [options.side] of two models
 * @param {import("./enlarged.js").Enlarge} [options.enlarge] shows a panel large; without it there is no button
 */
export function makePanel(name, colour, { side = "", enlarge } = {}) {
  const { title, about, head, plot, equation, words, views, empty = "" } = PANELS[name];
  const subtitle = h("span", { class: "dcrc-subtitle" });
  const body = h("div", { class: "dcrc-plot", onclick: () => larger() });
  const opening = h("button", {
    type: "button", class: "dcrc-enlarge", "aria-label": `${title}, large and in words`, onclick: () => larger(),
    hidden: true,
  }, "⤢");
  let view = Object.keys(views ?? {})[0] ?? "";
  const choosing = (/** @type {"title" | "short"} */ called, /** @type {(name: string) => void} */ choose) =>
    views && makeSwitch(Object.entries(views).map(([each, words]) => [each, words[called], words.about]),
      `Views of ${title}`, view, choose);
  const switching = choosing("short", (chosen) => turn(chosen));
  function turn(/** @type {string} */ chosen) {
    view = chosen;
    switching?.press(view);
    draw();
  }
  /** @type {PanelValues[Name] | null} */
  let shown = null;
  let why = empty;
  function larger() {
    const values = shown;
    if (values === null || !enlarge) return;
    const above = choosing("title", (chosen) => (turn(chosen), large.redraw()));
    const large = enlarge(title, (width, height) => ({
      above, plot: plot(values, width, height, colour, view),
      words: [h("p", {}, `${views?.[view].about ?? about}.`), words?.(values, view)],
    }));
  }
  function draw() {
    const [width, height] = [body.clientWidth, body.clientHeight].map((size) => size / scaleOf(body));
    if (body.clientWidth <= 40 || body.clientHeight <= 30) return;
    put(body, shown ? plot(shown, width, height, colour, view) : h("p", { class: "dcrc-empty" }, why));
  }
  return {
    node: h("section", { class: `dcrc-panel dcrc-panel-${name}`, title: about },
      h("header", {}, h("h4", {}, `${title}${side} `,
        equation && h("span", { class: "dcrc-subtitle formal" }, `${equation} · `), subtitle),
      switching, opening), body),
    /**
     * @param {PanelValues[Name] | null | undefined} values none where there is nothing to draw
     * @param {string} [reason] there are none
     */
    show(values, reason = empty) {
      [shown, why] = [values ?? null, reason];
      opening.hidden = !enlarge || !values;
      subtitle.textContent = values ? head(values) : "";
      draw();
    },
  };
}
