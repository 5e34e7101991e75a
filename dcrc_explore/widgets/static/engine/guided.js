// Guided questions: find every group, then ask about the points that settle most of the uncertainty.

import {
  BETWEEN, CANDIDATES, CHECK, FIRST, LEAST_UNCERTAINTY, NEW, REFERENCES, REGION, REGIONS, REMEMBERED, ROUNDING, TIRING,
} from "./constants.js";
import { nameOf, randomTriplets } from "./drawing.js";
import { expectedAnswer } from "./information.js";
import { Random } from "./random.js";

/** @typedef {{points: number[], reason: string}} Chosen */

/** The place of the largest value; of those that are equal but for rounding, the first. @param {number[]} values */
function argbest(values) {
  const most = Math.max(...values);
  return values.findIndex((value) => value >= most - ROUNDING * Math.abs(most));
}

/** How many guided questions to ask between two fits. @param {number} answers */
export const batchSize = (answers) => (answers < 10 ? 1 : answers < 40 ? 5 : answers < 80 ? 10 : 20);

/**
 * @param {import("./belief.js").Belief} belief @param {Float64Array} X (N, d) @param {number} d
 * @param {number[][]} answered questions about three points @param {number} size @param {number} epsilon
 * @param {number[][]} asked questions not to be asked again @param {Random} random
 * @returns {Chosen[]}
 */
export function guidedQuestions(belief, X, d, answered, size, epsilon, asked, random) {
  const taken = new Set([...answered, ...asked].map(nameOf));
  /** @type {Chosen[]} */
  const found = [];
  if (belief.groups.length) {
    for (const each of new Guide(belief, X, d, epsilon, random, answered).questions(taken)) {
      if (found.push(each) === size) return found;
    }
  }
  const old = [...answered, ...asked, ...found.map((each) => each.points)];
  const missing = size - found.length;
  if (belief.groups.length) {
    return [...found, ...randomTriplets(belief.N, missing, old, random).map((points) => ({ points, reason: CHECK }))];
  }
  const drawn = randomTriplets(belief.N, 500, old, random);
  const best = mostInformative(belief.memberships, belief.K, drawn, epsilon).slice(0, missing);
  return [...found, ...best.map((points) => ({ points, reason: FIRST }))];
}

/**
 * Questions, those first whose answers are worth most.
 * @param {Float64Array} P @param {number} K @param {number[][]} questions @param {number} epsilon
 */
export function mostInformative(P, K, questions, epsilon) {
  const worth = questions.map((points) => Math.round(expectedAnswer(P, K, points, epsilon)[3] * 1e9));
  return [...questions.keys()].sort((a, b) => worth[b] - worth[a]).map((t) => questions[t]);
}

/** Points to ask about, one after the other, and the question about each. */
class Guide {
  /**
   * @param {import("./belief.js").Belief} belief @param {Float64Array} X @param {number} d @param {number} epsilon
   * @param {Random} random @param {number[][]} answered
   */
  constructor(belief, X, d, epsilon, random, answered) {
    const { N, K, memberships, group } = belief;
    this.belief = belief;
    this.d = d;
    this.X = centred(X, d);
    this.epsilon = epsilon;
    this.random = random;
    this.turn = answered.length;
    this.open = Array.from(group, (g) => g < 0);
    // People tire of a point, and of three points that they have just seen: these wait while there are others.
    const last = answered.slice(-TIRING).map((points) => points[0]);
    this.tired = last.length === TIRING && new Set(last).size === 1 ? last[0] : -1;
    this.seen = new Set(answered.slice(-REMEMBERED).map((points) => points.toSorted((a, b) => a - b).join()));
    this.references = new Random(0).shuffled(Array(N).keys()).slice(0, REFERENCES);
    this.uncertainty = this.references.map((n) => {
      const [first, second] = memberships.slice(n * K, (n + 1) * K).sort().subarray(K - 2).reverse();
      return Math.max(1 - (first - second), belief.missing ? LEAST_UNCERTAINTY : 0);
    });
    this.known = [...group.keys()].filter((n) => group[n] >= 0);
    // From each reference point to the nearest known one.
    this.distance = this.references.map((n) => this.nearest(n, this.known));
  }

  /** @param {number} a @param {number} b */
  squared(a, b) {
    let sum = 0;
    for (let e = 0; e < this.d; e++) sum += (this.X[a * this.d + e] - this.X[b * this.d + e]) ** 2;
    return sum;
  }

  /** @param {number} n @param {number[]} points */
  nearest = (n, points) => points.reduce((least, point) => Math.min(least, this.squared(n, point)), Infinity);

