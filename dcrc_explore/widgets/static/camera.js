// Which part of a picture is in sight: all of it, or a window that was zoomed and moved.

import { clamp } from "./numbers.js";

const MOST = 200;

/** @typedef {[number, number, number, number]} Bounds left, right, bottom and top, in shares of the whole picture */

/** @type {Bounds} */
export const WHOLE = [0, 1, 0, 1];

/** A window of the picture's own shape. */
export class Camera {
  zoom = 1;
  left = 0;
  bottom = 0;

  home() {
    [this.zoom, this.left, this.bottom] = [1, 0, 0];
  }

  get isHome() {
    return this.zoom === 1;
  }

  /** @returns {Bounds} */
  get window() {
    const side = 1 / this.zoom;
    return [this.left, Math.min(1, this.left + side), this.bottom, Math.min(1, this.bottom + side)];
  }

  /**
   * Zoom; what is seen at a place stays there. The place is given in shares of the window, from the lower left.
   * @param {number} x @param {number} y @param {number} factor
   */
  zoomAt(x, y, factor) {
    const [atX, atY] = [this.left + x / this.zoom, this.bottom + y / this.zoom];
    this.zoom = clamp(this.zoom * factor, 1, MOST);
    this.#lay(atX - x / this.zoom, atY - y / this.zoom);
  }

  /** Move the window to the right and up, in shares of itself. @param {number} right @param {number} up */
  move(right, up) {
    this.#lay(this.left + right / this.zoom, this.bottom + up / this.zoom);
  }

  /**
   * Zoom out as far as it takes to have some places in sight too; true when it took that.
   * @param {number[][]} places in shares of the picture
   */
  include(places, margin = 0.06) {
    const [left, right, bottom, top] = this.window;
    const outside = places.filter(([x, y]) => x < left || x > right || y < bottom || y > top);
    if (!outside.length) return false;
    const [xs, ys] = [0, 1].map((axis) => outside.map((place) => place[axis]));
    const edge = margin / this.zoom;
    const [west, east] = [Math.min(left, ...xs) - edge, Math.max(right, ...xs) + edge];
    const [south, north] = [Math.min(bottom, ...ys) - edge, Math.max(top, ...ys) + edge];
    this.zoom = clamp(1 / Math.max(east - west, north - south), 1, MOST);
    const side = 1 / this.zoom;
    this.#lay((west + east - side) / 2, (south + north - side) / 2);
    return true;
  }

  #lay(/** @type {number} */ left, /** @type {number} */ bottom) {
    const last = 1 - 1 / this.zoom; // the window never leaves the picture
    [this.left, this.bottom] = [clamp(left, 0, last), clamp(bottom, 0, last)];
  }
}

/** Whether a window lies inside another. @param {Bounds} outer @param {Bounds} inner */
export const covers = (outer, inner) =>
  outer[0] <= inner[0] && outer[1] >= inner[1] && outer[2] <= inner[2] && outer[3] >= inner[3];
