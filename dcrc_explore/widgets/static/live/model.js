// What a widget gets from its host, without one: values, events and messages.

/** @typedef {import("../shapes.d.ts").Extra} Extra */

export class LiveModel {
  /** @type {Map<string, Set<(sent: Extra, buffers: DataView[]) => void>>} */
  #listeners = new Map();
  /** @type {Promise<void>} */
  #turn = Promise.resolve();

  /**
   * @param {Record<string, unknown>} values of the traits
   * @param {(message: import("../types.d.ts").Message) => Promise<Record<string, unknown>>} perform does what a message
   *   asks for, and returns the traits that are other ones then
   */
  constructor(values, perform) {
    this.values = values;
    this.perform = perform;
  }

  /** @param {string} name */
  get = (name) => this.values[name];

  /** @param {string} name @param {unknown} value */
  set = (name, value) => this.take({ [name]: value });

  save_changes() {}

  /** One message after the other. @param {import("../types.d.ts").Message} message */
  send = (message) => {
    this.#turn = this.#turn.then(async () => this.take({ ...(await this.perform(message)), done: message.request }));
  };

  /** @param {string} event @param {(sent: Extra, buffers: DataView[]) => void} handler */
  on(event, handler) {
    const known = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, known.add(handler));
  }

  /** @param {string} event @param {(sent: Extra, buffers: DataView[]) => void} handler */
  off = (event, handler) => this.#listeners.get(event)?.delete(handler);

  /** @param {string} event @param {Extra} sent @param {DataView[]} buffers */
  fire = (event, sent = {}, buffers = []) =>
    [...(this.#listeners.get(event) ?? [])].forEach((handler) => handler(sent, buffers));

  /** @param {Record<string, unknown>} values */
  take(values) {
    const changed = Object.keys(values).filter((name) => values[name] !== this.values[name]);
    Object.assign(this.values, values);
    for (const name of changed) this.fire(`change:${name}`);
  }
}