  /** Continue until every point is known or has been asked about; `taken` grows. @param {Set<string>} taken */
  *questions(taken) {
    while (this.open.includes(true)) {
      const candidates = this.random.shuffled(this.awake()).slice(0, CANDIDATES);
      this.turn++;
      const isNew = Boolean(this.belief.missing) && this.turn % 2 === 0;
      const foci = isNew ? [this.farPoint(candidates)] : this.coveringPoints(candidates);
      let fresh = this.options(foci).filter((points) => !taken.has(nameOf(points)));
      this.settle(foci[0]);
      if (!fresh.length) continue;
      const restful = fresh.filter((points) => !this.tires(points));
      if (restful.length) fresh = restful;
      const { memberships, K } = this.belief;
      const points = fresh[argbest(fresh.map((each) => expectedAnswer(memberships, K, each, this.epsilon)[3]))];
      taken.add(nameOf(points));
      if (foci.length === 2 && points.includes(foci[1])) this.settle(foci[1]);
      yield { points, reason: isNew ? NEW : this.reason(points, foci) };
    }
  }

  awake() {
    const points = [...this.open.keys()].filter((n) => this.open[n]);
    return points.length > 1 ? points.filter((n) => n !== this.tired) : points;
  }

  /** @param {number[]} points */
  tires = (points) => points[0] === this.tired || this.seen.has(points.toSorted((a, b) => a - b).join());

  /** Take a point as known: it has its question in this batch. @param {number} point */
  settle(point) {
    this.open[point] = false;
    this.known.push(point);
    this.distance = this.distance.map((away, r) => Math.min(away, this.squared(this.references[r], point)));
  }

  /**
   * A point that some groups exclude; else one drawn by its distance from the known points.
   * @param {number[]} candidates
   */
  farPoint(candidates) {
    const { K, possible, memberships, groups } = this.belief;
    const started = this.awake().filter((n) => possible.subarray(n * K, (n + 1) * K).includes(0));
    if (started.length) {
      return started[argbest(started.map((n) =>
        memberships.subarray(n * K + groups.length, (n + 1) * K).reduce((sum, p) => sum + p, 0)))];
    }
    return candidates[this.random.place(candidates.map((n) => this.nearest(n, this.known)))];
  }

  /** The candidate near most uncertainty that no known point is near, and the next one. @param {number[]} candidates */
  coveringPoints(candidates) {
    const width = this.distance.reduce((sum, away) => sum + away, 0) / this.distance.length / 2 || 1;
    const covered = this.distance.map((away) => Math.exp(-away / width));
    const near = candidates.map((n) => this.references.map((r) => Math.exp(-this.squared(r, n) / width)));
    /** @type {number[]} */
    const foci = [];
    const most = this.belief.missing ? 1 : Math.min(2, candidates.length);
    while (foci.length < most) {
      const gains = near.map((row, c) => (foci.includes(candidates[c]) ? -1
        : row.reduce((sum, value, r) => sum + this.uncertainty[r] * Math.max(value - covered[r], 0), 0)));
      const best = argbest(gains);
      foci.push(candidates[best]);
      near[best].forEach((value, r) => (covered[r] = Math.max(covered[r], value)));
    }
    return foci;
  }

  /**
   * Questions that compare a point with its nearest known neighbours, or two points with one.
   * @param {number[]} foci
   */
  options([first, ...others]) {
    const anchors = this.belief.groups.map((members) => members[argbest(members.map((n) => -this.squared(first, n)))]);
    const pairs = anchors.flatMap((a, at) => anchors.slice(at + 1).map((b) => [first, a, b]));
    const threes = others.flatMap((second) => anchors.flatMap((a) =>
      [[first, a, second], [second, a, first], [a, first, second]]));
    return [...pairs, ...threes];
  }

  /** @param {number[]} points @param {number[]} foci */
  reason(points, foci) {
    const names = foci.filter((focus) => points.includes(focus)).map((focus) => "ABC"[points.indexOf(focus)]).sort();
    if (names.length === 2) return filled(REGIONS, names);
    const { group, clusters, memberships, K } = this.belief;
    const groups = points.slice(1).map((n) => group[n]);
    if (groups.reduce((sum, g) => sum + memberships[points[0] * K + g], 0) < 2 / 3) return REGION;
    return filled(BETWEEN, groups.map((g) => clusters[g] + 1));
  }
}

/** Put words where a sentence has braces. @param {string} text @param {(string | number)[]} words */
const filled = (text, words) => words.reduce((said, word) => String(said).replace("{}", String(word)), text).toString();

/** Points around their middle, none further than 1 along a feature. @param {Float64Array} X @param {number} d */
function centred(X, d) {
  const N = X.length / d;
  const mean = new Float64Array(d);
  X.forEach((value, at) => (mean[at % d] += value / N));
  const moved = X.map((value, at) => value - mean[at % d]);
  const most = moved.reduce((size, value) => Math.max(size, Math.abs(value)), 0) || 1;
  return moved.map((value) => value / most);
}
