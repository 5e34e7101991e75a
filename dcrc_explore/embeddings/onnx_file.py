"""A network as the bytes of an ONNX file: the few messages of that format which a chain of layers needs.

ONNX files are protocol buffers. The package ``onnx`` would write them too, but it is 23 MB with its own dependencies,
while the messages needed here are these.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from dcrc_explore.arrays import FloatArray

_IR_VERSION, _OPSET, _FLOAT = 8, 13, 1
_KINDS: dict[type, int] = {float: 1, int: 2, str: 3, tuple: 7}  # of attributes


class Graph:
    """Operators one after another, from one input to one output; a name in a shape stands for any length.

    Examples
    --------
    >>> graph = Graph(("N", 3))
    >>> doubled = graph.add("Mul", graph.input, graph.constant(np.array(2.0)))
    >>> content = graph.content(doubled, ("N", 3))
    >>> import onnxruntime
    >>> session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    >>> session.run(None, {"input": np.ones((1, 3), np.float32)})[0].tolist()
    [[2.0, 2.0, 2.0]]
    """

    input = "input"

    def __init__(self, shape: Sequence[int | str]) -> None:
        self._shape = shape
        self._nodes: list[bytes] = []
        self._constants: list[bytes] = []

    def constant(self, values: FloatArray) -> str:
        """Add an array, stored in single precision; return its name."""
        name = f"c{len(self._constants)}"
        dims = b"".join(_number(1, side) for side in values.shape)
        raw = np.ascontiguousarray(values, "<f4").tobytes()
        self._constants.append(dims + _number(2, _FLOAT) + _bytes(8, name.encode()) + _bytes(9, raw))
        return name

    def add(self, operator: str, *inputs: str, **attributes: int | float | str | tuple[int, ...]) -> str:
        """Add an operator; return the name of its result."""
        name = f"v{len(self._nodes)}"
        node = b"".join(_bytes(1, each.encode()) for each in inputs) + _bytes(2, name.encode())
        node += _bytes(4, operator.encode())
        node += b"".join(_bytes(5, _attribute(key, value)) for key, value in attributes.items())
        self._nodes.append(node)
        return name

    def content(self, output: str, shape: Sequence[int | str]) -> bytes:
        """Return the whole as the bytes of a file."""
        graph = b"".join(_bytes(1, node) for node in self._nodes) + _bytes(2, b"network")
        graph += b"".join(_bytes(5, constant) for constant in self._constants)
        graph += _bytes(11, _value(self.input, self._shape)) + _bytes(12, _value(output, shape))
        return _number(1, _IR_VERSION) + _bytes(7, graph) + _bytes(8, _number(2, _OPSET))


def _varint(value: int) -> bytes:
    digits = bytearray()
    while value > 127:
        digits.append(value & 127 | 128)
        value >>= 7
    return bytes([*digits, value])


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _attribute(name: str, value: Any) -> bytes:
    written = {
        float: lambda: _varint(2 << 3 | 5) + struct.pack("<f", value),
        int: lambda: _number(3, value),
        str: lambda: _bytes(4, value.encode()),
        tuple: lambda: b"".join(_number(8, each) for each in value),
    }[type(value)]()
    return _bytes(1, name.encode()) + written + _number(20, _KINDS[type(value)])


def _value(name: str, shape: Sequence[int | str]) -> bytes:
    sides = [_number(1, side) if isinstance(side, int) else _bytes(2, side.encode()) for side in shape]
    tensor = _number(1, _FLOAT) + _bytes(2, b"".join(_bytes(1, side) for side in sides))
    return _bytes(1, name.encode()) + _bytes(2, _bytes(1, tensor))
