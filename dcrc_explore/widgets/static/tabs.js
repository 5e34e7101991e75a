// Tabs, whose contents are shown by the attribute data-tab of the root, and buttons of which one is pressed.

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
    button: (name) => buttons.find((each) => each.dataset.tab === name),
    open(name) {
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
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const visible = buttons.filter((each) => !each.hidden);
    const next = visible.at((visible.indexOf(event.target) + step) % visible.length);
    next.focus();
    tabs.open(next.dataset.tab);
  });
  return tabs;
}

/** Buttons of which one is pressed. */
export function makeSwitch(choices, about, chosen, choose) {
  const buttons = choices.map(([name, label, title]) =>
    h("button", { type: "button", title, "data-choice": name, onclick: () => node.choose(name) }, label));
  const node = h("div", { class: "dcrc-switch", role: "group", "aria-label": about }, buttons);
  node.press = (name) =>
    buttons.forEach((each) => each.setAttribute("aria-pressed", String(each.dataset.choice === name)));
  node.choose = (name) => {
    node.press(name);
    choose(name);
  };
  node.press(chosen);
  return node;
}
