// Controls: drawn from the list that Python sends, in lines and groups. What a person does with one is one message.

import { h, put } from "./dom.js";
import { formulaOf } from "./formulas.js";
import { focused } from "./host.js";
import { KINDS, describe } from "./kinds.js";

const FIELDS = "button, input, select";
const BESIDE = ["button", "menu", "text", "toggle"]; // kinds that stand in a line with others

/**
 * @typedef {import("./kinds.js").Sent} Sent
 * @typedef {import("./kinds.js").Drawn & {control: Sent, look: string}} Shown
 *
 * @param {import("./shapes.d.ts").Ground} ground
 * @param {string[]} names of the groups beside the picture
 */
export function makeControls({ model, request, requests, watch }, names) {
  /** @type {Map<string, Shown>} */
  const shown = new Map();
  /** @type {Map<string, string>} */
  const looks = new Map(); // of each group
  const group = (/** @type {string} */ name) => h("div", { class: `dcrc-group dcrc-group-${name}` });
  const bars = { top: h("div", { class: "dcrc-part" }), view: h("div", { class: "dcrc-part" }) };
  const top = h("div", { class: "dcrc-group dcrc-group-top" }, bars.top, bars.view);
  /** @type {Record<string, HTMLElement>} */
  const groups = { ...bars, ...Object.fromEntries(["scenes", ...names].map((name) => [name, group(name)])) };
  const side = h("div", { class: "dcrc-side" }, names.map((name) => [formulaOf(name), groups[name]]));

  const isPending = (/** @type {string} */ name) =>
    requests.has((each) => (each.do === "set" || each.do === "press") && each.name === name);

  function send(/** @type {Sent} */ { name, kind, doing }, /** @type {import("./kinds.js").Value} */ value) {
    if (kind !== "button") return request({ do: "set", name, value });
    if (!doing || !isPending(name)) request({ do: "press", name });
  }

  function draw(/** @type {Sent} */ control) {
    const { name, kind, help, enter } = control;
    const look = JSON.stringify({ ...control, off: false });
    const old = shown.get(name);
    if (old?.look === look) return Object.assign(old, { control });
    const press = () => enter && send({ name: enter, kind: "button" }, null);
    const drawn = { control, look, ...KINDS[kind](control, (value) => send(control, value), press) };
    drawn.node.dataset.name = name;
    describe(drawn.node, help);
    return drawn;
  }

  // Controls without a label stand beside the one before them.
  function lines(/** @type {Shown[]} */ list) {
    /** @type {HTMLElement[]} */
    const made = [];
    /** @type {HTMLElement | null} */
    let line = null;
    for (const { control, node } of list) {
      const { kind, label, help } = control;
      if (kind === "words" || kind === "columns") {
        made.push(node);
        line = null;
      } else if (line && !label && BESIDE.includes(kind)) line.append(node);
      else {
        const name = label && h("span", { class: "dcrc-label" }, label);
        if (name) describe(name, help);
        line = h("div", { class: `dcrc-line dcrc-line-${kind}` }, name, node);
        made.push(line);
      }
    }
    return made;
  }

  /** Draw what is new; what has the focus keeps it. */
  function arrange() {
    const had = /** @type {HTMLElement | null | undefined} */ (focused()?.closest("[data-name]"))?.dataset.name;
    const listed = new Set();
    for (const [name, list] of Object.entries(model.get("controls"))) {
      const drawn = list.map(draw);
      const key = JSON.stringify(drawn.map(({ look }) => look));
      for (const each of drawn) {
        shown.set(each.control.name, each);
        listed.add(each.control.name);
      }
      if (looks.get(name) === key) continue;
      looks.set(name, key);
      put(groups[name], lines(drawn));
    }
    for (const name of shown.keys()) if (!listed.has(name)) shown.delete(name);
    show();
    const again = had && shown.get(had)?.node;
    if (!again || again.contains(focused())) return;
    const inner = again.matches(FIELDS) ? again : /** @type {HTMLElement | null} */ (again.querySelector(FIELDS));
    inner?.focus();
  }

  /** Show what is the case, but where a person has just chosen something else. */
  function show() {
    const values = model.get("values");
    for (const [name, { control, node, show: put_, disable }] of shown) {
      const pending = isPending(name);
      if (!pending) put_(values[name]);
      disable?.(Boolean(control.off || (control.doing && pending)));
      node.toggleAttribute("data-off", Boolean(control.off));
    }
  }

  watch("msg:custom", ({ share }) => {
    if (share !== undefined) shown.get("asked")?.show(share);
  });

  return {
    top, side, arrange, show,
    /** A group, to be put where it belongs. @param {string} name */
    group: (name) => groups[name],
    /**
     * Show the menu of scenes in its place in the bar, or at the head of something else.
     * @param {HTMLElement} [head]
     */
    placeScenes(head) {
      if (head) head.prepend(groups.scenes);
      else bars.top.after(groups.scenes);
      return groups.scenes.childElementCount > 0;
    },
    /** What is said while a message is under way. @param {import("./types.d.ts").Message | null} message */
    doing: (message) => (message?.do === "press" && shown.get(message.name)?.control.doing) || "",
  };
}
