"""The clusters to take home: as a table, and as folders with copies of the files, or links to them."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dcrc_explore.datasets import Files
from dcrc_explore.progress import Watch, unwatched, with_time_left
from dcrc_explore.session.state import SessionError, as_rows
from dcrc_explore.storage import numbered

if TYPE_CHECKING:
    from dcrc_explore.session.session import Session

_LONGEST = 80  # characters of a folder's name
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # as Windows has them


def cluster_columns(session: Session, rows: ArrayLike | None = None) -> Mapping[str, Sequence[Any]]:
    """Return the table of clusters by column: a row for each point, or for those in `rows`.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> list(cluster_columns(Session("digits-8x8", autosave=None)))
    ['row', 'item', 'cluster', 'name', 'probability', 'entropy']
    """
    fit, dataset = session.fit, session.dataset
    shown = np.arange(len(dataset.X)) if rows is None else as_rows(rows, len(dataset.X))
    labels = fit.labels[shown]
    items = {} if dataset.items is None else {"item": [dataset.items.text(i) for i in shown.tolist()]}
    return {
        "row": shown.tolist(),
        **items,
        "cluster": (labels + 1).tolist(),
        "name": [session.state.cluster_name(k) for k in labels.tolist()],
        "probability": fit.proba[shown, labels].tolist(),
        "entropy": fit.entropy[shown].tolist(),
    }


def as_frame(columns: Mapping[str, Sequence[Any]]) -> Any:
    """Return a table as a DataFrame or, without pandas, as a structured array of NumPy.

    Examples
    --------
    >>> as_frame({"row": [0, 1], "name": ["a", "b"]})["name"].tolist()
    ['a', 'b']
    """
    try:
        from pandas import DataFrame
    except ImportError:
        arrays = [np.array(values) for values in columns.values()]
        table = np.empty(len(arrays[0]), dtype=[(name, a.dtype) for name, a in zip(columns, arrays, strict=True)])
        for name, values in zip(columns, arrays, strict=True):
            table[name] = values
        return table
    return DataFrame(columns)


class Sorted(NamedTuple):
    """Where files were sorted into, how many, and the names of those that could not be read."""

    folder: Path
    n_files: int
    left_out: tuple[str, ...]


def folder_name(name: str, default: str) -> str:
    """Return a name that any system takes for a folder.

    Examples
    --------
    >>> folder_name("cats / dogs: 2024?", "1"), folder_name("..", "1"), folder_name("con", "1")
    ('cats - dogs- 2024-', '1', 'con-')
    """
    text = re.sub(r'[\x00-\x1f\x7f<>:"/\\|?*]', "-", " ".join(name.split()))[:_LONGEST].strip(". ")
    return f"{text}-" if _RESERVED.fullmatch(text) else text or default


def check_sortable(session: Session) -> Files:
    """Return the files of a session; SessionError when its items are no files."""
    items = session.dataset.items
    if not isinstance(items, Files):
        raise SessionError(f"only files, such as photos and sounds, can be sorted into folders, got {_kind(session)}")
    return items


def _kind(session: Session) -> str:
    return "points without items" if session.dataset.items is None else session.dataset.items.kind


def sort_files(session: Session, folder: str | PathLike[str], link: bool, watch: Watch | None) -> Sorted:
    """Copy each file into the folder of its cluster, or link it there: see :meth:`Export.sort_files`."""
    items, target = check_sortable(session), Path(folder).expanduser().absolute()
    if target.resolve().is_relative_to(items.folder.resolve()):
        raise SessionError(f"the sorted folder must lie outside {str(items.folder)!r}, got {str(target)!r}")
    if os.path.lexists(target) and not (target.is_dir() and not any(target.iterdir())):
        raise SessionError(f"the sorted folder must be new or empty, got {str(target)!r}")
    places = _folders([session.state.cluster_name(k) for k in range(session.fit.n_clusters)])
    tell, left_out, done = with_time_left(watch or unwatched), [], 0
    try:
        target.mkdir(parents=True, exist_ok=True)
        for i, k in enumerate(session.fit.labels.tolist()):
            tell(i, len(items), "files")
            try:
                source = items.path(i)
            except (ValueError, OSError):
                left_out.append(items.text(i))
                continue
            (target / places[k]).mkdir(exist_ok=True)
            _put(source, target / places[k] / folder_name(source.name, "file"), link)
            done += 1
    except OSError as error:
        raise SessionError(f"only {done} files were sorted into {str(target)!r}: {error.strerror or error}") from error
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
