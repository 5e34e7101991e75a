// The plane: where points stand, what is known of them, and the two canvases on which they are drawn.

import { Camera, WHOLE, covers } from "./camera.js";
import * as drawing from "./drawing.js";
import { h } from "./dom.js";
import { drawMarkedPair, drawPairs, readPairs } from "./pairs.js";
import { bit, clamp, unpacked } from "./numbers.js";
import { drawHalos, drawPoints } from "./points.js";
import { called } from "./say.js";
import { isNear } from "./placeditems.js";

const PICK_RADIUS = 28; // CSS pixels around the pointer in which the nearest point is taken
const GLIDE = 350; // ms

/**
 * @typedef {import("./shapes.d.ts").Surface} Surface
 * @typedef {import("./types.d.ts").Numbers} Numbers
 */

const NOWHERE = new Float32Array(0);

/**
 * A map as arrays.
 * @param {Pick<import("./types.d.ts").Picture, "regions" | "resolution" | "margin" | "value">} map of a picture, or of
 *   its part in a window
 * @returns {Surface | null}
 */
export const surfaceOf = ({ regions, resolution = 0, margin, value }, window = WHOLE) =>
  regions && margin && value ? {
    window,
    size: resolution,
    regions: unpacked(regions),
    margin: unpacked(margin),
    value: unpacked(value),
  } : null;

/** Two stacked canvases: below the picture that a refresh changes, above it what follows the pointer. */
export class Plane {
  /** @type {import("./types.d.ts").Points} */
  points;
  /** @type {import("./types.d.ts").Picture} */
  scene;
  /** @type {Numbers} positions of the data, two numbers each */
  xy;
  /** @type {number[]} */
  extent;
  /** @type {Numbers} */
  labels;
  /** @type {Numbers} */
  violated;
  /** @type {Numbers | null} */
  satisfiedByQ;
  /** @type {Numbers | null} */
  truth;
  /** @type {Numbers | null} values around points, where there is no map */
  halo;
  /** @type {Surface | null} */
  surface;
  /** @type {import("./shapes.d.ts").Ink} colours of the theme */
  ink;
  /** @type {number} pixels of the screen for one of CSS */
  ratio;

  /** @param {{answers: import("./answers.js").Answers, name?: string}} given */
  constructor({ answers, name = "" }) {
    this.answers = answers;
    this.name = name;
    this.at = NOWHERE; // positions on the canvas, two numbers each; none before the canvas has a size
    this.target = NOWHERE;
    /** @type {HTMLCanvasElement[][]} markers by cluster and true class */
    this.sprites = [];
    this.below = h("canvas", { "aria-hidden": "true" });
    this.above = h("canvas", { "aria-hidden": "true" });
    this.size = { width: 0, height: 0 };
    this.unit = 1;
    this.camera = new Camera();
    /** @type {HTMLCanvasElement | null} where maps are made */
    this.buffer = null;
    this.n = 0;
    /** @type {(i: number) => import("./shapes.d.ts").Child} how a point is seen in a line of text */
    this.itemOf = (i) => called(this.points, i);
    /** @type {Uint8Array | null} a one for each point that is selected, if some are */
    this.selected = null;
    /** @type {Surface[]} the map of the whole picture, and on top of it a sharper one of the window */
    this.surfaces = [];
    this.pairs = readPairs(undefined);
    this.markedPair = -1;
    /** @type {ReturnType<typeof import("./trail.js").makeTrail> | null} */
    this.trail = null;
    this.blank = false; // whether there is nothing but what is drawn by hand
    /** @type {{on: boolean, draw(ctx: CanvasRenderingContext2D): void} | null} points that are drawn by hand */
    this.drawing = null;
    /** @type {import("./placeditems.js").PlacedItems | null} items that are drawn in the place of their dots */
    this.things = null;
    /** @type {(() => void) | null} */
    this.redraw = null;
    this.lettering = 1;
  }

  /** @param {number} width @param {number} height */
  resize(width, height) {
    const ratio = window.devicePixelRatio || 1;
    if (width === this.size.width && height === this.size.height && ratio === this.ratio) return false;
    this.size = { width, height };
    this.ratio = ratio;
    this.unit = clamp((width / 660) ** 0.7, 1, 1.6); // on a large picture points, lines and letters grow too
    for (const canvas of [this.below, this.above]) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    this.sprites = [];
    this.place();
    return true;
  }

