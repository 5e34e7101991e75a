// Whether the kernel of a tool is there, watched while nobody does anything.

const ENDED = ["autorestarting", "restarting", "terminating", "dead"];
const PATIENCE = 2000; // ms: a connection that is back sooner is not worth a word

/**
 * @param {import("./shapes.d.ts").Kernel | undefined} kernel where the host shows it
 * @param {() => void} changed called when it goes, and when a connection is back
 */
export function watchKernel(kernel, changed) {
  let ended = false; // for ever: another process in its place knows nothing of this tool
  let cut = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  function status(/** @type {unknown} */ _, /** @type {string} */ now) {
    if (ended || !ENDED.includes(now)) return;
    ended = true;
    changed();
  }
  function connection(/** @type {unknown} */ _, /** @type {string} */ now) {
    clearTimeout(timer);
    if (now !== "connected") {
      timer = setTimeout(() => {
        cut = true;
        changed();
      }, PATIENCE);
    } else if (cut) {
      cut = false;
      changed();
    }
  }
  kernel?.statusChanged?.connect(status);
  kernel?.connectionStatusChanged?.connect(connection);

  return {
    /** What is gone: the kernel, the way to it, or nothing. @returns {"kernel" | "server" | ""} */
    get lost() {
      return ended ? "kernel" : cut ? "server" : "";
    },
    stop() {
      clearTimeout(timer);
      kernel?.statusChanged?.disconnect(status);
      kernel?.connectionStatusChanged?.disconnect(connection);
    },
  };
}
