"""How the fits of a session agreed with the truth, by number of answers."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.metrics import adjusted_rand, matched_accuracy, nmi, pairwise_f
from dcrc_explore.session.fitting import Trace
from dcrc_explore.session.records import Quality
from dcrc_explore.session.state import Document, State
from dcrc_explore.session.subject import Subject


class QualityLog:
    """Measures fits when someone asks for it, so that an answer need not wait.

    Parameters
    ----------
    document : Document
        What is known already.
    """

    def __init__(self, document: Document) -> None:
        self._known: dict[Subject, dict[int, Quality]] = defaultdict(dict)
        self._known[document.state.subject] = {quality.n_answers: quality for quality in document.quality}
        self._waiting: list[tuple[Subject, int, NDArray[np.int64]]] = []

    def add(self, trace: Trace) -> None:
        """Take note of a fit; a later one with as many answers takes its place."""
        request = trace.request
        if request.subject.dataset.y is not None:
            self._waiting.append((request.subject, len(request.triplets), trace.fit.labels))

    def measured(self, subject: Subject) -> list[Quality]:
        """Return what is known without any work."""
        known = self._known[subject]
        return [known[n] for n in sorted(known)]

    def until(self, state: State) -> list[Quality]:
        """Return the quality of the fits to these data with at most as many answers."""
        for subject, n_answers, labels in self._waiting:
            y = subject.dataset.y
            assert y is not None
            measures = pairwise_f(y, labels), adjusted_rand(y, labels), nmi(y, labels), matched_accuracy(y, labels)
            self._known[subject][n_answers] = Quality(n_answers, *measures)
        self._waiting.clear()
        return [quality for quality in self.measured(state.subject) if quality.n_answers <= len(state.answers)]
