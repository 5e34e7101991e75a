"""Networks from ONNX files, run by onnxruntime: images to numbers."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from threading import Timer
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Sides of an image where the network takes any.
_DEFAULT_SIZE = 224
_LARGEST_SIZE = 1024
_LONGEST_RUN = 60.0  # seconds for a few images
# What most networks for images were trained with: mean and deviation of ImageNet's colours.
_MEAN, _SCALE = np.array([0.485, 0.456, 0.406]) * 255, np.array([0.229, 0.224, 0.225]) * 255


def runtime() -> Any:
    """Import onnxruntime, or say which extra brings it."""
    try:
        import onnxruntime
    except ImportError as error:
        raise ImportError('networks need onnxruntime: pip install "dcrc-explore[photos]"') from error
    return onnxruntime


class Network:
    """A network with one image as its input, (N, 3, H, W) or (N, H, W, 3), and numbers as its first output.

    Colours from 0 to 255 become (colour - mean) / scale, by default as for ImageNet. An image has `size` pixels across;
    `key` identifies the network.
    """

    def __init__(self, content: bytes | Path, mean: Any = _MEAN, scale: Any = _SCALE) -> None:
        onnxruntime = runtime()
        name = repr(str(content)) if isinstance(content, Path) else "the network"
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4  # what is wrong is said below
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # leave the processor to others
        try:
            self._session = onnxruntime.InferenceSession(
                str(content) if isinstance(content, Path) else content,
                options,
                providers=["CPUExecutionProvider"],
                disabled_optimizers=["ConstantFolding"],  # which computes without a limit of time
            )
        except Exception as error:
            raise ValueError(f"{name} is not an ONNX network that onnxruntime reads: {error}") from error
        inputs = self._session.get_inputs()
        shapes = " and ".join(f"{each.type} {each.shape}" for each in inputs)
        shape = inputs[0].shape
        if len(inputs) != 1 or len(shape) != 4 or inputs[0].type != "tensor(float)" or 3 not in (shape[1], shape[3]):
            raise ValueError(
                f"{name} must take one image, as tensor(float) of shape (N, 3, H, W) or (N, H, W, 3), got {shapes}"
            )
        self._input, self._channels_first = inputs[0].name, shape[1] == 3
        sides = shape[2:] if self._channels_first else shape[1:3]
        known = {side for side in sides if isinstance(side, int)}
        if len(known) > 1 or any(not 8 <= side <= _LARGEST_SIZE for side in known):
            raise ValueError(f"{name} must take square images of 8 to {_LARGEST_SIZE} pixels across, got {shapes}")
        self.size = known.pop() if known else _DEFAULT_SIZE
        self._one_by_one = isinstance(shape[0], int)
        self._mean, self._scale = np.asarray(mean, np.float32), np.asarray(scale, np.float32)
        data = content.read_bytes() if isinstance(content, Path) else content
        self.key = f"{sha256(data).hexdigest()} {self._mean.tolist()} {self._scale.tolist()}"
        self._name = name

    def __call__(self, images: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
        """Return the numbers of images of shape (size, size, 3), one row for each."""
        x = (np.stack(images).astype(np.float32) - self._mean) / self._scale
        x = np.ascontiguousarray(x.transpose(0, 3, 1, 2)) if self._channels_first else x
        parts = np.split(x, len(x)) if self._one_by_one else [x]
        numbers = np.concatenate([self._run(part) for part in parts]).astype(np.float32)
        if numbers.ndim == 4:  # channels over the image: their means
            numbers = numbers.mean(axis=(2, 3) if self._channels_first else (1, 2))
        if numbers.ndim != 2 or len(numbers) != len(images):
            raise ValueError(
                f"{self._name} must give one row of numbers for each image, got {numbers.shape} for {len(images)}"
            )
        if not np.isfinite(numbers).all():
            raise ValueError(f"{self._name} must give finite numbers, got others")
        return numbers

    def _run(self, part: NDArray[np.float32]) -> NDArray[Any]:
        """Return the first output for some images; a file may hold a loop without an end."""
        options = runtime().RunOptions()
        options.log_severity_level = 4
        timer = Timer(_LONGEST_RUN, lambda: setattr(options, "terminate", True))
        timer.daemon = True
        timer.start()
        try:
            return np.asarray(self._session.run(None, {self._input: part}, options)[0])
        except Exception as error:  # onnxruntime has errors of many kinds
            if options.terminate:
                raise ValueError(f"{self._name} must take at most {_LONGEST_RUN:g} s for {len(part)} images") from None
            raise ValueError(f"{self._name} cannot be run on these images: {str(error)[:300]}") from error
        finally:
            timer.cancel()
