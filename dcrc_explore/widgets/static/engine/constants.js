// Written by `python tests/js/constants.py` from the modules of Python that are named here.

// model/em.py
export const SOFT_SHARES = [0.1, 0.3];
export const SOFT_ITERATIONS = 10;
export const SOFT_LAM = 0.03125;
export const M_STEP_ITERATIONS = 10;
export const M_STEP_TOL = 1e-06;
export const M_STEP_SHARE = 0.01;
export const M_STEP_LEFT = 10.0;
export const MAX_SWEEPS = 100;
export const SWEEP_TOL = 0.01;
export const UNSETTLED = 0.03;
export const LAST_SWEEP_TOL = 0.0001;
export const EQUAL = 1e-06;
export const SMALLEST = 1e-300;
export const UNANSWERED_ITERATIONS = 100;
export const UNANSWERED_TOL = 1e-07;

// model/estep.py
export const TIE = 1e-09;

// model/lbfgs.py
export const MEMORY = 20;
export const SUFFICIENT = 0.0001;
export const FLATTER = 0.9;
export const MOST_TRIALS = 20;
export const FLAT = 1e-06;

// model/mstep.py
export const BEND_OF_LAM = 10.0;
export const LEAST_VARIANCE = 1e-12;
export const LARGEST_DEVIATION = 10.0;
export const MANY_ROWS = 4;

// model/weighting.py
export const GENTLE_SHARE = 0.1;
export const GENTLE_ANSWERS = 40.0;
export const FEW = 0.3;
export const LEAST_SEPARATED = 0.3;

// model/starts.py
export const DRAWN = 0.0001;
export const NO_SCATTER = 1e-09;
export const FEW_ROWS = 4;

// model/features.py
export const RANK_TOL = 1e-10;
export const UNEVEN = 1e-06;
export const NO_VARIANCE = 1e-200;

// session/trace.py
export const QUICK = 200000;
export const BETTER = 0.001;

// information/expectation.py
export const SAMPLE = 300;

// questions/belief.py
export const DOUBTS = [0.05, 0.1, 0.2, 0.4, 0.8];
export const OLD_SURPRISE = 0.97;

// questions/guided.py
export const REFERENCES = 500;
export const CANDIDATES = 200;
export const LEAST_UNCERTAINTY = 0.5;
export const TIRING = 3;
export const REMEMBERED = 5;
export const FIRST = "This looks for two groups that differ.";
export const NEW = "A may be a new group, unlike those found so far.";
export const REGION = "Answering this settles many uncertain points near A.";
export const REGIONS = "Answering this settles many uncertain points near {} and {}.";
export const BETWEEN = "A may belong to cluster {} or {}.";
export const CHECK = "Every group is known: this one only checks the answers.";

// arrays.py
export const ROUNDING = 1e-06;

// the defaults of DCRC
export const MAX_ITER = 100;
export const TOL = 0.0001;
export const MOST_COMPONENTS = 500;

// annotators/confusion.py
export const PAPER_CONFUSION = [
  [0.7819103972950128, 0.013947590870667796, 0.20414201183431957],
  [0.01547116736990155, 0.7735583684950774, 0.2109704641350211],
  [0.03333333333333333, 0.02857142857142857, 0.9380952380952381],
];
export const GUESSING = [
  [0.3333333333333333, 0.3333333333333333, 0.3333333333333333],
  [0.3333333333333333, 0.3333333333333333, 0.3333333333333333],
  [0.3333333333333333, 0.3333333333333333, 0.3333333333333333],
];
export const EXCHANGING = [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];

// questions/__init__.py
/** @type {Record<string, string>} */
export const REASONS = {
  "random": "Drawn at random.",
  "boundary": "Three points near the decision boundary.",
  "informative": "The most informative question under the current model."
};
