"""Choice of a baseline's parameters by how well held-out answers are predicted (section V)."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from itertools import product
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.metrics import roc_auc_score

from dcrc_explore.baselines.base import Baseline, MetricBaseline
from dcrc_explore.constraints import Triplets, answer_columns, as_pairs
from dcrc_explore.model.scoring import Scoring, as_scoring

M = TypeVar("M", bound=Baseline)
Folds = Sequence[tuple[NDArray[np.integer], NDArray[np.integer]]]


class Tuned(NamedTuple):
    """What cross-validation chose: the parameters, and their mean score over the folds."""

    parameters: dict[str, float]
    score: float


def tune(
    model: Baseline, X: ArrayLike, triplets: Triplets, folds: Folds, scoring: str | Scoring = "balanced_accuracy"
) -> Tuned:
    """Choose the parameters of ``model.grid`` that predict held-out answers best, by default by balanced accuracy.

    Don't-know answers are dropped; a fold whose test part has no others is not counted. Without folds the score is nan.
    Of parameters with equal scores, the first in the grid are taken.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dcrc_explore.baselines import ITML
    >>> from dcrc_explore.constraints import implied_answers
    >>> X, y = load_iris(return_X_y=True)
    >>> questions = np.random.default_rng(0).permuted(np.tile(np.arange(150), (40, 1)), axis=1)[:, :3]
    >>> triplets = Triplets(questions, implied_answers(y, questions))
    >>> choice = tune(ITML(3), X, triplets, [(np.arange(20), np.arange(20, 40)), (np.arange(20, 40), np.arange(20))])
    >>> choice.parameters["gamma"] in ITML.grid["gamma"], choice.score > 0.8
    (True, True)
    """
    judged = as_scoring(scoring)

    def score(candidate: Baseline, train: NDArray[np.integer], test: NDArray[np.integer]) -> float:
        held_out = triplets[test].without_dnk()
        if not len(held_out):
            return np.nan
        predicted = candidate.fit_for_answers(X, triplets=triplets[train]).predict_answers(X, held_out.indices)
        return judged(answer_columns(held_out.answers), np.eye(3)[answer_columns(predicted)])

    return _best(model, lambda candidate: [score(candidate, *fold) for fold in folds])


def tune_pairs(model: MetricBaseline, X: ArrayLike, pairs: ArrayLike, together: ArrayLike, folds: Folds) -> Tuned:
    """Choose the parameters of ``model.grid`` that best separate held-out must-links (`together`) from cannot-links.

    The score is the area under the ROC curve of the distance. A fold whose test part has only one kind is not counted.

    Examples
    --------
    >>> from dcrc_explore.baselines import ITML
    >>> X, pairs = [[0.0, 0], [0, 9], [1, 0], [1, 9]], [(0, 1), (2, 3), (0, 2), (1, 3)]
    >>> tune_pairs(ITML(2), X, pairs, [True, True, False, False], [([0, 2], [1, 3]), ([1, 3], [0, 2])]).score
    1.0
    """
    X = np.asarray(X, dtype=float)
    pairs, together = as_pairs(pairs, len(X)), np.asarray(together, dtype=bool)

    def score(candidate: MetricBaseline, train: NDArray[np.integer], test: NDArray[np.integer]) -> float:
        if together[test].all() or not together[test].any():
            return np.nan
        links = pairs[train][together[train]], pairs[train][~together[train]]
        first, second = candidate.fit_metric(X, *links).transform(X)[pairs[test].T]
        return float(roc_auc_score(together[test], -np.sum((first - second) ** 2, axis=1)))

    return _best(model, lambda candidate: [score(candidate, *fold) for fold in folds])


def _best(model: M, scores: Callable[[M], list[float]]) -> Tuned:
    """Return the candidate of the grid with the highest mean score over the folds that count."""
    choices = []
    with warnings.catch_warnings():
        # That some fold has nothing to learn from, or nothing to predict, needs no action of the user.
        warnings.simplefilter("ignore")
        for values in product(*model.grid.values()):
            parameters = dict(zip(model.grid, values, strict=True))
            choices.append(Tuned(parameters, float(np.nanmean(scores(clone(model).set_params(**parameters))))))
    return max(choices, key=lambda choice: -1.0 if np.isnan(choice.score) else round(choice.score, 12))
