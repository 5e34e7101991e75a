// Answers that did not reach the kernel are stored in the browser, for the page's next load or for the next kernel.

import { unpacked } from "./numbers.js";

const PREFIX = "dcrc-unanswered ";

/** What tells two sets of points apart. @param {import("./types.d.ts").Points["xy"]} xy */
export const fingerprint = (xy) =>
  new Uint8Array(unpacked(xy).buffer).reduce((hash, byte) => (hash * 31 + byte) | 0, 7);

/**
 * @typedef {{triplets: number, pairs: number}} Known how many answers the page knew of
 * @typedef {import("./requests.js").AnswerMessage} AnswerMessage
 * @typedef {{data: number, messages: AnswerMessage[], known: Known}} Unsent
 * @typedef {(message: AnswerMessage, known: Known) => boolean} IsThere
 * @param {string} door names the tool that keeps
 */
export function makeUnsent(door) {
  const read = (/** @type {string} */ name) =>
    /** @type {Unsent | null} */ (JSON.parse(sessionStorage.getItem(PREFIX + name) ?? "null"));
  const others = () =>
    Object.keys(sessionStorage).filter((name) => name.startsWith(PREFIX) && name !== PREFIX + door)
      .map((name) => name.slice(PREFIX.length));
  // A kernel may have died between writing an answer and saying so: then it is there, behind those that were known.
  /** @param {string} name @param {IsThere} isThere */
  const missing = (name, isThere) => {
    const { messages = [], known = { triplets: 0, pairs: 0 } } = read(name) ?? {};
    return messages.filter((message) => !isThere(message, known));
  };
  /** @param {string} name @param {IsThere} isThere */
  const take = (name, isThere) => {
    const messages = missing(name, isThere);
    sessionStorage.removeItem(PREFIX + name);
    return messages;
  };
  const about = (/** @type {number} */ data) => others().filter((name) => read(name)?.data === data);
  return {
    /**
     * Keep these instead of those before.
     * @param {number} data @param {AnswerMessage[]} messages @param {Known} known
     */
    put(data, messages, known) {
      if (messages.length) sessionStorage.setItem(PREFIX + door, JSON.stringify({ data, messages, known }));
      else sessionStorage.removeItem(PREFIX + door);
    },
    /** Take what this tool stored before the page was loaded again. */
    own: () => take(door, () => false), // the kernel counts what comes twice once
    /**
     * How many a tool that is gone has left for these points; `isThere` tells those that have arrived all the same.
     * @param {number} data @param {IsThere} isThere
     */
    left: (data, isThere) => about(data).flatMap((name) => missing(name, isThere)).length,
    /** Take what it left. @param {number} data @param {IsThere} isThere */
    inherit: (data, isThere) => about(data).flatMap((name) => take(name, isThere)),
  };
}
