"""Items in the plane: images where there is room, as maps do with names."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.offsetbox import AnnotationBbox, OffsetImage
from numpy.typing import ArrayLike, NDArray

from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.palette import cluster_colour
from dcrc_explore.plotting import style

_SIDE = 0.3  # inches of an item with its frame
_COVERED = 3  # other points that an item may lie under
_FIGURE_SIZE = (5.6, 5.0)


def find_room(points: ArrayLike, extent: ArrayLike, size: tuple[float, float], side: float = _SIDE) -> IntArray:
    """Return the rows of the points whose items find room: none overlap, and each covers at most three other points.

    The picture and an item's side are measured in inches.

    Examples
    --------
    >>> find_room([(0, 0), (0.1, 0), (9, 9)], (-1, 10, -1, 10), (5, 5)).tolist()
    [0, 2]
    """
    low, high = np.asarray(extent, dtype=float).reshape(2, 2).T
    places = (np.asarray(points, dtype=float) - low) / (high - low) * size
    taken = np.empty((0, 2))
    rows = []
    # Everybody has the same chance, and the first of all the first choice.
    for i in [0, *(1 + np.random.default_rng(0).permutation(len(places) - 1)).tolist()]:
        near = np.abs(places - places[i]).max(axis=1) < side / 2
        if near.sum() <= _COVERED + 1 and (np.abs(taken - places[i]).max(axis=1) >= 1.1 * side).all():
            taken = np.vstack([taken, places[i]])
            rows.append(i)
    return np.sort(np.array(rows, dtype=np.int64))


def beside_items(points: ArrayLike, rows: IntArray, extent: ArrayLike, size: tuple[float, float]) -> FloatArray:
    """Return where dots go: those of the points with an item to its lower right corner.

    Examples
    --------
    >>> beside_items([(0.0, 0.0), (5.0, 5.0)], [1], (0, 10, 0, 10), (5, 5)).round(2).tolist()
    [[0.0, 0.0], [5.3, 4.7]]
    """
    low, high = np.asarray(extent, dtype=float).reshape(2, 2).T
    moved = np.array(points, dtype=float)
    moved[rows] += (high - low) / size * [_SIDE / 2, -_SIDE / 2]
    return moved


def plot_items(
    points: ArrayLike,
    labels: ArrayLike,
    rows: ArrayLike,
    tile: Callable[[int], NDArray[np.uint8]],
    *,
    ax: Axes | None = None,
) -> list[AnnotationBbox]:
    """Draw the items of some rows as `tile` gives them, framed in the colour of their cluster.

    Examples
    --------
    >>> len(plot_items([(0, 0), (1, 1)], [0, 1], [1], lambda i: np.zeros((8, 8, 3), dtype=np.uint8)))
    1
    """
    ax = style.axes(ax, _FIGURE_SIZE)
    places, clusters = np.asarray(points, dtype=float), np.asarray(labels)
    artists: list[AnnotationBbox] = []
    for i in np.asarray(rows).tolist():
        pixels = tile(i)
        # A point of the paper is a 72nd of an inch, and the frame takes its part of the item.
        image = OffsetImage(pixels, zoom=72 * (_SIDE - 0.04) / len(pixels), dpi_cor=True)
        frame = {"edgecolor": cluster_colour(int(clusters[i])), "facecolor": "white", "linewidth": 1.4}
        box = AnnotationBbox(image, places[i], pad=0.1, frameon=True, bboxprops=frame, zorder=2.9)
        box.set_in_layout(False)
        ax.add_artist(box)
        artists.append(box)
    return artists
