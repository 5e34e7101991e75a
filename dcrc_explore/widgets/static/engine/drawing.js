// Questions drawn by chance: any triplet, or triplets of points near the decision boundary.

/** @param {number[]} points */
export const nameOf = ([i, j, k]) =>
  k >= 0 ? `${i},${Math.min(j, k)},${Math.max(j, k)}` : `${Math.min(i, j)},${Math.max(i, j)}`;

/**
 * Different questions, all equally likely; none of those that were asked. Fewer when no more are left.
 * @param {number} N points @param {number} size @param {number[][]} asked @param {import("./random.js").Random} random
 * @returns {number[][]}
 */
export function randomTriplets(N, size, asked, random) {
  const taken = new Set(asked.filter((points) => points[2] >= 0).map(nameOf));
  const left = (N * (N - 1) * (N - 2)) / 2 - taken.size;
  /** @type {number[][]} */
  const found = [];
  if (2 * size > left) { // nearly all: they are listed
    for (let i = 0; i < N; i++) for (let j = 0; j < N; j++) for (let k = j + 1; k < N; k++) {
      if (i !== j && i !== k && !taken.has(nameOf([i, j, k]))) found.push(random.next() < 0.5 ? [i, j, k] : [i, k, j]);
    }
    return random.shuffled(found).slice(0, size);
  }
  while (found.length < size) {
    const points = [random.below(N), random.below(N), random.below(N)];
    const name = nameOf(points);
    if (new Set(points).size < 3 || taken.has(name)) continue;
    taken.add(name);
    found.push(points);
  }
  return found;
}

/**
 * Different pairs. @param {number} N @param {number} size @param {number[][]} asked
 * @param {import("./random.js").Random} random
 */
export function randomPairs(N, size, asked, random) {
  const taken = new Set(asked.filter((points) => !(points[2] >= 0)).map(nameOf));
  /** @type {number[][]} */
  const all = [];
  for (let i = 0; i < N; i++) for (let j = i + 1; j < N; j++) if (!taken.has(nameOf([i, j]))) all.push([i, j]);
  return random.shuffled(all).slice(0, size);
}

/**
 * Rows by how near they are to the decision boundary: how nearly equal their two most probable clusters are.
 * @param {Float64Array} P (N, K) @param {number} K
 */
export function byBoundary(P, K) {
  const lead = Array.from({ length: P.length / K }, (_, n) => {
    const [first, second] = P.slice(n * K, (n + 1) * K).sort().subarray(K - 2).reverse();
    return Math.round((first - second) * 1e9);
  });
  return [...lead.keys()].sort((a, b) => lead[a] - lead[b]);
}

/**
 * Questions among the points nearest to the decision boundary, a share of all, or more if these give too few.
 * @param {Float64Array} P @param {number} K @param {number} size @param {number[][]} asked
 * @param {import("./random.js").Random} random
 */
export function boundaryTriplets(P, K, size, asked, random, share = 0.3) {
  const N = P.length / K;
  const near = byBoundary(P, K);
  const count = (/** @type {number} */ n) => (n * (n - 1) * (n - 2)) / 2;
  let n = Math.min(N, Math.max(3, Math.round(share * N)));
  while (n < N && count(n) < size + asked.length) n++;
  const rank = new Map(near.slice(0, n).map((row, place) => [row, place]));
  const known = asked.map((points) => points.map((row) => rank.get(row) ?? -1))
    .filter((points) => !points.includes(-1));
  return randomTriplets(n, size, known, random).map((points) => points.map((place) => near[place]));
}
