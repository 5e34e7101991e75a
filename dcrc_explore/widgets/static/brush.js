// What strokes make of points: no page, no kernel. Places are in the units of the data.

/**
 * @typedef {[number, number]} Place
 * @typedef {object} Stroke
 * @property {boolean} empty whether it begins with an empty plane
 * @property {number[]} erased rows
 * @property {number[]} rows of points that move
 * @property {Place[]} places to which they move
 * @property {Place[]} added
 * @property {number[]} brushes the classes of those, from 0 on
 */

export const MOST_POINTS = 2000;
export const MOST_CLASSES = 8;
const CLOSE = 1.5; // to how many times their usual distance points are spread
const ROUNDS = 30;

/** @param {Partial<Stroke>} parts @returns {Stroke} */
export const stroke = (parts) => ({ empty: false, erased: [], rows: [], places: [], added: [], brushes: [], ...parts });

/** Points that are drawn; every stroke gives others. */
export class Sketch {
  /** @param {Place[]} places @param {number[]} classes */
  constructor(places = [], classes = []) {
    this.places = places;
    this.classes = classes;
  }

  get n() {
    return this.places.length;
  }

  /** How many classes there are to draw with: those that were used, and one more. */
  get offered() {
    return Math.min(MOST_CLASSES, 2 + Math.max(0, ...this.classes));
  }

  /** @param {Stroke} done */
  after({ empty, erased, rows, places, added, brushes }) {
    const gone = new Set(erased);
    const stays = (/** @type {unknown} */ _, /** @type {number} */ i) => !empty && !gone.has(i);
    const moved = [...this.places];
    rows.forEach((row, t) => (moved[row] = places[t]));
    return new Sketch([...moved.filter(stays), ...added], [...this.classes.filter(stays), ...brushes]);
  }

  /** Rows of the points around a place. @param {Place} place @param {number} reach */
  around([x, y], reach) {
    return this.places.flatMap(([px, py], i) => (Math.hypot(px - x, py - y) <= reach ? [i] : []));
  }

  /** The point nearest to a place, -1 where there is none. @param {Place} place */
  nearest([x, y], reach = Infinity) {
    let [best, closest] = [-1, reach];
    this.places.forEach(([px, py], i) => {
      const distance = Math.hypot(px - x, py - y);
      if (distance <= closest) [best, closest] = [i, distance];
    });
    return best;
  }

  /**
   * Push points apart that are close together, inside a frame.
   * @param {number[]} frame left, right, bottom and top @param {number} least distance
   * @returns {Stroke}
   */
  spread([left, right, bottom, top], least) {
    const places = this.places.map(([x, y]) => /** @type {Place} */ ([x, y]));
    const gaps = places.map(([x, y], i) => Math.min(...places.map(([px, py], j) =>
      (i === j ? Infinity : Math.hypot(px - x, py - y))))).sort((a, b) => a - b);
    const wanted = Math.max(least, CLOSE * (gaps[Math.floor(gaps.length / 2)] ?? 0));
    for (let round = 0; round < ROUNDS; round++) {
      for (let i = 0; i < places.length; i++) {
        for (let j = 0; j < i; j++) {
          const [dx, dy] = [places[i][0] - places[j][0], places[i][1] - places[j][1]];
          const distance = Math.hypot(dx, dy);
          if (distance >= wanted) continue;
          // Points in one place part in a direction of their own.
          const [ux, uy] = distance ? [dx / distance, dy / distance] : [Math.cos(2.4 * i), Math.sin(2.4 * i)];
          const push = (wanted - distance) / 2.5;
          places[i] = [places[i][0] + push * ux, places[i][1] + push * uy];
          places[j] = [places[j][0] - push * ux, places[j][1] - push * uy];
        }
      }
    }
    const inside = places.map(([x, y]) => /** @type {Place} */ (
      [Math.min(right, Math.max(left, x)), Math.min(top, Math.max(bottom, y))]));
    return stroke({ rows: places.map((_, i) => i), places: inside });
  }
}

/**
 * Places of a dab: evenly anywhere in a disc.
 * @param {number} n @param {number} radius @param {() => number} random
 * @returns {Place[]} around the middle
 */
export const dab = (n, radius, random = Math.random) => Array.from({ length: n }, () => {
  const [distance, angle] = [radius * Math.sqrt(random()), 2 * Math.PI * random()];
  return [distance * Math.cos(angle), distance * Math.sin(angle)];
});
