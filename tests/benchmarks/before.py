"""Fits of this version beside those of a former one: ``python tests/benchmarks/before.py``.

The former version is taken from git into a temporary folder. Both fit the same data in turns, each in a process of its
own on one thread; times are processor seconds, and the claims are the ratios and that bound and F are not lower: their
paired differences stand at the end of each line, with intervals of 95 %.
Cross-validation is measured on the paper's sets in the folder in DCRC_EXPLORE_DATA when it is set.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
from scipy import stats

ROOT = Path(__file__).parents[2]
# The last version that forgot the curvature after each M-step.
BASELINE = "b933353"
FITS = {"default": {}, "balance=False": {"balance": False}, "soft_start=False": {"soft_start": False}}


def overlapping(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Data of the shape of the paper's timing task: overlapping, unequal clusters, a third of the features noise."""
    rng = np.random.default_rng(seed)
    y = rng.choice(13, size=4998, p=rng.dirichlet(np.ones(13)))
    spread = rng.uniform(1, 3, size=(13, 26))
    X = np.column_stack(
        [rng.normal(size=(13, 26))[y] + spread[y] * rng.normal(size=(4998, 26)), rng.normal(size=(4998, 12))]
    )
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def questions(N: int, M: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.array([rng.choice(N, 3, replace=False) for _ in range(M)])


def fit(kind: str, seed: int) -> tuple[float, float, float]:
    """Return processor seconds, the bound and the pairwise F of one fit with the version that is imported."""
    from dcrc_explore import DCRC, DCRCCV, Triplets
    from dcrc_explore.constraints import implied_answers
    from dcrc_explore.datasets import load_dataset
    from dcrc_explore.metrics import pairwise_f

    if kind in FITS:
        X, y = overlapping(seed)
        indices = questions(len(X), 1500, seed)
        model = DCRC(13, random_state=seed, **FITS[kind])
    elif kind.startswith("refit"):
        rng = np.random.default_rng(seed)
        y = rng.integers(3, size=500)
        X = np.array([(0, 0), (2, 0), (1, 1.7)])[y] + 0.8 * rng.normal(size=(500, 2))
        indices = questions(500, 530, seed)
        model = DCRC(3, random_state=seed, warm_start=True, kernel=kind.split()[1])
    else:
        data = load_dataset(kind.split()[1]).standardized()
        rows = np.random.default_rng(seed).permutation(len(data.X))[:700]
        X, y = data.X[rows], data.y[rows]
        indices = questions(len(X), int((0.1 if seed % 2 else 0.3) * len(X)), seed)
        model = DCRCCV(DCRC(len(np.unique(y)), random_state=seed))
    triplets = Triplets(indices, implied_answers(y, indices))
    seconds = []
    for known in range(500, 530) if kind.startswith("refit") else [len(triplets)]:
        start = time.process_time()
        model.fit(X, triplets=triplets[:known])
        seconds.append(time.process_time() - start)
    return float(np.median(seconds)), model.lower_bound_, pairwise_f(y, model.labels_)


def measured(folder: Path, kind: str, seed: int) -> list[float]:
    """Do the same in a process that imports the version in a folder."""
    environment = os.environ | {"PYTHONPATH": str(folder), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, __file__, "--fit", kind, "--first", str(seed)]
    return json.loads(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)


def paired(differences: np.ndarray) -> str:
    """Return a mean difference with its interval of 95 %, by Student's t."""
    interval = stats.sem(differences) * stats.t.ppf(0.975, len(differences) - 1)
    return f"{differences.mean():+.4f} ± {interval:.4f}"


def compare(kinds: list[str], seeds: range, before: Path) -> None:
    head = f"{'fit':>22} {'runs':>4} {'before s':>9} {'now s':>8} {'ratio':>6} {'bound':>15} {'F':>13}"
    print(head + f" {'bound, now - before':>21} {'F, now - before':>19}")
    for kind in kinds:
        pairs = np.array([(measured(before, kind, seed), measured(ROOT, kind, seed)) for seed in seeds])
        (old, old_bound, old_f), (new, new_bound, new_f) = pairs.mean(axis=0)
        ratio = np.median(pairs[:, 1, 0] / pairs[:, 0, 0])
        _, bound, f = (pairs[:, 1] - pairs[:, 0]).T
        print(
            f"{kind:>22} {len(seeds):4d} {old:9.3f} {new:8.3f} {ratio:6.2f} {old_bound:7.3f} {new_bound:7.3f} "
            f"{old_f:6.3f} {new_f:6.3f} {paired(bound):>21} {paired(f):>19}",
            flush=True,
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=8)
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--kinds", nargs="+")
    parser.add_argument("--baseline", default=BASELINE, help="a commit")
    parser.add_argument("--fit", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    if arguments.fit:
        print(json.dumps(fit(arguments.fit, arguments.first)))
    else:
        kinds = arguments.kinds or [*FITS, "refit linear", "refit rbf"]
        if not arguments.kinds and os.environ.get("DCRC_EXPLORE_DATA"):
            kinds += [f"cv {name}" for name in ("ionosphere", "pima", "balance-scale", "letters-ijlt", "digits-389")]
        archive = subprocess.run(
            ["git", "archive", arguments.baseline, "dcrc_explore"], cwd=ROOT, capture_output=True, check=True
        ).stdout
        with tempfile.TemporaryDirectory() as folder:
            with tarfile.open(fileobj=io.BytesIO(archive)) as files:
                files.extractall(folder, filter="data")
            seeds = range(arguments.first, arguments.first + arguments.runs)
            compare(kinds, seeds, Path(folder))
