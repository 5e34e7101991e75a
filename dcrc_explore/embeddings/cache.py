"""Computed features in the user's cache folder, found by the content of the item and by what computed them."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile

import numpy as np
from numpy.typing import NDArray

MAX_BYTES = 300_000_000
_MAX_FILE_BYTES = 1_000_000


def cache_folder() -> Path:
    """Return the cache folder; the environment variable DCRC_EXPLORE_CACHE names another."""
    if chosen := os.environ.get("DCRC_EXPLORE_CACHE"):
        return Path(chosen)
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "dcrc-explore" / "Cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "dcrc-explore"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "dcrc-explore"


class Cache:
    """One small file of plain numbers for each item, apart for each maker; a damaged file counts as missing.

    All files together have at most so many bytes; the least recently used ones are removed.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> cache = Cache("an example, version 1", folder=Path(mkdtemp()))
    >>> cache.write(b"the content of a file", np.ones(3, np.float32))
    >>> cache.read(b"the content of a file"), cache.read(b"another")
    (array([1., 1., 1.], dtype=float32), None)
    """

    def __init__(self, maker: str, *, folder: Path | None = None, most: int = MAX_BYTES) -> None:
        self._all = (folder or cache_folder()) / "features"
        self._folder = self._all / sha256(maker.encode()).hexdigest()[:16]
        self._most = most

    def _path(self, content: bytes) -> Path:
        return self._folder / f"{sha256(content).hexdigest()}.npy"

    def read(self, content: bytes) -> NDArray[np.float32] | None:
        """Return the numbers of an item; None when there are none that can be used."""
        path = self._path(content)
        try:
            if path.stat().st_size > _MAX_FILE_BYTES:
                return None
            numbers = np.load(io.BytesIO(path.read_bytes()), allow_pickle=False)
            usable = numbers.dtype == np.float32 and numbers.ndim == 1 and np.isfinite(numbers).all()
            os.utime(path)
        except Exception:  # damaged files fail in many ways
            return None
        return numbers if usable else None

    def write(self, content: bytes, numbers: NDArray[np.float32]) -> None:
        """Store the numbers of an item; nothing happens if the folder cannot be written to."""
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile(dir=self._folder, suffix=".tmp", delete=False) as file:
                np.save(file, numbers, allow_pickle=False)
            os.replace(file.name, self._path(content))

    def shrink(self) -> None:
        """Remove the least recently used files, until the rest is small enough."""
        with suppress(OSError):
            files = [(found.stat(), found) for found in self._all.glob("*/*")]
            files.sort(key=lambda each: each[0].st_mtime)
            size = sum(about.st_size for about, _ in files)
            for about, path in files:
                if size <= self._most:
                    break
                path.unlink(missing_ok=True)
                size -= about.st_size
