"""What follows from answers: which points belong together, which do not, and the groups known so far."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.arrays import IntArray
from dcrc_explore.constraints import Answer, Pairs, Triplets


class Closure:
    """Everything that answers imply about pairs of points, taken as true by Eq. (1).

    A yes says that i and j belong together and k does not belong to them. A don't know says that i belongs to both of j
    and k or to neither; it is applied repeatedly until nothing new follows. There are only K groups, so a point that is
    separate from K - 1 of them belongs to the last. A link that contradicts earlier ones is left out: wrong answers
    make the closure wrong, but never inconsistent.

    Parameters
    ----------
    constraints : Triplets
    n_clusters : int or None
        K; None where it is not known, so that nothing follows from it.
    pairs : Pairs, optional
        What is known about two points; don't know says nothing.

    Attributes
    ----------
    groups : list of list of int
        Sets of points that belong together, no two of them in the same cluster, the largest first; none, or at least
        two, and at most K.

    Examples
    --------
    >>> answers = Triplets([(0, 1, 2), (3, 0, 2), (4, 0, 3)], ["yes", "dnk", "yes"])
    >>> closure = Closure(answers, n_clusters=3)
    >>> closure.groups
    [[0, 1, 4], [2], [3]]
    >>> closure.together(1, 4), closure.apart(1, 3), closure.together(0, 9)
    (True, True, False)
    >>> Closure(Triplets([(0, 1, 2), (3, 0, 2)], ["yes", "dnk"]), n_clusters=None).groups  # with K = 2, 3 joins 2
    [[0, 1], [2], [3]]
    """

    def __init__(self, constraints: Triplets, n_clusters: int | None, pairs: Pairs | None = None) -> None:
        self.n_clusters = n_clusters
        self._component: dict[int, int] = {}  # of a point; a component is named after one of its points
        self._members: dict[int, list[int]] = {}
        self._separate: defaultdict[int, set[int]] = defaultdict(set)  # components that belong to other clusters
        pending = []
        for (i, j, k), answer in zip(constraints.indices.tolist(), constraints.answers.tolist(), strict=True):
            if answer == Answer.DNK:
                pending.append((i, j, k))
                continue
            same, other = (j, k) if answer == Answer.YES else (k, j)
            self._join(i, same)
            self._part(i, other)
            if not self.together(i, same):  # it contradicts earlier answers
                self._part(same, other)
        if pairs is not None:
            for a, b in pairs.must_link.tolist():
                self._join(a, b)
            for a, b in pairs.cannot_link.tolist():
                self._part(a, b)
        self._deduce(pending)

    def together(self, a: int, b: int) -> bool:
        """Whether two points must belong to the same cluster."""
        return a == b or (a in self._component and self._component[a] == self._component.get(b))

    def apart(self, a: int, b: int) -> bool:
        """Whether two points must belong to different clusters."""
        return self._component.get(b) in self._separate.get(self._component.get(a, -1), ())

    def possible(self, n_samples: int, n_groups: int) -> tuple[NDArray[np.bool_], IntArray]:
        """Return which groups each point may belong to, shape (N, n_groups), and its group where that is known, or -1.

        Groups that are not known yet come last, and are open to every point but those of known groups.
        """
        possible = np.ones((n_samples, n_groups), dtype=bool)
        group = np.full(n_samples, -1)
        number = {self._component[members[0]]: g for g, members in enumerate(self.groups)}
        rows: list[int] = []
        columns: list[int] = []
        for name, members in self._members.items():
            for g in [number[other] for other in self._separate.get(name, ()) if other in number]:
                rows += members
                columns += [g] * len(members)
        possible[rows, columns] = False
        for g, members in enumerate(self.groups):
            group[members] = g
            possible[members] = np.arange(n_groups) == g
        # Contradictions can leave a point without any group: then nothing is known about it.
        possible[~possible.any(axis=1)] = True
        return possible, group

    def _deduce(self, pending: list[tuple[int, int, int]]) -> None:
        """Draw conclusions from don't knows and from the number of clusters until nothing new follows."""
        while True:
            left = [question for question in pending if not self._follow(*question)]
            self.groups = self._find_groups()
            if not self._fill_last_group() and len(left) == len(pending):
                return
            pending = left

    def _follow(self, i: int, j: int, k: int) -> bool:
        """Draw what follows from a don't know, and return whether it is used up."""
        if self.n_clusters == 2:
            self._join(j, k)  # all three together, or i alone
            return True
        # Nothing is known of most points: each of these is a component of its own, which has no name yet.
        name, separate = self._component.get, self._separate.get
        first, second, third = name(i, ~i), name(j, ~j), name(k, ~k)
        apart = separate(first, ())
        if first == second:
            self._join(i, k)
        elif first == third:
            self._join(i, j)
        elif second in apart or third in apart or third in separate(second, ()):
            self._part(i, j)
            self._part(i, k)
        else:
            return False
        return True

    def _find_groups(self) -> list[list[int]]:
        names: list[int] = []
        for name in sorted(self._separate, key=lambda name: -len(self._members[name])):
            if len(names) != self.n_clusters and self._separate[name].issuperset(names):
                names.append(name)
        return [sorted(self._members[name]) for name in names]

    def _fill_last_group(self) -> bool:
        """Where all groups are known, join to the last one left to them what is separate from all others."""
        if len(self.groups) != self.n_clusters:
            return False
        names = {self._component[members[0]] for members in self.groups}
        filled = False
        for name in list(self._separate):
            if name in self._separate and name not in names:
                rest = names - self._separate[name]
                if len(rest) == 1:
                    filled |= self._join(rest.pop(), name)
        return filled

    def _join(self, a: int, b: int) -> bool:
        keep, lose = self._name(a), self._name(b)
        if keep == lose or lose in self._separate.get(keep, ()):
            return False
        if len(self._members[keep]) < len(self._members[lose]):
            keep, lose = lose, keep
        members = self._members.pop(lose)
        self._members[keep] += members
        self._component.update(dict.fromkeys(members, keep))
        for other in self._separate.pop(lose, ()):
            self._separate[other].discard(lose)
            self._separate[other].add(keep)
            self._separate[keep].add(other)
        return True

    def _part(self, a: int, b: int) -> None:
        first, second = self._name(a), self._name(b)
        if first != second and second not in self._separate[first]:
            self._separate[first].add(second)
            self._separate[second].add(first)

    def _name(self, point: int) -> int:
        if point not in self._component:
            self._component[point] = point
            self._members[point] = [point]
        return self._component[point]
