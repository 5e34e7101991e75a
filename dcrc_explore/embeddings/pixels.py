"""Features of scans and drawings of one scale: their pixels, made coarse."""

from __future__ import annotations

import numpy as np

from dcrc_explore.embeddings.making import ItemSource, Made, Recipe, made_of_components
from dcrc_explore.progress import Watch

ACROSS = 16  # pixels
WHAT = f"{ACROSS} x {ACROSS} pixels"


def pixels(items: ItemSource, watch: Watch) -> Made:
    """Make features of the pixels of images."""
    recipe = Recipe(
        f"pixels {ACROSS} 2",
        lambda items, i: items.square(i, ACROSS),
        lambda images: np.stack(images).reshape(len(images), -1).astype(np.float32),
    )
    return made_of_components(items, recipe, watch, WHAT)
