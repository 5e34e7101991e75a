// The engine as one module: what tests compare with Python, and what a page runs in a worker.

import * as belief from "./belief.js";
import * as drawing from "./drawing.js";
import * as em from "./em.js";
import * as features from "./features.js";
import * as fitting from "./fit.js";
import * as guided from "./guided.js";
import * as information from "./information.js";
import * as linear from "./linear.js";
import * as people from "./people.js";
import * as quality from "./quality.js";
import * as questions from "./questions.js";
import * as random from "./random.js";
import * as softmax from "./softmax.js";
import * as starts from "./starts.js";

const parts = { belief, drawing, em, features, fitting, guided, information, linear, people, quality, questions };

export default { ...parts, random, softmax, starts };
