import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { makeRequests } from "../../dcrc_explore/widgets/static/requests.js";

/** A kernel that replies when it is told to, and a clock that goes when it is told to. */
function bench() {
  const sent = [];
  const states = [];
  let timer = null;
  mock.method(globalThis, "setTimeout", (action, milliseconds) => (timer = { action, milliseconds }));
  mock.method(globalThis, "clearTimeout", () => (timer = null));
  const kernel = { gone: false };
  const deliver = (message, finished, again) => {
    if (kernel.gone) throw new Error("Cannot send");
    sent.push({ ...message, finished, again });
  };
  const requests = makeRequests(deliver, (state) => states.push(state));
  const reply = () => requests.finish(sent.at(-1).request);
  return { sent, states, kernel, requests, reply, wait: () => timer.action(), timer: () => timer };
}
const verbs = (messages) => messages.map((message) => message.do);

test("one request is under way, the others wait in order", () => {
  const { sent, requests, reply } = bench();
  requests.add({ do: "answer", triplet: [0, 1, 2], answer: 1 });
  requests.add({ do: "answer", triplet: [3, 4, 5], answer: -1 });
  assert.equal(sent.length, 1);
  reply();
  assert.deepEqual(sent.map((message) => message.answer), [1, -1]);
  reply();
  assert.equal(requests.state, "idle");
});

test("what a newer request replaces is dropped, and no answer ever is", () => {
  const { sent, requests, reply } = bench();
  requests.add({ do: "undo" });
  for (const verb of ["preview", "panels", "answer", "suggest", "suggest", "preview", "answer"]) requests.add({ do: verb });
  while (requests.state !== "idle") reply();
  assert.deepEqual(verbs(sent), ["undo", "answer", "suggest", "answer"]);
});

test("a hundred answers in a row all arrive, in order", () => {
  const { sent, requests, reply } = bench();
  for (let t = 0; t < 100; t++) requests.add({ do: "answer", index: t });
  while (requests.state !== "idle") reply();
  assert.deepEqual(sent.map((message) => message.index), Array.from({ length: 100 }, (_, t) => t));
});

test("a request without reply is sent again with its id, after longer and longer", () => {
  const { sent, states, requests, wait, timer, reply } = bench();
  requests.add({ do: "answer" });
  const waited = [timer().milliseconds];
  wait();
  waited.push(timer().milliseconds);
  assert.equal(states.at(-1), "late");
  assert.equal(sent[0].request, sent[1].request);
  assert.deepEqual([sent[0].again, sent[1].again], [false, true]);
  assert.ok(waited[1] > waited[0]);
  reply();
  reply(); // the second reply to the same request means nothing
  assert.equal(requests.state, "idle");
});

test("a message that the kernel is through with and did not reply to is sent again soon", () => {
  const { sent, requests, timer, wait } = bench();
  requests.add({ do: "undo" });
  const usual = timer().milliseconds;
  sent[0].finished();
  assert.ok(timer().milliseconds < usual);
  wait();
  assert.equal(sent.length, 2);
});

test("without a kernel everything stays, and goes when it is back", () => {
  const { sent, states, kernel, requests, reply } = bench();
  kernel.gone = true;
  requests.add({ do: "answer", answer: 1 });
  requests.add({ do: "answer", answer: 0 });
  assert.equal(states.at(-1), "gone");
  assert.deepEqual(requests.unanswered.map((message) => message.answer), [1, 0]);
  kernel.gone = false;
  requests.add({ do: "hello" });
  while (requests.state !== "idle") reply();
  assert.deepEqual(verbs(sent), ["answer", "answer", "hello"]);
});

test("no two pages have the same ids", () => {
  const ids = [bench(), bench()].map(({ sent, requests }) => (requests.add({ do: "undo" }), sent[0].request));
  assert.notEqual(ids[0], ids[1]);
});
