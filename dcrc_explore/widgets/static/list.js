// The list of answers on its tab: each can be changed and deleted.

import { makeRows, triplet } from "./answers.js";
import { h, svg } from "./dom.js";
import { SAID, SHORT } from "./say.js";

const NONE = "No answers yet. Click three points and say whether A is more similar to B than to C; each answer " +
  "appears here and can be changed.";
const BIN = "M2.5 4.5h11M6 4V2.5h4V4M4 4.5l.7 9h6.6l.7-9M6.7 7v4M9.3 7v4";

const trash = () =>
  svg("svg", {
    viewBox: "0 0 16 16", width: 13, height: 13, fill: "none", stroke: "currentColor", "stroke-width": 1.4,
    "stroke-linecap": "round", "aria-hidden": "true",
  }, svg("path", { d: BIN }));

/** @param {any} tool @param {import("./plane.js").Plane} plane */
export function makeList(tool, plane) {
  const { answers } = plane;
  const scroller = h("div", { class: "dcrc-rows", role: "list" });
  const head = h("div", { class: "dcrc-list-head" });
  const node = h("section", { class: "dcrc-list", "aria-label": "Answers" }, head, scroller);
  const rows = makeRows(scroller, (at) => row(answers.count - 1 - at)); // the latest first
  tool.markRows(scroller);

  function row(t) {
    const link = answers.at(t);
    const violated = plane.isViolated(t);
    const flip = (value) => h("button", {
      type: "button",
      "data-button": value,
      "aria-pressed": String(value === link.answer),
      title: value === link.answer ? "the answer given" : `change the answer to ${SAID[value]}`,
      onclick: () => value !== link.answer && tool.request({ do: "flip", index: t, answer: value }),
    }, SHORT[value]);
    const name = `Delete answer ${t + 1}`;
    const remove = { onclick: () => tool.request({ do: "delete", index: t }), title: name, "aria-label": name };
    const byQ = plane.isKept(t);
    const state = !violated ? "kept: the boundary implies the same answer"
      : byQ ? "kept by the memberships Q, violated by the boundary, which can't follow them"
      : "violated: neither the boundary nor the memberships Q imply this answer";
    return h("div", { role: "listitem", class: `dcrc-row${violated ? " violated" : ""}`, "data-t": t },
      h("span", { class: "number" }, t + 1), triplet(link),
      h("span", { class: "flip", role: "group", "aria-label": `Answer ${t + 1}` }, [1, -1, 0].map(flip)),
      h("span", { class: "state", title: state }, !violated ? "✓" : byQ ? "Q" : "✕"),
      h("button", { type: "button", class: "delete", "data-button": "delete", ...remove }, trash()));
  }

  function show() {
    const { count } = answers;
    const { broken } = plane;
    head.textContent = count ? `kept: ${count - plane.lost} of ${count} by Q, ${count - broken} by the boundary` : "";
    const focused = scroller.contains(document.activeElement);
    if (count) rows.show(count);
    else rows.empty(h("p", { class: "dcrc-empty" }, NONE));
    if (focused && !scroller.contains(document.activeElement)) tool.focusStage();
  }
  return { node, show };
}
