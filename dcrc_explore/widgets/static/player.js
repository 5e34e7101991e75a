// Frames that play: a slider through them, and a button. The tool replays a fit with it, and a page shows its film.

import { h } from "./dom.js";
import { focused } from "./host.js";
import { clamp } from "./numbers.js";

/**
 * While it plays, each frame that is on the page asks for the next one.
 * @param {object} given
 * @param {string} given.label what the slider goes through
 * @param {string} given.about what playing shows
 * @param {string} [given.title] of the slider
 * @param {number} given.each ms between two frames, at least
 * @param {(frame: number) => void} given.show begins to show a frame; `shown` is to be called when that is on the page
 * @param {() => void} [given.ended] called when it stops by itself
 */
export function makePlayer({ label, about, title, each, show, ended = () => {} }) {
  let [frame, last] = [0, 0];
  let playing = 0; // when the last frame was asked for; 0 while nothing plays
  let timer = 0;
  const slider = h("input", {
    type: "range", class: "dcrc-frames", min: "0", max: "0", step: "1", title, "aria-label": label,
    oninput: () => (pause(), go(Number(slider.value))),
  });
  const play = h("button", { type: "button", class: "dcrc-play", onclick: () => (playing ? pause() : start()) });

  function go(/** @type {number} */ to) {
    frame = clamp(to, 0, last);
    slider.value = String(frame);
    if (playing) playing = performance.now();
    show(frame);
  }
  function start() {
    playing = performance.now();
    draw();
    go(frame < last ? frame + 1 : 0);
  }
  function pause() {
    playing = 0;
    draw();
  }
  function draw() {
    play.textContent = playing ? "❚❚" : "▶";
    play.title = playing ? "Pause" : about;
    play.setAttribute("aria-label", play.title);
  }
  draw();
  return {
    node: h("div", { class: "dcrc-player" }, play, slider),
    go,
    pause,
    get frame() {
      return frame;
    },
    get last() {
      return last;
    },
    get playing() {
      return playing > 0;
    },
    /** A frame is on the page. The next one follows, unless it is the last or another than was asked for. */
    shown(/** @type {number} */ now) {
      const asked = frame;
      frame = now;
      if (!playing) return;
      if (now === last || now !== asked) {
        pause();
        ended();
        return;
      }
      clearTimeout(timer);
      timer = setTimeout(() => playing && go(now + 1), Math.max(0, playing + each - performance.now()));
    },
    /** Take how many frames there are and which one is shown, unless a person moves the slider. */
    follow(/** @type {number} */ now, /** @type {number} */ end) {
      if (focused() === slider && last === end) return;
      [frame, last] = [now, end];
      slider.max = String(end);
      slider.value = String(now);
    },
    /** Say in words which frame it is. */
    describe: (/** @type {string} */ text) => slider.setAttribute("aria-valuetext", text),
  };
}
