// The answers: one table for every view, of which Python sends what is new; and a list of which the page holds what is
// in sight.

import { h, put } from "./dom.js";
import { focused as whatHasFocus } from "./host.js";
import { unpacked } from "./numbers.js";
import { LETTERS, point } from "./say.js";

const [ROW, LONG_ROW] = [30, 66]; // CSS pixels, as in the stylesheet
const AROUND = 30; // rows beyond those in sight, so that scrolling shows no gap

/** All answers, four numbers each: the points A, B, C and what was said. */
export class Answers {
  constructor() {
    this.table = new Int32Array(0);
    this.who = new Uint16Array(0);
  }

  get count() {
    return this.table.length / 4;
  }

  at(/** @type {number} */ t) {
    const [i, j, k, answer] = this.table.subarray(4 * t, 4 * t + 4);
    return { i, j, k, answer };
  }

  /**
   * Take what Python sent. False when something before it is missing, and must be asked for.
   * @param {import("./types.d.ts").AnswersSent} sent
   */
  take({ start, rows, who }) {
    if (start > this.count) return false;
    const added = unpacked(rows);
    const table = new Int32Array(4 * start + added.length);
    table.set(this.table.subarray(0, 4 * start));
    table.set(added, 4 * start);
    this.table = table;
    const givers = new Uint16Array(table.length / 4);
    givers.set(this.who.subarray(0, start));
    if (who) givers.set(unpacked(who), start);
    this.who = givers;
    return true;
  }
}

/**
 * The three points of an answer; `own` is written bold, `show` says how each is seen: by its number or its item.
 * @param {{i: number, j: number, k: number}} answer @param {(i: number) => import("./shapes.d.ts").Child} show
 */
export const triplet = ({ i, j, k }, own = -1, show = point) => lettered([i, j, k], own, show);

/**
 * Points with their letters, as A, B and C.
 * @param {number[]} points @param {(i: number) => import("./shapes.d.ts").Child} show
 */
export const lettered = (points, own = -1, show = point) =>
  h("span", { class: "triplet" }, points.map((at, place) => [
    place ? " " : null,
    h("small", {}, LETTERS[place]),
    " ",
    at === own ? h("b", {}, show(at)) : show(at),
  ]));

/**
 * A list of rows of one height, of which only those in sight are in the page. Screen readers hear how many there are.
 * @param {HTMLElement} node scrolls
 * @param {(at: number) => HTMLElement} makeRow
 * @param {() => boolean} isLong whether each of three texts has a line of its own
 */
export function makeRows(node, makeRow, isLong = () => false) {
  const [above, below] = [h("div", { "aria-hidden": "true" }), h("div", { "aria-hidden": "true" })];
  let total = 0;
  let drawn = "";

  function draw() {
    const height = isLong() ? LONG_ROW : ROW;
    const first = Math.max(0, Math.floor(node.scrollTop / height) - AROUND);
    const end = Math.min(total, Math.ceil((node.scrollTop + node.clientHeight) / height) + AROUND);
    const range = `${first}-${end}`;
    if (range === drawn) return;
    drawn = range;
    const focused = focusedIn(node);
    above.style.height = `${first * height}px`;
    below.style.height = `${(total - end) * height}px`;
    const rows = Array.from({ length: Math.max(0, end - first) }, (_, at) => {
      const row = makeRow(first + at);
      row.setAttribute("aria-posinset", String(first + at + 1));
      row.setAttribute("aria-setsize", String(total));
      return row;
    });
    put(node, above, rows, below);
    const again = focused ? /** @type {HTMLElement | null} */ (node.querySelector(focused)) : null;
    again?.focus({ preventScroll: true });
  }

  const drawAgain = () => total && draw(); // what stands there instead of rows stays
  node.addEventListener("scroll", drawAgain, { passive: true });
  new ResizeObserver(drawAgain).observe(node);
  return {
    /** Show so many rows, all made anew. */
    show(/** @type {number} */ n) {
      total = n;
      drawn = "";
      draw();
    },
    /** Show something else instead of rows. */
    empty(/** @type {import("./shapes.d.ts").Child[]} */ ...children) {
      total = 0;
      drawn = "";
      put(node, ...children);
    },
  };
}

// A selector of what has the focus in a list, to give it back to the same button of the same answer.
function focusedIn(/** @type {HTMLElement} */ node) {
  const focused = whatHasFocus();
  const row = node.contains(focused) ? /** @type {HTMLElement | null} */ (focused?.closest("[data-t]")) : null;
  if (!row || !focused) return null;
  const kind = focused === row ? "" : ` [data-button="${focused.dataset.button}"]`;
  return `[data-t="${row.dataset.t}"]${kind}`;
}
