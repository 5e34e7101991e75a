"""What are repeated questions worth? Run by hand: ``python tests/benchmarks/repeats.py --help``.

Somebody answers random questions, of which every tenth repeats an earlier one with B and C exchanged
(questions/repeats.py). The error rate that follows becomes the epsilon of the fit. Without repeats there is a tenth
more of new questions, and epsilon is 0.05 or 0.15, or the noise model is learned. All fits of a run share the questions
and the first answers to them. Sets are thinned to 150 points.

Measured with ``--seeds 20``: 540 runs. The rates found are means and standard deviations; people of the paper err in
11% of random questions. The others are differences of the ARI from epsilon = 0.05, with intervals of 95%.

| who | answers | rate found | ARI, 0.05 | 0.15 | learned | repeats |
|---|--:|--:|--:|--:|--:|--:|
| people | 20 | 0.072 ± 0.045 | 0.566 | +0.010 ± 0.013 | +0.015 ± 0.012 | +0.010 ± 0.017 |
| people | 40 | 0.090 ± 0.061 | 0.661 | +0.003 ± 0.014 | +0.001 ± 0.011 | -0.011 ± 0.014 |
| people | 80 | 0.095 ± 0.057 | 0.748 | +0.001 ± 0.011 | -0.002 ± 0.009 | -0.005 ± 0.015 |
| noisy 10% | 80 | 0.089 ± 0.049 | 0.785 | -0.003 ± 0.009 | -0.005 ± 0.005 | -0.013 ± 0.014 |
| noisy 20% | 80 | 0.133 ± 0.063 | 0.691 | +0.010 ± 0.012 | +0.009 ± 0.008 | +0.008 ± 0.016 |
| all | 20 | 0.078 ± 0.050 | 0.572 | +0.010 ± 0.009 | +0.005 ± 0.007 | +0.007 ± 0.011 |
| all | 40 | 0.095 ± 0.063 | 0.656 | +0.005 ± 0.008 | +0.001 ± 0.005 | -0.004 ± 0.010 |
| all | 80 | 0.106 ± 0.060 | 0.741 | +0.003 ± 0.006 | +0.001 ± 0.005 | -0.003 ± 0.009 |
"""

import argparse
import warnings
from itertools import product

import numpy as np

from dcrc_explore import DCRC, Triplets
from dcrc_explore.annotators import make_oracle
from dcrc_explore.constraints import Log
from dcrc_explore.datasets import list_datasets, load_dataset, make_dataset
from dcrc_explore.metrics import adjusted_rand
from dcrc_explore.questions import random_triplets
from dcrc_explore.questions.repeats import count_repeats, due_repeat

SETS = "close", "unbalanced", "elongated", "many", "iris", "wine", "short-texts", "emoji", "balance-scale"
PEOPLE = {"people": ("people", 0.0), "noisy 10%": ("noisy", 0.1), "noisy 20%": ("noisy", 0.2)}
COUNTS = 20, 40, 80
WAYS = ("0.05", {"epsilon": 0.05}), ("0.15", {"epsilon": 0.15}), ("learned", {"confusion": "learned"})
MOST = 150  # points


def measure(name, who, seed):
    """Return the ARI of each way after each number of answers, and the error rates that repeats gave."""
    data = (make_dataset(name, seed=seed) if name in list_datasets() else load_dataset(name)).standardized()
    kept = np.random.default_rng(seed).permutation(len(data.X))[:MOST]
    X, y = data.X[kept], np.asarray(data.y)[kept]
    kind, rate = PEOPLE[who]
    somebody, rng = make_oracle(kind, y, epsilon=rate, seed=seed), np.random.default_rng(seed)
    questions = random_triplets(len(X), max(COUNTS), seed=rng)
    answers = somebody.answer(questions)
    new, log = iter(zip(questions, answers, strict=True)), Log()
    while len(log) < max(COUNTS):
        again = due_repeat(log, "user")
        point, answer = next(new) if again is None else (again, somebody.answer([again])[0])
        log = log.plus([point], [answer])

    def ari(triplets, **settings):
        model = DCRC(len(np.unique(y)), random_state=seed, **settings).fit(X, triplets=triplets)
        return adjusted_rand(y, model.labels_)

    found = {}
    for n in COUNTS:
        for way, settings in WAYS:
            found[n, way] = ari(Triplets(questions[:n], answers[:n]), **settings)
        first = log.only(range(n))
        found[n, "rate"] = count_repeats(first).error_rate(0.05)
        found[n, "repeats"] = ari(first.triplets, epsilon=found[n, "rate"])
    return found


def report(runs):
    """Print the mean ARI with epsilon 0.05 and the differences from it, with intervals of 95%."""
    print("| who | answers | runs | error rate found | ARI, ε = 0.05 | ε = 0.15 | learned | repeats |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for who, n in product([*PEOPLE, "all"], COUNTS):
        rows = [found for (_, person, _), found in runs.items() if who in (person, "all")]
        base, rate = (np.array([found[n, what] for found in rows]) for what in ("0.05", "rate"))
        print(f"| {who} | {n} | {len(rows)} | {rate.mean():.3f} ± {rate.std():.3f} | {base.mean():.3f} ", end="")
        for way in ("0.15", "learned", "repeats"):
            gains = np.array([found[n, way] for found in rows]) - base
            print(f"| {gains.mean():+.4f} ± {1.96 * gains.std(ddof=1) / len(gains) ** 0.5:.4f} ", end="")
        print("|")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", default=SETS, metavar="NAME")
    parser.add_argument("--seeds", type=int, default=10, help="how many")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    every = product(options.sets, PEOPLE, range(options.seeds))
    report({(name, who, seed): measure(name, who, seed) for name, who, seed in every})
