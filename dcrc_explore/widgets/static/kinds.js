// The kinds of controls: how each is drawn, how it shows a value, and what a person's hand on it sends.

import { h, setDisabled } from "./dom.js";
import { focused } from "./host.js";
import { makeSwitch } from "./tabs.js";

/**
 * @typedef {import("./types.d.ts").ControlSent} Sent
 * @typedef {import("./shapes.d.ts").Value} Value
 * @typedef {(value: Value) => void} Send
 * @typedef {object} Drawn
 * @property {HTMLElement} node
 * @property {(value: Value) => void} show
 * @property {(off: boolean) => void} [disable]
 */

/** Values travel as they are; elements hold texts. */
const key = (/** @type {Value} */ value) => JSON.stringify(value);
const fromKey = (/** @type {string} */ text) => /** @type {Value} */ (JSON.parse(text));

/** @type {Record<string, (control: Sent, send: Send, enter: () => void) => Drawn>} */
export const KINDS = {
  choice({ label, options = [] }, send) {
    const node = makeSwitch(options.map((each) => [key(each.value), each.label, ""]), label, "",
      (/** @type {string} */ chosen) => send(fromKey(chosen)));
    node.classList.add("dcrc-segments");
    options.forEach(({ help }, at) => describe(node.children[at], help));
    return { node, show: (value) => node.press(key(value)) };
  },
  switch({ words, label }, send) {
    const box = h("input", {
      type: "checkbox", role: "switch", "aria-label": label ? `${label}: ${words}` : null,
      onchange: () => send(box.checked),
    });
    const node = h("label", { class: "dcrc-onoff" }, box, h("span", {}, words));
    return { node, show: (value) => (box.checked = value === true), disable: (off) => (box.disabled = off) };
  },
  toggle({ words, label }, send) {
    const name = label ? `${label}: ${words}` : null;
    const node = h("button", { type: "button", class: "dcrc-button", "aria-label": name }, words);
    node.addEventListener("click", () => send(node.getAttribute("aria-pressed") !== "true"));
    return { node, show: (value) => node.setAttribute("aria-pressed", String(value)) };
  },
  button({ words }, send) {
    const press = () => node.getAttribute("aria-disabled") !== "true" && send(null);
    const node = h("button", { type: "button", class: "dcrc-button", onclick: press }, words);
    return { node, show() {}, disable: (off) => setDisabled(node, off) };
  },
  menu({ label, help, options = [] }, send) {
    const items = options.map((each) =>
      h("option", { value: key(each.value), title: each.help || null }, each.label));
    const node = h("select", { "aria-label": label ?? help, onchange: () => send(fromKey(node.value)) }, items);
    return { node, show: (value) => (node.value = key(value)), disable: (off) => (node.disabled = off) };
  },
  text({ label, words }, send, enter) {
    let known = "";
    const leave = () => node.value !== known && send((known = node.value));
    const node = h("input", {
      type: "text", placeholder: words, spellcheck: "false", autocomplete: "off", "aria-label": label, onblur: leave,
      onkeydown(/** @type {KeyboardEvent} */ event) {
        if (event.key !== "Enter" || event.shiftKey) return;
        leave();
        enter();
      },
    });
    return { node, show: (value) => node !== focused() && (node.value = known = String(value ?? "")) };
  },
  words: () => {
    const node = h("p", { class: "dcrc-about" });
    return {
      node,
      show(value) {
        node.textContent = String(value ?? "");
        node.hidden = !value;
      },
    };
  },
  progress({ help }) {
    const node = h("progress", { max: 1, "aria-label": help });
    return { node, show: (value) => (node.value = Number(value)) };
  },
  slider: makeSlider,
  columns: makeColumns,
};

/** Say what a node does, to who looks at it and to who hears it. @param {Element} node @param {string} [help] */
export function describe(node, help) {
  if (!help) return;
  node.setAttribute("data-help", help);
  node.setAttribute("aria-description", help);
}

const written = (/** @type {number} */ value) => String(Number(value.toPrecision(3)));

