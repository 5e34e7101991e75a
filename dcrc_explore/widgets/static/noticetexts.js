// What a line may say, the most urgent first: that the kernel is gone, Python's words, that answers are left.

import { plural } from "./say.js";

/**
 * @typedef {import("./notices.js").Notice} Notice
 * @typedef {import("./requests.js").AnswerMessage} AnswerMessage
 *
 * @param {object} tool
 * @param {import("./shapes.d.ts").Model} tool.model
 * @param {boolean} tool.inApp
 * @param {ReturnType<typeof import("./requests.js").makeRequests>} tool.requests
 * @param {ReturnType<typeof import("./link.js").watchKernel>} tool.link
 * @param {{count: () => number, take: () => AnswerMessage[]}} tool.left answers that did not arrive
 * @returns {(() => Notice | null)[]}
 */
export function noticeTexts({ model, inApp, requests, link, left }) {
  const { add: request } = requests;

  /** @returns {Notice | null} */
  function ofTheKernel() {
    if (requests.state !== "gone") return null;
    const n = requests.unanswered.length;
    const are = n === 1 ? "is" : "are";
    const since = (/** @type {string} */ then) =>
      (n ? ` ${plural(n, "answer")} given since ${are} saved in this browser tab${then}.` : "");
    if (link.lost === "server") {
      const text = "There is no connection to the server; the page keeps trying. If the server was stopped, " +
        `start it again: every answer that was saved is there.${since(" and sent when it is back")}`;
      return { text, kind: "error" };
    }
    const how = inApp ? "Reload the page" : "Run the cell again and choose Continue";
    const text = `The kernel of this tool is gone. ${how}: every answer that was saved is there.`;
    /** @type {Notice["buttons"]} */
    const buttons = inApp ? [["Reload", () => location.reload()]] : [];
    return { text: text + since(" and offered then"), kind: "error", buttons };
  }
  /** @returns {Notice | null} */
  function ofPython() {
    const { text, kind, buttons = [] } = model.get("notice");
    if (!text) return null;
    /** @returns {[string, () => void]} */
    const sending = (/** @type {string[]} */ [label, action]) =>
      [label, () => request(/** @type {import("./types.d.ts").Message} */ ({ do: action }))];
    return { text, kind, buttons: buttons.map(sending), dismiss: () => request({ do: "dismiss" }) };
  }
  /** @returns {Notice | null} */
  function ofAnswers() {
    const n = left.count();
    if (!n) return null;
    const after = (/** @type {(messages: AnswerMessage[]) => void} */ action) => () => action(left.take());
    const text = `${plural(n, "answer")} did not reach the kernel before it ended. Add ${n === 1 ? "it" : "them"} now?`;
    /** @type {Notice["buttons"]} */
    const buttons = [["Add", after((messages) => messages.forEach(request))], ["Discard", after(() => {})]];
    return { text, buttons };
  }
  return [ofTheKernel, ofPython, ofAnswers];
}
