"""Classes of any type as codes 0, 1, ... with names."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.words import listed

MAX_CLASSES = 1000


def as_strings(values: NDArray[Any]) -> NDArray[Any]:
    """Return an array of strings."""
    return np.char.decode(values, "utf-8", "replace") if values.dtype.kind == "S" else values.astype(str)


def as_classes(y: Any, n_samples: int) -> NDArray[Any]:
    """Return one class per row, or say what is wrong."""
    try:
        y = np.asarray(y)
    except ValueError:
        raise ValueError(f"y must have one class per row of X, shape ({n_samples},), got lists in it") from None
    if y.shape != (n_samples,):
        raise ValueError(f"y must have one class per row of X, shape ({n_samples},), got {y.shape}")
    if y.dtype.kind not in "biufUSO":
        raise ValueError(f"y must hold numbers or names, got {y.dtype}")
    return as_strings(y) if y.dtype.kind == "S" else y


def as_codes(
    y: NDArray[Any] | None, class_names: tuple[str, ...] | None
) -> tuple[NDArray[np.int64] | None, tuple[str, ...]]:
    """Code the classes as 0, 1, ... in sorted order; given names belong to y = 0, 1, ..."""
    if y is None:
        return None, ()
    # Python's strings, as an array of fixed width would be as wide as the longest.
    cells = [str(value).strip() for value in y.tolist()] if y.dtype.kind in "OU" else y
    if isinstance(cells, list):
        known = {cell: k for k, cell in enumerate(sorted(set(cells)))}
        names, codes = tuple(known), np.array([known[cell] for cell in cells])
    else:
        values, codes = np.unique(cells, return_inverse=True)
        names = tuple(f"{value:g}" if y.dtype.kind == "f" else str(value) for value in values)
    if class_names is not None:
        if y.dtype.kind not in "iu" or y.min() < 0 or y.max() >= len(class_names):
            most = len(class_names) - 1
            raise ValueError(f"y must hold 0, ..., {most} to go with {most + 1} class names, got {listed(list(names))}")
        names, codes = class_names, y
    if len(names) > MAX_CLASSES:
        raise ValueError(f"there may be at most {MAX_CLASSES} classes, got {len(names)}: do they number the rows?")
    return codes.astype(np.int64), names
