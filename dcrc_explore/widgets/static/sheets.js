// Small items for the picture, many on one sheet. Only those that find room are asked for, when the picture rests, and
// decoding does not hold the picture up.

import { PlacedItems, wordsCell } from "./placeditems.js";

const SHOWN = new Set(["images", "texts", "sounds", "strokes"]);
const REST = 120; // ms without a new picture
const MOST = 64; // items on one sheet
const KEPT = 6000;
const AGAIN_AFTER = 5000; // ms without a reply

/** @param {import("./shapes.d.ts").Ground} ground */
export function makeSheets({ model, planes, request, watch, stopped, redraw }) {
  /** @type {Map<number, import("./placeditems.js").Cell>} */
  const cells = new Map();
  /** @type {Set<number>} */
  let wanted = new Set();
  let asked = -Infinity; // when; minus infinity when nothing is under way
  let generation = 0;
  let timer = 0;

  function kind() {
    const { items } = model.get("data");
    return items && SHOWN.has(items) ? items : null;
  }
  function want(/** @type {number[]} */ rows) {
    for (const row of rows) wanted.add(row);
    clearTimeout(timer);
    if (wanted.size) timer = setTimeout(ask, REST);
  }
  for (const plane of planes) plane.things = new PlacedItems(plane, cells, { kind, want });

  function ask() {
    if (stopped() || !wanted.size || performance.now() - asked < AGAIN_AFTER) return;
    const again = asked > 0;
    const rows = [...wanted].slice(0, MOST);
    asked = performance.now();
    /** @type {import("./types.d.ts").Message} */
    const message = { do: "sheet", rows, key: generation };
    if (again) return request(message);
    try {
      model.send({ ...message, passive: true, request: `sheet-${Math.random().toString(36).slice(2)}` });
      timer = setTimeout(ask, AGAIN_AFTER + REST);
    } catch {
      // The kernel is gone, which the next request tells.
    }
  }

  watch("msg:custom", async ({ sheet }, buffers = []) => {
    if (!sheet || sheet.key !== generation) return;
    const { rows, side, columns, words } = sheet;
    const image = words ? null : await createImageBitmap(new Blob([buffers[0]], { type: "image/jpeg" }));
    if (sheet.key !== generation) return;
    if (cells.size > KEPT) cells.clear();
    rows.forEach((row, at) => {
      const place = { x: (at % columns) * side, y: Math.floor(at / columns) * side, width: side, height: side };
      cells.set(row, image ? { image, ...place } : wordsCell(words?.[at] ?? "", window.devicePixelRatio || 1));
    });
    asked = -Infinity;
    wanted = new Set(); // what is in sight now asks again
    redraw();
  });

  return {
    forget() {
      cells.clear();
      wanted.clear();
      asked = -Infinity;
      generation += 1;
    },
  };
}
