"""The space in which the model is linear: the features of instances, and scores of many points of the plane at once.

For features z(x) with z(x).z(x') = k(x, x') the squared norm R(W) is the norm in the kernel's own space, so DCRC on
z(x) is DCRC with that kernel.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import comb
from typing import Any

import numpy as np
from scipy.linalg import eigh
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.utils import check_random_state

from dcrc_explore.arrays import FloatArray, RandomState

Kernel = str | Callable[..., float]
# The kernels by name, each with the parameters it takes. One of scikit-learn's pairwise_kernels needs a line here and,
# for the tool's menu, an option in the settings; see also _ON_GRID.
KERNELS: dict[str, tuple[str, ...]] = {
    "linear": (),
    "rbf": ("gamma",),
    "poly": ("gamma", "degree", "coef0"),
    "precomputed": (),
}
# Directions whose eigenvalue is below this share of the largest are noise of the decomposition.
_RANK_TOL = 1e-10
# How far the weights of rows are from 1 that tell equal eigenvalues apart.
_UNEVEN = 1e-6
# A variance that is smaller is none, and one divided by it may not be a number.
_NO_VARIANCE = 1e-200
# Products of larger values of a kernel, and sums of them, may not be numbers any more.
_LARGEST_VALUE = 1e100
# A negative eigenvalue beyond this share of the largest is no rounding error.
_INDEFINITE = 1e-3


class LinearMap:
    """The instances themselves."""

    def transform(self, X: FloatArray) -> FloatArray:
        """Return the features of rows of X."""
        return X

    def scores_on_grid(self, coef: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return ``coef @ features`` at the points of the plane with these coordinates, shape (K, len(y), len(x))."""
        return coef[:, 0, None, None] * x + coef[:, 1, None, None] * y[:, None]


