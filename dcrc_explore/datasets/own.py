"""A user's own arrays, tables and files as a :class:`Dataset`."""

from __future__ import annotations

import csv
import zipfile
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dcrc_explore.datasets.dataset import Dataset

Columns = dict[str, NDArray[Any]]


def as_dataset(X: Any, y: ArrayLike | str | None = None, *, name: str | None = None) -> Dataset:
    """Make a :class:`Dataset` of a user's own data.

    Parameters
    ----------
    X : array-like of shape (N, n_features), DataFrame, path or Dataset
        A path ends in ``.csv`` or ``.npz``. A CSV file may start with a row of column names. An ``.npz`` file holds an
        array X and possibly y and ``names`` (of the classes). A Dataset is returned as it is when y is None.
    y : array-like of shape (N,), column name or None
        True classes, of any type. A string names the column of the table that holds them. When None, a column (or
        array) called y is taken if there is one.
    name : str, optional
        How to call the data; by default the name of the file, or "own data".

    Returns
    -------
    Dataset

    Examples
    --------
    >>> data = as_dataset([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]], ["oak", "elm", "oak"], name="trees")
    >>> data, data.y, data.class_names
    (Dataset('trees', 3 points, 2 features, 2 classes), array([1, 0, 1]), ('elm', 'oak'))
    """
    feature_names: tuple[str, ...] = ()
    class_names: tuple[str, ...] | None = None
    if isinstance(X, Dataset):
        if y is None and name is None:
            return X
        name, feature_names = name or X.name, X.feature_names
        if y is None:
            y, class_names = X.y, X.class_names
        X = X.X
    elif isinstance(X, str | PathLike):
        path = Path(X).expanduser()
        name = name or path.stem
        if path.suffix in (".csv", ".npz") and not path.is_file():
            raise FileNotFoundError(f"there is no file {str(path.absolute())!r}")
        if path.suffix == ".csv":
            X, y, feature_names = _split(_read_csv(path), y)
        elif path.suffix == ".npz":
            arrays = _read_npz(path)
            X, y = arrays["X"], arrays.get("y") if y is None else y
            class_names = tuple(map(str, arrays["names"])) if "names" in arrays else None
        else:
            raise ValueError(f"a data file must end in .csv or .npz, got {str(path)!r}")
    elif hasattr(X, "columns") and hasattr(X, "to_numpy"):  # a DataFrame of pandas or polars, without importing it
        X, y, feature_names = _split({str(column): np.asarray(X[column]) for column in X.columns}, y)
    if isinstance(y, str):
        raise ValueError(f"y can name a column only of a table with column names, got y={y!r} with a plain array")
    X = _as_points(X, feature_names)
    y, class_names = _as_classes(y, len(X), class_names)
    return Dataset(X, y, name or "own data", feature_names=feature_names, class_names=class_names)


def _split(columns: Columns, y: ArrayLike | str | None) -> tuple[NDArray[Any], ArrayLike | None, tuple[str, ...]]:
    """Separate the column of the classes from the features."""
    if isinstance(y, str) and y not in columns:
        raise ValueError(f"the table has the columns {', '.join(columns)}, got y={y!r}")
    if y is None and "y" in columns:
        y = "y"
    if isinstance(y, str):
        columns = dict(columns)
        y = columns.pop(y)
    if not columns:
        raise ValueError("the table must have at least one column besides the classes")
    features = [_as_numbers(values, f"column {column!r}", column) for column, values in columns.items()]
    return np.column_stack(features), y, tuple(columns)


def _as_numbers(values: NDArray[Any], where: str, column: str | None = None) -> NDArray[np.float64]:
    """Turn one column into floats; name the first cell that is no number."""
    if values.dtype.kind in "biuf":
        return values.astype(np.float64)
    numbers = np.empty(len(values))
    for row, value in enumerate(values):
        try:
            numbers[row] = np.nan if isinstance(value, str) and not value.strip() else float(value)
        except (TypeError, ValueError):
            hint = f", or name it as the column of the classes (y={column!r})" if column else ""
            raise ValueError(
                f"features must be numbers, got {str(value)!r} in row {row} of {where}: leave it out{hint}"
            ) from None
    return numbers


