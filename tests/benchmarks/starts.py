"""Where EM ends, by the way it starts: ``python tests/benchmarks/starts.py``.

Mean bound and pairwise F over seeds, each with its own answers and K-means seed, for the paper's start (K-means and
logistic regression, then EM with the full tau) and for the default, which keeps the best bound of three starts.
The real sets are read from the folder in DCRC_EXPLORE_DATA when it is set; the others need nothing.
"""

from __future__ import annotations

import argparse
import os
import warnings
from itertools import product

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from dcrc_explore import DCRC, Triplets
from dcrc_explore.constraints import implied_answers
from dcrc_explore.datasets import load_dataset, make_dataset
from dcrc_explore.metrics import pairwise_f


def data_sets() -> list:
    names = ["balance-scale"]
    if os.environ.get("DCRC_EXPLORE_DATA"):
        names += ["ionosphere", "pima", "digits-389", "letters-ijlt"]
    return [make_dataset("close"), *(load_dataset(name) for name in names)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)
    print("mean bound and F at the end of EM, and in how many seeds the bound is at least as high as the other's")
    header = f"{'data':>14} {'answers':>8} {'lam':>6} {'balance':>8}"
    print(header + "".join(f"{name:>24}" for name in ("the paper's start", "default")))
    for data in map(lambda data: data.standardized(), data_sets()):
        n_clusters = len(np.unique(data.y))
        for share, lam, balance in product((0.1, 0.3), (2**-10, 2**-6), (True, False)):
            ends: dict[str, list[tuple[float, float]]] = {"plain": [], "default": []}
            for seed in range(arguments.seeds):
                rng = np.random.default_rng(seed)
                indices = np.array([rng.choice(len(data.X), 3, replace=False) for _ in range(int(share * len(data.X)))])
                triplets = Triplets(indices, implied_answers(data.y, indices))
                for name, soft_start in (("plain", False), ("default", True)):
                    model = DCRC(n_clusters, lam=lam, balance=balance, soft_start=soft_start, random_state=seed)
                    model.fit(data.X, triplets=triplets)
                    ends[name].append((model.lower_bound_, pairwise_f(data.y, model.labels_)))
            plain, soft = np.array(ends["plain"]), np.array(ends["default"])
            row = f"{data.name:>14} {len(triplets):8d} {lam:6.3f} {balance!s:>8}"
            for end, other in ((plain, soft), (soft, plain)):
                wins = int(np.sum(end[:, 0] >= other[:, 0] - 1e-3))
                row += f"{end[:, 0].mean():10.3f} {end[:, 1].mean():6.3f} {wins:3d}/{len(end)}"
            print(row, flush=True)
