"""What is it worth to know who answered? Run by hand: ``python tests/benchmarks/crowd.py --help``.

Eight people answer the same number of random questions each: five with 5% errors, two who guess, one who exchanges yes
and no. ARI of the clustering when all are heard alike (with the paper's two values of epsilon), when one matrix is
learned for all, when one is learned for each, when each one's true matrix is known, and when only the five good ones
were asked. Differences are paired with "alike, epsilon = .15", with 95% intervals. Real sets come from the folder in
DCRC_EXPLORE_DATA; without it, bundled ones take their place.

``--helper`` measures something else: is a cheap annotator, such as a language model, worth its answers? 40 answers of a
careful person (5% errors) are taken alone, together with 400 of the helper as if both were alike, and with a matrix
learned for each. The helper must choose between yes and no, as ClusterLLM's prompt asks for: where the classes imply
one of them it is right with probability 0.6 to 0.9, else it tosses a coin. These rates are assumed: no published error
rate of a language model on such questions was found (ClusterLLM, Cequel and few-shot clustering were looked through).

A second fit without those whose answers seem worth less than a quarter of a bit was tried and is not built: of 15 cases
(20 runs; close, iris, elongated, wine, unbalanced; 10, 20, 40 answers each) ARI is clearly higher in five and clearly
lower in three.
"""

import argparse
import os
import warnings

import numpy as np
from scipy import stats
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score

from dcrc_explore import DCRC, Triplets
from dcrc_explore.annotators import error_matrix
from dcrc_explore.constraints import answer_columns, answers_in_columns, implied_answers
from dcrc_explore.datasets import list_datasets, load_dataset, make_dataset
from dcrc_explore.questions import ask

GOOD, GUESSES, EXCHANGES = error_matrix(0.05), np.full((3, 3), 1 / 3), np.eye(3)[[1, 0, 2]]
PEOPLE = [GOOD] * 5 + [GUESSES] * 2 + [EXCHANGES]
WAYS = ["alike .05", "alike .15", "one matrix", "each their own", "only the good"]


def run(name, seed, per_person):
    """ARI by noise model, and whether guessers and exchangers are told from the good."""
    data = (make_dataset(name, seed=seed) if name in list_datasets() else load_dataset(name)).standardized()
    K, n = data.n_classes, per_person * len(PEOPLE)
    questions = ask("random", np.ones((len(data.X), K)), n, seed=seed)
    rng = np.random.default_rng(seed)
    who = np.arange(n) % len(PEOPLE)
    implied = answer_columns(implied_answers(data.y, questions))
    answers = answers_in_columns([rng.choice(3, p=PEOPLE[a][i]) for a, i in zip(who, implied, strict=True)])
    said = Triplets(questions, answers)
    names = [f"person {a}" for a in who]
    common = {"n_clusters": K, "random_state": seed}
    fits = {
        "alike .05": DCRC(epsilon=0.05, **common).fit(data.X, triplets=said),
        "alike .15": DCRC(epsilon=0.15, **common).fit(data.X, triplets=said),
        "one matrix": DCRC(epsilon=0.15, confusion="learned", **common).fit(data.X, triplets=said),
        "each their own": DCRC(epsilon=0.15, confusion="learned", **common).fit(
            data.X, triplets=said, annotators=names
        ),
        "only the good": DCRC(epsilon=0.05, **common).fit(data.X, triplets=said[who < 5]),
    }
    right = np.array([fits["each their own"].annotators_[f"person {a}"].diagonal().mean() for a in range(8)])
    return [adjusted_rand_score(data.y, fits[way].labels_) for way in WAYS], right[:5].min() > right[5:].max()


HELP = ["40 alone", "440 alike", "440, each their own", "400 of the helper"]


def helped(name, seed, accuracy):
    """ARI with the answers of a careful person, of a helper, and of both."""
    data = (make_dataset(name, seed=seed) if name in list_datasets() else load_dataset(name)).standardized()
    questions = ask("random", np.ones((len(data.X), data.n_classes)), 440, seed=seed)
    rng = np.random.default_rng(seed)
    helper = np.array([[accuracy, 1 - accuracy, 0], [1 - accuracy, accuracy, 0], [0.5, 0.5, 0]])
    implied = answer_columns(implied_answers(data.y, questions))
    matrices = [GOOD if t < 40 else helper for t in range(440)]
    answers = answers_in_columns([rng.choice(3, p=matrix[i]) for matrix, i in zip(matrices, implied, strict=True)])
    said = Triplets(questions, answers)
    names = ["person" if t < 40 else "helper" for t in range(440)]
    common = {"n_clusters": data.n_classes, "random_state": seed}
    fits = {
        "40 alone": DCRC(epsilon=0.05, **common).fit(data.X, triplets=said[:40]),
        "440 alike": DCRC(epsilon=0.15, **common).fit(data.X, triplets=said),
        "440, each their own": DCRC(epsilon=0.15, confusion="learned", **common).fit(
            data.X, triplets=said, annotators=names
        ),
        "400 of the helper": DCRC(epsilon=0.15, confusion="forced", **common).fit(data.X, triplets=said[40:]),
    }
    return [adjusted_rand_score(data.y, fits[way].labels_) for way in HELP]


def report_help(names, seeds):
    """Print ARI, with the difference to the person alone."""
    print(f"{'data':>14} {'right':>6}" + "".join(f"{way:>24}" for way in HELP))
    for name in names:
        for accuracy in (0.6, 0.7, 0.8, 0.9):
            ari = np.array([helped(name, seed, accuracy) for seed in range(seeds)])
            cells = []
            for place in range(len(HELP)):
                difference = ari[:, place] - ari[:, 0]
                width = stats.t.ppf(0.975, len(ari) - 1) * stats.sem(difference)
                cells.append(f"{ari[:, place].mean():.3f} ({difference.mean():+.3f}±{width:.3f})")
            print(f"{name:>14} {accuracy:>6}" + "".join(f"{cell:>24}" for cell in cells), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("datasets", nargs="*")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--answers", type=int, nargs="+", default=[10, 20, 40], help="answers of each person")
    parser.add_argument("--helper", action="store_true", help="measure what a cheap annotator adds")
    options = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)
    if options.helper:
        report_help(options.datasets or ["close", "iris", "elongated", "wine"], options.seeds)
        return
    real = ["ionosphere", "pima"] if "DCRC_EXPLORE_DATA" in os.environ else []
    print(f"{'data':>14} {'each':>5}" + "".join(f"{way:>22}" for way in WAYS) + f"{'found':>7}")
    for name in options.datasets or ["close", "unbalanced", "elongated", "iris", "wine", "balance-scale", *real]:
        for per_person in options.answers:
            results = [run(name, seed, per_person) for seed in range(options.seeds)]
            ari, found = np.array([result[0] for result in results]), np.mean([result[1] for result in results])
            cells = []
            for place in range(len(WAYS)):
                difference = ari[:, place] - ari[:, 1]
                width = stats.t.ppf(0.975, len(ari) - 1) * stats.sem(difference)
                cells.append(f"{ari[:, place].mean():.3f} ({difference.mean():+.3f}±{width:.3f})")
            print(
                f"{name:>14} {per_person:>5}" + "".join(f"{cell:>22}" for cell in cells) + f"{found:7.0%}", flush=True
            )


if __name__ == "__main__":
    main()
