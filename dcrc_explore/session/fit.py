"""One fitted model and everything a view draws of it, computed once when asked for, and how good fits were."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.constraints import Log, implied_answers
from dcrc_explore.information import entropy
from dcrc_explore.metrics import adjusted_rand, align_clusters, answer_table, matched_accuracy, nmi, pairwise_f
from dcrc_explore.model.features import Features
from dcrc_explore.model.path import EMStep
from dcrc_explore.plane import Surface, View
from dcrc_explore.session.state import Subject, clear_errors


@dataclass(frozen=True, eq=False)
class Objective:
    """The bound of Eq. (10) at the start of a fit and after each EM iteration, term by term.

    The terms carry their weights and signs, and `bound` is their sum. For hard answers (epsilon = 0) the
    log-probability of the answers is minus infinity as soon as one has imperfect support. It is left out, and
    `satisfied` takes its place.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> objective = Session("far", autosave=None).model.trace.objective
    >>> bool(objective.bound[-1] > objective.bound[0]), objective.converged
    (True, True)
    """

    # Shape (n_iter + 1,)
    bound: FloatArray
    answers: FloatArray
    regulariser: FloatArray
    separation: FloatArray
    balance: FloatArray
    satisfied: FloatArray  # shape (n_iter + 1,): expected number of satisfied answers
    softened: int  # number of first entries from a start with a smaller tau; all values are given for the full tau
    converged: bool
    cycling: bool  # whether the last iteration of a hard fit was worse than the one before

    def __len__(self) -> int:
        return len(self.bound)

    def terms(self) -> dict[str, FloatArray]:
        """Return the curves by name, the bound first."""
        return {name: getattr(self, name) for name in ("bound", "answers", "separation", "balance", "regulariser")}


# How a plane is asked for.
Plane = str | tuple[int | str, int | str] | View | None


class Noise(NamedTuple):
    """The noise model of one person."""

    matrix: FloatArray  # shape (3, 3): P(given | implied) of answers about triplets, in the order yes, no, dnk
    right: float  # probability that a yes or no about a pair is right


class Gallery(NamedTuple):
    """What is in a cluster: row numbers of its points."""

    # Those with the largest and the smallest P(y|x), each first
    certain: list[int]
    doubtful: list[int]
    mistaken: list[int]  # those whose true class is another, least certain first; empty when the truth is unknown
    size: int  # how many points there are in all


class Fit:
    """A fitted model, or the model at one EM iteration of a fit; every property is computed once, on first use.

    Cluster numbers are aligned to those of the fit before and, where they are known, to the true classes. Entropies are
    in bits.

    Parameters
    ----------
    subject, features
        The data, and the same in the space in which the model is linear.
    log : Log
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

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> session = Session("far", autosave=None)
    >>> _ = session.answer_by_oracle(20)
    >>> session.fit.labels.shape, int(session.fit.violated.sum())
    ((150,), 0)
    """

    def __init__(
        self,
        subject: Subject,
        features: Features,
        log: Log,
        step: EMStep,
        numbers: NDArray[np.int64],
    ) -> None:
        self._subject, self._features, self._step = subject, features, step
        self._order = np.argsort(numbers)
        self.log, self.weights = log, step.weights.renumbered(numbers)
        self.surface_seconds = 0.0
        self._surfaces: dict[int, Surface | None] = {}
        self._violations: tuple[Log, NDArray[np.bool_], NDArray[np.bool_]] | None = None

    @property
    def n_clusters(self) -> int:
        """The number of clusters, K."""
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

    @property
    def truth(self) -> NDArray[np.int64] | None:
        """True classes, shape (N,); None when unknown."""
        return self._subject.dataset.y

    @cached_property
    def violated(self) -> NDArray[np.bool_]:
        """Whether the boundary contradicts each answer, Eq. (1) and (2), shape (M,) in the order of the log."""
        return self.violations(self.log)[0]

    @cached_property
    def satisfied_by_q(self) -> NDArray[np.bool_]:
        """Whether the most probable memberships under Q agree with each answer, shape (M,); the boundary may not."""
        return ~self.violations(self.log)[1]

    def violations(self, log: Log) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return which answers, perhaps newer than the fit, the boundary contradicts, and which ones Q contradicts."""
        if self._violations is None or self._violations[0] is not log:
            self._violations = log, log.violated(self.labels), log.violated(self.posterior.argmax(axis=1))
        return self._violations[1:]

    @cached_property
    def people(self) -> dict[str, Noise]:
        """The noise model of each person, by name; empty when all share one, with epsilon."""
        noise = self._step.state.noise
        if noise is None or not any(noise.names):
            return {}
        right = noise.pairs.own[:, 0, 0]
        each = zip(noise.names, noise.triplets.own, right.tolist(), strict=True)
        return {name: Noise(matrix, sure) for name, matrix, sure in each}

    @property
    def learned_noise(self) -> Noise | None:
        """The noise model that people have in common, where it was learned."""
        noise = self._step.state.noise
        if noise is None or not noise.is_learned:
            return None
        return Noise(noise.triplets.common, float(noise.pairs.common[0, 0]))

    @property
    def forced(self) -> tuple[str, ...]:
        """People who seem forced to choose: they never said don't know, so some answers are taken for guesses."""
        noise = self._step.state.noise
        if noise is None:
            return ()
        return noise.forced_names if any(noise.names) else tuple(self.log.names if noise.is_forced else ())

    @property
    def answer_weights(self) -> tuple[FloatArray, FloatArray] | None:
        """Weights of each answer that is used, about triplets and pairs; None when all share one noise model."""
        noise = self._step.state.noise
        return None if noise is None else noise.weights()

    @cached_property
    def answer_table(self) -> NDArray[np.int64]:
        """Answers about three points given (rows: yes, no, dnk) against those implied (columns), shape (3, 3)."""
        triplets = self.log.triplets
        return answer_table(triplets.answers, implied_answers(self.labels, triplets))

    def gallery(self, cluster: int, size: int = 12) -> Gallery:
        """Return the points of a cluster that are most certain, most doubtful, and of another class, up to `size`."""
        members = np.flatnonzero(self.labels == cluster)
        order = members[np.argsort(-self.proba[members, cluster], kind="stable")]
        wrong: list[int] = []
        if self.truth is not None:
            meant = align_clusters(np.eye(self.n_clusters)[self.labels], self.truth)[self.truth]
            wrong = [i for i in order[::-1].tolist() if meant[i] != cluster]
        doubtful = [i for i in order[::-1][:size].tolist() if i not in order[: size // 2]]
        return Gallery(order[:size].tolist(), doubtful, wrong[:size], len(members))

    def view(self, plane: Plane = None, last: View | None = None) -> View:
        """Return a plane in which the points are seen, whatever the number of features.

        Parameters
        ----------
        plane : {"pca", "model"}, pair of features, View or None
            "pca": the first two principal components. "model": the plane that separates the current clusters, with
            boundaries and maps that are exact for up to three clusters. Two features, by number or by name. None: the
            default of a session, which is the data if they have two features, otherwise the principal components. A
            View is returned as it is.
        last : View, optional
            A plane from before: the new one is turned so that the points stay near to where they were.

        Returns
        -------
        View
            Its `points` are where the points lie, :meth:`surface` has the map under them, and
            ``session.figure(plane=...)`` draws both.

        Examples
        --------
        >>> from dcrc_explore.session import Session
        >>> fit = Session("iris", autosave=None).fit
        >>> view = fit.view("model")
        >>> view.points.shape, view.is_exact
        ((150, 2), True)
        >>> fit.view((0, 2)).axes
        ('sepal length (cm)', 'petal length (cm)')
        """
        with clear_errors():
            return self._view(plane, last)

    def _view(self, plane: Plane, last: View | None) -> View:
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
        """Return the model on a grid of a plane, by default the session's; None where a map would be wrong.

        Parameters
        ----------
        resolution : int, default=150
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


class Quality(NamedTuple):
    """Agreement of a fit with the truth after `n_answers` answers.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> Session("far", autosave=None).model.quality[0].ari
    1.0
    """

    n_answers: int
    pairwise_f: float
    ari: float
    nmi: float
    accuracy: float


# What each measure is called, wherever it is seen: "agreement" alone is the adjusted Rand index.
MEASURES = {"agreement": "ari", "F": "pairwise_f", "NMI": "nmi", "accuracy": "accuracy"}


class QualityLog:
    """Measures fits when someone asks for it, so that an answer need not wait.

    Parameters
    ----------
    subject : Subject
    known : iterable of Quality, default=()
        What is known already about fits to its data.
    """

    def __init__(self, subject: Subject, known: Iterable[Quality] = ()) -> None:
        self._known: dict[Subject, list[Quality]] = defaultdict(list)
        self._known[subject] += known
        self._waiting: list[tuple[Subject, int, IntArray]] = []

    def add(self, subject: Subject, n_answers: int, labels: IntArray) -> None:
        """Take note of a fit; a later one with as many answers takes its place."""
        y = subject.dataset.y
        if y is not None:
            # How many points of each class are in each cluster: all that the measures need, however many points.
            K = int(labels.max()) + 1
            table = np.bincount(y * K + labels, minlength=(int(y.max()) + 1) * K).reshape(-1, K)
            self._waiting.append((subject, n_answers, table))

    def measured(self, subject: Subject) -> list[Quality]:
        """Return what is known without any work, in the order in which it was measured."""
        return self._known[subject]

    def until(self, subject: Subject, n_answers: int) -> list[Quality]:
        """Return the quality of the fits to these data with at most as many answers."""
        for waiting, n, table in self._waiting:
            classes, clusters = np.indices(table.shape)
            y, labels = np.repeat(classes, table.ravel()), np.repeat(clusters, table.ravel())
            measures = pairwise_f(y, labels), adjusted_rand(y, labels), nmi(y, labels), matched_accuracy(y, labels)
            self._known[waiting].append(Quality(n, *measures))
        self._waiting.clear()
        known = {quality.n_answers: quality for quality in self._known[subject]}
        return [known[n] for n in sorted(known) if n <= n_answers]
