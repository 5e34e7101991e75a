// The phone's page: shows one step after the other, sends what was answered, and goes on after sleep, reload or a lost
// connection.

import { VIEWS, dots, feedback, nameForm, page } from "./views.js";

const DEAD = 300; // ms in which the second tap of a double tap answers nothing
const PATIENCE = 12_000; // ms until a request is given up
const WAIT = 40_000; // ms for a request that waits for news
const KEYS = { y: "yes", n: "no", d: "dnk", 1: "yes", 2: "no", 3: "dnk" };

/** @type {(id: string) => any} */
const $ = (id) => document.getElementById(id);
const main = $("main"), label = $("label"), who = $("who"), lost = $("lost"), status = $("status"), back = $("back");
const NAME = `room ${location.pathname}`;

/** @type {{ token: string, name: string, queue: { step: string, value: any, seconds: number }[] }} */
let memory = { token: "", name: "", queue: [] };
try {
  memory = { ...memory, ...JSON.parse(localStorage.getItem(NAME) ?? "{}") };
} catch { /* no storage, as in some private windows: then a reload starts over */ }
/** @type {any[]} */
let steps = [];
let version = 0, state = "open", title = "", nicknames = false;
/** @type {any} */
let shown = null; // the step on the screen
let since = 0, visible = 0, timing = false; // how long it was seen
let sending = false, naming = false, failures = 0, shownAt = 0;
/** @type {Promise<void> | null} */
let joining = null;
const done = new Set(), sleepers = new Set();

function remember() {
  try {
    localStorage.setItem(NAME, JSON.stringify(memory));
  } catch { /* see above */ }
}

/** Ask the server; throws an error with a status, 0 when it can't be reached. */
async function call(path, body, patience = PATIENCE) {
  const headers = { "X-Participant": memory.token };
  if (body) headers["Content-Type"] = "application/json";
  let reply, content;
  try {
    /** @type {RequestInit} */
    const options = { method: body ? "POST" : "GET", headers, cache: "no-store", signal: AbortSignal.timeout(patience) };
    reply = await fetch(path, body ? { ...options, body: JSON.stringify(body) } : options);
    content = await reply.json();
  } catch {
    throw Object.assign(new Error("lost"), { status: 0 });
  }
  if (!reply.ok) throw Object.assign(new Error(content.error), { status: reply.status });
  connected(true);
  return content;
}

function connected(is, why = "No connection.") {
  failures = is ? 0 : failures + 1;
  lost.hidden = is;
  const waiting = memory.queue.length;
  lost.textContent = is ? "" : `${why} ${waiting ? "Your answers are stored here and sent" : "This page continues"} when it is back.`;
  back.disabled = !is;
  if (is) for (const image of main.querySelectorAll("img.failed")) {
    image.classList.remove("failed");
    image.src = `${image.dataset.src}?${Date.now()}`;
  }
}

/** Wait after something went wrong, longer each time; coming back to the page ends it. */
function pause() {
  const time = Math.min(8000, 700 * 2 ** failures) * (0.7 + 0.6 * Math.random());
  return new Promise((resolve) => {
    sleepers.add(resolve);
    setTimeout(resolve, time);
  });
}

function wake() {
  sleepers.forEach((resolve) => resolve());
  sleepers.clear();
}

/** Do what an error asks for; true when it is worth trying again. */
async function trouble(error) {
  if (error.status === 410 || error.status === 404) {
    state = "closed";
    show(null);
    return false;
  }
  if (error.status === 401) {
    memory.token = "";
    joining ??= join().finally(() => (joining = null));
    await joining;
    return true;
  }
  if (error.status === 0 || error.status >= 500) connected(false, error.status === 503 ? error.message : undefined);
  await pause();
  return true;
}

async function join(nickname) {
  for (;;) {
    try {
      const joined = await call("join", { token: memory.token, ...(nickname !== undefined && { nickname }) });
      ({ title, nicknames } = joined);
      document.title = title;
      if (!joined.token) nickname = await askName();
      else {
        memory = { ...memory, token: joined.token, name: joined.name };
        remember();
        return;
      }
    } catch (error) {
      if (!(await trouble(error))) await new Promise(() => {}); // closed: nothing more happens on this page
    }
  }
}

