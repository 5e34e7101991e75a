// A list of the files that can be opened: folders and tables, from the folder in which the tool runs downwards.

import { ARROWS } from "./arrows.js";
import { button, h } from "./dom.js";

/** @param {import("./shapes.d.ts").Tool} tool */
export function followListings(tool) {
  const enter = (/** @type {string} */ folder) => tool.request({ do: "browse", folder });
  const join = (/** @type {string[]} */ ...parts) => parts.filter(Boolean).join("/");

  function choose(/** @type {string} */ path) {
    tool.sheet.close();
    tool.request({ do: "set", name: "file", value: path || "." });
    tool.request({ do: "press", name: "open" });
  }

  /** @param {import("./types.d.ts").ListingSent} listing */
  function show({ folder, start, entries, holds, more }) {
    /** @param {import("./types.d.ts").EntrySent} entry */
    const line = ({ name, folder: isFolder }) => h("li", {}, h("button", {
      type: "button", class: "dcrc-entry", "data-folder": isFolder,
      onclick: () => (isFolder ? enter(join(folder, name)) : choose(join(folder, name))),
    }, h("span", { "aria-hidden": "true" }, isFolder ? "▸ " : ""), name, isFolder ? "/" : ""));
    const up = folder && button({ onclick: () => enter(folder.split("/").slice(0, -1).join("/")) }, "↑ Up");
    const whole = button({ onclick: () => choose(folder) },
      holds ? `Open this folder: ${holds}` : "Open this folder");
    const empty = "There are neither folders nor .csv, .npz, .npy or .txt files here.";
    const list = h("ul", { class: "dcrc-entries", onkeydown: move }, entries.map(line));
    tool.sheet.open(`Open: ${join(start, folder)}`, h("div", { class: "dcrc-browse" },
      h("div", { class: "dcrc-more" }, up, whole), entries.length ? list : h("p", {}, empty),
      more > 0 && h("p", {}, `${more} more are not listed; type their name.`)));
    (list.querySelector("button") ?? whole).focus();
  }

  // Arrow keys move along the list, as in any list of files.
  function move(/** @type {KeyboardEvent} */ event) {
    const [, step] = ARROWS[event.key] ?? [];
    const item = /** @type {HTMLElement} */ (event.target).closest("li");
    if (!step || !item) return;
    const next = step > 0 ? item.nextElementSibling : item.previousElementSibling;
    next?.querySelector("button")?.focus();
    event.preventDefault();
    event.stopPropagation();
  }

  tool.watch("msg:custom", ({ listing }) => listing && show(listing));
}
