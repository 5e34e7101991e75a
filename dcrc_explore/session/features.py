"""Features in which the model is linear, computed once for a kernel instead of once for each fit."""

from __future__ import annotations

from functools import lru_cache
from math import comb

import numpy as np

from dcrc_explore.arrays import FloatArray
from dcrc_explore.model.estimator import DCRC
from dcrc_explore.model.threads import one_thread
from dcrc_explore.plane import grid_axes
from dcrc_explore.session.subject import Subject


class Features:
    """The points of a subject in the feature space of a kernel.

    DCRC with a kernel is linear DCRC on the kernel's features. Answers change neither points nor kernel, so a session
    computes the features when data or kernel change, and an answer costs a linear fit whatever the kernel is.

    Parameters
    ----------
    subject : Subject
    kernel : {"linear", "rbf", "poly"}
    gamma, random_state
        As in :class:`~dcrc_explore.DCRC`.

    Attributes
    ----------
    points : ndarray of shape (N, n_features of the space)

    Examples
    --------
    >>> Features(Subject.of("moons"), "linear").points.shape
    (100, 2)
    """

    def __init__(
        self, subject: Subject, kernel: str, gamma: float | str = "scale", random_state: int | None = None
    ) -> None:
        self._extent = subject.extent
        model = DCRC(kernel=kernel, gamma=gamma, random_state=random_state)
        with one_thread():
            self.points = model.features_of_fit(subject.dataset.X)
        self._kernel_map = model.kernel_map_
        self._bells = lru_cache(maxsize=2)(self._bells_along_axes)

    def on_grid(self, coef: FloatArray, resolution: int) -> FloatArray:
        """Return ``coef @ features`` at the centres of a grid of R x R cells of the plane, shape (K, R * R)."""
        if self._kernel_map is None:
            x, y = grid_axes(self._extent, resolution)
            values = coef[:, 0, None, None] * x + coef[:, 1, None, None] * y[:, None]
        elif self._kernel_map.kernel == "poly":
            values = self._polynomials(coef, resolution)
        else:
            _, projection = self._basis()
            along_x, along_y = self._bells(resolution)
            values = np.stack([(alpha[:, None] * along_y).T @ along_x for alpha in coef @ projection.T])
        return values.reshape(len(coef), -1)

    def _basis(self) -> tuple[FloatArray, FloatArray]:
        """Points b and a projection with features(x) = k(x, b) @ projection."""
        kernel_map = self._kernel_map
        assert kernel_map is not None
        if hasattr(kernel_map, "nystroem_"):
            return kernel_map.nystroem_.components_, kernel_map.nystroem_.normalization_.T
        return kernel_map.X_, kernel_map.projection_

    def _polynomials(self, coef: FloatArray, resolution: int) -> FloatArray:
        """Return the same for (gamma x.b + coef0)^degree: in the plane it has few terms, however many b there are."""
        assert self._kernel_map is not None
        gamma, degree, coef0 = (self._kernel_map.parameters[name] for name in ("gamma", "degree", "coef0"))
        basis, projection = self._basis()
        powers = np.arange(degree + 1)
        of_x, of_y = (axis ** powers[:, None] for axis in grid_axes(self._extent, resolution))
        of_bx, of_by = (axis ** powers[:, None] for axis in gamma * basis.T)
        # The multinomial theorem; no term has a degree above the kernel's.
        counts = [
            [comb(degree, i + j) * comb(i + j, i) * coef0 ** max(degree - i - j, 0) for i in powers] for j in powers
        ]
        terms = np.einsum("kb,jb,ib->kji", coef @ projection.T, of_by, of_bx) * counts
        return of_y.T @ terms @ of_x

    def _bells_along_axes(self, resolution: int) -> tuple[FloatArray, FloatArray]:
        """Factors of the kernel: exp(-gamma |x - b|^2) in the plane is a bell along x times a bell along y."""
        assert self._kernel_map is not None
        gamma = self._kernel_map.parameters["gamma"]
        basis, _ = self._basis()
        along_x, along_y = (
            np.exp(-gamma * (basis[:, place, None] - axis) ** 2)
            for place, axis in enumerate(grid_axes(self._extent, resolution))
        )
        return along_x, along_y
