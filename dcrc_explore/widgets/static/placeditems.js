// Items on the picture: as maps do with names, where there is room, and dots where there is none. What is on show stays
// as long as it can, so that nothing flickers while the picture is zoomed.

import { clamp } from "./numbers.js";
import { CROWD, inSight, makeSprite } from "./points.js";

/** @typedef {import("./plane.js").Plane} Plane */
/** @typedef {{x: number, y: number, width: number, height: number}} Box middle and half of the sides */
/**
 * What an item is drawn from: a part of an image, in pixels of it; a wide one holds words.
 * @typedef {{image: CanvasImageSource, x: number, y: number, width: number, height: number, wide?: boolean}} Cell
 */

const SIDE = 38; // CSS pixels of an item when everything is in sight, and how far it grows
const LARGEST = 64;
const FRAME = 2.5; // of the colour of its cluster
const HALO = 6; // beyond the frame
const GAP = 4; // between two items
const COVERED = 3; // other points that an item may lie under
const GRAIN = 4; // CSS pixels in which points are counted
const NEAR = 7; // a dot so near to the pointer is meant, and not the item below it
const LETTERS = 13; // CSS pixels
const WIDEST = 150;
const SYMBOL = 2; // so many signs, as an emoji, are a picture

/**
 * Choose the points whose items find room; those at the beginning of `order` have the first choice.
 * @param {ArrayLike<number>} at positions of all points
 * @param {Iterable<number>} order of the points that may have one
 * @param {ArrayLike<number>} seen the points in sight
 * @param {{width: number, height: number}} size of the picture
 * @param {(i: number) => [number, number] | null} halves half of both sides of an item, with its frame
 * @returns {Map<number, Box>}
 */
export function findRoom(at, order, seen, size, halves) {
  const [across, down] = [Math.ceil(size.width / GRAIN) + 1, Math.ceil(size.height / GRAIN) + 1];
  const column = (/** @type {number} */ x) => clamp(Math.floor(x / GRAIN), -1, across - 2) + 1;
  const row = (/** @type {number} */ y) => clamp(Math.floor(y / GRAIN), -1, down - 2) + 1;
  const count = new Int32Array((across + 1) * (down + 1)); // of the points above and to the left of a place
  for (let s = 0; s < seen.length; s++) {
    const i = seen[s];
    count[row(at[2 * i + 1]) * (across + 1) + column(at[2 * i])]++;
  }
  for (let y = 1; y <= down; y++) {
    for (let x = 1; x <= across; x++) {
      const cell = y * (across + 1) + x;
      count[cell] += count[cell - 1] + count[cell - across - 1] - count[cell - across - 2];
    }
  }
  const upTo = (/** @type {number} */ x, /** @type {number} */ y) => count[row(y) * (across + 1) + column(x)];
  /** @type {Map<number, Box>} */
  const placed = new Map();
  for (const i of order) {
    const half = halves(i);
    if (!half) continue;
    const [width, height] = half;
    const x = clamp(at[2 * i], width, size.width - width);
    const y = clamp(at[2 * i + 1], height, size.height - height);
    const [w, h] = [width - GRAIN, height - GRAIN];
    const inside = upTo(x + w, y + h) - upTo(x - w, y + h) - upTo(x + w, y - h) + upTo(x - w, y - h);
    if (inside > COVERED + 1) continue;
    let free = true;
    for (const other of placed.values()) {
      free = Math.abs(other.x - x) >= other.width + width + GAP || Math.abs(other.y - y) >= other.height + height + GAP;
      if (!free) break;
    }
    if (free) placed.set(i, { x, y, width, height });
  }
  return placed;
}

