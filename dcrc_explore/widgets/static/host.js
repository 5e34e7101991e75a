// What is known of the programs that show the tool; widgets/hosts.py has what Python must know of them.
// JupyterLab and Notebook have keys, menus and themes of their own, Voila is a page without code, and marimo shows a
// widget in a shadow root, where the page sees the host of the root in place of what is inside.

/** Open over the page, and at work. */
export const ELSEWHERE = ".lm-Menu, .lm-MenuBar, .jp-Dialog";
/** Attributes of the page's body that change with its theme. */
export const THEME = ["data-jp-theme-light", "data-jp-theme-name", "class"];
/** JupyterLab leaves keys alone while what has the focus has this attribute. */
export const QUIET = "data-lm-suppress-shortcuts";

/** Whether the page comes from this computer, and only from it. */
export const isLocal = () => /^(localhost|127\.|\[::1\])/.test(location.hostname);

/** Whether the tool is a page without code. */
export const inApp = () => "voila" in document.body.dataset;

/** What has the focus, also inside shadow roots. */
export function focused() {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return /** @type {HTMLElement | null} */ (node);
}

/** Where an event began, also inside shadow roots. @param {Event} event */
export const targetOf = (event) => /** @type {HTMLElement | Document} */ (event.composedPath()[0]);

/** Whether a page is dark that does not say so as JupyterLab does. */
export const isDark = () => document.body.matches(".dark, .dark-theme");

/**
 * The connection to the kernel, where the host shows it.
 * @param {import("./shapes.d.ts").Model} model
 */
export const kernelOf = (model) => model.widget_manager?.kernel;

/**
 * Send a message; `finished` is called when the kernel is through with it, where the host says so. Throws when the host
 * has forgotten the widget.
 * @param {import("./shapes.d.ts").Model} model
 * @param {import("./shapes.d.ts").Kernel | undefined} kernel
 * @param {import("./types.d.ts").Message} message
 * @param {() => void} finished
 * @param {boolean} again whether it was sent before. Then it also goes as one that opens a comm: that arrives where the
 *   kernel still leads messages for this view to a subshell of a page that was closed.
 */
export function deliver(model, kernel, message, finished, again) {
  if (!kernel) return void model.send(message); // a callback would mean something else to marimo
  /** @param {import("./shapes.d.ts").Finished} status */
  const status = ({ content }) => content.execution_state === "idle" && finished();
  model.send(message, { iopub: { status } });
  if (!again || !kernel.createComm) return;
  const comm = kernel.createComm(model.get("door"));
  comm.open(message);
  comm.close();
}
