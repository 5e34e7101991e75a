"""A table with named columns, and the part that each column plays: feature, class, item, or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.arrays import FloatArray
from dcrc_explore.words import listed

IMAGE_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff")
SOUND_SUFFIXES = (".wav", ".mp3", ".ogg", ".flac", ".m4a")
# How tables write that a number is not known.
_EMPTY = {"", "na", "n/a", "nan", "<na>", "nat", "none", "null", "?"}
_MOSTLY = 0.75  # a column is one of numbers when so many of its different cells are


class Unusable(ValueError):
    """Data that cannot be used as they are.

    Attributes
    ----------
    found : str
        What is wrong, without advice.
    """

    def __init__(self, found: str, remedy: str = "") -> None:
        super().__init__(f"{found}: {remedy}" if remedy else found)
        self.found = found


@dataclass(frozen=True, eq=False)
class Table:
    """Columns by name; `numbers` tells which row of its file each row is, `folder` where that file lies.

    `index` is how a data frame calls its rows, as a column that is no feature; empty where it only counts them.

    With `decimal_comma` numbers may be written as 1,5; `with_commas` collects the columns in which they are.
    """

    columns: dict[str, NDArray[Any]]
    numbers: NDArray[np.int64] | None = None
    folder: Path | None = None
    decimal_comma: bool = False
    index: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    with_commas: list[str] = field(default_factory=list, init=False, repr=False)
    _numeric: dict[str, FloatArray] = field(default_factory=dict, init=False, repr=False)

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return len(next(iter(self.columns.values()), ()))

    def place(self, row: int) -> str:
        """Say where a row stands: in a file as a spreadsheet counts, from 1 with the names, or in an array from 0."""
        return f"row {row}" if self.numbers is None else f"row {self.numbers[row]} of the file"

    def numeric(self, column: str) -> FloatArray:
        """Return a column as :func:`as_numbers` does; cached, because dialogs ask repeatedly."""
        if column not in self._numeric:
            self._numeric[column] = as_numbers(self.columns[column], self, column)
        return self._numeric[column]

    def split(
        self, y: str | None, items: str | None, features: Sequence[str] | None, ignore: Sequence[str]
    ) -> tuple[dict[str, NDArray[Any]], NDArray[Any] | None, NDArray[Any] | None, dict[str, NDArray[Any]]]:
        """Return the features' columns, that of the classes, that of the items, and all others."""
        for what, named in {"y": [y], "items": [items], "features": features or (), "ignore": ignore}.items():
            for name in named:
                if name is not None and name not in self.columns:
                    raise ValueError(f"the table has the columns {listed(list(self.columns))}, got {what}={name!r}")
        if y is None and "y" in self.columns and "y" not in (*ignore, *(features or ()), items):
            y = "y"
        others = {y, items, *ignore}
        names = [name for name in self.columns if name not in others] if features is None else list(features)
        for name in others.intersection(names):
            raise ValueError(f"a column is either a feature, the class, the items or ignored, got {name!r} as two")
        if not names and items is None:
            got = listed(list(self.columns))
            raise ValueError(f"the table must have at least one column besides classes and items, got {got}")
        chosen = {name: self.columns[name] for name in names}
        rest = {name: cells for name, cells in self.columns.items() if name not in (y, items, *names)}
        rest = {**self.index, **rest}
        return chosen, self.columns[y] if y else None, self.columns[items] if items else None, rest


