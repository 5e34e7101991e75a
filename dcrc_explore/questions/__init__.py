"""What to ask next: random questions, questions near the decision boundary, the most informative questions.

A question is a triplet (i, j, k); (i, k, j) is the same question, because its answer follows. No function here asks the
same question twice, nor one that stands in ``asked``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from dcrc_explore.arrays import IntArray, Seed
from dcrc_explore.questions.closure import Closure
from dcrc_explore.questions.drawing import boundary_triplets, random_triplets
from dcrc_explore.questions.informative import informative_triplets, question_information

__all__ = [
    "Closure",
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
