// The board of panels below the picture.

import { h } from "./dom.js";
import { enlargeIn } from "./enlarged.js";
import { makePanel, PANEL_NAMES, PANELS } from "./panels.js";
import { makeSwitch } from "./tabs.js";

const HIDDEN = "The true classes are hidden, and so is the agreement with them.";

/**
 * @typedef {import("./shapes.d.ts").PanelName} PanelName
 * @param {import("./shapes.d.ts").ExplorerTool} tool
 * @param {import("./plane.js").Plane} plane
 * @param {ReturnType<typeof import("./replay.js").makeReplay>} replay
 */
export function makeBoard(tool, plane, replay) {
  const { model } = tool;
  const [colour, enlarge] = [(/** @type {number} */ k) => plane.colour(k), enlargeIn(tool)];
  const panels = Object.fromEntries(PANEL_NAMES.map((name) => [name, makePanel(name, colour, { enlarge })]));
  panels.objective.node.append(replay.node);
  // A lecture shows one of them.
  const choices = Object.entries(PANELS).map(([name, { title, about }]) => [name, title, about]);
  const choosing = makeSwitch(choices, "Which panel to show", "quality", choose);
  const node = h("div", { class: "dcrc-panels" }, choosing, Object.values(panels).map((panel) => panel.node));
  function choose(/** @type {string} */ chosen) {
    for (const [name, panel] of Object.entries(panels)) panel.node.classList.toggle("chosen", name === chosen);
    show();
  }
  choosing.choose(model.get("data").classes ? "quality" : "answers");

  function showObjective() {
    const values = model.get("panels").objective;
    if (values) panels.objective.show({ ...values, iteration: model.get("scene").iteration ?? values.iterations });
  }

  // The question on the card belongs to the panel Information, and comes after the other numbers.
  function showInformation() {
    const [values, question] = [model.get("panels").information, model.get("question")];
    if (values) panels.information.show({ ...values, question: question.triplet ? question : null });
  }
  tool.watch("change:question", () => queueMicrotask(showInformation));

  function show() {
    const values = model.get("panels");
    if (!values.objective || node.hidden || !plane.points) return; // after a reload, panels may be there before points
    replay.follow(values.objective.iteration, values.objective.iterations);
    for (const [name, panel] of Object.entries(panels)) panel.show(values[/** @type {PanelName} */ (name)]);
    if (model.get("hidden").includes("truth")) panels.quality.show(null, HIDDEN);
    showObjective();
    showInformation();
  }
  return { node, show, showObjective };
}
