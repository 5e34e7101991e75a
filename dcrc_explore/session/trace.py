"""A requested fit and its result, with clusters that keep their numbers; what the answers before it were worth."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.arrays import FloatArray
from dcrc_explore.constraints import Log
from dcrc_explore.information import AnswerCurves, Left
from dcrc_explore.information.curves import expected_rows
from dcrc_explore.metrics import align_clusters
from dcrc_explore.model.estimator import DCRC
from dcrc_explore.model.features import Features
from dcrc_explore.model.moves import moved
from dcrc_explore.model.path import EMStep
from dcrc_explore.model.softmax import Weights
from dcrc_explore.model.threads import one_thread
from dcrc_explore.model.weighting import FEW
from dcrc_explore.session.fit import Fit, Objective
from dcrc_explore.session.state import SessionError, Settings, Subject

# While there are few answers the initialisation is tried too: numbers (points x features x clusters) for which that is
# quick, and by how much its bound must be better than what the model on the screen leads to.
_QUICK = 200_000
_BETTER = 1e-3
# Moves that a search in the background tries, and by how much its bound must be better: a picture that changes by
# itself needs a reason.
_MOVES = 10
_CLEARLY = 0.005


def _is_better(step: EMStep, other: EMStep, by: float) -> bool:
    gains = np.subtract(step.bound.rank, other.bound.rank)
    return bool(gains.min() >= 0 and gains.max() > by)


@dataclass(frozen=True, eq=False)
class Request:
    """What is to be fitted."""

    # Data, the same in the space in which the model is linear, and what decides the fit
    subject: Subject
    features: Features
    settings: Settings
    log: Log
    # Who gave each answer, triplets first, when each person has a noise model of their own; empty when all share one
    people: tuple[str, ...] = ()
    start: Weights | None = None  # where EM begins; None is the initialisation
    # Shape (N, K'): memberships of the points in a former fit, whose cluster numbers are taken
    reference: NDArray[np.float64] | None = None

    @property
    def n_answers(self) -> int:
        """How many answers there are."""
        return len(self.log)

    @property
    def size(self) -> int:
        """How many numbers an iteration goes through: points x features x clusters."""
        return self.features.rows.size * self.settings.n_clusters

    def parameters(self) -> dict[str, Any]:
        """Return the arguments of :class:`~dcrc_explore.DCRC` that this fit has."""
        return self.settings.model_parameters() | ({"confusion": "learned"} if self.people else {})

    def answered(self) -> dict[str, Any]:
        """Return the arguments of :meth:`DCRC.fit` besides the points."""
        return {"triplets": self.log.triplets, "pairs": self.log.pairs, "annotators": self.people or None}

    def steps(self) -> Iterator[EMStep]:
        """Begin the fit, which then advances by one EM iteration at a time.

        While there are few answers the model on the screen may lead to a poor optimum. So, where that is quick, the
        initialisation is tried as well, and its steps follow if its bound is better: the last path is the one to take.
        """
        rows = self.features.rows
        model = DCRC(**self.parameters() | {"kernel": "linear", "warm_start": True})
        if self.start is None:
            yield from model.iterate(rows, **self.answered())
            return
        going_on = copy(model)
        # No memberships: the first E-step finds them, so a fit depends on its start by these weights alone.
        going_on.coef_, going_on.intercept_ = self.start.coef, self.start.intercept
        for step in going_on.iterate(rows, **self.answered()):
            yield step
        if self.n_answers <= FEW * len(rows) and self.size <= _QUICK:
            restarted = list(model.iterate(rows, **self.answered()))
            if _is_better(restarted[-1], step, by=_BETTER):
                yield from restarted


class Trace:
    """A finished fit with all its iterations.

    Parameters
    ----------
    request : Request
    steps : list of EMStep
    seconds : float
        How long it took.

    Attributes
    ----------
    numbers : ndarray of shape (K,)
        Cluster k of the estimator is called ``numbers[k]`` in the session.
    from_start : bool
        Whether EM began at the initialisation, and not at the model on the screen.
    found : bool
        Whether it comes from a search, and not from something that a person did.
    stopped : bool
        Whether a person ended it early.
    """

    def __init__(
        self, request: Request, steps: list[EMStep], seconds: float, *, found: bool = False, stopped: bool = False
    ) -> None:
        self.request, self.seconds, self.found, self.stopped = request, seconds, found, stopped
        # Between two values of tau an iteration is seen twice; the later look counts.
        path = steps[-1].path
        self._steps = list({step.iteration: step for step in steps if step.path is path}.values())
        self.from_start = request.start is None or path.start.labels is not None
        K = request.settings.n_clusters
        self.numbers = np.arange(K)
        if request.reference is not None:
            self.numbers = align_clusters(request.reference[:, :K], self._steps[-1].proba)

    @property
    def settings(self) -> Settings:
        """With which it was fitted."""
        return self.request.settings

    @property
    def start(self) -> Weights | None:
        """Weights at which EM began, in the session's numbers; None for the initialisation."""
        start = self.request.start
        return None if start is None or self.from_start else start.renumbered(self.numbers)

    @cached_property
    def fit(self) -> Fit:
        """The model at the end."""
        return self.replay(len(self._steps) - 1)

    @cached_property
    def objective(self) -> Objective:
        """The bound, iteration by iteration."""
        steps, last = self._steps, self._steps[-1]
        bounds = [step.bound for step in steps]
        curves = {
            name: np.array([getattr(bound, name) for bound in bounds])
            for name in ("answers", "regulariser", "separation", "balance", "satisfied")
        }
        return Objective(
            bound=np.array([bound.total for bound in bounds]),
            **curves,
            softened=sum(step.softened for step in steps),
            converged=last.converged and not self.stopped,
            cycling=last.bound.hard and len(steps) > 1 and last.bound.rank < steps[-2].bound.rank,
        )

    def improved(self, go_on: Callable[[], bool]) -> Trace | None:
        """Search for a clearly better optimum by moves; None when there is none, or when `go_on` returns False.

        The result is the fit from the weights that were found, so these weights reproduce it.
        """
        begin, last = perf_counter(), self._steps[-1]
        # Fitted again: what a problem works with belongs to one thread.
        again = list(takewhile(lambda _: go_on(), replace(self.request, start=self.fit.weights).steps()))
        if not go_on():
            return None
        seed = self.request.settings.random_state + self.request.n_answers
        with one_thread():
            end = moved([again[-1]], _MOVES, seed % 2**32, go_on)[-1]
        if not _is_better(end, last, by=_CLEARLY):
            return None
        request = replace(self.request, start=end.weights, reference=self.fit.proba)
        steps = list(takewhile(lambda _: go_on(), request.steps()))
        if not go_on() or not _is_better(steps[-1], last, by=_CLEARLY):
            return None
        better = Trace(request, steps, perf_counter() - begin, found=True)
        changes = (better.fit.labels != self.fit.labels).any()
        return better if changes and not better.from_start else None

    def replay(self, iteration: int) -> Fit:
        """Return the model at an EM iteration, 0 being the start."""
        if not 0 <= iteration < len(self._steps):
            raise SessionError(f"iteration must be between 0 and {len(self._steps) - 1}, got {iteration}")
        request = self.request
        return Fit(request.subject, request.features, request.log, self._steps[iteration], self.numbers)


