"""A user's own arrays, tables and files as a :class:`Dataset`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dcrc_explore.arrays import FloatArray
from dcrc_explore.datasets.dataset import Dataset
from dcrc_explore.datasets.files import Watch, read_csv, read_npz, unwatched
from dcrc_explore.datasets.folder import read_folder
from dcrc_explore.datasets.item_files import as_items
from dcrc_explore.datasets.limits import check_size
from dcrc_explore.datasets.table import Column, Table, Unusable, as_numbers
from dcrc_explore.words import listed

MAX_CLASSES = 1000


class IncompleteRows(Unusable):
    """Some rows have empty cells; ``as_dataset(..., drop_incomplete=True)`` leaves these rows out.

    Attributes
    ----------
    found : str
        What is the matter, without what to do about it.
    n_rows : int
        How many rows would be left out.
    n_unnamed : int
        How many of them lack nothing but their class.
    """

    def __init__(self, found: str, n_rows: int, n_unnamed: int = 0) -> None:
        super().__init__(found, "fill them, or leave these rows out (drop_incomplete=True)")
        self.n_rows, self.n_unnamed = n_rows, n_unnamed


def as_dataset(
    X: Any,
    y: ArrayLike | str | None = None,
    *,
    name: str | None = None,
    features: Sequence[str] | None = None,
    ignore: Sequence[str] = (),
    items: Any = None,
    drop_incomplete: bool = False,
    watch: Watch = unwatched,
) -> Dataset:
    """Make a :class:`Dataset` of a user's own data.

    Parameters
    ----------
    X : array-like of shape (N, n_features), DataFrame, path or Dataset
        A path names a ``.csv`` file, an ``.npz`` file or a folder of images. A CSV file may start with a row of column
        names. An ``.npz`` file holds an array X and possibly y, ``names`` (of the classes) and ``items``. A folder may
        hold its features in ``features.csv`` (with a column of file names) or ``features.npy`` (in the order of the
        names); without, they are made of the pixels. A Dataset is returned as it is when nothing else is said.
        There may be at most 1,000,000 rows and 20,000,000 cells, a file may have at most 500 MB.
    y : array-like of shape (N,), column name or None
        True classes, of any type. A string names the column of the table that holds them. When None, a column (or
        array) called y is taken if there is one.
    name : str, optional
        How to call the data; by default the name of the file, or "own data".
    features : sequence of column names, optional
        The columns that the model sees; by default all that play no other part.
    ignore : sequence of column names
        Columns to leave out.
    items : array-like, column name, Items or None
        What a person sees for each row: an array of images of shape (N, H, W) or (N, H, W, 3 or 4), a list of texts or
        of names of image or sound files, a column of these, or :class:`~dcrc_explore.datasets.Items`.
    drop_incomplete : bool, default=False
        Leave out rows with empty cells, in features or class, instead of raising :class:`IncompleteRows`.
    watch : callable(done, total, what), optional
        Told again and again how much of a file or folder is read, in "kB" or "images"; what it raises ends the reading.

    Returns
    -------
    Dataset

    Examples
    --------
    >>> data = as_dataset([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]], ["oak", "elm", "oak"], name="trees")
    >>> data, data.y, data.class_names
    (Dataset('trees', 3 points, 2 features, 2 classes), array([1, 0, 1]), ('elm', 'oak'))
    >>> as_dataset([[1.0, 2.0], [3.0, None], [5.0, 7.0]], drop_incomplete=True).X.tolist()
    [[1.0, 2.0], [5.0, 7.0]]
    >>> as_dataset([[1.0], [3.0]], items=["a short text", "another"]).cards.text(1)
    'another'
    """
    if isinstance(X, Dataset) and y is None and name is None and items is None:
        return X
    given = _given(X, y, _names(features), _names(ignore) or (), items, watch)
    numbers, table, names = given.X, given.table, given.feature_names
    check_size(len(numbers), numbers.size, "X")
    classes = None if given.y is None else _as_classes(given.y, len(numbers))
    seen = None if given.items is None else as_items(given.items, len(numbers), table.folder)
    kept = _complete_rows(numbers, classes, table, names, drop_incomplete)
    numbers, classes = numbers[kept], None if classes is None else classes[kept]
    _check_points(numbers, table, names, kept)
    codes, class_names = _as_codes(classes, given.class_names)
    n_left_out = len(kept) - len(numbers)
    left_out = f"{_rows(n_left_out)} with empty cells left out" if n_left_out else ""
    return Dataset(
        numbers,
        codes,
        name or given.name,
        feature_names=names,
        class_names=class_names,
        description="; ".join(filter(None, [given.description, left_out])),
        items=seen.take(kept) if seen is not None and n_left_out else seen,
    )


@dataclass
class _Given:
    """Data as they came, before they are checked."""

    X: FloatArray
    y: Any
    name: str = "own data"
    feature_names: tuple[str, ...] = ()
    class_names: tuple[str, ...] | None = None
    items: Any = None
    description: str = ""
    table: Table = field(default_factory=lambda: Table({}))


def _given(X: Any, y: Any, features: Sequence[str] | None, ignore: Sequence[str], items: Any, watch: Watch) -> _Given:
    path = Path(X).expanduser() if isinstance(X, str | PathLike) else None
    if path is not None and os.path.isdir(path):
        folder = read_folder(path, watch)
        y, items = folder.y if y is None else y, folder.items if items is None else items
        given = _Given(folder.X, y, path.resolve().name, folder.feature_names, None, items, folder.description)
    elif (table := as_table(X, watch)) is not None:
        columns, classes, seen = table.split(
            y if isinstance(y, str) else None, items if isinstance(items, str) else None, features, ignore
        )
        return _Given(
            np.column_stack([table.numeric(column) for column in columns]),
            classes if y is None or isinstance(y, str) else y,
            path.stem if path else "own data",
            tuple(columns),
            items=seen if isinstance(items, str) else items,
            table=table,
        )
    elif isinstance(X, Dataset):
        y, class_names = (X.y, X.class_names) if y is None else (y, None)
        items = X.items if items is None else items
        given = _Given(X.X, y, X.name, X.feature_names, class_names, items, X.description)
    elif path is not None:
        arrays = read_npz(path)
        y, items = arrays.get("y") if y is None else y, arrays.get("items") if items is None else items
        class_names = _as_names(arrays["names"]) if "names" in arrays else None
        given = _Given(_as_points(arrays["X"]), y, path.stem, class_names=class_names, items=items)
        given.table = Table({}, folder=path.parent)
    else:
        given = _Given(_as_points(X), y, items=items)
    if features is not None or ignore:
        raise ValueError("features and ignore name columns of a table, but X has no columns with names")
    for what, value in (("y", y), ("items", items)):
        if isinstance(value, str):
            raise ValueError(f"{what} can name a column only of a table with column names, got {what}={value!r}")
    return given


def describe_columns(data: Any) -> tuple[Column, ...]:
    """Say what each column of a CSV file or of a data frame holds, so that a user can choose what is made of it.

    Parameters
    ----------
    data : path of a ``.csv`` file, DataFrame or Table

    Examples
    --------
    >>> import pandas as pd
    >>> for column in describe_columns(pd.DataFrame({"width": [1.5, None], "photo": ["a.png", "b.png"]})):
    ...     print(column.name, column.kind, column.n_empty, column.examples)
    width numbers 1 ('1.5',)
    photo images 0 ('a.png', 'b.png')
    """
    table = as_table(data)
    if table is None:
        raise ValueError(f"only a .csv file and a data frame have columns with names, got {type(data).__name__}")
    return tuple(Column.of(name, values) for name, values in table.columns.items())


def as_table(data: Any, watch: Watch = unwatched) -> Table | None:
    """Return what has named columns as a table; None for arrays and archives of arrays."""
    if isinstance(data, Table):
        return data
    if isinstance(data, str | PathLike):
        path = Path(data).expanduser()
        if path.suffix == ".csv":
            return read_csv(path, watch)
        if path.suffix != ".npz":
            if not path.exists():
                raise FileNotFoundError(f"there is no file or folder {str(path)!r}")
            raise ValueError(f"data must be a .csv or .npz file or a folder of images, got {str(path)!r}")
    elif hasattr(data, "columns") and hasattr(data, "to_numpy"):
        # A DataFrame of pandas or polars, without importing it.
        table = Table({str(column): np.asarray(data[column]) for column in data.columns})
        if len(table.columns) != len(data.columns):
            raise ValueError(f"column names must differ, got {listed(list(map(str, data.columns)))}")
        return table
    return None


def _names(names: Sequence[str] | None) -> Any:
    """Take a single name for a list of one."""
    return [names] if isinstance(names, str) else names


def _as_names(names: NDArray[Any]) -> tuple[str, ...]:
    if names.ndim != 1:
        raise ValueError(f"names must be a list of class names, got shape {names.shape}")
    return tuple(_as_strings(names).tolist())


def _as_strings(values: NDArray[Any]) -> NDArray[Any]:
    return np.char.decode(values, "utf-8", "replace") if values.dtype.kind == "S" else values.astype(str)


def _as_points(X: Any) -> FloatArray:
    try:
        X = np.asarray(X)
    except ValueError:
        raise ValueError("X must have shape (N, n_features), got rows of different lengths") from None
    if X.ndim != 2:
        raise ValueError(f"X must have shape (N, n_features), got {X.shape}")
    if X.dtype.kind in "biuf":
        return X.astype(np.float64)
    table = Table({})
    columns = [as_numbers(column, table, str(d), named=False) for d, column in enumerate(X.T)]
    return np.column_stack(columns) if columns else np.empty(X.shape)


def _complete_rows(
    X: FloatArray, y: NDArray[Any] | None, table: Table, feature_names: Sequence[str], drop: bool
) -> NDArray[np.bool_]:
    """Tell the rows without empty cells; unless `drop` allows it there must be no others."""
    empty = np.isnan(X)
    unnamed = np.zeros(len(X), dtype=bool) if y is None else np.array(list(map(_is_empty, y.tolist())), bool)
    incomplete = empty.any(axis=1) | unnamed
    n_incomplete = int(incomplete.sum())
    if n_incomplete and not drop:
        row = int(np.argmax(incomplete))
        d = int(np.argmax(empty[row]))
        column = "the class" if not empty[row].any() else f"column {repr(feature_names[d]) if feature_names else d}"
        have = "has an empty cell" if n_incomplete == 1 else "have empty cells"
        raise IncompleteRows(
            f"{n_incomplete} of {len(X)} rows {have} (the first: {table.place(row)}, {column})",
            n_incomplete,
            int((unnamed & ~empty.any(axis=1)).sum()),
        )
    return ~incomplete


def _is_empty(value: Any) -> bool:
    return value is None or str(value).strip().lower() in ("", "nan", "<na>", "nat")


def _rows(n: int) -> str:
    return f"{n} row{'' if n == 1 else 's'}"


def _check_points(X: FloatArray, table: Table, feature_names: Sequence[str], kept: NDArray[np.bool_]) -> None:
    if X.shape[0] < 2 or X.shape[1] < 1:
        left = f"{X.shape} after {_rows(len(kept) - len(X))} with empty cells were left out"
        raise ValueError(
            f"data must have at least two rows and one column, got shape {X.shape if len(X) == len(kept) else left}"
        )
    bad = ~np.isfinite(X)
    if bad.any():
        row, d = np.argwhere(bad)[0].tolist()
        column = repr(feature_names[d]) if feature_names else str(d)
        raise ValueError(
            f"features must be finite, got {X[row, d]} in column {column}, "
            f"{table.place(int(np.flatnonzero(kept)[row]))} ({bad.sum()} such cells in all): "
            "drop these rows or fill them"
        )


def _as_classes(y: Any, n_samples: int) -> NDArray[Any]:
    try:
        y = np.asarray(y)
    except ValueError:
        raise ValueError(f"y must have one class per row of X, shape ({n_samples},), got lists in it") from None
    if y.shape != (n_samples,):
        raise ValueError(f"y must have one class per row of X, shape ({n_samples},), got {y.shape}")
    if y.dtype.kind not in "biufUSO":
        raise ValueError(f"y must hold numbers or names, got {y.dtype}")
    return _as_strings(y) if y.dtype.kind == "S" else y


def _as_codes(
    y: NDArray[Any] | None, class_names: tuple[str, ...] | None
) -> tuple[NDArray[np.int64] | None, tuple[str, ...]]:
    """Code the classes as 0, 1, ... in sorted order; given names belong to y = 0, 1, ..."""
    if y is None:
        return None, ()
    # Python's strings, as an array of fixed width would be as wide as the longest.
    cells = [str(value).strip() for value in y.tolist()] if y.dtype.kind in "OU" else y
    if isinstance(cells, list):
        known = {cell: k for k, cell in enumerate(sorted(set(cells)))}
        names, codes = tuple(known), np.array([known[cell] for cell in cells])
    else:
        values, codes = np.unique(cells, return_inverse=True)
        names = tuple(f"{value:g}" if y.dtype.kind == "f" else str(value) for value in values)
    if class_names is not None:
        if y.dtype.kind not in "iu" or y.min() < 0 or y.max() >= len(class_names):
            raise ValueError(f"y must hold 0, ..., {len(class_names) - 1} to go with {len(class_names)} class names")
        names, codes = class_names, y
    if len(names) > MAX_CLASSES:
        raise ValueError(f"there may be at most {MAX_CLASSES} classes, got {len(names)}: do they number the rows?")
    return codes.astype(np.int64), names
