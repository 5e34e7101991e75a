// A plain page that shows widgets of the tests' own process: a small model for each, and a websocket to Python.

const models = new Map(); // by id, each a promise
const makers = new Map();
const socket = new WebSocket(`ws://${location.host}/socket`);
socket.binaryType = "arraybuffer";

/** What a host gives a widget: values, events and messages. */
class Model {
  #listeners = {};
  #changed = {};
  widget_manager = { get_model: (id) => modelOf(id) };

  constructor(id, values) {
    Object.assign(this, { id, values });
  }
  get = (name) => this.values[name];
  set(name, value) {
    this.#changed[name] = value;
    this.take({ [name]: value });
  }
  save_changes() {
    tell({ id: this.id, data: { method: "update", state: this.#changed, buffer_paths: [] } });
    this.#changed = {};
  }
  send = (content) => tell({ id: this.id, data: { method: "custom", content } });
  on = (event, handler) => (this.#listeners[event] ??= new Set()).add(handler);
  off = (event, handler) => this.#listeners[event]?.delete(handler);
  fire = (event, ...values) => [...(this.#listeners[event] ?? [])].forEach((handler) => handler(...values));
  take(values) {
    const changed = Object.keys(values).filter((name) => !same(values[name], this.values[name]));
    Object.assign(this.values, values);
    for (const name of changed) this.fire(`change:${name}`);
  }
}

/** Whether two values hold the same, as Backbone's models look at it: what is sent again is no change. */
function same(one, two) {
  if (one instanceof DataView && two instanceof DataView) {
    return one.byteLength === two.byteLength &&
      Array.from({ length: one.byteLength }, (_, n) => n).every((n) => one.getUint8(n) === two.getUint8(n));
  }
  if (one === null || two === null || typeof one !== "object" || typeof two !== "object") return one === two;
  const names = Object.keys(one);
  return names.length === Object.keys(two).length && names.every((name) => same(one[name], two[name]));
}

const tell = (message) => socket.send(JSON.stringify(message));

function modelOf(id) {
  if (!models.has(id)) models.set(id, new Promise((made) => makers.set(id, made)));
  return models.get(id);
}

/** Put the buffers of a message where they belong. */
function whole(state, paths, buffers) {
  paths.forEach((path, n) => {
    const last = path.at(-1);
    path.slice(0, -1).reduce((place, name) => place[name], state)[last] = buffers[n];
  });
  return state;
}

/** A message is its length, a JSON text, and the buffers one after the other. */
function read(bytes) {
  const length = new DataView(bytes).getUint32(0);
  const text = new TextDecoder().decode(new Uint8Array(bytes, 4, length));
  const message = JSON.parse(text);
  let start = 4 + length;
  message.buffers = message.sizes.map((size) => new DataView(bytes, (start += size) - size, size));
  return message;
}

/** Load a style sheet, once. */
function dress(address) {
  if (document.querySelector(`link[href="${address}"]`)) return null;
  const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: address });
  document.head.append(sheet);
  return new Promise((loaded) => sheet.addEventListener("load", loaded));
}

async function show(id) {
  const model = await modelOf(id);
  const [{ default: widget }] = await Promise.all([import(model.get("_esm")), dress(model.get("_css"))]);
  const place = document.createElement("div");
  document.querySelector("main").append(place);
  widget.render({ model, el: place });
}

async function receive({ kind, id, data, buffers }) {
  if (kind === "show") return show(id);
  const { method, state, content, buffer_paths: paths } = data;
  if (kind === "comm_open") {
    modelOf(id);
    return makers.get(id)(new Model(id, whole(state, paths, buffers)));
  }
  const model = await modelOf(id);
  if (method === "update") model.take(whole(state, paths, buffers));
  if (method === "custom") model.fire("msg:custom", content, buffers);
}

socket.addEventListener("message", ({ data }) => void receive(read(data)));
