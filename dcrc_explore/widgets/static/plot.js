// What plots are made of: axes, curves, dots, names at the ends of curves.

import { svg } from "./dom.js";

/** @typedef {ReturnType<typeof axes>} Frame */

/**
 * @param {keyof SVGElementTagNameMap} tag @param {import("./shapes.d.ts").Attributes} attributes
 * @param {...import("./shapes.d.ts").Child} children
 */
export const shape = (tag, attributes, ...children) => svg(tag, attributes, children);
/** @param {string} cls @param {number[][]} points */
export const curve = (cls, points) => {
  const d = points.map(([x, y], t) => `${t ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
  return svg("path", { class: `curve ${cls}`, d });
};
/** @param {string} cls @param {number[]} at @param {number} r */
export const dot = (cls, [cx, cy], r) => svg("circle", { class: `dot ${cls}`, cx, cy, r });
/** @param {number} x @param {number} y @param {string | number} text */
export const label = (x, y, text, cls = "tick", anchor = "end") =>
  svg("text", { x, y, class: cls, "text-anchor": anchor }, text);

/**
 * A picture and what it tells, for who does not see it.
 * @param {number} width @param {number} height @param {string} words @param {...import("./shapes.d.ts").Child} parts
 */
export const picture = (width, height, words, ...parts) =>
  svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words }, parts);

/** @param {number} width @param {number} height */
export function axes(width, height, { left = 26, right = 66, top = 8, bottom = 20 } = {}) {
  const frame = { left, right: width - right, top, bottom: height - bottom, base: height - 6 };
  return {
    ...frame,
    x: (/** @type {number} */ share) => frame.left + share * (frame.right - frame.left),
    y: (/** @type {number} */ share) => frame.bottom - share * (frame.bottom - frame.top),
    lines: svg("path", { class: "axis", d: `M${left} ${top}V${frame.bottom}H${frame.right}` }),
  };
}

/**
 * Heights of names at the right ends of curves, moved apart so that neighbours stay readable.
 * @param {number[]} heights @param {number} low @param {number} high
 */
export function apart(heights, low, high, gap = 11) {
  const order = heights.map((_, at) => at).sort((a, b) => heights[a] - heights[b]);
  const placed = [...heights];
  order.forEach((at, t) => (placed[at] = Math.max(placed[at], t ? placed[order[t - 1]] + gap : low)));
  for (let t = order.length - 1; t >= 0; t--) {
    const limit = t + 1 < order.length ? placed[order[t + 1]] - gap : high;
    placed[order[t]] = Math.min(placed[order[t]], limit);
  }
  return placed;
}

/** @param {Frame} frame @param {{text: string, cls: string, y: number}[]} entries */
export function keys(frame, entries) {
  const heights = apart(entries.map(({ y }) => y + 3), frame.top + 8, frame.bottom + 2);
  return entries.map(({ text, cls }, at) => label(frame.right + 5, heights[at], text, `key ${cls}`, "start"));
}
