"""Data as they come: from arrays, tables, files, folders and items, with features made where none are given."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.arrays import FloatArray
from dcrc_explore.datasets.classes import as_strings
from dcrc_explore.datasets.dataset import Dataset
from dcrc_explore.datasets.files import read_csv, read_lines, read_npy, read_npz
from dcrc_explore.datasets.folder import RawData, left_out, read_folder
from dcrc_explore.datasets.item_files import as_items
from dcrc_explore.datasets.items import Items
from dcrc_explore.datasets.table import Column, Table, as_numbers
from dcrc_explore.embeddings import make_item_features
from dcrc_explore.embeddings.registry import is_made
from dcrc_explore.progress import Bar, Watch, unwatched
from dcrc_explore.words import listed


def _with_features(given: RawData, features: Any, watch: Watch | None, all_rows: bool) -> RawData:
    """Make X of the items; those that cannot be read are left out, unless all rows are needed."""
    if given.items is None:
        raise ValueError("features are made of items, but there are none: give images, texts or sounds as items")
    items = as_items(given.items, len(given.items), given.table.folder)
    bar = Bar()
    try:
        made = make_item_features(items, features, watch or bar)
    finally:
        bar.close()
    n_unread = len(items) - len(made.rows)
    unread = left_out({items.text(i): why for i, why in made.problems.items()}, len(items))
    if n_unread and all_rows:
        raise ValueError(f"all {len(items)} items must be readable, got {unread}")
    if n_unread:
        given, items = given.only(made.rows, len(items)), items.take(made.rows)
    return replace(
        given,
        X=made.X,
        items=items,
        feature_names=tuple(f"component {d + 1}" for d in range(made.X.shape[1])),
        description="; ".join(filter(None, [given.description, f"features: {made.description}", unread])),
        made_by=made.name,
    )


def collect(X: Any, y: Any, features: Any, ignore: Sequence[str], items: Any, watch: Watch | None) -> RawData:
    """Return what was given, with X made of the items where it is to be."""
    given = _given(X, y, features, ignore, items, watch or unwatched)
    if given.X is not None:
        return given
    return _with_features(given, features if is_made(features) else None, watch, isinstance(X, Dataset))


def _given(X: Any, y: Any, features: Any, ignore: Sequence[str], items: Any, watch: Watch) -> RawData:
    path = Path(X).expanduser() if isinstance(X, str | PathLike) else None
    made = is_made(features)
    if path is not None and os.path.isdir(path):
        given = read_folder(path, made=made)
        y, items = given.y if y is None else y, given.items if items is None else items
        given.y, given.items = y, items
    elif (table := as_table(X, watch)) is not None:
        return _from_table(table, y, features, ignore, items, path)
    elif isinstance(X, Dataset):
        y, class_names = (X.y, X.class_names) if y is None else (y, None)
        items = X.items if items is None else items
        given = RawData(X.X, y, X.name, X.feature_names, class_names, items, X.description, made_by=X.features)
        given.rows = X.rows
        given.others = {name: np.array(cells, dtype=object) for name, cells in X.other_columns.items()}
        if made:
            given = replace(given, X=None, description="")
    elif path is not None and path.suffix == ".txt":
        lines = read_lines(path)
        given = RawData(None, y, path.stem, items=list(lines.values()) if items is None else items)
        given.rows = np.array(list(lines), dtype=np.int64)
    elif path is not None:
        arrays = read_npz(path) if path.suffix == ".npz" else {"X": read_npy(path)}
        y, items = arrays.get("y") if y is None else y, arrays.get("items") if items is None else items
        class_names = _as_names(arrays["names"]) if "names" in arrays else None
        given = RawData(None if made else _as_points(arrays["X"]), y, path.stem, class_names=class_names, items=items)
        given.table = Table({}, folder=path.parent)
    elif _are_items(X):
        given = RawData(None, y, items=X if isinstance(X, Items) else list(X))
    else:
        given = RawData(None if made else _as_points(X), y, items=items)
    if (features is not None and not made) or ignore:
        raise ValueError("features and ignore name columns of a table, but X has no columns with names")
    for what, value in (("y", y), ("items", items)):
        if isinstance(value, str):
            raise ValueError(f"{what} can name a column only of a table with column names, got {what}={value!r}")
    return given


def _are_items(X: Any) -> bool:
    """Whether X is what people see, from which features are still to be made."""
    if isinstance(X, Items):
        return True
    first = next(iter(X), None) if isinstance(X, Iterable) else None
    return isinstance(first, str | PathLike) and all(isinstance(each, str | PathLike) for each in X)


def _from_table(table: Table, y: Any, features: Any, ignore: Sequence[str], items: Any, path: Path | None) -> RawData:
    made = is_made(features)
    if made and isinstance(features, str) and features in table.columns and items is None:
        # A column may be called as features are: one of numbers is a feature, another what they are made of.
        made = Column.of(features, table.columns[features]).kind != "numbers"
        items = features if made else None
    columns, classes, seen, others = table.split(
        y if isinstance(y, str) else None,
        items if isinstance(items, str) else None,
        () if made else as_list(features),
        ignore,
    )
    return RawData(
        np.column_stack([table.numeric(column) for column in columns]) if columns else None,
        classes if y is None or isinstance(y, str) else y,
        path.stem if path else "own data",
        tuple(columns),
        items=seen if isinstance(items, str) else items,
        table=table,
        others=others,
    )


def as_table(data: Any, watch: Watch = unwatched) -> Table | None:
    """Return what has named columns as a table; None for arrays and archives of arrays."""
    if isinstance(data, Table):
        return data
    if isinstance(data, str | PathLike):
        path = Path(data).expanduser()
        if path.suffix == ".csv":
            return read_csv(path, watch)
        if path.suffix not in (".npz", ".npy", ".txt"):
            if not path.exists():
                raise FileNotFoundError(f"there is no file or folder {str(path)!r}")
            raise ValueError(
                "data must be a .csv, .npz or .npy file, a .txt file with a text in each line, or a folder of images, "
                f"sounds or texts, got {str(path)!r}"
            )
    elif hasattr(data, "columns") and hasattr(data, "to_numpy"):
        # A DataFrame of pandas or polars, without importing it.
        table = Table({str(column): np.asarray(data[column]) for column in data.columns}, index=_index(data))
        if len(table.columns) != len(data.columns):
            raise ValueError(f"column names must differ, got {listed(list(map(str, data.columns)))}")
        return table
    return None


def _index(frame: Any) -> dict[str, NDArray[Any]]:
    """Return how a DataFrame of pandas calls its rows, unless by their places alone, as one column."""
    index = getattr(frame, "index", None)
    if index is None or np.array_equal(index, np.arange(len(frame))):
        return {}
    name = str(index.name or "index")
    while name in frame.columns:
        name += " (index)"
    return {name: np.array([str(each) for each in index], dtype=object)}


def as_list(names: Sequence[str] | None) -> Any:
    """Take a single name for a list of one."""
    return [names] if isinstance(names, str) else names


def _as_names(names: NDArray[Any]) -> tuple[str, ...]:
    if names.ndim != 1:
        raise ValueError(f"names must be a list of class names, got shape {names.shape}")
    return tuple(as_strings(names).tolist())


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
