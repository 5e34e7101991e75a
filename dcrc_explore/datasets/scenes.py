"""Small pictures, drawn by a program: trees, houses and boats by day, in the evening and at night."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.datasets.dataset import Dataset
from dcrc_explore.datasets.items import Images
from dcrc_explore.datasets.pictures import array_image, pillow, square
from dcrc_explore.embeddings.making import components
from dcrc_explore.embeddings.pixels import ACROSS, WHAT
from dcrc_explore.values import whole

_KINDS = ("boat", "house", "tree")
_SKIES = {"day": (170, 210, 240), "evening": (236, 178, 130), "night": (52, 60, 104)}
_SIZE = 48
# Drawn finer, then scaled down: smooth edges.
_FINER = 4


def make_scenes(n_per_kind: int = 40, *, seed: int = 0) -> Dataset:
    """Draw small pictures that can be grouped by what they show (the true classes) or by their light.

    Parameters
    ----------
    n_per_kind : int, default=40
        Pictures of boats, of houses and of trees, between 1 and 10,000.
    seed : int, default=0
        The same seed gives the same pictures.

    Returns
    -------
    Dataset
        Its items are the pictures, its features principal components of their pixels.

    Examples
    --------
    >>> data = make_scenes(10)
    >>> data, data.class_names, data.cards.kind
    (Dataset('scenes', 30 points, 20 features, 3 classes), ('boat', 'house', 'tree'), 'images')
    """
    n_per_kind = whole(1, 10_000).checked(n_per_kind, "n_per_kind")
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat(np.arange(len(_KINDS)), n_per_kind))
    images = np.stack([_scene(_KINDS[kind], rng) for kind in y.tolist()])
    X, about = components(np.stack([square(array_image(image), ACROSS) for image in images]), WHAT)
    return Dataset(
        X,
        y,
        "scenes",
        feature_names=tuple(f"component {d + 1}" for d in range(X.shape[1])),
        class_names=_KINDS,
        description=f"features: {about}",
        items=Images(images),
        features="pixels",
    )


def write_scenes(folder: str | PathLike[str], n_per_kind: int = 40, *, seed: int = 0) -> list[Path]:
    """Write the pictures of :func:`make_scenes` as PNG files into a folder, created if needed; return their paths.

    Their names do not reveal what they show. Existing files are not replaced.

    Examples
    --------
    >>> import tempfile
    >>> [path.name for path in write_scenes(tempfile.mkdtemp(), n_per_kind=1)]
    ['picture-000.png', 'picture-001.png', 'picture-002.png']
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    items = make_scenes(n_per_kind, seed=seed).items
    assert isinstance(items, Images)
    paths = [folder / f"picture-{i:03}.png" for i in range(len(items))]
    for i, path in enumerate(paths):
        with path.open("xb") as file:
            array_image(items.pixels(i)).save(file, "PNG")
    return paths


def _scene(kind: str, rng: np.random.Generator) -> NDArray[np.uint8]:
    Image, ImageDraw, _ = pillow()
    side = _SIZE * _FINER
    sky = np.array(list(_SKIES.values()))[rng.integers(len(_SKIES))]
    ground = (60, 110, 170) if kind == "boat" else (110, 150, 80)
    # What lies in the same light has its colour.
    light = 0.4 + 0.6 * sky.mean() / 210
    image = Image.new("RGB", (side, side), _colour(sky, rng))
    draw = ImageDraw.Draw(image)
    horizon = side * rng.uniform(0.68, 0.76)
    draw.rectangle((0, horizon, side, side), fill=_colour(np.array(ground) * light, rng))
    x, scale = side * rng.uniform(0.42, 0.58), side * rng.uniform(0.85, 1.15)
    {"boat": _boat, "house": _house, "tree": _tree}[kind](draw, x, horizon, scale, light, rng)
    return np.asarray(image.resize((_SIZE, _SIZE), Image.Resampling.LANCZOS))


def _colour(colour: Any, rng: np.random.Generator) -> tuple[int, int, int]:
    red, green, blue = np.clip(np.asarray(colour) + rng.normal(0, 8, 3), 0, 255).astype(int).tolist()
    return red, green, blue


def _tree(draw: Any, x: float, y: float, s: float, light: float, rng: np.random.Generator) -> None:
    bark, leaves = np.array((105, 75, 50)) * light, np.array((40, 120, 50)) * light
    draw.rectangle((x - 0.04 * s, y - 0.25 * s, x + 0.04 * s, y + 0.05 * s), fill=_colour(bark, rng))
    for _ in range(7):
        (dx, dy), r = rng.normal(0, 0.06, 2).tolist(), rng.uniform(0.12, 0.19)
        box = [x + (dx - r) * s, y + (dy - 0.4 - r) * s, x + (dx + r) * s, y + (dy - 0.4 + r) * s]
        draw.ellipse(box, fill=_colour(leaves, rng))


def _house(draw: Any, x: float, y: float, s: float, light: float, rng: np.random.Generator) -> None:
    wall, roof = np.array((225, 210, 185)) * light, np.array((170, 60, 50)) * light
    draw.rectangle((x - 0.24 * s, y - 0.22 * s, x + 0.24 * s, y + 0.08 * s), fill=_colour(wall, rng))
    top = y - rng.uniform(0.4, 0.48) * s
    draw.polygon([(x - 0.3 * s, y - 0.22 * s), (x, top), (x + 0.3 * s, y - 0.22 * s)], fill=_colour(roof, rng))
    draw.rectangle((x - 0.05 * s, y - 0.1 * s, x + 0.05 * s, y + 0.08 * s), fill=_colour(roof / 2, rng))


def _boat(draw: Any, x: float, y: float, s: float, light: float, rng: np.random.Generator) -> None:
    hull, sail = np.array((120, 60, 40)) * light, np.array((250, 250, 245)) * light
    deck = y + 0.02 * s
    corners = [(x - 0.3 * s, deck), (x + 0.3 * s, deck), (x + 0.2 * s, y + 0.14 * s), (x - 0.2 * s, y + 0.14 * s)]
    draw.polygon(corners, fill=_colour(hull, rng))
    mast = y - rng.uniform(0.5, 0.58) * s
    draw.line((x, deck, x, mast), fill=_colour(hull, rng), width=max(1, int(0.02 * s)))
    draw.polygon(
        [(x + 0.02 * s, mast), (x + 0.02 * s, y - 0.04 * s), (x + 0.26 * s, y - 0.04 * s)], fill=_colour(sail, rng)
    )
    draw.polygon(
        [(x - 0.02 * s, mast + 0.08 * s), (x - 0.02 * s, y - 0.04 * s), (x - 0.2 * s, y - 0.04 * s)],
        fill=_colour(sail, rng),
    )
