"""From many features to a plane and back: the data as they are, principal components, the model's own plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.linalg import block_diag
from sklearn.decomposition import PCA

from dcrc_explore.arrays import FloatArray
from dcrc_explore.model.features import FeatureMap, LinearMap
from dcrc_explore.model.softmax import Weights
from dcrc_explore.model.threads import one_thread
from dcrc_explore.plane.surface import Extent, Surface, grid_axes, part_of, plane_extent

# A direction this much weaker than the strongest is noise of the decomposition.
_NOISE = 1e-12


@dataclass(frozen=True, eq=False)
class View:
    """A plane in which points are drawn.

    Examples
    --------
    >>> X = np.array([[0.0, 0, 1], [1, 0, 0], [0, 2, 0]])
    >>> view = View.pca(X)
    >>> view.points.shape, view.is_exact
    ((3, 2), False)
    >>> view.describe()
    "The first two principal components, 100% of the variance of 3 features. Boundaries are not lines here; ..."
    """

    kind: str  # "data" or "pca" or "model" or "features"
    points: FloatArray  # shape (N, 2): where the points lie
    # Shape (D, 2): points are (Z - centre) @ basis for the points Z of the space that is shown: X itself, or, for the
    # model's plane, the space in which the model is linear
    basis: FloatArray
    # Shape (2, D): the way back: centre + places @ inverse is the mean of the points that are drawn at a place
    inverse: FloatArray
    centre: FloatArray  # shape (D,)
    axes: tuple[str, str]  # what the horizontal and the vertical axis show
    # Share of the variance that is shown: of the features, or, for the model's plane, of the clusters' logits
    share: float
    # Whether P(y|x) depends only on the position in the plane, so that a map of it is exact for every point
    is_exact: bool
    frame: Extent | None = None  # (left, right, bottom, top): bounds of the picture that do not follow the points

    @classmethod
    def of(cls, X: FloatArray, names: Sequence[str] | None = None) -> View:
        """Show data of one or two features as they are, of more by their principal components."""
        D = X.shape[1]
        if D > 2:
            return cls.pca(X)
        basis = np.eye(D, 2)
        axes = tuple(names or [f"x{d + 1}" for d in range(D)])
        return cls("data", X @ basis, basis, basis.T, np.zeros(D), (axes[0], axes[1] if D == 2 else ""), 1.0, True)

    @classmethod
    def pca(cls, X: FloatArray) -> View:
        """Show the first two principal components."""
        centre = X.mean(axis=0)
        basis = _completed(X - centre, np.empty((X.shape[1], 0)))
        return cls._along("pca", X, centre, basis, ("component 1", "component 2"), is_exact=False)

    @classmethod
    def features(cls, X: FloatArray, pair: tuple[int, int], names: Sequence[str] | None = None) -> View:
        """Show two of the features."""
        D = X.shape[1]
        if len(set(pair)) != 2 or not all(0 <= d < D for d in pair):
            raise ValueError(f"pair must hold two different features between 0 and {D - 1}, got {pair}")
        basis = np.eye(D)[:, list(pair)]
        axes = tuple(names[d] if names else f"x{d + 1}" for d in pair)
        view = cls._along("features", X, X.mean(axis=0), basis, (axes[0], axes[1]), is_exact=D == 2)
        # The axes carry the features' own values.
        shift = view.centre @ basis
        return replace(view, points=view.points + shift, centre=view.centre - shift @ view.inverse)

    @classmethod
    def model(cls, Z: FloatArray, weights: Weights) -> View:
        """Show the plane that separates a model's clusters.

        P(y|x) of Eq. (6) depends on differences of the rows of W only. They span a line for two clusters and a plane
        for three: in it the picture is exact. For more clusters it is the plane of the two directions in which
        the points' logits vary most. A missing direction is the leading principal component of what is left.

        Parameters
        ----------
        Z : ndarray of shape (N, D)
            The points in the space in which the model is linear.
        weights : Weights
            Of K clusters in this space.
        """
        centre = Z.mean(axis=0)
        centred = Z - centre
        differences = weights.coef - weights.coef.mean(axis=0)
        with one_thread():
            logits = centred @ differences.T
            _, sizes, directions = np.linalg.svd(logits, full_matrices=False)
            strong = sizes > _NOISE * max(float(sizes[0]), 1e-300)
            seen = directions[:2][strong[:2]]
            basis = _orthonormal((seen @ differences).T)
            if basis.shape[1] == 2:
                # Across is where the points spread most.
                basis = basis @ np.linalg.svd(centred @ basis, full_matrices=False)[2].T
            basis = _completed(centred, basis)
        exact = len(weights.coef) <= 3 or not strong[2:].any()
        view = cls._along("model", Z, centre, basis, ("the model's plane", ""), is_exact=exact)
        return replace(view, share=1.0 if exact else _share(logits, view.points))

    @classmethod
    def both(cls, *models: tuple[FloatArray, Weights]) -> View:
        """Show the plane that separates the clusters of several models of the same points, in one space or several.

        It is exact for two models of two clusters; :meth:`part` is the plane as one of the models knows it.
        """
        spaces, coefs = [Z for Z, _ in models], [weights.coef - weights.coef.mean(axis=0) for _, weights in models]
        if all(np.array_equal(spaces[0], Z) for Z in spaces[1:]):
            Z, coef = spaces[0], np.vstack(coefs)
        else:
            # Side by side the spaces are one, in which each model is linear.
            Z, coef = np.column_stack(spaces), block_diag(*coefs)
        return replace(cls.model(Z, Weights(coef, np.zeros(len(coef)))), axes=("the plane of both models", ""))

    def part(self, first: int, n_dimensions: int) -> View:
        """Return the plane as it is known in some of the space's dimensions, from the first of them on."""
        if self.basis.shape[0] == n_dimensions:
            return self
        own = slice(first, first + n_dimensions)
        return replace(self, basis=self.basis[own], inverse=self.inverse[:, own], centre=self.centre[own])

    @classmethod
    def _along(
        cls, kind: str, Z: FloatArray, centre: FloatArray, basis: FloatArray, axes: tuple[str, str], *, is_exact: bool
    ) -> View:
        centred = Z - centre
        points = centred @ basis
        # In an exact plane hidden features do not matter; elsewhere their mean, given the place, stands for them.
        inverse = basis.T if is_exact else np.asarray(np.linalg.lstsq(points, centred, rcond=None)[0], dtype=np.float64)
        return cls(kind, points, basis, inverse, centre, axes, _share(centred, points), is_exact)

    @cached_property
    def extent(self) -> Extent:
        """Bounds of the picture."""
        return self.frame or plane_extent(self.points)

    def lift(self, places: FloatArray) -> FloatArray:
        """Return points of the space for places (n, 2) of the plane, shape (n, D); the plane shows them there."""
        return self.centre + places @ self.inverse

    def flatten(self, weights: Weights) -> Weights:
        """Return a model of the plane, of shape (K, 2): at a place it says what `weights` say of the lifted place."""
        return Weights(weights.coef @ self.inverse.T, weights.intercept + weights.coef @ self.centre)

    def surface(
        self,
        weights: Weights,
        feature_map: FeatureMap | None = None,
        resolution: int = 150,
        window: Sequence[float] = (0, 1, 0, 1),
    ) -> Surface | None:
        """Return the model on a grid of the plane; None where a map would be wrong for nearly every point.

        The part of the picture that it covers, (left, right, bottom, top), is in shares of width and height.
        """
        extent = part_of(self.extent, window)
        x, y = grid_axes(extent, resolution)
        linear = feature_map is None or isinstance(feature_map, LinearMap)
        with one_thread():
            if self.kind == "model" or (self.is_exact and linear):
                flat = self.flatten(weights)
                scores = LinearMap().scores_on_grid(flat.coef, x, y)
                log_P, P = flat.of_scores(scores.reshape(len(flat.coef), -1))
            elif self.kind == "data" and self.basis.shape == (2, 2) and feature_map is not None:
                scores = feature_map.scores_on_grid(weights.coef, x, y)
                log_P, P = weights.of_scores(scores.reshape(len(weights.coef), -1))
            else:
                return None
        return Surface.from_proba(P, extent, log_P)

    def aligned(self, last: View) -> View:
        """Turn (or mirror) the plane so that the points stay as near as they can to where they were (Procrustes).

        Only a plane of principal components or of a model can be turned; other points cannot be compared.
        """
        if self.kind not in ("pca", "model") or self.points.shape != last.points.shape:
            return self
        here, there = (points - points.mean(axis=0) for points in (self.points, last.points))
        left, _, right = np.linalg.svd(here.T @ there)
        turn = left @ right
        return replace(self, points=self.points @ turn, basis=self.basis @ turn, inverse=turn.T @ self.inverse)

    def describe(self) -> str:
        """Say in a sentence or two what the picture shows, and what it hides."""
        D = self.basis.shape[0]
        if self.kind == "data":
            return f"{self.axes[0]} across, {self.axes[1]} up." if D == 2 else f"{self.axes[0]} across."
        if self.kind == "features":
            others = "" if D == 2 else f" The other {D - 2} features are hidden."
            return f"{self.axes[0]} across, {self.axes[1]} up.{others}"
        if self.kind == "pca":
            return (
                f"The first two principal components, {self.share:.0%} of the variance of {D} features. "
                "Boundaries are not lines here; they are in the model's plane."
            )
        if self.is_exact:
            return f"T{self.axes[0][1:]}: boundaries and maps are exact: P(y|x) depends only on the position in it."
        return (
            f"T{self.axes[0][1:]}: {self.share:.0%} of what separates the clusters (the variance of their logits). "
            "Boundaries and maps are exact only for points at the mean of the hidden features."
        )


