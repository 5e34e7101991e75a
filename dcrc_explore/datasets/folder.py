"""A folder as data: its images, sounds or texts are the items; features stand beside them or are made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.datasets.classes import as_classes
from dcrc_explore.datasets.files import read_csv, read_npy
from dcrc_explore.datasets.item_files import ImageFiles, SoundFiles, inside, read_text
from dcrc_explore.datasets.items import Texts
from dcrc_explore.datasets.table import IMAGE_SUFFIXES, SOUND_SUFFIXES, Column, Table, as_numbers
from dcrc_explore.words import count

MAX_FILES = 50_000
SUFFIXES = {"images": IMAGE_SUFFIXES, "sounds": SOUND_SUFFIXES, "texts": (".txt",)}
_NAMED = 3  # files that are left out, named with the reason
# What cameras of phones write, and Pillow does not read.
_UNREAD = (".heic", ".heif")


@dataclass
class RawData:
    """Data as they came, before they are checked; X is None when it is to be made of the items."""

    X: FloatArray | None
    y: Any
    name: str = "own data"
    feature_names: tuple[str, ...] = ()
    class_names: tuple[str, ...] | None = None
    items: Any = None
    description: str = ""
    table: Table = field(default_factory=lambda: Table({}))
    made_by: str = ""
    rows: IntArray | None = None  # which row of the source, or file of a folder, each one is; None for all in order
    others: Mapping[str, NDArray[Any]] = field(default_factory=dict)  # columns that are exported, and not used

    def only(self, rows: IntArray, n_rows: int) -> RawData:
        """Return some of the `n_rows` rows; the items are left to the caller."""
        return replace(
            self,
            X=None if self.X is None else self.X[rows],
            y=None if self.y is None else as_classes(self.y, n_rows)[rows],
            rows=rows if self.rows is None else self.rows[rows],
            others={name: cells[rows] for name, cells in self.others.items()},
        )


def read_folder(path: Path, *, made: bool = False) -> RawData:
    """Read the files of a folder, or, when it has none, those of the folders in it, whose names are the classes.

    If a folder mixes images, sounds and texts, the kind with most files is taken. Features in the folder are read,
    unless others are to be made.
    """
    kind, names, classes, note = _files(path)
    given = RawData(None, classes, path.resolve().name, description=note)
    if not made and (path / "features.csv").is_file():
        return _with_table(given, path, kind, names)
    if not made and (path / "features.npy").is_file():
        X = read_npy(inside(path, "features.npy"))
        if X.ndim != 2 or X.dtype.kind not in "biuf" or len(X) != len(names):
            raise ValueError(
                f"features.npy must hold one row of numbers for each of the {len(names)} {kind}, in the order of their "
                f"names, got shape {X.shape} of {X.dtype}"
            )
        given = replace(given, X=X.astype(np.float64), description="features: features.npy")
    return _with_items(given, path, kind, names)


def _files(path: Path) -> tuple[str, list[str], NDArray[Any] | None, str]:
    """Return the kind of the files, their names, their classes, and a note on what is left out."""
    found: list[tuple[str, str | None, str]] = [
        (place.name, None, place.suffix.lower()) for place in _listed(path) if not place.is_dir()
    ]
    kind, files = _most(found)
    if len(files) < 2:
        inside = [(folder.name, place) for folder in _listed(path) if folder.is_dir() for place in _listed(folder)]
        found += [(f"{folder}/{place.name}", folder, place.suffix.lower()) for folder, place in inside]
        kind, files = _most([each for each in found if each[1] is not None])
    n_unread = sum(suffix in _UNREAD for *_, suffix in found)
    unread = f"{count(n_unread, 'HEIC file')} left out: export as JPEG, HEIC cannot be read here" if n_unread else ""
    if len(files) < 2:
        expected = f"at least two images ({', '.join(IMAGE_SUFFIXES)}), sounds (.wav) or texts (.txt)"
        raise ValueError(f"{str(path)!r} must hold {expected}, got {len(files)}" + (unread and f"; {unread}"))
    if len(files) > MAX_FILES:
        raise ValueError(f"{str(path)!r} may hold at most {MAX_FILES} {kind}, got {len(files)}")
    classes = None if files[0][1] is None else np.array([folder for _, folder, _ in files])
    return kind, [name for name, *_ in files], classes, unread


def _most(found: list[tuple[str, str | None, str]]) -> tuple[str, list[tuple[str, str | None, str]]]:
    """Return the kind of which there are most files, and these."""
    kinds = {kind: [each for each in found if each[2] in suffixes] for kind, suffixes in SUFFIXES.items()}
    return max(kinds.items(), key=lambda each: len(each[1]))


def _listed(folder: Path) -> list[Path]:
    return sorted(place for place in folder.iterdir() if not place.name.startswith("."))


def _with_items(given: RawData, path: Path, kind: str, names: Sequence[str]) -> RawData:
    """Return the data with the items; texts are read now, and those that cannot be are left out of everything."""
    if kind != "texts":
        return replace(given, items={"images": ImageFiles, "sounds": SoundFiles}[kind](names, path))
    texts: dict[int, str] = {}
    problems: dict[str, str] = {}
    for row, name in enumerate(names):
        try:
            texts[row] = read_text(inside(path, name))
        except (ValueError, OSError) as error:
            problems[name] = str(error)
    if len(texts) < 2:
        raise ValueError(f"{str(path)!r} must hold at least two texts, got {left_out(problems, len(names))}")
    about = "; ".join(filter(None, [given.description, left_out(problems, len(names))]))
    given = given.only(np.array(list(texts), dtype=np.int64), len(names))
    return replace(given, items=Texts(texts.values(), [names[row] for row in texts]), description=about)


def left_out(problems: Mapping[str, str], total: int) -> str:
    """Say which files are left out and why; "" for none.

    Examples
    --------
    >>> left_out({"a.png": "'a.png' is damaged"}, 10)
    "1 of 10 files cannot be read and is left out: 'a.png' is damaged"
    """
    if not problems:
        return ""
    reasons = [why if name in why else f"{name!r}: {why}" for name, why in problems.items()]
    shown = "; ".join(f"{why[:200]}" for why in reasons[:_NAMED])
    more = f"; and {len(reasons) - _NAMED} more" if len(reasons) > _NAMED else ""
    verb = "is" if len(reasons) == 1 else "are"
    return f"{len(reasons)} of {total} files cannot be read and {verb} left out: {shown}{more}"


def _with_table(given: RawData, path: Path, kind: str, names: Sequence[str]) -> RawData:
    """Take the features of the files that a table lists; other columns of texts are no features."""
    table = read_csv(inside(path, "features.csv"))
    known = set(names)
    column = next((name for name, cells in table.columns.items() if known & set(cells.tolist())), None)
    if column is None:
        expected = f"a column with the names of the {kind}, such as {names[0]!r}"
        raise ValueError(f"features.csv must have {expected}, got the columns {', '.join(list(table.columns)[:10])}")
    listed = [str(name) for name in table.columns[column].tolist()]
    y = table.columns.get("y")
    rest = {name: cells for name, cells in table.columns.items() if name not in (column, "y")}
    features = {name: cells for name, cells in rest.items() if Column.of(name, cells).kind == "numbers"}
    others = {name: cells for name, cells in rest.items() if name not in features}
    X = np.column_stack([as_numbers(cells, table, name) for name, cells in features.items()] or [np.empty((0, 0))])
    n_unlisted = len(known - set(listed))
    one = kind.removesuffix("s")
    files = f"1 {one} that it does not list is" if n_unlisted == 1 else f"{n_unlisted} {kind} that it does not list are"
    unlisted = f"; {files} left out" if n_unlisted else ""
    about, columns = f"features: features.csv{unlisted}", tuple(features)
    given = replace(given, X=X, y=y, feature_names=columns, description=about, others=others)
    return _with_items(given, path, kind, listed)
