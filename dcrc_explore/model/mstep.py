r"""M-step: find the weights W that maximise the bound for a given Q.

.. math:: J(W) = \frac1A \sum_{i \in I} \sum_k q_{ik} \log p_{ik} - \lambda R(W)
          + \tau \Big[H(\hat y | X; W) + \frac1B \sum_{j \in U} \sum_k p_{jk} \log p_{jk}\Big]

with A = M and B = |U| in the paper, and other divisors in :mod:`dcrc_explore.model.weighting`. Rows of X are ordered
with the constrained instances I first, so that I and U are slices.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.arrays import FloatArray
from dcrc_explore.model.lbfgs import LBFGS
from dcrc_explore.model.softmax import normalise
from dcrc_explore.model.weighting import Divisors

# Values of K x block that are worked on at a time: two such arrays stay in the second-level cache.
_BLOCK_VALUES = 2**16
# Products of matrices up to this many multiplications are made without copies of them.
_SMALL_PRODUCT = 10**6
# How much J bends along a weight: so many times lambda, where a variance of 1 of its feature counts as 1. Variances
# below this share of all together are no smaller.
_BEND_OF_LAM = 10.0
_LEAST_VARIANCE = 1e-12
# Features of a larger deviation are scaled down where W is fitted to labels.
_LARGEST_DEVIATION = 10.0
# Rows for each feature from which on the covariance of the features counts too.
_MANY_ROWS = 4
# The exponentials of logits up to this size, and sums of them, neither overflow nor vanish.
_SAFE_LOGIT = 300.0


class Factors(NamedTuple):
    """Factors of regulariser, separation and balance: (lam, tau, tau) in Eq. (9), (lam, tau, 0) in Eq. (8)."""

    lam: float
    separation: float
    balance: float


@dataclass(frozen=True)
class Terms:
    """The terms of J, each with the sign and factor with which it enters the sum.

    Attributes
    ----------
    memberships : float
        1/A times the sum over I of the expected log P(y|x).
    regulariser, separation, balance : float
        - lam R(W), tau / B times the sum over U of p log p, and + tau H(y|X; W).
    """

    memberships: float
    regulariser: float
    separation: float
    balance: float

    @property
    def total(self) -> float:
        """J(W)."""
        return self.memberships + self.regulariser + self.separation + self.balance


@dataclass(frozen=True, eq=False)
class Evaluation:
    """J at W for given memberships.

    Attributes
    ----------
    W : ndarray of shape (K, d + 1)
    Q : ndarray of shape (K, |I|)
    terms : Terms
    gradient : ndarray of shape (K, d + 1)
    log_p : ndarray of shape (K, |I|)
        log P(y|x; W) of the constrained instances.
    """

    W: FloatArray
    Q: FloatArray
    terms: Terms
    gradient: FloatArray
    log_p: FloatArray

    @property
    def value(self) -> float:
        """J(W)."""
        return self.terms.total


class _Block(NamedTuple):
    """Consecutive instances, all constrained or all not, with room for their probabilities and derivatives."""

    rows: slice
    P: FloatArray
    G: FloatArray


class MStepObjective:
    """J and its gradient for fixed data, as one function of W.

    Parameters
    ----------
    X : ndarray of shape (N, d + 1)
        Instances, constrained ones first, with a last column of ones.
    n_constrained : int
        Size of I.
    divisors : Divisors
        A and B. Without answers the first term is absent, and without U the separation.
    n_clusters : int
    repeats : float, default=1.0
        How many instances each row of U stands for, where U is a sample.
    """

    def __init__(
        self, X: FloatArray, n_constrained: int, divisors: Divisors, n_clusters: int, repeats: float = 1.0
    ) -> None:
        self.X, self.n_constrained, self.divisors = X, n_constrained, divisors
        self._repeats = repeats
        self.shape = (n_clusters, X.shape[1])
        self._step = max(256, _SMALL_PRODUCT // (n_clusters * X.shape[1]))
        self._largest = max(float(X.max()), -float(X.min()))
        self._mean = X[:, :-1].mean(axis=0)
        edges = sorted({*range(0, len(X), max(256, _BLOCK_VALUES // n_clusters)), n_constrained, len(X)})
        self._blocks = [
            _Block(slice(start, stop), np.empty((n_clusters, stop - start)), np.empty((n_clusters, stop - start)))
            for start, stop in itertools.pairwise(edges)
        ]

    def __call__(self, W: FloatArray, Q: FloatArray, factors: Factors) -> Evaluation:
        """Return the terms of J and the gradient dJ/dW.

        Parameters
        ----------
        W : ndarray of shape (K, d + 1)
        Q : ndarray of shape (K, |I|)
        factors : Factors
        """
        n_samples = self.n_constrained + self._repeats * (len(self.X) - self.n_constrained)
        mass = np.zeros((self.shape[0], 2))  # summed probabilities over I and over U
        shift = self._largest * float(np.abs(W).sum(axis=1).max()) > _SAFE_LOGIT
        log_p = np.empty((self.shape[0], self.n_constrained))
        for rows, P, G in self._blocks:
            log_P = log_p[:, rows] if rows.start < self.n_constrained else G
            self._scores(W, rows, log_P)
            normalise(log_P, P, shift=shift)
            mass[:, int(rows.start >= self.n_constrained)] += np.add.reduce(P, axis=1)
        mass[:, 1] *= self._repeats

        # The estimated marginal p-hat, and the factors 1/A, tau / B and tau / N of the gradient.
        marginal = mass.sum(axis=1) / n_samples
        log_marginal = np.log(np.maximum(marginal, 1e-300))
        observe = 1.0 / self.divisors.answers if self.divisors.answers else 0.0
        separate = factors.separation / self.divisors.separation if self.divisors.separation else 0.0
        pull = (factors.balance / n_samples * log_marginal)[:, None]

        # The unnumbered gradient after Eq. (14) is a sum over instances of G_n x_n', G_n being the derivative by the
        # logits; with sum_k (1_k - P_n) p_nk a_k = P_n * (a - P_n.a) for any a, entry by entry,
        #   G_i = (Q_i - P_i) / A - P_i * (b - P_i.b)            for i in I, where b = tau / N log p-hat,
        #   G_j = P_j * (a_j - P_j.a_j)                          for j in U, where a_j = tau / B log P_j - b.
        gradient = np.zeros(self.shape)
        centres = 0.0
        for rows, P, G in self._blocks:
            if rows.start < self.n_constrained:
                np.subtract(pull[:, 0] @ P, pull, out=G)  # P_i.b - b
                G *= P
                G += observe * (Q[:, rows] - P)
            else:  # here G holds log P_j
                G *= self._repeats * separate
                G -= self._repeats * pull  # a_j
                centre = np.einsum("kn,kn->n", P, G)  # P_j.a_j
                centres += float(centre.sum())
                G -= centre
                G *= P
            self._add_products(G, rows, gradient)
        weights = W[:, :-1]
        gradient[:, :-1] -= 2 * factors.lam * weights  # - 2 lam W~

        # The sum of P_j.a_j over U is the separation - (sum of P_j).b
        separation = centres + mass[:, 1] @ pull[:, 0]
        terms = Terms(
            memberships=observe * float(np.vdot(Q, log_p)),
            regulariser=-factors.lam * float(np.vdot(weights, weights)),
            separation=float(separation),
            balance=-factors.balance * float(marginal @ log_marginal),
        )
        return Evaluation(W, Q, terms, gradient, log_p)

    def _scores(self, W: FloatArray, rows: slice, out: FloatArray) -> None:
        """Compute W x_n of consecutive instances."""
        for start in range(rows.start, rows.stop, self._step):
            few = slice(start, min(start + self._step, rows.stop))
            np.matmul(W, self.X[few].T, out=out[:, few.start - rows.start : few.stop - rows.start])

    def _add_products(self, G: FloatArray, rows: slice, out: FloatArray) -> None:
        """Add the sum of G_n x_n' over consecutive instances."""
        for start in range(rows.start, rows.stop, self._step):
            few = slice(start, min(start + self._step, rows.stop))
            out += G[:, few.start - rows.start : few.stop - rows.start] @ self.X[few]

    def with_memberships(self, evaluation: Evaluation, Q: FloatArray) -> Evaluation:
        """Return the evaluation at the same W for another Q, in which J and its gradient are linear."""
        if not self.divisors.answers:
            return evaluation
        observe, X = 1.0 / self.divisors.answers, self.X[: self.n_constrained]
        terms = replace(evaluation.terms, memberships=observe * float(np.vdot(Q, evaluation.log_p)))
        gradient = evaluation.gradient + observe * ((Q - evaluation.Q) @ X)
        return replace(evaluation, Q=Q, terms=terms, gradient=gradient)

    def scaling(self, lam: float) -> Callable[[FloatArray], FloatArray]:
        """Return what makes the ascent the one of centred, uncorrelated features of one variance, for :class:`LBFGS`.

        J stays the same, with R(W) of the weights of X as it is; only the way to its top no longer depends on the units
        of the features. Without this it may end far from the top, where rounding decides. Where the covariance would
        take long, as for the directions of a kernel, which are nearly uncorrelated, variances do.
        """
        d, ridge = len(self._mean), _BEND_OF_LAM * lam
        if len(self.X) >= _MANY_ROWS * d:
            spread = self.X[:, :-1] - self._mean
            bend = spread.T @ spread / len(spread)
            bend[np.diag_indices(d)] += (ridge + _LEAST_VARIANCE * np.trace(bend)) or 1.0
            centred = np.column_stack([np.eye(d), -self._mean])
            inverse = centred.T @ np.linalg.solve(bend, centred)
            inverse[-1, -1] += 1.0
            return lambda gradient: gradient @ inverse

        variance = np.array([float(np.var(feature)) for feature in self.X.T[:-1]])
        bends = np.maximum(variance, _LEAST_VARIANCE * variance.max(initial=0.0)) + ridge
        bends[bends == 0] = 1.0

        def scaled(gradient: FloatArray) -> FloatArray:
            scaled = gradient.copy()
            scaled[:, :-1] -= gradient[:, -1:] * self._mean
            scaled[:, :-1] /= bends
            scaled[:, -1] -= scaled[:, :-1] @ self._mean
            return scaled

        return scaled

    def maximise(self, at: Evaluation, factors: Factors, optimiser: LBFGS, *, max_iter: int, tol: float) -> Evaluation:
        """Improve W by at most `max_iter` iterations of L-BFGS; J never falls."""
        _, reached = optimiser.maximise(lambda W: self(W, at.Q, factors), at.W, at, max_iter=max_iter, tol=tol)
        return replace(reached, W=reached.W.copy())  # another array even where nothing was gained


