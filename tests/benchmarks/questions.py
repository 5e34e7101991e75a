"""How many answers does each way of asking need? Run by hand: ``python tests/benchmarks/questions.py --help``.

One model per seed and strategy gets answers in batches and goes on from where it was (warm start). Each seed draws new
points (generated data), another K-means start and other questions; all strategies of a seed share the points and the
start. Real sets come from the folder in DCRC_EXPLORE_DATA; without it, bundled ones take their place.

The table tells the mean pairwise F with its 95% interval, and how many answers each strategy needs until its mean F
comes within 0.01 of the F that random questions reach at the end ("-": not within the run). "gain" is the mean over
the whole curve of the paired difference in F to random questions.
"""

import argparse
import os
import sys
import time

import numpy as np
from scipy import stats

from dcrc_explore import DCRC
from dcrc_explore.annotators import list_oracles, make_oracle
from dcrc_explore.datasets import list_datasets, load_dataset, make_dataset
from dcrc_explore.metrics import pairwise_f
from dcrc_explore.questions import ask, list_strategies

GENERATED = ["close", "unbalanced", "elongated", "two-ways", "many"]
REAL = ["ionosphere", "pima", "balance-scale", "digits-389", "letters-ijlt"]
BUNDLED = ["balance-scale", "digits-8x8", "iris", "wine"]


def f_curve(name, strategy, seed, options):
    """Pairwise F after 0, 1, 2, ... batches of answers."""
    data = make_dataset(name, seed=seed) if name in list_datasets() else load_dataset(name)
    data = data.standardized()
    user = make_oracle(options.oracle, data.y, epsilon=0.15, seed=seed)
    epsilon = 0.05 if options.oracle == "truth" else 0.15
    model = DCRC(data.n_classes, epsilon=epsilon, lam=2.0**options.lam, warm_start=True, random_state=seed)
    triplets, answers = np.empty((0, 3), dtype=int), np.empty(0, dtype=int)
    rng = np.random.default_rng(seed)
    curve = [pairwise_f(data.y, model.fit_predict(data.X))]
    for _ in range(options.batches):
        proba = model.predict_proba(data.X)
        new = ask(strategy, proba, options.batch, epsilon=epsilon, asked=triplets, seed=rng)
        triplets, answers = np.vstack([triplets, new]), np.concatenate([answers, user.answer(new)])
        model.fit(data.X, triplets=triplets, answers=answers)
        curve.append(pairwise_f(data.y, model.labels_))
    return curve


def interval(values, sign=""):
    """Mean and half width of its 95% interval."""
    width = stats.t.ppf(0.975, len(values) - 1) * stats.sem(values)
    return f"{np.mean(values):{sign}.3f} ± {width:.3f}"


def compare(name, options):
    """Print the rows of one data set, a strategy each."""
    start = time.perf_counter()
    curves = {
        strategy: np.array([f_curve(name, strategy, seed, options) for seed in range(options.seeds)])
        for strategy in list_strategies()
    }
    target = curves["random"][:, -1].mean() - 0.01
    for strategy, F in curves.items():
        reached = np.flatnonzero(F.mean(axis=0) >= target)
        cells = [
            name,
            strategy,
            interval(F[:, 0]),
            interval(F[:, options.batches // 2]),
            interval(F[:, -1]),
            str(reached[0] * options.batch) if len(reached) else "-",
            "" if strategy == "random" else interval((F - curves["random"])[:, 1:].mean(axis=1), sign="+"),
        ]
        print(f"| {' | '.join(cells)} |", flush=True)
    print(f"{name}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    real = REAL if os.environ.get("DCRC_EXPLORE_DATA") else BUNDLED
    parser.add_argument("names", nargs="*", default=GENERATED + real, help="data sets")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--oracle", choices=list(list_oracles()), default="truth", help="who answers")
    parser.add_argument("--batch", type=int, default=10, help="answers between two fits")
    parser.add_argument("--batches", type=int, default=12)
    parser.add_argument("--lam", type=int, default=-6, help="regularisation as a power of two")
    options = parser.parse_args()
    half, end = options.batches // 2 * options.batch, options.batches * options.batch
    print(f"{options.seeds} seeds, batches of {options.batch}, answers by {options.oracle}, lam 2^{options.lam}\n")
    print(f"| data | strategy | F, 0 answers | F, {half} answers | F, {end} answers | answers needed | gain |")
    print("|---|---|---|---|---|---|---|")
    for name in options.names:
        compare(name, options)


if __name__ == "__main__":
    main()
