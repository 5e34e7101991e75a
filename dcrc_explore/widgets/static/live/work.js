// The engine at work: in a worker, so that the page never waits for a long fit, or here where none can start.

import { fit } from "../engine/fit.js";
import { makeFeatures } from "../engine/features.js";
import { surfaceOf } from "../frames.js";

/**
 * @typedef {{rows: Float64Array, d: number, extent: number[], key: string}} Data `key` changes with the points
 * @typedef {{data: Data, triplets: number[][], pairs: number[][], settings: import("../engine/fit.js").Settings,
 *   start: Float64Array | null, reference: {P: Float64Array, K: number} | null}} FitAsked
 * @typedef {{data: Data, settings: import("../engine/fit.js").Settings, W: Float64Array, extent: number[],
 *   cluster: number, size: number}} MapAsked
 * @typedef {{fit: FitAsked} | {map: MapAsked}} Asked
 * @typedef {ReturnType<typeof surfaceOf>} Surface
 * @typedef {{fitted?: import("../engine/fit.js").Fitted, map?: Surface}} Done
 */

/** @type {Map<string, import("../engine/features.js").Features>} */
const known = new Map(); // features of the last few data and kernels

/** @param {Data} data @param {import("../engine/fit.js").Settings} settings */
function featuresOf({ rows, d, key }, { kernel, gamma, random_state }) {
  const name = kernel === "linear" ? `${key} linear` : [key, kernel, gamma, random_state].join(" ");
  const found = known.get(name) ?? makeFeatures(rows, d, kernel, gamma, random_state);
  known.delete(name);
  known.set(name, found);
  if (known.size > 4) known.delete(known.keys().next().value ?? "");
  return found;
}

/** @param {Asked} asked @returns {Done} */
function work(asked) {
  if ("fit" in asked) {
    const { data, triplets, pairs, settings, start, reference } = asked.fit;
    return { fitted: fit(featuresOf(data, settings), triplets, pairs, settings, start, reference) };
  }
  const { data, settings, W, extent, cluster, size } = asked.map;
  const { d, score } = featuresOf(data, settings);
  const K = settings.n_clusters;
  const coef = Float64Array.from({ length: K * d }, (_, at) => W[Math.floor(at / d) * (d + 1) + (at % d)]);
  const intercept = Float64Array.from({ length: K }, (_, k) => W[k * (d + 1) + d]);
  return { map: surfaceOf(score(coef, intercept), K, extent, size, cluster) };
}

/** Answer what a page asks, one after the other. */
export function serve() {
  addEventListener("message", ({ data: { id, asked } }) => {
    try {
      postMessage({ id, done: work(asked) });
    } catch (error) {
      postMessage({ id, problem: String(error) });
    }
  });
}

/**
 * @param {string | null} address of a script that serves; null to work here
 * @returns {(asked: Asked) => Promise<Done>}
 */
export function makeWorker(address) {
  if (address === null) return async (asked) => work(asked);
  let worker;
  try {
    worker = new Worker(address, { type: "module" });
  } catch {
    return makeWorker(null);
  }
  /** @type {Map<number, {resolve: (done: Done) => void, reject: (error: Error) => void, asked: Asked}>} */
  const waiting = new Map();
  let count = 0;
  let broken = false;
  worker.addEventListener("message", ({ data: { id, done, problem } }) => {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (done) resolve?.(done);
    else reject?.(new Error(problem));
  });
  worker.addEventListener("error", () => { // it could not start: what it was asked is done here
    broken = true;
    for (const { resolve, asked } of waiting.values()) resolve(work(asked));
    waiting.clear();
  });
  return (asked) => broken ? Promise.resolve(work(asked)) : new Promise((resolve, reject) => {
    waiting.set(++count, { resolve, reject, asked });
    worker.postMessage({ id: count, asked });
  });
}
