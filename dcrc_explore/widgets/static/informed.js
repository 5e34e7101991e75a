// The tab Information of Compare: what the answers told each of the two models, on the same axis.

import { h } from "./dom.js";
import { enlargeIn } from "./enlarged.js";
import { makePanel } from "./panels.js";

/**
 * @param {import("./shapes.d.ts").CompareTool} tool
 * @param {import("./plane.js").Plane[]} planes of the two models
 * @param {() => boolean} isOpen whether the tab is on show
 */
export function makeInformed(tool, planes, isOpen) {
  const { model } = tool;
  const panels = planes.map((plane, p) => makePanel("information", (k) => plane.colour(k), {
    side: p ? ", second" : ", first", enlarge: enlargeIn(tool),
  }));
  let asked = -1; // version of the pictures for which the numbers were requested
  function show() {
    const { models } = model.get("information");
    if (!isOpen() || !models) return;
    const most = Math.max(...models.flatMap(({ answers }) => answers.curves.map(({ values }) => values.at(-1) ?? 0)));
    const question = model.get("question");
    // The worth on the card is that of the first model.
    models.forEach((values, p) =>
      panels[p].show({ ...values, most, question: p || !question.triplet ? null : question }));
  }
  tool.watch("change:question", () => queueMicrotask(show));
  return {
    node: h("section", { class: "dcrc-informed", "aria-label": "Information" }, panels.map((panel) => panel.node)),
    show,
    /** @returns {import("./types.d.ts").Message | null} */
    wanted() {
      const { version } = model.get("scene");
      if (!isOpen() || version === asked) return null;
      asked = version;
      return { do: "panels" };
    },
  };
}
