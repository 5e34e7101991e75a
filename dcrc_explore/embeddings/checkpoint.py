"""Weights from a file of torch, read as data: nothing of it is ever executed, and torch is not needed."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

_MAGIC = 0x1950A86A20F9469CFC6C
_STORAGES = {"FloatStorage": np.dtype("<f4"), "LongStorage": np.dtype("<i8")}
_MOST_NUMBERS = 100_000_000


def read_checkpoint(path: Path) -> dict[str, NDArray[Any]]:
    """Read the tensors of a checkpoint that ``torch.save`` wrote before version 1.6, by name.

    The file is a pickle, which could run any program. Here it may only name storages of numbers and build tensors of
    them; anything else raises a ValueError.
    """
    try:
        with path.open("rb") as file:
            magic, _, _ = (_Tensors(file).load() for _ in range(3))
            if magic != _MAGIC:
                raise ValueError("it does not begin as a checkpoint does")
            reader = _Tensors(file)
            tensors = reader.load()
            reader.fill(file, _Tensors(file).load())
            return {str(name): tensor.array() for name, tensor in tensors.items()}
    except Exception as error:
        # A damaged pickle fails in many ways.
        raise ValueError(f"{str(path)!r} is not a checkpoint of plain tensors, or it is damaged: {error}") from error


class _Storage:
    """Numbers that tensors share; they stand at the end of the file."""

    def __init__(self, dtype: np.dtype[Any], size: int) -> None:
        self.dtype, self.size = dtype, size
        self.numbers: NDArray[Any] = np.empty(0, dtype)


class _Tensor:
    """A tensor whose numbers are not read yet."""

    def __init__(self, storage: Any, offset: Any, shape: Any, stride: Any, *_: Any) -> None:
        sides = (*shape, *stride, offset)
        if not isinstance(storage, _Storage) or not all(isinstance(side, int) and side >= 0 for side in sides):
            raise ValueError("a tensor needs a storage, an offset, a shape and strides")
        last = offset + sum((side - 1) * step for side, step in zip(shape, stride, strict=True))
        if 0 in shape or last >= storage.size:
            raise ValueError(f"a tensor of shape {shape} must lie within its storage of {storage.size} numbers")
        self._storage, self._offset, self._shape, self._stride = storage, offset, shape, stride

    def array(self) -> NDArray[Any]:
        """Return the numbers."""
        numbers = self._storage.numbers
        if len(numbers) != self._storage.size:
            raise ValueError("the numbers of a tensor are missing")
        steps = tuple(step * numbers.itemsize for step in self._stride)
        return np.lib.stride_tricks.as_strided(numbers[self._offset :], self._shape, steps, writeable=False).copy()


class _Names(dict[Any, Any]):
    """A dictionary that takes no attributes from a file."""

    def __setstate__(self, state: Any) -> None: ...


class _Tensors(pickle.Unpickler):
    """Reads tensors, numbers and names, and refuses to look up anything else."""

    def __init__(self, file: IO[bytes]) -> None:
        super().__init__(file)
        self._storages: dict[str, _Storage] = {}

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("collections", "OrderedDict"):
            return _Names
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return _Tensor
        if module == "torch" and name in _STORAGES:
            return _STORAGES[name]
        raise ValueError(f"only tensors are read, got {module}.{name}")

    def persistent_load(self, pid: Any) -> _Storage:
        what, dtype, key, _, size, view = pid
        if what != "storage" or not isinstance(dtype, np.dtype) or view is not None:
            raise ValueError(f"a storage of numbers is expected, got {what!r}")
        if not isinstance(size, int) or not 0 <= size <= _MOST_NUMBERS:
            raise ValueError(f"a storage may have at most {_MOST_NUMBERS} numbers, got {size!r}")
        return self._storages.setdefault(str(key), _Storage(dtype, size))

    def fill(self, file: IO[bytes], keys: Any) -> None:
        """Read the numbers of the storages, which follow in this order."""
        for key in keys:
            storage = self._storages[key]
            if int.from_bytes(file.read(8), "little") != storage.size:
                raise ValueError(f"storage {key} must have {storage.size} numbers")
            content = file.read(storage.size * storage.dtype.itemsize)
            storage.numbers = np.frombuffer(content, storage.dtype, storage.size)