def _orthonormal(directions: FloatArray) -> FloatArray:
    """Return an orthonormal basis of the columns, in their order, without those that add nothing."""
    basis = np.empty((len(directions), 0))
    for column in directions.T:
        rest = column - basis @ (basis.T @ column)
        rest = rest - basis @ (basis.T @ rest)  # once more: the first time leaves rounding errors
        if np.linalg.norm(rest) > 1e-10 * np.linalg.norm(column):
            basis = np.column_stack([basis, rest / np.linalg.norm(rest)])
    return basis


def _completed(centred: FloatArray, basis: FloatArray) -> FloatArray:
    """Complete a basis to two columns by principal components of what it does not see; zeros when there is no more."""
    D = centred.shape[1]
    missing = min(2, D) - basis.shape[1]
    if missing:
        rest = centred - (centred @ basis) @ basis.T
        if rest.any():
            found = PCA(min(missing, *rest.shape), random_state=0).fit(rest).components_
            basis = _orthonormal(np.column_stack([basis, found.T]))
    # Points on a line or in one place: any other direction does.
    basis = _orthonormal(np.column_stack([basis, np.eye(D)]))[:, :2] if basis.shape[1] < min(2, D) else basis
    return np.column_stack([basis, np.zeros((D, 2 - basis.shape[1]))])


def _share(centred: FloatArray, points: FloatArray) -> float:
    """Share of the variance of some columns that is a linear function of the place in the plane."""
    total = float((centred**2).sum())
    if total == 0:
        return 1.0
    common = points.T @ centred
    return float((common * (np.linalg.pinv(points.T @ points) @ common)).sum()) / total
