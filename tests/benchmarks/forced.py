"""What is a don't know worth, and how are people modelled who may not say it? ``python tests/benchmarks/forced.py``.

The same random questions are answered by the same simulated people in three ways: they may say don't know; they must
choose, and toss a coin where they don't know; or they may say it and such answers are dropped afterwards (the paper's
DCRC-YN). Each is fitted with epsilon (Table I), with confusion="forced", and with what DCRC chooses by itself. ARI,
means over the runs; "forced" counts how often DCRC takes the people for forced.
"""

import argparse
import warnings

import numpy as np
from sklearn.metrics import adjusted_rand_score

from dcrc_explore import DCRC, Triplets
from dcrc_explore.annotators import PAPER_CONFUSION, error_matrix
from dcrc_explore.constraints import Answer, answer_columns, answers_in_columns, implied_answers
from dcrc_explore.datasets import list_datasets, load_dataset, make_dataset
from dcrc_explore.questions import ask

PEOPLE = {"truth": np.eye(3), "noisy": error_matrix(0.1), "people": PAPER_CONFUSION}


def answered(y, questions, confusion, rng):
    """Return the answers of people who may not know, and of the same people when they must choose."""
    implied = answer_columns(implied_answers(y, questions))
    free = answers_in_columns([rng.choice(3, p=confusion[row]) for row in implied])
    coins = rng.choice([Answer.YES, Answer.NO], size=len(free))
    return free, np.where(free == Answer.DNK, coins, free)


def run(name, people, n, seed):
    data = (make_dataset(name, seed=seed) if name in list_datasets() else load_dataset(name)).standardized()
    rng = np.random.default_rng(seed)
    questions = ask("random", np.ones((len(data.X), data.n_classes)), n, seed=seed)
    free, forced = answered(data.y, questions, PEOPLE[people], rng)
    epsilon = 0.05 if people == "truth" else 0.15
    ways = {"free": Triplets(questions, free), "must choose": Triplets(questions, forced)}
    ways["dropped"] = ways["free"].without_dnk()
    found = {}
    for way, given in ways.items():
        for confusion in ("epsilon", "forced", None):
            if confusion == "forced" and way == "free":
                continue
            settings = {"confusion": "forced"} if confusion == "forced" else {}
            if confusion == "epsilon":
                settings = {"confusion": error_matrix(epsilon)}
            model = DCRC(data.n_classes, epsilon=epsilon, random_state=seed, **settings).fit(data.X, triplets=given)
            found[way, confusion or "chosen"] = adjusted_rand_score(data.y, model.labels_)
            if confusion is None:
                found[way, "is forced"] = float(model.forced_)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("datasets", nargs="*", default=["close", "iris", "wine", "elongated", "unbalanced"])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--answers", type=int, nargs="+", default=[10, 20, 40, 80, 160, 320])
    parser.add_argument("--people", nargs="+", choices=PEOPLE, default=["truth", "people"])
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    header = None
    for people in options.people:
        for name in options.datasets:
            for n in options.answers:
                runs = [run(name, people, n, seed) for seed in range(options.seeds)]
                if header is None:
                    header = list(runs[0])
                    print(" " * 24 + " ".join(f"{way[:8] + '/' + how:>18}" for way, how in header))
                means = [np.mean([found[key] for found in runs]) for key in header]
                print(f"{people:>7} {name:>11} {n:>4}" + " ".join(f"{mean:18.3f}" for mean in means), flush=True)


if __name__ == "__main__":
    main()
