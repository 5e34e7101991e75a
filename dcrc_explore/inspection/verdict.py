"""Which of two models is right: by the truth where it is known, else by the answers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dcrc_explore.constraints import Triplets, implied_answers
from dcrc_explore.metrics import adjusted_rand, satisfied
from dcrc_explore.words import count, listed

# Differences of the adjusted Rand index that two decimals do not show.
_NOTHING = 0.005
# Wrong answers that are named one by one.
_NAMED = 3


@dataclass(frozen=True)
class Verdict:
    """Two models of the same points and answers, judged; as text, in a sentence.

    Examples
    --------
    >>> found = verdict([0, 0, 1, 1], [0, 1, 0, 1], Triplets([(0, 1, 2)], ["yes"]), y=[0, 0, 1, 1])
    >>> found.agreement, found.satisfied
    ((1.0, -0.5), (1, 0))
    """

    names: tuple[str, str]
    # Adjusted Rand index of each model and the truth; None when the truth is unknown
    agreement: tuple[float, float] | None
    # Numbers, from 0 on, of the wrong answers that each model satisfies; empty when the truth is unknown
    obeyed: tuple[tuple[int, ...], tuple[int, ...]]
    satisfied: tuple[int, int]  # how many answers each model satisfies
    n_answers: int
    n_wrong: int
    hidden: bool = False  # whether the truth is known but must stay hidden

    def __str__(self) -> str:
        if self.agreement is None:
            return self._by_answers()
        first, second = self.agreement
        if abs(first - second) < _NOTHING:
            sentence = f"{self.names[0]} and {self.names[1]} agree equally with the truth ({first:.2f})"
        else:
            sentence = f"agreement with the truth: {self.names[0]} {first:.2f}, {self.names[1]} {second:.2f}"
        parts = [sentence, *map(self._obedience, (0, 1))]
        text = "; ".join(filter(None, parts))
        return f"{text[:1].upper()}{text[1:]}."

    def _obedience(self, which: int) -> str:
        """Say which wrong answers one model obeys and the other does not."""
        own = [t + 1 for t in self.obeyed[which] if t not in self.obeyed[1 - which]]
        if not own:
            return ""
        if len(own) > _NAMED:
            return f"{self.names[which]} alone obeys {len(own)} of {self.n_wrong} wrong answers"
        return f"{self.names[which]} obeys the wrong answer{'s' * (len(own) > 1)} {listed([str(t) for t in own])}"

    def _by_answers(self) -> str:
        unknown = f"The truth is {'hidden' if self.hidden else 'unknown'}"
        if not self.n_answers:
            return f"{unknown} and there are no answers: nothing says which model is right."
        first, second = self.satisfied
        of_all = f"of {count(self.n_answers, 'answer')}"
        if first == second:
            result = f"{self.names[0]} and {self.names[1]} both satisfy {first} {of_all}"
        else:
            result = f"{self.names[0]} satisfies {first} {of_all}, {self.names[1]} {second}"
        return f"{unknown}. By the answers alone: {result}."


def verdict(
    first: ArrayLike,
    second: ArrayLike,
    triplets: Triplets,
    y: ArrayLike | None = None,
    *,
    names: tuple[str, str] = ("soft", "hard"),
    numbers: ArrayLike | None = None,
    hidden: bool = False,
) -> Verdict:
    """Judge two clusterings of the same points by the truth, or by the answers when it is unknown or `hidden`.

    Answers are called by `numbers`, by default their places.

    Examples
    --------
    >>> y, soft, hard = [0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 0, 1]
    >>> answers = Triplets([(0, 1, 2), (2, 0, 1)], ["yes", "yes"])  # the second is wrong
    >>> print(verdict(soft, hard, answers, y))
    Agreement with the truth: soft 1.00, hard -0.50; hard obeys the wrong answer 2.
    >>> print(verdict(soft, hard, answers))
    The truth is unknown. By the answers alone: soft and hard both satisfy 1 of 2 answers.
    """
    labels = [np.asarray(first), np.asarray(second)]
    if labels[0].shape != labels[1].shape or labels[0].ndim != 1:
        raise ValueError(
            f"both models must have clusters of the same N points, got {labels[0].shape} and {labels[1].shape}"
        )
    fits = [satisfied(triplets.answers, implied_answers(z, triplets.indices)) for z in labels]
    wrong = np.zeros(len(triplets), dtype=bool)
    agreement = None
    if y is not None and not hidden:
        wrong = ~satisfied(triplets.answers, implied_answers(y, triplets.indices))
        agreement = adjusted_rand(y, labels[0]), adjusted_rand(y, labels[1])
    called = np.arange(len(triplets)) if numbers is None else np.asarray(numbers)
    obeyed = [tuple(called[fit & wrong].tolist()) for fit in fits]
    return Verdict(
        names,
        agreement,
        (obeyed[0], obeyed[1]),
        (int(fits[0].sum()), int(fits[1].sum())),
        len(triplets),
        int(wrong.sum()),
        hidden,
    )
