"""Data sets made for this project: emoji, and short texts about four topics. They lie in CSV files beside this module.

``tests/benchmarks/emoji.py`` made the features of the emoji of the meaning of their Unicode names and of what a network
sees in the pictures.
"""

from __future__ import annotations

import csv
from importlib.resources import files

import numpy as np

from dcrc_explore.datasets.dataset import Dataset
from dcrc_explore.datasets.items import Texts
from dcrc_explore.embeddings.text import word_features


def emoji() -> Dataset:
    """Load emoji of six kinds, shown as text by the font of each device.

    Examples
    --------
    >>> data = emoji()
    >>> data, data.class_names
    (Dataset('emoji', 151 points, 10 features, 6 classes),
     ('mammals', 'birds', 'plants', 'fruit and vegetables', 'vehicles', 'faces'))
    """
    signs, _, kinds, *columns = _columns("emoji.csv")
    names = tuple(dict.fromkeys(kinds))
    y = np.array([names.index(kind) for kind in kinds])
    return Dataset(np.array(columns, dtype=float).T, y, "emoji", class_names=names, items=Texts(signs))


def short_texts() -> Dataset:
    """Load the texts, with features of their words.

    Examples
    --------
    >>> data = short_texts()
    >>> data, data.class_names
    (Dataset('short-texts', 120 points, 12 features, 4 classes), ('cooking', 'football', 'music', 'weather'))
    """
    texts, kinds = _columns("texts.csv")
    names, y = np.unique(kinds, return_inverse=True)
    X = word_features(texts)
    # In random order, so that neighbours in the list tell nothing.
    order = np.random.default_rng(0).permutation(len(y))
    return Dataset(
        X[order],
        y[order],
        "short-texts",
        feature_names=tuple(f"component {d + 1}" for d in range(X.shape[1])),
        class_names=tuple(names.tolist()),
        items=Texts([texts[i] for i in order]),
        features="words",
    )


def _columns(name: str) -> list[tuple[str, ...]]:
    table = (files("dcrc_explore.datasets") / name).read_text(encoding="utf-8")
    return list(zip(*list(csv.reader(table.splitlines()))[1:], strict=True))
