// L-BFGS ascent that keeps what it learned about the curvature from one call to the next.

import { FLAT, FLATTER, MEMORY, MOST_TRIALS, SUFFICIENT } from "./constants.js";

/** @typedef {{value: number, gradient: Float64Array}} Valued a function at a point */

/** @param {Float64Array} a @param {Float64Array} b */
export function dot(a, b) {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at] * b[at];
  return sum;
}

/** a + share b. @param {Float64Array} a @param {number} share @param {Float64Array} b */
const plus = (a, share, b) => a.map((value, at) => value + share * b[at]);

export class LBFGS {
  /** @type {{step: Float64Array, change: Float64Array, scale: number}[]} */
  #pairs = [];
  #steepness = 1;

  /** @param {(gradient: Float64Array) => Float64Array} scaling the inverse of a rough Hessian times a gradient */
  constructor(scaling) {
    this.scaling = scaling;
  }

  /**
   * Climb until the value rises by less than `tol`, relative to its size where that is above 1.
   * @template {Valued} E
   * @param {(x: Float64Array) => E} evaluate @param {Float64Array} x @param {E} at what `evaluate` returns at x
   * @param {number} iterations @param {number} tol
   * @returns {E} at the end; its value is never lower than at the beginning
   */
  maximise(evaluate, x, at, iterations, tol) {
    for (let iteration = 0; iteration < iterations && this.#size(at.gradient) > FLAT; iteration++) {
      let direction = this.#direction(at.gradient);
      let slope = dot(direction, at.gradient);
      if (!(slope > 0 && slope < Infinity)) {
        this.#pairs = [];
        direction = this.#direction(at.gradient);
        slope = dot(direction, at.gradient);
      }
      const found = search(evaluate, x, at, direction, slope);
      if (!found) break;
      this.#remember(found.step, plus(found.trial.gradient, -1, at.gradient));
      const gain = found.trial.value - at.value;
      x = plus(x, 1, found.step);
      at = found.trial;
      if (gain <= tol * Math.max(1, Math.abs(at.value))) break;
    }
    return at;
  }

  /** @param {Float64Array} step @param {Float64Array} change */
  #remember(step, change) {
    const curvature = -dot(step, change);
    const size = this.#size(change);
    // Only a function that bends down along the step tells where its top is.
    if (!(curvature > 1e-12 * size ** 2)) return;
    this.#pairs.push({ step, change: change.map((value) => -value), scale: 1 / curvature });
    if (this.#pairs.length > MEMORY) this.#pairs.shift();
    this.#steepness = curvature / size ** 2;
  }

  /** The norm of a gradient where all variables have one scale. @param {Float64Array} gradient */
  #size(gradient) {
    return Math.sqrt(dot(gradient, this.scaling(gradient)));
  }

  /** Minus the inverse Hessian times the gradient (the two-loop recursion). @param {Float64Array} gradient */
  #direction(gradient) {
    if (!this.#pairs.length) {
      const size = Math.max(1, this.#size(gradient));
      return this.scaling(gradient).map((value) => value / size);
    }
    let direction = gradient;
    const shares = this.#pairs.map(() => 0);
    for (let p = this.#pairs.length - 1; p >= 0; p--) {
      const { step, change, scale } = this.#pairs[p];
      shares[p] = scale * dot(step, direction);
      direction = plus(direction, -shares[p], change);
    }
    direction = this.scaling(direction).map((value) => value * this.#steepness);
    this.#pairs.forEach(({ step, change, scale }, p) => {
      direction = plus(direction, shares[p] - scale * dot(change, direction), step);
    });
    return direction;
  }
}

/**
 * Find a step along the direction by Wolfe's conditions; null where no trial is higher, as at the top.
 * @template {Valued} E
 * @param {(x: Float64Array) => E} evaluate @param {Float64Array} x @param {E} at
 * @param {Float64Array} direction @param {number} slope
 */
function search(evaluate, x, at, direction, slope) {
  let [low, high, length] = [0, Infinity, 1];
  let best = null;
  for (let trials = 0; trials < MOST_TRIALS; trials++) {
    const step = direction.map((value) => length * value);
    const trial = evaluate(plus(x, 1, step));
    if (!(trial.value >= at.value + SUFFICIENT * length * slope)) high = length;
    else {
      best = { step, trial };
      if (dot(trial.gradient, direction) <= FLATTER * slope) break;
      low = length;
    }
    if (high === Infinity) length *= 2;
    else if (low > 0) length = (low + high) / 2;
    else {
      // The top of the parabola through both values with the slope at the first.
      const bend = at.value + slope * length - trial.value;
      const top = bend > 0 ? (slope * length) / (2 * bend) : 0.5;
      length *= Number.isFinite(top) ? Math.min(Math.max(top, 0.1), 0.5) : 0.1;
    }
  }
  return best;
}
