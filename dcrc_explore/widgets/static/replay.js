// The replay of a fit: a slider through its EM iterations, and a button that plays them.

import { h } from "./dom.js";
import { focused } from "./host.js";

const FRAME = 60; // ms between two pictures
const TITLE = "Replay the fit: the picture shows the model at this EM iteration";
const PLAY = "Play the EM iterations of this fit, from the initialisation on";

/**
 * While it plays, each picture asks for the next one; everything but the picture, the bound and the explained point
 * waits until it ends.
 * @param {any} tool
 * @param {(iteration: number) => object} message what is asked for with an iteration
 */
export function makeReplay(tool, message) {
  const { model } = tool;
  let playing = 0; // when the last picture was asked for; 0 while nothing plays
  const slider = h("input", {
    type: "range", class: "dcrc-replay", min: "0", max: "0", step: "1", title: TITLE,
    "aria-label": "EM iteration shown",
    oninput: () => (pause(), showAt(Number(slider.value))),
  });
  const play = h("button", { type: "button", class: "dcrc-play", onclick: () => (playing ? pause() : start()) });

  function showAt(/** @type {number} */ iteration) {
    slider.value = String(iteration);
    tool.request(message(iteration));
  }
  function start() {
    const from = model.get("scene").iteration ?? Number(slider.max); // no iteration is the end
    playing = performance.now();
    draw();
    showAt(from < Number(slider.max) ? from + 1 : 0);
  }
  function pause() {
    playing = 0;
    draw();
  }
  function draw() {
    play.textContent = playing ? "❚❚" : "▶";
    play.title = playing ? "Pause" : PLAY;
    play.setAttribute("aria-label", play.title);
  }
  draw();
  return {
    node: h("div", { class: "dcrc-replay-line" }, play, slider),
    get playing() {
      return playing > 0;
    },
    /** Ask for the next picture; ends when the last is shown, or when something else was done. */
    next() {
      if (!playing) return;
      const { iteration } = model.get("scene");
      if (iteration == null || iteration !== Number(slider.value)) {
        pause();
        tool.check();
        return;
      }
      const wait = Math.max(0, playing + FRAME - performance.now());
      setTimeout(() => {
        if (!playing || tool.stopped()) return;
        playing = performance.now();
        showAt(iteration + 1);
      }, wait);
    },
    /** Follow the numbers of the panel, unless a person moves the slider. */
    follow(/** @type {number} */ iteration, /** @type {number} */ iterations) {
      if (focused() === slider && Number(slider.max) === iterations) return;
      slider.max = String(iterations);
      slider.value = String(iteration);
    },
  };
}
