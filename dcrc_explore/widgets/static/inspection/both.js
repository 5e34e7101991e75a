// The tab Why of Compare: a point under two models, where they part, and how each comes to its own view.

import { h, put } from "../dom.js";
import { called } from "../say.js";
import { ASK, explainPoint } from "./point.js";

/**
 * @param {import("../shapes.d.ts").CompareTool} tool asks `wanted` for a message when nothing else waits
 * @param {import("../plane.js").Plane[]} planes of the two models
 * @param {() => boolean} isOpen whether the tab is on show
 */
export function makeBoth(tool, planes, isOpen) {
  const { model, state } = tool;
  let asked = "";
  let chosen = -1;

  const body = h("div", { class: "dcrc-why-body" });
  const node = h("section", { class: "dcrc-why", "aria-label": "Why" }, body);
  tool.markRows(body);

  /** @returns {import("../types.d.ts").Message | null} */
  function wanted() {
    if (!isOpen() || chosen < 0) return null;
    const key = `${model.get("scene").version} ${chosen}`;
    if (key === asked || key === model.get("why").key) return null;
    asked = key;
    return { do: "why", view: "point", point: chosen, key };
  }

  function show() {
    const explained = isOpen() ? chosen : -1;
    if (explained !== state.explained) {
      state.explained = explained;
      tool.drawAbove();
    }
    if (!isOpen()) return;
    const why = model.get("why");
    if (chosen < 0) put(body, h("p", { class: "dcrc-empty" }, ASK));
    else if (why.point === chosen && why.models) put(body, explanation(why));
  }

  /** @param {import("../types.d.ts").BothWhy} why */
  const explanation = ({ point, sentence, models }) => [
    h("p", { class: "dcrc-sentence" }, h("b", {}, called(model.get("data"), point)), " ", sentence),
    h("div", { class: "dcrc-both" }, models.map((why, m) =>
      h("section", {}, h("h4", {}, ["First", "Second"][m]), explainPoint(planes[m], point, why)))),
  ];

  return {
    node,
    show,
    wanted,
    explain(/** @type {number} */ i) {
      chosen = i;
      show();
      tool.check();
    },
  };
}
