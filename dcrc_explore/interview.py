"""Ask somebody, fit, ask what helps most now, and so on: a whole exploration in one call of a script."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from dcrc_explore.annotators import FunctionAnnotator, Reply
from dcrc_explore.constraints import Triplets
from dcrc_explore.model import DCRC
from dcrc_explore.questions import ask, batch_size


@dataclass(frozen=True)
class Interview:
    """What came of it.

    Attributes
    ----------
    model : DCRC
        Fitted to all answers.
    triplets : Triplets
        The answers, those given before included.
    replies : list of Reply
        What came of each question of this interview: answered, skipped or failed.
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
    """Ask n questions, each batch chosen by what is known by then, and fit.

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
        One of :func:`dcrc_explore.questions.list_strategies`.
    items : sequence, optional
        What a callable gets, by row number; by default the rows of X.
    triplets : Triplets, optional
        Answers that are known before.
    batch : int, optional
        Questions between two fits; by default one at first, and more the more answers there are.
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
    if not isinstance(annotator, FunctionAnnotator):
        annotator = FunctionAnnotator(annotator, X if items is None else items)
    if len(annotator.items) != len(X):
        raise ValueError(f"items must be one for each row of X, got {len(annotator.items)} items and {len(X)} rows")
    rng = np.random.default_rng(seed)
    known, replies, fitted = Triplets() if triplets is None else triplets, [], clone(model)
    seen = known  # with the questions that failed or were skipped, which are not asked again
    while True:
        with warnings.catch_warnings():
            # Only the last fit is given back, and warns by itself.
            warnings.simplefilter("ignore", ConvergenceWarning)
            fitted.fit(X, triplets=known)
        size = min(n - len(replies), batch or batch_size(len(known)))
        if size <= 0:
            break
        questions = ask(strategy, fitted.predict_proba(X), size, X=X, constraints=seen, epsilon=model.epsilon, seed=rng)
        came = list(_replies(annotator, questions))
        replies += came
        answered = [reply for reply in came if reply.answer is not None]
        new = Triplets([reply.question for reply in answered], [reply.answer for reply in answered])
        known, seen = known + new, seen + Triplets(questions, [0] * len(questions))
        if len(came) < len(questions) or not len(questions):
            fitted.fit(X, triplets=known)
            break
    return Interview(fitted, known, replies)


def _replies(annotator: FunctionAnnotator, questions: ArrayLike) -> Iterator[Reply]:
    """Ask, until the annotator stops."""
    yield from annotator.replies(questions)
