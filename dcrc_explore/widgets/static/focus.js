// Keys and focus: keys that are meant for the tool act here and never reach JupyterLab, and the focus stays inside.

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const TYPED = "textarea, select, [contenteditable=true], input:not([type=range], [type=checkbox], [type=radio])";

const withModifier = (event) => event.ctrlKey || event.metaKey || event.altKey;

/** @param {any} tool @param {HTMLElement} root */
export function keepFocus(tool, root) {
  const { listen, state, stages, planes, sheet, question } = tool;
  const { answer, skip, undo, redo } = question;
  const actions = { y: () => answer(1), n: () => answer(-1), d: () => answer(0), s: skip, z: undo, Z: redo };
  let guarded = null; // the element that keeps the last key from JupyterLab

  function onKey(event) {
    if (withModifier(event)) return;
    const { target, key } = event;
    state.pointing = false;
    if (!sheet.node.hidden) {
      event.stopPropagation();
      if (key === "Escape") use(event, sheet.close);
    } else if (!target.closest(TYPED)) {
      const action = actionOf(event, stages.indexOf(target));
      if (action) use(event, action);
      else event.stopPropagation();
    }
  }

  function use(event, action) {
    event.preventDefault();
    event.stopPropagation();
    state.keyAt = performance.now();
    action();
    state.keyAt = null;
  }

  // What a key does; a key held down is one answer.
  function actionOf({ key, shiftKey, repeat, target }, p) {
    const action = actions[shiftKey ? key.toUpperCase() : key.toLowerCase()];
    if (action) return repeat ? () => {} : action;
    if (key === "Escape") return question.back;
    if (key === "Enter" && !target.closest("button, a, input")) return repeat ? () => {} : question.suggest;
    if (key === "?") return tool.openHelp;
    if (p < 0) return null;
    if (ARROWS[key]) return () => tool.hoverOver(planes[p].towards(state.hover, ...ARROWS[key]), p);
    return key === " " ? () => tool.pick(state.hover) : null;
  }

  root.tabIndex = -1; // a click beside every control keeps the focus inside the tool
  listen(root, "keydown", onKey);
  // JupyterLab looks for the attribute on the focused element, before any listener in here. Its shortcuts with Ctrl
  // and the like, as saving the notebook, stay: those keys are not ours.
  listen(window, "keydown", (event) => {
    guarded?.removeAttribute("data-lm-suppress-shortcuts");
    guarded = root.contains(event.target) && !withModifier(event) ? event.target : null;
    guarded?.setAttribute("data-lm-suppress-shortcuts", "true");
  }, { capture: true });
  listen(root, "focusin", ({ target }) => {
    const name = target.closest(".dcrc-line")?.querySelector(".widget-label")?.textContent;
    if (name && !target.hasAttribute("aria-label")) target.setAttribute("aria-label", name);
  });
  // A button pressed with the mouse hands the focus to the picture: Enter then suggests and does not press again.
  listen(root, "mousedown", (event) => {
    const pressed = event.target.closest("button, .dcrc-plane");
    if (!pressed || !sheet.node.hidden) return;
    event.preventDefault();
    if (stages.includes(pressed)) pressed.focus({ preventScroll: true });
    else tool.focusStage();
  });
  // So does a menu once the mouse has chosen; who uses the keyboard stays there.
  listen(root, "pointerdown", () => (state.pointing = true), { capture: true });
  listen(root, "change", ({ target }) => {
    if (state.pointing && target.matches("select, [type=checkbox]")) tool.focusStage();
  });
  // When the focused control disappears or is disabled the focus comes back here, not to the notebook.
  listen(root, "focusout", (event) => {
    if (event.relatedTarget) return;
    setTimeout(() => {
      // Not the next frame: on a busy machine that may be late, and the next key would be JupyterLab's.
      const gone = !event.target.isConnected || event.target.disabled;
      if (gone && document.activeElement === document.body) tool.focusStage();
    });
  });
  // A page without code has nothing else to type into: keys work before the first click.
  if (tool.inApp && document.activeElement === document.body) tool.focusStage();
}
