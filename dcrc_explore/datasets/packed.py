"""Arrays in JSON: few numbers as lists that a person can read, many as their bytes, which is much faster."""

from __future__ import annotations

import base64
import binascii
import math
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.datasets.limits import MAX_CELLS
from dcrc_explore.values import LIST, number, shown, whole

_FEW = 100_000
_KINDS = {"float64": "<f8", "int64": "<i8"}
_FINITE = number(-sys.float_info.max, sys.float_info.max)


def pack(array: NDArray[Any]) -> Any:
    """Return an array of floats or integers as plain values for JSON.

    Examples
    --------
    >>> pack(np.array([[1.5, 2.0]]))
    [[1.5, 2.0]]
    >>> sorted(pack(np.zeros((60_000, 2))))
    ['base64', 'shape', 'type']
    """
    if array.size <= _FEW:
        return array.tolist()
    kind = "float64" if array.dtype.kind == "f" else "int64"
    content = base64.b64encode(np.ascontiguousarray(array, dtype=_KINDS[kind]).data)
    return {"type": kind, "shape": list(array.shape), "base64": content.decode("ascii")}


def is_packed(value: Any) -> bool:
    """Whether a value of JSON is an array as bytes, and not as a list."""
    return isinstance(value, dict)


def unpack(value: dict[str, Any], kind: str, n_axes: int) -> NDArray[Any]:
    """Return an array that :func:`pack` wrote as bytes; ValueError when it is damaged, or of another kind.

    Examples
    --------
    >>> int(unpack(pack(np.arange(200_000)), "int64", 1)[-1])
    199999
    >>> unpack({"type": "float64", "shape": [2], "base64": "AAAA"}, "float64", 1)
    Traceback (most recent call last):
    ...
    ValueError: an array of shape [2] must have 16 bytes, got 3
    """
    if value.keys() != {"type", "shape", "base64"} or value["type"] != kind:
        raise ValueError(f"an array must have the type {kind}, a shape and base64")
    shape, text = value["shape"], value["base64"]
    sides = isinstance(shape, list) and len(shape) == n_axes and all(type(n) is int and n > 0 for n in shape)
    if not sides or math.prod(shape) > MAX_CELLS:
        raise ValueError(f"an array must have {n_axes} sides and at most {MAX_CELLS} numbers, got shape {shape!r:.80}")
    try:
        content = base64.b64decode(text, validate=True)
    except (TypeError, ValueError, binascii.Error) as error:
        raise ValueError(f"an array must be in base64, got {error}") from error
    if len(content) != 8 * math.prod(shape):
        raise ValueError(f"an array of shape {shape} must have {8 * math.prod(shape)} bytes, got {len(content)}")
    array = np.frombuffer(content, dtype=_KINDS[kind]).reshape(shape).astype(kind)
    if not np.isfinite(array).all():
        raise ValueError("an array must have finite numbers only")
    return array


def as_table(rows: Any, what: str) -> FloatArray:
    """Return equally long, non-empty lists of finite numbers from JSON, or their bytes, as an array.

    Examples
    --------
    >>> as_table([[1, 2], [3]], "X")
    Traceback (most recent call last):
    ...
    ValueError: X must be a table of numbers, got [[1, 2], [3]]
    """
    if is_packed(rows):
        return unpack(rows, "float64", 2)
    table = [[_FINITE.checked(v, what) for v in LIST.checked(row, what)] for row in LIST.checked(rows, what)]
    if not table or not table[0] or len({len(row) for row in table}) > 1:
        raise ValueError(f"{what} must be a table of numbers, got {shown(rows)}")
    return np.array(table)


def as_places(values: Any, what: str, last: int) -> IntArray:
    """Return whole numbers from 0 to `last` from JSON, or their bytes, as an array."""
    place = whole(0, last)
    if not is_packed(values):
        return np.array([place.checked(value, what) for value in LIST.checked(values, what)], dtype=np.int64)
    places = unpack(values, "int64", 1)
    for extreme in (places.min(), places.max()):
        place.checked(int(extreme), what)
    return places
