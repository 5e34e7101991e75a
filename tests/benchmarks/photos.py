"""What photo features are worth and cost: ``python tests/benchmarks/photos.py FOLDER ...``.

Each folder holds one folder of images per kind. For photo and pixel features the adjusted Rand index with the kinds is
measured before the first answer and after 10, 20 and 30 guided answers by the truth, for several seeds, as well as that
of k-means; and seconds of processor time per image, which hardly depend on what else runs: for everything with an empty
cache, for decoding alone, and for the network alone. ``--drawn`` measures digits and drawings too, on which the choice
between the two features rests. ``--cost N`` measures the time alone, with N files that are drawn, and once more with
the cache. Results are printed and, with ``--record``, written as lines of JSON. No image is copied.
"""

from __future__ import annotations

import argparse
import json
import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np
from PIL import Image
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits

from dcrc_explore.datasets import Dataset, Images, as_dataset, make_scenes
from dcrc_explore.embeddings import default_features
from dcrc_explore.embeddings.photo import lite0
from dcrc_explore.metrics import adjusted_rand
from dcrc_explore.session import Session

ANSWERS = (0, 10, 20, 30)


def drawn() -> Iterator[Dataset]:
    """Make digits, as ink on paper, and drawings in colour."""
    digits = load_digits()
    rows = np.random.default_rng(0).permutation(len(digits.target))[:300]
    ink = np.rint(255 * (1 - digits.images[rows] / 16)).astype(np.uint8)
    yield as_dataset(Images(ink), digits.target[rows], name="digits", features="pixels")
    yield make_scenes()


def curve(data: Dataset, seed: int) -> list[float]:
    """Return the agreement with the kinds after some guided answers."""
    session = Session(data, autosave=None, random_state=seed)
    found = []
    for n in ANSWERS:
        if n > len(session.log):
            session.answer_by_oracle(n - len(session.log))
        found.append(adjusted_rand(data.y, session.fit.labels))
    return found


def seconds(data: Dataset) -> dict[str, float]:
    """Return the seconds per image: to decode all, and for the network alone."""
    network, items = lite0(), data.cards
    begin = process_time()
    images = [items.square(i, network.size) for i in range(len(items))]
    decoded = process_time()
    for i in range(0, len(images), 8):
        network(images[i : i + 8])
    return {"decoding": (decoded - begin) / len(items), "network": (process_time() - decoded) / len(items)}


def cost(n_images: int, folder: Path) -> dict[str, object]:
    """Measure the time per image alone: all of it against decoding and network, and again with the cache."""
    rng = np.random.default_rng(0)
    for i in range(n_images):
        coarse = Image.fromarray(rng.integers(0, 256, (24, 32, 3), dtype=np.uint8))
        coarse.resize((1024, 768)).save(folder / f"{i:05}.jpg")
    begin = process_time()
    data = as_dataset(folder, features="photo")
    first = process_time()
    as_dataset(folder, features="photo")
    spent = {"all": (first - begin) / n_images, "again": (process_time() - first) / n_images, **seconds(data)}
    return {"cost": n_images, "seconds": {name: round(value, 4) for name, value in spent.items()}}


def measure(data: Dataset, features: str, seeds: int) -> dict[str, object]:
    """Measure one set with one kind of features."""
    begin = process_time()
    made = as_dataset(data, features=features)
    spent = {"all": (process_time() - begin) / len(made.X)}
    if features == "photo":
        spent |= seconds(made)
    K = made.n_classes
    curves = [curve(made, seed) for seed in range(seeds)]
    before = [KMeans(K, n_init=10, random_state=seed).fit_predict(made.X) for seed in range(seeds)]
    return {
        "data": made.name,
        "images": len(made.X),
        "kinds": K,
        "features": features,
        "default": default_features(made.cards)[0] == features,
        "kmeans": [round(adjusted_rand(made.y, labels), 2) for labels in before],
        "answers": ANSWERS,
        "ari": np.round(curves, 2).tolist(),
        "seconds": {name: round(value, 4) for name, value in spent.items()},
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--drawn", action="store_true", help="measure digits and drawings too")
    parser.add_argument("--cost", type=int, metavar="N", help="measure the time with N files that are drawn")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--record", type=Path, help="file for the results")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # empty clusters before the first answer
    with TemporaryDirectory() as empty:
        os.environ["DCRC_EXPLORE_CACHE"] = empty
        lite0()(np.zeros((1, 224, 224, 3), np.uint8))  # loading is no part of the time per image
        records = []
        if arguments.cost:
            with TemporaryDirectory() as place:
                records.append(cost(arguments.cost, Path(place)))
            print(records[-1], flush=True)
        sets = [as_dataset(folder, features="pixels") for folder in arguments.folders]
        for data in [*sets, *(drawn() if arguments.drawn else ())]:
            for features in ("photo", "pixels"):
                record = measure(data, features, arguments.seeds)
                spent = ", ".join(f"{name} {1e3 * value:.0f} ms" for name, value in record["seconds"].items())
                means = " ".join(f"{value:.2f}" for value in np.mean(record["ari"], axis=0))
                before = np.mean(record["kmeans"])
                print(f"{record['data']:>14} {features:>6}: k-means {before:.2f}, ARI {means}; {spent}", flush=True)
                records.append(record)
    if arguments.record:
        arguments.record.write_text("".join(json.dumps(record) + "\n" for record in records))
