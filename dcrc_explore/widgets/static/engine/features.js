// The space in which the model is linear: for features z(x) with z(x).z(x') = k(x, x'), DCRC on z(x) is DCRC with that
// kernel. Those of the Gaussian kernel are exact up to a number of rows, else Nystroem's.

import { MOST_COMPONENTS, NO_VARIANCE, RANK_TOL, UNEVEN } from "./constants.js";
import { eigen } from "./linear.js";
import { Random } from "./random.js";

/**
 * @typedef {{rows: Float64Array, d: number, score: (coef: Float64Array, intercept: ArrayLike<number>) => import(
 *   "../frames.js").Score}} Features rows (N, d) of the space, and scores of clusters in the plane of the data
 */

/**
 * The features of rows (N, d), linear ones or those of the Gaussian kernel exp(-gamma |x - x'|^2).
 * @param {Float64Array} X @param {number} d @param {string} kernel @param {number | string} gamma @param {number} seed
 * @returns {Features}
 */
export function makeFeatures(X, d, kernel, gamma, seed) {
  if (kernel === "linear") {
    const score = (/** @type {Float64Array} */ coef, /** @type {ArrayLike<number>} */ intercept) =>
      (/** @type {number} */ k, /** @type {number} */ x, /** @type {number} */ y) =>
        coef[k * d] * x + coef[k * d + 1] * y + intercept[k];
    return { rows: X, d, score };
  }
  const width = typeof gamma === "number" ? gamma : 1 / (d * spread(X));
  const N = X.length / d;
  const random = new Random(seed);
  const chosen = N > MOST_COMPONENTS
    ? random.shuffled(Array(N).keys()).slice(0, MOST_COMPONENTS) : [...Array(N).keys()];
  const basis = Float64Array.from(chosen.flatMap((row) => [...X.subarray(row * d, (row + 1) * d)]));
  const matrix = gram(basis, basis, d, width);
  const { columns, width: m } = projection(matrix, chosen.length, random);
  const values = chosen.length === N ? matrix : gram(X, basis, d, width);
  const B = chosen.length;
  const rows = new Float64Array(N * m);
  for (let n = 0; n < N; n++) {
    for (let b = 0; b < B; b++) {
      const value = values[n * B + b];
      for (let e = 0; e < m; e++) rows[n * m + e] += value * columns[b * m + e];
    }
  }
  return { rows, d: m, score: (coef, intercept) => bells(coef, intercept, columns, m, basis, d, width) };
}

/** The variance of all values. @param {Float64Array} X */
function spread(X) {
  const mean = X.reduce((sum, value) => sum + value, 0) / X.length;
  const variance = X.reduce((sum, value) => sum + (value - mean) ** 2, 0) / X.length;
  return variance > NO_VARIANCE ? variance : 1;
}

/** k(x, b). @param {Float64Array} X @param {Float64Array} basis @param {number} d @param {number} gamma */
function gram(X, basis, d, gamma) {
  const [N, B] = [X.length / d, basis.length / d];
  const values = new Float64Array(N * B);
  for (let n = 0; n < N; n++) {
    for (let b = 0; b < B; b++) {
      let away = 0;
      for (let e = 0; e < d; e++) away += (X[n * d + e] - basis[b * d + e]) ** 2;
      values[n * B + b] = Math.exp(-gamma * away);
    }
  }
  return values;
}

/**
 * A with matrix = (matrix A)(matrix A)', a column for each positive eigenvalue. Of equal ones the seed chooses.
 * @param {Float64Array} matrix @param {number} n @param {Random} random
 */
function projection(matrix, n, random) {
  const weights = Float64Array.from({ length: n }, () => 1 + UNEVEN * random.normal());
  const weighted = matrix.map((value, at) => weights[Math.floor(at / n)] * value * weights[at % n]);
  const { values, vectors } = eigen(weighted, n);
  const kept = [...values.keys()].filter((e) => values[e] > RANK_TOL * Math.max(values[n - 1], 0));
  const columns = new Float64Array(n * kept.length);
  kept.forEach((e, column) => {
    const size = Math.sqrt(values[e]);
    for (let row = 0; row < n; row++) columns[row * kept.length + column] = (weights[row] * vectors[e][row]) / size;
  });
  return { columns, width: kept.length };
}

/**
 * Scores in the plane: each point of the basis carries a bell. What a row and a column of a grid share is kept.
 * @param {Float64Array} coef @param {ArrayLike<number>} intercept @param {Float64Array} columns @param {number} m
 * @param {Float64Array} basis @param {number} d @param {number} gamma @returns {import("../frames.js").Score}
 */
function bells(coef, intercept, columns, m, basis, d, gamma) {
  const [K, B] = [intercept.length, basis.length / d];
  const alphas = Float64Array.from({ length: K * B }, (_, at) => {
    const [k, b] = [Math.floor(at / B), at % B];
    let sum = 0;
    for (let e = 0; e < m; e++) sum += coef[k * m + e] * columns[b * m + e];
    return sum;
  });
  /** @type {Map<number, Float64Array>[]} */
  const along = [new Map(), new Map()];
  const bell = (/** @type {number} */ axis, /** @type {number} */ value) => {
    let found = along[axis].get(value);
    if (!found) {
      found = Float64Array.from({ length: B }, (_, b) => Math.exp(-gamma * (basis[b * d + axis] - value) ** 2));
      if (along[axis].size < 1000) along[axis].set(value, found);
    }
    return found;
  };
  return (k, x, y) => {
    const [ofX, ofY] = [bell(0, x), bell(1, y)];
    let sum = intercept[k];
    for (let b = 0, at = k * B; b < B; b++, at++) sum += alphas[at] * ofX[b] * ofY[b];
    return sum;
  };
}
