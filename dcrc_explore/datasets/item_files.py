"""Items that are files, and the check of a user's own items."""

from __future__ import annotations

import os
from codecs import getincrementaldecoder
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.arrays import FloatArray
from dcrc_explore.datasets import pictures
from dcrc_explore.datasets.items import MAX_TEXT, Images, Items, Media, Texts
from dcrc_explore.datasets.limits import check_file
from dcrc_explore.datasets.table import kind_of_names
from dcrc_explore.words import writable

if TYPE_CHECKING:
    from PIL.Image import Image

# How a sound begins: nothing else is sent as one, whatever its name is.
_SOUND_TYPES = {
    ".wav": ("audio/wav", (b"RIFF",)),
    ".mp3": ("audio/mpeg", (b"ID3", b"\xff\xfb", b"\xff\xf3", b"\xff\xf2")),
    ".ogg": ("audio/ogg", (b"OggS",)),
    ".flac": ("audio/flac", (b"fLaC",)),
    ".m4a": ("audio/mp4", (b"\x00\x00\x00\x18ftyp", b"\x00\x00\x00\x1cftyp", b"\x00\x00\x00 ftyp")),
}


def inside(folder: Path, name: str) -> Path:
    """Return where a file of a folder lies; ValueError when none is named, or one outside, be it by a link.

    Every file that data name is opened through here.
    """
    if not name:
        raise ValueError("no file is named")
    try:
        folder = folder.resolve()
        place = folder / name
        path = place.resolve(strict=place.is_symlink())
    except (OSError, RuntimeError) as error:  # of links that lead back to themselves, each version of Python its own
        raise ValueError(f"{name!r} cannot be read: it is a link that leads nowhere") from error
    if not path.is_relative_to(folder):
        raise ValueError(f"{name!r} lies outside the folder of the data")
    check_file(path)
    return path


class Files(Items):
    """Files by name, below one folder; each is read only when it is shown."""

    most_bytes: ClassVar[int]

    def __init__(self, names: Iterable[str], folder: str | Path) -> None:
        super().__init__()
        self.names = tuple(map(str, names))
        self.folder = Path(folder).expanduser().absolute()

    def __len__(self) -> int:
        return len(self.names)

    def text(self, i: int) -> str:
        """Return the name of the file."""
        return writable(self.names[i]) or "no file"

    def name(self, i: int) -> str:
        """Return the name of the file."""
        return self.names[i]

    def take(self, rows: NDArray[Any]) -> Self:
        """Return the items of some rows."""
        return type(self)(np.array(self.names, dtype=object)[rows].tolist(), self.folder)

    def path(self, i: int) -> Path:
        """Return where a file lies; ValueError when no file is named, or one outside the folder."""
        return inside(self.folder, self.names[i])

    def raw(self, i: int) -> Path:
        """Return where a file lies, as `path` does."""
        return self.path(i)

    def content(self, i: int) -> bytes:
        """Return the bytes of the file."""
        path = self.path(i)
        check_file(path, most=self.most_bytes)
        return path.read_bytes()


class ImageFiles(Files):
    """PNG, JPEG, WebP, GIF, BMP and TIFF files of at most 80 megapixels."""

    kind, most_bytes = "images", pictures.MAX_IMAGE_BYTES

    def square(self, i: int, size: int) -> NDArray[np.uint8]:
        """Return the middle of image i in RGB, shape (size, size, 3)."""
        return pictures.square(pictures.read_image(self.path(i), max(size, 64)), size)

    def _draw(self, i: int, size: int) -> Image:
        return pictures.fitted(pictures.read_image(self.path(i), size), size)


class SoundFiles(Files):
    """WAV, MP3, Ogg, FLAC and M4A files of at most 20 MB; a WAV file is seen as its spectrogram."""

    kind, most_bytes = "sounds", pictures.MAX_SOUND_BYTES

    def samples(self, i: int) -> tuple[int, FloatArray]:
        """Return rate and samples of sound i, which must be a WAV file."""
        return pictures.read_sound(self.path(i))

    def detail(self, i: int, size: int = 512) -> Media:
        """Return the sound itself."""
        try:
            path, data = self.path(i), self.content(i)
            mime, beginnings = _SOUND_TYPES.get(path.suffix.lower(), ("", ()))
            if not data.startswith(beginnings):
                raise ValueError(f"{path.name!r} is not a sound in one of the formats {', '.join(_SOUND_TYPES)}")
            return Media(mime, data)
        except (ValueError, OSError) as error:
            return Media("image/png", pictures.png(pictures.placeholder(64)), str(error))

    def _draw(self, i: int, size: int) -> Image:
        return pictures.spectrogram(self.path(i), size)


def read_text(path: Path) -> str:
    """Return the beginning of a file, as much as is shown of a text; ValueError when it is not text in UTF-8."""
    check_file(path)
    with path.open("rb") as file:
        content = file.read(4 * MAX_TEXT)
    try:
        # The last character may be cut in two.
        text = getincrementaldecoder("utf-8-sig")().decode(content)
    except UnicodeDecodeError:
        raise ValueError(f"{path.name!r} must be text in UTF-8") from None
    if "\0" in text:
        raise ValueError(f"{path.name!r} must be text, got zero bytes")
    return text[:MAX_TEXT]


def as_items(items: Any, n_rows: int, folder: Path | None = None) -> Items:
    """Make items of an array of images, of a list of texts or file names, or of items; one is needed per row.

    File names are looked up in `folder`, by default the current one; absolute paths below the folder that they share.

    Examples
    --------
    >>> as_items(["A short text.", "Another."], 2).kind, as_items(np.zeros((2, 8, 8)), 2).kind
    ('texts', 'images')
    """
    if not isinstance(items, Items):
        if not isinstance(items, np.ndarray):
            items = list(items)
            if any(isinstance(item, str | Path) for item in items):
                items = np.array([None if item is None else str(item) for item in items], dtype=object)
        if isinstance(items, np.ndarray) and items.ndim == 1:
            items = _named(["" if name is None or name != name else str(name) for name in items.tolist()], folder)
        else:
            items = Images(items)
    if len(items) != n_rows:
        raise ValueError(f"items must have one item per row of X, {n_rows}, got {len(items)}")
    return items


def _named(names: Sequence[str], folder: Path | None) -> Items:
    kind = kind_of_names([name for name in names if name])
    if kind == "texts":
        return Texts(names)
    if folder is None:
        absolute = [name for name in names if Path(name).is_absolute()]
        folder = Path(os.path.commonpath([Path(name).parent for name in absolute])) if absolute else Path()
    return {"images": ImageFiles, "sounds": SoundFiles}[kind](names, folder)
