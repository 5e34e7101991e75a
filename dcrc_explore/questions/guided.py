"""Guided questions: find every group, then ask about the points that settle most of the uncertainty."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dcrc_explore.arrays import FloatArray, IntArray, Seed, argbest
from dcrc_explore.constraints import Pairs, Triplets, as_triplets
from dcrc_explore.questions.belief import Belief
from dcrc_explore.questions.drawing import question_numbers, random_triplets
from dcrc_explore.questions.informative import informative_triplets, question_information

Triple = tuple[int, int, int]
# So many points stand for all when uncertainty is measured, and so many are looked at as the next to ask about.
_REFERENCES, _CANDIDATES = 500, 200
# While all of K groups are known but there may be more, so many questions make a round: one looks for another group.
_ROUND = 4
# While groups are missing the model can't know its errors: no point counts as more certain than this.
_LEAST_UNCERTAINTY = 0.5
# After so many questions about one point in a row others come first. Three points that stood together in one of the
# last questions are not shown together again.
_TIRING, _REMEMBERED = 3, 5

_FIRST = "This looks for two groups that differ."
_NEW = "A may be a new group, unlike those found so far."
_REGION = "Answering this settles many uncertain points near A."
_REGIONS = "Answering this settles many uncertain points near {} and {}."
_BETWEEN = "A may belong to cluster {} or {}."
_CHECK = "Every group is known: this one only checks the answers."


class Questions(NamedTuple):
    """Questions, shape (size, 3), and for each one sentence that says why it was chosen; A, B, C are i, j, k."""

    triplets: IntArray
    reasons: list[str]


def guided_questions(
    proba: ArrayLike,
    X: ArrayLike,
    constraints: Triplets,
    size: int = 1,
    *,
    pairs: Pairs | None = None,
    doubt: float = 0.2,
    epsilon: float = 0.05,
    asked: ArrayLike | None = None,
    seed: Seed = None,
    belief: Belief | None = None,
    open_ended: bool = False,
    wave: bool = False,
) -> Questions:
    """Choose questions that find all groups soon and then settle most of what is uncertain.

    The answers so far make groups of points that are known to differ. Under the :class:`Belief` of answers and model,
    each point is uncertain by 1 minus the difference of its two most probable groups. The next question is about the
    point whose answer settles most of the uncertainty around it, far from known points. While groups are missing, every
    second point is drawn by its distance from the known points instead; when all K are known but there may be more,
    every fourth. The point is compared with its nearest known neighbours in two groups, or together with a second
    uncertain point: whichever answer is worth most by :func:`question_information`.

    The last question of a batch cannot use the answers to the first ones: see :func:`batch_size`. The parameters are
    those of :func:`~dcrc_explore.questions.ask`.

    Examples
    --------
    >>> X = np.array([[0.0], [0.1], [5.0], [2.5]])
    >>> proba = np.hstack([1 - X / 5, X / 5])
    >>> questions = guided_questions(proba, X, Triplets([(0, 1, 2)], ["yes"]), seed=0)
    >>> questions.triplets, questions.reasons
    (array([[3, 1, 2]]), ['A may belong to cluster 1 or 2.'])
    """
    belief = belief or Belief(proba, constraints, doubt, pairs, open_ended=open_ended)
    rng = np.random.default_rng(seed)
    N = len(belief.group)
    points = np.asarray(X, dtype=float)
    if points.ndim != 2 or len(points) != N:
        raise ValueError(f"X must have shape (N, n_features) with N = {N} as in proba, got {points.shape}")
    if wave:
        belief = belief.provisional(points)
    points = points - points.mean(axis=0)  # far from the origin, squared distances would be lost in rounding
    points /= max(points.max(), -points.min()) or 1  # in place, which is much quicker than into new memory
    points = points.astype(np.float32)  # half as many bytes, and exact enough
    old = np.vstack([constraints.indices, as_triplets(() if asked is None else asked, N)])
    found: list[tuple[Triple, str]] = []
    if belief.groups:
        guide = _Guide(belief, points, epsilon, rng, constraints.indices)
        found = list(islice(guide.questions(set(question_numbers(old, N).tolist()), wave), size))
    triplets = np.array([question for question, _ in found], dtype=np.int64).reshape(-1, 3)
    reasons, missing = [reason for _, reason in found], size - len(found)
    if not missing:
        return Questions(triplets, reasons)
    old = np.vstack([old, triplets])
    if belief.groups:
        rest, reason = random_triplets(N, missing, asked=old, seed=rng), _CHECK
    else:
        memberships = belief.memberships
        rest = informative_triplets(memberships, missing, epsilon=epsilon, asked=old, n_candidates=500, seed=rng)
        reason = _FIRST
    return Questions(np.vstack([triplets, rest]), reasons + [reason] * missing)


def guided_wave(proba: ArrayLike, X: ArrayLike, constraints: Triplets, size: int, **options: Any) -> Questions:
    """Choose many guided questions at once, as for a room full of people, without answers in between.

    While groups are missing, the middle of each cluster that has no known group stands for one, so that every question
    has points to compare with. No two questions of a wave have the same first point. For one person,
    :func:`guided_questions` with a fit after each answer or small batch is better: see tests/benchmarks/questions.py.

    Examples
    --------
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> proba = np.hstack([1 - X / 6, X / 6])
    >>> wave = guided_wave(proba, X, Triplets(), 3, seed=0)
    >>> wave.triplets.shape, len(np.unique(wave.triplets[:, 0]))
    ((3, 3), 3)
    """
    return guided_questions(proba, X, constraints, size, **options, wave=True)


def batch_size(n_answers: int) -> int:
    """Return how many guided questions to ask at once, between two fits, after this number of answers.

    Examples
    --------
    >>> [batch_size(n) for n in (0, 9, 10, 40, 80)]
    [1, 1, 5, 10, 20]
    """
    return 1 if n_answers < 10 else 5 if n_answers < 40 else 10 if n_answers < 80 else 20


class _Guide:
    """Points to ask about, one after the other, and the question about each."""

    def __init__(
        self, belief: Belief, X: FloatArray, epsilon: float, rng: np.random.Generator, answered: IntArray
    ) -> None:
        self._belief, self._X, self._epsilon, self._rng, self._turn = belief, X, epsilon, rng, len(answered)
        self._open = belief.group < 0
        # People tire of a point, and of three points that they have just seen: these wait while there are others.
        last = answered[-_TIRING:, 0].tolist()
        self._tired = last[-1] if len(last) == _TIRING and len(set(last)) == 1 else -1
        self._seen = {frozenset(question) for question in answered[-_REMEMBERED:].tolist()}
        # The same reference points each time.
        references = np.random.default_rng(0).permutation(len(X))[:_REFERENCES]
        self._references = X[references]
        second, first = np.partition(belief.memberships[references], -2, axis=1)[:, -2:].T
        self._uncertainty = 1 - (first - second)
        if belief.n_missing:
            self._uncertainty = np.maximum(self._uncertainty, _LEAST_UNCERTAINTY)
        self._known = np.flatnonzero(belief.group >= 0)
        # From each reference point to the nearest known one.
        self._distance = _squared_distances(self._references, X[self._known]).min(axis=1)

    def questions(self, taken: set[int], distinct: bool) -> Iterator[tuple[Triple, str]]:
        """Continue until every point is known or has been asked about; `taken` grows.

        `distinct` lets no two questions have the same first point.
        """
        first: set[int] = set()
        while self._open.any():
            candidates = self._awake()
            candidates = self._rng.permutation(candidates)[:_CANDIDATES]
            self._turn += 1
            new = self._looks_for_a_group()
            foci = [self._far_point(candidates)] if new else self._covering_points(candidates)
            options = np.array(list(self._options(foci)))
            numbers = question_numbers(options, len(self._X))
            fresh = [
                t
                for t, number in enumerate(numbers.tolist())
                if number not in taken and not (distinct and int(options[t, 0]) in first)
            ]
            self._settle(foci[0])
            if not fresh:
                continue
            fresh = [t for t in fresh if not self._tires(options[t].tolist())] or fresh
            worth = question_information(self._belief.memberships, options[fresh], epsilon=self._epsilon)
            best = fresh[argbest(worth)]
            taken.add(int(numbers[best]))
            i, j, k = options[best].tolist()
            first.add(i)
            if len(foci) == 2 and foci[1] in (i, j, k):
                self._settle(foci[1])
            yield (i, j, k), _NEW if new else self._reason((i, j, k), foci)

    def _looks_for_a_group(self) -> bool:
        if self._belief.n_missing:
            return self._turn % 2 == 0
        return self._belief.open_ended and self._turn % _ROUND == 0

    def _awake(self) -> IntArray:
        """Points that are not known, without the one that was asked about too often if there are others."""
        points = np.flatnonzero(self._open)
        return points[points != self._tired] if len(points) > 1 else points

    def _tires(self, question: list[int]) -> bool:
        return question[0] == self._tired or frozenset(question) in self._seen

    def _settle(self, point: int) -> None:
        """Take a point as known: it has its question in this batch."""
        self._open[point] = False
        self._known = np.append(self._known, point)
        self._distance = np.minimum(self._distance, _squared_distances(self._references, self._X[[point]])[:, 0])

    def _far_point(self, candidates: IntArray) -> int:
        """Take a point that some groups exclude; else draw one by its distance from the known points."""
        awake = self._awake()
        started = awake[~self._belief.possible[awake].all(axis=1)]
        if len(started):
            new = self._belief.memberships[started, len(self._belief.groups) :].sum(axis=1)
            return int(started[argbest(new)])
        distance = _squared_distances(self._X[candidates], self._X[self._known]).min(axis=1).astype(float)
        total = distance.sum()
        return int(self._rng.choice(candidates, p=distance / total if total > 0 else None))

    def _covering_points(self, candidates: IntArray) -> list[int]:
        """Return the candidate near most uncertainty that no known point is near, and the next one if that helps."""
        width = self._distance.mean() / 2 or 1.0
        covered = np.exp(-self._distance / width)
        near = np.exp(_squared_distances(self._references, self._X[candidates]) / -width)
        foci: list[int] = []
        for _ in range(1 if self._belief.n_missing else min(2, len(candidates))):
            gain = self._uncertainty @ np.maximum(near - covered[:, np.newaxis], 0)
            gain[np.isin(candidates, foci)] = -1
            best = argbest(gain)
            foci.append(int(candidates[best]))
            covered = np.maximum(covered, near[:, best])
        return foci

    def _options(self, foci: list[int]) -> Iterator[Triple]:
        """Questions that compare a point with its nearest known neighbours in each group, or two points with one."""
        first = foci[0]
        away = self._X[self._belief.members] - self._X[first]
        distances = np.einsum("ij,ij->i", away, away)
        parts = np.split(distances, np.cumsum([len(members) for members in self._belief.groups[:-1]]))
        anchors = [int(members[argbest(-part)]) for members, part in zip(self._belief.groups, parts, strict=True)]
        yield from ((first, a, b) for a, b in combinations(anchors, 2))
        for second in foci[1:]:
            for a in anchors:
                yield from ((first, a, second), (second, a, first), (a, first, second))

    def _reason(self, question: Triple, foci: list[int]) -> str:
        names = ["ABC"[question.index(focus)] for focus in foci if focus in question]
        if len(names) == 2:
            return _REGIONS.format(*sorted(names))
        groups = self._belief.group[list(question[1:])]
        clusters = self._belief.clusters[groups]
        if clusters.max() >= self._belief.n_clusters or self._belief.memberships[question[0], groups].sum() < 2 / 3:
            return _REGION
        return _BETWEEN.format(*(clusters + 1))


def _squared_distances(A: FloatArray, B: FloatArray) -> FloatArray:
    squares = np.einsum("ij,ij->i", A, A)[:, np.newaxis] + np.einsum("ij,ij->i", B, B)
    return np.maximum(squares - 2 * A @ B.T, 0)
