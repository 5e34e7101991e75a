// Answers that stay: in this browser, in the page's address, as a table, and as a session file that Python opens.

const WORDS = { 1: "yes", [-1]: "no", 0: "don't know" };
const NAMES = { 1: "yes", [-1]: "no", 0: "dnk" };

/** @typedef {import("./session.js").State} State @typedef {import("./session.js").Entry} Entry */

/**
 * What is kept of a state: data by name and parameters, and by their points where these have neither.
 * @typedef {{data: string, parameters: Record<string, number> | null, X?: number[][], y?: number[] | null,
 *   drawing?: import("./drawn.js").Drawing | null, extent?: number[], beside?: import("./session.js").Settings | null,
 *   settings: Record<string, unknown>, log: [number[], number, string][]}} Kept
 * @param {State} state @returns {Kept}
 */
export function kept({ subject, settings, log, beside }) {
  return {
    data: subject.name, parameters: subject.parameters, settings, beside,
    ...(subject.parameters || subject.given ? {} : {
      X: rowsOf(subject.X, subject.d), y: subject.y && [...subject.y], drawing: subject.drawing, extent: subject.extent,
    }),
    log: log.map(({ points, answer, by }) => [points, answer, by]),
  };
}

/** @param {Float64Array} X @param {number} d */
const rowsOf = (X, d) => Array.from({ length: X.length / d }, (_, n) => [...X.slice(n * d, (n + 1) * d)]);

/** Text that an address can hold. @param {Kept} state */
export function asAddress(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string} text @returns {Kept | null} null where it is no such address */
export function fromAddress(text) {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (c) => c.charCodeAt(0))));
  } catch {
    return null;
  }
}

/** What this browser remembers under a name; nothing where it may not remember. @param {string} name */
export function remembered(name) {
  const read = () => {
    try {
      return /** @type {Kept | null} */ (JSON.parse(localStorage.getItem(name) ?? "null"));
    } catch {
      return null;
    }
  };
  return {
    read,
    /** @param {Kept | null} state @returns {boolean} whether it is kept */
    write(state) {
      try {
        if (state) localStorage.setItem(name, JSON.stringify(state));
        else localStorage.removeItem(name);
        return true;
      } catch {
        return false;
      }
    },
  };
}

/**
 * Where a page may not store anything, as in a frame with a sandbox, let it forget what it stores when it closes.
 * @returns {boolean} whether it may
 */
export function mayStore() {
  let may = true;
  for (const name of /** @type {const} */ (["localStorage", "sessionStorage"])) {
    try {
      window[name].getItem("");
    } catch {
      /** @type {Map<string, string>} */
      const stored = new Map();
      const value = {
        getItem: (/** @type {string} */ key) => stored.get(key) ?? null, setItem: stored.set.bind(stored),
        removeItem: stored.delete.bind(stored),
      };
      Object.defineProperty(window, name, { value });
      may = false;
    }
  }
  return may;
}

/** The answers as a table. @param {State} state */
export function asCsv({ log }) {
  const cell = (/** @type {string | number} */ value) => {
    const text = String(value);
    const safe = /^[=+\-@\t\r]/.test(text) && typeof value === "string" ? `'${text}` : text; // never a formula
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const rows = log.map(({ points: [a, b, c], answer, by, time }) =>
    [a, b, c ?? "", WORDS[/** @type {1} */ (answer)], by, time, ""]);
  const table = [["a", "b", "c", "answer", "by", "time", "seconds"], ...rows];
  return table.map((row) => `${row.map(cell).join()}\n`).join("");
}

/**
 * A session file as session/format.py writes it. The points are always in it: the page draws random numbers of its own.
 * @param {State} state @param {{format: string, version: number}} about @param {Record<string, unknown>} defaults
 */
export function asSession({ subject, settings, log }, about, defaults) {
  const { X, d, features, y, title, classes, about: description, drawing } = subject;
  const N = X.length / d;
  const now = new Date().toISOString();
  return JSON.stringify({
    ...about, size: [N, d], saved: now, name: title, settings: { ...defaults, ...settings }, names: [], weights: null,
    quality: [],
    data: {
      size: [N, d], name: title, feature_names: features, class_names: y ? classes : [], y: y && [...y],
      X: rowsOf(X, d), description, items: null, features: "",
      ...(drawing && { drawing: { classes: drawing.classes, frame: subject.extent, is_truth: drawing.isTruth } }),
    },
    log: log.map(({ points, answer, by, time, surprise, planted }) => ({
      points, answer: NAMES[/** @type {1} */ (answer)], time, by, seconds: null,
      surprise: Number.isNaN(surprise) ? null : Number.isFinite(surprise) ? surprise : "inf",
      ...(planted && { planted }),
    })),
  });
}

/** Give a file to the person. @param {string} name @param {string} text @param {string} type */
export function download(name, text, type) {
  const href = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement("a"), { href, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
