"""Other methods, fitted to the same answers."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import KFold

from dcrc_explore.arrays import RandomState
from dcrc_explore.baselines.base import MetricBaseline
from dcrc_explore.baselines.registry import list_baselines
from dcrc_explore.constraints import AnswerLike, Log, Pairs, Triplets, implied_answers, to_pairs
from dcrc_explore.model import DCRC


@dataclass(frozen=True, eq=False)
class MethodResult:
    """The result of a method on the answers."""

    method: str
    labels: NDArray[np.integer] | None  # shape (N,): the cluster of each instance; None if the method failed
    ari: float | None  # adjusted Rand index, where the true classes are known
    seconds: float  # time of the fit
    note: str = ""  # what the method could not use, or why it failed; mostly empty
    satisfied: float | None = None  # share of the answers that the clusters imply; None if there are none
    # Share of the answers about three points that were implied by fits without them, where that was wanted
    held_out: float | None = None


def list_methods() -> tuple[str, ...]:
    """Return the names that :func:`compare_methods` knows: DCRC, its variant without don't know, and the baselines.

    Examples
    --------
    >>> list_methods()[:4]
    ('DCRC', 'DCRC-YN', 'K-means', 'DCRC-NoConst')
    """
    return ("DCRC", "DCRC-YN", *(name for name in list_baselines() if name != "all in one cluster"))


def compare_methods(
    X: ArrayLike,
    triplets: ArrayLike | Triplets | Log | None = None,
    answers: AnswerLike | None = None,
    *,
    y: ArrayLike | None = None,
    n_clusters: int | None = None,
    pairs: ArrayLike | Pairs | None = None,
    pair_answers: AnswerLike | None = None,
    methods: Iterable[str] | None = None,
    random_state: RandomState = 0,
    folds: int = 0,
) -> list[MethodResult]:
    """Fit DCRC and the baselines, each with its default parameters, to the same answers.

    COBRAS is not among them. It chooses its own pairs, each after the answer to the last one, and a log does not hold
    these answers. ``tests/benchmarks/questions.py --cobras`` lets it ask, and compares it. SSSVaD is a reconstruction.

    Parameters
    ----------
    X : array-like of shape (N, n_features)
    triplets, answers, pairs, pair_answers
        As in :meth:`DCRC.fit`; a `Log` has all answers.
    y : array-like of shape (N,), optional
        True classes, for the adjusted Rand index; no method sees them.
    n_clusters : int, optional
        By default the number of classes in y.
    methods : iterable of str, optional
        Some of :func:`list_methods`; by default all.
    random_state : int, RandomState instance or None, default=0
    folds : int, default=0
        In how many parts answers about three points are held out, for `held_out`; 0 does not.

    Returns
    -------
    list of MethodResult

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]]
    >>> given = {"triplets": [(0, 1, 3), (4, 2, 5)], "answers": ["yes", "no"]}
    >>> for found in compare_methods(X, **given, y=[0, 0, 0, 1, 1, 1], methods=["DCRC", "LSML"]):
    ...     print(found.method, found.ari)
    DCRC 1.0
    LSML 1.0
    """
    X = np.asarray(X)
    names = list(list_methods()) if methods is None else list(methods)
    unknown = [name for name in names if name not in list_methods()]
    if unknown:
        raise ValueError(f"methods must be among {', '.join(list_methods())}, got {unknown[0]!r}")
    classes = None if y is None else np.asarray(y)
    if classes is not None and classes.shape != (len(X),):
        raise ValueError(f"y must be one class for each row of X, shape ({len(X)},), got {classes.shape}")
    if n_clusters is None:
        if classes is None:
            raise ValueError("n_clusters is needed where no classes y are given, got neither")
        n_clusters = len(np.unique(classes))
    if isinstance(triplets, Log):
        if answers is not None or pairs is not None:
            raise ValueError("a log has its own answers and pairs: pass either a Log or these, got both")
        pairs, triplets = triplets.pairs, triplets.triplets
    given = Triplets.of(triplets, answers, len(X)), Pairs.of(pairs, pair_answers, len(X))
    return [
        _result(name, partial(_labels, name, X, n_clusters, random_state), *given, classes, folds) for name in names
    ]


def share_satisfied(labels: NDArray[np.integer], triplets: Triplets, pairs: Pairs) -> float | None:
    """Return the share of the answers that clusters imply, Eq. (1) and (2); None without answers.

    Examples
    --------
    >>> share_satisfied(np.array([0, 0, 1]), Triplets([(0, 1, 2), (2, 0, 1)], ["yes", "no"]), Pairs())
    0.5
    """
    log = Log().plus(triplets.indices, triplets.answers).plus(pairs.indices, pairs.answers)
    return float(np.mean(~log.violated(labels))) if len(log) else None


def share_held_out(fit: Callable[[Triplets], NDArray[np.integer]], triplets: Triplets, folds: int) -> float | None:
    """Return the share of the answers that clusters imply which `fit` finds without them; None if they are too few.

    Examples
    --------
    >>> triplets = Triplets([(0, 1, 2)] * 4, ["yes"] * 4)
    >>> share_held_out(lambda others: np.array([0, 0, 1]), triplets, 2)
    1.0
    """
    if not 1 < folds <= len(triplets):
        return None
    right = np.zeros(len(triplets), dtype=bool)
    for train, test in KFold(folds, shuffle=True, random_state=0).split(right):
        right[test] = implied_answers(fit(triplets[train]), triplets.indices[test]) == triplets.answers[test]
    return float(right.mean())


def _result(
    name: str,
    labels_of: Callable[[Triplets, Pairs], tuple[NDArray[np.integer], str]],
    triplets: Triplets,
    pairs: Pairs,
    y: NDArray[Any] | None,
    folds: int,
) -> MethodResult:
    begin = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            labels, note = labels_of(triplets, pairs)
            seconds = time.perf_counter() - begin
            held_out = share_held_out(lambda others: labels_of(others, pairs)[0], triplets, folds)
        except (ValueError, ArithmeticError, np.linalg.LinAlgError) as error:
            return MethodResult(name, None, None, time.perf_counter() - begin, str(error))
    notes = dict.fromkeys([note, *(str(each.message) for each in caught)])
    ari = None if y is None else float(adjusted_rand_score(y, labels))
    satisfied = share_satisfied(labels, triplets, pairs)
    return MethodResult(name, labels, ari, seconds, " ".join(filter(None, notes)), satisfied, held_out)


def _labels(
    name: str, X: NDArray[Any], n_clusters: int, random_state: RandomState, triplets: Triplets, pairs: Pairs
) -> tuple[NDArray[np.integer], str]:
    if name in ("DCRC", "DCRC-YN"):
        model = DCRC(n_clusters, use_dnk=name == "DCRC", random_state=random_state)
        return model.fit(X, triplets=triplets, pairs=pairs).labels_, ""
    method = list_baselines()[name](n_clusters, random_state=random_state)
    if not len(pairs.without_dnk()):
        return method.fit(X, triplets=triplets).labels_, ""
    if isinstance(method, MetricBaseline) and method.takes_pairs:
        # A yes or a no about three points is a must-link and a cannot-link.
        must_link, cannot_link = to_pairs(triplets)
        must_link = np.vstack([must_link, pairs.must_link])
        cannot_link = np.vstack([cannot_link, pairs.cannot_link])
        return method.fit_pairs(X, must_link, cannot_link).labels_, ""
    labels = method.fit(X, triplets=triplets).labels_
    return labels, "" if name in ("K-means", "DCRC-NoConst") else "Answers about pairs are not used."