@dataclass(eq=False)
class KernelMap:
    """Features of a kernel, written as k(x, b) @ projection with points b.

    Parameters
    ----------
    kernel : {"rbf", "poly", "precomputed"} or callable
        Any name that :func:`sklearn.metrics.pairwise.pairwise_kernels` knows, a function of two instances, or
        "precomputed": then the rows given are kernel values with the instances of the fit.
    parameters : mapping
        Parameters of the kernel, such as gamma.
    basis : ndarray of shape (B, n_features)
        The points b.
    projection : ndarray of shape (B, n_components)
    """

    kernel: Kernel
    parameters: Mapping[str, Any]
    basis: FloatArray
    projection: FloatArray
    _bells: dict[bytes, tuple[FloatArray, FloatArray]] = field(default_factory=dict, repr=False)

    def transform(self, X: FloatArray) -> FloatArray:
        """Return the features of rows of X."""
        return gram(self.kernel, self.parameters, X, self.basis) @ self.projection

    def scores_on_grid(self, coef: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return ``coef @ features`` at the points of the plane with these coordinates, shape (K, len(y), len(x))."""
        alphas = coef @ self.projection.T
        if isinstance(self.kernel, str) and self.kernel in _ON_GRID:
            return _ON_GRID[self.kernel](self, alphas, x, y)
        lines = (np.column_stack([x, np.full(len(x), height)]) for height in y)
        values = [gram(self.kernel, self.parameters, line, self.basis) for line in lines]
        return np.stack([alphas @ each.T for each in values], axis=1)

    def bells(self, alphas: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return the scores of "rbf": exp(-gamma |x - b|^2) in the plane is a bell along x times a bell along y."""
        key = x.tobytes() + y.tobytes()
        if key not in self._bells:
            gamma = self.parameters["gamma"]
            along_x, along_y = (
                np.exp(-gamma * (self.basis[:, place, None] - axis) ** 2) for place, axis in enumerate((x, y))
            )
            while len(self._bells) >= 2:
                del self._bells[next(iter(self._bells))]
            self._bells[key] = along_x, along_y
        along_x, along_y = self._bells[key]
        return np.stack([(alpha[:, None] * along_y).T @ along_x for alpha in alphas])

    def polynomials(self, alphas: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return the scores of "poly": (gamma x.b + coef0)^degree has few terms in the plane, whatever the basis is."""
        gamma, degree, coef0 = (self.parameters[name] for name in ("gamma", "degree", "coef0"))
        powers = np.arange(degree + 1)
        of_x, of_y = (axis ** powers[:, None] for axis in (x, y))
        of_bx, of_by = (axis ** powers[:, None] for axis in gamma * self.basis.T)
        # The multinomial theorem; no term has a degree above the kernel's.
        counts = [
            [comb(degree, i + j) * comb(i + j, i) * coef0 ** max(degree - i - j, 0) for i in powers] for j in powers
        ]
        terms = np.einsum("kb,jb,ib->kji", alphas, of_by, of_bx) * counts
        return of_y.T @ terms @ of_x


# Kernels whose scores on a grid have a short way; others are evaluated at each of its points.
_ON_GRID = {"rbf": KernelMap.bells, "poly": KernelMap.polynomials}
FeatureMap = LinearMap | KernelMap


@dataclass(frozen=True, eq=False)
class Features:
    """Instances in the space in which the model is linear.

    Attributes
    ----------
    rows : ndarray of shape (N, n_features of the space)
    map : LinearMap or KernelMap
        Takes other points there.
    """

    rows: FloatArray
    map: FeatureMap


def make_features(
    X: FloatArray,
    kernel: Kernel = "linear",
    *,
    gamma: float | str = "scale",
    degree: int = 3,
    coef0: float = 1.0,
    n_components: int = 500,
    random_state: RandomState = None,
) -> Features:
    """Compute the features of the rows of X: those of a kernel exactly for up to `n_components` rows, else Nystroem's.

    Nystroem's are those of as many rows, drawn at random, to which all others are projected.

    Parameters
    ----------
    X : ndarray of shape (N, d)
    kernel, gamma, degree, coef0, n_components, random_state
        As in :class:`~dcrc_explore.DCRC`.

    Examples
    --------
    >>> make_features(np.array([[0.0], [1.0]]), "rbf", gamma=1.0).rows.shape
    (2, 2)
    """
    if kernel == "linear":
        return Features(X, LinearMap())
    if gamma == "scale":
        variance = X.var()
        gamma = 1.0 / (X.shape[1] * (variance if variance > _NO_VARIANCE else 1.0))
    known = {"gamma": gamma, "degree": degree, "coef0": coef0}
    parameters = {} if callable(kernel) else {name: known[name] for name in KERNELS[kernel]}
    basis, rng = X, check_random_state(random_state)
    if kernel != "precomputed" and len(X) > n_components:
        basis = X[rng.permutation(len(X))[:n_components]]
    matrix = gram(kernel, parameters, basis, basis)
    projection = _projection(matrix, rng)
    rows = (matrix if basis is X else gram(kernel, parameters, X, basis)) @ projection
    return Features(rows, KernelMap(kernel, parameters, basis, projection))


def _projection(matrix: FloatArray, random_state: np.random.RandomState) -> FloatArray:
    """Return A with matrix = (matrix @ A)(matrix @ A)', for as many columns as the matrix has positive eigenvalues."""
    # On a symmetric grid eigenvalues are equal, and rounding would choose their vectors. Any weights of the rows give
    # an A; with these, which are 1 but for a little, the seed chooses.
    weights = 1 + _UNEVEN * random_state.standard_normal(len(matrix))
    values, vectors = eigh(weights[:, None] * matrix * weights)
    kept = values > _RANK_TOL * max(values[-1], 0.0)
    if not kept.any():
        raise ValueError("the kernel must have a positive eigenvalue, got none on these instances")
    if values[0] < -_INDEFINITE * values[-1]:
        warnings.warn(
            f"the kernel is not positive semidefinite: its eigenvalues reach from {values[0]:.3g} to "
            f"{values[-1]:.3g}. The negative part is left out. If these are distances, make similarities of them, "
            "for instance exp(-distance).",
            UserWarning,
            stacklevel=5,
        )
    return weights[:, None] * vectors[:, kept] / np.sqrt(values[kept])


def gram(kernel: Kernel, parameters: Mapping[str, Any], X: FloatArray, basis: FloatArray) -> FloatArray:
    """Return k(x, b) for the rows of X and the points b of a basis; precomputed values are X itself."""
    if kernel == "precomputed":
        return X
    with np.errstate(over="ignore", invalid="ignore"):
        values = pairwise_kernels(X, basis, metric=kernel, filter_params=True, **parameters)
    # Written so that what is no number is refused as well.
    if not np.abs(values).max(initial=0.0) <= _LARGEST_VALUE:
        raise ValueError(
            f"the kernel must have values up to {_LARGEST_VALUE:g} in size, got larger ones: lower gamma, coef0 or "
            "degree, or standardise X"
        )
    return values
