"""The record that every data set becomes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import StandardScaler

from dcrc_explore.datasets.items import Items, Rows
from dcrc_explore.words import writable


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

    @property
    def n_classes(self) -> int | None:
        """Number of true classes, None when they are unknown."""
        return None if self.y is None else len(self.class_names)

    @cached_property
    def cards(self) -> Items:
        """What a person sees for each row: the items, or the row itself."""
        return self.items or Rows(self.X, self.feature_names)

    def standardized(self) -> Dataset:
        """Return the same data with zero mean and unit standard deviation in each feature, as in the paper.

        People still see the original values, in units that they know.
        """
        return replace(self, X=StandardScaler().fit_transform(self.X), items=self.cards)

    @cached_property
    def is_standardized(self) -> bool:
        """Whether `standardized` would change nothing."""
        return np.allclose(self.X, self.standardized().X)

    def __repr__(self) -> str:
        N, n_features = self.X.shape
        classes = "classes unknown" if self.y is None else f"{self.n_classes} classes"
        return f"Dataset({self.name!r}, {N} points, {n_features} features, {classes})"