function askName() {
  return new Promise((resolve) => {
    naming = true;
    main.dataset.shown = "";
    const own = memory.name.startsWith("guest ") ? "" : memory.name;
    put(nameForm(title, own, (name) => {
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

function take(reply) {
  ({ version, state } = reply);
  const sent = new Set(memory.queue.map((answer) => answer.step));
  steps = reply.steps.filter((step) => !sent.has(step.id) && !done.has(step.id));
  prefetch(steps[1]);
  if (shown?.feeding && state === "open") return; // somebody reads the feedback of an answer
  show(steps[0] ?? null);
}

/** Store an answer, show the next step at once, and send. */
function answer(value) {
  const step = shown;
  if (!step || step.answered || performance.now() - shownAt < DEAD) return;
  step.answered = true;
  const seconds = Math.round((visible + (timing ? performance.now() - since : 0)) / 10) / 100;
  memory.queue.push({ step: step.id, value, seconds });
  remember();
  steps = steps.filter((other) => other.id !== step.id);
  if (step.feedback?.[value]) feed(step, value);
  else show(steps[0] ?? null);
  send();
}

/** Send the stored answers in their order; each is sent until the server has it. */
async function send() {
  if (sending) return;
  sending = true;
  let reply = null, dropped = false;
  while (memory.queue.length) {
    const [first] = memory.queue;
    try {
      reply = await call("answer", first);
    } catch (/** @type {any} */ error) {
      if (error.status === 400 || error.status === 409) {
        dropped = true;
        status.textContent = error.message;
      } else if (await trouble(error)) continue;
      else break;
    }
    done.add(first.step);
    memory.queue.shift();
    remember();
    if (!dropped) status.textContent = "Saved.";
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

function put(element) {
  main.replaceChildren(element);
  main.querySelector("h1")?.focus({ preventScroll: true });
  scrollTo(0, 0);
}

function show(step) {
  const same = step ? `${state} ${step.id}` : `${state} ${memory.queue.length > 0}`;
  if (naming || main.dataset.shown === same) return;
  main.dataset.shown = same;
  shown = state === "open" ? step : null;
  timing = false;
  visible = 0;
  label.textContent = shown?.label ?? "";
  who.hidden = !nicknames || state === "closed";
  who.textContent = `${memory.name} ✎`;
  who.setAttribute("aria-label", `${memory.name}: change the nickname`);
  back.hidden = !shown?.back;
  $("progress").hidden = shown?.progress == null;
  $("progress").value = shown?.progress ?? 0;
  if (state === "closed") put(page("quiet", "This room is closed", "Thank you for taking part. You can close this page."));
  else if (state === "paused") put(page("quiet", "A short pause", "The questions continue by themselves.", dots()));
  else if (!step) put(page("quiet", memory.queue.length ? "One moment" : "Thank you", "The next question comes by itself.", dots()));
  else put(VIEWS[step.kind](step, answer, call));
  shownAt = performance.now();
  start();
  // Time counts from when all pictures are there.
  const images = [...main.querySelectorAll("img")].map((image) => image.decode());
  if (images.length) Promise.allSettled(images).then(() => shown === step && start());
}

/** In practice: say whether an answer was right, until somebody continues. */
function feed(step, value) {
  step.feeding = true;
  timing = false;
  for (const button of main.querySelectorAll(".answers button")) {
    button.disabled = true;
    button.classList.toggle("picked", button.dataset.value === value);
  }
  const next = () => {
    step.feeding = false;
    show(steps[0] ?? null);
  };
  const said = feedback(step, value, next);
  main.firstChild.append(said);
  said.scrollIntoView({ block: "end" });
}

/** Fetch the pictures and sounds of the next question while this one is looked at. */
function prefetch(step) {
  for (const { kind, src } of step?.items ?? []) {
    if (kind === "image") new Image().src = src;
    else if (kind === "sound") fetch(src, { signal: AbortSignal.timeout(WAIT) }).catch(() => { /* later */ });
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
  timing = !document.hidden && Boolean(shown) && !shown.feeding;
});
addEventListener("online", () => wake());
addEventListener("keydown", (event) => {
  const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
  const value = KEYS[event.key.toLowerCase()];
  if (value && !typing && !event.repeat && !event.ctrlKey && !event.metaKey) main.querySelector(`.answers .${value}:enabled`)?.click();
});

show(null);
await join();
listen();
