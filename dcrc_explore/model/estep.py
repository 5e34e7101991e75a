r"""E-step: mean field inference of the constrained instances' memberships.

An answer of no to (i, j, k) is an answer of yes to (i, k, j), so only yes and dnk remain. Written out, each entry of
Table II is, up to a constant that is the same for every cluster k,

.. math:: \tilde Q(l_t | y_i = k) = a\,q_{uk} + b\,q_{vk} + c\,q_{uk} q_{vk} + \text{const}

with the two other members u, v of the triplet and coefficients (a, b, c) that depend on the answer and on i's place.
Where b is not 0 it is summed as two incidences of the form q_u (a + c q_v). The coefficients are linear in the two
numbers that the noise model gives an answer (see :mod:`dcrc_explore.model.noise`): the weights of *the implied answer
is yes* and *is no*. A pair i, j that belongs together is the case a = 1, b = c = 0 with u = v = j,
one that does not is its negative.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.constraints import Answer, Triplets
from dcrc_explore.model.softmax import softmax

# Table II as (a, b, c, s): s multiplies the sum over clusters of q_u q_v.
# Rows: yes and no; columns: the place of i. The others (u, v) are (2, 3), (1, 3) and (1, 2).
_OTHERS = ((1, 2), (0, 2), (0, 1))
_TABLE_II = np.array(
    [
        [[1, 0, -1, 0], [1, 0, -1, 0], [0, 0, -1, 1]],
        [[0, 1, -1, 0], [0, 0, -1, 1], [1, 0, -1, 0]],
    ],
    dtype=float,
)
# Its rows of dnk are 1 - yes - no: dnk has the weights (-1, -1), yes with (1, 0).
_WEIGHTS = np.array([[1, 0], [-1, -1]], dtype=float)
# Two compatibilities closer than this count as equal in the hard update, Eq. (14).
_TIE = 1e-9
# The exponentials of numbers up to this size, and sums of them, neither overflow nor vanish.
_SAFE_EXPONENT = 300.0
# A group is wide when it has this many times more instances than layers.
_WIDE = 32


@dataclass(eq=False)
class _Group:
    """Instances that share no triplet, busiest first, and their incidences: one or two per instance and triplet.

    A wide group has its incidences in layers, the n-th layer holding the n-th incidence of each instance that has so
    many; otherwise they are ordered by instance, and `layers` is empty. Summing layers is five times faster where many
    instances stand in a few triplets each, and slower where a few stand in many. Layers sum up the instances with most
    incidences first; `back` brings them in their own order again, where it is another one. `places` are those of the
    incidences among all, from which their coefficients a and c are taken.
    """

    members: slice
    first: NDArray[np.intp]
    layers: list[int]
    back: NDArray[np.intp] | None
    u: NDArray[np.intp]
    v: NDArray[np.intp]
    places: NDArray[np.intp]
    a: FloatArray = field(init=False)
    c: FloatArray = field(init=False)

    def compatibility(self, Q: FloatArray) -> FloatArray:
        """F(y_i = k) of the members, up to a constant for each of them."""
        values = Q.take(self.v, axis=1)
        values *= self.c
        values += self.a
        values *= Q.take(self.u, axis=1)
        if not self.layers:
            return np.add.reduceat(values, self.first, axis=1)
        start = self.layers[0]
        total = values[:, :start]
        for size in self.layers[1:]:
            total[:, :size] += values[:, start : start + size]
            start += size
        return total if self.back is None else total.take(self.back, axis=1)


class AnswerGraph:
    """Triplets, pairs and their answers, prepared for mean field sweeps.

    Constrained instances are numbered so that those which share no question stand side by side: such a group is
    updated at once, which is the same as updating its members one after the other.

    Parameters
    ----------
    triplets : Triplets
    pairs : ndarray of shape (P, 2), optional
        Row numbers of pairs about which something is known.
    together : ndarray of shape (P,), optional
        Whether each pair belongs together or apart.

    Attributes
    ----------
    instances : ndarray of shape (|I|,)
        Row number in X of each constrained instance, in the order in which Q holds them.
    """

    def __init__(
        self, triplets: Triplets, pairs: IntArray | None = None, together: NDArray[np.bool_] | None = None
    ) -> None:
        indices = triplets.indices.copy()
        self._is_no = triplets.answers == Answer.NO
        indices[self._is_no] = indices[self._is_no][:, [0, 2, 1]]
        self.is_dnk = triplets.answers == Answer.DNK
        pairs = np.empty((0, 2), dtype=np.int64) if pairs is None else pairs
        self.together = np.empty(0, dtype=bool) if together is None else together
        flat = np.concatenate([indices.ravel(), pairs.ravel()])
        # Numbered by first appearance, so that the order of updates does not depend on the numbering of rows.
        places = np.arange(flat.size)
        number = np.empty(flat.max(initial=-1) + 1, dtype=np.intp)
        number[flat[::-1]] = places[::-1]
        rows = flat[number[flat] == places]
        number[rows] = np.arange(len(rows))
        local, busy = number[flat], np.bincount(number[flat], minlength=len(rows))
        questions = np.concatenate([places[: indices.size] // 3, len(indices) + places[: pairs.size] // 2])
        group_of = _colour(local, questions, busy)
        incidences = busy + np.bincount(local[: indices.size : 3][self.is_dnk], minlength=len(rows))
        order = np.lexsort([-incidences, group_of])
        self.instances = rows[order]
        number[self.instances] = np.arange(len(rows))
        local = number[flat]
        self.members, self.pairs = local[: indices.size].reshape(-1, 3), local[indices.size :].reshape(-1, 2)
        self._places = np.ascontiguousarray(self.members.T)
        self._sizes = np.bincount(group_of)
        self._second = np.array([-1])  # nothing is arranged yet
        self.weigh(_WEIGHTS[self.is_dnk.astype(int)], np.where(self.together, 1.0, -1.0))

    def weigh(self, triplet_weights: FloatArray, pair_weights: FloatArray) -> None:
        """Give each answer weights of its own, instead of those of Table I.

        Parameters
        ----------
        triplet_weights : ndarray of shape (M, 2)
            Of *the implied answer is yes* and *is no*; for an answer of no, with x_j and x_k exchanged.
        pair_weights : ndarray of shape (P,)
            Of *the two belong together*.
        """
        self._weights = triplet_weights
        table = np.concatenate([triplet_weights @ _TABLE_II[:, place] for place in range(3)])
        a, b, c, _ = table.T
        second = np.flatnonzero(b)
        if not np.array_equal(second, self._second):
            self._second, self._groups = second, self._arrange(second)
        a = np.concatenate([a, b[second], pair_weights, pair_weights])
        c = np.concatenate([c, np.zeros(len(a) - len(c))])
        self._largest = float(np.bincount(self._incident, np.abs(a) + np.abs(c)).max(initial=0.0))
        for group in self._groups:
            group.a, group.c = a[group.places], c[group.places]

    def _arrange(self, second: NDArray[np.intp]) -> list[_Group]:
        """Return the groups with their incidences, of which triplets have a second one in these places."""
        others = [(self._places[u], self._places[v]) for u, v in _OTHERS]
        instance, u, v = self._places.ravel(), *map(np.concatenate, zip(*others, strict=True))
        left, right = self.pairs.T
        self._incident = instance = np.concatenate([instance, instance[second], left, right])
        u = np.concatenate([u, v[second], right, left])
        v = np.concatenate([v, v[second], right, left])
        order = np.argsort(instance, kind="stable")
        instance = instance[order]
        starts = np.searchsorted(instance, np.arange(len(self.instances) + 1))
        layer, count = np.arange(len(instance)) - starts[instance], np.diff(starts)
        groups = []
        ends = np.cumsum(self._sizes)
        for begin, end in zip(ends - self._sizes, ends, strict=True):
            cut = np.arange(starts[begin], starts[end])
            counts, layers, back = count[begin:end], [], None
            if end - begin >= _WIDE * counts.max():
                layers = np.bincount(layer[cut]).tolist()
                if (np.diff(counts) > 0).any():
                    back = np.argsort(np.argsort(-counts, kind="stable"))
                    cut = cut[np.argsort(back[instance[cut] - begin], kind="stable")]
                cut = cut[np.argsort(layer[cut], kind="stable")]
            first, places = starts[begin:end] - starts[begin], order[cut]
            groups.append(_Group(slice(begin, end), first, layers, back, u[places], v[places], places))
        return groups

    def compatibilities(self, Q: FloatArray) -> FloatArray:
        """Probability that the answer t is consistent when y_i = k, Table II.

        Returns
        -------
        ndarray of shape (K, M, 3)
            Entry (k, t, place): the instance in that place of triplet t belongs to cluster k, the two others follow Q.
        """
        return self._parts(Q, _WEIGHTS[self.is_dnk.astype(int)]) + self.is_dnk[:, None]

    def evidence(self, Q: FloatArray) -> FloatArray:
        """Return what each answer adds to log q(y_i = k) with its weights, see :meth:`weigh`, shape (K, M, 3)."""
        return self._parts(Q, self._weights)

    def _parts(self, Q: FloatArray, weights: FloatArray) -> FloatArray:
        result = np.empty((len(Q), len(self.members), 3))
        for place, (u, v) in enumerate(_OTHERS):
            q_u, q_v = Q[:, self.members[:, u]], Q[:, self.members[:, v]]
            a, b, c, s = (weights @ _TABLE_II[:, place]).T
            both = q_u * q_v
            result[:, :, place] = a * q_u + b * q_v + c * both + s * both.sum(axis=0)
        return result

    def compatibility(self, Q: FloatArray) -> FloatArray:
        """F(y_i = k) of Eq. (13): the summed compatibilities of each constrained instance, shape (K, |I|)."""
        F = np.zeros_like(Q)
        np.add.at(F.T, self.members, np.moveaxis(self.compatibilities(Q), 0, -1))
        for place in range(2):
            q_other = Q[:, self.pairs[:, 1 - place]]
            np.add.at(F.T, self.pairs[:, place], np.where(self.together, q_other, 1.0 - q_other).T)
        return F

    def implied(self, Q: FloatArray) -> FloatArray:
        """Probabilities under Q that yes, no or dnk is the implied answer of Eq. (1) of each triplet, shape (M, 3)."""
        yes, no = self._implied(Q)
        yes, no = np.where(self._is_no, no, yes), np.where(self._is_no, yes, no)
        return np.column_stack([yes, no, 1.0 - yes - no])

    def _implied(self, Q: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Probabilities of yes and no, with x_j and x_k exchanged where the answer is no."""
        q1, q2, q3 = (Q.take(members, axis=1) for members in self._places)
        both = q2 * q3
        return np.einsum("km,km->m", q1, q2 - both), np.einsum("km,km->m", q1, q3 - both)

    def satisfaction(self, Q: FloatArray) -> FloatArray:
        """Probability under Q that the implied answer is the one given, for each triplet and then for each pair."""
        yes, no = self._implied(Q)
        triplets = np.where(self.is_dnk, 1.0 - yes - no, yes)
        if not len(self.pairs):
            return triplets
        linked = self.linked(Q)
        return np.concatenate([triplets, np.where(self.together, linked, 1.0 - linked)])

    def linked(self, Q: FloatArray) -> FloatArray:
        """Probability under Q that the two of each pair belong together."""
        return np.einsum("km,km->m", Q[:, self.pairs[:, 0]], Q[:, self.pairs[:, 1]])

    def sweep(self, Q: FloatArray, log_p: FloatArray, log_alpha: float) -> FloatArray:
        """Update every q(y_i) once, in place, by Eq. (13), or by Eq. (14) when `log_alpha` is infinite.

        Answers that have weights of their own, see :meth:`weigh`, have log_alpha = 1.

        Returns
        -------
        ndarray of shape (|I|,)
            Largest change of a probability of each instance.
        """
        before = Q.copy()
        shift = abs(log_alpha) * self._largest > _SAFE_EXPONENT
        for group in self._groups:
            Q[:, group.members] = memberships(group.compatibility(Q), log_p[:, group.members], log_alpha, shift=shift)
        before -= Q
        return np.maximum.reduce(np.abs(before, out=before), axis=0)

    def infer(
        self,
        Q: FloatArray,
        log_p: FloatArray,
        log_alpha: float,
        *,
        max_sweeps: int,
        tol: float,
        unsettled: float = 0.0,
    ) -> FloatArray:
        """Run sweeps from Q until at most the share `unsettled` of the instances changes by more than `tol`.

        Returns
        -------
        ndarray of shape (K, |I|)
            The new Q.
        """
        Q, few = Q.copy(), unsettled * Q.shape[1]
        for _ in range(max_sweeps):
            if np.count_nonzero(self.sweep(Q, log_p, log_alpha) > tol) <= few:
                break
        return Q


