// What the last change left behind: the boundary as it was, and rings on the points that changed cluster. It fades;
// where a person wants no motion, it stays until the next change.

import { drawBoundaries, drawRing } from "./drawing.js";
import { unpacked } from "./numbers.js";

const SECONDS = 6;
const MOST_RINGS = 400; // more would hide the picture, and the story says how many there are

/**
 * @param {import("./plane.js").Plane} plane
 * @param {() => void} draw called while it fades
 */
export function makeTrail(plane, draw) {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  /** @type {import("./shapes.d.ts").Surface | null} */
  let last = null; // the surface before
  /** @type {number[]} */
  let moved = [];
  let born = -Infinity;
  let frame = 0;

  const strength = () => (still.matches ? 1 : Math.max(0, 1 - (performance.now() - born) / (1000 * SECONDS)));

  function fade() {
    cancelAnimationFrame(frame);
    if (!last && !moved.length) return;
    draw();
    if (!still.matches && strength() > 0) frame = requestAnimationFrame(fade);
  }

  return {
    /** Remember what is on the screen, before a new scene takes its place. */
    leave(/** @type {import("./shapes.d.ts").Surface | null} */ surface) {
      last = surface;
    },
    /** Take what the new scene says of the points that moved; it is drawn with the scene, and fades from then on. */
    take(/** @type {import("./types.d.ts").ExplorerScene} */ scene) {
      moved = scene.iteration == null ? Array.from(unpacked(scene.moved)) : [];
      if (!moved.length) last = null;
      born = performance.now();
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(fade);
    },
    forget() {
      [last, moved] = [null, []];
      cancelAnimationFrame(frame);
    },
    /** Draw it on the canvas above. */
    draw(/** @type {CanvasRenderingContext2D} */ ctx) {
      const now = strength();
      if (now <= 0 || (!last && !moved.length)) return;
      ctx.save();
      ctx.setLineDash([3, 5]);
      if (last) drawBoundaries(plane, ctx, last, plane.ink.accent, 1.4, now);
      ctx.setLineDash([]);
      ctx.globalAlpha = now;
      if (moved.length <= MOST_RINGS && !plane.truth) { // the rings of the truth stay in sight
        for (const i of moved) drawRing(plane, ctx, i, plane.ink.accent, 4, { width: 1.8, light: 3.4 });
      }
      ctx.restore();
    },
  };
}
