r"""Noise model of the answers: P(given | implied), for everybody alike or for each person, known or learned.

With one error rate epsilon, Table I says how the answer given depends on the one that the clusters imply. People do not
err uniformly: they say *don't know* to a fifth of the questions whose true answer is yes (Table IV). So the model may
take a matrix C, rows implied and columns given in the order yes, no, dnk, or learn one matrix C^a for each person a.

An answer l to the question t enters the bound by its expectation under Q,

.. math:: E_Q[\log P(l|Y_t)] = \log C_{dnk,l} + u_t\,Q(yes_t) + v_t\,Q(no_t),
          \quad u_t = \log\frac{C_{yes,l}}{C_{dnk,l}},\ v_t = \log\frac{C_{no,l}}{C_{dnk,l}},

so that (u_t, v_t) is all that the E-step has to know of a person. With Table I they are log alpha times (1, 0), (0, 1)
and (-1, -1) for yes, no and dnk: Eq. (13). A pair ("do they belong together?") has a noise model of one
number, w = log P(given | so) / P(given | not so): log alpha for Table I, where don't know says nothing.

Learning maximises, beside the expectation, for every person a and every row r

.. math:: -s \sum_a KL(C_r \| C^a_r) - s_0\, KL(C_r \| T_r)

with the common matrix C and T, the one to begin with. Each is maximised in turn, so the bound never falls:
C^a_r is proportional to n^a_r + s C_r with the expected counts n^a_r, and C_r to the weighted geometric mean of all
C^a_r and T_r. For pairs the row is (right, wrong).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import rel_entr

from dcrc_explore.annotators import forced, mirrored
from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.constraints import Answer, Pairs, Triplets, answer_columns, answers_in_columns, implied_answers

# s: after so many answers of a row, a person's own answers count as much as the common matrix. s_0: the prior of the
# common matrix counts as much as so many answers of one person.
STRENGTH = 5.0
COMMON_STRENGTH = 5.0
# A matrix of a user may hold zeros; what is impossible has this probability.
SMALLEST = 1e-6
# From so many answers on they show whether people had to choose, and below this share of answers that agree with the
# clusters they had to. Measured by tests/benchmarks/forced.py.
FORCED_FROM = 20
AGREEMENT_OF_THE_FREE = 0.5


@dataclass(frozen=True, eq=False)
class Tables:
    """Rows of probabilities of each person, what they have in common, and what was known beforehand.

    Attributes
    ----------
    prior, common : ndarray of shape (R, C)
    own : ndarray of shape (A, R, C)
    """

    prior: FloatArray
    common: FloatArray
    own: FloatArray

    @classmethod
    def alike(cls, prior: FloatArray, n_people: int) -> Tables:
        """Return the tables of people of whom nothing but the prior is known."""
        prior = np.maximum(prior, SMALLEST)
        prior /= prior.sum(axis=1, keepdims=True)
        return cls(prior, prior, np.repeat(prior[None], n_people, axis=0))

    def learned(self, counts: FloatArray) -> Tables:
        """Return tables that fit expected counts, shape (A, R, C), better, or as well."""
        own = counts + STRENGTH * self.common
        own /= own.sum(axis=2, keepdims=True)
        logs = STRENGTH * np.log(own).sum(axis=0) + COMMON_STRENGTH * np.log(self.prior)
        common = np.exp(logs / (STRENGTH * len(own) + COMMON_STRENGTH))
        return Tables(self.prior, common / common.sum(axis=1, keepdims=True), own)

    def penalty(self) -> float:
        """Return the terms of the bound that hold the tables together; 0 while they are alike."""
        apart = STRENGTH * rel_entr(self.common, self.own).sum()
        return -float(apart + COMMON_STRENGTH * rel_entr(self.common, self.prior).sum())


@dataclass(frozen=True, eq=False)
class NoiseModel:
    """P(given | implied) of every person who answered.

    Attributes
    ----------
    names : tuple of str
        The A people.
    columns : ndarray of shape (M,)
        The triplets' answers: 0, 1, 2 for yes, no, dnk.
    together : ndarray of shape (P,)
        The pairs' answers.
    people, pair_people : ndarray of shape (M,) and (P,)
        Who gave each: 0 to A - 1.
    triplets : Tables
        3 x 3, rows implied, columns given, in the order yes, no, dnk.
    pairs : Tables
        1 x 2: right and wrong.
    is_learned : bool
        Whether :meth:`learned` changes anything.
    """

    names: tuple[str, ...]
    columns: IntArray
    people: IntArray
    together: NDArray[np.bool_]
    pair_people: IntArray
    triplets: Tables
    pairs: Tables
    is_learned: bool

    @classmethod
    def of(
        cls,
        triplets: Triplets,
        pairs: Pairs,
        people: IntArray,
        names: tuple[str, ...],
        confusion: FloatArray,
        epsilon: float,
        *,
        is_learned: bool,
    ) -> NoiseModel:
        """Begin with one matrix for everybody's triplets, and with Table I's right and wrong for their pairs.

        Parameters
        ----------
        triplets : Triplets
        pairs : Pairs
            Without dnk.
        people : ndarray of shape (M + P,)
            Who answered, triplets first: numbers of `names`.
        names, confusion, epsilon, is_learned
            What to begin with, and whether to learn more.
        """
        return cls(
            names,
            answer_columns(triplets.answers),
            people[: len(triplets)],
            pairs.answers == Answer.YES,
            people[len(triplets) :],
            Tables.alike(confusion, len(names)),
            Tables.alike(np.array([[1 - epsilon, epsilon / 2]]), len(names)),
            is_learned,
        )

    def beginning_forced(self) -> NoiseModel:
        """Begin with forced choices for each person who gave enough answers about triplets, and no don't know."""
        own = self.triplets.own.copy()
        own[[name in self._never_unsure for name in self.names]] = Tables.alike(forced(self.triplets.prior), 1).own[0]
        return replace(self, triplets=replace(self.triplets, own=own))

    @property
    def _never_unsure(self) -> tuple[str, ...]:
        """Who gave enough answers about triplets, and no don't know."""
        unsure = answers_in_columns(self.columns) == Answer.DNK
        counts = np.bincount(self.people, minlength=len(self.names))
        doubts = np.bincount(self.people, unsure, minlength=len(self.names))
        return tuple(name for n, m, name in zip(counts, doubts, self.names, strict=True) if n >= FORCED_FROM and not m)

    @property
    def forced_names(self) -> tuple[str, ...]:
        """Who is taken to have had no don't know: everybody, or of several those for whom that is the beginning."""
        if self.is_forced:
            return self.names
        return self._never_unsure if self.is_learned and len(self.names) > 1 else ()

    @property
    def is_forced(self) -> bool:
        """Whether people may not say don't know: what was known beforehand gives it no chance."""
        return bool(self.triplets.prior[:, 2].max() <= 2 * SMALLEST)

    def log_proba(self) -> FloatArray:
        """Return log P(given | implied) of each triplet's answer, shape (M, 3): columns implied yes, no, dnk."""
        return np.log(self.triplets.own[self.people, :, self.columns])

    def pair_log_proba(self) -> FloatArray:
        """Return log P(given | implied) of each pair's answer, shape (P, 2): columns implied together, apart."""
        right_wrong = np.log(self.pairs.own[self.pair_people, 0])
        return np.where(self.together[:, None], right_wrong, right_wrong[:, ::-1])

    def weights(self) -> tuple[FloatArray, FloatArray]:
        """Return what the E-step has to know: (u, v) of each triplet, with x_j and x_k exchanged for no, and w."""
        log_p, log_pair = self.log_proba(), self.pair_log_proba()
        weights = log_p[:, :2] - log_p[:, 2:]
        no = self.columns == 1
        weights[no] = weights[no, ::-1]
        return weights, log_pair[:, 0] - log_pair[:, 1]

    def log_likelihood(self, implied: FloatArray, linked: FloatArray) -> float:
        """Return the expectation of log P(L|Y) under Q, with the terms that hold the people together.

        Parameters
        ----------
        implied : ndarray of shape (M, 3)
            Q(yes), Q(no) and Q(dnk) of each triplet.
        linked : ndarray of shape (P,)
            Probability under Q that each pair belongs together.
        """
        both = np.column_stack([linked, 1.0 - linked])
        value = np.vdot(implied, self.log_proba()) + np.vdot(both, self.pair_log_proba())
        return float(value) + self.triplets.penalty() + self.pairs.penalty()

    def learned(self, implied: FloatArray, linked: FloatArray) -> NoiseModel:
        """M-step: return what fits Q better, or as well."""
        if not self.is_learned:
            return self
        by_column = np.zeros((len(self.names), 3, 3))
        np.add.at(by_column, (self.people, self.columns), implied)
        right = np.where(self.together, linked, 1.0 - linked)
        of_pairs = np.zeros((len(self.names), 1, 2))
        np.add.at(of_pairs[:, 0], self.pair_people, np.column_stack([right, 1.0 - right]))
        return replace(
            self,
            triplets=self.triplets.learned(mirrored(by_column.swapaxes(1, 2))),
            pairs=self.pairs.learned(of_pairs),
        )


