// Tabs, whose contents are shown by the attribute data-tab of the root, and buttons of which one is pressed.

import { ARROWS } from "./arrows.js";
import { h } from "./dom.js";

/**
 * @param {[string, string][]} names of the tabs, and what they are called
 * @param {(name: string) => void} opened
 */
export function makeTabs(names, opened) {
  const buttons = names.map(([name, label]) =>
    h("button", { type: "button", role: "tab", "data-tab": name, onclick: () => tabs.open(name) }, label));
  const node = h("div", { class: "dcrc-tabs", role: "tablist", "aria-label": "Controls" }, buttons);
  const tabs = {
    node,
    buttons,
    shown: "",
    button: (/** @type {string} */ name) =>
      /** @type {HTMLButtonElement} */ (buttons.find((each) => each.dataset.tab === name)),
    open(/** @type {string} */ name) {
      tabs.shown = name;
      for (const each of buttons) {
        const selected = each.dataset.tab === name;
        each.setAttribute("aria-selected", String(selected));
        each.tabIndex = selected ? 0 : -1;
      }
      opened(name);
    },
  };
  node.addEventListener("keydown", (event) => {
    const [step] = ARROWS[event.key] ?? [0];
    if (!step) return;
    const visible = buttons.filter((each) => !each.hidden);
    const at = visible.indexOf(/** @type {HTMLButtonElement} */ (event.target)) + step;
    const next = visible[(at + visible.length) % visible.length];
    next.focus();
    tabs.open(next.dataset.tab ?? "");
  });
  return tabs;
}

/**
 * Buttons of which one is pressed.
 * @param {string[][]} choices a name, what is called so, and what it does
 * @param {string | undefined} about what is chosen
 * @param {string} chosen
 * @param {(name: string) => void} choose
 */
export function makeSwitch(choices, about, chosen, choose) {
  const buttons = choices.map(([name, label, title]) =>
    h("button", { type: "button", title, "data-choice": name, onclick: () => turn(name) }, label));
  const node = h("div", { class: "dcrc-switch", role: "group", "aria-label": about }, buttons);
  const press = (/** @type {string} */ name) =>
    buttons.forEach((each) => each.setAttribute("aria-pressed", String(each.dataset.choice === name)));
  function turn(/** @type {string} */ name) {
    press(name);
    choose(name);
  }
  press(chosen);
  return Object.assign(node, { press, choose: turn });
}
