// Where two models disagree: grey points agree; the others have the marker of the second model in a ring of the first.

import { covers } from "./camera.js";
import * as drawing from "./drawing.js";
import { mix, packed, rgb, unpacked } from "./numbers.js";
import { Plane, surfaceOf } from "./plane.js";
import { CROWD, drawDots, drawPoints, fillHalos, inSight } from "./points.js";
import { called } from "./say.js";

/**
 * @typedef {import("./types.d.ts").Numbers} Numbers
 * @typedef {import("./shapes.d.ts").SharpMaps} Sharp
 * @typedef {"entropy" | "changed"} Kind of the ground: how far certainty differs, or where clusters do
 * @typedef {object} Grounds
 * @property {ReturnType<typeof surfaceOf>[]} both maps of both models
 * @property {Numbers | null} difference of their entropies
 */

export class DifferencePlane extends Plane {
  /** @type {Numbers} labels of the second model */
  second;
  /** @type {Grounds["both"]} */
  both;
  /** @type {Grounds | null} the same of a part of the picture */
  close = null;

  /** @param {import("./types.d.ts").CompareScene} scene */
  setBoth({ models, apart }) {
    this.setScene({ ...models[0], halo: null, truth: null });
    this.second = unpacked(models[1].labels);
    this.close = null;
    this.both = models.map((each) => surfaceOf(each));
    this.difference = apart.map && unpacked(apart.map);
    this.pointDifference = apart.halo && unpacked(apart.halo);
  }

  /**
   * Take sharper maps of a part of the picture, or none.
   * @param {Sharp["maps"] | undefined} maps @param {Sharp["window"] | undefined} window
   * @param {Sharp["apart"] | undefined} apart
   */
  sharpenBoth(maps, window, apart) {
    const both = maps?.map((map) => surfaceOf(map, window));
    this.close = both ? { both, difference: apart ? unpacked(apart) : null } : null;
  }

  /** The maps of both models, and their difference: sharper ones where they cover what is in sight. */
  get grounds() {
    const whole = { both: this.both, difference: this.difference };
    const [one] = this.close?.both ?? [];
    return this.close && one && covers(one.window, this.camera.window) ? this.close : whole;
  }

  agrees(/** @type {number} */ i) {
    return this.labels[i] === this.second[i];
  }

  drawApart(/** @type {Kind} */ kind) {
    if (!this.second || !this.at.length || !this.ink) return;
    const ctx = drawing.begin(this, this.below);
    this.drawGround(ctx, kind);
    const [one, two] = this.grounds.both;
    if (one && two) {
      drawing.drawBoundaries(this, ctx, one);
      drawing.drawBoundaries(this, ctx, two, this.ink.accent, 2.2);
    }
    const rows = inSight(this, 2 * this.radius);
    const differing = rows.filter((i) => !this.agrees(i));
    if (differing.length <= CROWD) {
      for (const i of differing) {
        drawing.drawRing(this, ctx, i, this.colour(this.labels[i]), 4, { width: 3, light: 6 });
      }
    }
    ctx.globalAlpha = 0.55;
    drawDots(this, ctx, rows.filter((i) => this.agrees(i)), this.ink.ink, this.radius * 0.45);
    ctx.globalAlpha = 1;
    drawPoints(this, ctx, (i) => (this.agrees(i) ? -1 : this.second[i]), true);
  }

  drawGround(/** @type {CanvasRenderingContext2D} */ ctx, /** @type {Kind} */ kind) {
    const { surface, first, second, bad } = this.ink;
    const [paper, orange, purple, red] = [surface, first, second, bad].map(rgb);
    const colour = (/** @type {number} */ value) =>
      mix(paper, value < 128 ? orange : purple, (0.9 * Math.abs(value - 128)) / 127);
    const { both: [one, two], difference } = this.grounds;
    if (one && difference && kind === "entropy") {
      const table = Uint32Array.from({ length: 256 }, (_, value) => packed(colour(value)));
      drawing.fillMap(this, ctx, one, (cell) => table[difference[cell]]);
    } else if (one && two) {
      const [same, other] = [packed(paper), packed(mix(paper, red, 0.35))];
      drawing.fillMap(this, ctx, one, (cell) => (one.regions[cell] === two.regions[cell] ? same : other));
    } else if (this.pointDifference && kind === "entropy") {
      fillHalos(this, ctx, this.pointDifference, (/** @type {number} */ value) => Math.abs(value - 128), colour);
    }
  }

  hint(/** @type {number} */ i) {
    const [a, b] = [this.labels[i], this.second[i]].map((k) => this.nameOf(k) || `cluster ${k + 1}`);
    return `${called(this.points, i)} · ${a === b ? `${a} in both` : `${a} in the first, ${b} in the second`}`;
  }
}
