// The panels of a page: what a person sees of a recorded model beside its picture.

import { h, put } from "./dom.js";
import { implied } from "./frames.js";
import { balancePanel, informationPanel, qualityPanel, tablePanel } from "./panels.js";

function panel(name, label, explanation) {
  const subtitle = h("span", { class: "dcrc-subtitle" });
  const body = h("div", { class: "dcrc-plot" });
  const attributes = { class: `dcrc-panel dcrc-panel-${name}`, title: explanation };
  return {
    node: h("section", attributes, h("h4", {}, label, " ", subtitle), body),
    show(about, plot, values) {
      subtitle.textContent = about;
      const { clientWidth: width, clientHeight: height } = body;
      if (width > 40 && height > 30) put(body, plot(values, width, height));
    },
  };
}

/** @param {any} record @param {import("./plane.js").Plane} plane */
export function makePanels(record, plane) {
  const information = panel("information", "Information",
    "What one answer tells about the memberships, Eqs. (3), (4), (5), over the number of clusters K");
  const quality = panel("quality", "Quality", "Agreement with the true classes against the number of answers");
  const table = panel("table", "Answers",
    "Rows: the answer given. Columns: the answer that the model implies, Eq. (1)");
  const balance = panel("balance", "Balance", "Share of the points in each cluster, against 1/K");
  quality.node.hidden = !record.quality;
  const node = h("div", { class: "dcrc-panels" }, [information, quality, table, balance].map((each) => each.node));

  function show(frame, counts, now) {
    const heard = record.answers[frame];
    information.show("bits by K", informationPanel, record.information);
    if (record.quality) {
      const upToNow = (values) => values.slice(0, frame + 1);
      const curves = record.quality.map(({ name, values }) => ({ name, values: upToNow(values) }));
      quality.show("by answers", qualityPanel, { answers: upToNow(record.answers), curves });
    }
    const place = { 1: 0, "-1": 1, 0: 2 };
    const cells = [0, 1, 2].map(() => [0, 0, 0]);
    for (let t = 0; t < heard; t++) {
      const { i, j, k, answer } = plane.answers.at(t);
      cells[place[answer]][place[implied(now[i], now[j], now[k])]]++;
    }
    const kept = cells[0][0] + cells[1][1] + cells[2][2];
    if (heard) table.show(`${kept}/${heard} kept`, tablePanel, { counts: cells });
    else table.show("", () => h("p", { class: "dcrc-empty" }, "The answers against those that the model implies."));
    const shares = counts.map((count) => count / now.length);
    balance.show("shares", balancePanel, { shares, colours: counts.map((_, k) => plane.colour(k)) });
  }
  return { node, show };
}
