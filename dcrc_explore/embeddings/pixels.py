"""Features of scans and drawings of one scale: their pixels, made coarse."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.arrays import FloatArray
from dcrc_explore.embeddings.making import ItemSource, Made, Recipe, components, made_of_components
from dcrc_explore.progress import Watch

ACROSS = 16  # pixels
_WHAT = f"{ACROSS} x {ACROSS} pixels"


def pixels(items: ItemSource, watch: Watch) -> Made:
    """Make features of the pixels of images."""
    recipe = Recipe(
        f"pixels {ACROSS} 2",
        lambda items, i: items.square(i, ACROSS),
        lambda images: np.stack(images).reshape(len(images), -1).astype(np.float32),
    )
    return made_of_components(items, recipe, watch, _WHAT)


def pixel_features(images: NDArray[np.uint8]) -> tuple[FloatArray, str]:
    """Return principal components of images of 16 x 16 pixels, on one scale, and a sentence about them.

    Examples
    --------
    >>> images = np.random.default_rng(0).integers(0, 255, (9, 16, 16, 3), dtype=np.uint8)
    >>> X, about = pixel_features(images)
    >>> X.shape, about
    ((9, 8), '8 principal components of 16 x 16 pixels (100% of their variance)')
    """
    X, share = components(images)
    return X, f"{X.shape[1]} principal components of {_WHAT} ({share:.0%} of their variance)"
