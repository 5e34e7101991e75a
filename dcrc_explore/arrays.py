"""Types of arrays and seeds that every module shares."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
# What functions take as `seed`, and estimators as `random_state`.
Seed = int | np.random.Generator | None
RandomState = int | np.random.RandomState | None
