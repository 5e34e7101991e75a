// The phone's page: shows one step after the other, sends what was answered, and goes on after sleep, reload or a lost
// connection.

import { dots, feedback, nameForm, page, view } from "./views.js";
import { say } from "./words.js";

/**
 * @typedef {import("./views.js").Step & {answered?: boolean, feeding?: boolean}} Step and what has become of it here
 * @typedef {import("./views.js").Value} Value
 * @typedef {import("../../widgets/static/types.d.ts").StepsSent} StepsSent
 * @typedef {import("../../widgets/static/types.d.ts").JoinedSent} JoinedSent
 * @typedef {import("../../widgets/static/types.d.ts").PlaneSent} PlaneSent
 * @typedef {{join: JoinedSent, plane: PlaneSent, answer: StepsSent, back: StepsSent}} Replies by path
 * @typedef {Replies & {[news: `steps?seen=${number}`]: StepsSent}} Every
 */

const DEAD = 300; // ms in which the second tap of a double tap answers nothing
const PATIENCE = 12_000; // ms until a request is given up
const WAIT = 40_000; // ms for a request that waits for news
/** @type {Record<string, string | undefined>} */
const KEYS = { y: "yes", n: "no", d: "dnk", 1: "yes", 2: "no", 3: "dnk" };

/** @template {HTMLElement} T @param {string} id @param {new () => T} kind @returns {T} */
function find(id, kind) {
  const node = document.getElementById(id);
  if (!(node instanceof kind)) throw new Error(`no ${id} on the page`);
  return node;
}
const main = find("main", HTMLElement), label = find("label", HTMLElement), lost = find("lost", HTMLElement);
const status = find("status", HTMLElement), progress = find("progress", HTMLProgressElement);
const who = find("who", HTMLButtonElement), back = find("back", HTMLButtonElement);
const NAME = `room ${location.pathname}`;

/** @type {{ token: string, name: string, nickname: string, queue: { step: string, value: Value, seconds: number, tried?: boolean }[] }} */
let memory = { token: "", name: "", nickname: "", queue: [] };
try {
  memory = { ...memory, ...JSON.parse(localStorage.getItem(NAME) ?? "{}") };
} catch { /* no storage, as in some private windows: then a reload starts over */ }
/** @type {Step[]} */
let steps = [];
let version = 0, title = "", nicknames = false;
/** @type {StepsSent["state"]} */
let state = "open";
/** @type {Step | null} */
let shown = null; // the step on the screen
let since = 0, visible = 0, timing = false; // how long it was seen
let sending = false, naming = false, failures = 0, shownAt = 0;
/** @type {Promise<void> | null} */
let joining = null;
/** @type {Set<string>} */
const done = new Set();
/** @type {Set<() => void>} */
const sleepers = new Set();

