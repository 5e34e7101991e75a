"""Labels that COBRAS finds after given numbers of answers, as JSON. Run by questions.py with a Python of its own."""

import json
import random
import sys
from pathlib import Path

import numpy as np
from cobras_ts.cobras_kmeans import COBRAS_kmeans


class Truth:
    """Who answers, with the methods that COBRAS calls."""

    def __init__(self, y):
        self.y = y

    def query_points(self, i, j):
        return self.y[i] == self.y[j]

    def update_clustering(self, clustering):
        pass

    def continue_cluster_process(self):
        return True


np.int = int  # noqa: NPY001 (COBRAS was written for an older numpy)
folder, seed, *ends = sys.argv[1], *map(int, sys.argv[2:])
random.seed(seed)
np.random.seed(seed)  # noqa: NPY002
data = np.load(Path(folder) / "data.npz")
_, labels, *_ = COBRAS_kmeans(data["X"], Truth(data["y"]), max(ends)).cluster()
json.dump([[int(k) for k in labels[min(end, len(labels)) - 1]] for end in ends], sys.stdout)
