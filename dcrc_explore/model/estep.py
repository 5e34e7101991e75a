r"""E-step: mean field inference of the constrained instances' memberships.

An answer of no to (i, j, k) is an answer of yes to (i, k, j), so only yes and dnk remain. Written out, each entry of
Table II is, up to a constant that is the same for every cluster k,

.. math:: \tilde Q(l_t | y_i = k) = a\,q_{uk} + b\,q_{vk} + c\,q_{uk} q_{vk} + \text{const}

with the two other members u, v of the triplet and coefficients (a, b, c) that depend on the answer and on i's place.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.arrays import FloatArray
from dcrc_explore.constraints import Answer, Triplets
from dcrc_explore.model.softmax import softmax

# Table II as (a, b, c, s, const): s multiplies the sum over clusters of q_u q_v.
# Rows: yes and dnk; columns: the place of i. The others (u, v) are (2, 3), (1, 3) and (1, 2).
_OTHERS = ((1, 2), (0, 2), (0, 1))
_TABLE_II = np.array(
    [
        [[1, 0, -1, 0, 0], [1, 0, -1, 0, 0], [0, 0, -1, 1, 0]],
        [[-1, -1, 2, 0, 1], [-1, 0, 2, -1, 1], [-1, 0, 2, -1, 1]],
    ],
    dtype=float,
)
# Two compatibilities closer than this count as equal in the hard update, Eq. (14).
_TIE = 1e-9
# A group is wide when it has this many times more instances than layers.
_WIDE = 32


@dataclass(frozen=True)
class _Group:
    """Instances that share no triplet, busiest first, and their incidences: one per instance and triplet.

    A wide group has its incidences in layers, the n-th layer holding the n-th incidence of each instance that has so
    many; otherwise they are ordered by instance, and `layers` is empty. Summing layers is five times faster where many
    instances stand in a few triplets each, and slower where a few stand in many.
    """

    members: slice
    first: NDArray[np.intp]
    layers: list[int]
    u: NDArray[np.intp]
    v: NDArray[np.intp]
    a: FloatArray
    b: FloatArray
    c: FloatArray

    def compatibility(self, Q: FloatArray) -> FloatArray:
        """F(y_i = k) of the members, up to a constant for each of them."""
        q_u, q_v = Q.take(self.u, axis=1), Q.take(self.v, axis=1)
        values = self.c * q_v
        values += self.a
        values *= q_u
        q_v *= self.b
        values += q_v
        if not self.layers:
            return np.add.reduceat(values, self.first, axis=1)
        start = self.layers[0]
        total = values[:, :start]
        for size in self.layers[1:]:
            total[:, :size] += values[:, start : start + size]
            start += size
        return total


class AnswerGraph:
    """Triplets and answers, prepared for mean field sweeps.

    Constrained instances are numbered so that those which share no triplet stand side by side: such a group is
    updated at once, which is the same as updating its members one after the other.

    Parameters
    ----------
    triplets : Triplets

    Attributes
    ----------
    instances : ndarray of shape (|I|,)
        Row number in X of each constrained instance, in the order in which Q holds them.
    """

    def __init__(self, triplets: Triplets) -> None:
        indices = triplets.indices.copy()
        no = triplets.answers == Answer.NO
        indices[no] = indices[no][:, [0, 2, 1]]
        self.is_dnk = triplets.answers == Answer.DNK
        rows, first, local = np.unique(indices, return_index=True, return_inverse=True)
        # Numbered by first appearance, so that the order of updates does not depend on the numbering of rows.
        appearance = np.argsort(first)
        rows, local = rows[appearance], np.argsort(appearance)[local.reshape(-1, 3)]
        group_of = _colour(local, len(rows))
        order = np.lexsort([-np.bincount(local.ravel(), minlength=len(rows)), group_of])
        self.instances, self.members = rows[order], np.argsort(order)[local]
        self._groups = list(self._make_groups(np.bincount(group_of)))

    def _make_groups(self, sizes: NDArray[np.intp]) -> list[_Group]:
        kind = self.is_dnk.astype(int)
        instance = self.members.T.ravel()
        u = np.concatenate([self.members[:, others[0]] for others in _OTHERS])
        v = np.concatenate([self.members[:, others[1]] for others in _OTHERS])
        table = np.concatenate([_TABLE_II[kind, place] for place in range(3)])
        order = np.argsort(instance, kind="stable")
        instance, u, v, (a, b, c, _, _) = instance[order], u[order], v[order], table[order].T
        starts = np.searchsorted(instance, np.arange(len(self.instances) + 1))
        layer = np.arange(len(instance)) - starts[instance]
        groups = []
        ends = np.cumsum(sizes)
        for begin, end in zip(ends - sizes, ends, strict=True):
            cut = np.arange(starts[begin], starts[end])
            layers = np.bincount(layer[cut]).tolist()
            if end - begin < _WIDE * len(layers):
                layers = []
            else:
                cut = cut[np.argsort(layer[cut], kind="stable")]
            first = starts[begin:end] - starts[begin]
            groups.append(_Group(slice(begin, end), first, layers, u[cut], v[cut], a[cut], b[cut], c[cut]))
        return groups

    def compatibilities(self, Q: FloatArray) -> FloatArray:
        """Probability that the answer t is consistent when y_i = k, Table II.

        Returns
        -------
        ndarray of shape (K, M, 3)
            Entry (k, t, place): the instance in that place of triplet t belongs to cluster k, the two others follow Q.
        """
        result = np.empty((len(Q), len(self.members), 3))
        for place, (u, v) in enumerate(_OTHERS):
            q_u, q_v = Q[:, self.members[:, u]], Q[:, self.members[:, v]]
            a, b, c, s, const = _TABLE_II[self.is_dnk.astype(int), place].T
            both = q_u * q_v
            result[:, :, place] = a * q_u + b * q_v + c * both + s * both.sum(axis=0) + const
        return result

    def compatibility(self, Q: FloatArray) -> FloatArray:
        """F(y_i = k) of Eq. (13): the summed compatibilities of each constrained instance, shape (K, |I|)."""
        F = np.zeros_like(Q)
        np.add.at(F.T, self.members, np.moveaxis(self.compatibilities(Q), 0, -1))
        return F

    def satisfaction(self, Q: FloatArray) -> FloatArray:
        """Probability under Q that the implied answer of Eq. (1) is the answer given, for each triplet."""
        q1, q2, q3 = (Q[:, self.members[:, place]] for place in range(3))
        both = q2 * q3
        yes = np.einsum("km,km->m", q1, q2 - both)
        no = np.einsum("km,km->m", q1, q3 - both)
        return np.where(self.is_dnk, 1.0 - yes - no, yes)

    def sweep(self, Q: FloatArray, log_p: FloatArray, log_alpha: float) -> float:
        """Update every q(y_i) once, in place, by Eq. (13), or by Eq. (14) when `log_alpha` is infinite.

        Returns
        -------
        float
            Largest change of a probability.
        """
        change = 0.0
        for group in self._groups:
            F = group.compatibility(Q)
            if np.isinf(log_alpha):
                # Eq. (14): P(y|x) restricted to the clusters of largest compatibility.
                logits = np.where(compatible(F), log_p[:, group.members], -np.inf)
            else:
                # Eq. (13)
                logits = log_alpha * F
                logits += log_p[:, group.members]
            new, old = softmax(logits), Q[:, group.members]
            old -= new
            change = max(change, float(np.abs(old).max()))
            old[...] = new
        return change

    def infer(self, Q: FloatArray, log_p: FloatArray, log_alpha: float, *, max_sweeps: int, tol: float) -> FloatArray:
        """Run sweeps from Q until no probability changes by more than `tol`; returns a new Q."""
        Q = Q.copy()
        for _ in range(max_sweeps):
            if self.sweep(Q, log_p, log_alpha) <= tol:
                break
        return Q


def compatible(F: FloatArray) -> NDArray[np.bool_]:
    """Whether each cluster (row) has the largest compatibility: the max-compatible sets of Eq. (14)."""
    return np.maximum.reduce(F, axis=0) - _TIE <= F


def _colour(local: NDArray[np.intp], n_instances: int) -> NDArray[np.intp]:
    """Give each instance the smallest number that no other member of its triplets has."""
    places: list[list[int]] = [[] for _ in range(n_instances)]
    for t, triplet in enumerate(local.tolist()):
        for i in triplet:
            places[i].append(t)
    taken = [0] * len(local)  # for each triplet, the numbers its members have, as bits
    colours = np.empty(n_instances, dtype=np.intp)
    for i in sorted(range(n_instances), key=lambda i: -len(places[i])):
        used = 0
        for t in places[i]:
            used |= taken[t]
        free = ~used & (used + 1)
        for t in places[i]:
            taken[t] |= free
        colours[i] = free.bit_length() - 1
    return colours
