// A panel, large and in words.

import { h, put } from "./dom.js";

const WIDTH = 620; // the picture is drawn for this size, and enlarged with its lines and its text
const HEIGHT = 280;

/**
 * Shows a plot large, with what is to be said about it; it can be drawn again, as for another view of it.
 * @typedef {(title: string, draw: (width: number, height: number) => {plot: Node, words: import("./shapes.d.ts").Child,
 *   above?: import("./shapes.d.ts").Child}) => {redraw(): void}} Enlarge
 */

/**
 * @param {import("./shapes.d.ts").Tool} tool
 * @returns {Enlarge}
 */
export const enlargeIn = (tool) => (title, draw) => {
  const node = h("div", { class: "dcrc-enlarged" });
  function redraw() {
    const { plot, words, above } = draw(WIDTH, HEIGHT);
    put(node, above, h("div", { class: "dcrc-plot" }, plot), words);
  }
  redraw();
  tool.sheet.open(title, node);
  return { redraw };
};
