"""DCRC beside metric-learn's ITML and LSML on the same answers: ``python tests/benchmarks/peers.py``.

metric-learn 0.7.0 fits only with scikit-learn up to 1.7, so it gets an environment of its own, made with pip in a
temporary folder (or in the folder given with --environment, which is kept). Each method uses its defaults; metrics are
followed by K-means, best of 50. Times are processor seconds of the fit, K-means included. The paper's real sets are
read from the folder in DCRC_EXPLORE_DATA when it is set; the others need nothing.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

import numpy as np

# Runs in the other environment: prints processor seconds and writes labels.
PEER = """
import sys, time, warnings
import numpy as np
from sklearn.cluster import KMeans
from metric_learn import ITML, LSML
warnings.simplefilter("ignore")
method, source, target = sys.argv[1:]
data = np.load(source)
X, must, cannot, n_clusters = data["X"], data["must"], data["cannot"], int(data["n_clusters"])
start = time.process_time()
if method == "ITML":
    pairs = X[np.vstack([must, cannot])]
    learner = ITML(random_state=0).fit(pairs, np.repeat([1, -1], [len(must), len(cannot)]))
else:
    learner = LSML(random_state=0).fit(X[np.hstack([must, cannot])])
labels = KMeans(n_clusters, n_init=50, random_state=0).fit_predict(learner.transform(X))
print(time.process_time() - start)
np.save(target, labels)
"""


def environment(folder: Path) -> Path:
    """Return the Python of an environment with metric-learn, making it where it is missing."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        packages = ["metric-learn==0.7.0", "scikit-learn<1.8"]
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
    return python


def main(python: Path, seeds: int, scratch: Path) -> None:
    from sklearn.cluster import KMeans

    from dcrc_explore import DCRC, Triplets
    from dcrc_explore.constraints import implied_answers, to_pairs
    from dcrc_explore.datasets import load_dataset, make_dataset
    from dcrc_explore.metrics import pairwise_f

    names = ["balance-scale"]
    if os.environ.get("DCRC_EXPLORE_DATA"):
        names += ["ionosphere", "pima", "digits-389", "letters-ijlt"]
    print(f"0.3 N answers, defaults of each method, means over {seeds} seeds: pairwise F (processor seconds)")
    print(
        f"{'data':>14} {'N':>5} {'d':>3} {'K':>2}"
        + "".join(f"{name:>16}" for name in ("K-means", "ITML", "LSML", "DCRC"))
    )
    for data in [make_dataset("close"), *map(load_dataset, names)]:
        data = data.standardized()
        X, y = data.X, data.y
        n_clusters = len(np.unique(y))
        results: dict[str, list[tuple[float, float]]] = {name: [] for name in ("K-means", "ITML", "LSML", "DCRC")}
        for seed in range(seeds):
            rng = np.random.default_rng(seed)
            indices = np.array([rng.choice(len(X), 3, replace=False) for _ in range(int(0.3 * len(X)))])
            triplets = Triplets(indices, implied_answers(y, indices))
            for name, model in (
                ("K-means", KMeans(n_clusters, n_init=50, random_state=seed)),
                ("DCRC", DCRC(n_clusters, random_state=seed)),
            ):
                start = time.process_time()
                model.fit(X, **({"triplets": triplets} if name == "DCRC" else {}))
                results[name].append((pairwise_f(y, model.labels_), time.process_time() - start))
            must, cannot = to_pairs(triplets)
            np.savez(scratch / "data.npz", X=X, must=must, cannot=cannot, n_clusters=n_clusters)
            for name in ("ITML", "LSML"):
                command = [python, "-c", PEER, name, scratch / "data.npz", scratch / "labels.npy"]
                seconds = float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
                results[name].append((pairwise_f(y, np.load(scratch / "labels.npy")), seconds))
        row = f"{data.name:>14} {len(X):5d} {X.shape[1]:3d} {n_clusters:2d}"
        for runs in results.values():
            score, seconds = np.mean(runs, axis=0)
            row += f"{score:8.3f} ({seconds:5.2f})"
        print(row, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--environment", type=Path, help="folder of metric-learn's environment, kept for the next time")
    arguments = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # for the peers as well
    with tempfile.TemporaryDirectory() as scratch:
        try:
            main(environment(arguments.environment or Path(scratch) / "peers"), arguments.seeds, Path(scratch))
        except subprocess.CalledProcessError as error:
            sys.exit(f"a peer failed:\n{error.stderr}")
