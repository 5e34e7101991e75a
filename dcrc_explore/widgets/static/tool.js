// What the tools share: requests to Python, picks on one plane or on several, the question, keys, focus, notices.
// Every decision about answers, settings and the model is Python's; one message per action goes there.
//
// Python -> browser (traits): points (once per data set), scene (once per refresh), question, options, notice, busy,
//                             done (number of the last request that Python has finished)
// browser -> Python (custom messages): {do, request, ...}

const BUSY_AFTER = 200; // ms
const DOUBLE_CLICK = 400; // ms in which a second click on a suggested question counts as a slip

const KEYS_HELP = `<section><h4>Keys</h4><dl>
    <dt><kbd>Y</kbd> <kbd>N</kbd> <kbd>D</kbd></dt><dd>answer yes, no, don't know</dd>
    <dt><kbd>S</kbd></dt><dd>skip: leave the question, record nothing</dd>
    <dt><kbd>Z</kbd> <kbd>⇧ Z</kbd></dt><dd>undo, redo</dd>
    <dt><kbd>Enter</kbd></dt><dd>suggest the next question</dd>
    <dt><kbd>Esc</kbd></dt><dd>take back the last chosen point</dd>
    <dt><kbd>←</kbd> <kbd>↑</kbd> <kbd>→</kbd> <kbd>↓</kbd></dt><dd>move between points; <kbd>Space</kbd> takes one</dd></dl>
    <p>They work while the focus is in this tool and never reach JupyterLab.</p></section>`;

