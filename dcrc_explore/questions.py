"""What to ask next: random questions, questions near the decision boundary, the most informative questions.

A question is a triplet (i, j, k); (i, k, j) is the same question, because its answer follows. No function here asks the
same question twice, nor one that stands in ``asked``.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, islice
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import entr

from dcrc_explore.annotators import as_confusion, error_matrix
from dcrc_explore.arrays import IntArray, Seed
from dcrc_explore.constraints import answer_proba, as_triplets

__all__ = [
    "ask",
    "boundary_triplets",
    "informative_triplets",
    "list_strategies",
    "question_information",
    "random_triplets",
]


def list_strategies() -> Mapping[str, str]:
    """Return the names that :func:`ask` knows, with titles for a menu.

    Examples
    --------
    >>> list(list_strategies())
    ['random', 'boundary', 'informative']
    """
    return MappingProxyType(
        {"random": "Random", "boundary": "Near the decision boundary", "informative": "Most informative"}
    )


def ask(
    strategy: str,
    proba: ArrayLike,
    size: int = 1,
    *,
    epsilon: float = 0.05,
    asked: ArrayLike | None = None,
    seed: Seed = None,
) -> IntArray:
    """Choose questions by the name of a strategy.

    Parameters
    ----------
    strategy : str
        One of :func:`list_strategies`.
    proba : array-like of shape (N, K)
        What the model believes about each point: ``model.predict_proba(X)``.
    size : int, default=1
        How many questions.
    epsilon : float, default=0.05
        Probability that the user errs; matters to the most informative questions only.
    asked : array-like of shape (M, 3), optional
        Questions not to be asked again.
    seed : int, Generator or None

    Returns
    -------
    triplets : ndarray of shape (size, 3)

    Examples
    --------
    >>> proba = [[0.9, 0.1], [0.1, 0.9], [0.5, 0.5]]
    >>> ask("informative", proba, asked=[(0, 1, 2), (1, 2, 0)], seed=0)[:, 0]  # one question is left
    array([2])
    """
    if strategy == "random":
        return random_triplets(len(np.asarray(proba)), size, asked=asked, seed=seed)
    if strategy == "boundary":
        return boundary_triplets(proba, size, asked=asked, seed=seed)
    if strategy == "informative":
        return informative_triplets(proba, size, epsilon=epsilon, asked=asked, seed=seed)
    raise ValueError(f"strategy must be one of {', '.join(list_strategies())}, got {strategy!r}")


def random_triplets(n_samples: int, size: int, *, asked: ArrayLike | None = None, seed: Seed = None) -> IntArray:
    """Draw different questions, all equally likely.

    Parameters
    ----------
    n_samples : int
        Number of points N.
    size : int
        How many questions.
    asked : array-like of shape (M, 3), optional
        Questions not to be asked again.
    seed : int, Generator or None

    Examples
    --------
    >>> random_triplets(4, 12, seed=0).shape  # all there are
    (12, 3)
    >>> random_triplets(4, 10, asked=[(0, 1, 2), (0, 2, 1), (1, 0, 3)], seed=0).shape
    (10, 3)
    >>> random_triplets(4, 11, asked=[(0, 1, 2), (0, 2, 1), (1, 0, 3)], seed=0)
    Traceback (most recent call last):
        ...
    ValueError: 11 new questions were wanted, but of the 12 about 4 points only 10 have not been asked
    """
    old = np.unique(_number(as_triplets(() if asked is None else asked, n_samples), n_samples))
    total = _n_questions(n_samples)
    if not 0 <= size <= total - len(old):
        raise ValueError(
            f"{size} new questions were wanted, but of the {total} about {n_samples} points only "
            f"{total - len(old)} have not been asked"
        )
    rng = np.random.default_rng(seed)
    # Enough different numbers that, without those asked, enough are left.
    numbers = rng.choice(total, size + len(old), replace=False) if size else np.empty(0, dtype=np.int64)
    triplets = _question(numbers[~np.isin(numbers, old)][:size], n_samples)
    # "More similar to j than to k" or the other way round, by a coin.
    mirrored = rng.random(size) < 0.5
    triplets[mirrored] = triplets[mirrored][:, [0, 2, 1]]
    return triplets


def boundary_triplets(
    proba: ArrayLike, size: int, *, share: float = 0.3, asked: ArrayLike | None = None, seed: Seed = None
) -> IntArray:
    """Draw questions among the points nearest to the decision boundary, as in the paper's synthetic experiment.

    Parameters
    ----------
    proba : array-like of shape (N, K)
        What the model believes about each point. A point is near the boundary when its two most probable clusters are
        almost equally probable.
    size : int
        How many questions.
    share : float, default=0.3
        Share of the points that count as near; more are taken when these do not suffice for so many questions.
    asked, seed
        See :func:`random_triplets`.

    Examples
    --------
    >>> proba = np.column_stack([np.linspace(0, 1, 100), np.linspace(1, 0, 100)])
    >>> np.unique(boundary_triplets(proba, 200, share=0.1, seed=0))
    array([45, 46, 47, 48, 49, 50, 51, 52, 53, 54])
    """
    proba = _as_proba(proba)
    N = len(proba)
    asked = as_triplets(() if asked is None else asked, N)
    second, first = np.partition(proba, -2, axis=1)[:, -2:].T
    near = np.argsort(first - second, kind="stable")
    n_near = min(N, max(3, round(share * N)))
    while n_near < N and _n_questions(n_near) < size + len(asked):
        n_near += 1
    # Questions about the nearest points, in terms of their rank.
    rank = np.full(N, -1)
    rank[near[:n_near]] = np.arange(n_near)
    asked_near = rank[asked][(rank[asked] >= 0).all(axis=1)]
    return near[random_triplets(n_near, size, asked=asked_near, seed=seed)]


def informative_triplets(
    proba: ArrayLike,
    size: int,
    *,
    epsilon: float = 0.05,
    asked: ArrayLike | None = None,
    n_candidates: int = 10_000,
    seed: Seed = None,
) -> IntArray:
    """Choose the questions whose answers tell most about the memberships, by :func:`question_information`.

    The informations of questions without a common point add up, since a model takes memberships as independent given X.
    So a batch is filled with the best question that shares no point with those before it; when there is none
    left, a new round begins in which points may come again, but no two of them in the same question.

    Parameters
    ----------
    proba : array-like of shape (N, K)
        What the model believes about each point.
    size : int
        How many questions.
    epsilon : float, default=0.05
        Probability that the user errs.
    asked, seed
        See :func:`random_triplets`.
    n_candidates : int, default=10000
        How many random questions to choose from.

    Returns
    -------
    triplets : ndarray of shape (size, 3)
        Best first.

    Notes
    -----
    What is informative depends on what the model believes. A model that is sure of a wrong grouping asks about its
    own boundaries, and random questions may then find the right grouping sooner. ``tests/benchmarks/questions.py``
    measures when they do.

    Examples
    --------
    >>> proba = [[1, 0], [0, 1], [0.5, 0.5], [1, 0]]
    >>> 2 in informative_triplets(proba, 1, seed=0)  # nothing else is left to learn
    True
    """
    proba = _as_proba(proba)
    N = len(proba)
    asked = as_triplets(() if asked is None else asked, N)
    left = _n_questions(N) - len(np.unique(_number(asked, N)))
    candidates = random_triplets(N, max(size, min(n_candidates, left)), asked=asked, seed=seed)
    information = question_information(proba, candidates, epsilon=epsilon)
    candidates = candidates[np.argsort(-information, kind="stable")]
    return candidates[_spread_out(candidates, size)]


def _spread_out(candidates: IntArray, size: int) -> list[int]:
    """Choose ``size`` candidates, early ones first, in rounds without a common point."""
    chosen: dict[int, None] = {}  # in order
    pairs: set[frozenset[int]] = set()
    rows = candidates.tolist()
    complete = False
    while len(chosen) < size and not complete:
        complete = True  # unless this round finds something
        points: set[int] = set()
        for t, row in enumerate(rows):
            if t in chosen or not points.isdisjoint(row):
                continue
            own_pairs = {frozenset(pair) for pair in combinations(row, 2)}
            if pairs.isdisjoint(own_pairs):
                complete = False
                chosen[t] = None
                points.update(row)
                pairs |= own_pairs
                if len(chosen) == size:
                    break
    # So many questions about so few points: only near-duplicates are left.
    rest = (t for t in range(len(rows)) if t not in chosen)
    return [*chosen, *islice(rest, size - len(chosen))]


def question_information(
    proba: ArrayLike,
    triplets: ArrayLike,
    *,
    epsilon: float = 0.05,
    confusion: ArrayLike | None = None,
    base: float = 2,
) -> NDArray[np.float64]:
    """Mutual information between the answer to a question and the memberships of its three points.

    Memberships are independent with the probabilities ``proba``. The answer l depends on them only through the answer a
    that they imply by Eq. (1), so I(l; Y) = H(l) - sum_a P(a) H(l | a) needs no sum over all memberships.

    Parameters
    ----------
    proba : array-like of shape (N, K)
        What the model believes about each point.
    triplets : array-like of shape (M, 3) or (3,)
    epsilon : float, default=0.05
        Probability that the user errs, Table I.
    confusion : array-like of shape (3, 3), optional
        How the user errs, instead of epsilon: see :func:`dcrc_explore.annotators.as_confusion`.
    base : float, default=2
        2 for bits, ``math.e`` for nats.

    Returns
    -------
    information : ndarray of shape (M,)

    Examples
    --------
    >>> undecided = np.full((3, 2), 0.5)
    >>> question_information(undecided, [(0, 1, 2)], epsilon=0)
    array([1.5])
    >>> question_information(undecided, [(0, 1, 2)], epsilon=0.15).round(2)
    array([0.77])
    """
    channel = error_matrix(epsilon) if confusion is None else as_confusion(confusion)
    implied = np.maximum(answer_proba(proba, np.atleast_2d(triplets)), 0)
    information = entr(implied @ channel).sum(axis=1) - implied @ entr(channel).sum(axis=1)
    # Rounding can leave a hair less than nothing.
    return np.maximum(information, 0) / np.log(base)


def _as_proba(proba: ArrayLike) -> NDArray[np.float64]:
    proba = np.asarray(proba, dtype=float)
    if proba.ndim != 2 or proba.shape[1] < 2:
        raise ValueError(f"proba must have shape (N, K) with K of at least 2, got {proba.shape}")
    return proba


def _n_questions(n_samples: int) -> int:
    """Count x_i times the unordered pairs of others."""
    return n_samples * (n_samples - 1) * (n_samples - 2) // 2


def _number(triplets: IntArray, n_samples: int) -> IntArray:
    """Give each question its number among all questions; mirrored triplets have the same number."""
    i, j, k = triplets.T
    # Positions of j and k among the points other than i, the smaller first.
    j, k = j - (j > i), k - (k > i)
    low, high = np.minimum(j, k), np.maximum(j, k)
    n_pairs = (n_samples - 1) * (n_samples - 2) // 2
    return i * n_pairs + high * (high - 1) // 2 + low


def _question(numbers: IntArray, n_samples: int) -> IntArray:
    """Invert :func:`_number`."""
    i, pair = np.divmod(numbers, max(1, (n_samples - 1) * (n_samples - 2) // 2))
    # The largest number with high (high - 1) / 2 <= pair; the root may be off by rounding.
    high = ((1 + np.sqrt(1 + 8.0 * pair)) / 2).astype(np.int64)
    high -= high * (high - 1) // 2 > pair
    high += high * (high + 1) // 2 <= pair
    low = pair - high * (high - 1) // 2
    return np.column_stack([i, low + (low >= i), high + (high >= i)])