def bounding_scale(X: FloatArray) -> FloatArray:
    """Return what the columns of X, the last of which is ones, are divided by to have a deviation of at most 10.

    Where features are larger, lam hardly binds: W would be certain of every label, and EM could not leave it any more.
    """
    return np.append(np.maximum(X[:, :-1].std(axis=0) / _LARGEST_DEVIATION, 1.0), 1.0)


def logistic_regression(X: FloatArray, labels: NDArray[np.integer], n_clusters: int, lam: float) -> FloatArray:
    """Fit W to labels: maximise the mean log P(label|x; W) - lam R(W), with features of a deviation of at most 10.

    This is the M-step with every instance constrained, Q = 1 for the label, and tau = 0.

    Parameters
    ----------
    X : ndarray of shape (N, d + 1)
        Instances with a last column of ones.
    """
    n_samples = len(X)
    scale = bounding_scale(X)
    X = X / scale
    objective = MStepObjective(X, n_samples, Divisors(n_samples, 0), n_clusters)
    Q = np.zeros((n_clusters, n_samples))
    Q[labels, np.arange(n_samples)] = 1.0
    factors = Factors(lam, 0.0, 0.0)
    start = objective(np.zeros(objective.shape), Q, factors)
    return objective.maximise(start, factors, LBFGS(objective.scaling(lam)), max_iter=100, tol=1e-7).W / scale
