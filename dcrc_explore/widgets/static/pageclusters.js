// What the clusters of a recorded model hold at the end: how many points, and those of which the model is most certain.

import { h } from "./dom.js";
import { marker } from "./markers.js";
import { called, plural } from "./say.js";
import { isSign } from "./placeditems.js";

/**
 * @param {import("./types.d.ts").PageSent} record
 * @param {import("./plane.js").Plane[]} planes of its models
 * @param {ReturnType<typeof import("./filmed.js").makeModel>[]} models
 */
export function makeClusters(record, planes, models) {
  // An item that the page already holds, or the number of the point.
  const seen = (/** @type {number} */ i) => {
    const { image, text } = record.items?.[i] ?? {};
    const title = text || called(record.points, i);
    if (image) return h("img", { src: image, alt: text, title });
    return h("span", { class: isSign(text) ? "chip" : "text", title }, title);
  };

  const groups = record.films.map((film, p) => {
    const labels = models[p].labelsOf(record.steps.length - 1);
    const sizes = Array(models[p].clusters).fill(0);
    for (const k of labels) sizes[k]++;
    const cluster = (/** @type {number[]} */ rows, /** @type {number} */ k) => h("div", { "data-cluster": k },
      h("h4", {}, marker(planes[p].shape(k), planes[p].colour(k)), h("span", {}, film.names[k] || `cluster ${k + 1}`),
        h("small", {}, plural(sizes[k], "point"))),
      h("div", { class: "things" }, rows.map(seen)));
    return [film.title && h("p", {}, h("b", {}, film.title)),
      h("div", { class: "dcrc-held" }, film.examples.map(cluster))];
  });
  return h("section", { class: "dcrc-card dcrc-clusters", "aria-label": "Clusters" },
    h("h3", {}, "What the clusters hold at the end"),
    h("p", {}, "The points of which the model is most certain."), groups);
}