def may_have_had_to_choose(triplets: Triplets) -> bool:
    """Whether there are enough answers, and no don't know among them.

    Examples
    --------
    >>> may_have_had_to_choose(Triplets([(0, 1, 2)] * 20, ["yes"] * 20))
    True
    """
    return len(triplets) >= FORCED_FROM and bool((triplets.answers != Answer.DNK).all())


def had_to_choose(triplets: Triplets, labels: ArrayLike) -> bool:
    """Whether people seem to have had no don't know: none gave it, and clusters agree with less than half of them.

    At least half of random questions have the answer don't know, whatever the clusters are. The probability of yes or
    no, 2 (sum of p^2 - sum of p^3), is largest for two clusters of equal size, where it is 1/2. People who must choose
    toss a coin there, and no clustering agrees with a coin. Answers from which the don't knows were dropped do agree.

    Examples
    --------
    >>> given = Triplets([(0, 1, 2)] * 20, ["yes"] * 20)
    >>> had_to_choose(given, [0, 0, 1]), had_to_choose(given, [0, 1, 2])
    (False, True)
    """
    if not may_have_had_to_choose(triplets):
        return False
    return float(np.mean(implied_answers(labels, triplets.indices) == triplets.answers)) < AGREEMENT_OF_THE_FREE


def pair_accuracy(epsilon: float) -> float:
    """Return how often an answer about a pair is taken to be right: 1 - epsilon against epsilon / 2, as in Table I.

    Examples
    --------
    >>> pair_accuracy(0.0), round(pair_accuracy(0.5), 3)
    (1.0, 0.667)
    """
    return (1 - epsilon) / (1 - epsilon / 2)


def numbered(names: Sequence[str] | NDArray[np.str_] | None, n_answers: int) -> tuple[IntArray, tuple[str, ...]]:
    """Give each person a number, by first appearance; without names everything was answered by one.

    Examples
    --------
    >>> numbered(["Ann", "Bob", "Ann"], 3)
    (array([0, 1, 0]), ('Ann', 'Bob'))
    """
    if names is None:
        return np.zeros(n_answers, dtype=np.int64), ("",)
    if isinstance(names, str) or np.ndim(np.empty(0) if isinstance(names, list | tuple) else names) != 1:
        raise ValueError(f"annotators must be one name for each answer, got {names!r:.60}")
    if len(names) != n_answers:
        raise ValueError(f"annotators must be one name for each answer, got {len(names)} names and {n_answers} answers")
    for number, name in enumerate(names):
        if name is None or not np.isscalar(name) or name != name:
            raise ValueError(f"annotators must be names, got {name!r:.60} (answer number {number})")
    given = [str(name) for name in names]
    order = tuple(dict.fromkeys(given))
    place = {name: number for number, name in enumerate(order)}
    return np.array([place[name] for name in given], dtype=np.int64), order or ("",)
