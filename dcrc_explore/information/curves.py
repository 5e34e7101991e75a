"""The information curves of a model: by answers, and by the number of clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import entr

from dcrc_explore.annotators import error_matrix
from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.information.expectation import Past, expected_answers, random_worth, surprises_at
from dcrc_explore.information.formulas import as_unequal, expected_relative_information, information_curves
from dcrc_explore.model.noise import pair_accuracy
from dcrc_explore.words import count

_MOST_CLUSTERS = 13  # of the paper's Figure 2
_SLIGHT = 0.005  # bits that are not worth a word
_ABOUT_ANSWERS = (
    "The worth of a question is what its answer is expected to tell about the memberships of its points. The surprise "
    "of an answer is larger, the less the model expected it."
)


class Left(NamedTuple):
    """Uncertainty that is left after `n_answers` answers, in bits: of points that were asked about, and of the others.

    Examples
    --------
    >>> Left(2, 5, 10.0, 30.0).total
    40.0
    """

    n_answers: int
    n_asked: int
    asked: float
    others: float

    @property
    def total(self) -> float:
        """Uncertainty of all points."""
        return self.asked + self.others


@dataclass(frozen=True, eq=False)
class AnswerCurves:
    """What questions were worth when they were asked, how far their answers surprised, and what is left to learn.

    The definitions are those of :mod:`dcrc_explore.information`. Curves have M + 1 values: before the first answer, and
    after each.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> session = Session("close", autosave=None)
    >>> _ = session.answer_by_oracle(20)
    >>> curves = session.model.answer_curves
    >>> len(curves.worth), bool(curves.worth[-1] > curves.random[-1])
    (21, True)
    """

    # Shape (M, 5): of the model before each answer: P(yes), P(no), P(dnk), the worth of the question, and the mean
    # worth of random ones; nan where the model before is not known
    expected: FloatArray
    answers: NDArray[np.int8]  # shape (M,)
    is_pair: NDArray[np.bool_]  # shape (M,): which questions are about two points
    left: Sequence[Left]  # after some numbers of answers
    n_points: int

    def __len__(self) -> int:
        return len(self.answers)

    @cached_property
    def surprises(self) -> FloatArray:
        """Surprise of the model at each answer, shape (M,); infinite for what it held impossible, nan if unknown."""
        return surprises_at(self.expected, self.is_pair, self.answers)

    @property
    def worth(self) -> FloatArray:
        """Worth of the questions so far."""
        return _added(self.expected[:, 3])

    @property
    def random(self) -> FloatArray:
        """Worth of as many random questions to the same models."""
        return _added(self.expected[:, 4])

    @property
    def surprise(self) -> FloatArray:
        """Surprise of the answers so far, without those that were held impossible."""
        return _added(self.surprises)

    @property
    def expected_surprise(self) -> FloatArray:
        """Surprise that the models expected: the worth and the noise."""
        return _added(entr(self.expected[:, :3]).sum(axis=1) / np.log(2))

    @property
    def impossible(self) -> IntArray:
        """Numbers of the answers that a hard model held impossible."""
        return np.flatnonzero(np.isposinf(self.surprises))

    @property
    def unknown(self) -> int:
        """How many answers have no known model before them."""
        return int(np.isnan(self.expected[:, 3]).sum())

    def curves(self) -> dict[str, FloatArray]:
        """Return the curves by name, as they are drawn."""
        return {"surprise": self.surprise, "worth": self.worth, "random": self.random}

    def first(self, n: int) -> AnswerCurves:
        """Return the curves as they were after `n` answers."""
        left = [each for each in self.left if each.n_answers <= n]
        return AnswerCurves(self.expected[:n], self.answers[:n], self.is_pair[:n], left, self.n_points)

    def words(self) -> list[str]:
        """Say what the curves show, in a few sentences."""
        n, sentences = len(self), []
        if n:
            worth, random = self.worth[-1], self.random[-1]
            one = n == 1
            sentences.append(
                f"{count(n, 'question')} {'was' if one else 'were'} worth {worth:.1f} bit when asked. "
                f"{'A random question' if one else f'{n} random questions'} would have been worth {random:.1f} bit."
            )
            expected = self.expected_surprise[-1]
            sentences.append(
                f"The {'answer' if one else 'answers'} surprised the model by {self.surprise[-1]:.1f} bit. It expected "
                f"{expected:.1f} bit: {worth:.1f} bit of information and {max(expected - worth, 0):.1f} bit of noise."
            )
        if len(self.impossible):
            what = count(len(self.impossible), "answer")
            sentences.append(f"The model held {what} impossible: such a surprise is infinite, marked, and not added.")
        if self.unknown:
            sentences.append(
                f"What {count(self.unknown, 'earlier answer')} showed is not known: nothing is added for them."
            )
        if self.left:
            last, begin = self.left[-1], self.left[0]
            when = f"after {count(begin.n_answers, 'answer')}" if begin.n_answers else "before the first answer"
            start = "" if begin is last else f" It was {begin.total:.1f} bit {when}."
            part = f", {last.asked:.1f} bit of it in the {last.n_asked} that were asked about" if n else ""
            sentences.append(f"{last.total:.1f} bit of uncertainty are left in {self.n_points} points{part}.{start}")
        return [*sentences, _ABOUT_ANSWERS]


def _added(bits: FloatArray) -> FloatArray:
    return np.append(0.0, np.where(np.isfinite(bits), bits, 0).cumsum())


def expected_rows(
    belief: FloatArray, points: IntArray, epsilon: float, *, past: Past | None = None, use_dnk: bool = True
) -> FloatArray:
    """Return the rows of :class:`AnswerCurves` for questions that one model was asked, shape (M, 5).

    Examples
    --------
    >>> expected_rows(np.full((4, 2), 0.5), np.array([(0, 1, 2)]), 0.0)
    array([[0.25, 0.25, 0.5 , 1.5 , 1.5 ]])
    """
    pair, random = points[:, 2] < 0, np.empty(len(points))
    for n_points, asked in ((3, ~pair), (2, pair)):
        if asked.any():
            random[asked] = random_worth(belief, epsilon, n_points=n_points, use_dnk=use_dnk)
    return np.column_stack([expected_answers(belief, points, epsilon, past=past, use_dnk=use_dnk), random])


@dataclass(frozen=True, eq=False)
class ClusterCurves:
    """What an answer is worth over K: to an ideal model, and to one with these clusters and this noise.

    Attributes
    ----------
    n_clusters : int
        The model's K.

    Examples
    --------
    >>> ClusterCurves([0.6, 0.3, 0.1], epsilon=0.05).cost
    'Unequal clusters and 5 % errors cost 0.33 bit per answer: it is worth 1.11 bit, not 1.44.'
    """

    shares: ArrayLike  # shape (K,): shares of the model's clusters
    epsilon: float = 0.0  # probability that people err, Table I
    confusion: FloatArray | None = None  # shape (3, 3): how they err, if that was learned
    right: float | None = None  # how often answers about pairs are right; by default what epsilon says
    use_dnk: bool = True  # whether the model uses don't know
    max_clusters: int = _MOST_CLUSTERS  # largest K

    @property
    def n_clusters(self) -> int:
        """The model's K."""
        return np.size(self.shares)

    @property
    def clusters(self) -> IntArray:
        """Values of K, from 2 on."""
        return np.arange(2, max(self.max_clusters, self.n_clusters) + 1)

    @cached_property
    def ideal(self) -> dict[str, FloatArray]:
        """Eqs. (3) to (5): equal clusters and no errors."""
        return information_curves(self.clusters)

    @cached_property
    def model(self) -> dict[str, FloatArray]:
        """The same curves for the model's shares and noise."""
        right = pair_accuracy(self.epsilon) if self.right is None else self.right
        return information_curves(
            self.clusters,
            shares=self.shares,
            confusion=self._confusion,
            pair_confusion=[[right, 1 - right], [1 - right, right]],
            use_dnk=self.use_dnk,
        )

    @property
    def _confusion(self) -> FloatArray:
        return error_matrix(self.epsilon) if self.confusion is None else self.confusion

    @property
    def cost(self) -> str:
        """How far the model is from the ideal, in a sentence."""
        at = self.n_clusters - 2
        ideal, model = float(self.ideal["1 triplet"][at]), float(self.model["1 triplet"][at])
        equal = np.full(self.n_clusters, 1 / self.n_clusters)
        with_shares = expected_relative_information(as_unequal(self.shares, self.n_clusters))
        with_noise = expected_relative_information(equal, confusion=self._confusion)
        errors = f"{100 * self.epsilon:.3g} % errors" if self.confusion is None else "the errors that people make"
        causes = [
            *(["unequal clusters"] if abs(ideal - with_shares) > _SLIGHT else []),
            *([errors] if ideal - with_noise > _SLIGHT else []),
            *([] if self.use_dnk else ["ignoring don't know"]),
        ]
        if not causes:
            return f"This model reaches the ideal of equal clusters and no errors: {model:.2f} bit per answer."
        *others, last = causes
        because = f"{', '.join(others)} and {last}" if others else last
        verb = "costs" if causes == ["ignoring don't know"] else "cost"
        if model > ideal + _SLIGHT:
            gain = f"{because.capitalize()} make an answer worth {model - ideal:.2f} bit more"
            return f"{gain}: {model:.2f} bit, not {ideal:.2f}."
        change = f"{because[0].upper()}{because[1:]} {verb} {ideal - model:.2f} bit per answer"
        return f"{change}: it is worth {model:.2f} bit, not {ideal:.2f}."

    def words(self) -> list[str]:
        """Say what the curves show, in a few sentences."""
        K, at = self.n_clusters, self.n_clusters - 2
        ideal = {name: float(values[at]) for name, values in self.ideal.items()}
        lost = ideal["1 triplet"] - ideal["yes/no only"]
        more = ideal["2 triplets"] > ideal["3 pairs"] + _SLIGHT
        return [
            self.cost,
            f"The pale curves are the ideal of Eqs. (3) to (5). With K = {K} clusters of equal size and no errors, "
            f"an answer about three points is worth {ideal['1 triplet']:.2f} bit, and one about a pair "
            f"{ideal['1 pair']:.2f} bit.",
            "Why they differ: a pair has two answers, so it is worth at most 1 bit. A triplet has three answers, so it "
            "can be worth up to 1.58 bit.",
            f"Without “don't know” an answer about three points is worth {ideal['yes/no only']:.2f} bit. The other "
            f"{lost:.2f} bit come from “don't know”, which excludes what a yes or a no would claim.",
            f"Two triplets ({ideal['2 triplets']:.2f} bit) and three pairs ({ideal['3 pairs']:.2f} bit) show six "
            f"points each. {'The triplets are worth more.' if more else 'They are worth the same.'}",
            "The ideal falls with K: with many clusters most questions have the same answer, “don't know” or “apart”.",
        ]