/** @param {Sent} control @param {Send} send @returns {Drawn} */
function makeSlider({ label, options, limits = [0, 1, 1], marks = [], late }, send) {
  const [low, high, step] = limits;
  /** @type {[Value, string][]} */
  let places = options?.map((each) => [each.value, each.label]) ?? steps(low, high, step);
  const exact = !options; // then a number may be typed, too
  const track = h("input", { type: "range", min: 0, step: 1, "aria-label": label });
  const number = exact
    ? h("input", { type: "text", class: "dcrc-readout", inputmode: "decimal", "aria-label": `${label} as a number` })
    : h("output", { class: "dcrc-readout" });
  const place = (/** @type {import("./types.d.ts").Mark} */ { value, label: text }) =>
    h("span", { style: { "--share": (value - low) / (high - low) } }, text);
  const node = h("span", { class: "dcrc-slider" },
    h("span", { class: "dcrc-track" }, track,
      marks.length > 0 && h("span", { class: "dcrc-marks", "aria-hidden": "true" }, marks.map(place))), number);

  function mark(/** @type {number} */ at) {
    const text = places[at][1];
    track.value = String(at);
    track.style.setProperty("--share", String(at / Math.max(1, places.length - 1)));
    track.setAttribute("aria-valuetext", text);
    if (number !== focused()) number[exact ? "value" : "textContent"] = text;
  }
  track.addEventListener("input", () => {
    mark(Number(track.value));
    if (!late) send(places[Number(track.value)][0]);
  });
  if (late) track.addEventListener("change", () => send(places[Number(track.value)][0]));
  number.addEventListener("change", () => {
    const value = Number(number.value.replace(",", "."));
    if (number.value.trim() && Number.isFinite(value)) send(value);
  });

  return {
    node,
    show(value) {
      if (!places.some(([each]) => each === value)) {
        // A value between the places of the slider has a place of its own, as long as it is the case.
        places = [...steps(low, high, step), /** @type {[Value, string]} */ ([value, written(Number(value))])];
        places.sort(([one], [two]) => Number(one) - Number(two));
      }
      track.max = String(places.length - 1);
      mark(places.findIndex(([each]) => each === value));
    },
    disable(off) {
      track.disabled = off;
      if (exact) number.toggleAttribute("disabled", off);
    },
  };
}

/** @param {number} low @param {number} high @param {number} step @returns {[number, string][]} */
function steps(low, high, step) {
  const n = Math.ceil((high - low) / step - 1e-9);
  const values = Array.from({ length: n + 1 }, (_, t) => (t === n ? high : Number((low + t * step).toPrecision(9))));
  return values.map((value) => [value, Number.isInteger(value) ? String(value) : written(value)]);
}

const PARTS = [["feature", "feature"], ["class", "class"], ["items", "shown"], ["ignore", "left out"]];
const ALONE = ["class", "items"]; // one column at most is one of these

/**
 * What each column of a table is: a line for each, with a choice.
 * @param {Sent} control @param {Send} send @returns {Drawn}
 */
function makeColumns({ options = [] }, send) {
  /** @type {string[]} */
  let parts = [];
  // Shown at once: the next choice goes on from this one, also before the kernel has replied.
  const choose = (/** @type {number} */ d, /** @type {string} */ part) => {
    const others = parts.map((old) => (old === part && ALONE.includes(part) ? "ignore" : old));
    show(others.with(d, part));
    send(parts);
  };
  const selects = options.map(({ label }, d) => {
    const select = h("select", { "aria-label": `What ${label} is`, onchange: () => choose(d, select.value) },
      PARTS.map(([value, text]) => h("option", { value }, text)));
    return select;
  });
  const lines = options.map(({ label, help }, d) => h("label", { class: "dcrc-column" },
    h("span", { class: "dcrc-column-words", title: `${label}: ${help}` }, h("b", {}, label), h("small", {}, help)),
    selects[d]));
  function show(/** @type {Value} */ value) {
    parts = /** @type {string[]} */ (value);
    selects.forEach((select, d) => {
      select.value = parts[d];
      lines[d].classList.toggle("ignored", parts[d] === "ignore");
    });
  }
  return { node: h("div", { class: "dcrc-columns" }, lines), show };
}
