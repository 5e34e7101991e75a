"""Wrong answers planted among right ones, and whether the model finds them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dcrc_explore.arrays import FloatArray
from dcrc_explore.constraints import Answer, Triplets, other_answers
from dcrc_explore.information import surprise


def plant_errors(
    triplets: Triplets, n_errors: int, seed: int | np.random.Generator = 0
) -> tuple[Triplets, NDArray[np.bool_]]:
    """Change `n_errors` answers to one of the two others, each equally likely, as in Table I.

    Returns
    -------
    triplets : Triplets
        With the errors in.
    planted : ndarray of shape (M,)
        Which answers were changed.

    Examples
    --------
    >>> wrong, planted = plant_errors(Triplets([(0, 1, 2), (3, 4, 5)], ["yes", "dnk"]), 1, seed=0)
    >>> int(planted.sum()), wrong.answers[~planted].tolist()
    (1, [1])
    """
    answers, planted = wrong_answers(triplets.answers, n_errors, seed)
    return Triplets.trusted(triplets.indices, answers), planted


def wrong_answers(
    answers: NDArray[np.int8],
    n_errors: int,
    seed: int | np.random.Generator = 0,
    pairs: NDArray[np.bool_] | None = None,
) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """Change `n_errors` answers to wrong ones and say which; those marked by `pairs` from yes to no or back.

    Examples
    --------
    >>> answers, planted = wrong_answers(np.array([1, 1, -1]), 3, pairs=np.array([False, True, True]))
    >>> answers[1:]
    array([-1,  1], dtype=int8)
    """
    if not 0 <= n_errors <= len(answers):
        raise ValueError(f"n_errors must be between 0 and the number of answers, {len(answers)}, got {n_errors}")
    rng = np.random.default_rng(seed)
    planted = np.zeros(len(answers), dtype=bool)
    planted[rng.choice(len(answers), n_errors, replace=False)] = True
    others = other_answers(answers, rng)
    if pairs is not None:
        others[pairs] = np.where(answers[pairs] == Answer.YES, Answer.NO, Answer.YES)
    return np.where(planted, others, answers).astype(np.int8), planted


def disbelief(proba: ArrayLike, triplets: Triplets, *, epsilon: float) -> FloatArray:
    """Return the surprise of each answer under P(y|x), in bits: how little the model believes it.

    P(y|x), not q(y): an answer pulls q to its own side, but has to share the boundary with all the others.

    Parameters
    ----------
    proba : array-like of shape (N, K)
        ``predict_proba(X)``.
    triplets : Triplets
    epsilon : float
        Best a small positive number, even for a model of hard answers: with 0, a contradicted answer is infinitely
        surprising.

    Examples
    --------
    >>> P = [[1, 0], [1, 0], [0, 1]]
    >>> disbelief(P, Triplets([(0, 1, 2), (0, 1, 2)], ["yes", "no"]), epsilon=0.05).round(2)
    array([0.07, 5.32])
    """
    return surprise(proba, triplets.indices, triplets.answers, epsilon=epsilon)


@dataclass(frozen=True, eq=False)
class Recovery:
    """Answers from the least to the most believed, and how well this order finds the planted ones.

    Examples
    --------
    >>> result = recovery([0.1, 5.0, 0.3, 4.0], [False, True, False, False])
    >>> result.n_errors, result.found, result.recall
    (1, 1, array([1., 1., 1., 1.]))
    """

    order: NDArray[np.int64]  # shape (M,): numbers of the answers, the most surprising first
    planted: NDArray[np.bool_]  # shape (M,): whether each of them, in this order, was planted
    # Shape (M,): when the first 1, 2, ... answers of the order are taken for errors. Recall is 1 where nothing was
    # planted.
    precision: FloatArray
    recall: FloatArray

    @property
    def n_errors(self) -> int:
        """How many were planted."""
        return int(self.planted.sum())

    @property
    def found(self) -> int:
        """How many of the planted ones are among the `n_errors` most surprising answers."""
        return int(self.planted[: self.n_errors].sum())


def recovery(doubt: ArrayLike, planted: ArrayLike) -> Recovery:
    """Rank answers by :func:`disbelief` and compare with those that were planted.

    Examples
    --------
    >>> result = recovery([0.1, 5.0, 0.3, 4.0], [False, True, False, False])
    >>> result.order, result.found, result.precision.round(2)
    (array([1, 3, 2, 0]), 1, array([1.  , 0.5 , 0.33, 0.25]))
    """
    doubt, planted = np.asarray(doubt, dtype=float), np.asarray(planted, dtype=bool)
    if doubt.shape != planted.shape or doubt.ndim != 1:
        raise ValueError(f"doubt and planted must have shape (M,), got {doubt.shape} and {planted.shape}")
    order = np.argsort(-doubt, kind="stable")
    hits = np.cumsum(planted[order])
    return Recovery(
        order,
        planted[order],
        precision=hits / np.arange(1, len(order) + 1),
        recall=hits / planted.sum() if planted.any() else np.ones(len(order)),
    )