/** What a request failed with; the status is 0 when the server can't be reached. */
class Failed extends Error {
  /** @param {string} message @param {number} status */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

function remember() {
  try {
    localStorage.setItem(NAME, JSON.stringify(memory));
  } catch { /* see above */ }
}

/**
 * Ask the server; throws `Failed`.
 * @template {keyof Every} Path
 * @param {Path} path @param {Record<string, Value | number> | null} [body] @returns {Promise<Every[Path]>}
 */
async function call(path, body, patience = PATIENCE) {
  const headers = { "X-Participant": memory.token, ...(body && { "Content-Type": "application/json" }) };
  let reply, content;
  try {
    /** @type {RequestInit} */
    const options = { method: body ? "POST" : "GET", headers, cache: "no-store", signal: AbortSignal.timeout(patience) };
    reply = await fetch(path, body ? { ...options, body: JSON.stringify(body) } : options);
    content = await reply.json();
  } catch {
    throw new Failed("lost", 0);
  }
  if (!reply.ok) throw new Failed(content.error, reply.status);
  connected(true);
  return content;
}

function connected(/** @type {boolean} */ is, why = say("no_connection")) {
  failures = is ? 0 : failures + 1;
  lost.hidden = is || state === "closed";
  lost.textContent = is ? "" : `${why} ${say(memory.queue.length ? "answers_wait" : "page_waits")}`;
  back.disabled = !is;
}

/** Wait after something went wrong, longer each time; coming back to the page ends it. */
function pause() {
  const time = Math.min(8000, 700 * 2 ** failures) * (0.7 + 0.6 * Math.random());
  return new Promise((/** @type {(woken?: undefined) => void} */ resolve) => {
    sleepers.add(resolve);
    setTimeout(resolve, time);
  });
}

function wake() {
  sleepers.forEach((resolve) => resolve());
  sleepers.clear();
}

/** Do what an error asks for; true when it is worth trying again. @param {unknown} error */
async function trouble(error) {
  const { status: code, message } = error instanceof Failed ? error : new Failed("", NaN);
  if (code === 410 || code === 404) {
    state = "closed";
    lost.hidden = true;
    show(null);
    return false;
  }
  if (code === 401) {
    memory = { ...memory, token: "", queue: [] }; // answers of somebody else than the one who joins now
    joining ??= join().finally(() => (joining = null));
    await joining;
    return true;
  }
  if (code === 0 || code >= 500) connected(false, code === 503 ? message : undefined);
  await pause();
  return true;
}

async function join(/** @type {string | undefined} */ nickname = undefined) {
  for (;;) {
    try {
      const joined = await call("join", { token: memory.token, ...(nickname !== undefined && { nickname }) });
      ({ title, nicknames } = joined);
      document.title = title;
      if (!joined.token) nickname = await askName();
      else {
        memory = { ...memory, token: joined.token, name: joined.name ?? "", nickname: joined.nickname ?? "" };
        remember();
        return;
      }
    } catch (error) {
      if (!(await trouble(error))) await new Promise(() => {}); // closed: nothing more happens on this page
    }
  }
}

/** @returns {Promise<string>} */
function askName() {
  return new Promise((resolve) => {
    naming = true;
    main.dataset.shown = "";
    put(nameForm(title, memory.nickname, (name) => {
      naming = false;
      resolve(name);
    }));
  });
}

/** Listen for news: each request waits until there are some. */
async function listen() {
  for (let going = true; going;) {
    try {
      take(await call(`steps?seen=${version}`, null, version ? WAIT : PATIENCE));
      send();
    } catch (error) {
      going = await trouble(error);
    }
  }
}

function take(/** @type {StepsSent} */ reply) {
  ({ version, state } = reply);
  const sent = new Set(memory.queue.map((answer) => answer.step));
  steps = reply.steps.filter((step) => !sent.has(step.id) && !done.has(step.id));
  prefetch(steps[1]);
  if (shown?.feeding && state === "open") return; // somebody reads the feedback of an answer
  show(steps[0] ?? null);
}

/** Store an answer, show the next step at once, and send. */
function answer(/** @type {Value} */ value) {
  const step = shown;
  if (!step || step.answered || performance.now() - shownAt < DEAD) return;
  step.answered = true;
  const seconds = Math.round((visible + (timing ? performance.now() - since : 0)) / 10) / 100;
  memory.queue.push({ step: step.id, value, seconds });
  remember();
  steps = steps.filter((other) => other.id !== step.id);
  if (step.kind === "question" && typeof value === "string" && step.feedback[value]) feed(step, value);
  else show(steps[0] ?? null);
  send();
}

/** Send the stored answers in their order; each is sent until the server has it. */
async function send() {
  if (sending) return;
  sending = true;
  /** @type {StepsSent | null} */
  let reply = null;
  let dropped = false;
  while (memory.queue.length) {
    const [first] = memory.queue;
    const again = first.tried;
    first.tried = true;
    remember();
    try {
      const { step, value, seconds } = first;
      reply = await call("answer", { step, value, seconds });
      const isOther = reply.saved === "before" && !again; // as from another tab
      status.textContent = say(isOther ? "answered_before" : "saved");
    } catch (error) {
      if (error instanceof Failed && (error.status === 400 || error.status === 409)) {
        dropped = true;
        status.textContent = error.message;
      } else if (await trouble(error)) continue;
      else break;
    }
    done.add(first.step);
    memory.queue.shift();
    remember();
  }
  sending = false;
  if (reply) take(reply);
  else if (dropped) take(await call("steps?seen=0").catch(() => ({ version, state, steps })));
}

back.onclick = async () => {
  if (sending || memory.queue.length) return;
  try {
    take(await call("back", {}));
  } catch (error) {
    await trouble(error);
  }
};

who.onclick = async () => {
  await join(await askName());
  show(steps[0] ?? null);
};

function put(/** @type {HTMLElement} */ element) {
  main.replaceChildren(element);
  main.querySelector("h1")?.focus({ preventScroll: true });
  scrollTo(0, 0);
}

function show(/** @type {Step | null} */ step) {
  const same = step ? `${state} step ${step.id}` : `${state} without a step, ${memory.queue.length} unsent`;
  if (naming || main.dataset.shown === same) return;
  main.dataset.shown = same;
  shown = state === "open" ? step : null;
  timing = false;
  visible = 0;
  label.textContent = shown?.label ?? "";
  who.hidden = !nicknames || state === "closed";
  who.textContent = `${memory.name} ✎`;
  who.setAttribute("aria-label", say("change_nickname", { name: memory.name }));
  back.hidden = !shown?.back;
  progress.hidden = shown?.progress == null;
  progress.value = shown?.progress ?? 0;
  const n = memory.queue.length;
  if (state === "closed") put(page("quiet", say("closed"), `${n ? say("late", { n }) : ""}\n\n${say("closed_text")}`));
  else if (state === "paused") put(page("quiet", say("pause"), say("pause_text"), dots()));
  else if (!step) put(page("quiet", say(n ? "moment" : "thanks"), say("next_comes"), dots()));
  else put(view(step, answer, call));
  shownAt = performance.now();
  start();
  look(step);
}

/** Take answers only once all pictures are there; time counts from then on. @param {Step | null} step */
async function look(step) {
  const images = [...main.querySelectorAll("img")];
  if (!images.length) return;
  const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (main.querySelectorAll(".answers button"));
  for (const button of buttons) button.disabled = true;
  const loaded = await Promise.allSettled(images.map((image) => image.decode()));
  if (shown !== step) return;
  if (loaded.some(({ status: how }) => how === "rejected")) {
    status.textContent = say("loading");
    await pause();
    if (shown !== step) return;
    for (const image of images) if (!image.naturalWidth) image.src = `${image.dataset.src}?${Date.now()}`;
    return look(step);
  }
  for (const button of buttons) button.disabled = false;
  start();
}

/**
 * In practice: say whether an answer was right, until somebody continues.
 * @param {Extract<Step, {kind: "question"}>} step @param {string} value
 */
function feed(step, value) {
  step.feeding = true;
  timing = false;
  const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (main.querySelectorAll(".answers button"));
  for (const button of buttons) {
    button.disabled = true;
    button.classList.toggle("picked", button.dataset.value === value);
  }
  const next = () => {
    step.feeding = false;
    show(steps[0] ?? null);
  };
  const said = feedback(step, value, next);
  main.firstElementChild?.append(said);
  said.scrollIntoView({ block: "end" });
}

/** Fetch the pictures and sounds of the next question while this one is looked at. */
function prefetch(/** @type {Step | undefined} */ step) {
  for (const item of step?.kind === "question" ? step.items : []) {
    if (item.kind === "image") new Image().src = item.src;
    else if (item.kind === "sound") fetch(item.src, { signal: AbortSignal.timeout(WAIT) }).catch(() => { /* later */ });
  }
}

function start() {
  visible = 0;
  since = performance.now();
  timing = !document.hidden;
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden && timing) visible += performance.now() - since;
  if (!document.hidden) {
    since = performance.now();
    wake();
    if (memory.queue.length) send();
  }
  timing = !document.hidden && shown !== null && !shown.feeding;
});
addEventListener("online", () => wake());
addEventListener("keydown", (event) => {
  const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
  const value = KEYS[event.key.toLowerCase()];
  if (value && !typing && !event.repeat && !event.ctrlKey && !event.metaKey) press(value);
});

const press = (/** @type {string} */ value) =>
  /** @type {HTMLButtonElement | null} */ (main.querySelector(`.answers .${value}:enabled`))?.click();

show(null);
await join();
listen();
