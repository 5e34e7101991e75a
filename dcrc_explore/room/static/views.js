// What the phone shows: pages, forms, and questions with their items. Whatever comes from elsewhere is text, never markup.

const LETTERS = ["A", "B", "C"];
const WORDS = {
  3: { yes: ["Yes", "A and B belong together, C does not"], no: ["No", "A and C belong together, B does not"],
    dnk: ["Don’t know", "all together, all different, or B with C"] },
  2: { yes: ["Yes", "A and B belong together"], no: ["No", "A and B do not belong together"],
    dnk: ["Don’t know", "cannot say"] },
};

/** Make an element; strings become text. */
export function h(tag, properties = {}, ...children) {
  const svg = ["svg", "circle", "text", "g"].includes(tag);
  const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element[name] = value;
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.flat());
  return element;
}

export function page(kind, heading, text, ...more) {
  return h("section", { class: `page ${kind}` }, h("h1", { tabindex: "-1" }, heading),
    text.split(/\n\s*\n/).filter((part) => part.trim()).map((part) => h("p", {}, part.replace(/\s*\n\s*/g, " "))), more);
}

export const dots = () => h("div", { class: "waiting", "aria-hidden": "true" }, h("i"), h("i"), h("i"));

/** The views of steps: each gets a step, what to do with an answer, and how to ask the server. */
export const VIEWS = {
  question(step, answer, call) {
    const n = step.items.length;
    const heading = n === 3
      ? ["Is ", h("b", {}, "A"), " more similar to ", h("b", {}, "B"), " than to ", h("b", {}, "C"), "?"]
      : ["Do ", h("b", {}, "A"), " and ", h("b", {}, "B"), " belong together?"];
    const isPlane = step.items[0].kind === "point";
    const cards = isPlane ? drawPlane(step.items, call) : step.items.map(card);
    const buttons = ["yes", "no", "dnk"].filter((value) => value !== "dnk" || step.dnk).map((value) => {
      const [word, means] = WORDS[n][value];
      return h("button", { type: "button", class: value, "data-value": value, onclick: () => answer(value) },
        h("b", {}, word), h("small", {}, means));
    });
    return h("section", { class: "question" }, h("h1", { tabindex: "-1" }, heading),
      h("div", { class: `cards ${isPlane ? "plane" : n === 3 ? "three" : "two"}` }, cards),
      h("div", { class: "answers" }, buttons));
  },
  page(step, answer) {
    const agree = step.agree && h("input", { type: "checkbox", onchange: () => (next.disabled = !agree.checked) });
    const next = h("button", { type: "button", class: "primary", disabled: Boolean(agree), onclick: () => answer("next") },
      step.button);
    const box = agree ? h("label", { class: "agree" }, agree, h("span", {}, step.agree)) : [];
    return page("", step.title, step.text, box, next);
  },
  form(step, answer) {
    const problem = h("p", { class: "problem", role: "alert" });
    const onsubmit = (event) => {
      event.preventDefault();
      const given = Object.fromEntries(new FormData(event.target));
      const missing = step.fields.find((each) => each.required && !String(given[each.id] ?? "").trim());
      if (missing) problem.textContent = `Please answer: ${missing.text}`;
      else answer(given);
    };
    return page("", step.title, step.text, h("form", { onsubmit, novalidate: true }, step.fields.map(field), problem,
      h("button", { class: "primary" }, "Continue")));
  },
  end(step) {
    return page("quiet", step.title, step.text, step.code ? h("p", { class: "completion" }, step.code) : []);
  },
};

/** Ask for a nickname; `done` gets it, which may be empty. */
export function nameForm(heading, name, done) {
  const input = h("input", { type: "text", id: "nickname", maxlength: "24", autocomplete: "off", value: name });
  const onsubmit = (event) => {
    event.preventDefault();
    done(input.value);
  };
  return h("form", { class: "page", onsubmit }, h("h1", { tabindex: "-1" }, heading),
    h("div", { class: "field" }, h("label", { for: "nickname" }, "Nickname (optional)"), input),
    h("button", { class: "primary" }, "Continue"));
}

/** In practice: whether an answer was right, with a button to continue. */
export function feedback(step, value, onclick) {
  return h("div", { class: "feedback", role: "status" },
    h("p", {}, h("b", {}, value === step.right ? "Right" : "Not quite"), step.feedback[value]),
    h("button", { type: "button", class: "primary", onclick }, "Continue"));
}

function field({ id, text, kind, options }) {
  const name = `field-${id}`;
  if (!options.length) {
    const long = kind === "long";
    return h("div", { class: "field" }, h("label", { for: name }, text),
      h(long ? "textarea" : "input", { id: name, name: id, maxlength: "2000", autocomplete: "off",
        ...(!long && { type: kind === "number" ? "number" : "text", step: "any" }) }));
  }
  const choices = options.map((option) => h("label", {}, h("input", { type: "radio", name: id, value: option }), h("span", {}, option)));
  return h("fieldset", { class: kind }, h("legend", {}, text), h("div", {}, choices));
}

function card({ kind, src, text }, t) {
  const letter = h("span", { class: "letter", "aria-hidden": "true" }, LETTERS[t]);
  return h("div", { class: "card", role: "group", "aria-label": LETTERS[t] }, letter, CONTENT[kind](src ?? text, LETTERS[t]));
}

/** What is inside a card, by the kind of its item. */
const CONTENT = {
  image(src, letter) {
    return h("img", { src, alt: `Picture ${letter}`, "data-src": src, onerror: (event) => event.target.classList.add("failed") });
  },
  text(text) {
    const length = [...new Intl.Segmenter().segment(text)].length;
    return h("p", { class: `text ${length <= 2 ? "sign" : length <= 60 ? "short" : ""}`, tabindex: length > 200 && "0" }, text);
  },
  sound(src, letter) {
    const audio = h("audio", { src, preload: "auto" });
    const play = h("button", { type: "button", class: "play", "aria-label": `Play sound ${letter}` }, "▶");
    const mark = () => {
      play.classList.toggle("on", !audio.paused);
      play.textContent = audio.paused ? "▶" : "❚❚";
    };
    audio.onplay = audio.onpause = audio.onended = mark;
    play.onclick = () => {
      for (const other of document.querySelectorAll("audio")) if (other !== audio) other.pause();
      if (audio.paused) audio.play().catch(() => { /* not loaded yet */ });
      else audio.pause();
    };
    return [audio, play];
  },
};

let plane = null; // all points, once they have come

function drawPlane(items, call) {
  const background = h("g");
  const fill = (points) => background.replaceChildren(...points.map(([cx, cy]) => h("circle", { class: "dot", cx, cy, r: 9 })));
  if (plane) fill(plane);
  else call("plane").then(({ points }) => fill(plane = points)).catch(() => { /* the question itself is there */ });
  const chosen = items.map(({ at: [cx, cy] }, t) =>
    h("g", {}, h("circle", { class: "chosen", cx, cy, r: 40 }), h("text", { x: cx, y: cy }, LETTERS[t])));
  return h("svg", { viewBox: "-60 -60 1120 1120", role: "img", "aria-label": "The points A, B and C among all points" }, background, chosen);
}
