"""What a phone shows for an item: a small picture, a text, a sound, or a point in the plane."""

from __future__ import annotations

import io
from collections import OrderedDict
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.preprocessing import StandardScaler

from dcrc_explore.datasets import Dataset, Items, Media
from dcrc_explore.datasets.pictures import pillow
from dcrc_explore.plane import View

PICTURE_SIZE = 320  # pixels of the longer side
MOST_SOUND = 3_000_000  # bytes
_LONGEST_TEXT = 1200
_MOST_POINTS = 600  # dots in the plane besides those of the question
_CACHED_BYTES = 32_000_000
_SCALE = 1000


class Card(NamedTuple):
    """How an item is shown: its kind, and a text for kind "text"."""

    kind: Literal["text", "point", "image", "sound"]
    text: str = ""


class Cards:
    """The items of a data set, small enough for phones; without items, its points in the plane, of shape (N, 2).

    Pictures are encoded again as WebP, so that nothing of the original file leaves the machine but its pixels.

    Examples
    --------
    >>> from dcrc_explore.datasets import load_dataset
    >>> cards = Cards.of(load_dataset("digits-8x8"))
    >>> cards.card(0), cards.media(0).mime
    (Card(kind='image', text=''), 'image/webp')
    >>> Cards.of(load_dataset("iris")).card(0)
    Card(kind='point', text='')
    """

    def __init__(self, items: Items | None, points: ArrayLike | None = None) -> None:
        self.items = items
        self.points = None if points is None else np.asarray(points, dtype=float)
        if self.points is not None and (self.points.ndim != 2 or self.points.shape[1] != 2):
            raise ValueError(f"points must have shape (N, 2), got {self.points.shape}")
        if items is None and self.points is None:
            raise ValueError("cards must have items or points, got neither")
        self._cached: OrderedDict[int, Media] = OrderedDict()
        self._bytes = 0

    @classmethod
    def of(cls, data: Dataset) -> Cards:
        """Make cards of a data set: its items, or its first two principal components."""
        return cls(data.items) if data.items is not None else cls.of_points(data.X)

    @classmethod
    def of_points(cls, X: ArrayLike) -> Cards:
        """Make cards of points; of more than two features the first two principal components are shown."""
        X = np.asarray(X, dtype=float)
        return cls(None, X if X.shape[1] == 2 else View.of(StandardScaler().fit_transform(X)).points)

    def __len__(self) -> int:
        if self.items is not None:
            return len(self.items)
        assert self.points is not None
        return len(self.points)

    def card(self, row: int) -> Card:
        """Return how an item is shown."""
        if self.items is None:
            return Card("point")
        if self.items.kind == "texts":
            return Card("text", self.items.text(row)[:_LONGEST_TEXT])
        return Card("sound" if self.items.kind == "sounds" else "image")

    def media(self, row: int) -> Media:
        """Return the bytes of a picture or a sound; recently used ones are cached."""
        assert self.items is not None
        if row in self._cached:
            self._cached.move_to_end(row)
            return self._cached[row]
        media = self.items.detail(row) if self.items.kind == "sounds" else self.items.thumbnail(row, PICTURE_SIZE)
        if media.mime == "image/png":
            media = Media("image/webp", _webp(media.data), media.problem)
        elif len(media.data) > MOST_SOUND:
            raise ValueError(f"a sound may have at most {MOST_SOUND // 10**6} MB on a phone, got {len(media.data)}")
        self._cached[row] = media
        self._bytes += len(media.data)
        while self._bytes > _CACHED_BYTES and len(self._cached) > 1:
            self._bytes -= len(self._cached.popitem(last=False)[1].data)
        return media

    def plane(self) -> list[list[int]]:
        """Return dots for the background of the plane, between 0 and 1000, y pointing down."""
        assert self.points is not None
        rows = np.random.default_rng(0).permutation(len(self.points))[:_MOST_POINTS]
        return self._scaled(np.sort(rows))

    def place(self, row: int) -> list[int]:
        """Return where one point lies in the plane."""
        return self._scaled(np.array([row]))[0]

    def _scaled(self, rows: Any) -> list[list[int]]:
        assert self.points is not None
        low, high = self.points.min(axis=0), self.points.max(axis=0)
        scale = _SCALE / max(float((high - low).max()), 1e-12)
        centred = (self.points[rows] - (low + high) / 2) * scale * [1, -1] + _SCALE / 2
        return np.rint(centred).astype(int).tolist()


def _webp(png: bytes) -> bytes:
    Image = pillow()[0]
    with Image.open(io.BytesIO(png), formats=("PNG",)) as picture:
        file = io.BytesIO()
        picture.convert("RGBA" if "A" in picture.getbands() else "RGB").save(file, "WEBP", quality=75, method=4)
    return file.getvalue()
