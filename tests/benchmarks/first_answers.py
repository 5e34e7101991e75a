"""How loudly should the first answers be heard? Run by hand: ``python tests/benchmarks/first_answers.py --help``.

The answers' term of Eq. (8) is divided by M, so a single answer weighs as much as all unlabelled instances. With
``full_weight_at=s`` it is divided by max(M, s N) instead; the default, "auto", by max(M, min(0.05 N, 40)). For each
share s the mean ARI over all runs after so many truthful answers, and the paired difference to the first share, by
default the paper's s = 0, with its 95% interval. Real sets come from the folder in DCRC_EXPLORE_DATA; without it,
bundled ones take their place. Among very many points a share of them is too many answers to wait for:

    python tests/benchmarks/first_answers.py close elongated two-ways unbalanced --per-cluster 20000 --most 40 \\
        --shares 0 auto 0.05 --strategy guided --seeds 5
"""

import argparse
import json
import os
import warnings

import numpy as np
from scipy import stats
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score

from dcrc_explore import DCRC
from dcrc_explore.annotators import make_oracle
from dcrc_explore.datasets import list_datasets, load_dataset, make_dataset
from dcrc_explore.metrics import pairwise_f
from dcrc_explore.questions import ask
from dcrc_explore.session import Session

REAL = ["ionosphere", "pima", "balance-scale", "iris", "wine"]
BUNDLED = ["balance-scale", "iris", "wine"]


def sizes(N, most):
    """Numbers of answers: the first ones, then shares of N."""
    return sorted(M for M in {1, 2, 5, 10, 20, 40, *(round(share * N) for share in (0.05, 0.1, 0.3))} if most >= M)


def given(data, seed, options):
    """Return questions and truthful or other answers; guided ones follow the model that hears them."""
    most = sizes(len(data.X), options.most)[-1]
    if options.strategy == "guided":
        session = Session(data, autosave=None, random_state=seed)
        session.answer_by_oracle(most, strategy="guided", oracle=options.oracle, epsilon=0.15)
        return session.triplets.indices, session.triplets.answers
    questions = ask("random", np.ones((len(data.X), data.n_classes)), most, seed=seed)
    return questions, make_oracle(options.oracle, data.y, epsilon=0.15, seed=seed).answer(questions)


def curve(name, share, seed, options):
    """ARI and F after each number of answers; runs of a seed share points, start and answers."""
    large = {} if options.per_cluster is None else {"n_per_cluster": options.per_cluster}
    data = (make_dataset(name, seed=seed, **large) if name in list_datasets() else load_dataset(name)).standardized()
    questions, answers = given(data, seed, options)
    records = []
    for M in (0, *sizes(len(data.X), options.most)):
        heard = {"triplets": questions[:M], "answers": answers[:M]}
        model = DCRC(
            data.n_classes, lam=2.0**options.lam, use_dnk=not options.yn, full_weight_at=share, random_state=seed
        ).fit(data.X, **heard)
        records.append(
            {
                "dataset": name,
                "share": share,
                "seed": seed,
                "answers": M,
                "ari": adjusted_rand_score(data.y, model.labels_),
                "ari_posterior": adjusted_rand_score(data.y, model.posterior_.argmax(axis=1)),
                "f": pairwise_f(data.y, model.labels_),
            }
        )
    return records


def _share(text):
    return text if text == "auto" else float(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("datasets", nargs="*")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--shares", type=_share, nargs="+", default=[0, 0.05, 0.1, 0.2])
    parser.add_argument("--strategy", choices=["random", "guided"], default="random")
    parser.add_argument("--per-cluster", type=int, help="points in each cluster of a generator")
    parser.add_argument("--most", type=int, default=10**6, help="stop after so many answers")
    parser.add_argument("--oracle", default="truth")
    parser.add_argument("--lam", type=float, default=-6)
    parser.add_argument("--yn", action="store_true", help="learn from yes and no only")
    parser.add_argument("--json")
    options = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)
    real = REAL if "DCRC_EXPLORE_DATA" in os.environ else BUNDLED
    for name in options.datasets or [*list_datasets(), *real]:
        runs = {s: [curve(name, s, seed, options) for seed in range(options.seeds)] for s in options.shares}
        if options.json:
            with open(options.json, "a") as file:
                file.writelines(json.dumps(r) + "\n" for rs in runs.values() for run in rs for r in run)
        table = {s: np.array([[point["ari"] for point in run] for run in rs]) for s, rs in runs.items()}
        first = table[options.shares[0]]
        print(f"\n{name:>14}" + "".join(f"{point['answers']:>9}" for point in runs[options.shares[0]][0]))
        for s, values in table.items():
            print(f"{f's = {s}':>14}" + "".join(f"{value:9.3f}" for value in values.mean(axis=0)))
            if s != options.shares[0]:
                width = stats.t.ppf(0.975, len(first) - 1) * stats.sem(values - first, axis=0)
                cells = zip((values - first).mean(axis=0), width, strict=True)
                print(" " * 14 + "".join(f"{f'{d:+.2f}±{w:.2f}':>9}" for d, w in cells), flush=True)


if __name__ == "__main__":
    main()
