// How the messages of the browser wait. Their types, and those of what Python sends, are in types.d.ts.

/**
 * What the browser may ask for. Of `latest` ones only the newest matters; `passing` ones are about a picture that any
 * other action replaces; `passive` ones the browser sends by itself.
 * @type {Record<import("./types.d.ts").Verb, {latest?: boolean, passing?: boolean, passive?: boolean}>}
 */
export const VERBS = {
  hello: { latest: true, passive: true },
  answer: {},
  preview: { latest: true, passing: true },
  suggest: { latest: true },
  auto: { latest: true },
  person: {},
  points: {},
  shared: {},
  people: { latest: true, passing: true, passive: true },
  apart: {},
  skip: {},
  undo: {},
  redo: {},
  dismiss: {},
  flip: {},
  delete: {},
  replay: { latest: true, passing: true, passive: true },
  why: { latest: true, passing: true, passive: true },
  sweep: {},
  cancel: {},
  stop: {},
  epsilon: {},
  plant: {},
  cluster: {},
  panels: { latest: true, passing: true, passive: true },
  items: { passive: true },
  sheet: { passive: true },
  select: { latest: true },
  window: { latest: true, passing: true, passive: true },
  gallery: { latest: true, passing: true, passive: true },
  name: {},
  propose: { latest: true },
  confirm: {},
  export: {},
  resume: {},
  set: { latest: true },
  press: {},
  follow: {},
  scene: {},
  class: {},
};
