"""Ask, fit, ask what helps most now, and so on: a whole exploration in one call."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from dcrc_explore.annotators import Collected, FunctionAnnotator, Reply
from dcrc_explore.arrays import IntArray
from dcrc_explore.constraints import Triplets
from dcrc_explore.information import surprise
from dcrc_explore.model import DCRC
from dcrc_explore.questions import ask, batch_size, model_doubt
from dcrc_explore.values import whole


@dataclass(frozen=True)
class Interview:
    """The result of an interview.

    Attributes
    ----------
    model : DCRC
        Fitted to all answers.
    triplets : Triplets
        All answers, earlier ones included.
    replies : list of Reply
        The outcome of each question: answered, skipped or failed.
    """

    model: DCRC
    triplets: Triplets
    replies: list[Reply]


def interview(
    model: DCRC,
    X: ArrayLike,
    annotator: FunctionAnnotator | Callable[..., Any],
    *,
    n: int = 30,
    strategy: str = "guided",
    items: Sequence[Any] | None = None,
    triplets: Triplets | None = None,
    batch: int | None = None,
    seed: int | np.random.Generator = 0,
) -> Interview:
    """Ask n questions in batches, each batch chosen with all answers so far, and fit.

    Parameters
    ----------
    model : DCRC
        Its parameters are used; it is not changed itself.
    X : array-like of shape (N, n_features)
    annotator : FunctionAnnotator or callable
        Who answers. A callable gets the items of A, B and C, see :class:`FunctionAnnotator`.
    n : int, default=30
        Questions to ask. There are fewer replies if the annotator's budget ends or it is stopped.
    strategy : str, default="guided"
        One of :func:`~dcrc_explore.questions.list_strategies`.
    items : sequence, optional
        What a callable gets, by row number; by default the rows of X.
    triplets : Triplets, optional
        Earlier answers.
    batch : int, optional
        Questions between two fits; by default one at first, and more as the answers increase.
    seed : int or Generator, default=0

    Returns
    -------
    Interview

    Examples
    --------
    >>> X = np.array([[0.0], [0.2], [0.4], [5.0], [5.2], [5.4]])
    >>> def same_side(a, b, c):
    ...     side = [float(x[0]) > 2 for x in (a, b, c)]
    ...     return "yes" if side[0] == side[1] != side[2] else "no" if side[0] == side[2] != side[1] else "don't know"
    >>> found = interview(DCRC(2, random_state=0), X, same_side, n=4)
    >>> len(found.triplets), len(set(found.model.labels_[:3]))
    (4, 1)
    """
    X = np.asarray(X)
    whole(0).checked(n, "n")
    if not isinstance(annotator, FunctionAnnotator):
        annotator = FunctionAnnotator(annotator, list(X) if items is None else items)
    if len(annotator.items) != len(X):
        raise ValueError(f"items must be one for each row of X, got {len(annotator.items)} items and {len(X)} rows")
    rng = np.random.default_rng(seed)
    known = Triplets() if triplets is None else triplets
    fitted, replies, surprises, proba = clone(model), list[Reply](), np.empty(0), np.empty(0)

    def choose(left: int) -> IntArray:
        nonlocal proba
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the last fit warns of what is left to warn of
            proba = fitted.fit(X, triplets=known).predict_proba(X)
        return ask(
            strategy,
            proba,
            min(left, batch or batch_size(len(known))),
            X=X,
            constraints=known,
            doubt=model_doubt(surprises),
            epsilon=model.epsilon,
            asked=[reply.question for reply in replies],
            seed=rng,
        )

    for arrived in annotator.converse(n, choose):
        replies += arrived
        new = Collected(arrived).triplets
        surprises = np.append(surprises, surprise(proba, new.indices, new.answers, epsilon=model.epsilon))
        known = known + new
    return Interview(fitted.fit(X, triplets=known), known, replies)