def _as_points(X: Any, feature_names: tuple[str, ...]) -> NDArray[np.float64]:
    X = np.asarray(X)
    if X.ndim != 2:
        raise ValueError(f"X must have shape (N, n_features), got {X.shape}")
    if X.shape[0] < 2 or X.shape[1] < 1:
        raise ValueError(f"X must have at least two rows and one column, got shape {X.shape}")
    if X.dtype.kind not in "biuf":
        X = np.column_stack([_as_numbers(column, f"column {d}") for d, column in enumerate(X.T)])
    X = X.astype(np.float64)
    bad = ~np.isfinite(X)
    if bad.any():
        row, d = np.argwhere(bad)[0].tolist()
        column = repr(feature_names[d]) if feature_names else str(d)
        raise ValueError(
            f"features must be finite, got {X[row, d]} in row {row} of column {column} "
            f"({bad.sum()} such cells in all): drop these rows or fill them"
        )
    return X


def _as_classes(
    y: Any, n_samples: int, class_names: tuple[str, ...] | None
) -> tuple[NDArray[np.int64] | None, tuple[str, ...]]:
    """Code the classes as 0, 1, ... in sorted order; given names belong to y = 0, 1, ..."""
    if y is None:
        return None, ()
    y = np.asarray(y)
    if y.shape != (n_samples,):
        raise ValueError(f"y must have one class per row of X, shape ({n_samples},), got {y.shape}")
    missing = np.array([value is None or value != value or value == "" for value in y.tolist()])
    if missing.any():
        raise ValueError(f"y must name a class for every row of X, got none in row {int(np.argmax(missing))}")
    if y.dtype.kind == "O":
        y = y.astype(str)
    values, codes = np.unique(y, return_inverse=True)
    if class_names is not None:
        if y.dtype.kind not in "iu" or values[0] < 0 or values[-1] >= len(class_names):
            raise ValueError(f"y must hold 0, ..., {len(class_names) - 1} to go with {len(class_names)} class names")
        return y.astype(np.int64), class_names
    return codes.astype(np.int64), tuple(f"{value:g}" if y.dtype.kind == "f" else str(value) for value in values)


def _read_csv(path: Path) -> Columns:
    with path.open(newline="", encoding="utf-8-sig") as file:
        delimiter = max(",;\t", key=file.readline().count)
        file.seek(0)
        rows = [row for row in csv.reader(file, delimiter=delimiter) if row]
    if not rows:
        raise ValueError(f"a CSV file must hold at least two rows, {str(path)!r} is empty")
    width = len(rows[0])
    for line, row in enumerate(rows, 1):
        if len(row) != width:
            raise ValueError(
                f"all rows of {str(path)!r} must have {width} cells as row 1 has, got {len(row)} in row {line}"
            )
    # A first row without any number is taken for column names.
    header = [cell.strip() for cell in rows[0]]
    if any(map(_is_number, header)):
        header = [f"x{d + 1}" for d in range(width)]
    else:
        rows = rows[1:]
    if len(set(header)) != width:
        raise ValueError(f"column names must differ, got {', '.join(header)}")
    table = np.array(rows, dtype=str).reshape(-1, width)
    return {column: np.char.strip(values) for column, values in zip(header, table.T, strict=True)}


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _read_npz(path: Path) -> Mapping[str, NDArray[Any]]:
    try:
        # Without pickle a file can hold nothing but arrays.
        with np.load(path, allow_pickle=False) as file:
            arrays = {key: file[key] for key in ("X", "y", "names") if key in file.files}
    except (ValueError, zipfile.BadZipFile) as error:
        raise ValueError(f"{str(path)!r} is not an .npz file of plain arrays: {error}") from error
    if "X" not in arrays:
        raise ValueError(f"{str(path)!r} must hold an array X")
    return arrays
