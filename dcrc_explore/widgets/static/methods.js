// The tab Methods of Compare: what each method makes of the same answers, as a small picture.

import { button, h, put } from "./dom.js";
import { markerPath } from "./markers.js";
import { unpacked } from "./numbers.js";
import { AGREEMENT, plural } from "./say.js";

const [WIDTH, HEIGHT, RADIUS] = [150, 104, 2.4];
const ABOUT = "What would other methods have done with these answers? Each is fitted with its default parameters; " +
  "DCRC is the first model, SSSVaD a reconstruction.";
const HELD_OUT = "Held out: the share of the answers about three points that fits without them predict.";
const OLD = "Data, answers or settings have changed since.";

/**
 * @param {import("./shapes.d.ts").CompareTool} tool
 * @param {import("./plane.js").Plane} plane of the first model, which has the points
 * @param {() => boolean} isOpen whether the tab is on show
 */
export function makeMethods(tool, plane, isOpen) {
  const { model, request } = tool;
  const start = button({ onclick: () => request({ do: model.get("methods").running ? "cancel" : "methods" }) }, "");
  const progress = h("progress", { class: "dcrc-progress", "aria-label": "Methods that are fitted" });
  const status = h("p", { class: "dcrc-told" });
  const list = h("div", { class: "dcrc-methods-list" });
  const node = h("section", { class: "dcrc-methods", "aria-label": "Other methods" },
    h("div", { class: "dcrc-more" }, start, progress), status, list);

  function show() {
    if (!isOpen()) return;
    const { results = [], total = 1, running, current, error } = model.get("methods");
    start.textContent = running ? "Stop" : "Fit the other methods";
    progress.hidden = !running;
    progress.value = results.length / total;
    const outdated = results.length > 0 && !running && !current;
    status.textContent = error || (outdated ? OLD : results.length ? "" : ABOUT);
    node.toggleAttribute("data-old", outdated);
    put(list, results.map(method));
  }

  /** @param {import("./types.d.ts").MethodSent} found */
  function method({ method: name, labels, ari, satisfied, held_out: heldOut, seconds, note }) {
    const facts = [
      ari != null && `agreement\u00a0${ari.toFixed(2)}`, satisfied != null && `satisfied\u00a0${percent(satisfied)}`,
      heldOut != null && `held\u00a0out\u00a0${percent(heldOut)}`, took(seconds),
    ].filter(Boolean).join(" · ");
    const title = [note, ari != null && AGREEMENT, heldOut != null && HELD_OUT].filter(Boolean).join(" ");
    return h("figure", { "data-method": name, title },
      labels ? picture(name, unpacked(labels)) : h("p", { class: "failed" }, note),
      h("figcaption", {}, h("b", {}, name), h("span", {}, facts)));
  }

  function picture(/** @type {string} */ name, /** @type {import("./types.d.ts").Numbers} */ labels) {
    const ratio = window.devicePixelRatio || 1;
    const groups = new Set(labels).size;
    const canvas = h("canvas", {
      width: WIDTH * ratio, height: HEIGHT * ratio, style: { width: `${WIDTH}px`, height: `${HEIGHT}px` },
      role: "img", "aria-label": `${name}: ${plural(groups, "cluster")}`,
    });
    const ctx = canvas.getContext("2d");
    if (!ctx || labels.length !== plane.n) return canvas; // other points by now
    ctx.scale(ratio, ratio);
    for (let i = 0; i < plane.n; i++) {
      const [x, y] = plane.share(i);
      ctx.fillStyle = plane.colour(labels[i]);
      ctx.fill(markerPath(plane.shape(labels[i]), x * WIDTH, (1 - y) * HEIGHT, RADIUS));
    }
    return canvas;
  }

  return { node, show };
}

const percent = (/** @type {number} */ share) => `${Math.round(100 * share)}\u00a0%`;
const took = (/** @type {number} */ seconds) =>
  (seconds < 0.1 ? `${Math.max(1, Math.round(1000 * seconds))} ms` : `${seconds.toFixed(1)} s`);
