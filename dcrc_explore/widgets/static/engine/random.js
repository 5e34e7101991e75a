// Random numbers from a seed. They are not those of numpy: what is drawn here is drawn again only here.

export class Random {
  #state;
  #spare = NaN;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = (seed ^ 0x9e3779b9) >>> 0;
    for (let n = 0; n < 4; n++) this.next();
  }

  /** Of [0, 1): a counter of 32 bits whose bits are mixed, twice for 53 bits. */
  next() {
    return (this.#bits() * 2 ** 21 + (this.#bits() >>> 11)) / 2 ** 53;
  }

  #bits() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let x = this.#state;
    x = Math.imul(x ^ (x >>> 15), x | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return (x ^ (x >>> 14)) >>> 0;
  }

  /** A whole number below `n`. @param {number} n */
  below(n) {
    return Math.floor(this.next() * n);
  }

  /** A normal number: two at a time from two uniform ones. */
  normal() {
    if (!Number.isNaN(this.#spare)) {
      const kept = this.#spare;
      this.#spare = NaN;
      return kept;
    }
    const size = Math.sqrt(-2 * Math.log(1 - this.next()));
    const turn = 2 * Math.PI * this.next();
    this.#spare = size * Math.sin(turn);
    return size * Math.cos(turn);
  }

  /** A place, drawn by weights. @param {ArrayLike<number>} weights */
  place(weights) {
    let left = this.next() * Array.from(weights).reduce((sum, each) => sum + each, 0);
    for (let at = 0; at < weights.length - 1; at++) if ((left -= weights[at]) < 0) return at;
    return weights.length - 1;
  }

  /** The same things in another order. @template T @param {Iterable<T>} things */
  shuffled(things) {
    const all = [...things];
    for (let at = all.length - 1; at > 0; at--) {
      const other = this.below(at + 1);
      [all[at], all[other]] = [all[other], all[at]];
    }
    return all;
  }
}
