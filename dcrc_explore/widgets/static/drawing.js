// How a plane is drawn: map, boundaries, answers and points below; what follows the pointer above.

import { markerPath } from "./markers.js";
import { clamp, mix, packed, rgb } from "./numbers.js";
import { LETTERS } from "./say.js";

/**
 * @typedef {import("./plane.js").Plane} Plane
 * @typedef {import("./shapes.d.ts").Surface} Surface
 * @typedef {{x: number, y: number, width: number, height: number}} Frame in pixels
 * @typedef {(cell: number) => number} Pixel the colour of a cell as 0xaabbggrr
 */

const DOTTED = [0.5, 4];
export const MOST_LINKS = 150; // of a kind: more are a cloud without lines, which takes the browser long

/** Clear a canvas and return its context, in CSS pixels. @param {Plane} plane @param {HTMLCanvasElement} canvas */
export function begin(plane, canvas) {
  const ctx = contextOf(canvas);
  ctx.setTransform(plane.ratio, 0, 0, plane.ratio, 0, 0);
  ctx.clearRect(0, 0, plane.size.width, plane.size.height);
  ctx.lineJoin = "round";
  return ctx;
}

const contextOf = (/** @type {HTMLCanvasElement} */ canvas) =>
  /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));

/** @type {WeakMap<Surface, {look: string, ink: Plane["ink"], canvas: HTMLCanvasElement}>} maps that were painted */
const painted = new WeakMap();

/** @param {Plane} plane @param {CanvasRenderingContext2D} ctx @param {{map: string}} options */
export function drawMap(plane, ctx, options) {
  const look = `${options.map} ${plane.scene.cluster}`;
  for (const surface of plane.surfaces) {
    let found = painted.get(surface);
    if (found?.look !== look || found.ink !== plane.ink) {
      const table = colourTable(plane, options);
      const { size, regions, value } = surface;
      const canvas = document.createElement("canvas");
      paintMap(canvas, size, (cell) => table[regions[cell] * 256 + value[cell]]);
      painted.set(surface, (found = { look, ink: plane.ink, canvas }));
    }
    placeMap(plane, ctx, found.canvas, surface.window);
  }
}

/**
 * Draw a grid where it belongs.
 * @param {Plane} plane @param {CanvasRenderingContext2D} ctx
 * @param {Pick<Surface, "size" | "window">} grid @param {Pixel} pixel
 */
export function fillMap(plane, ctx, { size, window }, pixel) {
  plane.buffer ??= document.createElement("canvas");
  paintMap(plane.buffer, size, pixel);
  placeMap(plane, ctx, plane.buffer, window);
}

/** @param {HTMLCanvasElement} canvas @param {number} size @param {Pixel} pixel */
function paintMap(canvas, size, pixel) {
  const image = new ImageData(size, size);
  const pixels = new Uint32Array(image.data.buffer);
  for (let row = 0; row < size; row++) {
    const from = (size - 1 - row) * size; // row 0 of the grid is at the bottom
    for (let column = 0; column < size; column++) pixels[row * size + column] = pixel(from + column);
  }
  canvas.width = canvas.height = size;
  contextOf(canvas).putImageData(image, 0, 0);
}

/**
 * @param {Plane} plane @param {CanvasRenderingContext2D} ctx
 * @param {HTMLCanvasElement} canvas @param {Surface["window"]} window
 */
function placeMap(plane, ctx, canvas, window) {
  ctx.imageSmoothingEnabled = true;
  ctx.imageSmoothingQuality = "high";
  const { x, y, width, height } = plane.frame(window);
  ctx.drawImage(canvas, x, y, width, height);
}

/** @param {Plane} plane @param {{map: string}} options */
function colourTable(plane, options) {
  const { surface, shade, tint, dark } = plane.ink;
  const [paper, black] = [rgb(surface), rgb(shade)];
  const { clusters, cluster } = plane.scene;
  const shown = rgb(plane.colour(cluster));
  /** @type {Record<string, (colour: number[], share: number) => number[]>} */
  const colours = {
    entropy: (colour, share) => mix(mix(paper, colour, tint), black, dark * share ** 1.6),
    regions: (colour, share) => mix(paper, colour, tint + 0.3 * share),
    probability: (_, share) => mix(paper, shown, 0.6 * share),
  };
  const mixed = colours[options.map] ?? colours.probability;
  const table = new Uint32Array(256 * clusters);
  for (let k = 0; k < clusters; k++) {
    const colour = rgb(plane.colour(k));
    for (let v = 0; v < 256; v++) table[k * 256 + v] = packed(mixed(colour, v / 255));
  }
  return table;
}

