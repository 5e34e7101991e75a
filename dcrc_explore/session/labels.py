"""What a step with answers is called, in the history and in the story."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.constraints import Answer
from dcrc_explore.words import count


def answers_label(before: int, after: int, word: str = "answer") -> str:
    """Say which answers make the difference between so many and more.

    Examples
    --------
    >>> answers_label(3, 4), answers_label(3, 8, "pair")
    ('answer 4', 'pairs 4 to 8')
    """
    return f"{word} {after}" if after == before + 1 else f"{word}s {before + 1} to {after}"


def said(answer: Answer) -> str:
    """Write an answer as people say it."""
    return {Answer.YES: "yes", Answer.NO: "no", Answer.DNK: "don't know"}[answer]


def change_label(before: NDArray[np.integer], after: NDArray[np.integer], word: str) -> str:
    """Say how answers that were given are changed.

    Examples
    --------
    >>> change_label(np.array([1, 1, 0]), np.array([1, -1, 0]), "answer")
    'answer 2: yes → no'
    >>> change_label(np.array([1, 1]), np.array([-1, 0]), "answer")
    'change of 2 answers'
    """
    changed = np.flatnonzero(before != after)
    if len(changed) != 1:
        return f"change of {count(len(changed), word)}"
    (t,) = changed
    return f"{word} {t + 1}: {said(Answer(int(before[t])))} → {said(Answer(int(after[t])))}"
