// A recorded model on a page: its picture, the points under pointer and keys, its legend.

import { ARROWS } from "./arrows.js";
import { h, put } from "./dom.js";
import { legendOf } from "./legend.js";
import { Plane } from "./plane.js";
import { plural } from "./say.js";
import { makeStage } from "./stages.js";

/** @typedef {{marked: number, explained: number, map: string, truth: boolean, items: boolean}} PageState of the page */

/** @type {import("./shapes.d.ts").Listen} */
const listen = (target, type, handler) =>
  target.addEventListener(type, /** @type {(event: Event) => void} */ (handler));

/**
 * @param {ReturnType<typeof import("./filmed.js").makeModel>} model
 * @param {import("./types.d.ts").Points} points
 * @param {import("./answers.js").Answers} answers
 * @param {PageState} state
 * @param {(i: number) => void} explain
 * @param {string} title
 */
export function makePicture(model, points, answers, state, explain, title) {
  const plane = new Plane({ answers });
  const { stage, hint } = makeStage(plane, listen, hoverOver, explain);
  const legend = h("div", { class: "dcrc-legend" });
  let hover = -1;

  const drawAbove = () => plane.drawAbove({ picks: [], hover: -1, marked: state.marked, explained: state.explained });

  /** @param {number} frame @param {import("./frames.js").TwoPoints[]} pairs that were answered by then */
  function draw(frame, pairs) {
    const scene = model.scene(frame, answers, pairs, state);
    plane.setScene(scene);
    plane.drawBelow({ map: state.map, links: "last + violated", items: state.items });
    drawAbove();
    put(legend, legendOf(plane, { map: state.map }));
    const sizes = `${plural(plane.n, "point")} in ${plural(model.clusters, "cluster")} of ${scene.counts.join(", ")}`;
    const keys = "Arrow keys move between points, Enter says why.";
    stage.setAttribute("aria-label", `${title ? `${title}: ` : ""}${sizes} points. ${keys}`);
  }

  function hoverOver(/** @type {number} */ i) {
    hover = i;
    stage.style.cursor = i < 0 ? "default" : "pointer";
    hint.textContent = i < 0 ? "" : plane.hint(i);
    drawAbove();
  }
  listen(stage, "keydown", (event) => {
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
    fit(/** @type {HTMLElement} */ root) {
      plane.resize(stage.clientWidth, stage.clientHeight);
      plane.readTheme(root);
    },
  };
}
