"""Emoji of six kinds, shown as text by the font of each device.

The features lie in ``emoji.csv``; ``tests/benchmarks/emoji.py`` made them of the meaning of the Unicode names and of
what a network sees in the pictures.
"""

from __future__ import annotations

import csv
from importlib.resources import files

import numpy as np

from dcrc_explore.datasets.dataset import Dataset
from dcrc_explore.datasets.items import Texts


def emoji() -> Dataset:
    """Load the emoji.

    Examples
    --------
    >>> data = emoji()
    >>> data, data.class_names
    (Dataset('emoji', 151 points, 10 features, 6 classes),
     ('mammals', 'birds', 'plants', 'fruit and vegetables', 'vehicles', 'faces'))
    """
    table = (files("dcrc_explore.datasets") / "emoji.csv").read_text(encoding="utf-8")
    rows = list(csv.reader(table.splitlines()))[1:]
    signs, _, kinds, *columns = zip(*rows, strict=True)
    names = tuple(dict.fromkeys(kinds))
    return Dataset(
        np.array(columns, dtype=float).T,
        np.array([names.index(kind) for kind in kinds]),
        "emoji",
        class_names=names,
        items=Texts(signs),
    )
