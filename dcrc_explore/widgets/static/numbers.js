// Bytes from Python as arrays, and colours as numbers.

/** @param {ArrayBufferView} view */
export const bytes = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
const aligned = (view) => view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength);
export const floats = (view) => new Float32Array(aligned(view));
export const integers = (view) => new Int32Array(aligned(view));
export const shorts = (view) => new Uint16Array(aligned(view));

/** Whether bit t is set in bytes that begin with their highest bit. */
export const bit = (array, t) => (array[t >> 3] >> (7 - (t & 7))) & 1;

export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/** @param {string} hex a colour in six digits */
export const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
/** @param {number[]} colour */
export const packed = ([r, g, b]) => (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;
export const mix = (a, b, share) => a.map((value, c) => value + (b[c] - value) * share);
