"""Where EM ends, by the way it starts: ``python tests/benchmarks/starts.py``.

Mean bound, ARI, F and processor seconds over seeds, each with its own truthful answers and K-means seed: for the
paper's start (K-means and logistic regression, then EM with the full tau), for the default, which keeps the best bound
of several starts, and for the default followed by moves, which is what a larger `n_init` means. The last columns are
differences to the default of the same seed, with intervals of 95 %.
The real sets are read from the folder in DCRC_EXPLORE_DATA when it is set; the others need nothing.
"""

from __future__ import annotations

import argparse
import os
import time
import warnings

import numpy as np
from scipy import stats
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score

from dcrc_explore import DCRC, Triplets
from dcrc_explore.constraints import implied_answers
from dcrc_explore.datasets import Dataset, as_dataset, load_dataset, make_dataset
from dcrc_explore.metrics import pairwise_f

WAYS = {"the paper's": {"soft_start": False}, "default": {}, "5 moves": {"n_init": 6}, "20 moves": {"n_init": 21}}


def scenes() -> Dataset:
    """Data of the shape of a set of segmented photographs: 1046 x 48, six unequal classes that overlap."""
    rng = np.random.default_rng(0)
    y = rng.choice(6, size=1046, p=[0.3, 0.25, 0.18, 0.12, 0.09, 0.06])
    centres, spread = rng.normal(size=(6, 16)), rng.uniform(0.8, 1.6, size=(6, 16))
    mixing = rng.normal(size=(16, 48))
    X = (centres[y] + spread[y] * rng.normal(size=(1046, 16))) @ mixing + rng.normal(size=(1046, 48))
    return as_dataset(X, y, name="scenes")


def loaded(name: str) -> Dataset:
    data = scenes() if name == "scenes" else make_dataset(name) if name == "close" else load_dataset(name)
    return data.standardized()


def ends(data: Dataset, share: float, seed: int, parameters: dict) -> dict[str, list[float]]:
    """Return bound, ARI, F and seconds of each way with the same answers."""
    rng = np.random.default_rng(seed)
    indices = np.array([rng.choice(len(data.X), 3, replace=False) for _ in range(int(share * len(data.X)))])
    triplets, found = Triplets(indices, implied_answers(data.y, indices)), {}
    for name, way in WAYS.items():
        model = DCRC(data.n_classes, random_state=seed, **parameters, **way)
        begin = time.process_time()
        labels = model.fit(data.X, triplets=triplets).labels_
        scores = [adjusted_rand_score(data.y, labels), pairwise_f(data.y, labels)]
        found[name] = [model.lower_bound_, *scores, time.process_time() - begin]
    return found


def main() -> None:
    """Fit, and print a line for each data set, number of answers and way."""
    real = ["ionosphere", "letters-ijlt"] if os.environ.get("DCRC_EXPLORE_DATA") else []
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", nargs="+", default=["scenes", *real], help="names; scenes is made here")
    parser.add_argument("--shares", nargs="+", type=float, default=[0.05, 0.1], help="answers for each point")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--lam", type=float, default=DCRC().lam)
    parser.add_argument("--no-balance", action="store_true")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)
    parameters = {"lam": arguments.lam, "balance": not arguments.no_balance}
    print(f"{'data':>14} {'answers':>8} {'start':>12} {'bound':>8} {'ARI':>6} {'F':>6} {'s':>7}", end="")
    print(f" {'bound - default':>17} {'ARI - default':>17} {'F - default':>17}")
    for name in arguments.data:
        data = loaded(name)
        for share in arguments.shares:
            runs = [ends(data, share, seed, parameters) for seed in range(arguments.seeds)]
            default = np.array([run["default"] for run in runs])
            for way in WAYS:
                values = np.array([run[way] for run in runs])
                bound, ari, f, seconds = values.mean(axis=0)
                row = f"{name:>14} {int(share * len(data.X)):8d} {way:>12} {bound:8.3f} {ari:6.3f} {f:6.3f}"
                row += f" {seconds:7.2f}"
                for differences in (values - default)[:, :3].T * (way != "default"):
                    interval = stats.sem(differences) * stats.t.ppf(0.975, len(differences) - 1)
                    row += f" {differences.mean():+9.3f} ± {interval:.3f}"
                print(row, flush=True)


if __name__ == "__main__":
    main()