  /** @param {Element} element */
  readTheme(element) {
    const style = getComputedStyle(element);
    const read = (/** @type {string} */ name) => style.getPropertyValue(`--dcrc-${name}`).trim();
    this.ink = {
      ink: read("ink"), shade: read("shade"), accent: read("accent"), bad: read("bad"), label: read("label"),
      muted: read("muted"), first: read("first"), second: read("second"), surface: read("plane"),
      labelInk: read("label-ink"), tint: Number(read("tint")), dark: Number(read("darkest")),
    };
    this.lettering = Number(read("lettering")) || 1; // letters are larger in a lecture
    this.sprites = [];
  }

  /** @param {import("./types.d.ts").Points} points */
  setPoints(points) {
    this.points = points;
    this.xy = unpacked(points.xy);
    this.extent = points.extent;
    this.at = NOWHERE;
    this.n = this.xy.length / 2;
    this.sprites = [];
    this.place();
  }

  get radius() {
    const small = this.things?.on ? 0.8 : 1;
    const size = this.unit * small * Math.sqrt(this.lettering); // larger in a lecture
    return size * (this.n <= 250 ? 5 : this.n <= 800 ? 4.2 : this.n <= 3000 ? 3 : 2);
  }

  /** @param {import("./types.d.ts").Picture} scene */
  setScene(scene) {
    this.scene = scene;
    this.labels = unpacked(scene.labels);
    this.truth = scene.truth && unpacked(scene.truth);
    this.halo = scene.halo && unpacked(scene.halo);
    this.violated = unpacked(scene.violated);
    this.satisfiedByQ = scene.satisfied_by_q && unpacked(scene.satisfied_by_q);
    this.pairs = readPairs(scene.pairs);
    this.markedPair = -1;
    this.surface = surfaceOf(scene);
    this.surfaces = this.surface ? [this.surface] : [];
    if (!scene.places && this.extent === this.points.extent) return;
    this.xy = unpacked(scene.places ?? this.points.xy);
    this.extent = scene.extent ?? this.points.extent;
    this.glide();
  }

  /**
   * Take a sharper map of a part of the picture, or none.
   * @param {import("./types.d.ts").MapSent | undefined} map @param {number[]} [window]
   */
  sharpen(map, window) {
    const sharp = map && surfaceOf(map, /** @type {import("./camera.js").Bounds} */ (window));
    if (this.surface) this.surfaces = sharp ? [this.surface, sharp] : [this.surface];
  }

