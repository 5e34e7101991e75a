"""One fitted model and everything a view draws of it, computed when asked for and then kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.arrays import FloatArray
from dcrc_explore.constraints import Answer, Pairs, Triplets, implied_answers
from dcrc_explore.information import entropy
from dcrc_explore.metrics import align_clusters, answer_table
from dcrc_explore.model.features import Features
from dcrc_explore.model.path import EMStep
from dcrc_explore.plane import Surface, View
from dcrc_explore.session.subject import Subject


@dataclass(frozen=True, eq=False)
class Objective:
    """The bound of Eq. (10) at the start of a fit and after each EM iteration, term by term.

    The terms carry their weights and signs, and `bound` is their sum. For hard answers (epsilon = 0) the answers'
    log-probability, minus infinity as soon as one answer has imperfect support, is left out: `satisfied` tells.

    Attributes
    ----------
    bound, answers, regulariser, separation, balance : ndarray of shape (n_iter + 1,)
    satisfied : ndarray of shape (n_iter + 1,)
        Expected number of satisfied answers.
    softened : int
        So many first entries were climbed with a smaller tau; all values are given for the full tau.
    converged : bool
    cycling : bool
        Whether a hard fit ended because an iteration went back instead of forward.
    """

    bound: FloatArray
    answers: FloatArray
    regulariser: FloatArray
    separation: FloatArray
    balance: FloatArray
    satisfied: FloatArray
    softened: int
    converged: bool
    cycling: bool

    def __len__(self) -> int:
        return len(self.bound)

    def terms(self) -> dict[str, FloatArray]:
        """Return the curves by name, the bound first."""
        return {name: getattr(self, name) for name in ("bound", "answers", "separation", "balance", "regulariser")}


# How a plane is asked for.
Plane = str | tuple[int | str, int | str] | View | None


class Heard(NamedTuple):
    """How the model hears one person.

    Attributes
    ----------
    matrix : ndarray of shape (3, 3)
        P(given | implied) of answers about triplets, in the order yes, no, dnk.
    right : float
        Probability that a yes or no about a pair is right.
    """

    matrix: FloatArray
    right: float


def pairs_violated(labels: NDArray[np.integer], pairs: Pairs) -> NDArray[np.bool_]:
    """Tell which answers about pairs the clusters contradict, Eq. (2); don't know never is.

    Examples
    --------
    >>> pairs_violated(np.array([0, 0, 1]), Pairs([(0, 1), (0, 1), (0, 2)], ["yes", "no", "dnk"]))
    array([False,  True, False])
    """
    first, second = labels[pairs.indices].T
    return (pairs.answers != Answer.DNK) & ((first == second) != (pairs.answers == Answer.YES))


class Gallery(NamedTuple):
    """What is in a cluster: row numbers of its points.

    Attributes
    ----------
    certain, doubtful : list of int
        Those with the largest and the smallest P(y|x), each first.
    mistaken : list of int
        Those whose true class is another, least certain first; empty when the truth is unknown.
    size : int
        How many points there are in all.
    """

    certain: list[int]
    doubtful: list[int]
    mistaken: list[int]
    size: int


class Fit:
    """A fitted model, or the model at one EM iteration of a fit; every property is computed once, on first use.

    Cluster numbers are aligned to those of the fit before. Entropies are in bits.

    Parameters
    ----------
    subject, features
        The data, and the same in the space in which the model is linear.
    triplets, pairs
        The answers that were there when it was fitted.
    step : EMStep
        The fit at this iteration.
    numbers : ndarray of shape (K,)
        Cluster k of the step is called ``numbers[k]`` here.

    Attributes
    ----------
    weights : Weights
    surface_seconds : float
        How long the last surface took.
    """

    def __init__(
        self,
        subject: Subject,
        features: Features,
        triplets: Triplets,
        pairs: Pairs,
        step: EMStep,
        numbers: NDArray[np.int64],
    ) -> None:
        self._subject, self._features, self._step = subject, features, step
        self._order = np.argsort(numbers)
        self.triplets, self.pairs, self.weights = triplets, pairs, step.weights.renumbered(numbers)
        self.surface_seconds = 0.0
        self._surfaces: dict[int, Surface | None] = {}

    @property
    def n_clusters(self) -> int:
        """K."""
        return len(self._order)

    @cached_property
    def proba(self) -> FloatArray:
        """P(y|x), shape (N, K)."""
        return self._step.proba.take(self._order, axis=1)

    @cached_property
    def posterior(self) -> FloatArray:
        """q(y) for points with answers, P(y|x) for the others, shape (N, K)."""
        return self._step.posterior.take(self._order, axis=1)

    @cached_property
    def labels(self) -> NDArray[np.int64]:
        """Most probable cluster of each point, shape (N,)."""
        return self.proba.argmax(axis=1)

    @cached_property
    def entropy(self) -> FloatArray:
        """Entropy of P(y|x) in bits, shape (N,); at most log2 K."""
        return entropy(self.proba)

    @cached_property
    def shares(self) -> FloatArray:
        """Share of points in each cluster, shape (K,)."""
        return np.bincount(self.labels, minlength=self.n_clusters) / len(self.labels)

    @cached_property
    def truth(self) -> NDArray[np.int64] | None:
        """True classes, each with the number of the cluster that it matches best, shape (N,); None when unknown."""
        y = self._subject.dataset.y
        if y is None:
            return None
        memberships = np.eye(self.n_clusters)[self.labels]
        return align_clusters(memberships, y)[y]

    @cached_property
    def implied(self) -> NDArray[np.int8]:
        """Answer implied by the labels for each triplet, Eq. (1), shape (M,)."""
        return implied_answers(self.labels, self.triplets.indices)

    @cached_property
    def violated(self) -> NDArray[np.bool_]:
        """Whether each answer differs from the one that the boundary implies, shape (M,)."""
        return self.implied != self.triplets.answers

    @cached_property
    def kept_by_q(self) -> NDArray[np.bool_]:
        """Whether the likeliest memberships under Q imply each answer, shape (M,): the line may not follow them."""
        return implied_answers(self.posterior.argmax(axis=1), self.triplets.indices) == self.triplets.answers

    @cached_property
    def pairs_violated(self) -> NDArray[np.bool_]:
        """Whether each answer about a pair differs from what the boundary says, shape (P,); dnk says nothing."""
        return pairs_violated(self.labels, self.pairs)

    @cached_property
    def pairs_kept_by_q(self) -> NDArray[np.bool_]:
        """Whether the likeliest memberships under Q keep each answer about a pair, shape (P,)."""
        return ~pairs_violated(self.posterior.argmax(axis=1), self.pairs)

    @cached_property
    def people(self) -> dict[str, Heard]:
        """How each person is heard, by name; empty when all are heard alike, by epsilon."""
        hearing = self._step.state.hearing
        if hearing is None:
            return {}
        right = hearing.pairs.own[:, 0, 0]
        each = zip(hearing.names, hearing.triplets.own, right.tolist(), strict=True)
        return {name: Heard(matrix, sure) for name, matrix, sure in each}

    @property
    def heard(self) -> tuple[FloatArray, FloatArray] | None:
        """Weights of each triplet's and each pair's answer that counts; None when all are heard alike."""
        hearing = self._step.state.hearing
        return None if hearing is None else hearing.weights()

    @cached_property
    def answer_table(self) -> NDArray[np.int64]:
        """Answers given (rows: yes, no, dnk) against answers implied (columns), shape (3, 3)."""
        return answer_table(self.triplets.answers, self.implied)

    def gallery(self, cluster: int, size: int = 12) -> Gallery:
        """Return the points of a cluster that are most certain, most doubtful, and of another class, up to `size`."""
        members = np.flatnonzero(self.labels == cluster)
        order = members[np.argsort(-self.proba[members, cluster], kind="stable")]
        wrong = [] if self.truth is None else [i for i in order[::-1].tolist() if self.truth[i] != cluster]
        doubtful = [i for i in order[::-1][:size].tolist() if i not in order[: size // 2]]
        return Gallery(order[:size].tolist(), doubtful, wrong[:size], len(members))

    def view(self, plane: Plane = None, last: View | None = None) -> View:
        """Return a plane in which the points are seen.

        Parameters
        ----------
        plane : {"pca", "model"}, pair of feature numbers or names, View or None
            None for the one that the session draws; a View is returned as it is.
        last : View, optional
            The plane before: the new one is turned so that the points stay near to where they were.
        """
        data = self._subject.dataset
        if plane is None:
            return self._subject.view
        if isinstance(plane, View):
            return plane
        if plane == "model":
            view = View.model(self._features.rows, self.weights)
        elif plane == "pca":
            view = View.pca(data.X)
        elif isinstance(plane, tuple):
            view = View.features(data.X, _numbers(plane, data.feature_names), data.feature_names)
        else:
            raise ValueError(f"plane must be 'pca', 'model' or a pair of features, got {plane!r}")
        return view if last is None else view.aligned(last)

    def views_beside(self, other: Fit, plane: Plane = None, last: View | None = None) -> tuple[View, View]:
        """Return one plane for two models of the same points, as each of them knows it; see :meth:`view`."""
        if plane != "model":
            view = self.view(plane, last)
            return view, view
        spaces = [fit._features.rows for fit in (self, other)]
        view = View.both((spaces[0], self.weights), (spaces[1], other.weights))
        view = view if last is None else view.aligned(last)
        widths = [space.shape[1] for space in spaces]
        return view.part(0, widths[0]), view.part(widths[0], widths[1])

    def surface(
        self, resolution: int = 150, view: View | None = None, window: Sequence[float] | None = None
    ) -> Surface | None:
        """Return the model on a grid of a plane, by default the session's; None where a map would not be true.

        Parameters
        ----------
        resolution : int
        view : View, optional
        window : (left, right, bottom, top), optional
            The part of the picture that is mapped, in shares of its width and height; by default all of it.
        """
        if view is None and self._subject.is_projected:
            return None
        if view is not None or window is not None:
            seen = self._subject.view if view is None else view
            return seen.surface(self.weights, self._features.map, resolution, window or (0, 1, 0, 1))
        if resolution not in self._surfaces:
            begin = perf_counter()
            self._surfaces[resolution] = self._subject.view.surface(self.weights, self._features.map, resolution)
            self.surface_seconds = perf_counter() - begin
        return self._surfaces[resolution]


def _numbers(pair: tuple[int | str, int | str], names: Sequence[str]) -> tuple[int, int]:
    """Find two features by their numbers or names."""
    for feature in pair:
        if isinstance(feature, str) and feature not in names:
            raise ValueError(f"a plane has two of the features {', '.join(names)}, got {feature!r}")
    across, up = (names.index(feature) if isinstance(feature, str) else int(feature) for feature in pair)
    return across, up
