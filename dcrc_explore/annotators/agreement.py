"""How far people agree where they answered the same question."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dcrc_explore.annotators.confusion import mirrored
from dcrc_explore.constraints import Pairs, Triplets, count_answers, same_question


class Agreement(NamedTuple):
    """How far two people agree."""

    # Their names
    first: str
    second: str
    n_common: int  # how many questions both answered
    share: float  # share of these that both answered alike; nan when there are none
    # Cohen's kappa: 1 for full agreement, 0 for the agreement expected by chance; nan when it is undefined
    kappa: float


def cohen_kappa(table: ArrayLike) -> float:
    """Cohen's kappa of a table that counts the answers of one person (rows) against another's (columns).

    It is nan when the table is empty, or when both always gave one and the same answer.

    Examples
    --------
    >>> cohen_kappa([[20, 5], [10, 15]])
    0.4
    """
    counts = np.asarray(table, dtype=float)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1] or not (counts >= 0).all():
        raise ValueError(f"table must hold counts of shape (n, n), got {counts.tolist()}")
    if not counts.any():
        return float("nan")
    shares = counts / counts.sum()
    by_chance = float(shares.sum(axis=1) @ shares.sum(axis=0))
    if by_chance == 1:
        return float("nan")
    return round((float(np.trace(shares)) - by_chance) / (1 - by_chance), 12)


def fleiss_kappa(counts: ArrayLike) -> float:
    """Fleiss' kappa of counts of answers, shape (n_questions, n_answers): 1 is full agreement, 0 is what chance gives.

    Questions with fewer than two answers are left out. It is nan without others, or if only one answer was ever given.

    Examples
    --------
    >>> fleiss_kappa([[3, 0], [0, 3], [2, 1]])
    0.55
    """
    table = np.asarray(counts, dtype=float)
    if table.ndim != 2 or not (table >= 0).all():
        raise ValueError(f"counts must have shape (n_questions, n_answers), got {table.shape}")
    table = table[table.sum(axis=1) >= 2]
    if not len(table):
        return float("nan")
    people = table.sum(axis=1)
    # Share of pairs of people who agree, averaged over questions, against that of people who answer at random.
    observed = float(np.mean((table * (table - 1)).sum(axis=1) / (people * (people - 1))))
    by_chance = float(np.sum((table.sum(axis=0) / table.sum()) ** 2))
    return float("nan") if by_chance == 1 else round((observed - by_chance) / (1 - by_chance), 12)


def agreement(answered: Triplets | Pairs, annotators: Sequence[str]) -> list[Agreement]:
    """Compare people, two by two, where they answered the same question; the last answer of each counts.

    The order of j and k is arbitrary, so kappa is computed from a table in which yes and no are :func:`mirrored`.

    Examples
    --------
    >>> answered = Triplets([(0, 1, 2), (0, 2, 1), (3, 1, 2), (3, 1, 2)], ["yes", "no", "dnk", "yes"])
    >>> agreement(answered, ["Ann", "Bob", "Ann", "Bob"])[0][:4]
    ('Ann', 'Bob', 2, 0.5)
    """
    if isinstance(annotators, str) or len(annotators) != len(answered):
        raise ValueError(f"annotators must be one name for each of {len(answered)} answers, got {annotators!r}")
    by_name: dict[str, dict[tuple[int, ...], int]] = {}
    for (points, answer), name in zip(answered, annotators, strict=True):
        question, is_mirrored = same_question(points)
        by_name.setdefault(name, {})[question] = answer.mirrored if is_mirrored else answer
    has_sides = isinstance(answered, Triplets)
    return [_compare(first, second, by_name, has_sides=has_sides) for first, second in combinations(by_name, 2)]


def _compare(first: str, second: str, answered: dict[str, dict[tuple[int, ...], int]], *, has_sides: bool) -> Agreement:
    common = answered[first].keys() & answered[second].keys()
    given = ([answered[name][question] for question in common] for name in (first, second))
    table = count_answers(*given).astype(float)
    share = float(np.trace(table) / len(common)) if common else float("nan")
    return Agreement(first, second, len(common), share, cohen_kappa(mirrored(table) if has_sides else table))
