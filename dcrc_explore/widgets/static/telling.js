// What a line may say, the most urgent first: that the kernel is gone, Python's words, that answers are left.

import { plural } from "./say.js";

/**
 * @param {{model: any, inApp: boolean, requests: any, link: any, left: any}} tool
 * @returns {(() => any)[]} each gives a notice, or null
 */
export function tellings({ model, inApp, requests, link, left }) {
  const { add: request } = requests;

  function tellGone() {
    if (requests.state !== "gone") return null;
    const n = requests.unanswered.length;
    const are = n === 1 ? "is" : "are";
    const since = (then) => (n ? ` ${plural(n, "answer")} given since ${are} kept here${then}.` : "");
    if (link.lost === "server") {
      const text = "There is no connection to the server; it is tried again and again. If the server was stopped, " +
        `start it again: every answer that was saved is there.${since(" and sent when it is back")}`;
      return { text, kind: "error" };
    }
    const how = inApp ? "Reload the page" : "Run the cell again and choose Continue";
    const text = `The kernel of this tool is gone. ${how}: every answer that was saved is there.`;
    const buttons = inApp ? [["Reload", () => location.reload()]] : [];
    return { text: text + since(" and offered then"), kind: "error", buttons };
  }
  function tellPython() {
    const { text, kind, buttons = [] } = model.get("notice");
    if (!text) return null;
    const sending = ([label, action]) => [label, () => request({ do: action })];
    return { text, kind, buttons: buttons.map(sending), dismiss: () => request({ do: "dismiss" }) };
  }
  function tellLeft() {
    const n = left.count();
    if (!n) return null;
    const after = (action) => () => action(left.take());
    const text = `${plural(n, "answer")} did not reach the kernel that is gone. Give ${n === 1 ? "it" : "them"} now?`;
    return { text, buttons: [["Give", after((messages) => messages.forEach(request))], ["Forget", after(() => {})]] };
  }
  return [tellGone, tellPython, tellLeft];
}
