"""What to ask next: random questions, those near the decision boundary, the most informative ones, guided ones.

A question is a triplet (i, j, k); (i, k, j) is the same question, because its answer follows. No function here asks the
same question twice, nor one that stands in ``asked``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dcrc_explore.arrays import IntArray, Seed
from dcrc_explore.constraints import Pairs, Triplets, as_triplets
from dcrc_explore.questions.belief import ENOUGH, Belief, expected_change, model_doubt
from dcrc_explore.questions.closure import Closure
from dcrc_explore.questions.drawing import boundary_triplets, check_left, random_pairs, random_triplets
from dcrc_explore.questions.guided import Questions, batch_size, guided_questions, guided_wave
from dcrc_explore.questions.informative import (
    informative_pairs,
    informative_triplets,
    pair_information,
    question_information,
)

__all__ = ["ask", "boundary_triplets", "list_strategies", "question_information", "random_triplets"]


class _Strategy(NamedTuple):
    """A way to draw questions: its title for a menu, why it takes a question, and the function."""

    title: str
    reason: str
    draw: Callable[..., IntArray]


# Guided questions, which build on the answers, are not among them.
_STRATEGIES = {
    "random": _Strategy(
        "random", "Drawn at random.", lambda proba, n, epsilon, **known: random_triplets(len(proba), n, **known)
    ),
    "boundary": _Strategy(
        "near the boundary",
        "Three points near the decision boundary.",
        lambda proba, n, epsilon, **known: boundary_triplets(proba, n, **known),
    ),
    "informative": _Strategy(
        "most informative",
        "The most informative question under the current model.",
        lambda proba, n, epsilon, **known: informative_triplets(proba, n, epsilon=epsilon, **known),
    ),
}


def list_strategies() -> Mapping[str, str]:
    """Return the names that :func:`ask` knows, with titles for a menu.

    Examples
    --------
    >>> list(list_strategies())
    ['guided', 'random', 'boundary', 'informative']
    """
    return MappingProxyType({"guided": "guided"} | {name: each.title for name, each in _STRATEGIES.items()})


def reasons() -> dict[str, str]:
    """Return why a strategy takes a question, for those that give one reason for all.

    Examples
    --------
    >>> reasons()["random"]
    'Drawn at random.'
    """
    return {name: each.reason for name, each in _STRATEGIES.items()}


def choose(
    strategy: str,
    proba: ArrayLike,
    size: int = 1,
    *,
    X: ArrayLike | None = None,
    constraints: Triplets | None = None,
    pairs: Pairs | None = None,
    doubt: float = 0.2,
    epsilon: float = 0.05,
    asked: ArrayLike | None = None,
    seed: Seed = None,
    belief: Belief | None = None,
    open_ended: bool = False,
) -> Questions:
    """Choose questions and say why each was chosen; the parameters are those of :func:`ask`.

    Examples
    --------
    >>> proba = [[0.9, 0.1], [0.1, 0.9], [0.5, 0.5]]
    >>> questions = choose("informative", proba, asked=[(0, 1, 2), (1, 2, 0)], seed=0)  # one question is left
    >>> questions.triplets[:, 0], questions.reasons
    (array([2]), ['The most informative question under the current model.'])
    """
    constraints = Triplets() if constraints is None else constraints
    asked = np.vstack([constraints.indices, as_triplets(() if asked is None else asked)])
    if strategy == "guided":
        if X is None:
            raise ValueError("guided questions need the points X, got None")
        return guided_questions(
            proba,
            X,
            constraints,
            size,
            pairs=pairs,
            doubt=doubt,
            epsilon=epsilon,
            asked=asked,
            seed=seed,
            belief=belief,
            open_ended=open_ended,
        )
    if strategy not in _STRATEGIES:
        raise ValueError(f"strategy must be one of {', '.join(list_strategies())}, got {strategy!r}")
    chosen = _STRATEGIES[strategy]
    triplets = chosen.draw(np.asarray(proba), size, epsilon, asked=asked, seed=seed)
    return Questions(triplets, [chosen.reason] * size)


def ask(strategy: str, proba: ArrayLike, size: int = 1, **options: Any) -> IntArray:
    """Choose questions by the name of a strategy.

    Parameters
    ----------
    strategy : str
        One of :func:`list_strategies`.
    proba : array-like of shape (N, K)
        What the model believes about each point: ``model.predict_proba(X)``.
    size : int, default=1
        How many questions.
    X : array-like of shape (N, n_features), optional
        The points; guided questions need them.
    constraints : Triplets, optional
        The answers so far, which are not asked again; guided questions build on them.
    pairs : Pairs, optional
        Answers about pairs; guided questions build on them too.
    doubt : float, default=0.2
        How far guided questions doubt the model: see :func:`model_doubt`.
    epsilon : float, default=0.05
        Probability that the user errs; matters to the informative and to guided questions.
    asked : array-like of shape (M, 3), optional
        Further questions not to be asked again.
    seed : int, Generator or None
    belief : Belief, optional
        What answers and model say together, if guided questions computed it before.
    open_ended : bool, default=False
        Whether there may be more groups than K; every fourth guided question then looks for one.

    Returns
    -------
    ndarray of shape (size, 3)

    Examples
    --------
    >>> ask("random", [[0.9, 0.1], [0.1, 0.9], [0.5, 0.5]], 3, seed=0).shape
    (3, 3)
    """
    return choose(strategy, proba, size, **options).triplets