  /** Let points go to their new places, so that the eye can follow; at once for who wants no motion. */
  glide() {
    const from = this.at;
    this.place();
    const to = this.at;
    if (!from.length || !to.length || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const began = performance.now();
    const step = () => {
      if (this.target !== to) return; // other places by now
      const share = clamp((performance.now() - began) / GLIDE, 0, 1);
      const eased = 1 - (1 - share) ** 3;
      this.at = share < 1 ? to.map((end, c) => from[c] + (end - from[c]) * eased) : to;
      this.redraw?.();
      if (share < 1) requestAnimationFrame(step);
    };
    this.at = from;
    requestAnimationFrame(step);
  }

  /** @param {number} t */
  isViolated(t) {
    return bit(this.violated, t) === 1;
  }

  /** Whether the memberships Q keep an answer, whatever the boundary does. @param {number} t */
  isSatisfiedByQ(t) {
    return this.satisfiedByQ ? bit(this.satisfiedByQ, t) === 1 : !this.isViolated(t);
  }

  /** How many answers this model violates. */
  get broken() {
    let broken = this.pairs.filter(({ violated }) => violated).length;
    for (let t = 0; t < this.answers.count; t++) broken += bit(this.violated, t);
    return broken;
  }

  /** How many answers not even the memberships Q keep. */
  get lost() {
    let lost = this.pairs.filter((pair) => pair.lost).length;
    for (let t = 0; t < this.answers.count; t++) lost += Number(!this.isSatisfiedByQ(t));
    return lost;
  }

  place() {
    if (!this.xy || !this.size.width) return;
    const { x, y, width, height } = this.frame(WHOLE);
    const [left, right, bottom, top] = this.extent;
    this.at = this.target = new Float32Array(this.xy.length);
    for (let i = 0; i < this.n; i++) {
      this.at[2 * i] = x + ((this.xy[2 * i] - left) / (right - left)) * width;
      this.at[2 * i + 1] = y + (1 - (this.xy[2 * i + 1] - bottom) / (top - bottom)) * height;
    }
  }

  /**
   * Where a part of the picture is drawn, in pixels; beyond the canvas when the camera is close.
   * @param {import("./camera.js").Bounds} part
   */
  frame([left, right, bottom, top]) {
    const { camera, size } = this;
    const [across, up] = [size.width * camera.zoom, size.height * camera.zoom];
    return {
      x: (left - camera.left) * across,
      y: size.height - (top - camera.bottom) * up,
      width: (right - left) * across,
      height: (top - bottom) * up,
    };
  }

  /** Where a point is in the whole picture, in shares of it. @param {number} i @returns {[number, number]} */
  share(i) {
    const [left, right, bottom, top] = this.extent;
    return [(this.xy[2 * i] - left) / (right - left), (this.xy[2 * i + 1] - bottom) / (top - bottom)];
  }

  /** Where a point is drawn. @param {number} i @returns {[number, number]} */
  where(i) {
    return [this.at[2 * i], this.at[2 * i + 1]];
  }

  /** @param {number} x @param {number} y */
  nearest(x, y, radius = PICK_RADIUS) {
    let best = -1;
    let closest = radius * radius;
    for (let i = 0; i < this.n; i++) {
      const distance = (this.at[2 * i] - x) ** 2 + (this.at[2 * i + 1] - y) ** 2;
      if (distance < closest) [best, closest] = [i, distance];
    }
    const item = this.things?.at(x, y) ?? -1;
    return item >= 0 && !(isNear(Math.sqrt(closest)) && !this.things?.has(best)) ? item : best;
  }

  /**
   * The nearest point in the direction of an arrow key; from nowhere, the one nearest to the middle.
   * @param {number} i @param {number} dx @param {number} dy
   */
  towards(i, dx, dy) {
    if (i < 0) return this.nearest(this.size.width / 2, this.size.height / 2, Infinity);
    const [fromX, fromY] = this.where(i);
    let best = i;
    let closest = Infinity;
    for (let j = 0; j < this.n; j++) {
      const [x, y] = [this.at[2 * j] - fromX, this.at[2 * j + 1] - fromY];
      const along = x * dx + y * dy;
      const aside = Math.abs(x * dy - y * dx);
      const distance = along + 2 * aside;
      if (j !== i && along > 0 && aside <= along && distance < closest) [best, closest] = [j, distance];
    }
    return best;
  }

  /** @param {number} k */
  colour(k) {
    return this.points.colours[k % this.points.colours.length];
  }

  /** @param {number} k */
  shape(k) {
    return this.points.markers[k % this.points.markers.length];
  }

  /** What a person calls a cluster, or nothing. @param {number} k */
  nameOf(k) {
    return this.scene.names?.[k] ?? "";
  }

  /** What is known about a point under the pointer. @param {number} i */
  hint(i) {
    const k = this.labels[i];
    const truth = this.truth ? ` · true class ${this.points.classes?.[i]}` : "";
    return `${called(this.points, i)} · ${this.nameOf(k) || `cluster ${k + 1}`}${truth}`;
  }

  /** The map that boundaries are drawn from: the last one that covers all that is in sight. */
  get sharpest() {
    return this.surfaces.findLast(({ window }) => covers(window, this.camera.window));
  }

  /** @param {import("./shapes.d.ts").Look} options */
  drawBelow(options) {
    if (!this.scene || !this.at.length || !this.ink) return;
    const ctx = drawing.begin(this, this.below);
    if (this.blank) return;
    this.things?.lay(options.items);
    if (this.surface && options.map !== "none") drawing.drawMap(this, ctx, options);
    drawHalos(this, ctx, options);
    drawing.drawLinks(this, ctx, options.links);
    drawPairs(this, ctx, options.links);
    if (this.sharpest) drawing.drawBoundaries(this, ctx, this.sharpest);
    this.things?.draw(ctx);
    if (!this.things?.placed.size) drawPoints(this, ctx);
    else drawPoints(this, ctx, (i) => (this.things?.has(i) ? -1 : this.labels[i]), true);
  }

  /** @param {import("./shapes.d.ts").Marks} state */
  drawAbove(state) {
    if (!this.at.length || !this.ink) return;
    const ctx = drawing.begin(this, this.above);
    if (this.drawing?.on) return this.drawing.draw(ctx);
    this.trail?.draw(ctx);
    drawMarkedPair(this, ctx);
    drawing.drawAbove(this, ctx, state);
  }
}
