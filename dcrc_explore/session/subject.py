"""The data under exploration, and how it is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from os.path import isdir
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.datasets import Dataset, as_dataset, list_datasets, list_real_datasets, load_dataset, make_dataset
from dcrc_explore.plane import Extent, View
from dcrc_explore.progress import Watch
from dcrc_explore.session.settings import MOST_CLUSTERS, SessionError, Settings

# Characters of a name or a description: longer ones could not be shown, and are not read from a file.
_LONGEST_TEXT = 10_000


def as_rows(rows: ArrayLike, n_samples: int) -> IntArray:
    """Check row numbers and return them in order, each once.

    Examples
    --------
    >>> as_rows([5, 2, 5], 10)
    array([2, 5])
    >>> as_rows([5, 10], 10)
    Traceback (most recent call last):
        ...
    dcrc_explore.session.settings.SessionError: rows must be whole numbers from 0 to 9, got 10
    """
    values = np.asarray(rows)
    if not values.size:
        return np.empty(0, dtype=np.int64)
    bad = values if values.dtype.kind not in "iu" else values[(values < 0) | (values >= n_samples)]
    if bad.size:
        raise SessionError(f"rows must be whole numbers from 0 to {n_samples - 1}, got {bad.flat[0]}")
    return np.unique(values)


def standardized_name(name: str) -> str:
    """Return what data are called once their features are standardised."""
    return f"{name}, standardised"


def check_texts(dataset: Dataset) -> None:
    """Refuse names that a session file would not give back; what is written is read again.

    Examples
    --------
    >>> check_texts(Dataset(np.zeros((2, 1)), None, "x" * 20_000))
    Traceback (most recent call last):
        ...
    dcrc_explore.session.settings.SessionError: the data's name may have at most 10000 characters, got 20000
    """
    one = {"the data's name": dataset.name, "the data's description": dataset.description}
    many = {"the name of a feature": dataset.feature_names, "the name of a class": dataset.class_names}
    for what, texts in {**{what: (text,) for what, text in one.items()}, **many}.items():
        for text in texts:
            if len(text) > _LONGEST_TEXT:
                raise SessionError(f"{what} may have at most {_LONGEST_TEXT} characters, got {len(text)}")


class Subject:
    """A data set with its place in the plane.

    Parameters
    ----------
    dataset : Dataset

    Examples
    --------
    >>> subject = Subject(as_dataset([[0.0, 0, 1], [1, 0, 0], [0, 2, 0]]))
    >>> subject.points.shape, subject.is_projected
    ((3, 2), True)
    """

    def __init__(self, dataset: Dataset) -> None:
        check_texts(dataset)
        self.dataset = dataset

    @classmethod
    def of(
        cls,
        data: Any,
        y: ArrayLike | str | None = None,
        parameters: Mapping[str, Any] | None = None,
        items: Any = None,
        ignore: Sequence[str] = (),
        drop_incomplete: bool = False,
        features: Any = None,
    ) -> Subject:
        """Make a subject of a name with parameters, of a user's own points, or of a file."""
        known = isinstance(data, str) and data in (*list_datasets(), *list_real_datasets())
        try:
            if known and (y is not None or items is not None or ignore or drop_incomplete or features is not None):
                taken = "y, items, features, ignore and drop_incomplete"
                raise ValueError(f"only data of your own take {taken}, got {data!r}")
            if isinstance(data, str) and data in list_datasets():
                return cls(make_dataset(data, **(parameters or {})))
            if parameters:
                raise ValueError(f"only a generator ({', '.join(list_datasets())}) takes parameters, got {data!r}")
            if known:
                return cls(load_dataset(data))
            if isinstance(data, str) and not Path(data).suffix and not isdir(Path(data).expanduser()):
                names = ", ".join([*list_datasets(), *list_real_datasets()])
                raise ValueError(
                    "data must be points, a .csv or .npz file, a folder of images, sounds or texts, "
                    f"or one of {names}, got {data!r}"
                )
            own = as_dataset(data, y, items=items, features=features, ignore=ignore, drop_incomplete=drop_incomplete)
            return cls(own)
        except (ValueError, TypeError, OSError, ImportError) as error:
            raise SessionError(str(error)) from error

    def with_features(self, features: Any, watch: Watch | None = None) -> Subject:
        """Return the same items with other features, which :func:`as_dataset` makes, or made before."""
        try:
            made = features if isinstance(features, Dataset) else None
            made = made or as_dataset(self.dataset, features=features, watch=watch)
            if len(made.X) != len(self.dataset.X):
                raise ValueError(f"there must be features of {len(self.dataset.X)} items, got {len(made.X)}")
            return Subject(made)
        except (ValueError, TypeError, OSError, ImportError) as error:
            raise SessionError(str(error)) from error

    def regenerated(self, parameters: Mapping[str, Any]) -> Subject:
        """Make data again with the same generator, with these parameters changed."""
        name, old = self.dataset.name, self.dataset.parameters
        if not self.is_generated:
            raise SessionError(f"{name!r} was not generated: choose a generator first")
        return Subject.of(name, parameters={**old, **parameters})

    def standardized(self) -> Subject:
        """Return the same data with mean 0 and deviation 1 in each feature."""
        dataset = self.dataset.standardized()
        return Subject(replace(dataset, name=standardized_name(dataset.name), parameters={}))

    def natural_clusters(self, default: int) -> int:
        """Return the number of true classes, or the default where there are none or too many: at most N."""
        n_classes = self.dataset.n_classes
        if n_classes is None or n_classes > MOST_CLUSTERS:
            return min(default, len(self.dataset.X))
        return max(2, n_classes)

    @property
    def settings(self) -> Settings:
        """The settings with which these data begin: the defaults, with as many clusters as there are true classes."""
        return Settings(n_clusters=self.natural_clusters(default=3), open_k=self.dataset.y is None)

    @cached_property
    def is_generated(self) -> bool:
        """Whether name and parameters are enough to make the same points again."""
        name, parameters = self.dataset.name, self.dataset.parameters
        if name not in list_datasets() or not parameters:
            return False
        return np.array_equal(make_dataset(name, **parameters).X, self.dataset.X)

    @property
    def is_projected(self) -> bool:
        """Whether the points of the plane are not the data itself."""
        return self.dataset.X.shape[1] != 2

    @cached_property
    def view(self) -> View:
        """The plane in which the points are seen: that of X, or of its first two principal components."""
        return View.of(self.dataset.X, self.dataset.feature_names)

    @property
    def points(self) -> FloatArray:
        """Coordinates in the plane, shape (N, 2)."""
        return self.view.points

    @property
    def extent(self) -> Extent:
        """Bounds of the picture."""
        return self.view.extent