/** The lines of a surface, kept as long as it is drawn in the same place: what fades is drawn at every frame. */
/** @type {WeakMap<Surface, {place: string, path: Path2D}>} */
const traced = new WeakMap();
function boundaries(/** @type {Surface} */ surface, /** @type {Frame} */ frame) {
  const place = Object.values(frame).join();
  let found = traced.get(surface);
  if (found?.place !== place) traced.set(surface, (found = { place, path: trace(surface, frame) }));
  return found.path;
}

/**
 * Marching squares for several classes: on an edge between two grid points of different region the boundary lies where
 * the margin, positive on both sides, falls to zero.
 * @param {Surface} surface @param {Frame} frame
 */
function trace({ size, regions, margin }, frame) {
  const [dx, dy] = [frame.width / size, frame.height / size]; // a value belongs to the centre of its cell
  const bottom = frame.y + frame.height;
  const path = new Path2D();
  const crossing = (/** @type {number} */ a, /** @type {number} */ b) => {
    const total = margin[a] + margin[b];
    const share = total ? margin[a] / total : 0.5;
    const [ca, ra, cb, rb] = [a % size, (a / size) | 0, b % size, (b / size) | 0];
    return [frame.x + (ca + (cb - ca) * share + 0.5) * dx, bottom - (ra + (rb - ra) * share + 0.5) * dy];
  };
  for (let row = 0; row < size - 1; row++) {
    for (let column = 0; column < size - 1; column++) {
      const a = row * size + column;
      const corners = [a, a + 1, a + size + 1, a + size];
      const first = regions[a];
      if (first === regions[a + 1] && first === regions[a + size + 1] && first === regions[a + size]) continue;
      const ends = corners.flatMap((from, at) => {
        const to = corners[(at + 1) % 4];
        return regions[from] === regions[to] ? [] : [crossing(from, to)];
      });
      const centre = [0, 1].map((axis) => ends.reduce((sum, end) => sum + end[axis], 0) / ends.length);
      const joined = ends.length === 2 ? [ends] : ends.map((end) => [end, centre]);
      for (const [from, to] of joined) {
        path.moveTo(from[0], from[1]);
        path.lineTo(to[0], to[1]);
      }
    }
  }
  return path;
}

/** @param {Plane} plane @param {CanvasRenderingContext2D} ctx @param {Surface} surface */
export function drawBoundaries(plane, ctx, surface, colour = plane.ink.ink, width = 1.3, strength = 1) {
  const path = boundaries(surface, plane.frame(surface.window));
  ctx.lineCap = "round";
  // Light beside the line, so that it shows where the map is as dark as the line.
  const strokes = [
    { style: plane.ink.surface, thickness: width + 2.4, alpha: 0.7 }, { style: colour, thickness: width, alpha: 0.9 },
  ];
  for (const { style, thickness, alpha } of strokes) {
    ctx.strokeStyle = style;
    ctx.globalAlpha = alpha * strength;
    ctx.lineWidth = thickness * plane.unit;
    ctx.stroke(path);
  }
  ctx.globalAlpha = 1;
}

/**
 * A ring around a point, light outside so that it shows on every ground.
 * @param {Plane} plane
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} i
 * @param {string} colour
 * @param {number} reach
 * @param {{width?: number, light?: number, dash?: number[]}} [look]
 */
export function drawRing(plane, ctx, i, colour, reach, { width = 2.4, light = 5, dash = [] } = {}) {
  const path = plane.things?.has(i) ? plane.things.outline(i, reach - 2)
    : markerPath("circle", ...plane.where(i), plane.radius + reach);
  ctx.setLineDash([]);
  ctx.strokeStyle = plane.ink.surface;
  ctx.lineWidth = light;
  ctx.stroke(path);
  ctx.setLineDash(dash);
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.stroke(path);
  ctx.setLineDash([]);
}

/** @param {Plane} plane @param {CanvasRenderingContext2D} ctx @param {string} shown which of them */
export function drawLinks(plane, ctx, shown) {
  const last = plane.answers.count - 1;
  if (shown === "none" || last < 0) return;
  const { broken } = plane;
  // However many, they give about the same amount of ink.
  const faint = (/** @type {number} */ count) => clamp(10 / count, 0.12, 0.8);
  const latest = (/** @type {boolean} */ violated) => {
    const found = [];
    for (let t = last - 1; t >= 0 && found.length < MOST_LINKS; t--) {
      if (plane.isViolated(t) === violated) found.push(t);
    }
    return found.reverse();
  };
  const draw = (/** @type {number} */ t, /** @type {boolean} */ emphasis) => {
    const violated = plane.isViolated(t);
    const strength = emphasis ? 0.9 : faint(violated ? broken : last);
    ctx.strokeStyle = violated ? plane.ink.bad : plane.ink.ink;
    ctx.globalAlpha = strength;
    ctx.lineWidth = plane.unit * (emphasis ? 1.6 : (violated ? 0.9 : 0.6) + strength);
    strokeLink(plane, ctx, t);
  };
  if (shown === "all") for (const t of latest(false)) draw(t, false);
  if (shown !== "last") for (const t of latest(true)) draw(t, false);
  if (shown !== "violated" || plane.isViolated(last)) draw(last, true);
  ctx.globalAlpha = 1;
  ctx.setLineDash([]);
}

