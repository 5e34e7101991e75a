// Who answers, and about how many points: a line of the question's card. The name is remembered in the browser.

import { h } from "./dom.js";
import { makeSwitch } from "./tabs.js";

const NOBODY = "user"; // as Python calls whoever has given no name
const REMEMBERED = "dcrc-person";

/** @type {[string, string, string][]} */
const SIZES = [
  ["3", "three points", "Is A more similar to B than to C?"],
  ["2", "two points", "Do A and B belong together? Yes and no say it of two points; don't know says nothing"],
];

/** @param {any} tool */
export function makePerson(tool) {
  const { model } = tool;
  const name = () => model.get("scene").person;
  const field = h("input", {
    type: "text", maxlength: 40, spellcheck: "false", autocomplete: "off", placeholder: "your name",
    "aria-label": "Who answers", title: "Who answers: with several names each person's errors are learned apart",
    onchange: () => call(field.value.trim() || NOBODY),
    onkeydown(event) {
      if (event.key === "Escape") show(true);
      if (event.key === "Escape" || event.key === "Enter") tool.focusStage();
    },
  });
  const about = makeSwitch(SIZES, "Questions are about", "3", (points) =>
    tool.request({ do: "points", points: Number(points) }));
  const line = h("div", { class: "dcrc-person" }, about, h("label", {}, "by ", field));

  function call(who) {
    if (who === name()) return;
    if (who === NOBODY) localStorage.removeItem(REMEMBERED);
    else localStorage.setItem(REMEMBERED, who);
    tool.request({ do: "person", name: who });
  }

  function show(always = false) {
    about.press(String(model.get("options").points));
    if (always || field !== document.activeElement) field.value = name() === NOBODY ? "" : name();
  }

  /** Answer under the name that this browser remembers, unless the session has one. */
  function remember() {
    const known = localStorage.getItem(REMEMBERED);
    if (known && name() === NOBODY) tool.request({ do: "person", name: known });
  }

  return { line, name, show, remember };
}
