"""The cluster model P(y|x; W), Eq. (6), in arrays of shape (K, N): one row per cluster.

With clusters in rows every reduction over K runs along contiguous memory, about ten times faster than (N, K).
"""

from __future__ import annotations

import numpy as np

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


def softmax(logits: FloatArray) -> FloatArray:
    """Turn logits into probabilities in place."""
    logits -= np.maximum.reduce(logits, axis=0)
    np.exp(logits, out=logits)
    logits /= np.add.reduce(logits, axis=0)
    return logits


def log_proba(W: FloatArray, X: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return log P(y|x; W) and P(y|x; W), both of shape (K, N).

    Parameters
    ----------
    W : ndarray of shape (K, d + 1)
        Weights; the last column is the bias.
    X : ndarray of shape (N, d + 1)
        Instances with a last column of ones.
    """
    logits = W @ X.T
    proba = np.empty_like(logits)
    normalise(logits, proba)
    return logits, proba


def entropy(log_p: FloatArray, p: FloatArray) -> FloatArray:
    """Entropy of each column of P in nats; log_p is finite, so a p of 0 adds nothing."""
    return -np.einsum("kn,kn->n", p, log_p)
