"""Features by a function of the user's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dcrc_explore.embeddings.making import ItemSource, Made
from dcrc_explore.progress import Watch


def name_of(function: Callable[..., Any]) -> str:
    """Return what to call a function.

    Examples
    --------
    >>> name_of(len)
    'len'
    """
    return str(getattr(function, "__name__", type(function).__name__))


def by_function(function: Callable[[list[Any]], Any], items: ItemSource, watch: Watch) -> Made:
    """Let a function make features of the list of all items: paths of files, texts, or arrays of pixels."""
    watch(0, len(items), items.kind)
    made, name = function([items.raw(i) for i in range(len(items))]), name_of(function)
    try:
        X = np.asarray(made)
    except ValueError:
        raise ValueError(f"{name} must return an array of numbers, got rows of different lengths") from None
    if X.ndim != 2 or len(X) != len(items) or not X.shape[1]:
        raise ValueError(f"{name} must return one row of numbers for each of the {len(items)} items, got {X.shape}")
    if X.dtype.kind not in "biuf":
        raise ValueError(f"{name} must return numbers, got {X.dtype}")
    X = X.astype(np.float64)
    if not np.isfinite(X).all():
        row, column = np.argwhere(~np.isfinite(X))[0].tolist()
        raise ValueError(f"{name} must return finite numbers, got {X[row, column]} for item {row}, column {column}")
    return Made(X, np.arange(len(items)), f"{X.shape[1]} numbers of {name}")
