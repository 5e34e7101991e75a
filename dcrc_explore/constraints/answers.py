"""Yes, no, don't know, and the columns in which they stand."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

AnswerLike = Any  # an Answer, one of the integers 1, -1, 0, or one of the strings "yes", "no", "dnk", "don't know"
_DONT_KNOW = {"don't know", "dont know", "don't_know", "dont_know"}


class Answer(IntEnum):
    """Answer to "is x_i more similar to x_j than to x_k?".

    Examples
    --------
    >>> Answer("yes"), Answer(-1), Answer("don't know")
    (<Answer.YES: 1>, <Answer.NO: -1>, <Answer.DNK: 0>)
    """

    YES = 1
    NO = -1
    DNK = 0

    @classmethod
    def _missing_(cls, value: object) -> Answer | None:
        if not isinstance(value, str):
            return None
        text = value.strip().lower().replace("\u2019", "'")
        return cls.DNK if text in _DONT_KNOW else cls.__members__.get(text.upper())

    @property
    def mirrored(self) -> Answer:
        """The answer to the same question with x_j and x_k exchanged."""
        return Answer(-self)

    @property
    def words(self) -> str:
        """The answer as people say it: yes, no or don't know."""
        return "don't know" if self is Answer.DNK else self.name.lower()


# The answers in the order of columns and rows of every table: yes, no, dnk.
ANSWER_CLASSES = np.array(list(Answer), dtype=np.int8)
ANSWER_CLASSES.setflags(write=False)
# The columns of the two other answers.
_OTHERS = np.array([[other for other in range(len(Answer)) if other != column] for column in range(len(Answer))])


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
    if not isinstance(answers, list | tuple) and np.ndim(answers) != 1:
        got = f"shape {np.shape(answers)}" if np.ndim(answers) else f"a {type(answers).__name__}"
        raise ValueError(f"answers must be one-dimensional, one per question, got {got}")
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
        "an answer must be Answer.YES, NO or DNK, 1, -1 or 0, 'yes', 'no', \"don't know\" or 'dnk', "
        f"got {answer!r} (answer number {t})"
    )


def answer_columns(answers: AnswerLike) -> NDArray[np.intp]:
    """Return the column (or row) of each answer in a table: yes 0, no 1, dnk 2.

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
    return ANSWER_CLASSES[np.asarray(columns, dtype=np.intp)]


def count_answers(rows: AnswerLike, columns: AnswerLike) -> NDArray[np.int64]:
    """Count pairs of answers to the same questions in a table of shape (3, 3), in the order yes, no, dnk.

    Examples
    --------
    >>> count_answers(["yes", "yes", "no"], ["yes", "dnk", "no"])
    array([[1, 0, 1],
           [0, 1, 0],
           [0, 0, 0]])
    """
    table = np.zeros((len(ANSWER_CLASSES), len(ANSWER_CLASSES)), dtype=np.int64)
    np.add.at(table, (answer_columns(rows), answer_columns(columns)), 1)
    return table


def other_answers(answers: AnswerLike, rng: np.random.Generator) -> NDArray[np.int8]:
    """Replace each answer by one of the two others, drawn at random.

    Examples
    --------
    >>> bool(np.any(other_answers(["yes", "no", "dnk"], np.random.default_rng(0)) == [1, -1, 0]))
    False
    """
    columns = answer_columns(answers)
    return answers_in_columns(_OTHERS[columns, rng.integers(2, size=len(columns))])
