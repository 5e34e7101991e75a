// The tab People: how much each person answered, how they err, and how far they agree.

import { button, h, put } from "./dom.js";
import { plural } from "./say.js";

const KINDS = ["yes", "no", "don't know"];
const NOBODY = "Nobody has answered yet. Give a name beside the question: with several people each is listed here, " +
  "with their errors and how far they agree.";
/** @type {Record<string, string>} */
const SOURCES = {
  truth: "Answers given (columns) for each answer that the true classes imply (rows)",
  learned: "Learned: probability of the answer given (columns) for each answer that the clusters imply (rows)",
};
const FORCED = "At least 20 answers, and no don't know among them: the model takes some answers for guesses. " +
  "If the true answer is don't know, it first assumes a coin toss between yes and no";
const PLANTED = 3; // errors at a time

/**
 * @param {import("./shapes.d.ts").ExplorerTool} tool asks `wanted` for a message when nothing else waits
 * @param {() => boolean} isOpen whether the tab is on show
 */
export function makePeople(tool, isOpen) {
  const { model, request } = tool;
  let asked = -1;
  const noise = h("p", { class: "dcrc-noise" });
  const apart = h("input", { type: "checkbox", onchange: () => request({ do: "apart", on: apart.checked }) });
  const shared = h("input", { type: "checkbox", onchange: () => request({ do: "shared", on: shared.checked }) });
  const sharing = h("label", {
    title: "Ask you questions that others have answered, until you switch this off. Only common questions show " +
      "how far you agree",
  }, shared, " ask what others were asked");
  const list = h("div", { class: "dcrc-people-list" });
  const agreeing = h("div", { class: "dcrc-agreements" });
  const node = h("section", { class: "dcrc-people", "aria-label": "People" }, noise,
    h("div", { class: "dcrc-more" }, h("label", {}, apart, " learn each one's errors"),
      h("span", { class: "dcrc-gap" }), sharing), list, agreeing);

  /** @returns {import("./types.d.ts").Message | null} */
  function wanted() {
    const { version } = model.get("scene");
    if (!isOpen() || version === asked || version === model.get("people").version) return null;
    asked = version;
    return { do: "people" };
  }

  function show() {
    const { people, agreements = [], noise: words = "", several = false } = model.get("people");
    if (!isOpen() || !people) return;
    noise.textContent = words;
    apart.checked = several;
    shared.checked = model.get("values").strategy === "shared";
    sharing.hidden = people.length < 2 && !shared.checked;
    put(list, people.length ? people.map(person) : h("p", { class: "dcrc-empty" }, NOBODY));
    put(agreeing, agreements.map(agreement));
  }

  /** @param {import("./types.d.ts").PersonSent} one */
  function person(one) {
    const { name, n_triplets: triplets, n_pairs: pairs, matrix, source, learned, forced, habit } = one;
    const { pairs_right: right, n_errors: errors, dnk_rate: dnk, surprise } = one;
    const counts = [triplets && plural(triplets, "answer"), pairs && plural(pairs, "pair")].filter(Boolean).join(", ");
    const facts = [
      dnk != null && `don't know: ${Math.round(100 * dnk)} %`,
      surprise != null && `mean surprise ${surprise.toFixed(2)} bit`,
      right != null && `${Math.round(100 * right)} % of pairs ${source === "truth" ? "right" : "taken for right"}`,
      errors > 0 && `${plural(errors, "known error")}`,
    ].filter(Boolean).join(" · ");
    const planting = triplets >= PLANTED && button({
      title: `Change ${PLANTED} right answers of ${name} to wrong ones; Undo takes it back`,
      onclick: () => request({ do: "plant", errors: PLANTED, person: name }),
    }, `Plant ${PLANTED} errors`);
    return h("section", { "data-person": name },
      h("div", { class: "who" }, h("h4", {}, name), h("p", {}, counts), h("p", {}, facts),
        forced && h("p", { title: FORCED }, "It seems they had to choose."),
        habit && h("p", { class: "habit" }, habit), planting),
      matrix && errorMatrix(matrix, source),
      learned && source === "truth" && errorMatrix(learned, "learned"));
  }

  /** @param {number[][]} matrix @param {string} source */
  function errorMatrix(matrix, source) {
    const sums = matrix.map((row) => row.reduce((sum, value) => sum + value, 0));
    const cell = (/** @type {number} */ value, /** @type {number} */ r, /** @type {number} */ c) => h("td", {
      class: r === c ? "right" : "wrong",
      style: { "--share": sums[r] ? value / sums[r] : 0 },
    }, source === "truth" ? value : `${Math.round(100 * value)} %`);
    return h("table", { title: SOURCES[source] },
      h("caption", {}, `what they said when the truth was …${source === "truth" ? "" : " (learned)"}`),
      h("thead", {}, h("tr", {}, h("th"), KINDS.map((kind) => h("th", { scope: "col" }, kind)))),
      h("tbody", {}, matrix.map((row, r) =>
        h("tr", {}, h("th", { scope: "row" }, KINDS[r]), row.map((value, c) => cell(value, r, c))))));
  }

  /** @param {import("./types.d.ts").AgreementSent} one */
  function agreement({ names, common, share, kappa, few }) {
    const alike = share == null || few ? "" : `, ${Math.round(100 * share)} % alike`;
    const kappas = few ? ": too few to tell" : kappa == null ? "" : `, Cohen's κ ${kappa.toFixed(2)}`;
    return h("p", { title: "κ: 1 is full agreement, 0 is what chance gives. It needs 10 questions in common" },
      `${names.join(" and ")}: ${common ? plural(common, "question") : "no question"} in common${alike}${kappas}`);
  }

  return { node, show, wanted };
}
