"""A model of the plane on a grid: what the maps under the points show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.arrays import FloatArray

Extent = tuple[float, float, float, float]
# Width of a picture of the plane over its height.
ASPECT = 1.12
# Share of the points' range that is left free on each side.
_MARGIN = 0.06
# Axes get the same scale, so that circles are round, unless one would have to be stretched more than this.
_MOST_STRETCH = 4.0


def plane_extent(points: NDArray[np.floating]) -> Extent:
    """Bounds (xmin, xmax, ymin, ymax) of a picture of these points: their range, a margin, equal scales if possible.

    Examples
    --------
    >>> np.round(plane_extent(np.array([[0.0, 0.0], [10.0, 4.0]])), 1)
    array([-0.6, 10.6, -3. ,  7. ])
    >>> np.round(plane_extent(np.array([[0.0, 0.0], [10.0, 100.0]])), 1)
    array([ -0.6,  10.6,  -6. , 106. ])
    """
    low, high = points.min(axis=0), points.max(axis=0)
    # A constant column still needs a picture with some height.
    size = np.where(high > low, (1 + 2 * _MARGIN) * (high - low), 1.0)
    stretched = np.maximum(size, size[::-1] * [ASPECT, 1 / ASPECT])
    if (stretched <= _MOST_STRETCH * size).all():
        size = stretched
    (xmin, ymin), (xmax, ymax) = ((low + high + sign * size) / 2 for sign in (-1, 1))
    return float(xmin), float(xmax), float(ymin), float(ymax)


def part_of(extent: Extent, window: Sequence[float]) -> Extent:
    """Return the bounds of a part of a picture; the window's bounds are shares of its width and height.

    Examples
    --------
    >>> part_of((0.0, 10.0, 20.0, 40.0), (0.5, 1, 0, 0.25))
    (5.0, 10.0, 20.0, 25.0)
    >>> part_of((0.0, 10.0, 20.0, 40.0), (0.5, 0.5, 0, 1))
    Traceback (most recent call last):
        ...
    ValueError: window must be (left, right, bottom, top) with 0 <= left < right <= 1 and the like, got (0.5, 0.5, 0, 1)
    """
    if len(window) != 4 or not all(0 <= low < high <= 1 for low, high in (window[:2], window[2:])):
        raise ValueError(
            f"window must be (left, right, bottom, top) with 0 <= left < right <= 1 and the like, got {tuple(window)}"
        )
    (left, right, bottom, top), (xmin, xmax, ymin, ymax) = window, extent
    width, height = xmax - xmin, ymax - ymin
    return xmin + left * width, xmin + right * width, ymin + bottom * height, ymin + top * height


def grid_axes(extent: Extent, resolution: int) -> tuple[FloatArray, FloatArray]:
    """Coordinates x of the columns' and y of the rows' centres when R x R cells fill the extent.

    Examples
    --------
    >>> grid_axes((0, 4, 0, 2), 2)
    (array([1., 3.]), array([0.5, 1.5]))
    """
    xmin, xmax, ymin, ymax = extent
    steps = (np.arange(resolution) + 0.5) / resolution
    return xmin + steps * (xmax - xmin), ymin + steps * (ymax - ymin)


def grid_points(extent: Extent, resolution: int) -> FloatArray:
    """Centres of R x R cells that fill the extent, row by row from the bottom, shape (R * R, 2).

    Examples
    --------
    >>> grid_points((0, 4, 0, 2), 2)
    array([[1. , 0.5],
           [3. , 0.5],
           [1. , 1.5],
           [3. , 1.5]])
    """
    return np.stack(np.meshgrid(*grid_axes(extent, resolution)), axis=-1).reshape(-1, 2)


@dataclass(frozen=True, eq=False)
class Surface:
    """P(y|x) on a grid of the plane; row 0 is the bottom, as for ``imshow(origin="lower")``.

    Parameters
    ----------
    extent : (xmin, xmax, ymin, ymax)
        Values belong to the centres of the grid's cells, and the cells fill the extent.
    regions : array of shape (R, R)
        Most probable cluster, in bytes for up to 256 clusters.
    entropy : uint8 array of shape (R, R)
        0 is certain, 255 is the largest entropy that K clusters can have, log K.
    margin : uint8 array of shape (R, R)
        Probability of the most probable cluster minus that of the next; 0 on a boundary.
    proba : uint8 array of shape (K, R, R)
        P(y = k | x); 255 is one.
    log_proba : float32 array of shape (K, R, R)
        log P(y = k | x), for boundaries that are finer than the grid.

    Examples
    --------
    >>> def left_or_right(X):
    ...     right = 1 / (1 + np.exp(-X[:, 0]))
    ...     return np.column_stack([1 - right, right])
    >>> surface = Surface.of(left_or_right, (-9, 9, 0, 1), resolution=3)
    >>> surface.regions[0], surface.entropy[0]
    (array([0, 0, 1], dtype=uint8), array([  6, 255,   6], dtype=uint8))
    """

    extent: Extent
    regions: NDArray[np.unsignedinteger]
    entropy: NDArray[np.uint8]
    margin: NDArray[np.uint8]
    proba: NDArray[np.uint8]
    log_proba: NDArray[np.float32]

    @classmethod
    def of(
        cls, predict_proba: Callable[[FloatArray], NDArray[np.floating]], extent: Extent, resolution: int = 150
    ) -> Surface:
        """Evaluate a model's `predict_proba`, which takes points of shape (n, 2), on a grid of R x R cells."""
        return cls.from_proba(np.ascontiguousarray(predict_proba(grid_points(extent, resolution)).T), extent)

    @classmethod
    def from_proba(cls, P: NDArray[np.floating], extent: Extent, log_P: NDArray[np.floating] | None = None) -> Surface:
        """Make a surface of P(y|x), and of log P(y|x) if known, at the points of :func:`grid_points`: (K, R * R)."""
        if log_P is None:
            log_P = np.log(np.maximum(P, np.finfo(np.float64).tiny))
        resolution = int(np.sqrt(P.shape[1]))
        shape = (resolution, resolution)
        best = P.argmax(axis=0)
        cells = np.arange(P.shape[1])
        others = P.copy()
        others[best, cells] = 0.0
        entropy = -np.einsum("kn,kn->n", P, log_P)  # log P is finite: a P of 0 adds nothing
        return cls(
            extent=extent,
            regions=best.astype(np.min_scalar_type(len(P) - 1)).reshape(shape),
            entropy=_as_bytes(entropy / np.log(len(P))).reshape(shape),
            margin=_as_bytes(P[best, cells] - others.max(axis=0)).reshape(shape),
            proba=_as_bytes(P).reshape(-1, *shape),
            log_proba=log_P.astype(np.float32).reshape(-1, *shape),
        )

    @cached_property
    def edge(self) -> NDArray[np.uint8]:
        """How far a cell's best cluster is ahead of the next, in bytes, shape (R, R): what boundaries are drawn from.

        Between two cells of different regions the boundary divides the way in the ratio of their values. It is
        measured in logits, which hardly bend from one cell to the next, where probabilities jump from 0 to 1.
        """
        others = self.log_proba.copy()
        np.put_along_axis(others, self.regions[np.newaxis].astype(np.intp), -np.inf, axis=0)
        ahead = self.log_proba.max(axis=0) - others.max(axis=0)
        across, up = (np.diff(self.regions, axis=axis) != 0 for axis in (1, 0))
        beside = np.zeros(ahead.shape, dtype=bool)
        for cells, border in ((beside[:, 1:], across), (beside[:, :-1], across), (beside[1:], up), (beside[:-1], up)):
            cells |= border
        return _as_bytes(ahead / max(float(ahead[beside].max(initial=0)), 1e-30))


def _as_bytes(shares: NDArray[np.floating]) -> NDArray[np.uint8]:
    return np.rint(255 * np.clip(shares, 0, 1)).astype(np.uint8)
