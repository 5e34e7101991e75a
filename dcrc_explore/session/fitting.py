"""Fitting: one fit at a time, the latest request wins, and clusters keep their numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from threading import Thread, current_thread
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.constraints import Triplets
from dcrc_explore.metrics import align_clusters
from dcrc_explore.model.estimator import DCRC
from dcrc_explore.model.features import Features
from dcrc_explore.model.path import EMStep
from dcrc_explore.model.softmax import Weights
from dcrc_explore.session.fit import Fit, Objective
from dcrc_explore.session.records import SessionError, Settings
from dcrc_explore.session.subject import Subject

Deliver = Callable[[Callable[[], None]], object]


@dataclass(frozen=True, eq=False)
class Request:
    """What is to be fitted.

    Parameters
    ----------
    subject, features, settings, triplets
        Data, the same in the space in which the model is linear, and what decides the fit.
    start : Weights or None
        Where EM begins; None is the initialisation.
    reference : ndarray of shape (N, K') or None
        Memberships of the points in a former fit, whose cluster numbers are to be kept.
    """

    subject: Subject
    features: Features
    settings: Settings
    triplets: Triplets
    start: Weights | None = None
    reference: NDArray[np.float64] | None = None

    def steps(self) -> Iterator[EMStep]:
        """Begin the fit, which then advances by one EM iteration at a time."""
        model = DCRC(**self.settings.model_parameters() | {"kernel": "linear", "warm_start": True})
        if self.start is not None:
            # No memberships: the first E-step finds them, so a fit depends on its start by these weights alone.
            model.coef_, model.intercept_ = self.start.coef, self.start.intercept
        return model.iterate(self.features.rows, triplets=self.triplets)


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
    """

    def __init__(self, request: Request, steps: list[EMStep], seconds: float) -> None:
        self.request, self.seconds = request, seconds
        # Between two values of tau an iteration is seen twice; the later look counts.
        self._steps = list({step.iteration: step for step in steps}.values())
        K = request.settings.n_clusters
        self.numbers = np.arange(K)
        if request.reference is not None:
            self.numbers = align_clusters(request.reference[:, :K], self._steps[-1].proba)

    @property
    def start(self) -> Weights | None:
        """Weights at which EM began, in the session's numbers; None for the initialisation."""
        start = self.request.start
        return None if start is None else start.renumbered(self.numbers)

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
            converged=last.converged,
            cycling=last.bound.hard and len(steps) > 1 and last.bound.rank < steps[-2].bound.rank,
        )

    def replay(self, iteration: int) -> Fit:
        """Return the model at an EM iteration, 0 being the start."""
        if not 0 <= iteration < len(self._steps):
            raise SessionError(f"iteration must be between 0 and {len(self._steps) - 1}, got {iteration}")
        request = self.request
        return Fit(request.subject, request.features, request.triplets, self._steps[iteration], self.numbers)


class Fitter:
    """Runs fits, one at a time; a new request takes the place of an unfinished one, so nothing queues up.

    Everything but the iterations of a long fit happens in the caller's thread.

    Parameters
    ----------
    done : callable(Trace)
        Takes a finished fit.
    deliver : callable(function), optional
        Runs a function in the caller's thread, some time. Without it every fit is run to its end at once. With it, a
        fit that takes longer than `patience` goes on in another thread.
    patience : float
        Seconds.
    """

    def __init__(self, done: Callable[[Trace], None], deliver: Deliver | None, patience: float) -> None:
        self._done, self._deliver, self._patience = done, deliver, patience
        self._wanted: _Job | None = None
        self._worker: Thread | None = None
        self._last_seconds = 0.0

    @property
    def busy(self) -> bool:
        """Whether a fit goes on in the other thread."""
        return self._worker is not None

    def start(self, request: Request) -> None:
        """Fit; `done` is called before this returns unless the fit takes long."""
        self._wanted = job = _Job(request)
        if self._worker is not None:
            return  # it turns to the new job after the iteration that it is in
        if self._deliver is None:
            job.run(lambda: True)
        elif self._last_seconds < self._patience:  # after a long fit, the next one will hardly be short
            job.run(lambda: job.seconds < self._patience)
        self._finish_or_hand_over(job)

    def wait(self) -> None:
        """Wait for the unfinished fit, and take its result here instead of through `deliver`."""
        while self._worker is not None:
            self._worker.join()
            self._collect(self._worker)

    def _finish_or_hand_over(self, job: _Job) -> None:
        if not job.finished:
            self._worker = Thread(target=self._work, daemon=True)
            self._worker.start()
            return
        self._wanted = None
        self._last_seconds = job.seconds
        if job.error is not None:
            raise job.error
        self._done(Trace(job.request, job.steps, job.seconds))

    def _work(self) -> None:
        while (job := self._wanted) is not None and not job.finished:
            job.run(lambda job=job: self._wanted is job)  # type: ignore[misc]
        worker = current_thread()
        assert self._deliver is not None
        self._deliver(lambda: self._collect(worker))

    def _collect(self, worker: Thread) -> None:
        """Take the result of a thread at its end; a request that came too late for it is handed to another."""
        if worker is self._worker and self._wanted is not None:
            self._worker = None
            self._finish_or_hand_over(self._wanted)


class _Job:
    """A fit on its way; runs in one thread after another, never in two at once."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.steps: list[EMStep] = []
        self.seconds = 0.0
        self.finished = False
        self.error: Exception | None = None
        self._iterations: Iterator[EMStep] | None = None

    def run(self, go_on: Callable[[], bool]) -> None:
        """Iterate until the fit is finished or `go_on` says no."""
        begin = perf_counter() - self.seconds
        try:
            if self._iterations is None:
                self._iterations = self.request.steps()
            while go_on():
                self.steps.append(next(self._iterations))
                self.seconds = perf_counter() - begin
        except StopIteration:
            self.finished = True
        except Exception as error:
            # It belongs to whoever asked for the fit, who may be waiting in another thread.
            self.error, self.finished = error, True
