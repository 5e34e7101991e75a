"""What a model expects as the answer to a question, what the answer is worth, and how surprising it was."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import inf, log2
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import entr

from dcrc_explore.annotators import as_confusion, error_matrix
from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.constraints import Answer, AnswerLike, answer_columns, answer_proba, as_answers
from dcrc_explore.information.formulas import information_by_answer
from dcrc_explore.model.noise import pair_accuracy
from dcrc_explore.questions import random_pairs, random_triplets

# Questions and answers that were given before: points, with -1 as the third of two, and answers.
Past = tuple[IntArray, NDArray[np.int8]]
# Random questions whose mean worth is taken, where there are more than these.
_SAMPLE = 300


def surprise(
    proba: ArrayLike,
    triplets: ArrayLike,
    answers: AnswerLike,
    *,
    epsilon: float = 0.05,
    confusion: ArrayLike | None = None,
    base: float = 2,
) -> NDArray[np.float64]:
    """How unexpected each answer is to a model that believed `proba`: -log P(answer), infinite where it is impossible.

    Examples
    --------
    >>> sure = [[1, 0], [1, 0], [0, 1]]
    >>> surprise(sure, [(0, 1, 2), (0, 1, 2)], ["yes", "no"], epsilon=0.05).round(2)
    array([0.07, 5.32])
    """
    channel = error_matrix(epsilon) if confusion is None else as_confusion(confusion)
    given = as_answers(answers)
    implied = np.maximum(answer_proba(proba, np.atleast_2d(triplets)), 0)
    if len(implied) != len(given):
        raise ValueError(f"each triplet needs one answer, got {len(implied)} triplets and {len(given)} answers")
    probability = (implied @ channel)[np.arange(len(given)), answer_columns(given)]
    with np.errstate(divide="ignore"):
        return -np.log(probability) / np.log(base)


class Expectation(NamedTuple):
    """What the model expects as the answer to a question, and what the answer is worth in bits.

    For a question about two points, the probability of don't know is 0.

    Examples
    --------
    >>> expected = Expectation(yes=0.25, no=0.5, dnk=0.25, bits=0.9)
    >>> expected.surprise("yes"), expected.mean_surprise
    (2.0, 1.5)
    """

    yes: float
    no: float
    dnk: float
    bits: float

    def surprise(self, answer: AnswerLike) -> float:
        """Bits of surprise, -log2 P(answer); infinite for what a hard model holds impossible."""
        probability = getattr(self, Answer(answer).name.lower())
        return -log2(probability) if probability > 0 else inf

    @property
    def mean_surprise(self) -> float:
        """Bits of surprise that the model expects, H(l): the worth and the noise of the answer."""
        return float(entr(self[:3]).sum() / np.log(2))

    def words(self, n_points: int = 3) -> list[str]:
        """Say what each answer would tell, in a few sentences."""
        names = {"yes": "yes", "no": "no", "dnk": "don't know"}
        each = [
            f"{name} {self.surprise(answer):.2f} bit" if getattr(self, answer) > 0 else f"{name} cannot be"
            for answer, name in names.items()
            if n_points == 3 or answer != "dnk"
        ]
        noise = max(self.mean_surprise - self.bits, 0)
        return [
            f"What each answer would tell: {', '.join(each)}. The less the model expects an answer, the more it tells.",
            f"On average that is {self.mean_surprise:.2f} bit. {noise:.2f} bit of it is noise, so the question is "
            f"worth {self.bits:.2f} bit.",
        ]


def expected_answers(
    belief: FloatArray, points: IntArray, epsilon: float, *, past: Past | None = None, use_dnk: bool = True
) -> FloatArray:
    """Return P(yes), P(no), P(dnk) of several questions and what each is worth in bits, shape (M, 4).

    The third of two points is -1. A question that was asked before (`past`) is judged by its earlier answers too.
    Without `use_dnk`, a don't know changes no belief.

    Examples
    --------
    >>> undecided, question = np.full((3, 2), 0.5), np.array([(0, 1, 2)])
    >>> expected_answers(undecided, question, 0.05).round(2)
    array([[0.26, 0.26, 0.49, 1.18]])
    >>> expected_answers(undecided, question, 0.05, past=(question, np.array([1], dtype=np.int8))).round(2)
    array([[0.88, 0.05, 0.07, 0.3 ]])
    """
    expected, pair = np.zeros((len(points), 4)), points[:, 2] < 0
    for asked, errors in ((~pair, error_matrix(epsilon)), (pair, _pair_errors(epsilon))):
        if not asked.any():
            continue
        if errors.shape[0] == 3:
            implied = np.maximum(answer_proba(belief, points[asked]), 0)
        else:
            together = np.einsum("pk,pk->p", belief[points[asked, 0]], belief[points[asked, 1]])
            implied = np.column_stack([together, 1 - together])
        if past is not None:
            implied = _given_the_past(implied, points[asked], past, errors, len(belief), use_dnk)
        given, nats = information_by_answer(implied, errors)
        expected[asked, : len(errors)] = given
        expected[asked, 3] = np.maximum(nats[:, : 3 if use_dnk else 2].sum(axis=1), 0) / np.log(2)
    return expected


def _pair_errors(epsilon: float) -> FloatArray:
    right = pair_accuracy(epsilon)
    return np.array([[right, 1 - right], [1 - right, right]])


def _given_the_past(
    implied: FloatArray, points: IntArray, past: Past, errors: FloatArray, n_samples: int, use_dnk: bool
) -> FloatArray:
    """Return P(a | earlier answers to the same question), in proportion to P(a) times P(l|a) of each."""
    asked, earlier = _keys(points, n_samples), _keys(past[0], n_samples)
    ignored = (past[1] == Answer.DNK) & (~np.bool_(use_dnk) | (past[0][:, 2] < 0))
    for m in np.flatnonzero(np.isin(asked, earlier[~ignored])):
        evidence = implied[m]
        for t in np.flatnonzero((earlier == asked[m]) & ~ignored):
            mirrored = past[0][t, 1] != points[m, 1] and len(errors) == 3
            answer = -past[1][t] if mirrored else past[1][t]
            evidence = evidence * errors[:, answer_columns(np.array([answer]))[0]]
        if evidence.any():  # else a hard model holds the past impossible
            implied[m] = evidence / evidence.sum()
    return implied


def _keys(points: IntArray, n_samples: int) -> IntArray:
    """Give each question a number, the same for those that ask the same."""
    i, j, k = points.T
    pair, low, high = k < 0, np.minimum(j, k), np.maximum(j, k)
    first, second = np.where(pair, np.minimum(i, j), i), np.where(pair, np.maximum(i, j), low)
    return (first * n_samples + second) * (n_samples + 1) + np.where(pair, 0, high + 1)


def expected_answer(
    belief: FloatArray, points: Sequence[int], epsilon: float, *, past: Past | None = None, use_dnk: bool = True
) -> Expectation:
    """Return what a model with these P(y|x) expects as an answer about three points or two, and its worth.

    The other parameters are those of :func:`expected_answers`.

    Examples
    --------
    >>> expected_answer(np.array([[0.5, 0.5], [1, 0]]), (0, 1), epsilon=0).bits
    1.0
    """
    rows = np.array([[*points, -1][:3]])
    return Expectation(*expected_answers(belief, rows, epsilon, past=past, use_dnk=use_dnk)[0].tolist())


def surprises(
    belief: FloatArray, points: IntArray, answers: NDArray[np.int8], epsilon: float, *, past: Past | None = None
) -> FloatArray:
    """Return the surprise of a model at each answer in bits; nan for don't know about two points: it says nothing.

    Examples
    --------
    >>> sure = np.array([[1.0, 0], [1, 0], [0, 1]])
    >>> surprises(sure, np.array([(0, 1, 2), (0, 1, -1)]), np.array([1, -1], dtype=np.int8), epsilon=0.05).round(2)
    array([0.07, 5.29])
    """
    return surprises_at(expected_answers(belief, points, epsilon, past=past), points[:, 2] < 0, answers)


def surprises_at(expected: FloatArray, pair: NDArray[np.bool_], answers: NDArray[np.int8]) -> FloatArray:
    """Return the surprise at each answer where these probabilities of yes, no and don't know were expected.

    Examples
    --------
    >>> surprises_at(np.array([[0.25, 0.5, 0.25]]), np.array([False]), np.array([1], dtype=np.int8))
    array([2.])
    """
    with np.errstate(divide="ignore"):
        bits = np.maximum(-np.log2(expected[np.arange(len(answers)), answer_columns(answers)]), 0.0)
    bits[pair & (answers == Answer.DNK)] = np.nan
    return bits


def random_worth(belief: FloatArray, epsilon: float, *, n_points: int = 3, use_dnk: bool = True) -> float:
    """Return what a random question about so many points is worth to a model on average, in bits.

    Of more than 300 possible questions the mean is that of 300 random ones, always the same.

    Examples
    --------
    >>> random_worth(np.full((4, 2), 0.5), epsilon=0)
    1.5
    """
    if len(belief) < n_points:
        return 0.0
    questions = _random_questions(len(belief), n_points)
    return float(expected_answers(belief, questions, epsilon, use_dnk=use_dnk)[:, 3].mean())


@lru_cache(maxsize=8)
def _random_questions(n_samples: int, n_points: int) -> IntArray:
    n_pairs = n_samples * (n_samples - 1) // 2
    if n_points == 2:
        drawn = random_pairs(n_samples, min(_SAMPLE, n_pairs), seed=0)
        return np.column_stack([drawn, np.full(len(drawn), -1)])
    return random_triplets(n_samples, min(_SAMPLE, n_pairs * (n_samples - 2)), seed=0)


def entropy(proba: ArrayLike, *, base: float = 2) -> NDArray[np.float64]:
    """Entropy of memberships: of points, shape (N, K), or of a grid, shape (rows, columns, K).

    Examples
    --------
    >>> entropy([[0.5, 0.5], [1.0, 0.0]])
    array([1., 0.])
    >>> entropy(np.full((2, 3, 4), 0.25))
    array([[2., 2., 2.],
           [2., 2., 2.]])
    """
    return entr(np.asarray(proba, dtype=float)).sum(axis=-1) / np.log(base)
