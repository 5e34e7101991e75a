// The board of five panels below the picture.

import { h, put, scaleOf } from "./dom.js";
import { makeSwitch } from "./tabs.js";
import { balancePanel, informationPanel, objectivePanel, qualityPanel, tablePanel } from "./panels.js";

const PANELS = {
  information: ["Information",
    "What one answer tells about the memberships, over the number of clusters K"],
  objective: ["Objective",
    "The bound that EM raises, and its terms; move the slider to see the model at an iteration"],
  quality: ["Quality", "Agreement with the true classes against the number of answers"],
  table: ["Answers", "Rows: the answer given. Columns: the answer that the model implies"],
  balance: ["Balance", "Share of the points in each cluster, against 1/K"],
};

function makePanel(name) {
  const [title, explanation] = PANELS[name];
  const subtitle = h("span", { class: "dcrc-subtitle" });
  const body = h("div", { class: "dcrc-plot" });
  const attributes = { class: `dcrc-panel dcrc-panel-${name}`, title: explanation };
  return {
    node: h("section", attributes, h("h4", {}, title, " ", subtitle), body),
    show(about, plot) {
      subtitle.textContent = about;
      const { clientWidth: width, clientHeight: height } = body;
      const scale = scaleOf(body);
      if (width > 40 && height > 30) put(body, plot(width / scale, height / scale));
    },
  };
}

const empty = (text) => () => h("p", { class: "dcrc-empty" }, text);

/** @param {any} model @param {import("./plane.js").Plane} plane @param {any} replay */
export function makeBoard(model, plane, replay) {
  const panels = Object.fromEntries(Object.keys(PANELS).map((name) => [name, makePanel(name)]));
  panels.objective.node.append(replay.node);
  // A lecture shows one of them.
  const choices = Object.entries(PANELS).map(([name, [title, about]]) => [name, title, about]);
  const choosing = makeSwitch(choices, "Which panel to show", "quality", choose);
  const node = h("div", { class: "dcrc-panels" }, choosing, Object.values(panels).map((panel) => panel.node));
  function choose(chosen) {
    for (const [name, panel] of Object.entries(panels)) panel.node.classList.toggle("chosen", name === chosen);
    show();
  }
  choosing.choose(model.get("points").classes ? "quality" : "table");

  function showObjective() {
    const values = model.get("panels").objective;
    if (!values) return;
    const { iterations, ending } = values;
    const iteration = model.get("scene").iteration ?? iterations;
    const about = `EM ${iteration} of ${iterations}${ending ? `, ${ending}` : ""}`;
    panels.objective.show(about, (width, height) => objectivePanel({ ...values, iteration }, width, height));
  }

  function show() {
    const { information, objective, quality, table, balance } = model.get("panels");
    if (!information || node.hidden || !plane.points) return; // after a reload, panels may be there before points
    panels.information.show("bits by K", (width, height) => informationPanel(information, width, height));
    replay.follow(objective.iteration, objective.iterations);
    showObjective();
    if (quality) panels.quality.show("by answers", (width, height) => qualityPanel(quality, width, height));
    else panels.quality.show("", empty("These data have no true classes to compare with."));
    const { satisfied, violated } = table;
    if (satisfied + violated) {
      panels.table.show(`${satisfied}/${satisfied + violated} satisfied`,
        (width, height) => tablePanel(table, width, height));
    } else panels.table.show("", empty("Your answers against those that the model implies."));
    const { shares } = balance;
    const colours = shares.map((_, k) => plane.colour(k));
    panels.balance.show("shares", (width, height) => balancePanel({ shares, colours }, width, height));
  }
  return { node, show, showObjective };
}
