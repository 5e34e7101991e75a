"""What each question was worth when it was asked, and what was left to learn: kept while a session goes on."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.arrays import FloatArray
from dcrc_explore.constraints import Log
from dcrc_explore.information import AnswerCurves, Left
from dcrc_explore.information.curves import expected_rows
from dcrc_explore.session.fit import Fit
from dcrc_explore.session.trace import Trace


@dataclass(frozen=True, eq=False)
class Ledger:
    """What the model before each answer expected.

    Attributes
    ----------
    log : Log
        The answers.
    rows : ndarray of shape (M, 5)
        As in :class:`~dcrc_explore.information.AnswerCurves`.
    settled : ndarray of shape (M,)
        Whether that model was fitted to all answers before this one. It was not for answers that came together with
        others, and is not known for those of a file: these wait for :meth:`completed`.
    left : tuple of Left
    n_points : int
    """

    log: Log = field(default_factory=Log)
    rows: FloatArray = field(default_factory=lambda: np.empty((0, 5)))
    settled: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, dtype=bool))
    left: tuple[Left, ...] = ()
    n_points: int = 0

    def followed(self, before: Trace | None, after: Trace) -> Ledger:
        """Return what is known after a fit: answers that are new in it are judged by the model before."""
        log, M = after.request.log, after.request.n_answers
        places = self._places(log)
        old, new = np.flatnonzero(places >= 0), np.flatnonzero(places < 0)
        rows, settled = np.full((M, 5), np.nan), np.zeros(M, dtype=bool)
        rows[old], settled[old] = self.rows[places[old]], self.settled[places[old]]
        same_data = before is not None and before.request.subject is after.request.subject
        if before is not None and same_data and len(new):
            known, settings = before.request.log, before.settings
            past = known.points, known.answers
            rows[new] = expected_rows(
                before.fit.proba, log.points[new], settings.epsilon, past=past, use_dnk=settings.use_dnk
            )
            settled[new] = len(new) == 1 and len(known) == new[0]
        kept = tuple(each for each in self.left if each.n_answers < M) if same_data else ()
        return Ledger(log, rows, settled, (*kept, _left(after.fit)), len(after.fit.proba))

    def refitted(self, trace: Trace) -> Ledger:
        """Return the same with what another fit to the same answers leaves."""
        kept = [each for each in self.left if each.n_answers < len(self.log)]
        return replace(self, left=(*kept, _left(trace.fit)))

    def completed(self, other: Ledger) -> Ledger:
        """Return the same with the rows of another, which may have fewer, for those that wait; then none waits."""
        rows, n = self.rows.copy(), len(other.rows)
        waiting = np.flatnonzero(~self.settled[:n])
        rows[waiting] = other.rows[waiting]
        left = {each.n_answers: each for each in (*other.left, *self.left)}
        return replace(
            self, rows=rows, settled=np.ones(len(rows), dtype=bool), left=tuple(left[n] for n in sorted(left))
        )

    @property
    def curves(self) -> AnswerCurves:
        """The curves that a panel draws."""
        return AnswerCurves(self.rows, self.log.answers, self.log.is_pair, self.left, self.n_points)

    def _places(self, log: Log) -> NDArray[np.int64]:
        """Return which row belongs to each answer of a log, -1 for new ones."""
        shared, places = log.shared(self.log), np.full(len(log), -1)
        places[:shared] = np.arange(shared)
        if shared < min(len(log), len(self.log)):  # some were changed or deleted: the others are found by their points
            waiting: dict[tuple[int, ...], deque[int]] = defaultdict(deque)
            for t in range(shared, len(self.log)):
                waiting[tuple(self.log.points[t].tolist())].append(t)
            for t in range(shared, len(log)):
                rows = waiting[tuple(log.points[t].tolist())]
                places[t] = rows.popleft() if rows else -1
        return places


def _left(fit: Fit) -> Left:
    asked = np.zeros(len(fit.proba), dtype=bool)
    asked[fit.log.points[fit.log.points >= 0]] = True
    bits = fit.entropy
    return Left(len(fit.log), int(asked.sum()), float(bits[asked].sum()), float(bits[~asked].sum()))
