// How points are drawn: a marker each, and where too many are in sight for that, how many there are.

import { markerPath } from "./markers.js";
import { mix, packed, rgb } from "./numbers.js";

/**
 * @typedef {import("./plane.js").Plane} Plane
 * @typedef {import("./types.d.ts").Numbers} Numbers
 * @typedef {CanvasRenderingContext2D} Context
 */

export const CROWD = 6000; // points in sight, beyond which those that overlap become a density
const CELL = 2; // CSS pixels of a cell of it
const ALONE = 2; // so many points in a cell and its neighbours still get their markers
const HALO = 2.2; // radius of a disc around a point, in radii of the point
const DIMMED = 0.15; // how much is left of points that are not selected

/**
 * Without a plane to map, the value of each point stands around it, in the colours of the legend. They are opaque, the
 * highest on top: transparent ones would add up to a value that no point has.
 * @param {Plane} plane @param {Context} ctx @param {Pick<import("./shapes.d.ts").Look, "map">} options
 */
export function drawHalos(plane, ctx, options) {
  if (!plane.halo) return;
  const { surface, shade, dark } = plane.ink;
  const [full, share] = options.map === "entropy" ? [shade, dark] : [plane.colour(plane.scene.cluster), 0.6];
  const [paper, ink] = [rgb(surface), rgb(full)];
  fillHalos(plane, ctx, plane.halo, (value) => value, (value) => mix(paper, ink, (share * value) / 255));
}

/**
 * Draw a disc around each point; `rank` says of two values, up to 255, which one is on top, `colour` gives its red,
 * green and blue.
 * @param {Plane} plane @param {Context} ctx @param {Numbers} values
 * @param {(value: number) => number} rank @param {(value: number) => number[]} colour
 */
export function fillHalos(plane, ctx, values, rank, colour) {
  const rows = inSight(plane, plane.radius * 3);
  if (rows.length > CROWD) return fillCells(plane, ctx, rows, values, rank, colour);
  /** @type {HTMLCanvasElement[]} */
  const sprites = [];
  const edge = Math.ceil(plane.radius * HALO) + 1;
  const disc = (/** @type {number} */ value) => makeSprite(plane, edge, (own) => {
    own.fillStyle = `rgb(${colour(value).map(Math.round).join(" ")})`;
    own.fill(markerPath("circle", edge, edge, plane.radius * HALO));
  });
  for (const i of rows.sort((a, b) => rank(values[a]) - rank(values[b]))) {
    if (plane.things?.has(i)) {
      plane.things.drawHalo(ctx, i, `rgb(${colour(values[i]).map(Math.round).join(" ")})`);
      continue;
    }
    sprites[values[i]] ??= disc(values[i]);
    ctx.drawImage(sprites[values[i]], plane.at[2 * i] - edge, plane.at[2 * i + 1] - edge, 2 * edge, 2 * edge);
  }
}

/**
 * The discs of very many points: each cell gets the highest value of the points around it.
 * @param {Plane} plane @param {Context} ctx @param {Uint32Array} rows @param {Numbers} values
 * @param {(value: number) => number} rank @param {(value: number) => number[]} colour
 */
function fillCells(plane, ctx, rows, values, rank, colour) {
  const { across, down, cells } = gridOf(plane, rows);
  const [ranks, colours] = [new Float32Array(256), new Uint32Array(256)];
  for (let value = 0; value < 256; value++) [ranks[value], colours[value]] = [rank(value), packed(colour(value))];
  const highest = new Int16Array(across * down).fill(-1);
  const raise = (/** @type {Int16Array} */ grid, /** @type {number} */ cell, /** @type {number} */ value) => {
    if (grid[cell] < 0 || ranks[value] > ranks[grid[cell]]) grid[cell] = value;
  };
  for (let t = 0; t < rows.length; t++) raise(highest, cells[t], values[rows[t]]);
  const reach = (plane.radius * HALO) / CELL;
  const around = [];
  for (let y = -Math.floor(reach); y <= reach; y++) {
    for (let x = -Math.floor(reach); x <= reach; x++) if (Math.hypot(x, y) <= reach) around.push([x, y]);
  }
  const covered = new Int16Array(across * down).fill(-1);
  for (let cell = 0; cell < highest.length; cell++) {
    if (highest[cell] < 0) continue;
    const [column, row] = [cell % across, Math.floor(cell / across)];
    for (const [x, y] of around) {
      if (column + x < 0 || column + x >= across || row + y < 0 || row + y >= down) continue;
      raise(covered, cell + y * across + x, highest[cell]);
    }
  }
  const image = new ImageData(across, down);
  const pixels = new Uint32Array(image.data.buffer);
  for (let cell = 0; cell < covered.length; cell++) if (covered[cell] >= 0) pixels[cell] = colours[covered[cell]];
  placeCells(plane, ctx, image);
}

