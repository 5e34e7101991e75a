"""Two models of the same points and the same answers: where they disagree, and on which answers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dcrc_explore.arrays import FloatArray
from dcrc_explore.constraints import Answer, Log, Triplets, as_log
from dcrc_explore.information import entropy
from dcrc_explore.metrics import align_clusters
from dcrc_explore.plane import Extent, Surface


@dataclass(frozen=True)
class Dispute:
    """An answer that one model satisfies and the other violates."""

    index: int  # number of the answer
    points: tuple[int, ...]  # three, or two
    given: Answer
    implied: tuple[Answer, Answer]  # what the first and the second model imply, Eq. (1) and (2)


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two models side by side; the second's clusters are numbered like the first's.

    Examples
    --------
    >>> both = compare([[0.9, 0.1], [0.6, 0.4]], [[0.9, 0.1], [0.4, 0.6]])
    >>> both.changed, both.labels[1]
    (array([False,  True]), array([0, 1]))
    """

    # Shape (N, K): P(y|x) of the two models
    first: FloatArray
    second: FloatArray
    log: Log  # the answers, given to both
    numbers: NDArray[np.int64]  # shape (K,): cluster k of the second model was renamed to numbers[k]

    @cached_property
    def labels(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Most probable clusters under the two models."""
        return self.first.argmax(axis=1), self.second.argmax(axis=1)

    @cached_property
    def changed(self) -> NDArray[np.bool_]:
        """Whether a point belongs to different clusters."""
        return self.labels[0] != self.labels[1]

    @cached_property
    def entropy_difference(self) -> FloatArray:
        """Entropy of P(y|x) in bits, second minus first: positive where the second model is less certain."""
        return entropy(self.second) - entropy(self.first)

    @cached_property
    def satisfied(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which answers the two models satisfy."""
        one, other = (~self.log.violated(labels) for labels in self.labels)
        return one, other

    @cached_property
    def disputes(self) -> list[Dispute]:
        """The answers on which the models differ."""
        first, second = (self.log.implied(labels).tolist() for labels in self.labels)
        return [
            Dispute(t, self.log[t].points, self.log[t].answer, (Answer(first[t]), Answer(second[t])))
            for t in np.flatnonzero(self.satisfied[0] != self.satisfied[1]).tolist()
        ]


def compare(first: ArrayLike, second: ArrayLike, answered: Log | Triplets | None = None) -> Comparison:
    """Compare two models by their P(y|x) of the same points.

    Parameters
    ----------
    first, second : array-like of shape (N, K)
        ``predict_proba(X)`` of the two models.
    answered : Log or Triplets, optional
        The answers, given to both.

    Examples
    --------
    >>> soft = [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]]
    >>> hard = [[0.0, 1.0], [1.0, 0.0], [1.0, 0.0]]
    >>> both = compare(soft, hard, Triplets([(0, 1, 2)], ["yes"]))
    >>> both.changed, both.disputes[0].implied
    (array([False,  True, False]), (<Answer.YES: 1>, <Answer.DNK: 0>))
    """
    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if first.ndim != 2 or second.ndim != 2 or len(first) != len(second):
        raise ValueError(
            f"both models must give probabilities of the same N points, shape (N, K), got {first.shape} "
            f"and {second.shape}"
        )
    numbers = align_clusters(first, second)
    renamed = np.zeros((len(second), max(first.shape[1], numbers.max() + 1)))
    renamed[:, numbers] = second
    return Comparison(first, renamed, as_log(answered), numbers)


@dataclass(frozen=True, eq=False)
class Disagreement:
    """Where in the plane two models disagree; row 0 is the bottom, as in :class:`~dcrc_explore.plane.Surface`."""

    extent: Extent  # (xmin, xmax, ymin, ymax)
    # Shape (R, R): entropy of P(y|x) in bits, second minus first: positive where the second model is less certain
    entropy_difference: NDArray[np.float32]
    changed: NDArray[np.bool_]  # shape (R, R): whether the most probable clusters differ


def disagreement(first: Surface, second: Surface) -> Disagreement:
    """Compare two models of the plane whose clusters have the same numbers.

    Examples
    --------
    >>> def halves(X):
    ...     return np.column_stack([X[:, 0] < 1, X[:, 0] >= 1]).astype(float)
    >>> def unsure(X):
    ...     return np.full((len(X), 2), 0.5)
    >>> models = [Surface.of(model, (0, 2, 0, 1), resolution=2) for model in (halves, unsure)]
    >>> apart = disagreement(*models)
    >>> apart.entropy_difference[0], apart.changed[0]
    (array([1., 1.], dtype=float32), array([False,  True]))
    """
    if first.regions.shape != second.regions.shape or first.extent != second.extent:
        raise ValueError(
            f"both models must be given on the same grid, got shapes {first.regions.shape} and {second.regions.shape}, "
            f"extents {first.extent} and {second.extent}"
        )
    bits = [surface.entropy.astype(np.float32) / 255 * np.log2(len(surface.proba)) for surface in (first, second)]
    difference = (bits[1] - bits[0]).astype(np.float32)
    return Disagreement(first.extent, difference, first.regions != second.regions)
