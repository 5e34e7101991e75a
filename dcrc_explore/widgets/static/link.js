// Whether the kernel of a tool is there, watched while nobody does anything.

const ENDED = ["autorestarting", "restarting", "terminating", "dead"];
const PATIENCE = 2000; // ms: a connection that is back sooner is not worth a word

/**
 * @param {any} kernel JupyterLab's or Voila's connection to it; undefined where there is none
 * @param {() => void} changed called when it goes, and when a connection is back
 * @param {Pick<typeof globalThis, "setTimeout" | "clearTimeout">} clock
 */
export function watchKernel(kernel, changed, clock = globalThis) {
  let ended = false; // for ever: another process in its place knows nothing of this tool
  let cut = false;
  /** @type {any} */
  let timer = null;

  function status(_, now) {
    if (ended || !ENDED.includes(now)) return;
    ended = true;
    changed();
  }
  function connection(_, now) {
    clock.clearTimeout(timer);
    if (now !== "connected") {
      timer = clock.setTimeout(() => {
        cut = true;
        changed();
      }, PATIENCE);
    } else if (cut) {
      cut = false;
      changed();
    }
  }
  const slots = { statusChanged: status, connectionStatusChanged: connection };
  for (const [name, slot] of Object.entries(slots)) kernel?.[name]?.connect(slot);

  return {
    /** What is gone: the kernel, the way to it, or nothing. @returns {"kernel" | "server" | ""} */
    get lost() {
      return ended ? "kernel" : cut ? "server" : "";
    },
    stop() {
      clock.clearTimeout(timer);
      for (const [name, slot] of Object.entries(slots)) kernel?.[name]?.disconnect(slot);
    },
  };
}
