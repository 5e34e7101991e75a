"""The pairwise half of the paper's user study: pairs that simulated people labelled, and methods that learn from them.

Each method is tuned on the same folds by the same score: how well a must-link that was held out is told from a
cannot-link, as the area under the ROC curve, which needs no threshold.
"""

from __future__ import annotations

import warnings
from copy import copy
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import roc_auc_score

from dcrc_explore.annotators import PairOracle
from dcrc_explore.baselines import tune_pairs
from dcrc_explore.baselines.tuning import Folds
from dcrc_explore.constraints import Pairs
from dcrc_explore.experiments.methods import Outcome, baseline
from dcrc_explore.experiments.work import Task, folds
from dcrc_explore.model import DCRC
from dcrc_explore.model.held_out import route
from dcrc_explore.model.selection import DCRCCV

# Methods that hear pairs, and how many for each triplet that the others hear: the paper's people labelled 150 triplets
# and 225 pairs.
PAIRWISE: dict[str, tuple[str, float]] = {
    "Xing": ("Xing", 1.0),
    "ITML": ("ITML", 1.0),
    "DCRC, pairs": ("DCRC", 1.0),
    "Xing, 1.5 x pairs": ("Xing", 1.5),
    "ITML, 1.5 x pairs": ("ITML", 1.5),
    "DCRC, 1.5 x pairs": ("DCRC", 1.5),
}


def label_pairs(task: Task, n_pairs: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Draw different pairs; simulated people, who err as the paper's did (Table IV b), say which belong together."""
    first, second = np.triu_indices(len(task.X), 1)
    chosen = np.random.default_rng(task.seed).choice(len(first), n_pairs, replace=False)
    pairs = np.column_stack([first[chosen], second[chosen]])
    return pairs, PairOracle(task.y, seed=task.seed).answer(pairs)


def cluster_by_pairs(method: str, task: Task, n_pairs: int, **parameters: Any) -> Outcome:
    """Tune and fit a method to pairs that simulated people labelled.

    Parameters
    ----------
    method : {"DCRC", "ITML", "Xing"}
    task : Task
    n_pairs : int
    **parameters
        Parameters of DCRC that replace its defaults.

    Examples
    --------
    >>> from dcrc_explore.experiments.work import Item, make_task
    >>> outcome = cluster_by_pairs("DCRC", make_task(Item("people", "iris", "DCRC, pairs", 0, 0)), 20)
    >>> outcome.labels.shape, list(outcome.settings)
    ((150,), ['tau', 'lam'])
    """
    pairs, together = label_pairs(task, n_pairs)
    parts = folds(n_pairs, task.seed)
    if method == "DCRC":
        return _dcrc(task, Pairs(pairs, np.where(together, 1, -1)), parts, parameters)
    model: Any = baseline(method, task)
    choice = tune_pairs(model, task.X, pairs, together, parts)
    model.set_params(**choice.parameters).fit_pairs(task.X, pairs[together], pairs[~together])
    return Outcome(model.labels_, choice.parameters, choice.accuracy)


def _dcrc(task: Task, pairs: Pairs, parts: Folds, parameters: dict[str, Any]) -> Outcome:
    """Fit the model of the triplets, with the same weight of the answers and the same grid, to pairs alone."""
    grid = list(product(DCRCCV().taus, DCRCCV().lams))
    model = DCRC(task.n_clusters, random_state=task.seed, full_weight_at=0.0, **parameters)
    with warnings.catch_warnings():
        # A candidate that has not converged is judged like any other; a fold with one kind of pair is not counted.
        warnings.simplefilter("ignore")
        held_out = [_held_out(model, task, pairs[train], pairs[test]) for train, test in parts]
        scores = np.nanmean(held_out or [[np.nan] * len(grid)], axis=0)
    best = int(np.nan_to_num(scores, nan=-1.0).round(12).argmax())
    tau, lam = grid[best]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.set_params(tau=tau, lam=lam).fit(task.X, pairs=pairs)
    return Outcome(model.labels_, {"tau": tau, "lam": lam, **parameters}, float(scores[best]))


def _held_out(model: DCRC, task: Task, train: Pairs, test: Pairs) -> list[float]:
    """Fit every candidate of the grid to `train`, and return how well each tells the pairs of `test` apart."""
    taus, lams = list(DCRCCV().taus), list(DCRCCV().lams)
    grid = list(product(taus, lams))
    if not len(test.must_link) or not len(test.cannot_link):
        return [np.nan] * len(grid)
    fitted: dict[int | None, DCRC] = {None: copy(model).set_params(warm_start=True)}
    for candidate, last in route(taus, lams):
        tau, lam = grid[candidate]
        fitted[candidate] = copy(fitted[last]).set_params(tau=tau, lam=lam).fit(task.X, pairs=train)
    scores = []
    for candidate in range(len(grid)):
        first, second = fitted[candidate].predict_proba(task.X)[test.indices.T]
        scores.append(float(roc_auc_score(test.answers, np.sum(first * second, axis=1))))
    return scores
