// Answers about pairs: what Python sends of them, and how they are drawn.

import { clamp, unpacked } from "./numbers.js";

const WIDTH = 6; // numbers of each
const [NOTHING, BY_Q] = [0, 1]; // what satisfies an answer
export const BY_BOUNDARY = 2; // the boundary too

/** @param {import("./types.d.ts").Picture["pairs"]} sent */
export function readPairs(sent) {
  const table = sent ? unpacked(sent) : new Int32Array(0);
  return Array.from({ length: table.length / WIDTH }, (_, t) => {
    const [i, j, answer, who, satisfied, before] = table.subarray(WIDTH * t, WIDTH * (t + 1));
    return { i, j, answer, who, before, violated: satisfied <= BY_Q, lost: satisfied === NOTHING };
  });
}

/** @typedef {ReturnType<typeof readPairs>[number]} Pair */

/**
 * How many of the pairs came before an answer about three points: number t of these is number t + that of all.
 * @param {Pair[]} pairs @param {number} t
 */
const before = (pairs, t) => {
  let [low, high] = [0, pairs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pairs[middle].before <= t) low = middle + 1;
    else high = middle;
  }
  return low;
};

/**
 * The number, among all answers, of number t of those about three points, or of those about pairs.
 * @param {Pair[]} pairs @param {{t: number, pair: boolean}} which
 */
export const numberOf = (pairs, { t, pair }) => (pair ? pairs[t].before + t : t + before(pairs, t));

/**
 * What stands at a number among all answers: number t of those about three points, or of those about pairs.
 * @param {Pair[]} pairs @param {number} number
 */
export function atNumber(pairs, number) {
  const p = pairs.findIndex((pair, t) => pair.before + t >= number);
  if (p >= 0 && pairs[p].before + p === number) return { t: p, pair: true };
  return { t: number - (p < 0 ? pairs.length : p), pair: false };
}

/**
 * Draw pairs as lines: whole ones belong together, dashed ones do not; don't know is dotted.
 * @param {import("./plane.js").Plane} plane @param {CanvasRenderingContext2D} ctx @param {string} shown
 */
export function drawPairs(plane, ctx, shown) {
  const { pairs } = plane;
  const last = pairs.length - 1;
  pairs.forEach((pair, t) => {
    /** @type {Record<string, boolean>} */
    const seen = { all: true, none: false, violated: pair.violated, last: t === last };
    if (!(seen[shown] ?? (pair.violated || t === last))) return;
    stroke(plane, ctx, pair, t === last ? 0.9 : clamp(10 / pairs.length, 0.15, 0.8), t === last ? 1.8 : 1.2);
  });
}

/**
 * The pair whose row is under the pointer.
 * @param {import("./plane.js").Plane} plane @param {CanvasRenderingContext2D} ctx
 */
export function drawMarkedPair(plane, ctx) {
  const pair = plane.pairs[plane.markedPair];
  if (pair) stroke(plane, ctx, pair, 1, 3.2);
}

/**
 * @param {import("./plane.js").Plane} plane @param {CanvasRenderingContext2D} ctx @param {Pair} pair
 * @param {number} strength @param {number} width
 */
function stroke(plane, ctx, { i, j, answer, violated }, strength, width) {
  ctx.save();
  ctx.strokeStyle = violated ? plane.ink.bad : plane.ink.accent;
  ctx.globalAlpha = strength;
  ctx.lineWidth = plane.unit * width;
  ctx.setLineDash(answer > 0 ? [] : answer < 0 ? [5, 4] : [1, 4]);
  ctx.beginPath();
  ctx.moveTo(...plane.where(i));
  ctx.lineTo(...plane.where(j));
  ctx.stroke();
  ctx.restore();
}
