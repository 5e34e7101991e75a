// A class on the projector: where phones join, who is there, votes, and what the lecturer does.

import { button, h, put, setDisabled } from "./dom.js";
import { percentages, plural } from "./say.js";

const WORDS = ["Yes", "No", "Don't know"];
const KINDS = ["yes", "no", "dnk"];
const MOST_PEOPLE = 5; // shown at once
const SURE = 4000; // ms in which a second click closes the class

/**
 * @typedef {Extract<import("./types.d.ts").Wish, {do: "class"}>["to"]} To
 * @param {import("./shapes.d.ts").ExplorerTool} tool
 */
export function makeClassroom(tool) {
  const { model, root, state, request } = tool;
  /** @param {To} where @param {{triplet?: number[], number?: number}} more */
  const to = (where, more = {}) => request({ do: "class", to: where, ...more });
  const press = (/** @type {string} */ words, /** @type {To} */ where, /** @type {string} */ title, cls = "") =>
    button({ title, class: `dcrc-button ${cls}`, onclick: () => to(where) }, words);

  const heading = h("h3", {});
  const here = h("span", { class: "dcrc-here", role: "status" });
  const rows = KINDS.map((kind, t) => {
    const bar = h("span", { class: `dcrc-votes ${kind}` });
    const tally = h("span", { class: "dcrc-tally" });
    const chance = h("span", { class: "dcrc-chance", title: "What the model expected before the vote" });
    const would = h("small", {});
    const node = h("div", { class: "dcrc-row-of-votes" }, h("b", {}, WORDS[t]), bar, tally, chance, would);
    return { bar, tally, chance, would, node };
  });
  const bars = h("div", { class: "dcrc-result" }, rows.map((row) => row.node));
  const standing = h("p", { class: "dcrc-standing" });
  const table = h("table", { class: "dcrc-guests" });
  const whole = h("button", { type: "button", class: "dcrc-link" });
  const people = h("div", { class: "dcrc-class-people" }, table, whole);
  let all = false;
  whole.onclick = () => ((all = !all), show());

  const reveal = press("Reveal", "reveal", "Show what everybody said; the model learns it", "dcrc-next");
  const again = press("Vote again", "again", "The same question once more, as after a discussion");
  const next = button({ title: "A vote on the next question", onclick: () => vote() }, "Next question");
  const own = press("Each their own", "own", "Everybody gets questions of their own");
  const start = button({ class: "dcrc-button dcrc-next", onclick: () => vote() }, "Vote");
  const link = (/** @type {string} */ words, /** @type {() => void} */ onclick, title = "") =>
    h("button", { type: "button", class: "dcrc-link", title, onclick }, words);
  const pause = link("pause", () => to("pause"), "Show no questions for a while");
  const resume = press("Resume", "resume", "Continue with the questions", "dcrc-next");
  const minute = link("undo the last minute", () => to("minute"), "Remove what phones answered in the last minute");
  const names = link("", () => to("names"));
  const page = link("write the page", () => to("page"),
    "A page with film, votes and agreement, and the answers as a table");
  const close = link("close the class", () => end(), "End the class and write its page");
  const buttons = h("div", { class: "dcrc-class-buttons" }, resume, reveal, again, start, next, own);
  const more = h("div", { class: "dcrc-class-more" }, pause, minute, page, close);
  let closing = 0;
  function end() {
    if (performance.now() - closing < SURE) return to("close");
    closing = performance.now();
    close.textContent = "close: sure?";
    setTimeout(() => (close.textContent = "close the class"), SURE);
  }

  const qr = h("img", { class: "dcrc-qr", draggable: "false" });
  const address = h("b", { class: "dcrc-address" });
  const code = h("b", { class: "dcrc-code" });
  const door = h("p", { class: "dcrc-door" });
  const open = press("Let phones in", "open", "Listen on your network", "dcrc-next");
  const shut = press("This machine only", "shut", "Let no other device in");
  const words = h("div", {}, h("span", {}, "Join with your phone"), address, h("span", {}, "code ", code));
  const join = h("aside", { class: "dcrc-join", "aria-label": "How to join" }, qr, words,
    h("div", { class: "dcrc-opening" }, door, open, shut));
  const node = h("section", { class: "dcrc-classroom", "aria-label": "Class", hidden: true },
    h("header", {}, heading, here), bars, standing, people, buttons, join, more);

  /** Vote on the points that the lecturer has chosen, or on what the program chooses. */
  function vote() {
    const chosen = state.picks.length === 3 && String(state.picks) !== String(state.suggestion?.triplet);
    to("vote", chosen ? { triplet: state.picks } : {});
  }

  function show() {
    const room = model.get("classroom");
    node.hidden = !room.code;
    if (room.code) root.setAttribute("data-class", room.vote ? "vote" : "own");
    else root.removeAttribute("data-class");
    if (!room.code) return;
    const { vote: asked } = room;
    const halted = room.state === "paused" && "Paused";
    const named = asked ? `Vote ${asked.number}${asked.round > 1 ? " · second vote" : ""}` : "";
    put(heading, halted || named || "Everybody has questions of their own");
    put(here, `${room.here} here · ${room.answering} ${asked ? "voted" : "answering"}`);
    bars.hidden = !asked;
    if (asked) showVote(asked);
    put(standing, room.problem || [plural(room.answers, "answer"), ". ", room.agreement]);
    standing.hidden = Boolean(asked);
    showPeople(room);
    const only = (/** @type {HTMLElement} */ each, /** @type {boolean} */ on) => (each.hidden = !on);
    only(reveal, Boolean(asked && !asked.revealed));
    setDisabled(reveal, !asked?.voted);
    only(again, Boolean(asked?.revealed));
    only(next, Boolean(asked));
    only(own, Boolean(asked));
    only(start, !asked);
    start.title = "One question for everybody: the program's, or the three points that you click";
    only(pause, room.state === "open");
    only(resume, room.state === "paused");
    only(minute, !asked);
    if (qr.getAttribute("src") !== room.qr) qr.src = room.qr;
    qr.alt = `QR code of ${room.address}/${room.code}`;
    put(address, room.address);
    put(code, room.code);
    put(door, room.door);
    only(open, !room.open);
    only(shut, room.open);
  }

  /** @param {import("./types.d.ts").VoteSent} asked */
  function showVote({ revealed, counts, expected: chances, would, round }) {
    bars.toggleAttribute("data-hidden", !revealed);
    const before = round > 1 ? counts[0] : null;
    const now = revealed ? counts.at(-1) ?? null : null;
    const percent = chances.length ? percentages(chances) : null;
    rows.forEach(({ bar, tally, chance, would: line }, t) => {
      const part = (/** @type {number[]} */ each, /** @type {string} */ turn) =>
        h("i", { class: turn, style: { width: `${100 * each[t] / Math.max(1, sum(each))}%` } });
      put(bar, now && before && part(before, "before"), now && part(now, "now"));
      put(tally, now ? [before && `${before[t]} → `, now[t]] : before ? `first vote: ${before[t]}` : "");
      put(chance, percent ? `model ${percent[t]} %` : "");
      put(line, now && would.length ? `If all said so: ${lower(would[t])}` : "");
    });
  }

  /** @param {import("./types.d.ts").ClassSent} room */
  function showPeople({ people: known, names: named, vote: asked }) {
    people.hidden = !known.length || Boolean(asked);
    if (people.hidden) return;
    const seen = all ? known : known.slice(0, MOST_PEOPLE);
    const cell = (/** @type {import("./shapes.d.ts").Child} */ content) => h("td", {}, content);
    put(table, h("tr", {}, h("th", {}, "Guest"), h("th", { title: "Answers that the boundary violates" }, "violated"),
      h("th", { title: "Probability of an error that the model has learned" }, "errs"), h("th", {}, names)),
    seen.map((guest) => h("tr", {}, cell(guest.name), cell(`${guest.violated} of ${guest.answers}`),
      cell(guest.errors == null ? "–" : `${Math.round(100 * guest.errors)} %`),
      cell([link("forget", () => to("forget", { number: guest.number }),
        `Remove all answers of ${guest.name} and refuse new ones`),
      guest.together > 1 && link(`all ${guest.together} of this address`,
        () => to("forget_address", { number: guest.number }),
        `Remove everybody who joined from the address of ${guest.name}, and let nobody new in from there. ` +
          "A whole class may share one address")]))));
    put(names, named ? "hide nicknames" : "show nicknames");
    whole.hidden = known.length <= MOST_PEOPLE;
    put(whole, all ? "fewer" : `all ${known.length}`);
  }

  return { node, show };
}

const sum = (/** @type {number[]} */ numbers) => numbers.reduce((total, each) => total + each, 0);
const lower = (/** @type {string} */ text) => text[0].toLowerCase() + text.slice(1);
