"""Relative constraints: the answer to "is x_i more similar to x_j than to x_k?".

Every function of the library takes triplets and answers through :class:`Triplets`, the one place
where shapes, indices and answer names are checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dcrc_explore.arrays import IntArray

AnswerLike = Any  # an Answer, one of the integers 1, -1, 0, or one of the strings "yes", "no", "dnk"

__all__ = [
    "Answer",
    "Triplets",
    "answer_proba",
    "as_answers",
    "as_triplets",
    "check_not_answers",
    "implied_answers",
    "to_pairs",
]


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
        raise ValueError(f"answers must be one-dimensional, one per triplet, got shape {np.shape(answers)}")
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


def as_triplets(triplets: ArrayLike | Triplets, n_samples: int | None = None) -> IntArray:
    """Check triplet indices and return them as an ``(M, 3)`` integer array.

    Parameters
    ----------
    triplets : array-like of shape (M, 3) or Triplets
        Rows (i, j, k) of three different row numbers of X.
    n_samples : int, optional
        Number of rows of X; when given, indices are checked against it.

    Examples
    --------
    >>> as_triplets([(0, 1, 2)], n_samples=3)
    array([[0, 1, 2]])
    """
    try:
        array = np.asarray(triplets.indices if isinstance(triplets, Triplets) else triplets)
    except ValueError:
        raise ValueError("triplets must have shape (M, 3), got rows of different lengths") from None
    if array.size == 0 and array.ndim <= 2:
        return np.empty((0, 3), dtype=np.int64)
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"triplets must have shape (M, 3), got {array.shape}")
    if array.dtype.kind not in "iu":
        with np.errstate(invalid="ignore"):
            whole = array.dtype.kind == "f" and bool(np.all(array == np.rint(array)))
        if not whole:
            raise ValueError(f"triplets must hold row numbers (integers), got dtype {array.dtype}")
    array = array.astype(np.int64)
    if n_samples is not None and (array.min() < 0 or array.max() >= n_samples):
        t = int(np.flatnonzero(((array < 0) | (array >= n_samples)).any(axis=1))[0])
        raise ValueError(
            f"triplet indices must be between 0 and {n_samples - 1} (X has {n_samples} rows), "
            f"got {tuple(array[t].tolist())} (triplet number {t})"
        )
    if n_samples is None and array.min() < 0:
        raise ValueError(f"triplet indices must not be negative, got {array.min()}")
    i, j, k = array.T
    equal = (i == j) | (i == k) | (j == k)
    if equal.any():
        t = int(np.argmax(equal))
        raise ValueError(
            f"a triplet must name three different instances, got {tuple(array[t].tolist())} (triplet number {t})"
        )
    return array


def check_not_answers(y: Any) -> None:
    """Refuse questions in the place of the classes y, which clusterings ignore.

    Examples
    --------
    >>> check_not_answers([0, 1, 1])
    >>> check_not_answers([(0, 1, 2)])
    Traceback (most recent call last):
    TypeError: answers are passed by name, as fit(X, triplets=..., answers=...), got triplets in the place of y
    """
    if isinstance(y, Triplets) or np.shape(y)[1:] == (3,):
        raise TypeError(
            "answers are passed by name, as fit(X, triplets=..., answers=...), got triplets in the place of y"
        )


@dataclass(frozen=True, eq=False)
class Triplets(Sequence[tuple[tuple[int, int, int], Answer]]):
    """Validated triplets with their answers.

    Parameters
    ----------
    indices : array-like of shape (M, 3)
        Rows (i, j, k): the question "is x_i more similar to x_j than to x_k?". An instance may stand in many
        triplets, but only once in each; repeated and contradictory triplets are legal.
    answers : array-like of shape (M,)
        :class:`Answer` members, 1 / -1 / 0, or "yes" / "no" / "dnk".
    n_samples : int, optional
        Number of rows of X; when given, indices are checked against it.

    Examples
    --------
    >>> triplets = Triplets([(0, 1, 2), (3, 0, 1)], ["yes", "dnk"], n_samples=4)
    >>> len(triplets), triplets[0]
    (2, ((0, 1, 2), <Answer.YES: 1>))
    >>> triplets.without_dnk()
    Triplets(1 answer: 1 yes, 0 no, 0 dnk)
    """

    indices: IntArray
    answers: NDArray[np.int8]

    def __init__(
        self, indices: ArrayLike | None = None, answers: AnswerLike | None = None, *, n_samples: int | None = None
    ) -> None:
        if (indices is None) != (answers is None):
            given, missing = ("triplets", "answers") if answers is None else ("answers", "triplets")
            raise ValueError(f"triplets and answers belong together, got {given} without {missing}")
        checked = as_triplets(() if indices is None else indices, n_samples)
        values = as_answers(() if answers is None else answers)
        if len(checked) != len(values):
            raise ValueError(f"each triplet needs one answer, got {len(checked)} triplets and {len(values)} answers")
        checked.flags.writeable = values.flags.writeable = False
        object.__setattr__(self, "indices", checked)
        object.__setattr__(self, "answers", values)

    def __len__(self) -> int:
        return len(self.answers)

    def __getitem__(self, t: Any) -> Any:
        if isinstance(t, int | np.integer):
            i, j, k = self.indices[t].tolist()
            return (i, j, k), Answer(int(self.answers[t]))
        return Triplets(self.indices[t], self.answers[t])

    def __iter__(self) -> Iterator[tuple[tuple[int, int, int], Answer]]:
        return (self[t] for t in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Triplets):
            return NotImplemented
        return np.array_equal(self.indices, other.indices) and np.array_equal(self.answers, other.answers)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        yes, no, dnk = (int(np.sum(self.answers == answer)) for answer in Answer)
        return f"Triplets({len(self)} answer{'' if len(self) == 1 else 's'}: {yes} yes, {no} no, {dnk} dnk)"

    def __add__(self, other: Self) -> Triplets:
        return Triplets(np.vstack([self.indices, other.indices]), np.concatenate([self.answers, other.answers]))

    def without_dnk(self) -> Triplets:
        """Return only the yes / no answers: what the paper's DCRC-YN learns from."""
        return self[self.answers != Answer.DNK]

    def constrained(self) -> IntArray:
        """Return the paper's index set I: every instance that stands in some triplet, in increasing order."""
        return np.unique(self.indices)


