import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { watchKernel } from "../../dcrc_explore/widgets/static/link.js";

/** A kernel whose signals are sent by hand, and a clock that goes when it is told to. */
function bench() {
  const slots = { statusChanged: [], connectionStatusChanged: [] };
  const signal = (name) => ({
    connect: (slot) => slots[name].push(slot),
    disconnect: (slot) => (slots[name] = slots[name].filter((other) => other !== slot)),
  });
  const kernel = Object.fromEntries(Object.keys(slots).map((name) => [name, signal(name)]));
  let timer = null;
  mock.method(globalThis, "setTimeout", (action) => (timer = action));
  mock.method(globalThis, "clearTimeout", () => (timer = null));
  const told = [];
  const link = watchKernel(kernel, () => told.push(link.lost));
  const send = (name, value) => slots[name].forEach((slot) => slot(kernel, value));
  return { link, told, send, slots, wait: () => timer?.() };
}

test("a kernel that dies or is started again is gone for ever, and that is told once", () => {
  for (const status of ["autorestarting", "restarting", "terminating", "dead"]) {
    const { told, send } = bench();
    for (const each of ["idle", "busy", "unknown", status, "starting", "idle", status]) send("statusChanged", each);
    assert.deepEqual(told, ["kernel"]);
  }
});

test("a connection that is back soon is not worth a word", () => {
  const { told, send, wait } = bench();
  send("connectionStatusChanged", "connecting");
  send("connectionStatusChanged", "connected");
  wait();
  assert.deepEqual(told, []);
});

test("a connection that stays away is told, and that it is back too", () => {
  const { told, send, wait } = bench();
  send("connectionStatusChanged", "connecting");
  wait();
  send("connectionStatusChanged", "connected");
  assert.deepEqual(told, ["server", ""]);
});

test("nothing is heard after the end, and nothing is needed where there is no kernel", () => {
  const { link, slots } = bench();
  link.stop();
  assert.ok(Object.values(slots).every((list) => !list.length));
  assert.equal(watchKernel(undefined, () => {}).lost, "");
});
