"""Spoken words by the features *sound* and *speech*: ``python tests/benchmarks/spoken.py``.

It needs Debian's ``espeak-ng``, which speaks words in many voices and speeds. Printed is the adjusted Rand index with
the words after 0, 20 and 60 true guided answers.
"""

from __future__ import annotations

import subprocess
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from dcrc_explore.datasets import as_dataset
from dcrc_explore.session import Session

SETS = {
    "three words": ("apple", "garden", "window"),
    "five digits": ("one", "two", "three", "four", "five"),
    "similar words": ("light", "night", "right", "write down"),
}
VOICES = ("en-us", "en-gb", "en-gb-scotland", "en-us+f2", "en-us+f4", "en-us+m3", "en-us+m7", "en-gb+croak")
SPEEDS = (130, 170, 210)
SEEDS = range(5)


def quality(X: np.ndarray, y: np.ndarray, seed: int) -> list[float]:
    """Return the adjusted Rand index after 0, 20 and 60 answers."""
    session = Session(X, y, n_clusters=len(set(y)), random_state=seed, autosave=None)
    found = []
    for n_answers in (0, 20, 60):
        if n_answers > len(session.log):
            session.answer_by_oracle(n_answers - len(session.log), strategy="guided", oracle="truth")
        found.append(session.model.quality[-1].ari)
    return found


if __name__ == "__main__":
    for name, words in SETS.items():
        with TemporaryDirectory() as folder:
            for word, voice, speed in product(words, VOICES, SPEEDS):
                (Path(folder) / word).mkdir(exist_ok=True)
                file = Path(folder, word, f"{voice}-{speed}.wav")
                subprocess.run(["espeak-ng", "-v", voice, "-s", str(speed), "-w", str(file), word], check=True)
            for features in ("sound", "speech"):
                data = as_dataset(folder, features=features)
                means = np.mean([quality(data.X, data.y, seed) for seed in SEEDS], axis=0)
                numbers = "  ".join(f"{value:.2f}" for value in means)
                print(f"{name:14} {features:7} {len(data.X):3} sounds   {numbers}", flush=True)
