// E-step: mean field inference of the constrained instances' memberships, by Table II.

import { TIE } from "./constants.js";

/**
 * @typedef {number[]} Triplet points i, j, k and the answer: 1, -1 or 0
 * @typedef {number[]} Pair points i, j and the answer: 1 or -1
 */

/**
 * What an instance hears of a question: a q_u + c q_u q_v.
 * @typedef {{u: number, v: number, a: number, c: number}} Heard
 */

export class AnswerGraph {
  /** @param {Triplet[]} triplets @param {Pair[]} pairs without don't know */
  constructor(triplets, pairs) {
    // No to (i, j, k) is yes to (i, k, j).
    const turned = triplets.map(([i, j, k, answer]) => (answer < 0 ? [i, k, j] : [i, j, k]));
    const questions = [...turned, ...pairs.map(([i, j]) => [i, j])];
    const isDnk = triplets.map((each) => each[3] === 0);
    const rows = [...new Set(questions.flat())]; // numbered by first appearance
    const places = new Map(rows.map((row, number) => [row, number]));
    const local = questions.map((points) => points.map((row) => /** @type {number} */ (places.get(row))));
    const order = inGroups(local, isDnk, rows.length);
    /** Rows of the constrained instances, in the order in which Q holds them. */
    this.instances = Int32Array.from(order, (number) => rows[number]);
    const place = new Int32Array(rows.length);
    order.forEach((number, at) => (place[number] = at));
    const placed = local.map((points) => points.map((number) => place[number]));
    this.members = placed.slice(0, triplets.length);
    this.pairs = placed.slice(triplets.length);
    this.isDnk = isDnk;
    this.together = pairs.map(([, , answer]) => answer > 0);
    this.heard = arranged(this);
  }

  /**
   * F(y_i = k) of Eq. (13) of an instance, up to a constant.
   * @param {number} i @param {Float64Array} Q @param {number} K
   */
  compatibility(i, Q, K) {
    const F = new Float64Array(K);
    for (const { u, v, a, c } of this.heard[i]) {
      for (let k = 0; k < K; k++) F[k] += Q[u * K + k] * (a + c * Q[v * K + k]);
    }
    return F;
  }

  /**
   * Probability under Q that the implied answer is the one given, triplets first.
   * @param {Float64Array} Q @param {number} K
   */
  satisfaction(Q, K) {
    const triplets = this.members.map(([i, j, k], t) => {
      let [yes, no] = [0, 0];
      for (let l = 0; l < K; l++) {
        const [p, q, r] = [Q[i * K + l], Q[j * K + l], Q[k * K + l]];
        yes += p * (q - q * r);
        no += p * (r - q * r);
      }
      return this.isDnk[t] ? 1 - yes - no : yes;
    });
    const pairs = this.pairs.map(([i, j], p) => {
      let linked = 0;
      for (let l = 0; l < K; l++) linked += Q[i * K + l] * Q[j * K + l];
      return this.together[p] ? linked : 1 - linked;
    });
    return [...triplets, ...pairs];
  }

  /**
   * Update every q(y_i) once, in place, by Eq. (13), or by Eq. (14) when `logAlpha` is infinite.
   * @param {Float64Array} Q @param {Float64Array} logP @param {number} logAlpha @param {number} K @param {number} tol
   * @returns {number} of how many instances a probability changed by more than `tol`
   */
  sweep(Q, logP, logAlpha, K, tol) {
    let changed = 0;
    for (let i = 0; i < this.instances.length; i++) {
      const q = memberships(this.compatibility(i, Q, K), logP.subarray(i * K, (i + 1) * K), logAlpha);
      let most = 0;
      for (let k = 0; k < K; k++) {
        most = Math.max(most, Math.abs(q[k] - Q[i * K + k]));
        Q[i * K + k] = q[k];
      }
      changed += Number(most > tol);
    }
    return changed;
  }

  /**
   * Run sweeps from Q until at most the share `unsettled` of the instances changes by more than `tol`.
   * @param {Float64Array} Q @param {Float64Array} logP @param {number} logAlpha @param {number} K
   * @param {{sweeps: number, tol: number, unsettled: number}} until
   */
  infer(Q, logP, logAlpha, K, { sweeps, tol, unsettled }) {
    const now = Q.slice();
    const few = unsettled * this.instances.length;
    for (let sweep = 0; sweep < sweeps && this.sweep(now, logP, logAlpha, K, tol) > few; sweep++);
    return now;
  }
}

/**
 * q(y_i) for compatibilities F (K,), which are overwritten: Eq. (13), or (14) when `logAlpha` is infinite.
 * @param {Float64Array} F @param {Float64Array} logP @param {number} logAlpha
 */
function memberships(F, logP, logAlpha) {
  let highest = -Infinity;
  if (logAlpha === Infinity) {
    const best = Math.max(...F) - TIE; // P(y|x) restricted to the clusters of largest compatibility
    for (let k = 0; k < F.length; k++) F[k] = F[k] >= best ? logP[k] : -Infinity;
  } else for (let k = 0; k < F.length; k++) F[k] = logAlpha * F[k] + logP[k];
  for (const value of F) if (value > highest) highest = value;
  let total = 0;
  for (let k = 0; k < F.length; k++) total += F[k] = Math.exp(F[k] - highest);
  for (let k = 0; k < F.length; k++) F[k] /= total;
  return F;
}

/**
 * What each instance hears of its questions.
 * @param {Pick<AnswerGraph, "instances" | "members" | "isDnk" | "pairs" | "together">} graph
 */
function arranged({ instances, members, isDnk, pairs, together }) {
  /** @type {Heard[][]} */
  const heard = Array.from(instances, () => []);
  members.forEach(([i, j, k], t) => {
    // The weights of "the implied answer is yes" and "is no"; Table II is linear in them.
    const [yes, no] = isDnk[t] ? [-1, -1] : [1, 0];
    const c = -yes - no;
    heard[i].push({ u: j, v: k, a: yes, c });
    if (no) heard[i].push({ u: k, v: k, a: no, c: 0 });
    heard[j].push({ u: i, v: k, a: yes, c });
    heard[k].push({ u: i, v: j, a: no, c });
  });
  pairs.forEach(([i, j], p) => {
    const a = together[p] ? 1 : -1;
    heard[i].push({ u: j, v: j, a, c: 0 });
    heard[j].push({ u: i, v: i, a, c: 0 });
  });
  return heard;
}

/**
 * The order of updates: groups that share no question, and in them who hears most first.
 * @param {number[][]} questions @param {boolean[]} isDnk @param {number} n instances
 */
function inGroups(questions, isDnk, n) {
  /** @type {number[][]} */
  const own = Array.from({ length: n }, () => []);
  const heard = new Int32Array(n);
  questions.forEach((points, t) => points.forEach((i, place) => {
    own[i].push(t);
    heard[i] += isDnk[t] && place === 0 ? 2 : 1;
  }));
  /** @type {Set<number>[]} */
  const taken = questions.map(() => new Set());
  const colours = new Int32Array(n);
  for (const i of [...own.keys()].sort((a, b) => own[b].length - own[a].length)) {
    let colour = 0;
    while (own[i].some((t) => taken[t].has(colour))) colour++;
    for (const t of own[i]) taken[t].add(colour);
    colours[i] = colour;
  }
  return [...own.keys()].sort((a, b) => colours[a] - colours[b] || heard[b] - heard[a]);
}
