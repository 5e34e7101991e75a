// The panels of a page: what a person sees of a recorded model beside its picture.

import { h, put } from "./dom.js";
import { implied } from "./frames.js";
import { balancePanel, informationPanel, objectivePanel, qualityPanel, tablePanel } from "./panels.js";

const PANELS = {
  information: ["Information",
    "What one answer tells about the memberships, over the number of clusters K"],
  objective: ["Objective", "The bound that EM raises, and its terms, by EM iteration"],
  quality: ["Quality", "Agreement with the true classes against the number of answers"],
  table: ["Answers", "Rows: the answer given. Columns: the answer that the model implies"],
  balance: ["Balance", "Share of the points in each cluster, against 1/K"],
};
const PLACE = { 1: 0, "-1": 1, 0: 2 }; // of an answer in the table

function makePanel(name, side) {
  const [title, explanation] = PANELS[name];
  const subtitle = h("span", { class: "dcrc-subtitle" });
  const body = h("div", { class: "dcrc-plot" });
  const attributes = { class: `dcrc-panel dcrc-panel-${name}`, title: explanation };
  return {
    node: h("section", attributes, h("h4", {}, `${title}${side} `, subtitle), body),
    show(about, plot, values) {
      subtitle.textContent = about;
      const { clientWidth: width, clientHeight: height } = body;
      if (width > 40 && height > 30) put(body, plot(values, width, height));
    },
  };
}

/**
 * @param {any} record
 * @param {import("./plane.js").Plane[]} planes of its models
 */
export function makePanels(record, planes) {
  const alone = planes.length === 1;
  const boards = record.films.map((film, p) => {
    const side = alone ? "" : p ? ", right" : ", left";
    const names = Object.entries({
      information: alone && !film.terms, objective: film.terms, quality: film.quality, table: true, balance: true,
    }).filter(([, shown]) => shown).map(([name]) => name);
    return Object.fromEntries(names.map((name) => [name, makePanel(name, side)]));
  });
  // Panels of one kind stand together.
  const all = Object.keys(PANELS).flatMap((name) => boards.flatMap((board) => board[name]?.node ?? []));
  const node = h("div", { class: "dcrc-panels" }, all);

  function show(frame) {
    boards.forEach((board, p) => showModel(board, record.films[p], planes[p], frame));
  }

  function showModel({ information, objective, quality, table, balance }, film, plane, frame) {
    const { counts, clusters } = plane.scene;
    information?.show("bits by K", informationPanel, { ...record.information, current: clusters });
    objective?.show(`EM ${record.steps[frame]}`, objectivePanel, { terms: film.terms, iteration: frame });
    if (quality) {
      const upToNow = (values) => values.slice(0, frame + 1);
      const curves = film.quality.map(({ name, values }) => ({ name, values: upToNow(values) }));
      quality.show("by answers", qualityPanel, { answers: upToNow(record.steps), curves });
    }
    const cells = tableOf(plane);
    const [given, satisfied] = [plane.answers.count, cells[0][0] + cells[1][1] + cells[2][2]];
    if (given) table.show(`${satisfied}/${given} satisfied`, tablePanel, { counts: cells });
    else table.show("", () => h("p", { class: "dcrc-empty" }, "The answers against those that the model implies."));
    const shares = counts.map((count) => count / plane.n);
    balance.show("shares", balancePanel, { shares, colours: counts.map((_, k) => plane.colour(k)) });
  }
  return { node, show };
}

/** How often each answer was given, by the answer that the model implies. */
function tableOf({ answers, labels }) {
  const cells = [0, 1, 2].map(() => [0, 0, 0]);
  for (let t = 0; t < answers.count; t++) {
    const { i, j, k, answer } = answers.at(t);
    cells[PLACE[answer]][PLACE[implied(labels[i], labels[j], labels[k])]]++;
  }
  return cells;
}
