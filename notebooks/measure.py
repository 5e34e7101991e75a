"""Repeat what the notebooks show once, often enough to conclude something: ``python notebooks/measure.py [STUDY ...]``.

Each study is written to ``results/STUDY-repeated.json`` beside this file, with the command and the version that made
it; the notebooks read these files. By default all studies are run: some minutes on one core.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from dcrc_explore import DCRC, Triplets, __version__
from dcrc_explore.annotators import PAPER_CONFUSION, PairOracle, confused, error_matrix, make_crowd, truth
from dcrc_explore.baselines import ITML, BestKMeans, Xing
from dcrc_explore.constraints import implied_answers
from dcrc_explore.datasets import list_datasets, load_dataset, make_dataset
from dcrc_explore.inspection import plant_errors
from dcrc_explore.metrics import adjusted_rand, matched_accuracy, pairwise_f
from dcrc_explore.questions import boundary_triplets, random_triplets

SETS = 100
PEOPLE = 20
CROWDS = 50
SIZES = (0, 10, 50, 100, 200)
CHOICES = (20, 40, 80, 160)
Results = dict[str, Any]


def soft_hard() -> Results:
    """Notebook 4: accuracy of soft and hard answers on close clusters, and the share of answers that each satisfies."""
    cases: dict[str, dict[str, Any]] = {
        "20 answers": {"n_answers": 20},
        "50 answers": {"n_answers": 50},
        "50, 10% wrong": {"n_answers": 50, "wrong": 5},
        "100, 10% wrong": {"n_answers": 100, "wrong": 10},
        "500 near the boundary": {"n_answers": 500, "near": 60},
    }
    return {name: _both([_soft_and_hard(seed, **case) for seed in range(SETS)]) for name, case in cases.items()}


def _soft_and_hard(seed: int, n_answers: int, wrong: int = 0, near: int = 0) -> list[dict[str, float]]:
    data = make_dataset("close", seed=seed)
    questions = random_triplets(len(data.X), n_answers, seed=seed)
    if near:
        P = LogisticRegression().fit(data.X, data.y).predict_proba(data.X)
        questions = boundary_triplets(P, n_answers, share=near / len(data.X), seed=seed)
    triplets, _ = plant_errors(Triplets(questions, implied_answers(data.y, questions)), wrong, seed)
    found = []
    for epsilon in (0.05, 0.0):
        model = DCRC(3, epsilon=epsilon, random_state=seed).fit(data.X, triplets=triplets)
        found.append(
            {
                "accuracy": matched_accuracy(data.y, model.labels_),
                "satisfied by Q": model.bound_.satisfied / n_answers,
                "satisfied by the boundary": np.mean(implied_answers(model.labels_, questions) == triplets.answers),
            }
        )
    return found


def _both(runs: list[list[dict[str, float]]]) -> Results:
    return {
        name: {measure: [round(float(run[place][measure]), 4) for run in runs] for measure in runs[0][place]}
        for place, name in enumerate(("soft", "hard"))
    }


def balance() -> Results:
    """Notebook 5: the adjusted Rand index with and without balance by number of answers; and 200 true answers."""
    curves = {
        name: {
            label: [_balance_curve(name, seed, on) for seed in range(SETS)]
            for label, on in (("balance", True), ("without", False))
        }
        for name in ("close", "unbalanced")
    }
    many = [_many_answers(seed) for seed in range(SETS)]
    return {"sizes": SIZES, "curves": curves, "200 answers": {name: [run[name] for run in many] for name in many[0]}}


def _balance_curve(name: str, seed: int, on: bool) -> list[float]:
    data = make_dataset(name, seed=seed)
    questions = random_triplets(len(data.X), max(SIZES), seed=seed)
    answers = truth(data.y).answer(questions)
    model = DCRC(3, balance=on, random_state=seed)
    fits = (model.fit(data.X, triplets=questions[:M], answers=answers[:M]) for M in SIZES)
    return [round(adjusted_rand(data.y, fit.labels_), 4) for fit in fits]


def _many_answers(seed: int) -> dict[str, float]:
    """Fits of 200 true answers about close clusters, with the weights of the paper and with steady ones."""
    data = make_dataset("close", seed=seed)
    questions = random_triplets(len(data.X), 200, seed=seed)
    triplets = Triplets(questions, implied_answers(data.y, questions))

    def fit(**parameters: Any) -> DCRC:
        return DCRC(3, random_state=seed, **{"weighting": "paper"} | parameters).fit(data.X, triplets=triplets)

    usual = fit()
    found = {
        "no answers": DCRC(3, random_state=seed).fit(data.X).labels_,
        "200 answers: the boundary": usual.labels_,
        "200 answers: Q": usual.posterior_.argmax(axis=1),
        "200 answers: started from the truth": fit(init=data.y, soft_start=False).labels_,
        "200 answers: a smaller λ, 2⁻¹⁰": fit(lam=2**-10).labels_,
        "200 answers: a smaller τ, 0.1": fit(tau=0.1).labels_,
        "200 answers: steady weights": fit(weighting="steady").labels_,
        "logistic regression on the truth": LogisticRegression(C=1e3).fit(data.X, data.y).predict(data.X),
    }
    return {name: round(adjusted_rand(data.y, labels), 4) for name, labels in found.items()}


def people() -> Results:
    """Notebook 6: 150 triplets or pairs, answered with the errors that the paper's people made."""
    return {name: _people(name) for name in ("balance-scale", "iris", "digits-8x8")}


