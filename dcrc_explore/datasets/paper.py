"""The real data sets of the paper (Table III), and small ones that everyone has: scikit-learn's and our own."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import fetch_openml, load_breast_cancer, load_digits, load_iris, load_wine

from dcrc_explore.datasets.bundled import emoji, short_texts
from dcrc_explore.datasets.dataset import Dataset
from dcrc_explore.datasets.items import Images, Items, Strokes
from dcrc_explore.datasets.own import as_dataset
from dcrc_explore.datasets.scenes import make_scenes
from dcrc_explore.values import one_of

FOLDER_VARIABLE = "DCRC_EXPLORE_DATA"


@dataclass(frozen=True)
class RealSpec:
    """What is known about a real data set before it is read."""

    name: str
    title: str
    description: str
    n_samples: int
    n_features: int
    n_clusters: int
    bundled: bool  # available to everyone, offline


@dataclass(frozen=True)
class _OpenML:
    data_id: int
    classes: tuple[str, ...] = ()  # only these, when given


def list_real_datasets() -> Mapping[str, RealSpec]:
    """Return what :func:`load_dataset` can load, by name.

    Examples
    --------
    >>> [name for name, spec in list_real_datasets().items() if spec.bundled]
    ['balance-scale', 'digits', 'digits-8x8', 'iris', 'wine', 'breast-cancer', 'short-texts', 'scenes',
     'emoji']
    """
    return MappingProxyType({name: spec for name, (spec, _) in _REGISTRY.items()})


def load_dataset(name: str, data_home: str | os.PathLike[str] | None = None) -> Dataset:
    """Load a real data set by name.

    Parameters
    ----------
    name : str
        One of :func:`list_real_datasets`.
    data_home : path, optional
        Folder with ``<name>.npz`` files of arrays X, y and possibly ``names`` of the classes; by default the folder in
        the environment variable ``DCRC_EXPLORE_DATA``. A set that is not there comes from OpenML, through
        scikit-learn's cache.

    Returns
    -------
    Dataset
        Not standardised; ``load_dataset(name).standardized()`` is what the paper uses.

    Examples
    --------
    >>> data = load_dataset("balance-scale")
    >>> data
    Dataset('balance-scale', 625 points, 4 features, 3 classes)
    >>> dict(zip(data.class_names, np.bincount(data.y).tolist()))
    {'left': 288, 'balanced': 49, 'right': 288}
    """
    spec, source = _REGISTRY[one_of(_REGISTRY).checked(name, "name")]
    if callable(source):
        data = source()
    else:
        path = _local_file(name, data_home)
        if path is not None:
            data = as_dataset(path)
            if data.y is None:
                raise ValueError(f"{str(path)!r} must hold an array y besides X, got none")
        elif source is not None:
            data = _from_openml(spec, source)
        else:
            raise FileNotFoundError(f"{name} can only be read from a folder; {_advice(spec)}")
    expected = spec.n_samples, spec.n_features, spec.n_clusters
    found = *data.X.shape, data.n_classes
    if found != expected:
        raise ValueError(f"{name} must have {expected} points, features and classes, got {found}")
    description = "; ".join(filter(None, [spec.description, data.description]))
    items = _ITEMS[name](data.X) if name in _ITEMS else data.items
    return replace(data, name=name, description=description, items=items)


def _local_file(name: str, data_home: str | os.PathLike[str] | None) -> Path | None:
    folder = data_home if data_home is not None else os.environ.get(FOLDER_VARIABLE)
    if not folder:
        return None
    spellings = (name, name.replace("-", ""), name.replace("-", "_"))
    files = (Path(folder) / f"{spelling}.npz" for spelling in spellings)
    return next((file for file in files if file.is_file()), None)


def _from_openml(spec: RealSpec, source: _OpenML) -> Dataset:
    try:
        # This parser needs no pandas.
        X, y = fetch_openml(data_id=source.data_id, return_X_y=True, as_frame=False, parser="liac-arff", n_retries=1)
    except OSError as error:
        raise FileNotFoundError(
            f"{spec.name} could not be fetched from OpenML ({error}); connect once, and scikit-learn keeps a copy, or "
            + _advice(spec)
        ) from error
    keep = np.isin(y, source.classes) if source.classes else np.full(len(y), True)
    return as_dataset(X[keep], y[keep])


def _advice(spec: RealSpec) -> str:
    return (
        f"put a file {spec.name}.npz with arrays X {(spec.n_samples, spec.n_features)} and y {(spec.n_samples,)} into "
        f"a folder and name the folder as data_home or in the environment variable {FOLDER_VARIABLE}"
    )


def _balance_scale() -> Dataset:
    """Every pair of weights and arms from 1 to 5; the class is the side that sinks."""
    X = np.array(list(product(range(1, 6), repeat=4)), dtype=float)
    left_weight, left_arm, right_weight, right_arm = X.T
    y = 1 - np.sign(left_weight * left_arm - right_weight * right_arm).astype(np.int64)
    features = ("left weight", "left arm", "right weight", "right arm")
    return Dataset(X, y, "", feature_names=features, class_names=("left", "balanced", "right"))


def _from_sklearn(load: Callable[[], Any], only: tuple[int, ...] | None = None) -> Callable[[], Dataset]:
    def make() -> Dataset:
        bunch = load()
        keep: NDArray[np.bool_] = np.isin(bunch.target, only or np.unique(bunch.target))
        data = as_dataset(bunch.data[keep], bunch.target_names[bunch.target[keep]])
        return replace(data, feature_names=tuple(map(str, bunch.feature_names)))

    return make


Source = Callable[[], Dataset] | _OpenML | None
# fmt: off
# Each set with its numbers of points, features and classes; without a source it needs a local file.
_SETS: tuple[tuple[str, str, str, tuple[int, int, int], Source], ...] = (
    # Table III of the paper.
    ("ionosphere", "Ionosphere", "radar returns, good or bad", (351, 34, 2), _OpenML(59)),
    ("pima", "Pima", "diabetes or not, from eight measurements", (768, 8, 2), _OpenML(37)),
    ("balance-scale", "Balance-scale", "which side of a scale sinks", (625, 4, 3), _balance_scale),
    ("digits-389", "Digits-389", "pen strokes of 3, 8 and 9", (3165, 16, 3), _OpenML(32, ("3", "8", "9"))),
    ("letters-ijlt", "Letters-IJLT", "printed I, J, L and T", (3059, 16, 4), _OpenML(6, ("I", "J", "L", "T"))),
    ("msrcv2", "MSRCv2", "image segments of six kinds of things", (1046, 48, 6), None),
    ("stonefly9", "Stonefly9", "images of nine species of insects", (3824, 285, 9), None),
    ("birdsong", "Birdsong", "syllables of thirteen species of birds", (4998, 38, 13), None),
    # Bundled with scikit-learn.
    ("digits", "Digits", "images of the ten digits, 8 x 8 pixels", (1797, 64, 10), _from_sklearn(load_digits)),
    ("digits-8x8", "Small digits", "images of 3, 8 and 9, 8 x 8 pixels", (537, 64, 3),
     _from_sklearn(load_digits, (3, 8, 9))),
    ("iris", "Iris", "flowers of three kinds", (150, 4, 3), _from_sklearn(load_iris)),
    ("wine", "Wine", "chemistry of wines from three growers", (178, 13, 3), _from_sklearn(load_wine)),
    ("breast-cancer", "Breast cancer", "cells of tumours, malignant or benign", (569, 30, 2),
     _from_sklearn(load_breast_cancer)),
    # Made by this project.
    ("short-texts", "Short texts", "sentences about football, cooking, weather and music", (120, 12, 4),
     short_texts),
    ("scenes", "Boats, houses, trees", "small pictures of boats, houses and trees", (120, 20, 3), make_scenes),
    ("emoji", "Emoji", "emoji of six kinds, in the font of each device", (151, 10, 6), emoji),
)
# fmt: on
_REGISTRY = {
    name: (RealSpec(name, title, about, *counts, bundled=callable(source)), source)
    for name, title, about, counts, source in _SETS
}


def _dark_on_white(X: NDArray[np.float64]) -> Items:
    return Images(1 - X.reshape(-1, 8, 8) / 16)


# What people see of data whose features are pixels or positions of a pen.
_ITEMS: dict[str, Callable[[NDArray[np.float64]], Items]] = {
    "digits": _dark_on_white,
    "digits-8x8": _dark_on_white,
    "digits-389": lambda X: Strokes(X.reshape(-1, 8, 2)),
}
