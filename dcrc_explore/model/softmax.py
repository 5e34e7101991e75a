"""The cluster model P(y|x; W), Eq. (6), in arrays of shape (K, N): one row per cluster.

With clusters in rows every reduction over K runs along contiguous memory, about ten times faster than (N, K).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.arrays import FloatArray


def normalise(logits: FloatArray, out: FloatArray, *, shift: bool = True) -> None:
    """Turn logits into log-probabilities in place and write the probabilities to `out`, Eq. (6).

    Parameters
    ----------
    logits : ndarray of shape (K, N)
        Overwritten by log P(y|x).
    out : ndarray of shape (K, N)
        Receives P(y|x).
    shift : bool, default=True
        Whether to guard against overflow; not needed for logits that are known to be moderate.

    Examples
    --------
    >>> A, P = np.array([[0.0, 1000.0], [0.0, 0.0]]), np.empty((2, 2))
    >>> normalise(A, P)
    >>> P
    array([[0.5, 1. ],
           [0.5, 0. ]])
    """
    # The reductions are called directly: for a few hundred instances an array's own methods cost as much as the work.
    if shift:
        logits -= np.maximum.reduce(logits, axis=0)
    np.exp(logits, out=out)
    total = np.add.reduce(out, axis=0)
    out *= 1.0 / total
    logits -= np.log(total)


def softmax(logits: FloatArray, *, shift: bool = True) -> FloatArray:
    """Turn logits into probabilities in place; `shift` as in :func:`normalise`."""
    if shift:
        logits -= np.maximum.reduce(logits, axis=0)
    np.exp(logits, out=logits)
    logits /= np.add.reduce(logits, axis=0)
    return logits


def probabilities(logits: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return log P and P for logits of shape (K, N), which are overwritten by log P."""
    P = np.empty_like(logits)
    normalise(logits, P)
    return logits, P


def log_proba(W: FloatArray, X: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return log P(y|x; W) and P(y|x; W), both of shape (K, N).

    Parameters
    ----------
    W : ndarray of shape (K, d + 1)
        Weights; the last column is the bias.
    X : ndarray of shape (N, d + 1)
        Instances with a last column of ones.
    """
    return probabilities(W @ X.T)


def entropy(log_p: FloatArray, p: FloatArray) -> FloatArray:
    """Entropy of each column of P in bits; log_p is finite, so a p of 0 adds nothing.

    Examples
    --------
    >>> entropy(*probabilities(np.zeros((2, 1))))
    array([1.])
    """
    return -np.einsum("kn,kn->n", p, log_p) / np.log(2)


@dataclass(frozen=True, eq=False)
class Weights:
    """W of Eq. (6): `coef` of shape (K, n_features), in the space where the model is linear, `intercept` (K,).

    Examples
    --------
    >>> Weights(np.zeros((2, 1)), np.log([3.0, 1.0])).proba(np.array([[5.0]]))
    array([[0.75, 0.25]])
    """

    coef: FloatArray
    intercept: FloatArray

    @classmethod
    def from_matrix(cls, W: FloatArray) -> Weights:
        """Take apart W of shape (K, d + 1), whose last column is the bias."""
        return cls(W[:, :-1].copy(), W[:, -1].copy())

    def matrix(self) -> FloatArray:
        """W of shape (K, d + 1)."""
        return np.column_stack([self.coef, self.intercept])

    def proba(self, X: FloatArray) -> FloatArray:
        """Return P(y|x; W) of the rows of X, shape (N, K)."""
        return np.ascontiguousarray(self.log_proba(X)[1].T)

    def log_proba(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return log P(y|x; W) and P(y|x; W) of the rows of X, both of shape (K, N)."""
        return self.of_scores(self.coef @ X.T)

    def of_scores(self, scores: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the same for scores ``coef @ x`` of shape (K, N), which are overwritten."""
        scores += self.intercept[:, None]
        return probabilities(scores)

    def renumbered(self, numbers: NDArray[np.int64]) -> Weights:
        """Call cluster k ``numbers[k]``."""
        order = np.argsort(numbers)
        return Weights(self.coef[order], self.intercept[order])
