r"""How an answer is heard: P(given | implied), for everybody alike or for each person, known or learned.

With one error rate epsilon, Table I says how the answer given depends on the one that the clusters imply. People do not
err uniformly: they say *don't know* to a fifth of the questions whose true answer is yes (Table IV). So the model may
take a matrix C, rows implied and columns given in the order yes, no, dnk, or learn one matrix C^a for each person a.

An answer l to the question t enters the bound by its expectation under Q,

.. math:: E_Q[\log P(l|Y_t)] = \log C_{dnk,l} + u_t\,Q(yes_t) + v_t\,Q(no_t),
          \quad u_t = \log\frac{C_{yes,l}}{C_{dnk,l}},\ v_t = \log\frac{C_{no,l}}{C_{dnk,l}},

so that (u_t, v_t) is all that the E-step has to know of a person. With Table I they are log alpha times (1, 0), (0, 1)
and (-1, -1) for yes, no and dnk: Eq. (13). A pair ("do they belong together?") is heard in the same way with one
number, w = log P(said | so) / P(said | not so): log alpha for Table I, where don't know says nothing.

Learning maximises, beside the expectation, for every person a and every row r

.. math:: -s \sum_a KL(C_r \| C^a_r) - s_0\, KL(C_r \| T_r)

with the common matrix C and Table I's matrix T. Each is maximised in turn, so the bound never falls:
C^a_r is proportional to n^a_r + s C_r with the expected counts n^a_r, and C_r to the weighted geometric mean of all
C^a_r and T_r.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import rel_entr

from dcrc_explore.arrays import FloatArray, IntArray

# How many answers of each row a person must give before they weigh as much as what is known of everybody, and how many
# people it takes to move what is known of everybody away from epsilon.
STRENGTH = 5.0
COMMON_STRENGTH = 5.0
# A matrix of a user may hold zeros; what is impossible is heard as this.
SMALLEST = 1e-6


def mirrored(table: FloatArray) -> FloatArray:
    """Treat yes and no alike: exchanging x_j and x_k exchanges them, and people do not prefer a side.

    Examples
    --------
    >>> mirrored(np.array([[8.0, 1, 1], [0, 6, 2], [1, 2, 7]]))
    array([[7. , 0.5, 1.5],
           [0.5, 7. , 1.5],
           [1.5, 1.5, 7. ]])
    """
    exchanged = [1, 0, 2]
    return (table + table[..., exchanged, :][..., exchanged]) / 2


class Hearing:
    """P(given | implied) of every person who answered.

    Parameters
    ----------
    common : ndarray of shape (3, 3)
        What is known of everybody: rows implied, columns given, in the order yes, no, dnk.
    columns : ndarray of shape (M,)
        The answers given: 0, 1, 2 for yes, no, dnk.
    people : ndarray of shape (M,)
        Who gave each: 0 to A - 1.
    names : sequence of A names
    learned : bool
        Whether :meth:`learn` changes the matrices.

    Attributes
    ----------
    common : ndarray of shape (3, 3)
    matrices : ndarray of shape (A, 3, 3)
        Each person's matrix; all are the common one until something is learned.
    """

    def __init__(
        self, common: FloatArray, columns: IntArray, people: IntArray, names: Sequence[str], *, learned: bool
    ) -> None:
        self.prior = np.maximum(common, SMALLEST)
        self.prior /= self.prior.sum(axis=1, keepdims=True)
        self.columns, self.people, self.names, self.learned = columns, people, tuple(names), learned
        self.common = self.prior
        self.matrices = np.repeat(self.prior[None], max(len(self.names), 1), axis=0)

    def log_proba(self) -> FloatArray:
        """Return log P(given | implied) of each answer, shape (M, 3): columns implied yes, no, dnk."""
        return np.log(self.matrices[self.people, :, self.columns])

    def penalty(self) -> float:
        """Return the terms of the bound that hold the matrices together; 0 until something is learned."""
        if not self.learned:
            return 0.0
        people = STRENGTH * rel_entr(self.common, self.matrices).sum()
        return -float(people + COMMON_STRENGTH * rel_entr(self.common, self.prior).sum())

    def learn(self, implied: FloatArray) -> None:
        """M-step: fit the matrices to the implied answers' probabilities under Q, shape (M, 3)."""
        if not self.learned:
            return
        counts = self.counts(implied)
        matrices = counts + STRENGTH * self.common
        self.matrices = matrices / matrices.sum(axis=2, keepdims=True)
        n_people = len(self.matrices)
        logs = STRENGTH * np.log(self.matrices).sum(axis=0) + COMMON_STRENGTH * np.log(self.prior)
        common = np.exp(logs / (STRENGTH * n_people + COMMON_STRENGTH))
        self.common = common / common.sum(axis=1, keepdims=True)

    def counts(self, implied: FloatArray) -> FloatArray:
        """Return the expected number of each answer given (column) for each implied one (row), shape (A, 3, 3)."""
        by_column = np.zeros((len(self.matrices), 3, 3))
        np.add.at(by_column, (self.people, self.columns), implied)
        return mirrored(by_column.swapaxes(1, 2))


def numbered(names: Sequence[str] | NDArray[np.str_] | None, n_answers: int) -> tuple[IntArray, tuple[str, ...]]:
    """Give each person a number, by first appearance; without names everything was answered by one.

    Examples
    --------
    >>> numbered(["Ann", "Bob", "Ann"], 3)
    (array([0, 1, 0]), ('Ann', 'Bob'))
    """
    if names is None:
        return np.zeros(n_answers, dtype=np.int64), ("",)
    if isinstance(names, str) or len(names) != n_answers:
        got = repr(names) if isinstance(names, str) else f"{len(names)} names and {n_answers} answers"
        raise ValueError(f"annotators must be one name for each answer, got {got}")
    given = [str(name) for name in names]
    order = tuple(dict.fromkeys(given))
    place = {name: number for number, name in enumerate(order)}
    return np.array([place[name] for name in given], dtype=np.int64), order or ("",)
