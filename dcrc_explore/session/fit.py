"""One fitted model and everything a view draws of it, computed when asked for and then kept."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.arrays import FloatArray
from dcrc_explore.constraints import Triplets, implied_answers
from dcrc_explore.information import entropy
from dcrc_explore.metrics import align_clusters, answer_table
from dcrc_explore.model.softmax import normalise
from dcrc_explore.model.threads import one_thread
from dcrc_explore.plane import Surface
from dcrc_explore.session.features import Features
from dcrc_explore.session.subject import Subject


@dataclass(frozen=True, eq=False)
class Weights:
    """W of Eq. (6): `coef` of shape (K, n_features of the kernel's space) and `intercept` of shape (K,)."""

    coef: FloatArray
    intercept: FloatArray

    def proba(self, features: Features) -> FloatArray:
        """P(y|x; W) of the points, Eq. (6), shape (N, K)."""
        with one_thread():
            logits = self.coef @ features.points.T
        return np.ascontiguousarray(self._softmax(logits).T)

    def proba_on_grid(self, features: Features, resolution: int) -> FloatArray:
        """P(y|x; W) on a grid of R x R cells of the plane, shape (K, R * R)."""
        with one_thread():
            logits = features.on_grid(self.coef, resolution)
        return self._softmax(logits)

    def _softmax(self, logits: FloatArray) -> FloatArray:
        P = np.empty_like(logits)
        logits += self.intercept[:, None]
        normalise(logits, P)
        return P

    def renumbered(self, numbers: NDArray[np.int64]) -> Weights:
        """Call cluster k ``numbers[k]``."""
        order = np.argsort(numbers)
        return Weights(self.coef[order], self.intercept[order])


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


class Fit:
    """A fitted model, or the model at one EM iteration of a fit; every property is computed once, on first use.

    Cluster numbers are aligned to those of the fit before. Entropies are in bits.

    Attributes
    ----------
    weights : Weights
    posterior : ndarray of shape (N, K)
        q(y) for points with answers, P(y|x) for the others.
    triplets : Triplets
        The answers that were there when it was fitted.
    surface_seconds : float
        How long the last surface took.
    """

    def __init__(
        self, subject: Subject, features: Features, triplets: Triplets, weights: Weights, posterior: FloatArray
    ) -> None:
        self._subject, self._features = subject, features
        self.triplets, self.weights, self.posterior = triplets, weights, posterior
        self.surface_seconds = 0.0
        self._surfaces: dict[int, Surface] = {}

    @property
    def n_clusters(self) -> int:
        """K."""
        return len(self.weights.intercept)

    @cached_property
    def proba(self) -> FloatArray:
        """P(y|x), shape (N, K)."""
        return self.weights.proba(self._features)

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
        """Whether each answer differs from the implied one, shape (M,)."""
        return self.implied != self.triplets.answers

    @cached_property
    def answer_table(self) -> NDArray[np.int64]:
        """Answers given (rows: yes, no, dnk) against answers implied (columns), shape (3, 3)."""
        return answer_table(self.triplets.answers, self.implied)

    def surface(self, resolution: int = 150) -> Surface | None:
        """Return the model on a grid of the plane; None when the data has not two features."""
        if self._subject.is_projected:
            return None
        if resolution not in self._surfaces:
            begin = perf_counter()
            P = self.weights.proba_on_grid(self._features, resolution)
            self._surfaces[resolution] = Surface.from_proba(P, self._subject.extent)
            self.surface_seconds = perf_counter() - begin
        return self._surfaces[resolution]
