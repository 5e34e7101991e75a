// Items in a grid are selected as files are: a click takes one more or one less, Shift all up to there, a drag those in
// a rectangle. A double click or Enter enlarges one.

import { h } from "./dom.js";

const FARTHEST = 5; // pixels that a click may move

/**
 * @param {HTMLElement} grid its children have the rows of their points
 * @param {{rows(): number[], select(rows: number[]): void, enlarge(row: number): void}} to
 */
export function makePicking(grid, { rows, select, enlarge }) {
  let last = -1; // the row that was clicked last
  /** @type {{x: number, y: number, before: number[], band: HTMLElement | null} | null} */
  let drag = null;
  let dragged = false; // the click that ends a drag is none

  const things = () => /** @type {HTMLElement[]} */ ([...grid.children]).filter((each) => each.dataset.row != null);
  const rowOf = (/** @type {HTMLElement} */ each) => Number(each.dataset.row);
  const at = (/** @type {Event} */ event) => {
    const thing = /** @type {HTMLElement} */ (event.target).closest?.("[data-row]");
    return thing instanceof HTMLElement ? rowOf(thing) : -1;
  };

  /** @param {number} row @param {boolean} upTo whether all from the last one are meant */
  function take(row, upTo) {
    const order = things().map(rowOf);
    const [from, to] = [order.indexOf(last), order.indexOf(row)];
    const old = rows();
    if (upTo && from >= 0) {
      select([...new Set([...old, ...order.slice(Math.min(from, to), Math.max(from, to) + 1)])]);
    } else {
      select(old.includes(row) ? old.filter((other) => other !== row) : [...old, row]);
    }
    last = row;
  }

  grid.addEventListener("click", (event) => {
    const row = at(event);
    if (row < 0 && !dragged) return;
    event.stopPropagation();
    if (!dragged) take(row, event.shiftKey);
    dragged = false;
  }, { capture: true });
  grid.addEventListener("dblclick", (event) => at(event) >= 0 && enlarge(at(event)));
  grid.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || at(event) < 0) return;
    event.preventDefault();
    event.stopPropagation();
    enlarge(at(event));
  }, { capture: true });

  grid.addEventListener("pointerdown", (event) => {
    dragged = false;
    const { clientX: x, clientY: y, button, pointerType } = event;
    // A finger scrolls; what lies beyond the content is the scrollbar.
    if (button || pointerType === "touch" || x - grid.getBoundingClientRect().left > grid.clientWidth) return;
    drag = { x, y, before: rows(), band: null };
  });
  grid.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const { clientX: x, clientY: y, pointerId } = event;
    if (!drag.band) {
      if (Math.hypot(x - drag.x, y - drag.y) < FARTHEST) return;
      grid.setPointerCapture(pointerId);
      grid.append((drag.band = h("div", { class: "dcrc-band" })));
    }
    const [left, right] = [Math.min(x, drag.x), Math.max(x, drag.x)];
    const [top, bottom] = [Math.min(y, drag.y), Math.max(y, drag.y)];
    const box = grid.getBoundingClientRect();
    const corner = { left: left - box.left, top: top - box.top + grid.scrollTop };
    const sides = { ...corner, width: right - left, height: bottom - top };
    for (const [side, value] of Object.entries(sides)) drag.band.style.setProperty(side, `${value}px`);
    const met = things().filter((each) => {
      const its = each.getBoundingClientRect();
      return its.left < right && its.right > left && its.top < bottom && its.bottom > top;
    }).map(rowOf);
    mark(new Set([...drag.before, ...met]));
  });
  function end() {
    if (drag?.band) {
      dragged = true;
      drag.band.remove();
      select(things().filter((each) => each.getAttribute("aria-pressed") === "true").map(rowOf)
        .concat(drag.before.filter((row) => !things().some((each) => rowOf(each) === row))));
    }
    drag = null;
  }
  grid.addEventListener("pointerup", end);
  grid.addEventListener("pointercancel", end);

  function mark(chosen = new Set(rows())) {
    for (const each of things()) each.setAttribute("aria-pressed", String(chosen.has(rowOf(each))));
  }
  return { mark };
}
