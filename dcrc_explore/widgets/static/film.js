// The film of a page: a slider through its frames, and a button that plays them.

import { h } from "./dom.js";
import { clamp } from "./numbers.js";

const SHOW_EACH = 450; // ms between two frames

/**
 * @param {number} last frame, which is shown first
 * @param {string} label what the slider goes through
 * @param {string} about what playing shows
 * @param {() => void} show draws the frame
 */
export function makeFilm(last, label, about, show) {
  let playing = 0;
  const counter = h("output", { class: "dcrc-counter" });
  const slider = h("input", {
    type: "range", class: "dcrc-film", min: "0", max: last, step: "1", "aria-label": label,
    oninput: () => (film.pause(), film.go(Number(slider.value))),
  });
  const onclick = () => (playing ? film.pause() : start());
  const play = h("button", { type: "button", class: "dcrc-button dcrc-play-film", onclick });

  function start() {
    if (film.frame === last) film.go(0);
    playing = setInterval(() => (film.frame < last ? film.go(film.frame + 1) : film.pause()), SHOW_EACH);
    showPlay();
  }
  function showPlay() {
    play.textContent = playing ? "❚❚" : "▶";
    play.title = playing ? "Pause" : about;
    play.setAttribute("aria-label", play.title);
  }
  const film = {
    node: h("div", { class: "dcrc-film-line" }, play, slider, counter),
    frame: last,
    go(/** @type {number} */ frame) {
      film.frame = clamp(frame, 0, last);
      slider.value = String(film.frame);
      show();
    },
    pause() {
      clearInterval(playing);
      playing = 0;
      showPlay();
    },
    /** Say in words which frame it is. */
    tell(/** @type {string} */ text) {
      counter.textContent = text;
      slider.setAttribute("aria-valuetext", text);
    },
  };
  slider.value = String(last);
  showPlay();
  return film;
}
