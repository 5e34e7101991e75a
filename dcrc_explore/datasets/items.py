"""What a person sees for each row of a data set: an image, a text, a sound, a stroke of the pen, or the row itself."""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dcrc_explore.arrays import FloatArray
from dcrc_explore.datasets import pictures
from dcrc_explore.words import writable

if TYPE_CHECKING:
    from PIL.Image import Image

# Longest text that is shown, and its first part that a small card holds.
MAX_TEXT = 20_000
_SHORT_TEXT = 160
# So many thumbnails are kept, up to this size: a few kilobytes each.
_CACHED = 20_000
_LARGEST_CACHED = 128


class Media(NamedTuple):
    """An item to show: PNG, plain text or sound as bytes, and the problem if it is only a placeholder."""

    mime: str
    data: bytes
    problem: str = ""


class Items(ABC):
    """One item for each row, for a person to look at.

    No file is ever executed: images are decoded and encoded again as PNG, texts are plain. An item that cannot be shown
    gives a placeholder with the reason in `problem`; only wrong row numbers raise (IndexError).
    """

    kind: ClassVar[str]

    def __init__(self) -> None:
        self._small = lru_cache(maxsize=_CACHED)(self._media)

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def text(self, i: int) -> str:
        """Say in words what is seen, for screen readers: the text, the name of the file, or values of features."""

    def name(self, i: int) -> str:
        """Return what to call item i in a few words: the name of its file, or how its text begins; "" for neither."""
        return ""

    @abstractmethod
    def take(self, rows: NDArray[Any]) -> Items:
        """Return the items of some rows."""

    @abstractmethod
    def _draw(self, i: int, size: int) -> Image: ...

    # What features are made of; items that have none of it say so.

    def raw(self, i: int) -> Any:
        """Return item i as a program takes it: the path of a file, a text, an array."""
        return self.text(i)

    def content(self, i: int) -> bytes:
        """Return an identifier of item i."""
        return str(self.raw(i)).encode(errors="replace")

    def square(self, i: int, size: int) -> NDArray[np.uint8]:
        """Return the middle of image i in RGB, shape (size, size, 3)."""
        raise ValueError(f"{self.kind} are not images")

    def samples(self, i: int) -> tuple[int, FloatArray]:
        """Return rate and samples of sound i."""
        raise ValueError(f"{self.kind} are not sounds")

    def thumbnail(self, i: int, size: int = 64) -> Media:
        """Return a small picture (for texts: their beginning) of item i, no larger than size x size pixels.

        Small ones, of up to 128 pixels, are made once and cached.
        """
        if not 0 <= i < len(self):
            raise IndexError(f"an item's row must be between 0 and {len(self) - 1}, got {i}")
        if not 8 <= size <= 2048:
            raise ValueError(f"size must be between 8 and 2048 pixels, got {size}")
        return self._media(i, size) if size > _LARGEST_CACHED else self._small(i, size)

    def tile(self, i: int, size: int = 64) -> NDArray[np.uint8]:
        """Return item i as a small square picture in RGB, shape (size, size, 3); ValueError for texts."""
        media = self.thumbnail(i, min(size * 3 // 2, _LARGEST_CACHED))
        if media.mime != "image/png":
            raise ValueError(f"{self.kind} are not pictures")
        with pictures.pillow()[0].open(io.BytesIO(media.data), formats=["PNG"]) as image:
            return pictures.tile(image, size)

    def detail(self, i: int, size: int = 512) -> Media:
        """Return item i as large as a person may want it: a larger picture, the whole text, or the sound."""
        return self.thumbnail(i, size)

    def _media(self, i: int, size: int) -> Media:
        try:
            return Media("image/png", pictures.png(self._draw(i, size)))
        except (ValueError, OSError) as error:
            return Media("image/png", pictures.png(pictures.placeholder(size)), str(error))


class Images(Items):
    """Images in an array of shape (N, H, W) or (N, H, W, 3 or 4).

    Bytes range from 0 (black) to 255 (white). Other numbers range from 0 to 1 or, if some lie outside, from the
    smallest to the largest.

    Examples
    --------
    >>> images = Images(np.eye(4).reshape(1, 4, 4))
    >>> images.thumbnail(0).mime, images.text(0)
    ('image/png', 'image 0')
    """

    kind = "images"

    def __init__(self, images: ArrayLike) -> None:
        super().__init__()
        images = np.array(images)
        if images.ndim == 4 and images.shape[3] == 1:
            images = images[..., 0]
        if images.ndim not in (3, 4) or (images.ndim == 4 and images.shape[3] not in (3, 4)):
            raise ValueError(f"images must have shape (N, H, W) or (N, H, W, 3 or 4), got {images.shape}")
        if images.dtype.kind not in "biuf" or 0 in images.shape:
            raise ValueError(f"images must be arrays of numbers with some pixels, got {images.shape} of {images.dtype}")
        self._images = images

    @cached_property
    def _range(self) -> tuple[float, float]:
        """Values of black and white."""
        if self._images.dtype == np.uint8:
            return 0.0, 255.0
        low, high = float(self._images.min()), float(self._images.max())
        if not np.isfinite([low, high]).all():
            finite = self._images[np.isfinite(self._images)]
            low, high = float(finite.min(initial=0)), float(finite.max(initial=0))
        return (0.0, 1.0) if low >= 0 and high <= 1 else (low, high)

    @property
    def n_bytes(self) -> int:
        """Bytes that all images take with values from 0 to 255."""
        return self._images.size

    def pixels(self, i: int) -> NDArray[np.uint8]:
        """Return image i with values from 0 to 255."""
        if self._images.dtype == np.uint8:
            return self._images[i]
        low, high = self._range
        shares = (np.nan_to_num(self._images[i].astype(float)) - low) / ((high - low) or 1.0)
        return np.rint(255 * shares.clip(0, 1)).astype(np.uint8)

    def __len__(self) -> int:
        return len(self._images)

    def text(self, i: int) -> str:
        """Return the number of the image; there is no other description."""
        return f"image {i}"

    def name(self, i: int) -> str:
        """Return the number of the image."""
        return self.text(i)

    def take(self, rows: NDArray[Any]) -> Images:
        """Return the items of some rows."""
        return Images(self._images[rows])

    def raw(self, i: int) -> NDArray[np.uint8]:
        """Return the pixels."""
        return self.pixels(i)

    def content(self, i: int) -> bytes:
        """Return the pixels and how they are arranged."""
        pixels = self.pixels(i)
        return str(pixels.shape).encode() + pixels.tobytes()

    def square(self, i: int, size: int) -> NDArray[np.uint8]:
        """Return the middle of image i in RGB, shape (size, size, 3)."""
        return pictures.square(pictures.array_image(self.pixels(i)), size)

    def _draw(self, i: int, size: int) -> Image:
        return pictures.fitted(pictures.array_image(self.pixels(i)), size)


class Texts(Items):
    """Plain texts; `names` are the names of their files, if there are any.

    Examples
    --------
    >>> Texts(["<b>not bold</b>"]).thumbnail(0)
    Media(mime='text/plain', data=b'<b>not bold</b>', problem='')
    """

    kind = "texts"

    def __init__(self, texts: Iterable[str], names: Iterable[str] = ()) -> None:
        super().__init__()
        self.texts = tuple(writable(str(text)) for text in texts)
        self.names = tuple(map(writable, names))
        if self.names and len(self.names) != len(self.texts):
            raise ValueError(f"there must be a name for each of {len(self.texts)} texts, got {len(self.names)}")

    def __len__(self) -> int:
        return len(self.texts)

    def name(self, i: int) -> str:
        """Return the name of the file or, without one, the beginning of the text."""
        return self.names[i] if self.names else self.texts[i]

    def raw(self, i: int) -> str:
        """Return the text, as much of it as is shown."""
        return self.texts[i][:MAX_TEXT]

    def text(self, i: int) -> str:
        """Return the text."""
        return self.texts[i][:MAX_TEXT] or "no text"

    def take(self, rows: NDArray[Any]) -> Texts:
        """Return the items of some rows."""
        texts, names = (np.array(each, dtype=object) for each in (self.texts, self.names))
        return Texts(texts[rows].tolist(), names[rows].tolist() if self.names else ())

    def detail(self, i: int, size: int = 512) -> Media:
        """Return the whole text."""
        return Media("text/plain", self.text(i).encode(errors="replace"))

    def _media(self, i: int, size: int) -> Media:
        text = self.text(i)
        short = text if len(text) <= _SHORT_TEXT else f"{text[: _SHORT_TEXT - 1]}…"
        return Media("text/plain", short.encode(errors="replace"))

    def _draw(self, i: int, size: int) -> Image:
        raise NotImplementedError  # texts are written, not drawn


class Strokes(Items):
    """Strokes of a pen: a polyline of at least one point (x, y) per item, y pointing up.

    Examples
    --------
    >>> Strokes([[(0, 0), (1, 2)], [(0, 0), (1, 1), (2, 0)]]).text(1)
    'a stroke through 3 points'
    """

    kind = "strokes"

    def __init__(self, strokes: Iterable[ArrayLike]) -> None:
        super().__init__()
        self.strokes = tuple(np.array(stroke, dtype=np.float64) for stroke in strokes)
        for i, stroke in enumerate(self.strokes):
            if stroke.ndim != 2 or stroke.shape[1] != 2 or not len(stroke) or not np.isfinite(stroke).all():
                raise ValueError(f"a stroke must be finite points of shape (n, 2), got {stroke.shape} in row {i}")

    def __len__(self) -> int:
        return len(self.strokes)

    def text(self, i: int) -> str:
        """Say how many points it has."""
        return f"a stroke through {len(self.strokes[i])} points"

    def take(self, rows: NDArray[Any]) -> Strokes:
        """Return the items of some rows."""
        return Strokes([self.strokes[i] for i in np.arange(len(self))[rows]])

    def _draw(self, i: int, size: int) -> Image:
        return pictures.polyline(self.strokes[i], size)


class Contrast(NamedTuple):
    """One feature of some rows: its name, its value in each, and the same in standard deviations from the mean."""

    feature: str
    values: tuple[float, ...]
    deviations: tuple[float, ...]


class Rows(Items):
    """The rows themselves: a bar per feature, up or down from the mean, by at most three standard deviations.

    Examples
    --------
    >>> rows = Rows([[1.0, 5.0], [2.0, 5.0], [9.0, 6.0]], ("width", "height"))
    >>> print(rows.text(2))
    width = 9
    height = 6
    >>> rows.contrast((0, 1, 2), most=1)
    [Contrast(feature='width', values=(1.0, 2.0, 9.0), deviations=(-0.84..., -0.56..., 1.40...))]
    """

    kind = "rows"
    _MOST_LINES: ClassVar[int] = 40
    _MOST_BARS: ClassVar[int] = 64

    def __init__(self, X: ArrayLike, feature_names: Sequence[str]) -> None:
        super().__init__()
        self.values = np.asarray(X, dtype=np.float64)
        self.feature_names = tuple(map(writable, feature_names))
        if self.values.ndim != 2 or self.values.shape[1] != len(self.feature_names):
            raise ValueError(f"rows must have a value for each of {len(feature_names)} names, got {self.values.shape}")
        if not np.isfinite(self.values).all():
            raise ValueError("rows must hold finite numbers")

    @cached_property
    def deviations(self) -> FloatArray:
        """The features in standard deviations from their means, shape (N, n_features); zero for constant ones."""
        spread = self.values.std(axis=0)
        constant = spread <= 1e-12 * np.abs(self.values).max(axis=0, initial=0)
        return np.where(constant, 0.0, (self.values - self.values.mean(axis=0)) / np.where(constant, 1.0, spread))

    def __len__(self) -> int:
        return len(self.values)

    def text(self, i: int) -> str:
        """Return "feature = value", line by line."""
        values = zip(self.feature_names, self.values[i].tolist(), strict=True)
        lines = [f"{name} = {value:.5g}" for name, value in values]
        more = len(lines) - self._MOST_LINES
        return "\n".join(lines[: self._MOST_LINES] + [f"and {more} more"] * (more > 0))

    def take(self, rows: NDArray[Any]) -> Rows:
        """Return the items of some rows."""
        return Rows(self.values[rows], self.feature_names)

    def contrast(self, rows: Sequence[int], most: int = 5) -> list[Contrast]:
        """Return the features in which some rows differ most, measured in standard deviations, the largest first."""
        deviations = self.deviations[list(rows)]
        order = np.argsort(-np.ptp(deviations, axis=0), kind="stable")[:most]
        return [
            Contrast(
                self.feature_names[d], tuple(self.values[list(rows), d].tolist()), tuple(deviations[:, d].tolist())
            )
            for d in order.tolist()
        ]

    def _draw(self, i: int, size: int) -> Image:
        return pictures.bars((self.deviations[i, : self._MOST_BARS] / 3).clip(-1, 1).tolist(), size)
