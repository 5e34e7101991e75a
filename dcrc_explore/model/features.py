"""Non-linear boundaries: a feature map in which the linear model is a kernel machine.

For features z(x) with z(x).z(x') = k(x, x') the squared norm R(W) is the norm in the kernel's own space, so DCRC on
z(x) is DCRC with that kernel.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.linalg import eigh
from sklearn.kernel_approximation import Nystroem
from sklearn.metrics.pairwise import pairwise_kernels

from dcrc_explore.arrays import FloatArray

Kernel = str | Callable[..., float]
# Directions whose eigenvalue is below this share of the largest are noise of the decomposition.
_RANK_TOL = 1e-10
# A negative eigenvalue beyond this share of the largest is no rounding error.
_INDEFINITE = 1e-3


class KernelMap:
    """Features of a kernel: exact for up to `n_components` instances, Nystroem's for more.

    Parameters
    ----------
    kernel : {"rbf", "poly", "precomputed"} or callable
        Any name that :func:`sklearn.metrics.pairwise.pairwise_kernels` knows, a function of two instances, or
        "precomputed": then the rows given are kernel values with the instances of the fit.
    n_components : int
    random_state : RandomState
        Draws Nystroem's instances.
    **parameters
        Parameters of the kernel, such as gamma.
    """

    def __init__(
        self, kernel: Kernel, *, n_components: int, random_state: np.random.RandomState, **parameters: Any
    ) -> None:
        self.kernel, self.n_components, self.random_state = kernel, n_components, random_state
        self.parameters = parameters

    def is_for(self, X: FloatArray, other: KernelMap) -> bool:
        """Whether the map was prepared for the rows X and has the settings of `other`."""
        same = (self.kernel, self.n_components, self.parameters) == (other.kernel, other.n_components, other.parameters)
        return same and np.array_equal(self.X_, X)

    def fit(self, X: FloatArray) -> KernelMap:
        """Prepare the map for the rows of X; `features_` holds their features."""
        self.X_ = X
        if self.kernel != "precomputed" and len(X) > self.n_components:
            self.nystroem_ = Nystroem(
                self.kernel,
                n_components=self.n_components,
                random_state=self.random_state,
                **self.parameters,
            )
            self.features_ = self.nystroem_.fit_transform(X)
            return self
        gram = self._gram(X)
        values, vectors = eigh(gram)
        kept = values > _RANK_TOL * max(values[-1], 0.0)
        if not kept.any():
            raise ValueError("the kernel must have a positive eigenvalue, got none on these instances")
        if values[0] < -_INDEFINITE * values[-1]:
            warnings.warn(
                f"the kernel is not positive semidefinite: its eigenvalues reach from {values[0]:.3g} to "
                f"{values[-1]:.3g}. The negative part is left out. If these are distances, make similarities of them, "
                "for instance exp(-distance).",
                UserWarning,
                stacklevel=4,
            )
        self.projection_ = vectors[:, kept] / np.sqrt(values[kept])
        self.features_ = gram @ self.projection_
        return self

    def transform(self, X: FloatArray) -> FloatArray:
        """Return the features of other rows."""
        return self.nystroem_.transform(X) if hasattr(self, "nystroem_") else self._gram(X) @ self.projection_

    def _gram(self, X: FloatArray) -> FloatArray:
        if self.kernel == "precomputed":
            return X
        return pairwise_kernels(X, self.X_, metric=self.kernel, filter_params=True, **self.parameters)
