// The legend of a picture, in the tool and on pages: a key for each cluster, and the scale of the map.

import { h } from "./dom.js";
import { marker } from "./markers.js";
import { brief, plural } from "./say.js";

/** @typedef {import("./shapes.d.ts").Plane} Plane */

const WORDED = 4; // so many clusters have the word beside their number

/**
 * @param {Plane} plane
 * @param {object} [options]
 * @param {string} [options.map] that is drawn
 * @param {(k: number) => void} [options.choose] makes the keys buttons
 */
export function legendOf(plane, { map = "none", choose } = {}) {
  const { counts, cluster } = plane.scene;
  const keys = counts.map((count, k) => {
    const title = `${plane.nameOf(k) || `Cluster ${k + 1}`}: ${plural(count, "point")}`;
    const word = counts.length <= WORDED && h("span", { class: "word" }, "cluster ");
    const key = [
      marker(plane.shape(k), plane.colour(k)),
      h("span", { class: plane.nameOf(k) ? "name given" : "name" }, plane.nameOf(k) || [word, k + 1]),
      h("span", { class: "count" }, h("i", {}, " · "), brief(count)),
    ];
    if (!choose) return h("span", { "data-cluster": k, title }, key);
    return h("button", {
      type: "button", "data-cluster": k, title: `${title}. Click to map its probability`, onclick: () => choose(k),
    }, key);
  });
  return [h("span", keysLook(plane, counts.length), keys), SCALES[map]?.(cluster + 1, plane.colour(cluster))];
}

/**
 * How the keys of so many clusters look: of many, and of those with names, less else fits into the line.
 * @param {Pick<Plane, "nameOf">} plane @param {number} clusters
 */
export function keysLook(plane, clusters) {
  const named = Array.from({ length: clusters }, (_, k) => plane.nameOf(k)).some(Boolean);
  const kinds = ["keys", clusters > 3 && "four", clusters > 4 && "many", clusters > 7 && "crowd", named && "named"];
  return { class: kinds.filter(Boolean).join(" ") };
}

/** @type {Record<string, (number: number, colour: string) => HTMLElement>} */
const SCALES = {
  entropy: () =>
    h("span", { class: "scale", title: "Entropy: the darker, the less certain the model is" },
      h("i", {}, "certain"), h("b", { class: "entropy" }), h("i", {}, "uncertain")),
  probability: (number, colour) =>
    h("span", { class: "scale", title: `Probability of cluster ${number}, from 0 to 1` },
      h("i", {}, "0"), h("b", { style: { "--to": `color-mix(in srgb, ${colour} 60%, var(--dcrc-plane))` } }),
      h("i", {}, `cluster ${number}`)),
};
