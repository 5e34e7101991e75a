"""The methods of the comparison, each tuned on the same folds of the same answers."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.baselines import Baseline, list_baselines, tune
from dcrc_explore.baselines.tuning import Folds
from dcrc_explore.constraints import Answer
from dcrc_explore.experiments.work import Task
from dcrc_explore.model import DCRC
from dcrc_explore.model.selection import DCRCCV

PAPERS_START = "DCRC, the paper's start"
PAPERS_SCORING = "DCRC, plain accuracy"
PAPERS_ALGORITHM = "DCRC, the paper's algorithm"
LARGER_EPSILON = "DCRC, epsilon 0.15"
SMALLER_EPSILON = "DCRC, epsilon 0.05"
STEADY_WEIGHTS = "DCRC, steady weights"
SMALLER_LAMBDA = "DCRC, lambda from 2^-13"
EQUAL_WEIGHT = "DCRC-YN, equal weight"
# Methods that are DCRC with other parameters.
DCRC_VARIANTS: dict[str, dict[str, Any]] = {
    "DCRC": {},
    PAPERS_START: {"soft_start": False},
    # The paper chooses tau and lambda by the share of answers that is predicted right.
    PAPERS_SCORING: {"scoring": "accuracy"},
    PAPERS_ALGORITHM: {"soft_start": False, "scoring": "accuracy"},
    LARGER_EPSILON: {"epsilon": 0.15},  # beside 0.05, where the truth answers
    SMALLER_EPSILON: {"epsilon": 0.05},  # beside 0.15, where people answer
    # The weights of the estimator and of the tool.
    STEADY_WEIGHTS: {"weighting": "steady"},
    # The paper's grid, whose smallest lambda is often chosen, and two smaller ones.
    SMALLER_LAMBDA: {"lams": tuple(2.0**power for power in (-13, -11, -10, -8, -6, -4, -2))},
    "DCRC-YN": {"use_dnk": False},
    # Each answer weighs what it weighs for DCRC, which divides by the number of all answers.
    EQUAL_WEIGHT: {"use_dnk": False},
    "DCRC hard": {"epsilon": 0.0},
    "DCRC no balance": {"balance": False},
}
UNANSWERED = ("all in one cluster", "K-means", "DCRC-NoConst")
BASELINES = ("answers' start + K-means", "Xing", "ITML", "LSML", "Schultz-Joachims", "sparseLP", "SSSVaD")


class Outcome(NamedTuple):
    """A clustering, how it was made, and the cross-validated score of predicted answers (None without tuning)."""

    labels: NDArray[np.integer]
    settings: dict[str, Any]
    accuracy: float | None


def cluster(method: str, task: Task, **parameters: Any) -> Outcome:
    """Tune a method by the balanced accuracy of predicted answers in five folds, then fit it to all of them.

    Without folds it has its default parameters. `parameters` replace those of DCRC.

    Examples
    --------
    >>> from dcrc_explore.experiments.work import Item, make_task
    >>> outcome = cluster("LSML", make_task(Item("comparison", "iris", "LSML", 0.2, 0)))
    >>> outcome.labels.shape, list(outcome.settings)
    ((150,), ['C'])
    """
    if method in DCRC_VARIANTS:
        n_answers, n_decided = len(task.triplets), len(task.triplets.without_dnk())
        # The objective divided by fewer answers has the same maximum when all other terms grow as much.
        grow = n_answers / n_decided if method == EQUAL_WEIGHT and n_decided else 1.0
        grid = {name: [grow * value for value in getattr(DCRCCV(), name)] for name in ("taus", "lams")}
        parameters = {**(grid if grow > 1 else {}), **parameters, **DCRC_VARIANTS[method]}
        nothing_to_predict = not parameters.get("use_dnk", True) and not n_decided
        return tuned_dcrc(task, parameters, [] if nothing_to_predict else task.folds, triplets=task.triplets)
    model = baseline(method, task)
    if method in UNANSWERED or not task.folds:
        return Outcome(model.fit(task.X, triplets=task.triplets).labels_, {}, None)
    choice = tune(model, task.X, task.triplets, task.folds)
    model.set_params(**choice.parameters).fit(task.X, triplets=task.triplets)
    return Outcome(model.labels_, choice.parameters, choice.score)


def some_dnk(task: Task, share: float) -> Task:
    """Return the task without a random part of its don't-know answers."""
    dnk = task.triplets.answers == Answer.DNK
    return task.only(~dnk | (np.random.default_rng(task.seed).random(len(dnk)) < share))


def only_dnk(task: Task) -> Task:
    """Return the task with its don't-know answers alone."""
    return task.only(task.triplets.answers == Answer.DNK)


def baseline(method: str, task: Task) -> Baseline:
    """Return a baseline for the clusters of a task, with its seed."""
    return list_baselines()[method](task.n_clusters, random_state=task.seed)


def tuned_dcrc(task: Task, parameters: dict[str, Any], folds: Folds, **given: Any) -> Outcome:
    """Choose tau and lambda on folds of the answers, then fit DCRC to all of it; without folds, take the defaults.

    `parameters` are DCRC's, with "taus", "lams" and "scoring" of DCRCCV; `given` are triplets or pairs.
    """
    search = {name: parameters[name] for name in ("taus", "lams", "scoring") if name in parameters}
    parameters = {name: value for name, value in parameters.items() if name not in search}
    # The comparisons are the paper's: so are the weight of the answers and, where the truth answers, epsilon.
    common = {"random_state": task.seed, "weighting": "paper", "epsilon": 0.05, **parameters}
    if not folds:
        model = DCRC(task.n_clusters, **common).fit(task.X, **given)
        return Outcome(model.labels_, {"tau": model.tau, "lam": model.lam, **parameters}, None)
    tuned = DCRCCV(DCRC(task.n_clusters, **common), cv=folds, **search).fit(task.X, **given)
    return Outcome(tuned.labels_, {**tuned.best_params_, **parameters}, tuned.best_score_)
