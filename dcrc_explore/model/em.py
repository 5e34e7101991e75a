"""Variational EM: the loop over E-steps and M-steps, and the bound Eq. (10) that it climbs.

The objective, Eq. (8) or Eq. (9), begins with the log-likelihood of the answers, Eq. (7), a sum over all assignments of
the constrained instances that cannot be computed. Jensen's inequality bounds it from below for any Q(Y_I); the E-step
raises this bound in Q, the M-step in W. :mod:`dcrc_explore.model.weighting` says what the terms are divided by.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.arrays import FloatArray
from dcrc_explore.constraints import Answer, Pairs, Triplets
from dcrc_explore.model.estep import AnswerGraph
from dcrc_explore.model.lbfgs import LBFGS
from dcrc_explore.model.mstep import Evaluation, Factors, MStepObjective, bounding_scale, logistic_regression
from dcrc_explore.model.noise import NoiseModel
from dcrc_explore.model.softmax import log_proba
from dcrc_explore.model.weighting import WEIGHTINGS, Counts, Divisors

# A softened start: shares of tau, and the largest number of EM iterations with each.
_SOFT_SHARES = (0.1, 0.3)
_SOFT_ITERATIONS = 10
# ... and the smallest lambda, so that the first answers do not carry a few instances away from all others.
_SOFT_LAM = 2**-5
# L-BFGS iterations and their relative tolerance where there are no answers, and so one M-step is the whole fit.
_UNANSWERED_ITERATIONS, _UNANSWERED_TOL = 100, 1e-7
# Steps of EM need not be exact (section IV-C): L-BFGS iterations and their relative tolerance, mean field sweeps, the
# change of a probability at which they stop, and the share of instances that need not have come so far: a few take
# twice as long as all others. Only in the last E-step of a fit all come further: as far as `tol` decides about W.
_M_STEP_ITERATIONS = 10
_M_STEP_TOL = 1e-6
_MAX_SWEEPS = 100
_SWEEP_TOL = 1e-2
_UNSETTLED = 0.03
_LAST_SWEEP_TOL = 1e-4
# Where the bound still rises fast an M-step need be no finer than this share of its last rise; it may then leave so
# many times its tolerance.
_M_STEP_SHARE = 0.01
_M_STEP_LEFT = 10.0
# Bounds that differ by less are those of equal fits: where EM ends is known less well than rounding.
_EQUAL = 1e-6
# With more unconstrained instances than this, EM comes near its end on some of them, and only then takes all.
_MANY, _SAMPLE = 80_000, 20_000
# Has a logarithm; x log x of anything smaller is 0.
_SMALLEST = 1e-300


def log_alpha(epsilon: float) -> float:
    """Logarithm of alpha = 2 (1 - epsilon) / epsilon of Eq. (13): 0 ignores the answers, infinity makes them hard.

    Examples
    --------
    >>> log_alpha(2 / 3), log_alpha(0)
    (0.0, inf)
    """
    if epsilon == 0:
        return np.inf
    return 0.0 if epsilon == 2 / 3 else float(np.log(2) + np.log1p(-epsilon) - np.log(epsilon))


@dataclass(frozen=True)
class Bound:
    """The bound Eq. (10), term by term, each with its sign and factor.

    Attributes
    ----------
    answers : float
        1/A times the expectation of log P(Y, L|X) / Q(Y) under Q, which never exceeds log P(L|X; W) / A; A is M in Eq.
        (7). For hard answers, log P(L|Y) is minus infinity as soon as one answer has imperfect support. It is then left
        out, and `satisfied` takes its place.
    regulariser, separation, balance : float
        - lam R(W), - tau / B times the entropy summed over U, and + tau H(y|X; W); B is |U| in Eq. (8), and the last
        term is 0 without cluster balance.
    satisfied : float
        Expected number of satisfied answers under Q.
    hard : bool
        Whether answers are hard (epsilon = 0).
    """

    answers: float
    regulariser: float
    separation: float
    balance: float
    satisfied: float
    hard: bool

    @property
    def total(self) -> float:
        """Sum of the terms: the bound, or for hard answers what remains of it."""
        return self.answers + self.regulariser + self.separation + self.balance

    def reweighed(self, old: Factors, new: Factors) -> Bound:
        """Return the bound at the same W and Q with other factors; where a factor was 0 it must be 0 again."""
        lam, separation, balance = (to / of if of else 0.0 for of, to in zip(old, new, strict=True))
        return replace(
            self,
            regulariser=lam * self.regulariser,
            separation=separation * self.separation,
            balance=balance * self.balance,
        )

    def exceeds(self, other: Bound) -> bool:
        """Whether this is the bound of a better fit, by more than rounding; of equal fits the first is kept."""
        (satisfied, value), (satisfied_there, value_there) = self.rank, other.rank
        return satisfied > satisfied_there or (satisfied == satisfied_there and value > value_there + _EQUAL)

    @property
    def rank(self) -> tuple[float, float]:
        """What decides which fit is better: the bound; for hard answers first the satisfied answers."""
        return _rank(self.satisfied, self.total, self.hard)


def _rank(satisfied: float, value: float, hard: bool) -> tuple[float, float]:
    # Rounded, because sums of probabilities that are 0 or 1 up to rounding must compare as equal.
    return (round(satisfied, 6) if hard else 0.0, value)


@dataclass(frozen=True)
class EMState:
    """Weights W (K, d + 1), memberships Q (K, |I|), the bound that EM climbs with `factors`, the noise model."""

    W: FloatArray
    Q: FloatArray
    bound: Bound
    factors: Factors
    noise: NoiseModel | None = None


class Problem:
    """Instances and answers, arranged for EM.

    Parameters
    ----------
    X : ndarray of shape (N, d)
    triplets : Triplets
    n_clusters, epsilon, tau, lam, balance, weighting
        As in :class:`~dcrc_explore.DCRC`.
    pairs : Pairs, optional
        Must-links and cannot-links.
    noise : NoiseModel, optional
        The noise model of the answers, instead of epsilon.

    Attributes
    ----------
    order : ndarray of shape (N,)
        Row numbers of X, constrained instances first, in the order in which Q holds them.
    """

    def __init__(
        self,
        X: FloatArray,
        triplets: Triplets,
        n_clusters: int,
        *,
        epsilon: float,
        tau: float,
        lam: float,
        balance: bool,
        weighting: str = "steady",
        pairs: Pairs | None = None,
        noise: NoiseModel | None = None,
    ) -> None:
        self.n_clusters, self.epsilon = n_clusters, epsilon
        self.factors = Factors(lam, tau, tau if balance else 0.0)
        pairs = Pairs() if pairs is None else pairs
        self.n_answers = len(triplets) + len(pairs)
        self.graph = AnswerGraph(triplets, pairs.indices, pairs.answers == Answer.YES)
        self._first_noise = noise
        self._weigh(noise)
        instances = self.graph.instances
        unconstrained = np.ones(len(X), dtype=bool)
        unconstrained[instances] = False
        others = _sample_first(np.flatnonzero(unconstrained))
        self.order: NDArray[np.intp] = np.concatenate([instances, others])
        # One feature after the other in memory: products with W are faster that way.
        self.X = np.empty((X.shape[1] + 1, len(X))).T
        for values, feature in zip(X.T, self.X.T, strict=False):
            np.take(values, self.order, out=feature)
        self.X[:, -1] = 1.0
        divisors = WEIGHTINGS[weighting](Counts(len(X), len(instances), len(triplets), len(pairs)))
        self.objective = self._begin = MStepObjective(self.X, len(instances), divisors, n_clusters)
        if len(others) > _MANY:
            few, repeats = self.X[: len(instances) + _SAMPLE], len(others) / _SAMPLE
            self._begin = MStepObjective(few, len(instances), divisors, n_clusters, repeats)
        # With the paper's weights the first answers decide, wherever EM starts. Without tau nothing else does.
        self.starts_unanswered = weighting != "paper" and tau > 0

    def weights_for(self, labels: NDArray[np.integer]) -> FloatArray:
        """Fit a logistic regression to labels of the rows of X."""
        X = self._begin.X
        return logistic_regression(X, labels[self.order[: len(X)]], self.n_clusters, self.factors.lam)

    def without_answers(self, W: FloatArray) -> FloatArray:
        """Return the weights to which a fit without answers leads from W, with balance, so that no cluster is lost."""
        lam, tau, _ = self.factors
        scale = bounding_scale(self._begin.X)
        X = self._begin.X / scale
        objective = MStepObjective(X, 0, Divisors(0, len(X)), self.n_clusters)
        factors = Factors(lam, tau, tau)
        start = objective(W * scale, np.empty((self.n_clusters, 0)), factors)
        optimiser = LBFGS(objective.scaling(lam))
        end = objective.maximise(start, factors, optimiser, max_iter=_UNANSWERED_ITERATIONS, tol=_UNANSWERED_TOL)
        return end.W / scale

    def in_order_of_rows(self, P: FloatArray) -> FloatArray:
        """Return what is known of the instances, shape (K, N), with a row for each row of X, shape (N, K)."""
        rows = np.empty(P.shape[::-1])
        rows[self.order] = P.T
        return rows

    @property
    def hard(self) -> bool:
        """Whether answers are hard."""
        return self.epsilon == 0 and self._noise is None

    def bound(self, W: FloatArray, Q: FloatArray, factors: Factors) -> Bound:
        """Evaluate the bound Eq. (10) at W and Q."""
        return self._bound(self.objective(W, Q, factors), self._memberships(Q))

    def _bound(self, at: Evaluation, memberships: _Memberships) -> Bound:
        terms, answers = at.terms, 0.0
        if self.n_answers:
            answers = terms.memberships
            answers += (memberships.entropy + self._log_likelihood(memberships)) / self.objective.divisors.answers
        return Bound(answers, terms.regulariser, terms.separation, terms.balance, memberships.satisfied, self.hard)

    def _memberships(self, Q: FloatArray) -> _Memberships:
        entropy = -float(np.vdot(Q, np.log(np.maximum(Q, _SMALLEST))))
        return _Memberships(Q, entropy, float(self.graph.satisfaction(Q).sum()))

    def _expectation(self, log_p: FloatArray, last: _Memberships | None) -> _Memberships:
        """E-step: memberships of the constrained instances, never with a lower bound than the last ones.

        Sweeps start from P(y|x), which lets go of memberships that the weights no longer support: this ends in better
        optima than continuing from Q. Only where it would lower the bound do the sweeps continue from Q.
        """
        restarted = self._sweeps(np.exp(log_p), log_p)
        if last is None or self._rank(restarted, log_p) >= self._rank(last, log_p):
            return restarted
        return self._sweeps(last.Q, log_p)

    def _log_likelihood(self, memberships: _Memberships) -> float:
        """Return the expectation of log P(L|Y) below Table II; 0 for hard answers, for which `satisfied` stands."""
        if self._noise is not None:
            Q = memberships.Q
            return self._noise.log_likelihood(self.graph.implied(Q), self.graph.linked(Q))
        if self.hard:
            return 0.0
        return (
            self.n_answers * float(np.log(self.epsilon) - np.log(2)) + log_alpha(self.epsilon) * memberships.satisfied
        )

    def _weigh(self, noise: NoiseModel | None) -> None:
        self._noise = noise
        if noise is not None:
            self.graph.weigh(*noise.weights())

    def _sweeps(
        self, Q: FloatArray, log_p: FloatArray, tol: float = _SWEEP_TOL, unsettled: float = _UNSETTLED
    ) -> _Memberships:
        weight = log_alpha(self.epsilon) if self._noise is None else 1.0
        Q = self.graph.infer(Q, log_p, weight, max_sweeps=_MAX_SWEEPS, tol=tol, unsettled=unsettled)
        return self._memberships(Q)

    def _rank(self, memberships: _Memberships, log_p: FloatArray) -> tuple[float, float]:
        value = float(np.vdot(memberships.Q, log_p)) + memberships.entropy + self._log_likelihood(memberships)
        return _rank(memberships.satisfied, value, self.hard)

    def run(
        self, W: FloatArray, Q: FloatArray | None, *, soft_start: bool, max_iter: int, tol: float
    ) -> Iterator[EMState]:
        """Yield the states of a fit.

        A softened start first weighs separation and balance less and the regulariser more, so that the answers are used
        before the unconstrained instances have settled. It always uses balance, so that no cluster is lost meanwhile.
        Of many instances it sees some, and so does a climb before the one whose states are yielded.
        """
        self._weigh(self._first_noise)
        sampled = Q is None and self._begin is not self.objective
        if soft_start:
            stage = min(_SOFT_ITERATIONS, max_iter // 4)
            lam, tau, _ = self.factors
            for share in _SOFT_SHARES:
                factors = Factors(max(_SOFT_LAM, lam), share * tau, share * tau)
                for state in self.climb(W, Q, factors, max_iter=stage, tol=tol, objective=self._begin):
                    yield state
                    max_iter -= state.W is not W
                    W, Q = state.W, state.Q
        if sampled and max_iter:
            for state in self.climb(W, Q, self.factors, max_iter=max_iter, tol=tol, objective=self._begin):
                W, Q = state.W, state.Q
        yield from self.climb(W, Q, self.factors, max_iter=max_iter, tol=tol)

    def climb(
        self,
        W: FloatArray,
        Q: FloatArray | None,
        factors: Factors,
        *,
        max_iter: int,
        tol: float,
        objective: MStepObjective | None = None,
    ) -> Iterator[EMState]:
        """Yield the state after the first E-step, then after each M-step and E-step, until the bound stands still."""
        objective = objective or self.objective
        log_p, _ = log_proba(W, self.X[: objective.n_constrained])
        memberships = self._expectation(log_p, None if Q is None else self._memberships(Q))
        at = objective(W, memberships.Q, factors)
        bound, optimiser = self._bound(at, memberships), LBFGS(objective.scaling(factors.lam))

        def state(*, last: bool) -> EMState:
            """Return the state reached; the last one has its E-step carried to the end."""
            if not last:
                return EMState(at.W, at.Q, bound, factors, self._noise)
            end = self._sweeps(at.Q, at.log_p, _LAST_SWEEP_TOL, 0.0)
            reached = objective.with_memberships(at, end.Q)
            return EMState(at.W, end.Q, self._bound(reached, end), factors, self._noise)

        yield state(last=max_iter == 0)
        m_step_tol = _M_STEP_TOL
        for iteration in range(max_iter):
            at = objective.maximise(at, factors, optimiser, max_iter=_M_STEP_ITERATIONS, tol=m_step_tol)
            if self._noise is not None and self._noise.is_learned and factors == self.factors:
                self._weigh(self._noise.learned(self.graph.implied(at.Q), self.graph.linked(at.Q)))
            memberships = self._expectation(at.log_p, memberships)
            at = objective.with_memberships(at, memberships.Q)
            before, bound = bound, self._bound(at, memberships)
            left = _M_STEP_LEFT * (m_step_tol - _M_STEP_TOL)
            stands_still = bool(np.subtract(bound.rank, before.rank).max() < tol - left)
            m_step_tol = max(_M_STEP_TOL, _M_STEP_SHARE * (bound.total - before.total))
            yield state(last=stands_still or iteration + 1 == max_iter)
            if stands_still:
                return


def _sample_first(rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the rows with a sample at the beginning where there are many."""
    if len(rows) <= _MANY:
        return rows
    drawn = np.zeros(len(rows), dtype=bool)
    drawn[np.random.RandomState(0).choice(len(rows), _SAMPLE, replace=False)] = True
    return np.concatenate([rows[drawn], rows[~drawn]])


class _Memberships(NamedTuple):
    """Q with what the bound needs to know of it: its entropy and the expected number of satisfied answers."""

    Q: FloatArray
    entropy: float
    satisfied: float
