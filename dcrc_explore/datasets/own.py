"""A user's own arrays, tables and files as a :class:`Dataset`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.datasets.classes import as_classes, as_codes
from dcrc_explore.datasets.dataset import Dataset
from dcrc_explore.datasets.item_files import as_items
from dcrc_explore.datasets.limits import check_size
from dcrc_explore.datasets.sources import as_list, as_table, collect
from dcrc_explore.datasets.table import Column, Table, Unusable
from dcrc_explore.progress import Watch
from dcrc_explore.words import count, listed


class IncompleteRows(Unusable):
    """Some rows have empty cells; ``as_dataset(..., drop_incomplete=True)`` leaves these rows out.

    Attributes
    ----------
    found : str
        What is wrong, without advice.
    n_rows : int
        How many rows would be left out.
    n_unnamed : int
        How many of them lack only their class.

    Examples
    --------
    >>> try:
    ...     as_dataset([[1.0, 2.0], [3.0, None], [5.0, 7.0]])
    ... except IncompleteRows as error:
    ...     print(error.n_rows)
    1
    """

    def __init__(self, found: str, n_rows: int, n_unnamed: int = 0) -> None:
        super().__init__(found, "fill them, or leave these rows out (drop_incomplete=True)")
        self.n_rows, self.n_unnamed = n_rows, n_unnamed


def as_dataset(
    X: Any,
    y: ArrayLike | str | None = None,
    *,
    name: str | None = None,
    features: str | Sequence[str] | Callable[..., Any] | None = None,
    ignore: Sequence[str] = (),
    items: Any = None,
    drop_incomplete: bool = False,
    watch: Watch | None = None,
) -> Dataset:
    """Make a :class:`Dataset` of a user's own data.

    Parameters
    ----------
    X : array-like of shape (N, n_features), DataFrame, path, list of texts or of files, Items or Dataset
        A path names a ``.csv``, ``.npz`` or ``.npy`` file, a ``.txt`` file with a text in each line, or a folder of
        images, WAV files or ``.txt`` files. A CSV file may start with a row of column names. An ``.npz`` file holds an
        array X and possibly y, ``names`` (of the classes) and ``items``, an ``.npy`` file X alone. A folder may hold
        its features in ``features.csv`` (with a column of file names) or ``features.npy`` (in the order of the names);
        otherwise features are made of the files. A Dataset is returned unchanged if no other argument is given. The
        limits are 1,000,000 rows, 20,000,000 cells and 500 MB for a file.
    y : array-like of shape (N,), column name or None
        True classes, of any type. A string names the column of the table that holds them. When None, a column (or
        array) called y is taken if there is one.
    name : str, optional
        Name of the data; by default that of the file, or "own data".
    features : sequence of column names, str or callable, optional
        Columns that the model sees, by default all that play no other part. Or how features are made of the items: a
        name in :func:`~dcrc_explore.embeddings.list_features` ("photo", "pixels", "text", "words", "sound",
        "speech"), the name of an ``.onnx`` file with a network for images, or a function from the list of all items
        (paths of files, texts or arrays of pixels) to an array with one row for each. Without numbers, suitable
        features are made of the items; `description` says which.
    ignore : sequence of column names, default=()
        Columns to leave out.
    items : array-like, column name, Items or None
        What a person sees for each row: an array of images of shape (N, H, W) or (N, H, W, 3 or 4), a list of texts or
        of names of image or sound files, a column of these, or :class:`~dcrc_explore.datasets.Items`.
    drop_incomplete : bool, default=False
        Leave out rows with empty cells, in features or class, instead of raising :class:`IncompleteRows`.
    watch : callable(done, total, what), optional
        Called repeatedly with the progress, in words such as "images, about 20 s left"; an exception in it ends the
        work. By default a progress bar appears when features take more than two seconds.

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
    >>> as_dataset(["rain and wind", "wind and sun", "a late goal"], features="words").X.shape
    (3, 2)
    """
    if isinstance(X, Dataset) and y is None and name is None and items is None and features is None:
        return X
    given = collect(X, y, features, as_list(ignore) or (), items, watch)
    numbers, table, names = given.X, given.table, given.feature_names
    assert numbers is not None
    check_size(len(numbers), numbers.size, "X")
    classes = None if given.y is None else as_classes(given.y, len(numbers))
    seen = None if given.items is None else as_items(given.items, len(numbers), table.folder)
    rows = np.arange(len(numbers)) if given.rows is None else given.rows
    complete = _complete_rows(numbers, classes, table, rows, names, drop_incomplete)
    numbers, classes, rows = numbers[complete], None if classes is None else classes[complete], rows[complete]
    _check_points(numbers, table, rows, names, len(complete) - len(numbers))
    codes, class_names = as_codes(classes, given.class_names)
    n_left_out = len(complete) - len(numbers)
    dropped = f"{count(n_left_out, 'row')} with empty cells left out" if n_left_out else ""
    commas = f"decimal commas in {listed(table.with_commas)}" if table.with_commas else ""
    return Dataset(
        numbers,
        codes,
        name or given.name,
        feature_names=names,
        class_names=class_names,
        description="; ".join(filter(None, [given.description, commas, dropped])),
        items=seen.take(complete) if seen is not None and n_left_out else seen,
        features=given.made_by,
        source_rows=rows,
        other_columns={name: list(map(str, cells[complete].tolist())) for name, cells in given.others.items()},
    )


def describe_columns(data: Any) -> tuple[Column, ...]:
    """Describe each column of a CSV file, data frame or :class:`Table`, so that a user can choose its part.

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


def _complete_rows(
    X: FloatArray, y: NDArray[Any] | None, table: Table, rows: IntArray, feature_names: Sequence[str], drop: bool
) -> NDArray[np.bool_]:
    """Return which rows have no empty cells; unless `drop` is set, all rows must be complete."""
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
            f"{n_incomplete} of {len(X)} rows {have} (the first: {table.place(rows[row])}, {column})",
            n_incomplete,
            int((unnamed & ~empty.any(axis=1)).sum()),
        )
    return ~incomplete


def _is_empty(value: Any) -> bool:
    return value is None or str(value).strip().lower() in ("", "nan", "<na>", "nat")


def _check_points(X: FloatArray, table: Table, rows: IntArray, feature_names: Sequence[str], n_left_out: int) -> None:
    if X.shape[0] < 2 or X.shape[1] < 1:
        after = f" after {count(n_left_out, 'row')} with empty cells were left out" if n_left_out else ""
        raise ValueError(f"data must have at least two rows and one column, got shape {X.shape}{after}")
    bad = ~np.isfinite(X)
    if bad.any():
        row, d = np.argwhere(bad)[0].tolist()
        column = repr(feature_names[d]) if feature_names else str(d)
        raise ValueError(
            f"features must be finite, got {X[row, d]} in column {column}, "
            f"{table.place(rows[row])} ({bad.sum()} such cells in all): "
            "drop these rows or fill them"
        )
