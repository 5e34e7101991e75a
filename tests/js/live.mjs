// Plays the scenes of a live page under node: JSON of the page comes in by the standard input, agreement goes out.

import { readFileSync } from "node:fs";

import { Session } from "../../dcrc_explore/widgets/static/live/session.js";
import { Subjects } from "../../dcrc_explore/widgets/static/live/subjects.js";
import { LiveTool } from "../../dcrc_explore/widgets/static/live/tool.js";
import { makeWorker } from "../../dcrc_explore/widgets/static/live/work.js";

const page = JSON.parse(readFileSync(0, "utf8"));
const found = {};
for (const [name, { steps }] of Object.entries(page.scenes)) {
  const session = new Session(makeWorker(null));
  const tool = new LiveTool(page, session, new Subjects(page));
  await tool.subjects.begin(tool);
  await tool.perform({ do: "set", name: "scene", value: name });
  const both = () => [tool.now.fit, tool.now.second].map((fit) => fit?.quality.ARI ?? null);
  const agreement = [both()];
  const words = [tool.scenes.card().text];
  for (let at = 0; at < steps.length; at++) {
    await tool.perform({ do: "scene", to: "next" });
    agreement.push(both());
    words.push(tool.scenes.card().text);
  }
  const answers = tool.now.state.log.length;
  for (let at = 0; at < steps.length; at++) await tool.perform({ do: "scene", to: "back" });
  found[name] = { agreement, words, answers, back: both() };
}
// What an answer takes, from the message to what is drawn.
const session = new Session(makeWorker(null));
const tool = new LiveTool(page, session, new Subjects(page));
await tool.subjects.begin(tool);
const milliseconds = [];
for (let t = 0; t < 30; t++) {
  const [i, j, k] = [t, t + 50, t + 100];
  const { y } = tool.now.state.subject;
  const answer = y[i] === y[j] ? Number(y[i] !== y[k]) : -Number(y[i] === y[k]);
  await tool.perform({ do: "answer", triplet: [i, j, k], answer });
  milliseconds.push(tool.now.fit.milliseconds);
}
process.stdout.write(JSON.stringify({ scenes: found, milliseconds }));
