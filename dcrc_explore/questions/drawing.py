"""Questions drawn by chance: any triplet or pair, or triplets of points near the decision boundary."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dcrc_explore.arrays import IntArray, Seed
from dcrc_explore.constraints import as_pairs, as_triplets


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
    old, total = check_left(n_samples, size, asked), n_questions(n_samples)
    rng = np.random.default_rng(seed)
    triplets = _questions_of(_new_numbers(total, size, old, rng), n_samples)
    # "More similar to j than to k" or the other way round, by a coin.
    mirrored = rng.random(size) < 0.5
    triplets[mirrored] = triplets[mirrored][:, [0, 2, 1]]
    return triplets


def check_left(n_samples: int, size: int, asked: ArrayLike | None = None) -> IntArray:
    """Return the numbers of the questions asked; ValueError when fewer than `size` others are left.

    Examples
    --------
    >>> check_left(4, 10, asked=[(0, 1, 2), (0, 2, 1), (1, 0, 3)]).shape  # two questions
    (2,)
    """
    old = np.unique(question_numbers(as_triplets(() if asked is None else asked, n_samples), n_samples))
    total = n_questions(n_samples)
    if not 0 <= size <= total - len(old):
        raise ValueError(
            f"{size} new questions were wanted, but of the {total} about {n_samples} points only "
            f"{total - len(old)} have not been asked"
        )
    return old


def random_pairs(n_samples: int, size: int, *, asked: ArrayLike | None = None, seed: Seed = None) -> IntArray:
    """Draw different pairs, all equally likely; (j, i) is the same pair as (i, j).

    Parameters are those of :func:`random_triplets`, with `asked` of shape (M, 2).

    Examples
    --------
    >>> sorted(map(sorted, random_pairs(3, 2, asked=[(2, 0)], seed=0).tolist()))
    [[0, 1], [1, 2]]
    """
    low, high = np.sort(as_pairs(() if asked is None else asked, n_samples), axis=1).T
    old = np.unique(high * (high - 1) // 2 + low)
    total = n_samples * (n_samples - 1) // 2
    if not 0 <= size <= total - len(old):
        raise ValueError(
            f"{size} new pairs were wanted, but of the {total} of {n_samples} points only {total - len(old)} have not "
            "been asked"
        )
    return np.column_stack(_pair_of(_new_numbers(total, size, old, np.random.default_rng(seed))))


def _new_numbers(total: int, size: int, old: IntArray, rng: np.random.Generator) -> IntArray:
    # Enough different numbers that, without the old ones, enough are left.
    numbers = rng.choice(total, size + len(old), replace=False) if size else np.empty(0, dtype=np.int64)
    return numbers[~np.isin(numbers, old)][:size]


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
        Share of the points that count as near; more are taken if these do not give enough questions.
    asked, seed
        See :func:`random_triplets`.

    Examples
    --------
    >>> proba = np.column_stack([np.linspace(0, 1, 100), np.linspace(1, 0, 100)])
    >>> np.unique(boundary_triplets(proba, 200, share=0.1, seed=0))
    array([45, 46, 47, 48, 49, 50, 51, 52, 53, 54])
    """
    proba = as_proba(proba)
    N = len(proba)
    asked = as_triplets(() if asked is None else asked, N)
    second, first = np.partition(proba, -2, axis=1)[:, -2:].T
    near = np.argsort((first - second).round(9), kind="stable")
    n_near = min(N, max(3, round(share * N)))
    while n_near < N and n_questions(n_near) < size + len(asked):
        n_near += 1
    # Questions about the nearest points, in terms of their rank.
    rank = np.full(N, -1)
    rank[near[:n_near]] = np.arange(n_near)
    asked_near = rank[asked][(rank[asked] >= 0).all(axis=1)]
    return near[random_triplets(n_near, size, asked=asked_near, seed=seed)]


def as_proba(proba: ArrayLike) -> NDArray[np.float64]:
    """Check memberships of shape (N, K)."""
    proba = np.asarray(proba, dtype=float)
    if proba.ndim != 2 or proba.shape[1] < 2:
        raise ValueError(f"proba must have shape (N, K) with K of at least 2, got {proba.shape}")
    return proba


def n_questions(n_samples: int) -> int:
    """Count x_i times the unordered pairs of others."""
    return n_samples * (n_samples - 1) * (n_samples - 2) // 2


def question_numbers(triplets: IntArray, n_samples: int) -> IntArray:
    """Give each question its number among all questions; mirrored triplets have the same number."""
    i, j, k = triplets.T
    # Positions of j and k among the points other than i, the smaller first.
    j, k = j - (j > i), k - (k > i)
    low, high = np.minimum(j, k), np.maximum(j, k)
    n_pairs = (n_samples - 1) * (n_samples - 2) // 2
    return i * n_pairs + high * (high - 1) // 2 + low


def _questions_of(numbers: IntArray, n_samples: int) -> IntArray:
    """Invert :func:`question_numbers`."""
    i, pair = np.divmod(numbers, max(1, (n_samples - 1) * (n_samples - 2) // 2))
    low, high = _pair_of(pair)
    return np.column_stack([i, low + (low >= i), high + (high >= i)])


def _pair_of(numbers: IntArray) -> tuple[IntArray, IntArray]:
    """Return the pairs low < high whose numbers are high (high - 1) / 2 + low."""
    # The largest high with high (high - 1) / 2 <= number; the root may be off by rounding.
    high = ((1 + np.sqrt(1 + 8.0 * numbers)) / 2).astype(np.int64)
    high -= high * (high - 1) // 2 > numbers
    high += high * (high + 1) // 2 <= numbers
    return numbers - high * (high - 1) // 2, high
