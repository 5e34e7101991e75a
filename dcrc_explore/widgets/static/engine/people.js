// Simulated people: the truth, and those who err as a table says.

import { GUESSING, EXCHANGING, PAPER_CONFUSION } from "./constants.js";
import { implied } from "../frames.js";
import { columnOf, errorMatrix } from "./information.js";

/** How people err by name: rows what the true classes imply, columns what is given, in the order yes, no, dnk. */
const TABLES = { people: PAPER_CONFUSION, guessing: GUESSING, exchanging: EXCHANGING };

/**
 * What somebody who knows the classes answers.
 * @param {ArrayLike<number>} y @param {number[]} points
 * @param {number | string} errs an error rate, or the name of a table
 * @param {import("./random.js").Random} random
 */
export function answerOf(y, [i, j, k], errs, random) {
  const table = typeof errs === "number" ? errorMatrix(errs) : TABLES[/** @type {keyof typeof TABLES} */ (errs)];
  return [1, -1, 0][random.place(table[columnOf(implied(y[i], y[j], y[k]))])];
}
