// What a person sees for a point: asked for when it is looked at, and kept as long as the data.

import { h, put } from "./dom.js";
import { clamp } from "./numbers.js";
import { LETTERS, called } from "./say.js";
import { makeSounds } from "./sounds.js";
import { isSign } from "./placeditems.js";

const KEPT = 3000; // small items in the browser
const AGAIN_AFTER = 5000; // ms without a reply; asking again takes the way that waits for one
const DETAILS = /^(image\/(png|jpeg)|text\/plain|audio\/\w+)$/; // nothing else is shown, whatever comes

/**
 * @typedef {import("./types.d.ts").RowDifference} RowDifference
 * @typedef {{text: string, problem: string, mime: string, url?: string, words?: string}} Item
 * @param {import("./shapes.d.ts").Ground} ground
 * @param {object} parts
 * @param {ReturnType<typeof import("./notices.js").makeSheet>} parts.sheet
 * @param {(text: string) => void} parts.say says why a key did nothing
 */
export function makeItems({ model, state, planes, stages, root, request, watch, hoverOver }, { sheet, say }) {
  /** @type {Map<number, Item>} */
  const known = new Map(); // by row
  /** @type {Map<number, number>} */
  const asked = new Map(); // row: when
  /** @type {Set<number>} */
  let wanted = new Set();
  /** @type {Map<number, ((item: Item) => void)[]>} */
  const fillers = new Map(); // row: what small pictures do when their item comes
  let generation = 0;
  let enlarged = -1; // the row whose detail is awaited
  const waiting = [() => showQuestion(compared)]; // draw again what waits for items
  /** @type {RowDifference[]} */
  let compared = []; // in what the rows of the question differ
  const cards = stages.map(() => h("div", { class: "dcrc-hover", "aria-hidden": "true", hidden: true }));
  stages.forEach((stage, p) => stage.append(cards[p]));

  const kind = () => model.get("data").items ?? null;
  const name = (/** @type {number} */ row) => called(model.get("data"), row);
  const detailOf = (/** @type {number} */ row) => send({ do: "items", rows: [row], key: generation, detail: true });
  const sounds = makeSounds(detailOf, (row) => {
    for (const each of /** @type {NodeListOf<HTMLElement>} */ (slots.querySelectorAll(".dcrc-item"))) {
      each.classList.toggle("playing", each.dataset.row === String(row));
    }
  });

  // ---- asking

  /** The item of a row, or undefined: then it is asked for, and what is shown is drawn again. */
  function get(/** @type {number} */ row) {
    if (!known.has(row) && performance.now() - (asked.get(row) ?? -Infinity) >= AGAIN_AFTER) {
      if (!wanted.size) queueMicrotask(ask);
      wanted.add(row);
    }
    return known.get(row);
  }

  function ask() {
    const rows = [...wanted];
    const again = rows.some((row) => asked.has(row));
    wanted = new Set();
    rows.forEach((row) => asked.set(row, performance.now()));
    send({ do: "items", rows, key: generation, detail: false }, again);
  }

  // Items change nothing, so they need not wait for an answer that is under way.
  function send(/** @type {import("./types.d.ts").Message} */ message, again = false) {
    if (again) return request(message);
    try {
      model.send({ ...message, passive: true, request: `items-${Math.random().toString(36).slice(2)}` });
    } catch {
      // The kernel is gone, which the next request tells.
    }
  }

  watch("msg:custom", ({ items, key, detail }, buffers = []) => {
    if (!items || key !== generation) return;
    items.forEach((head, at) => {
      const item = received(head, buffers[at]);
      if (detail && head.row === enlarged) return openSheet(head.row, item);
      if (detail) return sounds.take(head.row, item);
      asked.delete(head.row);
      keep(head.row, item);
    });
    showHover();
    waiting.forEach((show) => show());
  });

  function keep(/** @type {number} */ row, /** @type {Item} */ item) {
    known.set(row, item);
    fillers.get(row)?.forEach((fill) => fill(item));
    fillers.delete(row);
    if (known.size <= KEPT) return;
    const [[oldest, { url }]] = known;
    if (url) URL.revokeObjectURL(url);
    known.delete(oldest);
  }

  function forget() {
    for (const { url } of known.values()) if (url) URL.revokeObjectURL(url);
    known.clear();
    asked.clear();
    wanted.clear();
    fillers.clear();
    sounds.stop();
    enlarged = -1;
    generation += 1;
    about();
  }

  /** Whether items are texts of more than a sign, which need a line of their own. */
  const isLong = () => kind() === "texts" && !(model.get("data").names?.every(isSign) ?? false);

  /** Note on the tool what the items are. */
  function about() {
    root.setAttribute("data-items", kind() ?? "none");
    root.toggleAttribute("data-long", isLong());
  }

  // ---- one item

  /** What is seen of an item: a picture, or words. @param {number} row @param {Item | undefined} item */
  function body(row, item, { large = false } = {}) {
    if (!item) return h("span", { class: "dcrc-item-waits" }, "…");
    const { mime, url, words, text, problem } = item;
    if (problem) return h("span", { class: "dcrc-item-problem" }, problem);
    if (mime === "text/plain") return h("span", { class: "dcrc-item-words" }, words);
    if (mime.startsWith("audio/")) return h("audio", { src: url, controls: true, autoplay: large });
    return h("img", { src: url, alt: text, draggable: "false", "data-row": row });
  }

  /** A point in a line of text: its item, small, once that is there; the number of a point that has none to show. */
  function thumbnail(/** @type {number} */ row) {
    if (!kind() || kind() === "rows") return name(row);
    const node = h("span", { class: "dcrc-thumb", "data-row": row, title: name(row) }, name(row));
    const fill = (/** @type {Item} */ { url, mime, text, problem }) => {
      if (problem) return;
      node.title = text;
      const isImage = url && mime.startsWith("image/");
      put(node, isImage ? h("img", { src: url, alt: text, draggable: "false" }) : text);
    };
    const item = get(row);
    if (item) fill(item);
    else fillers.set(row, [...(fillers.get(row) ?? []), fill]);
    return node;
  }
  for (const plane of planes) plane.itemOf = thumbnail;

  /** A button with an item, which enlarges it. @param {number} row @param {string} [letter] @param {string} [hint] */
  function card(row, letter, hint) {
    const item = get(row);
    const about = `${letter ? `${letter}: ` : ""}${item?.problem || item?.text || name(row)}`;
    const plays = letter && kind() === "sounds";
    const keys = hint || (plays ? `${letter} plays it, a click enlarges it` : "click to enlarge");
    return h("button", {
      type: "button", class: "dcrc-item", "data-row": row, title: `${name(row)}: ${keys}`,
      "aria-label": hint ? about : `${about}. Enlarge`, onclick: () => enlarge(row),
      onpointerenter: () => hoverOver(row, -1), onpointerleave: () => hoverOver(-1),
    }, letter && h("b", { class: "dcrc-pill chosen" }, letter), body(row, item),
    plays && h("kbd", { class: "dcrc-play" }, `▶ ${letter}`));
  }

  function enlarge(/** @type {number} */ row) {
    sounds.stop();
    enlarged = row;
    detailOf(row);
  }

  function openSheet(/** @type {number} */ row, /** @type {Item} */ item) {
    enlarged = -1;
    const letter = LETTERS[state.picks.indexOf(row)];
    const words = kind() === "rows" || item.mime.startsWith("audio/") ? item.text : "";
    sheet.open(`${letter ? `${letter}, ` : ""}${name(row)}`,
      h("div", { class: "dcrc-large" }, body(row, item, { large: true }), words && h("pre", {}, words)));
  }

  // ---- beside the pointer

  function showHover() {
    const { hover, hoverOn } = state;
    cards.forEach((node, p) => {
      node.hidden = hover < 0 || p !== hoverOn || !kind() || !planes[p].at;
      if (node.hidden) return;
      const item = get(hover);
      const lines = kind() === "rows" && item?.text.split("\n").slice(0, 6).join("\n");
      put(node, body(hover, item), lines && h("pre", {}, lines));
      const [x, y] = planes[p].where(hover);
      const { width, height } = planes[p].size;
      const reach = planes[p].radius + 22;
      const left = x + reach + node.offsetWidth > width ? x - reach - node.offsetWidth : x + reach;
      node.style.setProperty("left", `${clamp(left, 4, width - node.offsetWidth - 4)}px`);
      node.style.setProperty("top", `${clamp(y - node.offsetHeight / 2, 4, height - node.offsetHeight - 4)}px`);
    });
  }

  // ---- the question

  const slots = h("div", { class: "dcrc-items", role: "group", "aria-label": "The three items" });
  let drawn = "";

  /** Show A, B and C; of rows also what differs most, once Python has said so. */
  function showQuestion(differences = /** @type {RowDifference[]} */ ([])) {
    compared = differences;
    slots.hidden = !kind();
    if (slots.hidden) return;
    const { picks } = state;
    sounds.keepTo(picks);
    const key = `${generation} ${picks} ${picks.map((row) => known.has(row))} ${differences.length}`;
    if (key === drawn) return;
    drawn = key;
    slots.dataset.kind = differences.length ? "table" : kind() ?? "";
    // Before the words have come, it looks as for the last question: nothing jumps.
    const words = picks.map((row) => known.get(row)?.words);
    if (kind() !== "texts" || (picks.length && words.every(Boolean))) {
      slots.toggleAttribute("data-signs", kind() === "texts" && words.every(isSign));
    }
    put(slots, differences.length ? table(picks, differences) : LETTERS.map((letter, t) =>
      t < picks.length ? card(picks[t], letter)
        : h("span", { class: "dcrc-item empty" }, h("b", { class: "dcrc-pill" }, letter))));
  }

  function table(/** @type {number[]} */ picks, /** @type {RowDifference[]} */ differences) {
    const named = (/** @type {number} */ row, /** @type {number} */ t) => h("th", { scope: "col" }, h("button", {
      type: "button", class: "dcrc-pill chosen", title: `${name(row)}: all its values`, onclick: () => enlarge(row),
    }, LETTERS[t]));
    const cell = (/** @type {string} */ value, /** @type {number} */ deviation) => h("td", {
      class: deviation < 0 ? "below" : "above", title: `${deviation.toFixed(1)} standard deviations from the mean`,
      style: { "--share": `${Math.round(clamp(Math.abs(deviation) / 2.5, 0, 1) * 55)}%` },
    }, value);
    return h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "differ most in"), picks.map(named))),
      h("tbody", {}, differences.map(({ feature, values, deviations }) => h("tr", {},
        h("th", { scope: "row", title: feature }, feature), values.map((value, t) => cell(value, deviations[t]))))));
  }

  /** What a key does that plays A, B or C; nothing where there is nothing to hear. */
  function playing(/** @type {string} */ key) {
    const t = LETTERS.indexOf(key.toUpperCase());
    if (t < 0 || kind() !== "sounds") return null;
    const nothing = () => say(`There is no ${LETTERS[t]} to play yet.`);
    return () => (t < state.picks.length ? sounds.play(state.picks[t]) : nothing());
  }

  const whenCome = (/** @type {() => void} */ show) => waiting.push(show);
  return {
    slots, playing, showQuestion, showHover, forget, get, card, enlarge, thumbnail, kind, isLong, about, whenCome,
  };
}

/**
 * An item as it came: a head and bytes.
 * @param {import("./types.d.ts").ItemSent} head @param {DataView<ArrayBuffer>} view @returns {Item}
 */
function received({ mime, text, problem }, view) {
  const known = DETAILS.test(mime);
  const item = { text, problem: known ? problem : problem || "This cannot be shown.", mime };
  if (mime === "text/plain") return { ...item, words: new TextDecoder().decode(view) };
  return known ? { ...item, url: URL.createObjectURL(new Blob([view], { type: mime })) } : item;
}
