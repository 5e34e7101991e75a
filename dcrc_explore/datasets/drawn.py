"""Points drawn by hand: what a stroke makes of them, and how they fit into a link."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import ArrayLike

from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.datasets.dataset import Dataset
from dcrc_explore.words import count

NAME = "drawing"
MOST_POINTS = 2000
MOST_CLASSES = 8  # that a person draws; points that were there may have more
FRAME = (-5.6, 5.6, -5.0, 5.0)  # of an empty plane: of the shape of the picture, clusters have a spread of about 1
_LARGEST = 1e9  # of a coordinate
# A place in a link has two digits for each coordinate.
_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_STEPS = len(_DIGITS) ** 2 - 1


@dataclass(frozen=True, eq=False)
class Drawing:
    """What is known of points that were drawn, besides their places."""

    classes: IntArray  # shape (N,): the brush with which each was drawn, from 0 on
    # (left, right, bottom, top): the picture that was drawn in: it stays while points come and go
    frame: tuple[float, float, float, float] = FRAME
    is_truth: bool = True  # whether the classes are the truth; if not, there is none

    def dataset(self, places: ArrayLike) -> Dataset:
        """Return the data of points at these places, shape (N, 2).

        Examples
        --------
        >>> Drawing(np.array([0, 2])).dataset([[0, 0], [1, 1]])
        Dataset('drawing', 2 points, 2 features, 2 classes)
        """
        shown, y = np.unique(self.classes, return_inverse=True)
        X = np.asarray(places, dtype=float).reshape(-1, 2)
        about = f"{count(len(X), 'point')} drawn by hand"
        names = tuple(str(k + 1) for k in shown) if self.is_truth else ()
        return Dataset(X, y if self.is_truth else None, NAME, class_names=names, description=about, drawing=self)


def drawing_of(dataset: Dataset, frame: tuple[float, float, float, float]) -> Drawing:
    """Return what can be drawn on: a drawing as it is, other points with their classes, in the picture that shows them.

    Examples
    --------
    >>> from dcrc_explore.datasets import load_dataset
    >>> drawing_of(load_dataset("digits"), FRAME)
    Traceback (most recent call last):
        ...
    ValueError: only points of two features can be drawn on, these have 64: begin with an empty plane
    """
    if dataset.drawing is not None:
        return dataset.drawing
    N, n_features = dataset.X.shape
    if n_features != 2 or dataset.cards.kind != "rows":
        raise ValueError(
            f"only points of two features can be drawn on, these have {n_features}: begin with an empty plane"
        )
    if N > MOST_POINTS:
        raise ValueError(f"at most {MOST_POINTS} points can be drawn on, got {N}: begin with an empty plane")
    return Drawing(np.zeros(N, dtype=np.int64) if dataset.y is None else dataset.y, frame, dataset.y is not None)


def changed_points(
    places: FloatArray,
    classes: IntArray,
    *,
    erased: Sequence[int] = (),
    moved: Mapping[int, Sequence[float]] | None = None,
    added: ArrayLike = (),
    brushes: ArrayLike = 0,
) -> tuple[FloatArray, IntArray, IntArray]:
    """Return the places and classes of points after a stroke, and the new row of each old point, -1 for none.

    A stroke erases rows, moves others, and adds points with the classes `brushes`, which come last.

    Examples
    --------
    >>> points, classes, rows = changed_points(np.eye(2), np.array([0, 1]), erased=[0], added=[[5, 5]])
    >>> points.tolist(), classes.tolist(), rows.tolist()
    ([[0.0, 1.0], [5.0, 5.0]], [1, 0], [-1, 0])
    """
    N, moved = len(places), moved or {}
    touched = [*erased, *moved]
    if any(isinstance(i, bool) or not isinstance(i, int | np.integer) or not 0 <= i < N for i in touched):
        raise ValueError(f"rows of drawn points must be whole numbers from 0 to {N - 1}, got {touched[:20]}")
    new = np.asarray(added, dtype=float).reshape(-1, 2) if np.size(added) else np.empty((0, 2))
    to = np.asarray(list(moved.values()), dtype=float).reshape(-1, 2)
    if not (np.abs(np.vstack([new, to])) <= _LARGEST).all():
        raise ValueError(f"drawn points must lie between {-_LARGEST:g} and {_LARGEST:g}")
    brush = np.broadcast_to(np.asarray(brushes), len(new))
    if brush.size and (brush.dtype.kind not in "iu" or brush.min() < 0 or brush.max() >= MOST_CLASSES):
        raise ValueError(f"classes of drawn points must be whole numbers from 0 to {MOST_CLASSES - 1}, got {brush[:5]}")
    stays = np.ones(N, dtype=bool)
    stays[list(erased)] = False
    after = places.copy()
    after[list(moved)] = to
    n_after = int(stays.sum()) + len(new)
    if n_after > MOST_POINTS:
        raise ValueError(f"a drawing may have at most {MOST_POINTS} points, got {n_after}: erase some first")
    if n_after < 2:
        raise ValueError("a model needs at least two points: draw more, or take the last step back")
    rows = np.where(stays, np.cumsum(stays) - 1, -1)
    return np.vstack([after[stays], new]), np.append(classes[stays], brush.astype(np.int64)), rows


def as_text(dataset: Dataset) -> str:
    """Return a drawing as text for a link, with places of 4096 steps across and up.

    Examples
    --------
    >>> as_text(Drawing(np.array([0, 0, 1])).dataset([[-5.6, -5], [0, 0], [5.6, 5]]))
    '-5.6,5.6,-5,5;t;1AAAAgAgA;2____'
    """
    drawing = dataset.drawing
    assert drawing is not None
    low, size = _sides(drawing.frame)
    steps = np.rint(np.clip((dataset.X - low) / size, 0, 1) * _STEPS).astype(int)
    written = ["".join(_DIGITS[v // 64] + _DIGITS[v % 64] for v in place) for place in steps.tolist()]
    runs = groupby(zip(drawing.classes.tolist(), written, strict=True), key=lambda each: each[0])
    parts = [str(k + 1) + "".join(place for _, place in run) for k, run in runs]
    return ";".join([",".join(f"{edge:g}" for edge in drawing.frame), "t" if drawing.is_truth else "f", *parts])


def from_text(text: str) -> Dataset:
    """Return the drawing that :func:`as_text` wrote; ValueError for any other text.

    Examples
    --------
    >>> from_text("-5.6,5.6,-5,5;t;1AAAAgAgA;2____").X.round(2).tolist()
    [[-5.6, -5.0], [0.0, 0.0], [5.6, 5.0]]
    """
    number = r"-?\d{1,7}(?:\.\d{1,9})?(?:e[+-]\d\d)?"
    runs = rf"[1-{MOST_CLASSES}](?:[\w-]{{4}})+"
    found = re.fullmatch(rf"({number}(?:,{number}){{3}});([tf])((?:;{runs})+)", text, re.ASCII)
    frame = tuple(map(float, found[1].split(","))) if found else ()
    if found is None or not (frame[0] < frame[1] and frame[2] < frame[3]):
        raise ValueError("points must be a frame, t or f, and runs of places, as the tool writes them into a link")
    low, size = _sides(frame)
    steps, classes = [], []
    for run in found[3].split(";")[1:]:
        digits = [_DIGITS.index(each) for each in run[1:]]
        values = [64 * a + b for a, b in zip(digits[::2], digits[1::2], strict=True)]
        steps += values
        classes += [int(run[0]) - 1] * (len(values) // 2)
    places = low + np.array(steps).reshape(-1, 2) / _STEPS * size
    nothing = np.empty((0, 2)), np.empty(0, dtype=np.int64)
    X, brushes, _ = changed_points(*nothing, added=places, brushes=classes)
    return Drawing(brushes, (frame[0], frame[1], frame[2], frame[3]), found[2] == "t").dataset(X)


def _sides(frame: Sequence[float]) -> tuple[FloatArray, FloatArray]:
    low = np.array([frame[0], frame[2]])
    return low, np.array([frame[1], frame[3]]) - low