def memberships(F: FloatArray, log_p: FloatArray, log_alpha: float, *, shift: bool = True) -> FloatArray:
    """q(y_i) for compatibilities F (K, n), which are overwritten: Eq. (13), or (14) when `log_alpha` is infinite.

    Where no exponent is large the softmax needs no `shift` against overflow.
    """
    if np.isinf(log_alpha):
        # P(y|x) restricted to the clusters of largest compatibility.
        return softmax(np.where(compatible(F), log_p, -np.inf))
    F *= log_alpha
    F += log_p
    return softmax(F, shift=shift)


def compatible(F: FloatArray) -> NDArray[np.bool_]:
    """Whether each cluster (row) has the largest compatibility: the max-compatible sets of Eq. (14)."""
    return np.maximum.reduce(F, axis=0) - _TIE <= F


def _colour(instances: IntArray, questions: IntArray, busy: IntArray) -> NDArray[np.intp]:
    """Give each instance, busiest first, the smallest number that no other member of its questions has.

    Parameters
    ----------
    instances, questions : ndarray
        Who stands in which question.
    busy : ndarray
        In how many questions each instance stands.
    """
    by_instance = questions[np.argsort(instances, kind="stable")].tolist()
    ends, counts = np.cumsum(busy).tolist(), busy.tolist()
    taken = [0] * (int(questions.max(initial=-1)) + 1)  # for each question, the numbers its members have, as bits
    colours = [0] * len(counts)
    for i in np.argsort(-busy, kind="stable").tolist():
        places = by_instance[ends[i] - counts[i] : ends[i]]
        used = 0
        for t in places:
            used |= taken[t]
        free = ~used & (used + 1)
        for t in places:
            taken[t] |= free
        colours[i] = free.bit_length() - 1
    return np.array(colours, dtype=np.intp)
