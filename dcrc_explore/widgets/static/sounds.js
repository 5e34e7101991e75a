// Sounds of the question: a key plays one, the same key stops it, and one at a time is heard.

/**
 * @param {(row: number) => void} ask for the sound of a row
 * @param {(row: number) => void} mark the row that is heard, -1 for none
 */
export function makeSounds(ask, mark) {
  /** @type {HTMLAudioElement | null} */
  let audio = null;
  let awaited = -1;
  let sounding = -1;

  function stop() {
    audio?.pause();
    if (audio) URL.revokeObjectURL(audio.src);
    audio = null;
    awaited = sounding = -1;
    mark(-1);
  }

  /** Play the sound of a row, or stop it when it is heard. */
  function play(/** @type {number} */ row) {
    const again = row === sounding;
    stop();
    if (again) return;
    awaited = row;
    ask(row);
  }

  /**
   * Take a sound that was asked for; false when nobody waits for it.
   * @param {number} row
   * @param {import("./items.js").Item} item
   */
  function take(row, { mime, url }) {
    if (row !== awaited || !mime.startsWith("audio/")) return false;
    awaited = -1;
    sounding = row;
    const playing = (audio = new Audio(url));
    const over = () => audio === playing && stop();
    for (const end of ["ended", "error"]) playing.addEventListener(end, over);
    playing.play().then(() => audio === playing && mark(row), over);
    return true;
  }

  /** Be silent unless what is heard is one of these rows. */
  const keepTo = (/** @type {number[]} */ rows) =>
    [sounding, awaited].some((row) => row >= 0 && !rows.includes(row)) && stop();

  return { play, take, keepTo, stop };
}
