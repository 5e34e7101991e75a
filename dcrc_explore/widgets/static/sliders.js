// What is written on sliders that ipywidgets draws.

import { h } from "./dom.js";

const MARKS = [[0.05, ".05"], [0.15, ".15"], [2 / 3, "⅔"]];

/** Mark the paper's values on every slider of epsilon. */
export function markEpsilon(tool) {
  const tracks = tool.root.querySelectorAll(".dcrc-epsilon .slider-container");
  if (!tracks.length) return void requestAnimationFrame(() => tool.stopped() || markEpsilon(tool)); // not drawn yet
  for (const track of tracks) {
    if (track.querySelector(".dcrc-marks")) continue;
    const marks = MARKS.map(([epsilon, text]) =>
      h("span", { style: { left: `${(100 * Number(epsilon)) / (2 / 3)}%` } }, text));
    track.append(h("div", { class: "dcrc-marks", "aria-hidden": "true" }, marks));
  }
}
