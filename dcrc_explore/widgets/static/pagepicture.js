// A recorded model on a page: its picture, the points under pointer and keys, its legend.

import { ARROWS } from "./arrows.js";
import { h, put } from "./dom.js";
import { clusterKey, keysLook } from "./markers.js";
import { Plane } from "./plane.js";
import { plural } from "./say.js";

/**
 * @param {ReturnType<typeof import("./filmed.js").makeModel>} model
 * @param {import("./types.d.ts").Points} points
 * @param {import("./answers.js").Answers} answers
 * @param {{marked: number, explained: number, map: string, truth: boolean, items: boolean}} state of the page
 * @param {(i: number) => void} explain
 * @param {string} title
 */
export function makePicture(model, points, answers, state, explain, title) {
  const plane = new Plane({ answers });
  const hint = h("div", { class: "dcrc-hint", "aria-hidden": "true" });
  const stage = h("div", { class: "dcrc-plane", tabindex: "0", role: "application" }, plane.below, plane.above, hint);
  const legend = h("div", { class: "dcrc-legend" });
  let hover = -1;

  const drawAbove = () => plane.drawAbove({ picks: [], hover: -1, marked: state.marked, explained: state.explained });

  function draw(frame, pairs) {
    const scene = { ...model.scene(frame, answers, state), pairs };
    plane.setScene(scene);
    plane.drawBelow({ map: state.map, links: "last + violated", items: state.items });
    drawAbove();
    showLegend(scene.counts);
    const sizes = `${plural(plane.n, "point")} in ${plural(model.clusters, "cluster")} of ${scene.counts.join(", ")}`;
    const keys = "Arrow keys move between points, Enter says why.";
    stage.setAttribute("aria-label", `${title ? `${title}: ` : ""}${sizes} points. ${keys}`);
  }

  function showLegend(counts) {
    const word = () => (model.clusters <= 4 ? h("span", { class: "word" }, "cluster ") : null);
    const keys = counts.map((count, k) => h("span", { class: "dcrc-key" }, clusterKey(plane, k, count, word())));
    const scale = state.map === "entropy" &&
      h("span", { class: "scale", title: "Entropy: the darker, the less certain the model is" },
        h("i", {}, "certain"), h("b", { class: "entropy" }), h("i", {}, "uncertain"));
    put(legend, h("span", keysLook(plane, model.clusters), keys), scale);
  }

  function hoverOver(i) {
    hover = i;
    stage.style.cursor = i < 0 ? "default" : "pointer";
    hint.textContent = i < 0 ? "" : plane.hint(i);
    drawAbove();
  }
  const pointAt = ({ clientX, clientY }) => {
    const box = stage.getBoundingClientRect();
    return plane.nearest(clientX - box.left, clientY - box.top);
  };
  stage.addEventListener("pointermove", (event) => hoverOver(pointAt(event)));
  stage.addEventListener("pointerleave", () => hoverOver(-1));
  stage.addEventListener("click", (event) => explain(pointAt(event)));
  stage.addEventListener("keydown", (event) => {
    if (ARROWS[event.key]) hoverOver(plane.towards(hover, ...ARROWS[event.key]));
    else if (event.key === "Enter" || event.key === " ") explain(hover);
    else return;
    event.preventDefault();
  });

  plane.setPoints(points);
  return {
    node: h("figure", { class: "dcrc-picture" }, title && h("h2", {}, title), stage, legend),
    plane,
    stage,
    draw,
    drawAbove,
    fit(root) {
      plane.resize(stage.clientWidth, stage.clientHeight);
      plane.readTheme(root);
    },
  };
}