/** @param {Plane} plane @param {CanvasRenderingContext2D} ctx @param {number} t */
function strokeLink(plane, ctx, t) {
  const { i, j, k, answer } = plane.answers.at(t);
  const [near, far] = answer < 0 ? [k, j] : [j, k];
  ctx.lineCap = answer ? "butt" : "round";
  ctx.setLineDash(answer ? [] : DOTTED);
  strokeLine(plane, ctx, i, near);
  ctx.setLineDash(answer ? [5, 4] : DOTTED);
  strokeLine(plane, ctx, i, far);
}

/** @param {Plane} plane @param {CanvasRenderingContext2D} ctx @param {number} from @param {number} to */
function strokeLine(plane, ctx, from, to) {
  ctx.beginPath();
  ctx.moveTo(...plane.where(from));
  ctx.lineTo(...plane.where(to));
  ctx.stroke();
}

/**
 * What follows the pointer: the explained point, the marked answer, the picks.
 * @param {Plane} plane @param {CanvasRenderingContext2D} ctx @param {import("./shapes.d.ts").Marks} marks
 */
export function drawAbove(plane, ctx, { picks, hover, marked: row, pointed = -1, explained, explaining, size = 3 }) {
  const marked = row < 0 && !picks.length ? pointed : row;
  const { ink, accent, bad, label, labelInk } = plane.ink;
  if (explained >= 0) drawRing(plane, ctx, explained, accent, 9, { dash: [4, 3] });
  if (marked >= 0 && marked < plane.answers.count) {
    const colour = plane.isViolated(marked) ? bad : accent;
    const { i, j, k } = plane.answers.at(marked);
    ctx.strokeStyle = colour;
    ctx.lineWidth = 3;
    strokeLink(plane, ctx, marked);
    ctx.setLineDash([]);
    [i, j, k].forEach((at, t) => drawPick(plane, ctx, at, LETTERS[t], colour, colour));
  }
  if (picks.length > 1) {
    ctx.strokeStyle = ink;
    ctx.lineWidth = 1.6;
    ctx.lineCap = "round";
    ctx.setLineDash([0.5, 4.5]);
    for (const end of picks.slice(1)) strokeLine(plane, ctx, picks[0], end);
    ctx.setLineDash([]);
  }
  if (hover >= 0 && (explaining || (!picks.includes(hover) && picks.length < size))) {
    drawRing(plane, ctx, hover, accent, 5);
    ctx.globalAlpha = 0.75;
    drawLetter(plane, ctx, hover, explaining ? "?" : LETTERS[picks.length], accent, labelInk);
    ctx.globalAlpha = 1;
  }
  picks.forEach((at, t) => drawPick(plane, ctx, at, LETTERS[t], ink, label));
}

/**
 * @param {Plane} plane @param {CanvasRenderingContext2D} ctx
 * @param {number} i @param {string} letter @param {string} ring @param {string} background
 */
function drawPick(plane, ctx, i, letter, ring, background) {
  drawRing(plane, ctx, i, ring, 5);
  drawLetter(plane, ctx, i, letter, background, plane.ink.labelInk);
}

/**
 * @param {Plane} plane @param {CanvasRenderingContext2D} ctx
 * @param {number} i @param {string} letter @param {string} background @param {string} letterInk
 */
function drawLetter(plane, ctx, i, letter, background, letterInk) {
  const [x, y] = plane.where(i);
  const unit = plane.unit * plane.lettering;
  const reach = plane.things?.has(i) ? plane.things.side / 2 + 4 : plane.radius + 10 * unit;
  const edge = 10 * unit;
  const cx = x + reach > plane.size.width - edge ? x - reach : x + reach;
  const cy = y - reach < edge ? y + reach : y - reach;
  ctx.fillStyle = background;
  ctx.fill(markerPath("circle", cx, cy, 9.5 * unit));
  ctx.fillStyle = letterInk;
  ctx.font = `600 ${12 * unit}px system-ui, sans-serif`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillText(letter, cx, cy + 0.5);
}
