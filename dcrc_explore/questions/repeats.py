"""The error rate of a person, from questions that are asked twice: the second time with B and C exchanged.

Two answers to one question are right or wrong independently of each other. By Table I each is right with probability
1 - e, and each of the two wrong ones is given with probability e / 2. So the two differ with probability

    c(e) = 1 - (1 - e)^2 - 2 (e / 2)^2 = 2 e - 3/2 e^2,

which rises up to e = 2/3, where answers carry nothing. From a share c of repeats that differ follows
e(c) = (2 - sqrt(4 - 6 c)) / 3.

A few repeats say little. So the share has a Beta prior whose mean is that of the error rate in the settings, and which
counts as much as five repeats. Its posterior mean is taken as c. Who is wrong twice in the same way is not noticed:
repeats measure errors by chance, not a different opinion. tests/benchmarks/repeats.py measures what they are worth.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from dcrc_explore.constraints import Log
from dcrc_explore.constraints.log import NO_THIRD
from dcrc_explore.settings import IGNORED

# Every tenth question to a person repeats one that they answered at least five answers before.
EVERY, APART = 10, 5
# How many repeats the error rate in the settings counts for. From 2 to 16 repeats, five gives the smallest mean square
# error of the estimate when it is 0.05 there and rates are anything between 0 and 0.3.
PRIOR = 5.0


class Repeats(NamedTuple):
    """How many questions were repeated, and how many of them were answered differently."""

    n: int
    n_different: int

    def error_rate(self, prior: float) -> float:
        """Return the probability of a wrong answer, which was taken to be `prior` before any repeat.

        Examples
        --------
        >>> round(Repeats(8, 2).error_rate(0.05), 3), round(Repeats(80, 20).error_rate(0.05), 3)
        (0.103, 0.134)
        >>> round(Repeats(0, 0).error_rate(0.05), 3)
        0.05
        """
        share = (self.n_different + PRIOR * share_of_different(prior)) / (self.n + PRIOR)
        return IGNORED - sqrt(max(4 - 6 * share, 0)) / 3


def share_of_different(error_rate: float) -> float:
    """Return the probability that two answers to one question differ.

    Examples
    --------
    >>> round(share_of_different(0.1), 3), round(share_of_different(2 / 3), 3)
    (0.185, 0.667)
    """
    return 2 * error_rate - 1.5 * error_rate**2


def repeated(log: Log) -> dict[int, int]:
    """Return which answer repeats which: a person's answer to (a, b, c), and their next one to (a, c, b).

    Examples
    --------
    >>> log = Log().plus([(0, 1, 2), (0, 1, 3), (0, 2, 1), (0, 3, 1)], ["yes"] * 4, by=["Ann", "Ann", "Ann", "Bob"])
    >>> repeated(log)
    {2: 0}
    """
    waiting: dict[tuple[int, ...], int] = {}
    found: dict[int, int] = {}
    for t, (giver, (a, b, c)) in enumerate(zip(log.givers.tolist(), log.points.tolist(), strict=True)):
        if (first := waiting.pop((giver, a, c, b), None)) is not None:
            found[t] = first
        elif c != NO_THIRD:
            waiting[giver, a, b, c] = t
    return found


def count_repeats(log: Log) -> Repeats:
    """Count the repeats of everybody; an answer is the same when a yes comes back as no, and don't know as itself.

    Examples
    --------
    >>> count_repeats(Log().plus([(0, 1, 2), (3, 1, 2), (0, 2, 1), (3, 2, 1)], ["yes", "dnk", "no", "yes"]))
    Repeats(n=2, n_different=1)
    """
    later, first = np.array([*repeated(log).items()], dtype=np.int64).reshape(-1, 2).T
    answers = log.answers
    return Repeats(len(later), int((answers[later] != -answers[first]).sum()))


def due_repeat(log: Log, name: str) -> tuple[int, int, int] | None:
    """Return a question that this person answered, with B and C exchanged, when it is time for one; else None.

    It is drawn at random, and is the same for the same answers.
    """
    by = log.by
    own = [t for t in log.triplet_positions.tolist() if by[t] == name]
    if len(own) % EVERY != EVERY - 1:
        return None
    pairs = repeated(log)
    used = {*pairs, *pairs.values()}
    left = [t for t in own[:-APART] if t not in used]
    if not left:
        return None
    a, b, c = log[int(np.random.default_rng(len(own)).choice(left))].points
    return a, c, b
