// Each plane on a stage of its own: the pointer on it, the point under it, and marks that are the same on all.

import { h } from "./dom.js";
import { focused as whatHasFocus } from "./host.js";

/**
 * @param {any} tool
 * @param {(i: number, p: number) => void} pick called with the point that was clicked, -1 for none, and its plane
 * @param {(p: number) => boolean} explaining whether a click on a plane asks why
 */
export function makeStages(tool, pick, explaining) {
  const { planes, state, listen } = tool;
  const hints = planes.map(() => h("div", { class: "dcrc-hint", "aria-hidden": "true" }));
  const stages = planes.map((plane, p) => {
    const { below, above } = plane;
    const stage = h("div", { class: "dcrc-plane", tabindex: "0", role: "application" }, below, above, hints[p]);
    const pointAt = ({ clientX, clientY }) => {
      const box = stage.getBoundingClientRect();
      return plane.at ? plane.nearest(clientX - box.left, clientY - box.top) : -1;
    };
    listen(stage, "pointermove", (event) => hoverOver(pointAt(event), p));
    listen(stage, "pointerleave", () => hoverOver(-1, p));
    listen(stage, "click", (event) => {
      hoverOver(pointAt(event), p);
      pick(state.hover, p);
    });
    return stage;
  });

  function focusStage() {
    const focused = stages.find((stage) => stage === whatHasFocus());
    (focused ?? stages[0]).focus({ preventScroll: true });
  }
  function drawAbove() {
    const now = { ...state, explaining: explaining(state.hoverOn), size: tool.model.get("options").points };
    for (const plane of planes) plane.drawAbove(now);
  }

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
    tool.items.showHover();
  }

  function mark(t) {
    if (t === state.marked) return;
    state.marked = t;
    drawAbove();
  }
  // Rows with data-t are answers: the one under the pointer or the focus is marked on every plane.
  function markRows(rows) {
    const follow = ({ target }) => mark(Number(target.closest?.("[data-t]")?.dataset.t ?? -1));
    for (const type of ["pointerover", "focusin"]) listen(rows, type, follow);
    for (const type of ["pointerleave", "focusout"]) listen(rows, type, () => mark(-1));
  }

  return { stages, focusStage, drawAbove, hoverOver, showHint, markRows };
}
