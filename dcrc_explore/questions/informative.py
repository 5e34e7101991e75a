"""What an answer is worth to a model, and the questions whose answers are worth most."""

from __future__ import annotations

from itertools import combinations, islice

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import entr

from dcrc_explore.annotators import as_confusion, error_matrix
from dcrc_explore.arrays import IntArray, Seed
from dcrc_explore.constraints import answer_proba, as_pairs
from dcrc_explore.questions.drawing import as_proba, check_left, n_questions, random_pairs, random_triplets


def informative_triplets(
    proba: ArrayLike,
    size: int,
    *,
    epsilon: float = 0.05,
    asked: ArrayLike | None = None,
    n_candidates: int = 10_000,
    seed: Seed = None,
) -> IntArray:
    """Choose the questions whose answers are worth most, best first, by :func:`question_information`.

    The information of questions without a common point adds up, because a model takes memberships as independent given
    X. So each question of a batch is the best one that shares no point with those before it. When none is left, a new
    round begins: points may come again, but no two of them in the same question.

    Examples
    --------
    >>> proba = [[1, 0], [0, 1], [0.5, 0.5], [1, 0]]
    >>> 2 in informative_triplets(proba, 1, seed=0)  # nothing else is left to learn
    True
    """
    proba = as_proba(proba)
    N = len(proba)
    left = n_questions(N) - len(check_left(N, 0, asked))
    candidates = random_triplets(N, max(size, min(n_candidates, left)), asked=asked, seed=seed)
    return _spread_out(candidates, question_information(proba, candidates, epsilon=epsilon), size)


def _spread_out(candidates: IntArray, information: NDArray[np.float64], size: int) -> IntArray:
    """Choose ``size`` candidates, informative ones first, in rounds without a common point."""
    candidates = candidates[np.argsort(-information.round(9), kind="stable")]  # equal ones as drawn
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
    return candidates[[*chosen, *islice(rest, size - len(chosen))]]


def question_information(
    proba: ArrayLike, triplets: ArrayLike, *, epsilon: float = 0.05, confusion: ArrayLike | None = None, base: float = 2
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
        How the user errs, instead of epsilon: see :func:`~dcrc_explore.annotators.as_confusion`.
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
    return _information(np.maximum(answer_proba(proba, np.atleast_2d(triplets)), 0), channel, base)


def pair_information(
    proba: ArrayLike, pairs: ArrayLike, *, epsilon: float = 0.05, confusion: ArrayLike | None = None, base: float = 2
) -> NDArray[np.float64]:
    """Mutual information between the answer to "do x_i and x_j belong together?" and the two memberships, Eq. (2).

    Examples
    --------
    >>> undecided = np.full((3, 2), 0.5)
    >>> pair_information(undecided, [(0, 1)], epsilon=0)
    array([1.])
    """
    proba = as_proba(proba)
    errors = error_matrix(epsilon, size=2) if confusion is None else as_confusion(confusion, size=2)
    first, second = as_pairs(np.atleast_2d(pairs), len(proba)).T
    together = np.clip(np.einsum("mk,mk->m", proba[first], proba[second]), 0, 1)
    return _information(np.column_stack([together, 1 - together]), errors, base)


def informative_pairs(
    proba: ArrayLike,
    size: int,
    *,
    epsilon: float = 0.05,
    asked: ArrayLike | None = None,
    n_candidates: int = 10_000,
    seed: Seed = None,
) -> IntArray:
    """Choose the pairs whose answers are worth most, by :func:`pair_information`.

    Parameters are those of :func:`informative_triplets`, with `asked` of shape (M, 2). A batch is spread in the same
    way: no point comes twice as long as there are others.

    Examples
    --------
    >>> proba = [[1, 0], [0, 1], [0.5, 0.5], [1, 0]]
    >>> 2 in informative_pairs(proba, 1, seed=0)  # nothing else is left to learn
    True
    """
    proba = as_proba(proba)
    N = len(proba)
    asked = as_pairs(() if asked is None else asked, N)
    left = N * (N - 1) // 2 - len(np.unique(np.sort(asked, axis=1), axis=0))
    candidates = random_pairs(N, max(size, min(n_candidates, left)), asked=asked, seed=seed)
    information = pair_information(proba, candidates, epsilon=epsilon) if len(candidates) else np.empty(0)
    return _spread_out(candidates, information, size)


def _information(implied: NDArray[np.float64], errors: NDArray[np.float64], base: float) -> NDArray[np.float64]:
    """I(l; Y) = H(l) - sum_a P(a) H(l | a) for each row of probabilities of the implied answer a."""
    information = entr(implied @ errors).sum(axis=1) - implied @ entr(errors).sum(axis=1)
    # Rounding can leave a hair less than nothing.
    return np.maximum(information, 0) / np.log(base)
