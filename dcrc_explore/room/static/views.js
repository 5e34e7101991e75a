// What the phone shows: pages, forms, and questions with their items. Whatever comes from elsewhere is text, never markup.

import { say } from "./words.js";

/**
 * @typedef {import("../../widgets/static/shapes.d.ts").Attributes} Attributes
 * @typedef {import("../../widgets/static/shapes.d.ts").Child} Child
 * @typedef {import("../../widgets/static/types.d.ts").QuestionStep} QuestionStep
 * @typedef {import("../../widgets/static/types.d.ts").StepsSent["steps"][number]} Step
 * @typedef {import("../../widgets/static/types.d.ts").FieldSent} FieldSent
 * @typedef {import("../../widgets/static/types.d.ts").PlaneSent} PlaneSent
 * @typedef {QuestionStep["items"][number]} Card
 * @typedef {string | Record<string, FormDataEntryValue>} Value what was answered: a word, or what a form holds
 * @typedef {(value: Value) => void} Answer
 * @typedef {(path: "plane") => Promise<PlaneSent>} Call asks the server
 */

const LETTERS = ["A", "B", "C"];
/** @template {Element} T @param {T} element @param {Attributes} properties @param {Child[]} children */
function filled(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, String(value));
  }
  element.append(...present(children));
  return element;
}

/** @param {Child} child @returns {(Node | string)[]} */
function present(child) {
  if (child == null || child === false) return [];
  if (Array.isArray(child)) return child.flatMap(present);
  return [typeof child === "object" ? child : String(child)];
}

/**
 * Make an element; strings become text.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [properties]
 * @param {...Child} children
 */
export const h = (tag, properties = {}, ...children) => filled(document.createElement(tag), properties, children);

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [properties]
 * @param {...Child} children
 */
const svg = (tag, properties = {}, ...children) =>
  filled(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);

/** @param {string} kind @param {string} heading @param {string} text @param {...Child} more */
export function page(kind, heading, text, ...more) {
  return h("section", { class: `page ${kind}` }, h("h1", { tabindex: "-1" }, heading),
    text.split(/\n\s*\n/).filter((part) => part.trim()).map((part) => h("p", {}, part.replace(/\s*\n\s*/g, " "))), more);
}

export const dots = () => h("div", { class: "waiting", "aria-hidden": "true" }, h("i"), h("i"), h("i"));

/** The view of a step. @param {Step} step @param {Answer} answer what to do with an answer @param {Call} call */
export function view(step, answer, call) {
  if (step.kind === "question") return viewQuestion(step, answer, call);
  if (step.kind === "page") return viewPage(step, answer);
  if (step.kind === "form") return viewForm(step, answer);
  const code = [h("p", {}, say("completion")),
    h("p", { class: "completion" }, step.code)];
  return page("quiet", step.title, step.text, step.code ? code : []);
}

/** @param {QuestionStep} step @param {Answer} answer @param {Call} call */
function viewQuestion(step, answer, call) {
  const n = step.items.length;
  const kind = n === 3 ? "three" : "two";
  const heading = say(kind).split("*").map((part, t) => (t % 2 ? h("b", {}, part) : part));
  const points = step.items.flatMap((item) => (item.kind === "point" ? [item.at] : []));
  const cards = points.length ? drawPlane(points, call) : step.items.map(card);
  const buttons = ["yes", "no", "dnk"].filter((value) => value !== "dnk" || step.dnk).map((value) => {
    return h("button", { type: "button", class: value, "data-value": value, onclick: () => answer(value) },
      h("b", {}, say(value)), h("small", {}, say(`${kind}_${value}`)));
  });
  return h("section", { class: "question" }, h("h1", { tabindex: "-1" }, heading),
    h("div", { class: `cards ${points.length ? "plane" : kind}` }, cards),
    h("div", { class: "answers" }, buttons));
}

/** @param {Extract<Step, {kind: "page"}>} step @param {Answer} answer */
function viewPage(step, answer) {
  const agree = h("input", { type: "checkbox", onchange: () => (next.disabled = !agree.checked) });
  const next = h("button", {
    type: "button", class: "primary", disabled: Boolean(step.agree), onclick: () => answer("next"),
  }, step.button);
  const box = step.agree ? h("label", { class: "agree" }, agree, h("span", {}, step.agree)) : [];
  return page("", step.title, step.text, box, next);
}

