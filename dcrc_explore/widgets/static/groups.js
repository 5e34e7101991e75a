// How many groups do the answers fit? A curve over K, above the clusters.

import { h, put } from "./dom.js";
import { axes, curve, dot, label, picture } from "./plot.js";

const WIDTH = 300;
const HEIGHT = 74;

/** @param {() => void} decide asks about what the best numbers disagree */
export function makeGroups(decide) {
  const node = h("div", { class: "dcrc-groups", hidden: true });

  /** @param {import("./types.d.ts").GroupsSent | null} groups */
  function show(groups) {
    node.hidden = !groups;
    const compared = groups && groups.numbers.length > 1;
    const title = "Ask about three points of which these two numbers of groups expect different answers";
    const attributes = { type: "button", class: "dcrc-link", title, onclick: decide };
    const ask = compared && h("button", attributes, "Ask what decides");
    if (groups) put(node, compared && drawn(groups), h("p", {}, groups.words, " ", ask));
  }
  return { node, show };
}

/** @param {import("./types.d.ts").GroupsSent} groups */
function drawn({ words, numbers, values, best, current }) {
  const frame = axes(WIDTH, HEIGHT, { left: 44, right: 12, top: 8, bottom: 20 });
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (/** @type {number} */ t) => frame.x(t / (numbers.length - 1));
  const y = (/** @type {number} */ value) => frame.y((value - low) / (high - low || 1));
  const at = values.map((value, t) => /** @type {[number, number]} */ ([x(t), y(value)]));
  const kind = (/** @type {number} */ K) => (K === best ? "best" : K === current ? "current" : "");
  return picture(WIDTH, HEIGHT, words, frame.lines,
    label(frame.left - 6, frame.top + 8, "better"),
    curve("groups", at),
    at.map((place, t) => dot(`groups ${kind(numbers[t])}`, place, kind(numbers[t]) ? 4 : 2.2)),
    numbers.map((K, t) => label(x(t), frame.base, String(K), `tick ${kind(K)}`, "middle")),
    label(frame.left - 18, frame.base, "K"));
}
