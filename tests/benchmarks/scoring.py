"""By what should tau and lambda be chosen? Run by hand: ``python tests/benchmarks/scoring.py --help``.

One cross-validation for each run gives the accuracy, the balanced accuracy and the log-likelihood of all candidates;
each chooses, and the chosen pair is fitted to all answers. ARI, the share of runs whose largest cluster holds over 90%
of the points, and the paired difference in ARI to the paper's accuracy with its 95% interval.
"""

import argparse
import os
import warnings

import numpy as np
from scipy import stats
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score

from dcrc_explore import DCRC, DCRCCV
from dcrc_explore.annotators import list_oracles, make_oracle
from dcrc_explore.datasets import load_dataset
from dcrc_explore.questions import ask

SCORES = ["accuracy", "balanced_accuracy", "log_likelihood"]


def run(name, oracle, share, seed):
    """ARI and the share of the largest cluster, by score."""
    data = load_dataset(name).standardized()
    questions = ask("random", np.ones((len(data.X), data.n_classes)), round(share * len(data.X)), seed=seed)
    answers = make_oracle(oracle, data.y, epsilon=0.15, seed=seed).answer(questions)
    epsilon = 0.05 if oracle == "truth" else 0.15
    said = {"triplets": questions, "answers": answers}
    model = DCRC(data.n_classes, epsilon=epsilon, random_state=seed)
    found = DCRCCV(model).fit(data.X, **said).cv_results_
    results = []
    for score in SCORES:
        best = np.lexsort([found["mean_test_log_likelihood"], found[f"mean_test_{score}"].round(12)])[-1]
        chosen = found["params"][best]
        labels = DCRC(data.n_classes, epsilon=epsilon, random_state=seed, **chosen).fit(data.X, **said).labels_
        results.append((adjusted_rand_score(data.y, labels), np.bincount(labels).max() / len(labels)))
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("datasets", nargs="*")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--oracles", nargs="+", default=["people", "truth"], choices=list_oracles())
    parser.add_argument("--shares", type=float, nargs="+", default=[0.1, 0.2], help="answers for each point")
    options = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)
    names = ["ionosphere", "pima", "balance-scale"] if "DCRC_EXPLORE_DATA" in os.environ else ["balance-scale", "iris"]
    print(f"{'data':>14} {'oracle':>7} {'share':>6}" + "".join(f"{score:>34}" for score in SCORES))
    for name in options.datasets or names:
        for oracle in options.oracles:
            for share in options.shares:
                runs = np.array([run(name, oracle, share, seed) for seed in range(options.runs)])
                cells = []
                for place in range(len(SCORES)):
                    ari, largest = runs[:, place].T
                    gain = ari - runs[:, 0, 0]
                    width = stats.t.ppf(0.975, len(runs) - 1) * stats.sem(gain)
                    one = np.mean(largest > 0.9)
                    cells.append(f"{ari.mean():.3f} ({gain.mean():+.3f} ± {width:.3f}), one {one:4.0%}")
                print(f"{name:>14} {oracle:>7} {share:>6}" + "".join(f"{cell:>34}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