/** @param {Extract<Step, {kind: "form"}>} step @param {Answer} answer */
function viewForm(step, answer) {
  const problem = h("p", { class: "problem", role: "alert" });
  const form = h("form", {
    novalidate: true,
    onsubmit(event) {
      event.preventDefault();
      const given = Object.fromEntries(new FormData(form));
      const missing = step.fields.find((each) => each.required && !String(given[each.id] ?? "").trim());
      if (missing) problem.textContent = say("please_answer", { what: missing.text });
      else answer(given);
    },
  }, step.fields.map(field), problem, h("button", { class: "primary" }, say("continue")));
  return page("", step.title, step.text, form);
}

/**
 * Ask for a nickname; `done` gets it, which may be empty.
 * @param {string} heading @param {string} name @param {(name: string) => void} done
 */
export function nameForm(heading, name, done) {
  const input = h("input", { type: "text", id: "nickname", maxlength: "24", autocomplete: "off", value: name });
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    done(input.value);
  };
  return h("form", { class: "page", onsubmit }, h("h1", { tabindex: "-1" }, heading),
    h("div", { class: "field" }, h("label", { for: "nickname" }, say("nickname")), input),
    h("button", { class: "primary" }, say("continue")));
}

/**
 * In practice: whether an answer was right, with a button to continue.
 * @param {QuestionStep} step @param {string} value @param {() => void} onclick
 */
export function feedback(step, value, onclick) {
  return h("div", { class: "feedback", role: "status" },
    h("p", {}, h("b", {}, say(value === step.right ? "right" : "not_right")), step.feedback[value]),
    h("button", { type: "button", class: "primary", onclick }, say("continue")));
}

function field(/** @type {FieldSent} */ { id, text, kind, options }) {
  const name = `field-${id}`;
  if (!options.length) {
    const long = kind === "long";
    return h("div", { class: "field" }, h("label", { for: name }, text),
      h(long ? "textarea" : "input", { id: name, name: id, maxlength: "2000", autocomplete: "off",
        ...(!long && { type: kind === "number" ? "number" : "text", step: "any" }) }));
  }
  const choices = options.map((option) => h("label", {}, h("input", { type: "radio", name: id, value: option }), h("span", {}, option)));
  return h("fieldset", { class: kind }, h("legend", {}, text), h("div", {}, choices));
}

function card(/** @type {Card} */ item, /** @type {number} */ t) {
  const letter = h("span", { class: "letter", "aria-hidden": "true" }, LETTERS[t]);
  return h("div", { class: "card", role: "group", "aria-label": LETTERS[t] }, letter, contentOf(item, LETTERS[t]));
}

/** What is inside a card. @param {Card} item @param {string} letter */
function contentOf(item, letter) {
  if (item.kind === "text") return textOf(item.text);
  if (item.kind === "sound") return soundOf(item.src, letter);
  return item.kind === "image" ? imageOf(item.src, letter) : null;
}

/** @param {string} src @param {string} letter */
function imageOf(src, letter) {
  return h("img", { src, alt: say("picture", { letter }), "data-src": src });
}

function textOf(/** @type {string} */ text) {
  const length = [...new Intl.Segmenter().segment(text)].length;
  const size = length <= 2 ? "sign" : length <= 60 ? "short" : "";
  return h("p", { class: `text ${size}`, tabindex: length > 200 && "0" }, text);
}

/** @param {string} src @param {string} letter */
function soundOf(src, letter) {
  const audio = h("audio", { src, preload: "auto" });
  const play = h("button", { type: "button", class: "play", "aria-label": say("play", { letter }) }, "▶");
  const mark = () => {
    play.classList.toggle("on", !audio.paused);
    play.textContent = audio.paused ? "▶" : "❚❚";
  };
  audio.onplay = audio.onpause = audio.onended = mark;
  play.onclick = () => {
    for (const other of document.querySelectorAll("audio")) if (other !== audio) other.pause();
    if (audio.paused) audio.play().catch(() => { /* not loaded yet */ });
    else audio.pause();
  };
  return [audio, play];
}

/** @type {PlaneSent["points"] | null} */
let plane = null; // all points, once they have come

function drawPlane(/** @type {number[][]} */ places, /** @type {Call} */ call) {
  const background = svg("g");
  const fill = (/** @type {PlaneSent["points"]} */ points) =>
    background.replaceChildren(...points.map(([cx, cy]) => svg("circle", { class: "dot", cx, cy, r: 9 })));
  if (plane) fill(plane);
  else call("plane").then(({ points }) => fill(plane = points)).catch(() => { /* the question itself is there */ });
  const chosen = places.map(([cx, cy], t) =>
    svg("g", {}, svg("circle", { class: "chosen", cx, cy, r: 40 }), svg("text", { x: cx, y: cy }, LETTERS[t])));
  return svg("svg", { viewBox: "-60 -60 1120 1120", role: "img", "aria-label": say("points") }, background, chosen);
}
