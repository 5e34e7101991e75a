"""One fitted model and everything a view draws of it, computed when asked for and then kept."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.constraints import Triplets

FloatArray = NDArray[np.float64]
Extent = tuple[float, float, float, float]


@dataclass(frozen=True, eq=False)
class Surface:
    """The model on a grid of the plane; row 0 is the bottom, as for ``imshow(origin="lower")``.

    Parameters
    ----------
    extent : (xmin, xmax, ymin, ymax)
        The same for every fit to the same data.
    regions : uint8 array of shape (R, R)
        Most probable cluster.
    entropy : uint8 array of shape (R, R)
        0 is certain, 255 is the largest entropy possible, log K.
    proba : uint8 array of shape (K, R, R)
        P(y = k | x), 255 is one.
    """

    extent: Extent
    regions: NDArray[np.uint8]
    entropy: NDArray[np.uint8]
    proba: NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Objective:
    """The bound of Eq. (10) at the initialisation and after each EM iteration.

    The terms carry their weights and signs: where `bound` is finite it is their sum. For hard answers
    (epsilon = 0) the bound and its `answers` term may be minus infinity; `satisfied` always tells something.
    """

    bound: FloatArray
    answers: FloatArray
    regulariser: FloatArray
    separation: FloatArray
    balance: FloatArray
    satisfied: NDArray[np.int64]  # number of answers that the model then implies
    converged: bool
    cycling: bool

    def __len__(self) -> int:
        return len(self.bound)


class Fit:
    """A fitted model, or the model at one EM iteration of a fit; every property is computed once, on first use.

    Cluster numbers are aligned to those of the fit before. Entropies are in bits.
    """

    triplets: Triplets
    seconds: float

    @property
    def labels(self) -> NDArray[np.int64]:
        """Most probable cluster of each point, shape (N,)."""
        raise NotImplementedError

    @property
    def proba(self) -> FloatArray:
        """P(y|x), shape (N, K)."""
        raise NotImplementedError

    @property
    def posterior(self) -> FloatArray:
        """q(y) for points with answers, P(y|x) for the others, shape (N, K)."""
        raise NotImplementedError

    @property
    def entropy(self) -> FloatArray:
        """Entropy of P(y|x) in bits, shape (N,)."""
        raise NotImplementedError

    @property
    def shares(self) -> FloatArray:
        """Share of points in each cluster, shape (K,)."""
        raise NotImplementedError

    @property
    def implied(self) -> NDArray[np.int8]:
        """Answer implied by the labels for each triplet, Eq. (1), shape (M,)."""
        raise NotImplementedError

    @property
    def violated(self) -> NDArray[np.bool_]:
        """Whether each answer differs from the implied one, shape (M,)."""
        raise NotImplementedError

    @property
    def answer_table(self) -> NDArray[np.int64]:
        """Answers given (rows: yes, no, dnk) against answers implied (columns), shape (3, 3)."""
        raise NotImplementedError

    def surface(self, resolution: int = 150) -> Surface | None:
        """The model on a grid; None when the data has more than two features."""
        raise NotImplementedError
