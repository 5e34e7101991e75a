"""How the fits of a session agreed with the truth, by number of answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from dcrc_explore.arrays import IntArray
from dcrc_explore.metrics import adjusted_rand, matched_accuracy, nmi, pairwise_f
from dcrc_explore.session.subject import Subject


class Quality(NamedTuple):
    """Agreement of a fit with the truth after so many answers."""

    n_answers: int
    pairwise_f: float
    ari: float
    nmi: float
    accuracy: float


class QualityLog:
    """Measures fits when someone asks for it, so that an answer need not wait.

    Parameters
    ----------
    subject : Subject
    known : iterable of Quality
        What is known already about fits to its data.
    """

    def __init__(self, subject: Subject, known: Iterable[Quality] = ()) -> None:
        self._known: dict[Subject, list[Quality]] = defaultdict(list)
        self._known[subject] += known
        self._waiting: list[tuple[Subject, int, IntArray]] = []

    def add(self, subject: Subject, n_answers: int, labels: IntArray) -> None:
        """Take note of a fit; a later one with as many answers takes its place."""
        y = subject.dataset.y
        if y is not None:
            # How many points of each class are in each cluster: all that the measures need, however many points.
            K = int(labels.max()) + 1
            table = np.bincount(y * K + labels, minlength=(int(y.max()) + 1) * K).reshape(-1, K)
            self._waiting.append((subject, n_answers, table))

    def measured(self, subject: Subject) -> list[Quality]:
        """Return what is known without any work, in the order in which it was measured."""
        return self._known[subject]

    def until(self, subject: Subject, n_answers: int) -> list[Quality]:
        """Return the quality of the fits to these data with at most as many answers."""
        for waiting, n, table in self._waiting:
            classes, clusters = np.indices(table.shape)
            y, labels = np.repeat(classes, table.ravel()), np.repeat(clusters, table.ravel())
            measures = pairwise_f(y, labels), adjusted_rand(y, labels), nmi(y, labels), matched_accuracy(y, labels)
            self._known[waiting].append(Quality(n, *measures))
        self._waiting.clear()
        known = {quality.n_answers: quality for quality in self._known[subject]}
        return [known[n] for n in sorted(known) if n <= n_answers]