// planes: what is drawn, each on a stage of its own; picks, hover and marks are the same on all.
// hooks: drawBelow(), resized(), attached(root), picked(i), escaped(), idle() -> a message to send when nothing waits
function makeTool(model, el, planes, help, hooks) {
  const stop = new AbortController();
  const listen = (target, type, handler, options = {}) => target.addEventListener(type, handler, { ...options, signal: stop.signal });
  const state = { picks: [], hover: -1, marked: -1, explained: -1, suggestedAt: -Infinity, pointing: false, moment: {} };
  const cleanups = [];
  let root = null;

  el.classList.add("dcrc-stage");

  // ---- requests

  const requests = makeRequests(deliver, showState);
  const request = requests.add;

  // A message that is sent again also goes as one that opens a comm: that arrives where the kernel still leads messages
  // for this view to a subshell of a page that was closed.
  function deliver(message, finished, again) {
    state.moment.sent = performance.now();
    const status = ({ content }) => content.execution_state === "idle" && finished();
    model.send(message, { iopub: { status } }); // throws when the kernel has forgotten this view
    const kernel = model.widget_manager?.kernel;
    if (!again || !kernel?.createComm) return;
    const comm = kernel.createComm(model.get("door"));
    comm.open(message);
    comm.close();
  }

  const inApp = "voila" in document.body.dataset;
  const busy = h("div", { class: "dcrc-busy", role: "status" }, "Fitting…");
  let busyTimer = null;
  function showState(now = requests.state) {
    const working = now !== "idle" || model.get("busy");
    root?.setAttribute("data-state", now === "gone" ? "gone" : working ? "waiting" : "idle");
    busy.textContent = now === "late" ? "No reply from the kernel yet. Asking again…" : "Fitting…";
    clearTimeout(busyTimer);
    if (!working || now === "gone") root?.removeAttribute("data-busy");
    else busyTimer = setTimeout(() => root?.setAttribute("data-busy", ""), BUSY_AFTER);
    if (now === "gone" || now === "late") keep();
    showNotice();
  }

  function finish() {
    requests.finish(model.get("done"));
    if (requests.state === "idle") {
      const message = hooks.idle?.();
      if (message) request(message);
    }
    showState();
  }

  // ---- answers that did not arrive are kept for the page's next load, or for the next kernel

  const KEPT = "dcrc-unanswered";
  const read = () => JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
  const dataKey = () => bytes(model.get("points").xy).reduce((hash, byte) => (hash * 31 + byte) | 0, 7);
  function keep() {
    const messages = requests.unanswered;
    if (messages.length) sessionStorage.setItem(KEPT, JSON.stringify({ door: model.get("door"), data: dataKey(), messages }));
    else if (read()?.door === model.get("door")) sessionStorage.removeItem(KEPT);
  }
  function giveKept() {
    const { messages } = read();
    sessionStorage.removeItem(KEPT);
    messages.forEach(request);
    showNotice();
  }
  listen(window, "pagehide", keep);

  // ---- the planes

  const hints = planes.map(() => h("div", { class: "dcrc-hint", "aria-hidden": "true" }));
  const stages = planes.map((plane, p) => {
    const stage = h("div", { class: "dcrc-plane", tabindex: "0", role: "application" }, plane.below, plane.above, hints[p]);
    stage.locate = (i) => ({ x: plane.at[2 * i], y: plane.at[2 * i + 1] }); // where a point is drawn, for tests
    const pointAt = ({ clientX, clientY }) => {
      const box = stage.getBoundingClientRect();
      return plane.at ? plane.nearest(clientX - box.left, clientY - box.top) : -1;
    };
    listen(stage, "pointermove", (event) => hoverOver(pointAt(event), p));
    listen(stage, "pointerleave", () => hoverOver(-1, p));
    listen(stage, "click", (event) => {
      hoverOver(pointAt(event), p);
      pick(state.hover);
    });
    return stage;
  });
  stages[0].append(busy);
  const focusStage = () => (stages.includes(document.activeElement) ? document.activeElement : stages[0]).focus({ preventScroll: true });

  const drawAbove = () => planes.forEach((plane) => plane.drawAbove({ ...state, answerable: state.picks.length < 3 }));
  const drawBelow = () => hooks.drawBelow();

  function hoverOver(i, p = 0) {
    if (i === state.hover) return;
    state.hover = i;
    state.hoverOn = p;
    stages.forEach((stage) => (stage.style.cursor = i < 0 ? "default" : "pointer"));
    showHint();
    drawAbove();
  }

  const showHint = () => hints.forEach((hint, p) =>
    (hint.textContent = state.hover < 0 || p !== state.hoverOn ? "" : planes[p].hint(state.hover)));

  function mark(t) {
    if (t === state.marked) return;
    state.marked = t;
    drawAbove();
  }

  function pick(i) {
    if (i < 0) return;
    const at = state.picks.indexOf(i);
    if (at >= 0) state.picks = state.picks.filter((other) => other !== i);
    else if (state.picks.length < 3) state.picks = [...state.picks, i];
    else state.picks = [i];
    expected = null;
    if (state.picks.length === 3) request({ do: "preview", triplet: state.picks });
    hooks.picked?.(i);
    drawAbove();
    showQuestion();
  }

  // Rows with data-t are answers: the one under the pointer or the focus is marked on every plane.
  function markRows(rows) {
    const follow = ({ target }) => mark(Number(target.closest?.("[data-t]")?.dataset.t ?? -1));
    for (const type of ["pointerover", "focusin"]) listen(rows, type, follow);
    for (const type of ["pointerleave", "focusout"]) listen(rows, type, () => mark(-1));
  }

  // ---- the question

  let expected = null; // what the model expects of the current triplet, once Python has said so
  const pills = LETTERS.map((letter) => h("b", { class: "dcrc-pill" }, letter));
  const heading = h("h3", {}, "Is ", pills[0], " more similar to ", pills[1], " than to ", pills[2], "?");
  const answerButton = (label, key, value, cls) =>
    h("button", { type: "button", class: `dcrc-button dcrc-answer ${cls}`, "data-key": key, title: `Answer ${SAID[value]} (${key})`,
      onclick: (event) => answer(value, event.detail > 1) }, h("span", {}, label), h("kbd", {}, key));
  const answerButtons = [answerButton("Yes", "Y", 1, "yes"), answerButton("No", "N", -1, "no"), answerButton("Don't know", "D", 0, "dnk")];
  const small = (label, key, title, onclick) =>
    h("button", { type: "button", class: "dcrc-button", title, onclick }, h("span", {}, label), h("kbd", {}, key));
  const skipButton = small("Skip", "S", "Leave this question; nothing is recorded (S)", () => skip());
  const undoButton = small("Undo", "Z", "", () => undo());
  const redoButton = small("Redo", "⇧Z", "", () => redo());
  const suggestButton = small("Suggest", "Enter", "Let the program choose three points (Enter); the Ask tab says how", () => suggest());
  suggestButton.firstChild.append(h("span", { class: "long" }, " a question"));
  suggestButton.lastChild.replaceChildren(h("span", { class: "spelt" }, "Enter"), h("span", { class: "sign" }, "↵"));
  const bar = h("div", { class: "dcrc-bar", role: "img" }, h("i", { class: "yes" }), h("i", { class: "no" }), h("i", { class: "dnk" }));
  const told = h("span", { class: "dcrc-told", "aria-live": "polite" });
  const worth = h("b", { class: "dcrc-worth", title: "Mutual information between the answer and the three cluster memberships under the current model" });
  const reason = h("div", { class: "dcrc-reason", title: "Why the program chose this question" });
  const card = h("section", { class: "dcrc-card", "aria-label": "Question" }, heading, h("div", { class: "dcrc-answers" }, ...answerButtons), bar,
    h("div", { class: "dcrc-expected" }, told, worth), reason,
    h("div", { class: "dcrc-more" }, skipButton, undoButton, redoButton, h("span", { class: "dcrc-gap" }), suggestButton));

  function showQuestion() {
    const n = state.picks.length;
    pills.forEach((pill, t) => pill.classList.toggle("chosen", t < n));
    answerButtons.forEach((button) => setDisabled(button, n < 3));
    setDisabled(skipButton, n === 0);
    card.classList.toggle("asking", n === 3);
    const percent = expected?.probabilities.map((p) => Math.round(100 * p));
    [...bar.children].forEach((part, t) => (part.style.width = percent ? `${100 * expected.probabilities[t]}%` : "0"));
    worth.textContent = expected ? `worth ${expected.worth.toFixed(2)} bit` : "";
    reason.textContent = n === 3 && String(state.picks) === String(state.suggestion?.triplet) ? state.suggestion.reason : "";
    const { last } = model.get("scene");
    if (percent) told.replaceChildren(h("span", { class: "word" }, "Expected: "), `yes ${percent[0]} · no ${percent[1]} · don't know ${percent[2]} %`);
    else if (n === 3) told.textContent = " ";
    else if (n) told.textContent = n === 1 ? "A is chosen: now B, then C" : "Now click C";
    else if (last) told.textContent = `Last answer ${SAID[last.answer]}${last.surprise == null ? "" : `: ${last.surprise.toFixed?.(2) ?? last.surprise} bit of surprise`}`;
    else told.replaceChildren("Click three points, or press Enter", h("span", { class: "extra" }, " for a suggestion"));
    bar.setAttribute("aria-label", told.textContent);
    const chosen = n ? `Chosen: ${state.picks.map((i, t) => `${LETTERS[t]} is point ${i}`).join(", ")}. ` : "";
    stages.forEach((stage, p) => stage.setAttribute("aria-label", `${planes[p].name ?? ""}${plural(planes[p].n ?? 0, "point")} in ${
      plural(planes[p].scene?.clusters ?? 0, "cluster")}. ${chosen}Arrow keys move between points, Space takes one.`));
  }

  function answer(value, second = false) {
    if (state.picks.length < 3) return;
    if (second && performance.now() - state.suggestedAt < DOUBLE_CLICK) return;
    const triplet = state.picks;
    clearQuestion();
    state.moment = { key: state.keyAt ?? performance.now() };
    request({ do: "answer", triplet, answer: value });
    if (model.get("options").auto) suggest();
  }
  function clearQuestion() {
    state.picks = [];
    expected = null;
    drawAbove();
    showQuestion();
  }
  function skip() {
    if (!state.picks.length) return;
    const triplet = state.picks;
    clearQuestion();
    if (triplet.length === 3) request({ do: "skip", triplet });
    if (model.get("options").auto) suggest();
  }
  function back() {
    if (!state.picks.length) return;
    state.picks = state.picks.slice(0, -1);
    expected = null;
    drawAbove();
    showQuestion();
  }
  const undo = () => request({ do: "undo" });
  const redo = () => request({ do: "redo" });
  const suggest = () => request({ do: "suggest" });

  function showUndo() {
    const { undo: undoable, redo: redoable } = model.get("scene");
    setDisabled(undoButton, !undoable);
    setDisabled(redoButton, !redoable);
    undoButton.title = undoable ? `Undo: ${undoable} (Z)` : "Nothing to undo";
    redoButton.title = redoable ? `Redo: ${redoable} (Shift+Z)` : "Nothing to redo";
  }

  // ---- sheets over the tool, and notices

  const sheet = h("div", { class: "dcrc-sheet", role: "dialog", "aria-modal": "true", hidden: true });
  listen(sheet, "click", (event) => event.target === sheet && closeSheet());

  function openSheet(title, content) {
    const close = h("button", { type: "button", class: "dcrc-button", onclick: closeSheet }, h("span", {}, "Close"), h("kbd", {}, "Esc"));
    sheet.setAttribute("aria-label", title);
    sheet.replaceChildren(h("div", { class: "dcrc-sheet-body" }, h("header", {}, h("h3", {}, title), close), content));
    sheet.hidden = false;
    close.focus({ preventScroll: true });
  }
  function closeSheet() {
    sheet.hidden = true;
    focusStage();
  }
  function openHelp() {
    const content = h("div");
    content.innerHTML = help;
    openSheet("Keys and symbols", content);
  }
  const helpButton = h("button", { type: "button", class: "dcrc-link", "aria-haspopup": "dialog", onclick: openHelp }, "? keys and symbols");

  const notice = h("div", { class: "dcrc-notice", role: "alert" });
  let noticed = null;
  function showNotice() {
    const content = goneNotice() ?? pythonNotice() ?? keptNotice();
    const key = JSON.stringify([content?.text, content?.kind]);
    if (key === noticed) return;
    noticed = key;
    notice.hidden = !content;
    if (!content) return;
    const { text, kind, buttons, dismiss } = content;
    notice.className = `dcrc-notice ${kind ?? ""}`;
    notice.replaceChildren(h("span", {}, text),
      ...buttons.map(([label, onclick]) => h("button", { type: "button", class: "dcrc-button", onclick }, h("span", {}, label))),
      ...(dismiss ? [h("button", { type: "button", class: "dcrc-dismiss", "aria-label": "Dismiss", onclick: dismiss }, "×")] : []));
  }
  function pythonNotice() {
    const { text, kind, buttons = [] } = model.get("notice");
    if (!text) return null;
    const sending = ([label, action]) => [label, () => request({ do: action })];
    return { text, kind, buttons: buttons.map(sending), dismiss: () => request({ do: "dismiss" }) };
  }
  function goneNotice() {
    if (requests.state !== "gone") return null;
    const lost = requests.unanswered.length;
    const how = inApp ? "Reload the page" : "Run the cell again";
    const kept = lost ? ` ${plural(lost, "answer")} given since ${lost === 1 ? "is" : "are"} kept here and offered then.` : "";
    return {
      text: `The kernel of this tool is gone. ${how} and choose Go on: every answer that arrived is on disk if it is saved.${kept}`,
      kind: "error", buttons: inApp ? [["Reload", () => location.reload()]] : [],
    };
  }
  function keptNotice() {
    const stored = read();
    if (!stored || stored.door === model.get("door") || stored.data !== dataKey()) return null;
    const n = stored.messages.length;
    const forget = () => (sessionStorage.removeItem(KEPT), showNotice());
    return {
      text: `${plural(n, "answer")} did not reach the kernel that is gone. Give ${n === 1 ? "it" : "them"} now?`,
      kind: "", buttons: [["Give", giveKept], ["Forget", forget]],
    };
  }

  // ---- tabs; the controls of some of them are ipywidgets beside this view, shown by the attribute data-tab

  function makeTabs(names, opened) {
    const buttons = names.map(([name, label]) =>
      h("button", { type: "button", role: "tab", "data-tab": name, onclick: () => tabs.open(name) }, label));
    const node = h("div", { class: "dcrc-tabs", role: "tablist", "aria-label": "Controls" }, ...buttons);
    const tabs = {
      node, buttons, shown: null,
      button: (name) => buttons.find((button) => button.dataset.tab === name),
      open(name) {
        tabs.shown = name;
        root?.setAttribute("data-tab", name);
        buttons.forEach((button) => {
          button.setAttribute("aria-selected", button.dataset.tab === name);
          button.tabIndex = button.dataset.tab === name ? 0 : -1;
        });
        opened(name);
      },
    };
    listen(node, "keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const visible = buttons.filter((button) => !button.hidden);
      const next = visible.at((visible.indexOf(event.target) + step) % visible.length);
      next.focus();
      tabs.open(next.dataset.tab);
    });
    return tabs;
  }

  // ---- following Python

  function newPoints() {
    state.picks = [];
    state.hover = state.marked = state.explained = -1;
    expected = null;
    planes.forEach((plane) => plane.setPoints(model.get("points")));
    showNotice(); // answers that were kept may be about these points
  }

  // Draw a new picture; `rest` shows what stands around it.
  function newScene(rest) {
    const received = performance.now();
    state.marked = -1;
    drawBelow();
    drawAbove();
    const drawn = performance.now();
    showHint(); // the point under the pointer may be in another cluster now
    showUndo();
    showQuestion();
    rest();
    if (state.picks.length === 3) request({ do: "preview", triplet: state.picks }); // another model expects other answers
    root?.dispatchEvent(new CustomEvent("dcrc-drawn", { detail: { ...state.moment, received, drawn, milliseconds: model.get("scene").milliseconds } }));
    state.moment = {};
  }

  function newQuestion() {
    const question = model.get("question");
    if (question.suggested) {
      state.picks = question.triplet;
      state.suggestedAt = performance.now();
      expected = state.suggestion = question;
    } else if (question.triplet && String(question.triplet) === String(state.picks)) expected = question;
    drawAbove();
    showQuestion();
  }

  // One comm message may change several traits: act once, when all of them are in.
  function follow(handlers) {
    const all = { ...handlers, question: newQuestion, notice: showNotice, busy: () => {}, done: () => {} };
    const changed = new Set();
    const flush = () => {
      const now = new Set(changed);
      changed.clear();
      for (const [name, handler] of Object.entries(all)) if (now.has(name)) handler(now);
      finish();
    };
    for (const name of Object.keys(all)) {
      const note = () => {
        if (!changed.size) queueMicrotask(flush);
        changed.add(name);
      };
      model.on(`change:${name}`, note);
      cleanups.push(() => model.off(`change:${name}`, note));
    }
  }

  // ---- keys and focus

  const KEYS = { y: () => answer(1), n: () => answer(-1), d: () => answer(0), s: skip, z: undo, Z: redo };
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const types = (target) => target.closest("textarea, select, [contenteditable=true], input:not([type=range], [type=checkbox], [type=radio])");

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { target, key } = event;
    const p = stages.indexOf(target);
    state.pointing = false;
    const used = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    if (!sheet.hidden) {
      if (key === "Escape") used(), closeSheet();
      else event.stopPropagation();
      return;
    }
    if (types(target)) return;
    const action = KEYS[event.shiftKey ? key.toUpperCase() : key.toLowerCase()];
    if (action) {
      used();
      if (event.repeat) return; // a key held down is one answer
      state.keyAt = performance.now();
      action();
      state.keyAt = null;
    } else if (key === "Escape") used(), back();
    else if (key === "Enter" && !target.closest("button, a, input")) used(), event.repeat || suggest();
    else if (key === "?") used(), openHelp();
    else if (p >= 0 && ARROWS[key]) used(), hoverOver(planes[p].towards(state.hover, ...ARROWS[key]), p);
    else if (p >= 0 && key === " ") used(), pick(state.hover);
    else event.stopPropagation();
  }

  let guarded = null; // the element that keeps the last key from JupyterLab
  function attach() {
    const found = el.closest(".dcrc-explorer") ?? el;
    if (found === root) return;
    tool.root = root = found;
    root.tabIndex = -1; // a click beside every control keeps the focus inside the tool
    listen(root, "keydown", onKey);
    // JupyterLab looks for the attribute on the focused element, before any listener in here. Its shortcuts with Ctrl
    // and the like, as saving the notebook, stay: those keys are not ours.
    listen(window, "keydown", (event) => {
      guarded?.removeAttribute("data-lm-suppress-shortcuts");
      guarded = root.contains(event.target) && !(event.ctrlKey || event.metaKey || event.altKey) ? event.target : null;
      guarded?.setAttribute("data-lm-suppress-shortcuts", "true");
    }, { capture: true });
    listen(root, "focusin", ({ target }) => {
      const name = target.closest(".dcrc-line")?.querySelector(".widget-label")?.textContent;
      if (name && !target.hasAttribute("aria-label")) target.setAttribute("aria-label", name);
    });
    // A button pressed with the mouse hands the focus to the picture: Enter then suggests and does not press again.
    listen(root, "mousedown", (event) => {
      const pressed = event.target.closest("button, .dcrc-plane");
      if (!pressed || !sheet.hidden) return;
      event.preventDefault();
      stages.includes(pressed) ? pressed.focus({ preventScroll: true }) : focusStage();
    });
    // So does a menu once the mouse has chosen; who uses the keyboard stays there.
    listen(root, "pointerdown", () => (state.pointing = true), { capture: true });
    listen(root, "change", ({ target }) => state.pointing && target.matches("select, [type=checkbox]") && focusStage());
    // When the focused control disappears or is disabled the focus comes back here, not to the notebook.
    listen(root, "focusout", (event) => event.relatedTarget || requestAnimationFrame(() => {
      const gone = !event.target.isConnected || event.target.disabled;
      if (gone && document.activeElement === document.body) focusStage();
    }));
    planes.forEach((plane) => plane.readTheme(root));
    hooks.attached?.(root);
    // A page without code has nothing else to type into: keys work before the first click.
    if ("voila" in document.body.dataset && document.activeElement === document.body) focusStage();
    finish();
  }

  function fitSize() {
    attach();
    const changed = planes.map((plane, p) => plane.resize(stages[p].clientWidth, stages[p].clientHeight));
    if (changed.some(Boolean)) drawBelow(), drawAbove();
    hooks.resized?.();
  }
  const sizes = new ResizeObserver(fitSize);
  function watchDensity() {
    // The window may move to a screen with other pixels.
    const query = matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
    listen(query, "change", () => (fitSize(), watchDensity()), { once: true });
  }
  const themes = new MutationObserver(() => {
    if (!root) return;
    planes.forEach((plane) => plane.readTheme(root));
    drawBelow();
    drawAbove();
  });

  // Called when everything is in its place.
  function begin(...resizing) {
    stages.concat(resizing).forEach((node) => sizes.observe(node));
    themes.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "data-jp-theme-name", "class"] });
    watchDensity();
    newQuestion();
    // Whether the kernel is there is found out now, and when the connection goes, not at the first answer.
    const hello = () => request({ do: "hello" });
    model.on("comm_live_update", hello);
    cleanups.push(() => model.off("comm_live_update", hello));
    hello();
    if (read()?.door === model.get("door")) giveKept();
    finish();
  }

  function end() {
    stop.abort();
    sizes.disconnect();
    themes.disconnect();
    clearTimeout(busyTimer);
    requests.stop();
    keep();
    cleanups.forEach((cleanup) => cleanup());
  }

  const tool = { root, state, check: finish, stages, card, notice, sheet, helpButton, listen, request, mark, markRows, drawAbove, makeTabs, follow, newPoints,
    newScene, openSheet, focusStage, begin, end, stopped: () => stop.signal.aborted, cleanups };
  return tool;
}

// Mark the paper's values on every slider of epsilon.
function markEpsilon(tool) {
  const tracks = tool.root.querySelectorAll(".dcrc-epsilon .slider-container");
  if (!tracks.length) return void requestAnimationFrame(() => tool.stopped() || markEpsilon(tool)); // not drawn yet
  for (const track of tracks) {
    const marks = [[0.05, ".05"], [0.15, ".15"], [2 / 3, "⅔"]].map(([epsilon, text]) => {
      const mark = h("span", {}, text);
      mark.style.left = `${(100 * epsilon) / (2 / 3)}%`;
      return mark;
    });
    track.querySelector(".dcrc-marks") ?? track.append(h("div", { class: "dcrc-marks", "aria-hidden": "true" }, ...marks));
  }
}
