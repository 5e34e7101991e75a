// How good a clustering is, and numbers of clusters that stay where they are.

/** Points in each class (row) and cluster (column). @param {ArrayLike<number>} y @param {ArrayLike<number>} labels */
function tableOf(y, labels) {
  const [rows, columns] = [1 + Math.max(...Array.from(y)), 1 + Math.max(...Array.from(labels))];
  const table = Array.from({ length: rows }, () => Array(columns).fill(0));
  for (let n = 0; n < y.length; n++) table[y[n]][labels[n]]++;
  const sum = (/** @type {number[]} */ values) => values.reduce((total, value) => total + value, 0);
  const columnsOf = table[0].map((_, c) => sum(table.map((row) => row[c])));
  return { table, rows: table.map(sum), columns: columnsOf, N: y.length, sum };
}

/**
 * Agreement with the truth: F-measure over pairs, adjusted Rand index, normalised mutual information, accuracy.
 * @param {ArrayLike<number>} y @param {ArrayLike<number>} labels
 */
export function quality(y, labels) {
  const { table, rows, columns, N, sum } = tableOf(y, labels);
  const pairs = (/** @type {number[]} */ counts) => sum(counts.map((count) => (count * (count - 1)) / 2));
  const [both, truth, found, all] = [pairs(table.flat()), pairs(rows), pairs(columns), (N * (N - 1)) / 2];
  const [expected, most] = [all ? (truth * found) / all : 0, (truth + found) / 2];
  const entropy = (/** @type {number[]} */ counts) =>
    -sum(counts.map((count) => (count ? (count / N) * Math.log(count / N) : 0)));
  const [h, g] = [entropy(rows), entropy(columns)];
  const mutual = h + g - entropy(table.flat());
  const matched = table.map((row) => [...row]);
  const right = sum([...assignment(matched).entries()].map(([r, c]) => table[r][c] ?? 0));
  return {
    F: truth + found ? both / ((truth + found) / 2) : 1,
    ARI: most === expected ? 1 : (both - expected) / (most - expected),
    NMI: h + g ? Math.max(mutual, 0) / ((h + g) / 2) : 1,
    accuracy: right / N,
  };
}

/**
 * For each row the column that it is matched with, so that the sum of the entries is largest; -1 for rows without one.
 * There are few clusters, so all sets of columns are gone through.
 * @param {number[][]} gains
 */
export function assignment(gains) {
  const columns = gains[0].length;
  const free = Math.max(gains.length - columns, 0); // rows that get none
  /** @type {Map<number, {value: number, chosen: number[]}>} */
  let best = new Map([[0, { value: 0, chosen: [] }]]);
  gains.forEach((row) => {
    /** @type {typeof best} */
    const next = new Map();
    const offer = (/** @type {number} */ set, /** @type {number} */ value, /** @type {number[]} */ chosen) => {
      const known = next.get(set);
      if (!known || value > known.value + 1e-12) next.set(set, { value, chosen });
    };
    for (const [set, { value, chosen }] of best) {
      for (let c = 0; c < columns; c++) if (!(set & (1 << c))) offer(set | (1 << c), value + row[c], [...chosen, c]);
      if (chosen.filter((c) => c < 0).length < free) offer(set, value, [...chosen, -1]);
    }
    best = next;
  });
  return [...best.values()].reduce((one, other) => (other.value > one.value ? other : one)).chosen;
}

/**
 * Numbers for the clusters of one model that agree with another: cluster k should be called numbers[k].
 * @param {ArrayLike<number>} old memberships (N, K') @param {number} oldK
 * @param {ArrayLike<number>} now memberships (N, K) @param {number} K
 */
export function alignClusters(old, oldK, now, K) {
  const overlap = Array.from({ length: K }, () => Array(oldK).fill(0));
  for (let n = 0; n < now.length / K; n++) {
    for (let k = 0; k < K; k++) for (let o = 0; o < oldK; o++) overlap[k][o] += now[n * K + k] * old[n * oldK + o];
  }
  const numbers = assignment(overlap);
  const taken = new Set(numbers);
  let free = 0;
  return numbers.map((number) => {
    if (number >= 0) return number;
    while (taken.has(free)) free++;
    taken.add(free);
    return free;
  });
}

/** Labels as memberships, (N, K). @param {ArrayLike<number>} labels @param {number} K */
export function asMemberships(labels, K) {
  const rows = new Float64Array(labels.length * K);
  for (let n = 0; n < labels.length; n++) rows[n * K + labels[n]] = 1;
  return rows;
}
