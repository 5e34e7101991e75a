// Arrays from Python, and colours as numbers.

const ARRAYS = { bits: Uint8Array, uint8: Uint8Array, uint16: Uint16Array, int32: Int32Array, float32: Float32Array };

/**
 * An array as `packed` of Python's arrays.py sent it, or wrote it into a page as text. One that was made here stays.
 * @param {import("./types.d.ts").PackedArray | import("./types.d.ts").Numbers} sent
 * @returns {import("./types.d.ts").Numbers} its numbers in one row
 */
export function unpacked(sent) {
  if (ArrayBuffer.isView(sent)) return sent;
  const { dtype, data } = sent;
  if (typeof data === "string") return new ARRAYS[dtype](Uint8Array.from(atob(data), (c) => c.charCodeAt(0)).buffer);
  // A copy, because arrays of several bytes begin at a multiple of them.
  return new ARRAYS[dtype](new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice().buffer);
}

/**
 * Whether bit t is set in bytes that begin with their highest bit.
 * @param {ArrayLike<number>} array @param {number} t
 */
export const bit = (array, t) => (array[t >> 3] >> (7 - (t & 7))) & 1;

/** @param {number} value @param {number} low @param {number} high */
export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/** @param {string} hex a colour in six digits */
export const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
/** @param {number[]} colour */
export const packed = ([r, g, b]) => (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;
/** @param {number[]} a @param {number[]} b @param {number} share of b */
export const mix = (a, b, share) => a.map((value, c) => value + (b[c] - value) * share);
