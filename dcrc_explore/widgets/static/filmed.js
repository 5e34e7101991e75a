// A recorded model: its labels, its map, and its picture in each frame.

import { gridScore, linearScore, markedPairs, surfaceOf, violatedBits } from "./frames.js";
import { unpacked } from "./numbers.js";

const RESOLUTION = 150;
const REMEMBERED = 40; // maps

/**
 * @param {import("./types.d.ts").FilmSent} film
 * @param {number} frames how many
 * @param {import("./frames.js").Extent} extent
 */
export function makeModel(film, frames, extent) {
  const labels = Uint16Array.from(unpacked(film.labels));
  const truth = film.truth && Uint16Array.from(unpacked(film.truth));
  const weights = film.weights && unpacked(film.weights);
  const depths = film.depths && unpacked(film.depths);
  const entropy = film.entropy && unpacked(film.entropy);
  const clusters = film.names.length;
  /** @type {Map<number, ReturnType<typeof surfaceOf> | null>} */
  const surfaces = new Map();

  /** @template {import("./types.d.ts").Numbers} T @param {T} values @param {number} frame */
  const part = (values, frame) => {
    const each = values.length / frames;
    return /** @type {T} */ (values.subarray(frame * each, (frame + 1) * each));
  };

  function scoreAt(/** @type {number} */ frame) {
    if (weights) return linearScore(part(weights, frame));
    if (!depths || !film.deepest) return null;
    const size = Math.sqrt(depths.length / frames / clusters);
    return gridScore(part(depths, frame), size, film.deepest[frame], extent);
  }

  function surface(/** @type {number} */ frame) {
    if (!surfaces.has(frame)) {
      const [oldest] = surfaces.keys();
      if (surfaces.size > REMEMBERED) surfaces.delete(oldest);
      const score = scoreAt(frame);
      surfaces.set(frame, score && surfaceOf(score, clusters, extent, RESOLUTION));
    }
    return surfaces.get(frame);
  }

  const labelsOf = (/** @type {number} */ frame) => part(labels, frame);

  /**
   * The picture of a frame, as Python would send it.
   * @param {number} frame
   * @param {import("./answers.js").Answers} answers
   * @param {import("./frames.js").TwoPoints[]} pairs
   * @param {{map: string, truth: boolean}} view
   * @returns {import("./types.d.ts").Picture}
   */
  function scene(frame, answers, pairs, { map, truth: shown }) {
    const [now, grid, counts] = [labelsOf(frame), surface(frame), Array(clusters).fill(0)];
    for (const k of now) counts[k]++;
    return {
      clusters, names: film.names, counts, labels: now, truth: shown ? truth : null, cluster: 0,
      violated: violatedBits(answers, now), pairs: markedPairs(pairs, now), satisfied_by_q: null,
      halo: entropy && map === "entropy" ? part(entropy, frame) : null,
      resolution: RESOLUTION, regions: grid?.regions ?? null, margin: grid?.edge,
      value: map === "entropy" ? grid?.entropy : grid?.margin,
    };
  }

  return { scene, labelsOf, clusters, hasTruth: Boolean(truth), hasMap: !entropy };
}