def _people(name: str) -> Results:
    data = load_dataset(name).standardized()
    runs = [_person(data.X, data.y, person) for person in range(PEOPLE)]
    scores = {"f": pairwise_f, "ari": adjusted_rand}
    return {
        measure: {way: [round(score(data.y, run[way]), 4) for run in runs] for way in runs[0]}
        for measure, score in scores.items()
    }


def _person(X: Any, y: Any, person: int) -> dict[str, Any]:
    """Labels that each method finds from the answers of one person."""
    K = len(np.unique(y))
    questions = random_triplets(len(y), 150, seed=person)
    answers = confused(y, seed=person).answer(questions)
    # Steady weights divide by the number of points asked about: these are fewer without don't know.
    decided = len(np.unique(questions[answers != 0])) / len(np.unique(questions))

    def dcrc(**parameters: Any) -> Any:
        model = DCRC(K, random_state=person, **({"epsilon": 0.15} | parameters))
        return model.fit(X, triplets=questions, answers=answers).labels_

    def pairs(method: Any, n_pairs: int) -> Any:
        rng = np.random.default_rng(person)
        asked = np.array([rng.choice(len(y), 2, replace=False) for _ in range(n_pairs)])
        together = PairOracle(y, seed=person).answer(asked)
        if method is DCRC:
            model = DCRC(K, epsilon=0.15, random_state=person)
            return model.fit(X, pairs=asked, pair_answers=np.where(together, "yes", "no")).labels_
        return method(K, random_state=person).fit_pairs(X, asked[together], asked[~together]).labels_

    tau, lam = DCRC().tau, DCRC().lam
    return {
        "DCRC, 150 triplets": dcrc(),
        "DCRC-YN, 150 triplets": dcrc(use_dnk=False),
        "DCRC, 150 pairs": pairs(DCRC, 150),
        "DCRC, 225 pairs": pairs(DCRC, 225),
        "ITML, 150 pairs": pairs(ITML, 150),
        "ITML, 225 pairs": pairs(ITML, 225),
        "Xing, 150 pairs": pairs(Xing, 150),
        "Xing, 225 pairs": pairs(Xing, 225),
        "K-means, no answers": BestKMeans(K, random_state=person).fit(X).labels_,
        "DCRC, no answers": DCRC(K, random_state=person).fit(X).labels_,
        # The same weight of the answers against the other terms, with and without don't know.
        "DCRC, weight of DCRC-YN": dcrc(tau=tau * decided, lam=lam * decided),
        "DCRC-YN, weight of DCRC": dcrc(use_dnk=False, tau=tau / decided, lam=lam / decided),
        "DCRC, errors known": dcrc(confusion=PAPER_CONFUSION),
        "DCRC, errors learned": dcrc(confusion="learned"),
        **{f"ε = {epsilon}": dcrc(epsilon=epsilon) for epsilon in (0, 0.05, 0.1, 0.2)},
    }


