// A panel, large and in words.

import { h } from "./dom.js";

const WIDTH = 620; // the picture is drawn for this size, and enlarged with its lines and its text
const HEIGHT = 260;

/**
 * Shows a plot large, with sentences that say what is to be seen.
 * @typedef {(title: string, plot: (width: number, height: number) => Node, words: string[]) => void} Enlarge
 */

/**
 * @param {import("./shapes.d.ts").Tool} tool
 * @returns {Enlarge}
 */
export const enlargeIn = (tool) => (title, plot, words) =>
  tool.sheet.open(title, h("div", { class: "dcrc-enlarged" },
    h("div", { class: "dcrc-plot" }, plot(WIDTH, HEIGHT)), words.map((each) => h("p", {}, each))));

/**
 * What the curves of the panel Information say at the current number of clusters, and why they differ.
 * @param {import("./types.d.ts").Information} information
 */
export function informationWords({ clusters, curves, current }) {
  const at = clusters.indexOf(current);
  const bits = Object.fromEntries(curves.map(({ name, values }) => [name, values[at]]));
  const say = (/** @type {string} */ name) => `${bits[name].toFixed(2)} bit`;
  const lost = bits["1 triplet"] - bits["yes/no only"];
  return [
    `With K = ${current} clusters of equal size, one answer about three points is worth ${say("1 triplet")}. ` +
      `One answer about a pair is worth ${say("1 pair")}.`,
    "Why they differ: a pair has two answers, so it is worth at most 1 bit. A triplet has three answers, so it can " +
      "be worth up to 1.58 bit.",
    `Without “don't know” an answer about three points is worth ${say("yes/no only")}. The other ` +
      `${lost.toFixed(2)} bit come from “don't know”, which excludes what a yes or a no would claim.`,
    `Two triplets (${say("2 triplets")}) and three pairs (${say("3 pairs")}) are about the same effort for a person. ` +
      (bits["2 triplets"] > bits["3 pairs"] + 0.005 ? "The triplets are worth more." : "They are worth the same."),
    "All curves fall with K: with many clusters most questions have the same answer, “don't know” or “apart”.",
  ];
}
