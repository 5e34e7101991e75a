"""What items cost before a picture is there: ``python tests/benchmarks/items.py``.

For arrays and for files of 64 x 64 pixels: making the data set with items, and then the first thumbnails, against
making the same data set without. Everything is measured in one run, as the best of several repetitions.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np
from PIL import Image

from dcrc_explore.datasets import Dataset, ImageFiles, as_dataset


def best_of(action: Callable[[], object], repetitions: int) -> float:
    def once() -> float:
        begin = perf_counter()
        action()
        return perf_counter() - begin

    return min(once() for _ in range(repetitions))


def report(name: str, make: Callable[[], Dataset], without: float, repetitions: int) -> None:
    ready = best_of(make, repetitions)
    data = make()
    first = best_of(lambda: make().cards.thumbnail(7), repetitions) - ready
    fresh = iter(range(100, len(data.X)))
    another = best_of(lambda: data.cards.thumbnail(next(fresh)), 50)
    again = best_of(lambda: data.cards.thumbnail(100), 50)
    print(
        f"{name:>14}: ready {1e3 * ready:8.1f} ms ({ready / without:5.1f} x, {1e3 * (ready - without):+.0f} ms), "
        f"first thumbnail {1e3 * max(first, 0):6.1f} ms, another {1e3 * another:5.2f} ms, again {1e6 * again:4.1f} µs"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=5000)
    parser.add_argument("--repetitions", type=int, default=5)
    arguments = parser.parse_args()
    N, repetitions = arguments.images, arguments.repetitions
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(N, 20)), rng.integers(3, size=N)
    grey, colour = (rng.integers(0, 256, (N, 64, 64, *more), dtype=np.uint8) for more in ((), (3,)))
    without = best_of(lambda: as_dataset(X, y), repetitions)
    print(f"{N} images of 64 x 64 pixels; {'without items':>14}: ready {1e3 * without:.1f} ms")
    report("rows", lambda: as_dataset(X, y), without, repetitions)
    report("grey arrays", lambda: as_dataset(X, y, items=grey), without, repetitions)
    report("colour arrays", lambda: as_dataset(X, y, items=colour), without, repetitions)
    floats = grey / 255
    report("grey floats", lambda: as_dataset(X, y, items=floats), without, repetitions)
    with TemporaryDirectory() as place:
        folder = Path(place)
        names = [f"{i:05}.png" for i in range(N)]
        for name, image in zip(names, colour, strict=True):
            Image.fromarray(image).save(folder / name)
        report("files", lambda: as_dataset(X, y, items=ImageFiles(names, folder)), without, repetitions)
        begin = perf_counter()
        as_dataset(folder)
        print(f"  a folder without features: {perf_counter() - begin:.1f} s, of which every image is read once")
