// The shapes of clusters, on the canvas and as small pictures.

import { svg } from "./dom.js";

/** @typedef {[number, number]} Corner */

/** @param {number} n @returns {Corner[]} */
const polygon = (n, turn = 0, inner = 1) => {
  const steps = inner === 1 ? n : 2 * n;
  return Array.from({ length: steps }, (_, t) => {
    const angle = -Math.PI / 2 + turn + (2 * Math.PI * t) / steps;
    const radius = inner !== 1 && t % 2 ? inner : 1;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
};
/** @param {Corner[]} corners @param {number} angle @returns {Corner[]} */
const turned = (corners, angle) =>
  corners.map(([x, y]) => [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)]);
/** @param {Corner[]} corners @param {number} width @returns {Corner[]} */
const placed = (corners, width, height = width, right = 0, down = 0) =>
  corners.map(([x, y]) => [width * x + right, height * y + down]);

/** @type {Corner[]} */
const ARM = [[-1, -3], [1, -3], [1, -1]];
const PLUS = [0, 1, 2, 3].flatMap((quarter) => turned(ARM.slice(0, 3), (quarter * Math.PI) / 2));
const plus = placed(PLUS, 1 / 2.9);

/**
 * Corners in units of the radius; null is a circle.
 * @type {Record<string, Corner[] | null>}
 */
export const SHAPES = {
  circle: null,
  triangle: placed(polygon(3), 1.22, 1.22, 0, 0.15),
  square: placed(turned(polygon(4), Math.PI / 4), 1.22),
  diamond: placed(polygon(4), 1.05, 1.3),
  "triangle-down": placed(polygon(3, Math.PI), 1.22, 1.22, 0, -0.15),
  plus,
  star: placed(polygon(5, 0, 0.5), 1.4),
  pentagon: placed(polygon(5), 1.15),
  cross: turned(plus, Math.PI / 4),
  "triangle-left": placed(polygon(3, -Math.PI / 2), 1.22, 1.22, 0.15),
  "triangle-right": placed(polygon(3, Math.PI / 2), 1.22, 1.22, -0.15),
  hexagon: placed(polygon(6), 1.1),
};

/** A marker as a path for the canvas. @param {string} shape @param {number} x @param {number} y @param {number} r */
export function markerPath(shape, x, y, r) {
  const path = new Path2D();
  const corners = SHAPES[shape];
  if (!corners) path.arc(x, y, r, 0, 2 * Math.PI);
  else {
    corners.forEach(([u, v], t) => path[t ? "lineTo" : "moveTo"](x + r * u, y + r * v));
    path.closePath();
  }
  return path;
}

/** A marker as a small picture. @param {string} shape @param {string} colour */
export function marker(shape, colour) {
  const corners = SHAPES[shape];
  const body = corners
    ? svg("polygon", { points: corners.map(([u, v]) => `${8 + 5 * u},${8 + 5 * v}`).join(" ") })
    : svg("circle", { cx: 8, cy: 8, r: 5 });
  return svg("svg", { viewBox: "0 0 16 16", width: 14, height: 14, fill: colour, "aria-hidden": "true" }, body);
}
