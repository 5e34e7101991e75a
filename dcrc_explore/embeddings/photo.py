"""Features of photographs: what a small network, trained on a million photos, sees in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.embeddings.efficientnet import N_NUMBERS, read_network, weights_path
from dcrc_explore.embeddings.making import ItemSource, Made, Recipe, made_of_components, missing_extra
from dcrc_explore.embeddings.network import Network
from dcrc_explore.progress import Watch


def missing() -> str:
    """Say what is needed and not installed; "" when everything is there."""
    installed = weights_path() is not None and find_spec("onnxruntime") is not None
    return missing_extra("photo features", "photos", installed=installed)


@cache
def lite0() -> Network:
    """Return EfficientNet-Lite0; colours as it was trained."""
    return Network(read_network(), mean=127.0, scale=128.0)


def photo(items: ItemSource, watch: Watch) -> Made:
    """Make features of photos by EfficientNet-Lite0."""
    # Square roots: the averages are never negative, and a few large ones would outweigh the many small ones.
    recipe = _recipe("lite0", lite0(), lambda numbers: np.sqrt(np.maximum(numbers, 0)))
    return made_of_components(items, recipe, watch, f"{N_NUMBERS:,} numbers of EfficientNet-Lite0")


def by_file(path: Path, items: ItemSource, watch: Watch) -> Made:
    """Make features of images by the network in an ONNX file."""
    return made_of_components(
        items, _recipe("file", Network(path), lambda numbers: numbers), watch, f"the numbers of the network {path.name}"
    )


def _recipe(maker: str, network: Network, scaled: Callable[[NDArray[np.float32]], NDArray[np.float32]]) -> Recipe:
    """Make rows of length one: networks compare by the cosine, and a busy picture shall not count for more."""

    def compute(images: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
        numbers = scaled(network(images))
        return numbers / np.maximum(np.linalg.norm(numbers, axis=1, keepdims=True), 1e-12)

    return Recipe(f"{maker} {network.key}", lambda items, i: items.square(i, network.size), compute)
