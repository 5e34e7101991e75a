// Who answers, and about how many points: a line of the question's card. The name is remembered in the browser.

import { h } from "./dom.js";
import { focused } from "./host.js";
import { makeSwitch } from "./tabs.js";

const NOBODY = "user"; // as Python calls whoever has given no name
const REMEMBERED = "dcrc-person";
const TITLE = "Who answers: with several names each person's errors are learned apart";

/** @type {[string, string, string][]} */
const SIZES = [
  ["3", "three points", "Is A more similar to B than to C?"],
  ["2", "two points", "Do A and B belong together? Yes and no say it of two points; don't know says nothing"],
];

/** @param {import("./shapes.d.ts").Ground} ground */
export function makePerson({ model, request, focusStage }) {
  const name = () => model.get("scene").person;
  /** @type {string | null} */
  let asked = null; // a name that Python has neither taken nor refused
  /** @type {Partial<import("./types.d.ts").Notice> | null} */
  let before = null; // what was told when it was asked
  const field = h("input", {
    type: "text", maxlength: 40, spellcheck: "false", autocomplete: "off", placeholder: "your name",
    "aria-label": "Who answers", title: TITLE,
    onchange: () => call(field.value.replace(/\s+/g, " ").trim() || NOBODY),
    oninput: () => refuse(""),
    onkeydown(event) {
      if (event.key === "Escape") show(true);
      if (event.key === "Escape" || event.key === "Enter") focusStage();
    },
  });
  const about = makeSwitch(SIZES, "Questions are about", "3", (points) =>
    request({ do: "points", points: points === "2" ? 2 : 3 }));
  const line = h("div", { class: "dcrc-person" }, about, h("label", {}, "by ", field));

  function call(/** @type {string} */ who) {
    if (who === name()) return;
    asked = who;
    before = model.get("notice");
    request({ do: "person", name: who });
  }

  /** Mark the field, and say why; nothing takes the mark away. @param {string} why */
  function refuse(why) {
    if (why) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
    field.title = why || TITLE;
  }

  // What Python has taken is remembered, and nothing else.
  function settle() {
    const notice = model.get("notice");
    if (asked === name()) {
      if (asked === NOBODY) localStorage.removeItem(REMEMBERED);
      else localStorage.setItem(REMEMBERED, name());
    } else if (asked !== null && notice !== before && notice.kind === "error") {
      refuse(notice.text ?? "");
      if (localStorage.getItem(REMEMBERED) === asked) localStorage.removeItem(REMEMBERED);
    } else return;
    asked = null;
  }

  function show(always = false) {
    settle();
    about.press(String(model.get("options").points));
    if (always || field !== focused()) field.value = name() === NOBODY ? "" : name();
  }

  /** Answer under the name that this browser remembers, unless the session has one. */
  function remember() {
    const known = localStorage.getItem(REMEMBERED);
    if (known && name() === NOBODY) call(known);
  }

  return { line, name, show, remember };
}
