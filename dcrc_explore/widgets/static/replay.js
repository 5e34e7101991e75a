// The replay of a fit through its EM iterations.

import { makePlayer } from "./player.js";

const TITLE = "Replay the fit: the picture shows the model at this EM iteration";
const PLAY = "Play the EM iterations of this fit, from the initialisation on";

/**
 * While it plays, everything but the picture, the bound and the explained point waits until it ends.
 * @param {import("./shapes.d.ts").ExplorerTool} tool
 * @param {(iteration: number) => import("./types.d.ts").Message} message what is asked for with an iteration
 */
export const makeReplay = (tool, message) =>
  makePlayer({
    label: "EM iteration shown", about: PLAY, title: TITLE, each: 60, ended: () => tool.check(),
    show: (iteration) => tool.stopped() || tool.request(message(iteration)),
  });
