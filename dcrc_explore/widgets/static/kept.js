// Answers that did not reach the kernel are kept in the browser, for the page's next load or for the next kernel.

import { bytes } from "./numbers.js";

const PREFIX = "dcrc-unanswered ";

/** What tells two sets of points apart. @param {ArrayBufferView} xy */
export const fingerprint = (xy) => bytes(xy).reduce((hash, byte) => (hash * 31 + byte) | 0, 7);

/**
 * @typedef {{data: number, messages: import("./protocol.js").Message[]}} Kept
 * @param {string} door names the tool that keeps
 * @param {Storage} storage
 */
export function makeKept(door, storage = sessionStorage) {
  const read = (name) => /** @type {Kept | null} */ (JSON.parse(storage.getItem(PREFIX + name) ?? "null"));
  const others = () =>
    Object.keys(storage).filter((name) => name.startsWith(PREFIX) && name !== PREFIX + door)
      .map((name) => name.slice(PREFIX.length));
  const take = (name) => {
    const messages = read(name)?.messages ?? [];
    storage.removeItem(PREFIX + name);
    return messages;
  };
  return {
    /** Keep these instead of what was kept before. */
    put(data, messages) {
      if (messages.length) storage.setItem(PREFIX + door, JSON.stringify({ data, messages }));
      else storage.removeItem(PREFIX + door);
    },
    /** Take what this tool kept before the page was loaded again. */
    own: () => take(door),
    /** How many a tool that is gone has left for these points. */
    left: (data) => others().map(read).filter((kept) => kept?.data === data).flatMap((kept) => kept?.messages).length,
    /** Take what it left. */
    inherit: (data) => others().filter((name) => read(name)?.data === data).flatMap(take),
  };
}
