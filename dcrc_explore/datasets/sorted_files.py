"""Files sorted into folders by their labels: copies, or links; no file is moved or replaced."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from dcrc_explore.arrays import IntArray
from dcrc_explore.datasets.dataset import Dataset
from dcrc_explore.datasets.item_files import Files
from dcrc_explore.progress import Watch, unwatched, with_time_left
from dcrc_explore.storage import numbered

_LONGEST, _LONGEST_ENDING = 80, 10  # characters of a name, and of its ending
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # as Windows has them


class Sorted(NamedTuple):
    """The folder of sorted files, how many there are, and the names of those that could not be read."""

    folder: Path
    n_files: int
    left_out: tuple[str, ...]


def folder_name(name: str, default: str) -> str:
    """Return a name that any system takes for a folder or a file; a long one is cut before its ending.

    Examples
    --------
    >>> folder_name("cats / dogs: 2024?", "1"), folder_name("..", "1"), folder_name("con", "1")
    ('cats - dogs- 2024-', '1', 'con-')
    >>> folder_name("a" * 300 + ".jpeg", "1")[-8:]
    'aaa.jpeg'
    """
    text = re.sub(r'[\x00-\x1f\x7f<>:"/\\|?*]', "-", " ".join(name.split()))
    ending = Path(text).suffix
    if len(text) > _LONGEST and len(ending) <= _LONGEST_ENDING:
        text = text[: _LONGEST - len(ending)].rstrip(". ") + ending
    text = text[:_LONGEST].strip(". ")
    return f"{text}-" if _RESERVED.fullmatch(text) else text or default


def sort_files(
    dataset: Dataset,
    labels: IntArray,
    names: Sequence[str],
    folder: str | PathLike[str],
    *,
    link: bool = False,
    watch: Watch | None = None,
) -> Sorted:
    """Copy the file of each point into the folder of its label, or link to it; the whole folder must be new or empty.

    A label whose name is only a number has the folder "cluster 1" and so on. An exception in `watch` ends the work.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> from dcrc_explore.datasets import as_dataset, write_scenes
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = write_scenes(folder / "pictures", n_per_kind=1)
    >>> data = as_dataset(folder / "pictures", features="pixels")
    >>> done = sort_files(data, np.array([0, 1, 1]), ("boats", "others"), folder / "sorted")
    >>> done.n_files, sorted(path.name for path in done.folder.iterdir())
    (3, ['boats', 'others'])
    """
    items, target = dataset.items, Path(folder).expanduser().absolute()
    if not isinstance(items, Files):
        kind = "points without items" if items is None else items.kind
        raise ValueError(f"only files, such as photos and sounds, can be sorted into folders, got {kind}")
    if target.resolve().is_relative_to(items.folder.resolve()):
        raise ValueError(f"the sorted folder must lie outside {str(items.folder)!r}, got {str(target)!r}")
    if os.path.lexists(target) and not (target.is_dir() and not any(target.iterdir())):
        raise ValueError(f"the sorted folder must be new or empty, got {str(target)!r}")
    places = _folders(names)
    report, left_out, done = with_time_left(watch or unwatched), [], 0
    try:
        target.mkdir(parents=True, exist_ok=True)
        for i, k in enumerate(labels.tolist()):
            report(i, len(items), "files")
            try:
                source = items.path(i)
            except (ValueError, OSError):
                left_out.append(items.text(i))
                continue
            (target / places[k]).mkdir(exist_ok=True)
            _put(source, target / places[k] / folder_name(source.name, "file"), link)
            done += 1
    except OSError as error:
        raise ValueError(f"only {done} files were sorted into {str(target)!r}: {error.strerror or error}") from error
    return Sorted(target, done, tuple(left_out))


def _folders(names: Sequence[str]) -> list[str]:
    """Return a folder for each cluster; those that some system would take for the same are numbered."""
    taken: set[str] = set()
    found = []
    for k, name in enumerate(names):
        wanted = f"cluster {k + 1}" if name == str(k + 1) else folder_name(name, f"cluster {k + 1}")
        free = next(path.name for path in numbered(Path(wanted)) if path.name.lower() not in taken)
        taken.add(free.lower())
        found.append(free)
    return found


def _put(source: Path, place: Path, link: bool) -> None:
    """Copy a file or link to it, under a name that is free; nothing is ever replaced."""
    for free in numbered(place):
        try:
            if link:
                free.symlink_to(source)
            else:
                _copy(source, free)
        except FileExistsError:
            continue
        return


def _copy(source: Path, place: Path) -> None:
    with source.open("rb") as read, place.open("xb") as written:
        try:
            shutil.copyfileobj(read, written)
        except BaseException:
            place.unlink()  # half of a file is none
            raise
    shutil.copystat(source, place)
