// Words for answers, points and numbers.

export const LETTERS = ["A", "B", "C"];
export const SAID = { 1: "yes", "-1": "no", 0: "don't know" };
export const SHORT = { ...SAID, 0: "dnk" };

/** @param {number} n @param {string} word */
export const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

/** The number of a point, as in x₃₆. */
export const subscript = (i) => String(i).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[Number(digit)]);

/** @param {number} i */
export const point = (i) => `x${subscript(i)}`;

/** Two decimals; what is small and not nothing is not called nothing. */
export const two = (value) => (value > 0 && value < 0.005 ? "<.01" : value.toFixed(2));
