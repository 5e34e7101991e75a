// A recorded model: its labels, its map, and its picture in each frame.

import { gridScore, linearScore, surfaceOf, violatedBits } from "./frames.js";
import { unpacked } from "./numbers.js";

const RESOLUTION = 150;
const REMEMBERED = 40; // maps

/**
 * @param {any} film as Python packed it
 * @param {number} frames how many
 * @param {any} extent left, right, bottom, top
 */
export function makeModel(film, frames, extent) {
  const labels = Uint16Array.from(unpacked(film.labels));
  const truth = film.truth && Uint16Array.from(unpacked(film.truth));
  const weights = film.weights && unpacked(film.weights);
  const depths = film.depths && unpacked(film.depths);
  const entropy = film.entropy && unpacked(film.entropy);
  const clusters = film.names.length;
  const surfaces = new Map();

  const part = (/** @type {import("./types.d.ts").Numbers} */ values, /** @type {number} */ frame) => {
    const each = values.length / frames;
    return values.subarray(frame * each, (frame + 1) * each);
  };

  function surface(/** @type {number} */ frame) {
    if (!weights && !depths) return null;
    if (!surfaces.has(frame)) {
      if (surfaces.size > REMEMBERED) surfaces.delete(surfaces.keys().next().value);
      const score = weights ? linearScore(part(weights, frame)) : gridScore(part(depths, frame),
        Math.sqrt(depths.length / frames / clusters), film.deepest[frame], extent);
      surfaces.set(frame, surfaceOf(score, clusters, extent, RESOLUTION));
    }
    return surfaces.get(frame);
  }

  const labelsOf = (/** @type {number} */ frame) => part(labels, frame);

  /**
   * The picture of a frame, as Python would send it.
   * @param {number} frame
   * @param {import("./answers.js").Answers} answers
   * @param {{map: string, truth: boolean}} view
   */
  function scene(frame, answers, { map, truth: shown }) {
    const [now, grid, counts] = [labelsOf(frame), surface(frame), Array(clusters).fill(0)];
    for (const k of now) counts[k]++;
    return {
      clusters, names: film.names, counts, labels: now, truth: shown ? truth : null, cluster: 0,
      violated: violatedBits(answers, now), satisfied_by_q: null,
      halo: entropy && map === "entropy" ? part(entropy, frame) : null,
      resolution: RESOLUTION, regions: grid?.regions ?? null, margin: grid?.edge,
      value: map === "entropy" ? grid?.entropy : grid?.margin,
    };
  }

  return { scene, labelsOf, clusters, hasTruth: Boolean(truth), hasMap: !entropy };
}