# What the questions were worth ---------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Ledger:
    """What the model before each answer expected."""

    log: Log = field(default_factory=Log)  # the answers
    rows: FloatArray = field(default_factory=lambda: np.empty((0, 5)))  # shape (M, 5): as in AnswerCurves
    # Shape (M,): whether that model was fitted to all answers before this one. It was not for answers that came
    # together with others, and is not known for those of a file: these wait for completed.
    settled: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, dtype=bool))
    left: tuple[Left, ...] = ()
    n_points: int = 0

    def followed(self, before: Trace | None, after: Trace) -> Ledger:
        """Return what is known after a fit: answers that are new in it are judged by the model before."""
        log, places = after.request.log, self._places(after.request.log)
        M = len(places)
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
            settled[new] = len(new) == 1 and len(past[1]) == new[0]
        earlier = tuple(each for each in self.left if each.n_answers < M) if same_data else ()
        return Ledger(log, rows, settled, (*earlier, _left(after.fit)), len(after.fit.proba))

    def refitted(self, trace: Trace) -> Ledger:
        """Return the same with what another fit to the same answers leaves."""
        earlier = [each for each in self.left if each.n_answers < len(self.log)]
        return replace(self, left=(*earlier, _left(trace.fit)))

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
        shared, old, new = log.shared(self.log), self.log.points, log.points
        places = np.full(len(new), -1)
        places[:shared] = np.arange(shared)
        if shared < min(len(new), len(old)):  # some were changed or deleted: the others are found by their points
            waiting: dict[tuple[int, ...], deque[int]] = defaultdict(deque)
            for t in range(shared, len(old)):
                waiting[tuple(old[t].tolist())].append(t)
            for t in range(shared, len(new)):
                rows = waiting[tuple(new[t].tolist())]
                places[t] = rows.popleft() if rows else -1
        return places


def _left(fit: Fit) -> Left:
    asked = np.zeros(len(fit.proba), dtype=bool)
    points, bits = fit.log.points, fit.entropy
    asked[points[points >= 0]] = True
    return Left(len(points), int(asked.sum()), float(bits[asked].sum()), float(bits[~asked].sum()))
