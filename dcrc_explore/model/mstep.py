r"""M-step: find the weights W that maximise the bound for a given Q.

.. math:: J(W) = \frac1M \sum_{i \in I} \sum_k q_{ik} \log p_{ik} - \lambda R(W)
          + \tau [H(\hat y | X; W) - H(Y_U | X_U; W)]

Rows of X are ordered with the constrained instances I first, so that I and U are slices.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from dcrc_explore.arrays import FloatArray
from dcrc_explore.model.softmax import normalise

# Values of K x block that are worked on at a time: two such arrays stay in the second-level cache.
_BLOCK_VALUES = 2**16
# The exponentials of logits up to this size, and sums of them, neither overflow nor vanish.
_SAFE_LOGIT = 300.0


class Taus(NamedTuple):
    """Weights of the entropies that enforce separation and balance: both tau in Eq. (9), (tau, 0) in Eq. (8)."""

    separation: float
    balance: float


@dataclass(frozen=True)
class Terms:
    """The terms of J, each with the sign and factor with which it enters the sum.

    Attributes
    ----------
    memberships : float
        1/M times the sum over I of the expected log P(y|x).
    regulariser, separation, balance : float
        - lam R(W), - tau H(Y_U|X_U; W) and + tau H(y|X; W).
    """

    memberships: float
    regulariser: float
    separation: float
    balance: float

    @property
    def total(self) -> float:
        """J(W)."""
        return self.memberships + self.regulariser + self.separation + self.balance


class _Block(NamedTuple):
    """Consecutive instances, all constrained or all not, with room for their log-probabilities and probabilities."""

    rows: slice
    log_P: FloatArray
    P: FloatArray


class Objective:
    """J and its gradient for fixed data, as one function of W.

    Parameters
    ----------
    X : ndarray of shape (N, d + 1)
        Instances, constrained ones first, with a last column of ones.
    n_constrained : int
        Size of I.
    n_answers : int
        M. Without answers the first term is absent.
    n_clusters : int
    lam : float
    """

    def __init__(
        self,
        X: FloatArray,
        n_constrained: int,
        n_answers: int,
        n_clusters: int,
        *,
        lam: float,
    ) -> None:
        self.X, self.n_constrained, self.n_answers = X, n_constrained, n_answers
        self.lam, self.shape = lam, (n_clusters, X.shape[1])
        self._largest = max(float(X.max()), -float(X.min()))
        edges = sorted({*range(0, len(X), max(256, _BLOCK_VALUES // n_clusters)), n_constrained, len(X)})
        self._blocks = [
            _Block(slice(start, stop), np.empty((n_clusters, stop - start)), np.empty((n_clusters, stop - start)))
            for start, stop in itertools.pairwise(edges)
        ]

    def __call__(self, W: FloatArray, Q: FloatArray, taus: Taus, lam: float | None = None) -> tuple[Terms, FloatArray]:
        """Return the terms of J and the gradient dJ/dW.

        Parameters
        ----------
        W : ndarray of shape (K, d + 1)
        Q : ndarray of shape (K, |I|)
        taus : Taus
        lam : float, optional
            Another lambda than that of the objective.
        """
        X, lam = self.X, self.lam if lam is None else lam
        n_samples, n_unconstrained = len(X), len(X) - self.n_constrained
        mass = np.zeros((self.shape[0], 2))  # summed probabilities over I and over U
        shift = self._largest * float(np.abs(W).sum(axis=1).max()) > _SAFE_LOGIT
        for rows, log_P, P in self._blocks:
            np.matmul(W, X[rows].T, out=log_P)
            normalise(log_P, P, shift=shift)
            mass[:, int(rows.start >= self.n_constrained)] += np.add.reduce(P, axis=1)

        # The estimated marginal p-hat, and the factors of the separation and balance terms.
        marginal = mass.sum(axis=1) / n_samples
        log_marginal = np.log(np.maximum(marginal, 1e-300))
        separate = taus.separation / n_unconstrained if n_unconstrained else 0.0
        balance = taus.balance / n_samples
        pull = (balance * log_marginal)[:, None]
        observe = 1.0 / self.n_answers if self.n_answers else 0.0

        # The unnumbered gradient after Eq. (14), with respect to the logits: it overwrites the log-probabilities.
        gradient = np.zeros(self.shape)
        memberships = centres = 0.0
        for rows, G, P in self._blocks:
            if rows.start < self.n_constrained:
                memberships += observe * float(np.vdot(Q[:, rows], G))
                np.subtract(pull[:, 0] @ P, pull, out=G)
                G *= P
                G += observe * (Q[:, rows] - P)
            else:
                G *= separate
                G -= pull
                centre = np.einsum("kn,kn->n", P, G)
                centres += float(centre.sum())
                G -= centre
                G *= P
            gradient += G @ X[rows]

        # sum of the centres = -separate * (sum of entropies over U) - (mass of U) . pull
        separation = centres + mass[:, 1] @ pull[:, 0]
        weights = W[:, :-1]
        gradient[:, :-1] -= 2 * lam * weights
        terms = Terms(
            memberships=float(memberships),
            regulariser=-lam * float(np.vdot(weights, weights)),
            separation=float(separation),
            balance=-taus.balance * float(marginal @ log_marginal),
        )
        return terms, gradient

    def maximise(
        self, W: FloatArray, Q: FloatArray, taus: Taus, lam: float | None = None, *, max_iter: int, tol: float
    ) -> FloatArray:
        """Improve W by L-BFGS, at most `max_iter` iterations; J never falls."""

        def negative(w: FloatArray) -> tuple[float, FloatArray]:
            terms, gradient = self(w.reshape(self.shape), Q, taus, lam)
            return -terms.total, -gradient.ravel()

        result = minimize(
            negative,
            W.ravel(),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": max_iter, "maxcor": 20, "ftol": tol, "gtol": 1e-6},
        )
        return result.x.reshape(self.shape)