@dataclass(frozen=True)
class Column:
    """What a dialog shows of a column, so that its part can be chosen.

    Examples
    --------
    >>> Column.of("width", np.array(["1.5", "", "2"]))
    Column(name='width', kind='numbers', n_empty=1, n_distinct=2, examples=('1.5', '2'))
    """

    name: str
    # "numbers" or "texts" or "images" or "sounds": "numbers" even when a few cells are not numbers; "images" and
    # "sounds" are names of files
    kind: str
    # Empty cells, and different values in the others
    n_empty: int
    n_distinct: int
    examples: tuple[str, ...]  # the first different values

    @classmethod
    def of(cls, name: str, values: NDArray[Any]) -> Column:
        """Look at a column."""
        cells = [str(value).strip() for value in values.tolist()]
        filled = [cell for cell in cells if cell.lower() not in _EMPTY]
        distinct = list(dict.fromkeys(filled))
        n_numbers = sum(is_number(cell.replace(",", ".", 1)) for cell in distinct)
        kind = "numbers" if n_numbers >= _MOSTLY * len(distinct) else kind_of_names(distinct)
        return cls(name, kind, len(cells) - len(filled), len(distinct), tuple(cell[:40] for cell in distinct[:3]))


def kind_of_names(names: Sequence[str]) -> str:
    """Distinguish names of images and sounds from other texts.

    Examples
    --------
    >>> kind_of_names(["a.png", "b.JPG"]), kind_of_names(["a.wav"]), kind_of_names(["a.png", "A short text."])
    ('images', 'sounds', 'texts')
    """
    for kind, suffixes in (("images", IMAGE_SUFFIXES), ("sounds", SOUND_SUFFIXES)):
        if names and all(name.lower().endswith(suffixes) for name in names):
            return kind
    return "texts"


def is_number(cell: str) -> bool:
    """Whether a cell holds a number.

    Examples
    --------
    >>> is_number("1e3"), is_number("width")
    (True, False)
    """
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _with_points(cells: list[Any]) -> list[str] | None:
    """Return numbers that are written with decimal commas with points; None when there are none, or points as well.

    Examples
    --------
    >>> _with_points(["1,5", "2", ""]), _with_points(["1.234,5"]), _with_points(["1,5", "1.5"])
    (['1.5', '2', ''], None, None)
    """
    texts = [str(cell) for cell in cells]
    has_commas = any("," in text and is_number(text.replace(",", ".")) for text in texts)
    return [text.replace(",", ".") for text in texts] if has_commas and not any("." in text for text in texts) else None


def as_numbers(values: NDArray[Any], table: Table, column: str, *, named: bool = True) -> FloatArray:
    """Turn a column into floats, NaN where a cell is empty; name the first cell that is not a number."""
    where = f"column {column!r}" if named else f"column {column}"
    if values.ndim != 1:
        raise ValueError(f"features must be numbers, got cells of shape {values.shape[1:]} in {where}")
    kinds = set(map(type, values)) if values.dtype.kind == "O" else set()
    # float() would drop the imaginary part of numpy's complex numbers.
    if values.dtype.kind == "c" or any(issubclass(kind, complex | np.complexfloating) for kind in kinds):
        raise ValueError(f"features must be real numbers, got complex ones in {where}: take real and imaginary parts")
    if values.dtype.kind in "biuf":
        return values.astype(np.float64)
    if values.dtype.kind in "mM":
        raise ValueError(f"features must be numbers, got dates in {where}: leave it out (ignore) or count days")
    cells = values.tolist()
    if table.decimal_comma and (pointed := _with_points(cells)) is not None:
        cells = pointed
        table.with_commas.append(column)
    try:
        return np.fromiter(map(float, cells), np.float64, len(cells))
    except (TypeError, ValueError, OverflowError):
        pass  # some cell is no number: look for it
    numbers = np.empty(len(cells))
    for row, value in enumerate(cells):
        try:
            numbers[row] = float(value)
        except (TypeError, ValueError, OverflowError):
            if str(value).strip().lower() in _EMPTY:
                numbers[row] = np.nan
                continue
            hint = f"leave it out (ignore=[{column!r}]), or name it as the column of the classes (y={column!r})"
            cell = str(value) if len(str(value)) <= 40 else f"{str(value)[:40]}..."
            found = f"features must be numbers, got {cell!r} in {where}, {table.place(row)}"
            if is_number(cell.replace(",", ".", 1)):
                raise Unusable(found + ": write numbers with a decimal point") from None
            raise Unusable(found, hint if named else "leave it out") from None
    return numbers
