// Points from a seed, as datasets/generators.py makes them. The random numbers are others, so the points are, too: the
// page comes with Python's for the first seed, and writes all points into the files that it gives away.

import { Random } from "../engine/random.js";

/**
 * @typedef {Record<string, number>} Parameters
 * @typedef {{X: number[][], y: number[]}} Points
 * @typedef {(sizes: number[], values: Parameters, random: Random) => Points} Generator
 */

/**
 * @param {number[]} sizes
 * @param {number[][]} centres @param {number} spread @param {Random} random @returns {Points}
 */
function blobs(sizes, centres, spread, random) {
  const y = sizes.flatMap((size, k) => Array(size).fill(k));
  return { X: y.map((k) => centres[k].map((value) => value + spread * random.normal())), y };
}

/** Round clusters on the corners of a regular polygon. @type {Generator} */
function polygon(sizes, { spread, distance }, random) {
  const K = sizes.length;
  const radius = distance / (2 * Math.sin(Math.PI / K));
  const angles = sizes.map((_, k) => Math.PI / 2 + (2 * Math.PI * k) / K);
  return blobs(sizes, angles.map((turn) => [radius * Math.cos(turn), radius * Math.sin(turn)]), spread, random);
}

/** Parallel slanted clusters, longer than wide. @type {Generator} */
function stripes(sizes, { spread, distance, stretch }, random) {
  const centres = sizes.map((_, k) => [0, distance * (k - (sizes.length - 1) / 2)]);
  const { X, y } = blobs(sizes, centres, spread, random);
  const [cosine, sine] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6)];
  return { X: X.map(([a, b]) => [stretch * a * cosine - b * sine, stretch * a * sine + b * cosine]), y };
}

/** Four clumps on the corners of a rectangle, in two classes. @param {number[]} classes @returns {Generator} */
const quarters = (classes) => (sizes, { spread, distance, stretch = 1 }, random) => {
  const clumps = [0, 0, 0, 0];
  sizes.forEach((size, k) => {
    const [first, second] = [classes.indexOf(k), classes.lastIndexOf(k)];
    [clumps[first], clumps[second]] = [size - Math.floor(size / 2), Math.floor(size / 2)];
  });
  const [across, up] = [(stretch * distance) / 2, distance / 2];
  const { X, y } = blobs(clumps, [[-across, up], [across, up], [-across, -up], [across, -up]], spread, random);
  return { X, y: y.map((clump) => classes[clump]) };
};

/** Interleaved half circles. @type {Generator} */
function moons([upper, lower], { spread, distance }, random) {
  const at = (/** @type {number} */ n, /** @type {number} */ size) => (Math.PI * n) / Math.max(size - 1, 1);
  const X = [
    ...Array.from({ length: upper }, (_, n) => [Math.cos(at(n, upper)), Math.sin(at(n, upper))]),
    ...Array.from({ length: lower }, (_, n) => [1 - Math.cos(at(n, lower)), 1 - Math.sin(at(n, lower)) - distance]),
  ];
  const noisy = X.map((row) => row.map((value) => value + spread * random.normal()));
  return { X: noisy, y: X.map((_, n) => Number(n >= upper)) };
}

/** One ring inside another. @type {Generator} */
function rings([outer, inner], { spread, distance }, random) {
  const ring = (/** @type {number} */ size, /** @type {number} */ radius) => Array.from({ length: size }, (_, n) =>
    [Math.cos, Math.sin].map((of) => radius * of((2 * Math.PI * n) / size) + spread * random.normal()));
  return { X: [...ring(outer, 1 + distance), ...ring(inner, 1)], y: Array.from({ length: outer + inner }, (_, n) =>
    Number(n >= outer)) };
}

/** Round clusters arranged like the seeds of a sunflower. @type {Generator} */
function sunflower(sizes, { spread, distance }, random) {
  const centres = sizes.map((_, k) => {
    const [turn, radius] = [k * Math.PI * (3 - Math.sqrt(5)), (distance / 1.6) * Math.sqrt(k + 0.5)];
    return [radius * Math.cos(turn), radius * Math.sin(turn)];
  });
  return blobs(sizes, centres, spread, random);
}

/** @type {Record<string, Generator>} */
export const GENERATORS = {
  close: polygon, far: polygon, unbalanced: polygon, elongated: stripes, "two-ways": quarters([0, 0, 1, 1]),
  cross: quarters([0, 1, 1, 0]), moons, rings, many: sunflower,
};

/**
 * @param {string} name @param {Parameters} values with n_per_cluster, imbalance, noise and seed @param {number} classes
 * @returns {Points}
 */
export function generate(name, values, classes) {
  const random = new Random(values.seed);
  const K = values.n_clusters ?? classes;
  const { X, y } = GENERATORS[name](sizesOf(K, values.n_per_cluster, values.imbalance), values, random);
  const [low, high] = [Math.min, Math.max].map((most) => [0, 1].map((d) => most(...X.map((row) => row[d]))));
  const anywhere = X.map((row) => (random.next() < values.noise
    ? row.map((_, d) => low[d] + random.next() * (high[d] - low[d])) : row));
  // In random order, no class is always drawn on top.
  const order = random.shuffled(X.keys());
  return { X: order.map((n) => anywhere[n]), y: order.map((n) => y[n]) };
}

/** Sizes that fall geometrically. @param {number} K @param {number} mean @param {number} imbalance */
function sizesOf(K, mean, imbalance) {
  const shares = Array.from({ length: K }, (_, k) => imbalance ** -(K > 1 ? k / (K - 1) : 0));
  const total = shares.reduce((sum, share) => sum + share, 0);
  let [so, far] = [0, 0];
  return shares.map((share) => {
    so += share;
    const size = Math.round((so / total) * K * mean) - far;
    far += size;
    return Math.max(size, 1);
  });
}
