"""A folder of images as data: its files are the items, and the features stand beside them or are made of the pixels."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import PCA

from dcrc_explore.arrays import FloatArray
from dcrc_explore.datasets.files import Watch, read_csv, read_npy, unwatched
from dcrc_explore.datasets.item_files import ImageFiles
from dcrc_explore.datasets.pictures import fitted_square, read_image
from dcrc_explore.datasets.table import IMAGE_SUFFIXES, as_numbers

MAX_IMAGES = 50_000
# Pixels across a picture of which features are made, and how many components are kept of them.
_ACROSS = 16
_MOST_COMPONENTS = 20


class Folder(NamedTuple):
    """What a folder of images holds."""

    X: FloatArray
    y: NDArray[Any] | None
    feature_names: tuple[str, ...]
    items: ImageFiles
    description: str


def read_folder(path: Path, watch: Watch = unwatched) -> Folder:
    """Read the images of a folder, or, when it has none, those of the folders in it, whose names are the classes."""
    names, classes = _images(path)
    if (path / "features.csv").is_file():
        return _with_table(path, names)
    if (path / "features.npy").is_file():
        X = read_npy(path / "features.npy")
        if X.ndim != 2 or X.dtype.kind not in "biuf" or len(X) != len(names):
            raise ValueError(
                f"features.npy must hold one row of numbers for each of the {len(names)} images, in the order of their "
                f"names, got shape {X.shape} of {X.dtype}"
            )
        return Folder(X.astype(np.float64), classes, (), ImageFiles(names, path), "features: features.npy")
    return _from_pixels(path, names, classes, watch)


def _images(path: Path) -> tuple[list[str], NDArray[Any] | None]:
    names = _image_names(path)
    if names:
        return names, None
    found = [(f"{folder.name}/{name}", folder.name) for folder in _folders(path) for name in _image_names(folder)]
    if len(found) < 2:
        raise ValueError(f"{str(path)!r} must hold at least two images ({', '.join(IMAGE_SUFFIXES)}), got {len(found)}")
    return [name for name, _ in found], np.array([kind for _, kind in found])


def _folders(path: Path) -> list[Path]:
    return sorted(place for place in path.iterdir() if place.is_dir() and not place.name.startswith("."))


def _image_names(folder: Path) -> list[str]:
    names = sorted(
        place.name
        for place in folder.iterdir()
        if place.suffix.lower() in IMAGE_SUFFIXES and not place.name.startswith(".")
    )
    if len(names) > MAX_IMAGES:
        raise ValueError(f"{str(folder)!r} may hold at most {MAX_IMAGES} images, got {len(names)}")
    return names


def _with_table(path: Path, names: Sequence[str]) -> Folder:
    """Take the features of the images that a table lists; its other columns of texts are left out."""
    table = read_csv(path / "features.csv")
    known = set(names)
    column = next((name for name, cells in table.columns.items() if known & set(cells.tolist())), None)
    if column is None:
        raise ValueError("features.csv must have a column with the names of the images, as " + repr(names[0]))
    listed = [str(name) for name in table.columns[column].tolist()]
    y = table.columns.get("y")
    features = {name: cells for name, cells in table.columns.items() if name not in (column, "y")}
    X = np.column_stack([as_numbers(cells, table, name) for name, cells in features.items()] or [np.empty((0, 0))])
    n_unlisted = len(known - set(listed))
    images = "1 image that it does not list is" if n_unlisted == 1 else f"{n_unlisted} images that it does not list are"
    unlisted = f"; {images} left out" if n_unlisted else ""
    return Folder(X, y, tuple(features), ImageFiles(listed, path), f"features: features.csv{unlisted}")


def _from_pixels(path: Path, names: Sequence[str], classes: NDArray[Any] | None, watch: Watch) -> Folder:
    """Make features of the images that can be read."""
    files = ImageFiles(names, path)
    images, readable = [], []
    for i in range(len(names)):
        watch(i, len(names), "images")
        try:
            images.append(fitted_square(read_image(files.path(i), 4 * _ACROSS), _ACROSS))
        except (ValueError, OSError):
            continue
        readable.append(i)
    if len(readable) < 2:
        raise ValueError(f"{str(path)!r} must hold at least two images that can be read, got {len(readable)}")
    rows = np.array(readable)
    X, share = pixel_features(np.stack([np.asarray(image) for image in images]))
    n_unreadable = len(names) - len(rows)
    unreadable = f"; {n_unreadable} of {len(names)} files can't be read and are left out" if n_unreadable else ""
    return Folder(
        X,
        None if classes is None else classes[rows],
        tuple(f"component {d + 1}" for d in range(X.shape[1])),
        files.take(rows),
        f"features: {X.shape[1]} principal components of {_ACROSS} x {_ACROSS} pixels ({share:.0%} of their variance)"
        + unreadable,
    )


def pixel_features(images: NDArray[np.uint8]) -> tuple[FloatArray, float]:
    """Return principal components of small images, on one scale, and the share of the pixels' variance in them.

    Examples
    --------
    >>> images = np.random.default_rng(0).integers(0, 255, (9, 4, 4, 3), dtype=np.uint8)
    >>> X, share = pixel_features(images)
    >>> X.shape, round(share, 3)
    ((9, 8), 1.0)
    """
    pixels = images.reshape(len(images), -1).astype(np.float64)
    pca = PCA(min(_MOST_COMPONENTS, len(pixels) - 1, pixels.shape[1]), random_state=0)
    X = pca.fit_transform(pixels)
    varying = pca.explained_variance_ > 1e-9
    X = X[:, varying] if varying.any() else X[:, :1]
    # One scale for all: how much a component varies tells how much it matters.
    return X / (X.std() or 1.0), float(np.nan_to_num(pca.explained_variance_ratio_).sum())
