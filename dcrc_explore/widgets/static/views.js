// How the tool is shown: with formulas or without, and, for a projector, as a lecture.

import { h } from "./dom.js";

const FORMULAS = "dcrc-explore formulas"; // remembered in this browser, for all tools

const link = (/** @type {() => void} */ onclick, /** @type {string} */ title) =>
  h("button", { type: "button", class: "dcrc-link", title, onclick });

/**
 * @param {import("./shapes.d.ts").Ground} ground
 * @param {() => void} changed called when letters may have another size
 * @returns links for the foot of the tool, and what they do
 */
export function makeViews({ model, root, listen, watch }, changed) {
  const formulas = link(() => showFormulas(!root.hasAttribute("data-formulas")),
    "Symbols and equation numbers of the paper, in every tab, on the panels and in the help");
  const lecture = link(() => toggle(), "Pictures and question in large type, for a projector (L)");
  const whole = link(() => fill(), "The lecture view alone on the screen, in JupyterLab too (F); Esc leaves it");
  whole.textContent = "full screen";

  function showFormulas(/** @type {boolean} */ on) {
    localStorage.setItem(FORMULAS, on ? "on" : "");
    show();
  }

  function show() {
    const on = localStorage.getItem(FORMULAS) === "on";
    const lecturing = model.get("view") === "lecture";
    root.toggleAttribute("data-formulas", on);
    root.setAttribute("data-view", lecturing ? "lecture" : "whole");
    formulas.textContent = on ? "hide the formulas" : "show the formulas";
    lecture.textContent = lecturing ? "leave the lecture view" : "lecture view";
    changed();
  }

  function toggle() {
    model.set("view", model.get("view") === "lecture" ? "whole" : "lecture");
    model.save_changes();
    show();
    root.scrollIntoView({ block: "start" }); // the link is below the picture, and the tool has another height now
  }

  /** Show the lecture on the whole screen, or come back. */
  function fill() {
    if (root.matches(":fullscreen")) return document.exitFullscreen();
    if (model.get("view") !== "lecture") toggle();
    return root.requestFullscreen();
  }
  listen(root, "fullscreenchange", () => {
    if (!root.matches(":fullscreen") && model.get("view") === "lecture") toggle();
  });

  watch("change:view", show);
  return { nodes: [lecture, whole, formulas], show, toggle, fill };
}
