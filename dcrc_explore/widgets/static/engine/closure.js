// What follows from answers, taken as true by Eq. (1): which points belong together, which do not, the groups so far.

export class Closure {
  /** @type {Map<number, number>} of a point; a component is named after one of its points */
  #component = new Map();
  /** @type {Map<number, number[]>} */
  #members = new Map();
  /** @type {Map<number, Set<number>>} components that belong to other clusters */
  #separate = new Map();
  /** @type {number[][]} points that belong together, no two sets in the same cluster, the largest first */
  groups = [];

  /**
   * @param {import("./estep.js").Triplet[]} triplets @param {import("./estep.js").Pair[]} pairs
   * @param {number | null} K null where it is not known, so that nothing follows from it
   */
  constructor(triplets, pairs, K) {
    this.K = K;
    /** @type {number[][]} */
    let pending = [];
    for (const [i, j, k, answer] of triplets) {
      if (!answer) {
        pending.push([i, j, k]);
        continue;
      }
      const [same, other] = answer > 0 ? [j, k] : [k, j];
      this.#join(i, same);
      this.#part(i, other);
      if (!this.together(i, same)) this.#part(same, other); // it contradicts earlier answers
    }
    for (const [a, b, answer] of pairs) if (answer > 0) this.#join(a, b);
    for (const [a, b, answer] of pairs) if (answer < 0) this.#part(a, b);
    for (;;) {
      const left = pending.filter((points) => !this.#follow(points));
      this.groups = this.#findGroups();
      if (!this.#fillLastGroup() && left.length === pending.length) break;
      pending = left;
    }
  }

  /** @param {number} a @param {number} b */
  together(a, b) {
    return a === b || (this.#component.has(a) && this.#component.get(a) === this.#component.get(b));
  }

  /**
   * Which groups each point may belong to, (N, groups), and its group where that is known, else -1.
   * @param {number} N @param {number} n groups; those that are not known yet come last
   */
  possible(N, n) {
    const possible = new Uint8Array(N * n).fill(1);
    const group = new Int32Array(N).fill(-1);
    const number = new Map(this.groups.map((members, g) => [this.#component.get(members[0]), g]));
    for (const [name, members] of this.#members) {
      for (const other of this.#separate.get(name) ?? []) {
        const g = number.get(other);
        if (g !== undefined) for (const point of members) possible[point * n + g] = 0;
      }
    }
    this.groups.forEach((members, g) => members.forEach((point) => {
      group[point] = g;
      for (let other = 0; other < n; other++) possible[point * n + other] = Number(other === g);
    }));
    // Contradictions can leave a point without any group: then nothing is known about it.
    for (let at = 0; at < N * n; at += n) {
      if (!possible.subarray(at, at + n).includes(1)) possible.fill(1, at, at + n);
    }
    return { possible, group };
  }

  /** Draw what follows from a don't know, and return whether it is used up. @param {number[]} points */
  #follow([i, j, k]) {
    if (this.K === 2) { // all three together, or i alone
      this.#join(j, k);
      return true;
    }
    const [first, second, third] = [i, j, k].map((point) => this.#component.get(point) ?? ~point);
    const apart = this.#separate.get(first);
    if (first === second) this.#join(i, k);
    else if (first === third) this.#join(i, j);
    else if (apart?.has(second) || apart?.has(third) || this.#separate.get(second)?.has(third)) {
      this.#part(i, j);
      this.#part(i, k);
    } else return false;
    return true;
  }

  #findGroups() {
    /** @type {number[]} */
    const names = [];
    const size = (/** @type {number} */ name) => this.#membersOf(name).length;
    for (const name of [...this.#separate.keys()].sort((a, b) => size(b) - size(a))) {
      if (names.length !== this.K && names.every((each) => this.#separateOf(name).has(each))) names.push(name);
    }
    return names.map((name) => this.#membersOf(name).toSorted((a, b) => a - b));
  }

  /** Join to the last group left to them what is separate from all others, where all groups are known. */
  #fillLastGroup() {
    if (this.groups.length !== this.K) return false;
    const names = this.groups.map((members) => /** @type {number} */ (this.#component.get(members[0])));
    let filled = false;
    for (const name of [...this.#separate.keys()]) {
      if (!this.#separate.has(name) || names.includes(name)) continue;
      const rest = names.filter((each) => !this.#separateOf(name).has(each));
      if (rest.length === 1) filled = this.#join(rest[0], name) || filled;
    }
    return filled;
  }

  /** @param {number} a @param {number} b */
  #join(a, b) {
    let [keep, lose] = [this.#name(a), this.#name(b)];
    if (keep === lose || this.#separate.get(keep)?.has(lose)) return false;
    if (this.#membersOf(keep).length < this.#membersOf(lose).length) [keep, lose] = [lose, keep];
    const members = this.#membersOf(lose);
    this.#members.delete(lose);
    this.#membersOf(keep).push(...members);
    for (const point of members) this.#component.set(point, keep);
    const others = this.#separate.get(lose) ?? [];
    this.#separate.delete(lose);
    for (const other of others) {
      this.#separateOf(other).delete(lose);
      this.#separateOf(other).add(keep);
      this.#separateOf(keep).add(other);
    }
    return true;
  }

  /** @param {number} a @param {number} b */
  #part(a, b) {
    const [first, second] = [this.#name(a), this.#name(b)];
    if (first === second || this.#separateOf(first).has(second)) return;
    this.#separateOf(first).add(second);
    this.#separateOf(second).add(first);
  }

  /** @param {number} name @returns {Set<number>} */
  #separateOf(name) {
    const found = this.#separate.get(name) ?? new Set();
    this.#separate.set(name, found);
    return found;
  }

  /** @param {number} name */
  #membersOf(name) {
    return /** @type {number[]} */ (this.#members.get(name));
  }

  /** @param {number} point */
  #name(point) {
    if (!this.#component.has(point)) {
      this.#component.set(point, point);
      this.#members.set(point, [point]);
    }
    return /** @type {number} */ (this.#component.get(point));
  }
}