def crowd() -> Results:
    """Notebook 6: eight people with thirty questions each; one error rate for all, or a confusion matrix per person."""
    return {name: _crowds(name) for name in ("balance-scale", "iris", "digits-8x8")}


def _crowds(name: str) -> Results:
    data = load_dataset(name).standardized()
    runs = [_crowd(data.X, data.y, seed) for seed in range(CROWDS)]
    return {what: {name: [run[what][name] for run in runs] for name in runs[0][what]} for what in runs[0]}


def _crowd(X: Any, y: Any, seed: int) -> dict[str, dict[str, float]]:
    """Fit to a crowd in three ways: quality, and how often each person is right about yes and no, as learned."""
    K = len(np.unique(y))
    crowd = make_crowd(y, seed=seed)
    names = crowd.deal(240)
    triplets = Triplets(questions := random_triplets(len(y), 240, seed=seed), crowd.answer(questions, names))
    good = np.array([name.startswith("good") for name in names])
    learning = DCRC(K, epsilon=0.15, confusion="learned", random_state=seed)
    found = {
        "one ε for all": DCRC(K, epsilon=0.15, random_state=seed).fit(X, triplets=triplets),
        "one matrix per person": learning.fit(X, triplets=triplets, annotators=names),
        "only the five good": DCRC(K, epsilon=0.05, random_state=seed).fit(X, triplets=triplets[good]),
    }
    tables = found["one matrix per person"].annotators_
    return {
        "ari": {way: round(adjusted_rand(y, model.labels_), 4) for way, model in found.items()},
        "right": {name: round(float(np.diag(tables[name])[:2].mean()), 4) for name in sorted(tables)},
    }


def forced() -> Results:
    """Notebook 6: the same questions to people who may say don't know, and to people who must choose."""
    sets = ("close", "elongated", "iris")
    found = {name: [_must_choose(name, seed) for seed in range(PEOPLE)] for name in sets}
    return {
        name: {way: [[ari[way] for ari in run] for run in runs] for way in runs[0][0]} for name, runs in found.items()
    }


def _must_choose(name: str, seed: int) -> list[dict[str, float]]:
    data = make_dataset(name, seed=seed) if name in list_datasets() else load_dataset(name).standardized()
    questions = random_triplets(len(data.X), max(CHOICES), seed=seed)
    free = truth(data.y).answer(questions)
    coins = np.random.default_rng(seed).choice([1, -1], size=len(free))
    chosen = np.where(free == 0, coins, free)
    common = {"n_clusters": data.n_classes, "random_state": seed}

    def ari(n: int, answers: Any, **settings: Any) -> float:
        model = DCRC(**common, **settings).fit(data.X, triplets=questions[:n], answers=answers[:n])
        return round(adjusted_rand(data.y, model.labels_), 4)

    return [
        {
            "may say don't know": ari(n, free),
            "must choose, guessing modelled": ari(n, chosen, confusion="forced"),
            "must choose, guessing ignored": ari(n, chosen, confusion=error_matrix(0.05)),
        }
        for n in CHOICES
    ]


STUDIES: dict[str, Callable[[], Results]] = {
    "soft-hard": soft_hard,
    "balance": balance,
    "people": people,
    "crowd": crowd,
    "forced": forced,
}


if __name__ == "__main__":
    warnings.simplefilter("ignore", ConvergenceWarning)  # some studies look for empty clusters
    for study in sys.argv[1:] or STUDIES:
        made_by = {"command": f"python notebooks/measure.py {study}", "version": __version__}
        content = {**made_by, "results": STUDIES[study]()}
        path = Path(__file__).parent / "results" / f"{study}-repeated.json"
        path.write_text(json.dumps(content, ensure_ascii=False) + "\n", encoding="utf-8")
        print(path)
