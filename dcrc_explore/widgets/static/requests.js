// Requests to Python: one under way, the rest waits in order; what a newer one replaces is dropped, nothing else is.
// A request carries an id, so that Python counts one that is sent twice once. It is sent again when no reply comes.

import { VERBS } from "./protocol.js";

const LATE_AFTER = 8000; // ms without a reply before we say so and send again
const LONGEST = 60000;
const DROPPED_AFTER = 1000; // ms after the kernel has finished with a message that it did not reply to

/** @typedef {Extract<Message, {do: "answer"}>} AnswerMessage */

/** @param {Message | null} message @returns {message is AnswerMessage} */
const isAnswer = (message) => message?.do === "answer";

/**
 * @typedef {import("./types.d.ts").Message} Message
 * @typedef {"idle" | "waiting" | "late" | "gone"} RequestState
 *
 * @param {(message: Message, finished: () => void, again: boolean) => void} deliver hands a message to the kernel, or
 *   throws when there is none; `finished` is called when the kernel says that it is through with it
 * @param {(state: RequestState) => void} changed
 */
export function makeRequests(deliver, changed) {
  const page = Math.random().toString(36).slice(2) + Date.now().toString(36);
  /** @type {Message[]} */
  let waiting = [];
  /** @type {Message | null} */
  let underway = null;
  let count = 0;
  let attempts = 0;
  /** @type {number | undefined} */
  let timer;
  /** @type {RequestState} */
  let state = "idle";

  const become = (/** @type {RequestState} */ now) => changed((state = now));

  function add(/** @type {Message} */ message) {
    const { latest, passive } = VERBS[message.do];
    const named = (/** @type {Message} */ each) => ("name" in each ? each.name : "");
    const isStale = (/** @type {Message} */ other) =>
      latest ? other.do === message.do && named(other) === named(message) : VERBS[other.do].passing;
    waiting = [...waiting.filter((other) => !isStale(other)), passive ? { ...message, passive } : message];
    if (state === "gone") transmit(); // it may be back
    else advance();
  }

  function advance() {
    if (underway || !waiting.length) return;
    const [next, ...rest] = waiting;
    waiting = rest;
    underway = { ...next, request: next.request ?? `${page}-${++count}` };
    attempts = 0;
    transmit();
  }

  function transmit() {
    const message = /** @type {Message} */ (underway);
    clearTimeout(timer);
    const finished = () => {
      if (message === underway && state !== "gone") wait(DROPPED_AFTER);
    };
    try {
      deliver(message, finished, attempts++ > 0);
    } catch {
      return become("gone");
    }
    wait(LATE_AFTER);
    become(attempts > 1 ? "late" : "waiting");
  }

  // Try again after a while, which doubles with each attempt.
  function wait(/** @type {number} */ first) {
    clearTimeout(timer);
    timer = setTimeout(transmit, Math.min(first * 2 ** (attempts - 1), LONGEST));
  }

  return {
    add,
    // Python has finished the request with this id.
    finish(/** @type {string} */ id) {
      if (underway?.request !== id) return;
      clearTimeout(timer);
      underway = null;
      advance();
      if (!underway) become("idle");
    },
    get state() {
      return state;
    },
    get underway() {
      return underway;
    },
    /** Whether a message is under way or waits. @param {(message: Message) => boolean} is */
    has: (is) => [underway, ...waiting].some((message) => message !== null && is(message)),
    // Answers that Python has not acknowledged, with their ids.
    get unanswered() {
      return [underway, ...waiting].filter(isAnswer);
    },
    stop: () => clearTimeout(timer),
  };
}
