"""The weights of the answers and of the instances without answers in the objective.

Eq. (8) and Eq. (9) divide the log-likelihood of the answers by M, their number, and the entropy of the instances U that
stand in no question by |U|. One answer alone then has the weight of all instances together. When answers return to the
same instances, each of these loses weight with every answer. Meanwhile the few instances left in U have as much weight
as all of U had. So more answers, though true, can make the clustering worse.

The steady weighting divides by the number of answers that mention each asked instance once, and by |U| only while U is
a fair share of the instances.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

# The first answers weigh little: up to a share of the instances, and up to a number of answers whatever their share.
# The share was chosen on sets of up to 768 instances; where there are 60,000 it would leave
# forty answers without effect (tests/benchmarks/weights.py).
_GENTLE_SHARE = 0.1
_GENTLE_ANSWERS = 40.0
# Up to so many answers for each instance there are few: more starts of EM are then worth their time.
FEW = 0.3
# The least share of the instances by which the entropy of U is divided.
_LEAST_SEPARATED = 0.3


class Counts(NamedTuple):
    """N instances, of which |I| stand in T triplets and P pairs."""

    n_samples: int
    n_constrained: int
    n_triplets: int
    n_pairs: int

    @property
    def n_answers(self) -> int:
        """M."""
        return self.n_triplets + self.n_pairs

    @property
    def n_unconstrained(self) -> int:
        """Size of U."""
        return self.n_samples - self.n_constrained

    @property
    def mentioning_once(self) -> float:
        """How many of these answers it takes to mention each asked instance once: M |I| / (3 T + 2 P)."""
        mentions = 3 * self.n_triplets + 2 * self.n_pairs
        return self.n_answers * self.n_constrained / mentions if mentions else 0.0


class Divisors(NamedTuple):
    """What the log-likelihood of the answers and the summed entropy of U are divided by; 0 where there is nothing."""

    answers: float
    separation: float


def full_weight(n_samples: int) -> float:
    """Return how many answers it takes to reach full weight, with the steady weighting.

    Examples
    --------
    >>> full_weight(200), full_weight(60_000)
    (20.0, 40.0)
    """
    return min(_GENTLE_SHARE * n_samples, _GENTLE_ANSWERS)


def paper(counts: Counts) -> Divisors:
    """Divide as Eq. (8) and Eq. (9) do.

    Examples
    --------
    >>> paper(Counts(n_samples=100, n_constrained=90, n_triplets=300, n_pairs=0))
    Divisors(answers=300, separation=10)
    """
    return Divisors(counts.n_answers, counts.n_unconstrained)


def steady(counts: Counts) -> Divisors:
    """Divide so that each asked instance has the same weight, however many answers mention it.

    Examples
    --------
    >>> steady(Counts(n_samples=100, n_constrained=90, n_triplets=300, n_pairs=0))
    Divisors(answers=30.0, separation=30.0)
    >>> steady(Counts(n_samples=100, n_constrained=3, n_triplets=1, n_pairs=0))  # one answer of the ten it takes
    Divisors(answers=10.0, separation=97)
    """
    answers = max(counts.mentioning_once, full_weight(counts.n_samples)) if counts.n_answers else 0.0
    return Divisors(answers, max(counts.n_unconstrained, _LEAST_SEPARATED * counts.n_samples))


WEIGHTINGS: dict[str, Callable[[Counts], Divisors]] = {"steady": steady, "paper": paper}
