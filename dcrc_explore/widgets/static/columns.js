// What each column of a table is: a line for each column, with a choice.

import { h, put } from "./dom.js";

const PARTS = [["feature", "feature"], ["class", "class"], ["items", "shown"], ["ignore", "left out"]];
const ALONE = ["class", "items"]; // one column at most is one of these

/** @param {{ model: any, el: HTMLElement }} given */
function render({ model, el }) {
  const choose = (d, part) => {
    const parts = model.get("parts").map((old) => (old === part && ALONE.includes(part) ? "ignore" : old));
    parts[d] = part;
    model.set("parts", parts);
    model.save_changes();
  };
  const selects = () => /** @type {HTMLSelectElement[]} */ ([...el.querySelectorAll("select")]);
  const show = () => {
    const parts = model.get("parts");
    selects().forEach((select, d) => {
      select.value = parts[d];
      select.closest(".dcrc-column")?.classList.toggle("ignored", parts[d] === "ignore");
    });
  };
  const line = ([name, about], d) => {
    const options = PARTS.map(([value, label]) => h("option", { value }, label));
    const change = (event) => choose(d, event.target.value);
    const select = h("select", { "aria-label": `What ${name} is`, onchange: change }, options);
    const words = h("span", { class: "dcrc-column-words", title: `${name}: ${about}` },
      h("b", {}, name), h("small", {}, about));
    return h("label", { class: "dcrc-column" }, words, select);
  };
  const draw = () => {
    put(el, model.get("columns").map(line));
    show();
  };
  model.on("change:columns", draw);
  model.on("change:parts", show);
  draw();
  return () => {
    model.off("change:columns", draw);
    model.off("change:parts", show);
  };
}

export default { render };
