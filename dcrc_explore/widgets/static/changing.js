// Buttons that change or delete one answer, wherever it is listed.

import { h, svg } from "./dom.js";
import { SAID, SHORT } from "./say.js";

const BIN = "M2.5 4.5h11M6 4V2.5h4V4M4 4.5l.7 9h6.6l.7-9M6.7 7v4M9.3 7v4";

const trash = () =>
  svg("svg", {
    viewBox: "0 0 16 16", width: 13, height: 13, fill: "none", stroke: "currentColor", "stroke-width": 1.4,
    "stroke-linecap": "round", "aria-hidden": "true",
  }, svg("path", { d: BIN }));

/**
 * Yes, no and don't know, of which the given one is pressed.
 * @param {import("./shapes.d.ts").Tool} tool @param {{index: number}} about @param {number} answer
 */
export function flipButtons(tool, about, answer) {
  const flip = (/** @type {number} */ value) => h("button", {
    type: "button",
    "data-button": value,
    "aria-pressed": String(value === answer),
    "aria-label": SAID[value],
    title: value === answer ? `${SAID[value]}: the answer given` : `change the answer to ${SAID[value]}`,
    onclick: () => value !== answer && tool.request({ do: "flip", answer: value, ...about }),
  }, SHORT[value]);
  const name = `Answer ${about.index + 1}`;
  return h("span", { class: "flip", role: "group", "aria-label": name }, [1, -1, 0].map(flip));
}

/** @param {import("./shapes.d.ts").Tool} tool @param {{index: number}} about */
export function deleteButton(tool, about) {
  const name = `Delete answer ${about.index + 1}`;
  const remove = { onclick: () => tool.request({ do: "delete", ...about }), title: name, "aria-label": name };
  return h("button", { type: "button", class: "delete", "data-button": "delete", ...remove }, trash());
}