def implied_answers(labels: ArrayLike, triplets: ArrayLike) -> NDArray[np.int8]:
    """Answers that a clustering implies, Eq. (1).

    Examples
    --------
    >>> implied_answers([0, 0, 1, 2], [(0, 1, 2), (0, 2, 1), (0, 2, 3)])
    array([ 1, -1,  0], dtype=int8)
    """
    labels = np.asarray(labels)
    first, second, third = labels[as_triplets(triplets, len(labels))].T
    # Eq. (1): yes if y_1 = y_2 != y_3, no if y_1 = y_3 != y_2, otherwise dnk.
    return (first == second).astype(np.int8) - (first == third).astype(np.int8)


def answer_proba(proba: ArrayLike, triplets: ArrayLike, *, epsilon: float = 0.0) -> NDArray[np.float64]:
    """Probabilities of yes, no and dnk when the three memberships are independent.

    Parameters
    ----------
    proba : array-like of shape (N, K)
        Membership probabilities of each instance.
    triplets : array-like of shape (M, 3)
    epsilon : float, default=0
        Probability of an error, both wrong answers being equally likely (Table I).

    Returns
    -------
    ndarray of shape (M, 3)
        Columns yes, no, dnk.

    Examples
    --------
    >>> answer_proba([[1, 0], [1, 0], [0.5, 0.5]], [(0, 1, 2)], epsilon=0.1)
    array([[0.475, 0.05 , 0.475]])
    """
    proba = np.asarray(proba, dtype=float)
    p1, p2, p3 = (proba[index] for index in as_triplets(triplets, len(proba)).T)
    both = p2 * p3
    yes = np.einsum("mk,mk->m", p1, p2 - both)
    no = np.einsum("mk,mk->m", p1, p3 - both)
    implied = np.column_stack([yes, no, 1.0 - yes - no])
    # Table I
    return (1 - epsilon) * implied + epsilon / 2 * (1 - implied)


def to_pairs(triplets: Triplets) -> tuple[IntArray, IntArray]:
    """Infer one must-link and one cannot-link pair from each yes / no answer; dnk gives none.

    Returns
    -------
    must_link, cannot_link : ndarray of shape (number of yes / no answers, 2)

    Examples
    --------
    >>> must_link, cannot_link = to_pairs(Triplets([(0, 1, 2), (3, 4, 5)], ["no", "dnk"]))
    >>> must_link, cannot_link
    (array([[0, 2]]), array([[0, 1]]))
    """
    decided = triplets.without_dnk()
    i, j, k = decided.indices.T
    yes = decided.answers == Answer.YES
    must_link = np.column_stack([i, np.where(yes, j, k)])
    cannot_link = np.column_stack([i, np.where(yes, k, j)])
    return must_link, cannot_link
