// Points drawn by hand, as steps of a page's session; session/drawing.py and datasets/drawn.py of Python do the same.

import { Sketch } from "../brush.js";
import { plural } from "../say.js";

/**
 * @typedef {import("./session.js").State} State @typedef {import("./session.js").Subject} Subject
 * @typedef {{classes: number[], isTruth: boolean}} Drawing classes of the brushes, from 0 on
 */

/** Of an empty plane: left, right, bottom and top. */
export const FRAME = [-5.6, 5.6, -5, 5];

/** What data of two features have. @param {Float64Array} X */
export const planar = (X) => ({ X, d: 2, xy: X, features: ["x1", "x2"], names: null, note: "", items: null });

/** The brushes that have drawn these points, or would. @param {Subject} subject @returns {Drawing} */
export const drawingOf = ({ drawing, y, xy }) =>
  drawing ?? { classes: y ? [...y] : Array(xy.length / 2).fill(0), isTruth: y !== null };

/**
 * Drawn points as data. @param {number[][]} places @param {Drawing} drawing @param {number[]} extent of their picture
 * @param {string} key
 * @returns {Subject}
 */
export function drawnSubject(places, drawing, extent, key) {
  const { classes, isTruth } = drawing;
  const shown = [...new Set(classes)].sort((a, b) => a - b);
  const X = Float64Array.from(places.flat(), (value) => Math.round(1e4 * value) / 1e4);
  return {
    ...planar(X),
    name: "drawing", title: "drawing", about: `${plural(places.length, "point")} drawn by hand`, extent, key, drawing,
    parameters: null, original: false,
    y: isTruth ? Int32Array.from(classes, (k) => shown.indexOf(k)) : null,
    classes: isTruth ? shown.map((k) => String(k + 1)) : [], K: isTruth ? Math.max(2, shown.length) : 3,
  };
}

/**
 * What a stroke makes of a state, and which point each one was before; -1 for a new one.
 * @param {State} state @param {import("../brush.js").Stroke} stroke @param {string} key of the new points
 * @returns {{state: State, was: number[]}}
 */
export function afterStroke({ subject, settings, log, beside }, stroke, key) {
  const { classes, isTruth } = drawingOf(subject);
  const { xy } = subject;
  const rows = Array.from(classes, (_, i) => /** @type {import("../brush.js").Place} */ ([xy[2 * i], xy[2 * i + 1]]));
  const { places, classes: after } = new Sketch(rows, classes).after(stroke);
  const gone = new Set(stroke.erased);
  const stays = stroke.empty ? [] : [...rows.keys()].filter((i) => !gone.has(i));
  const now = new Map(stays.map((i, at) => [i, at]));
  const extent = stroke.empty ? FRAME : subject.extent;
  const drawn = drawnSubject(places, { classes: after, isTruth }, extent, key);
  const same = drawn.classes.length === subject.classes.length;
  const K = Math.max(2, Math.min(same ? settings.n_clusters : drawn.K, places.length));
  return {
    state: {
      subject: drawn, settings: { ...settings, n_clusters: K }, names: [], beside,
      log: log.filter(({ points }) => points.every((i) => now.has(i)))
        .map((entry) => ({ ...entry, points: entry.points.map((i) => now.get(i) ?? -1) })),
    },
    was: places.map((_, at) => stays[at] ?? -1),
  };
}

/** What a stroke is called. @param {import("../brush.js").Stroke} stroke */
export function strokeLabel({ empty, added, rows, erased }) {
  if (empty) return "a new drawing";
  const kinds = { drawing: added.length, moving: rows.length, erasing: erased.length };
  return Object.entries(kinds).filter(([, n]) => n).map(([verb, n]) => `${verb} ${plural(n, "point")}`).join(" and ");
}