/**
 * Row numbers of the points in the window, and a little around it.
 * @param {Plane} plane @param {number} around
 */
export function inSight(plane, around) {
  const { at, n, size } = plane;
  const rows = new Uint32Array(n);
  let count = 0;
  for (let i = 0; i < n; i++) {
    const x = at[2 * i];
    const y = at[2 * i + 1];
    if (x > -around && y > -around && x < size.width + around && y < size.height + around) rows[count++] = i;
  }
  return rows.subarray(0, count);
}

/**
 * `clusterOf` gives the cluster whose marker a point gets; if only `some` get one, -1 for the others.
 * @param {Plane} plane @param {Context} ctx @param {(i: number) => number} clusterOf
 */
export function drawPoints(plane, ctx, clusterOf = (i) => plane.labels[i], some = false) {
  const seen = inSight(plane, 2 * plane.radius);
  const rows = some ? seen.filter((i) => clusterOf(i) >= 0) : seen;
  const apart = rows.length > CROWD ? drawCrowd(plane, ctx, rows, clusterOf) : rows;
  const { selected } = plane;
  if (!selected) return drawMarkers(plane, ctx, apart, clusterOf);
  ctx.globalAlpha = DIMMED;
  drawMarkers(plane, ctx, apart.filter((i) => !selected[i]), clusterOf);
  ctx.globalAlpha = 1;
  drawMarkers(plane, ctx, apart.filter((i) => selected[i]), clusterOf);
}

/** @param {Plane} plane @param {Context} ctx @param {Uint32Array} rows @param {(i: number) => number} clusterOf */
function drawMarkers(plane, ctx, rows, clusterOf) {
  const { at, truth, sprites, radius: r, unit } = plane;
  const edge = Math.ceil(r * 1.6) + 2 + (truth ? Math.ceil(4.5 * unit) : 0);
  for (const i of rows) {
    const k = clusterOf(i);
    const ring = truth ? truth[i] : -1;
    sprites[k] ??= [];
    sprites[k][ring + 1] ??= makeSprite(plane, edge, (own) => paint(plane, own, k, ring, edge));
    ctx.drawImage(sprites[k][ring + 1], at[2 * i] - edge, at[2 * i + 1] - edge, 2 * edge, 2 * edge);
  }
}

/**
 * A marker with a light edge; a ring around it tells the true class.
 * @param {Plane} plane @param {Context} ctx @param {number} k @param {number} ring @param {number} edge
 */
function paint(plane, ctx, k, ring, edge) {
  const { radius: r, unit } = plane;
  if (ring >= 0) {
    const circle = markerPath("circle", edge, edge, r + 3.5 * unit);
    for (const [colour, width] of /** @type {[string, number][]} */ ([["white", 3.6], [plane.colour(ring), 2]])) {
      ctx.strokeStyle = colour;
      ctx.lineWidth = width * unit;
      ctx.stroke(circle);
    }
  }
  const path = markerPath(plane.shape(k), edge, edge, r);
  ctx.lineJoin = "round";
  ctx.lineWidth = r < 4 ? 1 : 2;
  ctx.strokeStyle = "white";
  ctx.stroke(path);
  ctx.fillStyle = plane.colour(k);
  ctx.fill(path);
}

/** @param {Plane} plane @param {number} edge half of its side @param {(ctx: Context) => void} draw */
export function makeSprite(plane, edge, draw) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = Math.ceil(2 * edge * plane.ratio);
  const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  ctx.scale(canvas.width / (2 * edge), canvas.height / (2 * edge));
  draw(ctx);
  return canvas;
}