/** An order in which all points have the same chance, always the same one. @param {number} n */
function shuffled(n) {
  const order = Uint32Array.from({ length: n }, (_, i) => i);
  let seed = 1;
  for (let i = n - 1; i > 0; i--) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    const j = seed % (i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/** The items of a plane: `cells` has those that are here, `want` gets the rows of those that would be shown. */
export class PlacedItems {
  /**
   * @param {Plane} plane
   * @param {Map<number, Cell | null>} cells null for an item that can't be shown
   * @param {{kind: () => string | null, want: (rows: number[]) => void}} source
   */
  constructor(plane, cells, { kind, want }) {
    this.plane = plane;
    this.cells = cells;
    this.kind = kind;
    this.want = want;
    /** @type {Map<number, Box>} */
    this.placed = new Map();
    this.order = shuffled(0);
    this.on = false;
    /** @type {HTMLCanvasElement[]} */
    this.frames = [];
    this.look = "";
  }

  /** Choose what is shown now; nothing when it is not wanted, or where there is a crowd. @param {boolean} on */
  lay(on) {
    const { plane, cells } = this;
    const before = this.placed;
    this.placed = new Map();
    if (this.on !== (this.on = on && this.kind() !== null)) plane.sprites = []; // dots are smaller among items
    if (!this.on) return;
    const side = this.side / 2;
    const seen = inSight(plane, 0);
    if (seen.length > CROWD) return;
    if (this.order.length !== plane.n) this.order = shuffled(plane.n);
    const isSeen = new Uint8Array(plane.n);
    for (const i of seen) isSeen[i] = 1;
    const order = [...[...before.keys()].filter((i) => isSeen[i]), ...this.order.filter((i) => isSeen[i])];
    // Words are read when somebody looks closer; a sign, as an emoji, is a picture. The first that comes tells.
    const [first] = cells.values();
    const words = this.kind() === "texts" && (first?.wide ?? true);
    /** @type {(i: number) => [number, number] | null} */
    const halves = (i) => {
      const cell = cells.get(i);
      if (cell === null) return null;
      const wide = cell ? cell.wide : words;
      if (wide && plane.camera.isHome) return null;
      return wide && cell ? [cell.width / plane.ratio / 2 + 6, cell.height / plane.ratio / 2 + 3] : [side, side];
    };
    const found = findRoom(plane.at, new Set(order), seen, plane.size, halves);
    const rows = [...found.keys()];
    this.want(rows.filter((i) => !cells.has(i)));
    if (words && !first && order.length) this.want(order.slice(0, 1));
    for (const i of rows) {
      const box = found.get(i);
      if (cells.get(i) && box) this.placed.set(i, box);
    }
  }

  /** CSS pixels of an item. */
  get side() {
    const { unit, camera } = this.plane;
    return unit * Math.min(LARGEST, SIDE * camera.zoom ** 0.3);
  }

  /** @param {number} i */
  has(i) {
    return this.placed.has(i);
  }

  /**
   * The point whose item is at a place, unless a dot there is meant; -1 for none.
   * @param {number} x @param {number} y
   */
  at(x, y) {
    const over = (/** @type {[number, Box]} */ [, box]) =>
      Math.abs(box.x - x) <= box.width && Math.abs(box.y - y) <= box.height;
    const [i] = [...this.placed].find(over) ?? [-1];
    return i;
  }

  /** The frame of an item, larger by `reach`. @param {number} i @param {number} reach */
  outline(i, reach) {
    const { x, y, width, height } = /** @type {Box} */ (this.placed.get(i));
    const path = new Path2D();
    path.roundRect(x - width - reach, y - height - reach, 2 * (width + reach), 2 * (height + reach), 5 + reach / 2);
    return path;
  }

  /**
   * The value of an uncertain point stands around its item.
   * @param {CanvasRenderingContext2D} ctx @param {number} i @param {string} colour
   */
  drawHalo(ctx, i, colour) {
    ctx.fillStyle = colour;
    ctx.fill(this.outline(i, HALO * this.plane.unit));
  }

  /** @param {CanvasRenderingContext2D} ctx */
  draw(ctx) {
    const { plane, cells, placed } = this;
    const look = `${plane.unit} ${plane.ratio} ${this.side}`;
    if (look !== this.look) [this.look, this.frames] = [look, []];
    ctx.imageSmoothingQuality = "medium";
    for (const [i, box] of placed) {
      const cell = /** @type {Cell} */ (cells.get(i));
      ctx.globalAlpha = plane.selected && !plane.selected[i] ? 0.25 : 1;
      if (plane.truth) {
        ctx.strokeStyle = plane.colour(plane.truth[i]);
        ctx.lineWidth = 2 * plane.unit;
        ctx.stroke(this.outline(i, 2.5 * plane.unit));
      }
      const k = plane.labels[i];
      const [left, top] = [box.x - box.width, box.y - box.height];
      if (cell.wide) this.drawCard(ctx, left, top, 2 * box.width, 2 * box.height, plane.colour(k));
      else {
        this.frames[k] ??= makeSprite(plane, box.width, (own) =>
          this.drawCard(own, 0, 0, 2 * box.width, 2 * box.height, plane.colour(k)));
        ctx.drawImage(this.frames[k], left, top, 2 * box.width, 2 * box.height);
      }
      const inset = cell.wide ? 6 : FRAME + 1;
      const [w, h] = cell.wide
        ? [cell.width / plane.ratio, cell.height / plane.ratio]
        : [2 * (box.width - inset), 2 * (box.height - inset)];
      ctx.drawImage(cell.image, cell.x, cell.y, cell.width, cell.height, box.x - w / 2, box.y - h / 2, w, h);
    }
    ctx.globalAlpha = 1;
  }

  /**
   * @param {CanvasRenderingContext2D} ctx @param {number} left @param {number} top
   * @param {number} width @param {number} height @param {string} colour
   */
  drawCard(ctx, left, top, width, height, colour) {
    ctx.beginPath();
    ctx.roundRect(left + FRAME / 2, top + FRAME / 2, width - FRAME, height - FRAME, 5);
    ctx.fillStyle = "white";
    ctx.fill();
    ctx.strokeStyle = colour;
    ctx.lineWidth = FRAME;
    ctx.stroke();
  }
}

/** Whether a dot is so near to the pointer that it is meant, whatever lies below it. @param {number} distance */
export const isNear = (distance) => distance <= NEAR;

/** Whether a text is a sign or two, as an emoji. */
export const isSign = (text = "") => [...new Intl.Segmenter().segment(text)].length <= SYMBOL;

/**
 * Words as something to draw: their beginning in one line, or a sign in a square.
 * @param {string} words @param {number} ratio @returns {Cell}
 */
export function wordsCell(words, ratio) {
  const canvas = document.createElement("canvas");
  const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const line = words.split("\n")[0].trim();
  const wide = !isSign(line);
  const font = `${(wide ? LETTERS : LARGEST * 0.72) * ratio}px system-ui, sans-serif`;
  ctx.font = font;
  const text = wide ? shortened(ctx, line, WIDEST * ratio) : line;
  canvas.width = wide ? Math.ceil(ctx.measureText(text).width) : LARGEST * ratio;
  canvas.height = (wide ? LETTERS * 1.4 : LARGEST) * ratio;
  ctx.font = font; // a canvas forgets everything with its size
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillStyle = "black";
  ctx.fillText(text, canvas.width / 2, canvas.height * (wide ? 0.53 : 0.55));
  return { image: canvas, x: 0, y: 0, width: canvas.width, height: canvas.height, wide };
}

/** As many words of a line as fit. @param {CanvasRenderingContext2D} ctx @param {string} line @param {number} width */
function shortened(ctx, line, width) {
  if (ctx.measureText(line).width <= width) return line;
  const words = line.slice(0, 80).split(" ");
  while (words.length > 1 && ctx.measureText(`${words.join(" ")}…`).width > width) words.pop();
  let text = words.join(" ");
  while (text.length > 1 && ctx.measureText(`${text}…`).width > width) text = text.slice(0, -1);
  return `${text}…`;
}
