"""Types of arrays and seeds that every module shares, and arrays on their way to the browser."""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import Literal, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
# What functions take as `seed`, and estimators as `random_state`.
Seed = int | np.random.Generator | None
RandomState = int | np.random.RandomState | None
# Types of numbers that the browser has arrays for; eight values of yes and no share a byte.
Sendable = Literal["bits", "uint8", "uint16", "int32", "float32"]


# Values that differ by less, relative to their size, may differ by rounding alone; some are of single precision.
_ROUNDING = 1e-6


def argbest(values: ArrayLike) -> int:
    """Return the place of the largest value; of those that are equal but for rounding, the first.

    Which of them is the largest would depend on the processor.

    Examples
    --------
    >>> argbest([0.2, 0.3, 0.1 + 0.2])
    1
    """
    array = np.asarray(values, dtype=float)
    largest = array.max()
    return int(np.argmax(array >= largest - _ROUNDING * abs(largest)))


class PackedArray(TypedDict):
    """An array for the browser: its numbers row by row, as bytes, or as base64 in a file of text."""

    dtype: Sendable
    shape: list[int]
    data: bytes | str


def packed(values: ArrayLike, dtype: Sendable, *, as_text: bool = False) -> PackedArray:
    r"""Pack an array for the browser, where `unpacked` of ``static/numbers.js`` reads it.

    Examples
    --------
    >>> packed([[1, 2]], "uint8")
    {'dtype': 'uint8', 'shape': [1, 2], 'data': b'\x01\x02'}
    >>> packed([True, False], "bits")["data"]
    b'\x80'
    """
    array = np.asarray(values)
    raw = np.packbits(array.astype(bool)) if dtype == "bits" else np.ascontiguousarray(array, dtype)
    data = raw.tobytes()
    return {"dtype": dtype, "shape": list(array.shape), "data": b64encode(data).decode() if as_text else data}


def unpacked(sent: PackedArray) -> NDArray[np.generic]:
    """Return the array that was packed.

    Examples
    --------
    >>> unpacked(packed([[1, 2]], "int32"))
    array([[1, 2]], dtype=int32)
    """
    data = b64decode(sent["data"]) if isinstance(sent["data"], str) else sent["data"]
    if sent["dtype"] == "bits":
        return np.unpackbits(np.frombuffer(data, np.uint8), count=int(np.prod(sent["shape"]))).astype(bool)
    return np.frombuffer(data, sent["dtype"]).reshape(sent["shape"])
