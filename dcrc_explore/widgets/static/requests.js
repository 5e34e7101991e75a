// Requests to Python: one under way, the rest waits in order; what a newer one replaces is dropped, nothing else is.
// A request carries an id, so that Python counts one that is sent twice once. It is sent again when no reply comes.

const LATEST = ["suggest", "preview", "replay", "panels", "why", "hello"]; // only the latest of each matters
const PASSING = ["preview", "replay", "panels", "why"]; // about a picture that any other action replaces
const LATE_AFTER = 8000; // ms without a reply before we say so and send again
const LONGEST = 60000;
const DROPPED_AFTER = 1000; // ms after the kernel has finished with a message that it did not reply to

// deliver(message, finished, again): hand a message to the kernel, or throw when there is none; `finished` is called
// when the kernel says that it is through with it. told(state): "idle", "waiting", "late" or "gone".
function makeRequests(deliver, told, clock = globalThis) {
  const page = Math.random().toString(36).slice(2) + Date.now().toString(36);
  let waiting = [];
  let underway = null;
  let count = 0;
  let attempts = 0;
  let timer = null;
  let state = "idle";

  const tell = (now) => told((state = now));

  function add(message) {
    const stale = LATEST.includes(message.do) ? [message.do] : PASSING;
    waiting = [...waiting.filter((other) => !stale.includes(other.do)), message];
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
    const message = underway;
    clock.clearTimeout(timer);
    const finished = () => {
      if (message === underway && state !== "gone") wait(DROPPED_AFTER);
    };
    try {
      deliver(message, finished, attempts++ > 0);
    } catch {
      return tell("gone");
    }
    wait(LATE_AFTER);
    tell(attempts > 1 ? "late" : "waiting");
  }

  // Try again after a while, which doubles with each attempt.
  function wait(first) {
    clock.clearTimeout(timer);
    timer = clock.setTimeout(transmit, Math.min(first * 2 ** (attempts - 1), LONGEST));
  }

  return {
    add,
    // Python has finished the request with this id.
    finish(id) {
      if (underway?.request !== id) return;
      clock.clearTimeout(timer);
      underway = null;
      advance();
      if (!underway) tell("idle");
    },
    get state() {
      return state;
    },
    get underway() {
      return underway;
    },
    // Answers that Python has not acknowledged, with their ids.
    get unanswered() {
      return [underway, ...waiting].filter((message) => message?.do === "answer");
    },
    stop: () => clock.clearTimeout(timer),
  };
}
