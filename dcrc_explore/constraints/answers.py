"""Yes, no, don't know, and the columns in which they stand."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

AnswerLike = Any  # an Answer, one of the integers 1, -1, 0, or one of the strings "yes", "no", "dnk"


class Answer(IntEnum):
    """Answer to "is x_i more similar to x_j than to x_k?".

    Examples
    --------
    >>> Answer("yes"), Answer(-1), Answer.DNK
    (<Answer.YES: 1>, <Answer.NO: -1>, <Answer.DNK: 0>)
    """

    YES = 1
    NO = -1
    DNK = 0

    @classmethod
    def _missing_(cls, value: object) -> Answer | None:
        return cls.__members__.get(value.upper()) if isinstance(value, str) else None

    @property
    def mirrored(self) -> Answer:
        """The answer to the same question with x_j and x_k exchanged."""
        return Answer(-self)


def as_answers(answers: AnswerLike) -> NDArray[np.int8]:
    """Turn enum members, integers or strings into an ``int8`` array of 1, -1 and 0.

    Examples
    --------
    >>> as_answers(["yes", "dnk", -1, Answer.YES])
    array([ 1,  0, -1,  1], dtype=int8)
    """
    if isinstance(answers, str | int | np.integer | np.str_):
        answers = [answers]
    if isinstance(answers, np.ndarray) and answers.dtype.kind in "iu" and answers.ndim == 1:
        values = answers
        valid = (values >= -1) & (values <= 1)
        if not valid.all():
            _raise_unknown_answer(values[np.argmin(valid)].item(), int(np.argmin(valid)))
        return values.astype(np.int8)
    if np.ndim(answers) != 1:
        raise ValueError(f"answers must be one-dimensional, one per question, got shape {np.shape(answers)}")
    result = np.empty(len(answers), dtype=np.int8)
    for t, answer in enumerate(answers):
        # True == 1 in Python, but a boolean has no place for "don't know": more likely a mistake.
        if isinstance(answer, bool | np.bool_):
            _raise_unknown_answer(answer, t)
        try:
            result[t] = Answer(answer)
        except (ValueError, TypeError):
            _raise_unknown_answer(answer, t)
    return result


def _raise_unknown_answer(answer: object, t: int) -> None:
    raise ValueError(
        f"an answer must be Answer.YES, NO or DNK, 1, -1 or 0, 'yes', 'no' or 'dnk', got {answer!r} (answer number {t})"
    )


def answer_columns(answers: AnswerLike) -> NDArray[np.intp]:
    """Tell in which column (or row) of a table each answer stands: yes 0, no 1, dnk 2.

    Examples
    --------
    >>> answer_columns(["yes", "no", "dnk"])
    array([0, 1, 2])
    """
    return (as_answers(answers).astype(np.intp) + 2) % 3


def answers_in_columns(columns: ArrayLike) -> NDArray[np.int8]:
    """Return the answers that stand in these columns: the inverse of :func:`answer_columns`.

    Examples
    --------
    >>> answers_in_columns([0, 1, 2])
    array([ 1, -1,  0], dtype=int8)
    """
    return np.array(list(Answer), dtype=np.int8)[np.asarray(columns, dtype=np.intp)]