/**
 * Draw cells in the mean colour of their points, the stronger the more there are; return the points that stand apart.
 * @param {Plane} plane @param {Context} ctx @param {Uint32Array} rows @param {(i: number) => number} clusterOf
 */
function drawCrowd(plane, ctx, rows, clusterOf) {
  const { selected } = plane;
  const { across, down, cells } = gridOf(plane, rows);
  const count = new Float32Array(across * down);
  const sums = new Float32Array(3 * across * down);
  const colours = plane.points.colours.map(rgb);
  for (let t = 0; t < rows.length; t++) {
    const i = rows[t];
    const cell = cells[t];
    const weight = selected && !selected[i] ? DIMMED : 1;
    const colour = colours[clusterOf(i) % colours.length];
    count[cell] += weight;
    sums[3 * cell] += weight * colour[0];
    sums[3 * cell + 1] += weight * colour[1];
    sums[3 * cell + 2] += weight * colour[2];
  }
  const around = (/** @type {number} */ cell) => {
    let sum = 0;
    for (const middle of [cell - across, cell, cell + across]) {
      sum += count[middle - 1] + count[middle] + count[middle + 1];
    }
    return sum;
  };
  const apart = rows.filter((_, t) => count[cells[t]] <= ALONE && around(cells[t]) <= ALONE);
  const most = Math.log1p(count.reduce((highest, each) => Math.max(highest, each), 1));
  const image = new ImageData(across, down);
  for (let cell = 0; cell < count.length; cell++) {
    if (!count[cell]) continue;
    const strength = Math.min(count[cell], 1) * (0.4 + (0.6 * Math.log1p(count[cell])) / most);
    for (let c = 0; c < 3; c++) image.data[4 * cell + c] = sums[3 * cell + c] / count[cell];
    image.data[4 * cell + 3] = 255 * strength;
  }
  placeCells(plane, ctx, image);
  return apart;
}

/**
 * The cells of a picture, with one more on each side, and in which of them some points are.
 * @param {Plane} plane @param {ArrayLike<number>} rows
 */
function gridOf({ at, size }, rows) {
  const [across, down] = [Math.ceil(size.width / CELL) + 2, Math.ceil(size.height / CELL) + 2];
  const cells = new Int32Array(rows.length);
  for (let t = 0; t < rows.length; t++) {
    const i = rows[t];
    const column = Math.min(across - 2, Math.max(1, Math.floor(at[2 * i] / CELL) + 1));
    const row = Math.min(down - 2, Math.max(1, Math.floor(at[2 * i + 1] / CELL) + 1));
    cells[t] = row * across + column;
  }
  return { across, down, cells };
}

/** Draw an image that has a pixel for each cell. @param {Plane} plane @param {Context} ctx @param {ImageData} image */
function placeCells(plane, ctx, image) {
  const { width, height } = image;
  plane.buffer ??= document.createElement("canvas");
  Object.assign(plane.buffer, { width, height });
  /** @type {CanvasRenderingContext2D} */ (plane.buffer.getContext("2d")).putImageData(image, 0, 0);
  ctx.imageSmoothingEnabled = true;
  ctx.drawImage(plane.buffer, -CELL, -CELL, CELL * width, CELL * height);
}

/**
 * Draw a dot on each of some points; of very many, on one of those that are in the same place.
 * @param {Plane} plane @param {Context} ctx @param {ArrayLike<number>} rows @param {string} colour
 * @param {number} radius
 */
export function drawDots(plane, ctx, rows, colour, radius) {
  const edge = Math.ceil(radius) + 1;
  const sprite = makeSprite(plane, edge, (own) => {
    own.fillStyle = colour;
    own.fill(markerPath("circle", edge, edge, radius));
  });
  const { across, down, cells } = gridOf(plane, rows);
  const taken = rows.length > CROWD ? new Uint8Array(across * down) : null;
  for (let t = 0; t < rows.length; t++) {
    if (taken?.[cells[t]]) continue;
    if (taken) taken[cells[t]] = 1;
    const [x, y] = plane.where(rows[t]);
    ctx.drawImage(sprite, x - edge, y - edge, 2 * edge, 2 * edge);
  }
}
