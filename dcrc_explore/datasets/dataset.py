"""The record that every data set becomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import StandardScaler

from dcrc_explore.datasets.items import Items, Rows
from dcrc_explore.words import writable

if TYPE_CHECKING:
    from dcrc_explore.datasets.drawn import Drawing

_LONGEST_NAME = 40  # characters that an item is called by
_MOST_NAMES = 20_000


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    r"""Points, what is known about them, and where they came from.

    Parameters
    ----------
    X : ndarray of shape (N, n_features)
        The points, read-only.
    y : ndarray of shape (N,) or None
        True classes 0, ..., K - 1, read-only; None when they are unknown.
    name : str
        Name in the registry, or a name of the user's own data.
    parameters : dict
        What ``make_dataset(name, **parameters)`` needs to make the same points again; empty for other data.
    feature_names, class_names : tuple of str, default=()
        One per column of X and one per class.
    description : str, default=""
        One line for a reader.
    items : Items, optional
        What a person sees for each row; without items, `cards` shows the row itself.
    features : str, default=""
        How X was made from the items: a name in :func:`~dcrc_explore.embeddings.list_features`, or the name of a file
        or function; "" when X was given.
    source_rows : ndarray of shape (N,), optional
        Which row of the file, table, folder or list each row of X is, counted from 0 without the column names. Numbers
        are missing where rows were left out; by default 0, ..., N - 1.
    other_columns : dict of name to sequence of str, optional
        The other columns of the table, such as ids: neither features nor class nor items. Exported tables have them.
    drawing : Drawing, optional
        What is known of points that were drawn by hand.

    Examples
    --------
    >>> import numpy as np
    >>> data = Dataset(np.array([[0.0, 10.0], [2.0, 30.0]]), np.array([0, 1]), "tiny", class_names=("a", "b"))
    >>> data
    Dataset('tiny', 2 points, 2 features, 2 classes)
    >>> data.standardized().X
    array([[-1., -1.],
           [ 1.,  1.]])
    >>> data.cards.text(1)
    'x1 = 2\nx2 = 30'
    """

    X: NDArray[np.float64]
    y: NDArray[np.int64] | None
    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    feature_names: tuple[str, ...] = ()
    class_names: tuple[str, ...] = ()
    description: str = ""
    items: Items | None = None
    features: str = ""
    source_rows: NDArray[np.int64] | None = None
    other_columns: Mapping[str, Sequence[str]] = field(default_factory=dict)
    drawing: Drawing | None = None

    def __post_init__(self) -> None:
        X = np.array(self.X, dtype=np.float64, order="C")
        X.flags.writeable = False
        object.__setattr__(self, "X", X)
        if self.y is not None:
            y = np.array(self.y, dtype=np.int64)
            y.flags.writeable = False
            object.__setattr__(self, "y", y)
        for names in ("feature_names", "class_names"):
            object.__setattr__(self, names, tuple(map(writable, getattr(self, names))))
        for text in ("name", "description"):
            object.__setattr__(self, text, writable(getattr(self, text)))
        if not self.feature_names:
            object.__setattr__(self, "feature_names", tuple(f"x{d + 1}" for d in range(X.shape[1])))
        if self.items is not None and len(self.items) != len(X):
            raise ValueError(f"items must have one item per row of X, {len(X)}, got {len(self.items)}")
        if self.source_rows is not None and len(self.source_rows) != len(X):
            raise ValueError(f"source_rows must have a number per row of X, {len(X)}, got {len(self.source_rows)}")
        columns = {writable(name): tuple(map(writable, cells)) for name, cells in self.other_columns.items()}
        for name, cells in columns.items():
            if len(cells) != len(X):
                raise ValueError(f"the column {name!r} must have a cell per row of X, {len(X)}, got {len(cells)}")
        object.__setattr__(self, "other_columns", columns)

    @property
    def n_classes(self) -> int | None:
        """Number of true classes, None when they are unknown."""
        return None if self.y is None else len(self.class_names)

    @cached_property
    def cards(self) -> Items:
        """What a person sees for each row: the items, or the row itself."""
        return self.items or Rows(self.X, self.feature_names)

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """The row of the file that each row of X is: `source_rows`, or 0, ..., N - 1."""
        return np.arange(len(self.X)) if self.source_rows is None else np.array(self.source_rows, dtype=np.int64)

    @cached_property
    def skips_rows(self) -> bool:
        """Whether rows of the file were left out, so that the rows of X have other numbers than those of the file."""
        return not np.array_equal(self.rows, np.arange(len(self.X)))

    @cached_property
    def ids(self) -> Sequence[str] | None:
        """The first of the other columns that tells all rows apart, None if none does."""
        return next((c for c in self.other_columns.values() if all(c) and len(set(c)) == len(c)), None)

    def called(self, i: int) -> str:
        """Return what people call row i: the name of its file, the beginning of its text, or its id.

        Without these it is the row of the file if rows of it were left out, else "".

        Examples
        --------
        >>> data = Dataset(np.eye(2), None, "tiny", other_columns={"id": ["b7", "c2"]})
        >>> data.called(1), Dataset(np.eye(2), None, "tiny").called(1)
        ('c2', '')
        """
        name = self.items.name(i) if self.items is not None else ""
        if not name:
            name = self.ids[i] if self.ids is not None else f"row {self.rows[i]}" if self.skips_rows else ""
        text = " ".join(writable(name[: 4 * _LONGEST_NAME]).split())
        return text if len(text) <= _LONGEST_NAME else f"{text[: _LONGEST_NAME - 1]}…"

    @cached_property
    def names(self) -> list[str] | None:
        """What people call each row, as :meth:`called` says; None where rows have only numbers, or are very many."""
        return [self.called(i) for i in range(len(self.X))] if len(self.X) <= _MOST_NAMES and self.called(0) else None

    def standardized(self) -> Dataset:
        """Return the same data with zero mean and unit standard deviation in each feature, as in the paper.

        People still see the original values, in units that they know.
        """
        return replace(self, X=StandardScaler().fit_transform(self.X), items=self.cards, drawing=None)

    @cached_property
    def is_standardized(self) -> bool:
        """Whether `standardized` would change nothing."""
        return np.allclose(self.X, self.standardized().X)

    def __repr__(self) -> str:
        N, n_features = self.X.shape
        classes = "classes unknown" if self.y is None else f"{self.n_classes} classes"
        return f"Dataset({self.name!r}, {N} points, {n_features} features, {classes})"
