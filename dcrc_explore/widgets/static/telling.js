// What a line may say, the most urgent first: that the kernel is gone, Python's words, that answers are left.

import { plural } from "./say.js";

/**
 * @param {{model: any, inApp: boolean, requests: any, kept: any, data: () => any}} tool
 * @returns {(() => any)[]} each gives a notice, or null
 */
export function tellings({ model, inApp, requests, kept, data }) {
  const { add: request } = requests;

  function tellGone() {
    if (requests.state !== "gone") return null;
    const n = requests.unanswered.length;
    const how = inApp ? "Reload the page" : "Run the cell again";
    const since = n ? ` ${plural(n, "answer")} given since ${n === 1 ? "is" : "are"} kept here and offered then.` : "";
    const then = `${how} and choose Go on: every answer that was saved is there.${since}`;
    const buttons = inApp ? [["Reload", () => location.reload()]] : [];
    return { text: `The kernel of this tool is gone. ${then}`, kind: "error", buttons };
  }
  function tellPython() {
    const { text, kind, buttons = [] } = model.get("notice");
    if (!text) return null;
    const sending = ([label, action]) => [label, () => request({ do: action })];
    return { text, kind, buttons: buttons.map(sending), dismiss: () => request({ do: "dismiss" }) };
  }
  function tellLeft() {
    const n = kept.left(data());
    if (!n) return null;
    const after = (action) => () => action(kept.inherit(data()));
    const text = `${plural(n, "answer")} did not reach the kernel that is gone. Give ${n === 1 ? "it" : "them"} now?`;
    return { text, buttons: [["Give", after((messages) => messages.forEach(request))], ["Forget", after(() => {})]] };
  }
  return [tellGone, tellPython, tellLeft];
}
