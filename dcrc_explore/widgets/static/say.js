// Words for answers, points and numbers.

export const LETTERS = ["A", "B", "C"];
/** @type {Record<number, string>} */
export const SAID = { 1: "yes", "-1": "no", 0: "don't know" };
/**
 * Where there is no room; a title says it in full.
 * @type {Record<number, string>}
 */
export const SHORT = { ...SAID, 0: "?" };

/** @param {number} n @param {string} word */
export const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

/** A number of points in few letters. */
export const brief = (/** @type {number} */ n) => (n < 10_000 ? String(n) : `${Math.round(n / 1000)}k`);

/** The number of a point, as in x₃₆. */
const subscript = (/** @type {number} */ i) => String(i).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[Number(digit)]);

/** @param {number} i */
export const point = (i) => `x${subscript(i)}`;

/**
 * What a person calls a point: a file, the beginning of a text, an id; else its number.
 * @param {{ names: string[] | null }} points @param {number} i
 */
export const called = ({ names }, i) => names?.[i] || point(i);

/** How many bits: two decimals, or a word. @param {number | string} value */
export const bits = (value) => `${typeof value === "number" ? value.toFixed(2) : value} bit`;

/** Two decimals; what is small and not nothing is not called nothing. */
export const two = (/** @type {number} */ value) => (value > 0 && value < 0.005 ? "<.01" : value.toFixed(2));

/**
 * Whole percentages that sum to 100: what is lost in rounding goes to those that lost most.
 * @param {number[]} shares
 */
export function percentages(shares) {
  const exact = shares.map((share) => 100 * share);
  const whole = exact.map(Math.floor);
  const order = exact.map((_, t) => t).sort((a, b) => exact[b] - whole[b] - (exact[a] - whole[a]));
  const missing = Math.round(exact.reduce((sum, value) => sum + value, 0)) - whole.reduce((sum, n) => sum + n, 0);
  for (const t of order.slice(0, missing)) whole[t] += 1;
  return whole;
}

/** The one number of the tool; the panel Quality has others. */
export const AGREEMENT = "Agreement with the true classes is the adjusted Rand index (ARI): 1 for the true classes, " +
  "about 0 for a random grouping.";
