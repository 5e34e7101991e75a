// Recorded models: the map of a model as Python's Surface makes it.

import { BY_BOUNDARY } from "./pairs.js";

/**
 * @typedef {(k: number, x: number, y: number) => number} Score of cluster k at (x, y), Eq. (6)
 * @typedef {import("./types.d.ts").Points["extent"]} Extent left, right, bottom, top
 */

/**
 * Of a linear model from its weights: w_x, w_y and the intercept of each cluster.
 * @param {ArrayLike<number>} weights @returns {Score}
 */
export const linearScore = (weights) => (k, x, y) => weights[3 * k] * x + weights[3 * k + 1] * y + weights[3 * k + 2];

/**
 * Of any other model from a grid of scores: values belong to the centres of its cells.
 * @param {ArrayLike<number>} depths below the highest score @param {number} size cells in a row
 * @param {number} deepest what 255 stands for @param {Extent} extent @returns {Score}
 */
export function gridScore(depths, size, deepest, [left, right, bottom, top]) {
  const near = (/** @type {number} */ at) => Math.min(Math.max(at, 0), size - 1);
  return (k, x, y) => {
    const [u, v] = [((x - left) / (right - left)) * size - 0.5, ((y - bottom) / (top - bottom)) * size - 0.5];
    const [column, row] = [Math.floor(u), Math.floor(v)];
    const value = (/** @type {number} */ r, /** @type {number} */ c) => depths[(k * size + near(r)) * size + near(c)];
    const along = (/** @type {number} */ r) =>
      value(r, column) + (value(r, column + 1) - value(r, column)) * (u - column);
    const below = along(row);
    return (-deepest / 255) * (below + (along(row + 1) - below) * (v - row));
  };
}

/**
 * Regions, entropy, margin and edge on size x size cells, row 0 at the bottom.
 * @param {Score} score @param {number} clusters @param {Extent} extent @param {number} size
 * @param {number} [cluster] whose probability is wanted too
 */
export function surfaceOf(score, clusters, [left, right, bottom, top], size, cluster = 0) {
  const [regions, entropy, margin, proba] = [0, 0, 0, 0].map(() => new Uint8Array(size * size));
  const ahead = new Float32Array(size * size); // scores of the best cluster minus those of the next
  const p = new Float64Array(clusters);
  for (let row = 0, cell = 0; row < size; row++) {
    const y = bottom + ((row + 0.5) / size) * (top - bottom);
    for (let column = 0; column < size; column++, cell++) {
      const x = left + ((column + 0.5) / size) * (right - left);
      let highest = -Infinity;
      let second = -Infinity;
      for (let k = 0; k < clusters; k++) {
        p[k] = score(k, x, y);
        if (p[k] > highest) {
          second = highest;
          highest = p[k];
          regions[cell] = k;
        } else if (p[k] > second) second = p[k];
      }
      ahead[cell] = highest - second;
      let total = 0;
      for (let k = 0; k < clusters; k++) total += p[k] = Math.exp(p[k] - highest);
      let bits = 0;
      let next = 0;
      for (let k = 0; k < clusters; k++) {
        p[k] /= total;
        if (p[k] > 0) bits -= p[k] * Math.log(p[k]);
        if (k !== regions[cell] && p[k] > next) next = p[k];
      }
      entropy[cell] = Math.round((255 * bits) / Math.log(clusters));
      margin[cell] = Math.round(255 * (p[regions[cell]] - next));
      proba[cell] = Math.round(255 * p[cluster]);
    }
  }
  return { regions, entropy, margin, proba, edge: edgeOf(regions, ahead, size) };
}

/**
 * What boundaries are drawn from: the lead in bytes, of which the largest beside a boundary gets 255.
 * @param {Uint8Array} regions @param {Float32Array} ahead @param {number} size
 */
function edgeOf(regions, ahead, size) {
  let most = 1e-30;
  for (let cell = 0; cell < size * size; cell++) {
    const right = (cell + 1) % size ? cell + 1 : cell;
    const above = cell + size < size * size ? cell + size : cell;
    if (regions[right] !== regions[cell]) most = Math.max(most, ahead[cell], ahead[right]);
    if (regions[above] !== regions[cell]) most = Math.max(most, ahead[cell], ahead[above]);
  }
  return Uint8Array.from(ahead, (lead) => Math.round(255 * Math.min(lead / most, 1)));
}

/** The answer that clusters imply, Eq. (1). @param {number} a @param {number} b @param {number} c */
export const implied = (a, b, c) => (a === b) === (a === c) ? 0 : a === b ? 1 : -1;

/** @typedef {{i: number, j: number, answer: number}} TwoPoints an answer about two points */

/**
 * Answers about two points as Python sends them, with what these labels satisfy. Don't know says nothing about them.
 * @param {TwoPoints[]} pairs @param {ArrayLike<number>} labels
 */
export const markedPairs = (pairs, labels) => Int32Array.from(pairs.flatMap(({ i, j, answer }) =>
  [i, j, answer, 0, !answer || (labels[i] === labels[j]) === answer > 0 ? BY_BOUNDARY : 0, 0]));

/**
 * A bit for each answer that these labels violate.
 * @param {import("./answers.js").Answers} answers @param {ArrayLike<number>} labels
 */
export function violatedBits(answers, labels) {
  const bits = new Uint8Array(Math.ceil(answers.count / 8));
  for (let t = 0; t < answers.count; t++) {
    const { i, j, k, answer } = answers.at(t);
    if (implied(labels[i], labels[j], labels[k]) !== answer) bits[t >> 3] |= 128 >> (t & 7);
  }
  return bits;
}
