// Each plane on a stage of its own: the pointer on it, the point under it, and marks that are the same on all.

import { h } from "./dom.js";
import { focused as whatHasFocus, targetOf } from "./host.js";

/**
 * A plane on a stage, with a line for what is known of the point under the pointer.
 * @param {import("./plane.js").Plane} plane
 * @param {import("./shapes.d.ts").Listen} listen
 * @param {(i: number) => void} hover called with the point under the pointer, -1 for none
 * @param {(i: number) => void} click
 */
export function makeStage(plane, listen, hover, click) {
  const hint = h("div", { class: "dcrc-hint", "aria-hidden": "true" });
  const stage = h("div", { class: "dcrc-plane", tabindex: "0", role: "application" }, plane.below, plane.above, hint);
  const pointAt = (/** @type {MouseEvent} */ { clientX, clientY }) => {
    const box = stage.getBoundingClientRect();
    return plane.at.length ? plane.nearest(clientX - box.left, clientY - box.top) : -1;
  };
  listen(stage, "pointermove", (event) => hover(pointAt(event)));
  listen(stage, "pointerleave", () => hover(-1));
  listen(stage, "click", (event) => {
    hover(pointAt(event));
    click(pointAt(event));
  });
  return { stage, hint };
}

/**
 * @param {import("./shapes.d.ts").Drawn} ground
 * @param {object} calls
 * @param {(i: number, p: number) => void} calls.pick gets the point that was clicked, -1 for none, and its plane
 * @param {(p: number) => boolean} calls.explaining whether a click on a plane asks why
 * @param {() => void} calls.hovered called when another point is under the pointer, or is told of in another way
 */
export function makeStages({ model, planes, state, listen }, { pick, explaining, hovered }) {
  const made = planes.map((plane, p) => makeStage(plane, listen, (i) => hoverOver(i, p), (i) => pick(i, p)));
  /** @type {HTMLElement[]} */
  const stages = made.map(({ stage }) => stage);
  const hints = made.map(({ hint }) => hint);

  function focusStage() {
    const focused = stages.find((stage) => stage === whatHasFocus());
    (focused ?? stages[0]).focus({ preventScroll: true });
  }
  function drawAbove() {
    const now = { ...state, explaining: explaining(state.hoverOn), size: model.get("options").points };
    for (const plane of planes) plane.drawAbove(now);
  }

  /** @param {number} i @param {number} p */
  function hoverOver(i, p = 0) {
    if (i === state.hover) return;
    Object.assign(state, { hover: i, hoverOn: p });
    for (const stage of stages) stage.style.cursor = i < 0 ? "" : "pointer";
    showHint();
    drawAbove();
  }
  function showHint() {
    const { hover, hoverOn } = state;
    hints.forEach((hint, p) => (hint.textContent = hover < 0 || p !== hoverOn ? "" : planes[p].hint(hover)));
    hovered();
  }

  function mark(/** @type {number} */ t) {
    if (t === state.marked) return;
    state.marked = t;
    drawAbove();
  }
  // Rows with data-t are answers: the one under the pointer or the focus is marked on every plane.
  function markRows(/** @type {HTMLElement} */ rows) {
    const follow = (/** @type {Event} */ event) => {
      const row = /** @type {HTMLElement} */ (targetOf(event)).closest("[data-t]");
      mark(row instanceof HTMLElement ? Number(row.dataset.t) : -1);
    };
    for (const type of /** @type {const} */ (["pointerover", "focusin"])) listen(rows, type, follow);
    for (const type of /** @type {const} */ (["pointerleave", "focusout"])) listen(rows, type, () => mark(-1));
  }

  return { stages, focusStage, drawAbove, hoverOver, showHint, markRows };
}
