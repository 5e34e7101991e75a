"""Work in the background: fits, of which the latest request wins, and results that come one after another."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from threading import RLock, Thread, current_thread
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import tqdm.auto  # noqa: F401 (it silences a warning while it is loaded, which fails where threads do the same)

from dcrc_explore.model.path import EMStep
from dcrc_explore.session.trace import Request, Trace

if TYPE_CHECKING:
    from dcrc_explore.session.session import Session

Result = TypeVar("Result")
Deliver = Callable[[Callable[[], None]], object]
_MOMENT = 0.05  # seconds between two looks at a fit
# Numbers (points x features x clusters) from which on a fit is reported when it begins, before its first iteration.
_LARGE = 2_000_000
# Seconds before the first word about other fits, and between two words.
_EVERY = 0.3


def threads_can_start() -> bool:
    """Whether there is a background at all: Python in a browser (Pyodide) has one thread, and fits in it."""
    return sys.platform not in ("emscripten", "wasi")


class FitProgress:
    """Reports the EM iterations of a running fit, and ends it early on request.

    Attributes
    ----------
    iteration : int
        The last one that is done.

    Examples
    --------
    >>> progress = FitProgress()
    >>> forget = progress.watch(print)
    >>> progress.begin(size=10_000_000)
    0
    >>> progress.stop()
    >>> progress.ends_after(1)
    True
    """

    def __init__(self) -> None:
        self._watchers: list[Callable[[int], object]] = []
        self._notified, self._stopped, self.iteration = 0.0, False, 0

    def watch(self, callback: Callable[[int], object]) -> Callable[[], None]:
        """Call `callback` with the iteration now and then, in the thread of the fit; returns how to end this."""
        self._watchers.append(callback)
        return lambda: self._watchers.remove(callback)

    def stop(self) -> None:
        """End the running fit after the present iteration, and take the model as it is then."""
        self._stopped = True

    def begin(self, size: int) -> None:
        """Begin with a fit in which each iteration goes through so many numbers."""
        self._notified, self._stopped, self.iteration = monotonic(), False, 0
        if size >= _LARGE:
            self._notify()

    def ends_after(self, iteration: int) -> bool:
        """Take note of an iteration; return whether it is to be the last."""
        self.iteration = iteration
        if monotonic() - self._notified >= _EVERY:
            self._notify()
        return self._stopped

    def _notify(self) -> None:
        self._notified = monotonic()
        for callback in tuple(self._watchers):
            try:
                callback(self.iteration)
            except Exception as error:  # the fit goes on, whoever listens
                warnings.warn(f"a watcher of the fit failed: {error!r}", RuntimeWarning, stacklevel=2)


class Worker:
    """Runs fits, one at a time; a new request takes the place of an unfinished one, so nothing queues up.

    Everything but the iterations of a long fit happens in the caller's thread.

    Parameters
    ----------
    done : callable(Trace)
        Takes a finished fit.
    failed : callable(Exception)
        Called with the reason when a fit in the other thread fails.
    deliver : callable(function), optional
        Runs a function in the caller's thread, at some later time. If it is None, every fit runs to its end at once.
        Otherwise a fit that takes longer than `patience` continues in another thread.
    patience : float
        Seconds.
    lock : RLock
        Held by callers, and while a result is delivered.
    progress : FitProgress
        Counts the iterations, and may stop the fit.
    """

    def __init__(
        self,
        done: Callable[[Trace], None],
        failed: Callable[[Exception], None],
        deliver: Deliver | None,
        patience: float,
        lock: RLock,
        progress: FitProgress,
    ) -> None:
        self._done, self._failed, self._deliver, self._patience, self._lock = done, failed, deliver, patience, lock
        self._progress = progress
        self._wanted: _Job | None = None
        self._thread: Thread | None = None
        self._last_seconds = 0.0

    @property
    def busy(self) -> bool:
        """Whether a fit whose result is wanted runs in the other thread."""
        return self._thread is not None and self._wanted is not None

    def start(self, request: Request) -> None:
        """Fit; `done` is called before this returns unless the fit takes long."""
        self._wanted = job = _Job(request, self._progress)
        if self._thread is not None:
            return  # it turns to the new job after the iteration that it is in
        if self._deliver is None:
            job.run(lambda: True)
        elif self._last_seconds < self._patience:  # after a long fit, the next one will hardly be short
            job.run(lambda: job.seconds < self._patience)
        self._finish_or_hand_over(job)

    def wait_for_a_model(self, seconds: float) -> Trace | None:
        """Wait for the unfinished fit, as long as that; then only for a first model, which is returned."""
        while (thread := self._thread) is not None:
            thread.join(seconds)
            job, seconds = self._wanted, _MOMENT
            if not thread.is_alive():
                with self._lock:
                    self._collect(thread)
            elif job is not None and job.steps:
                return job.so_far()
        return None

    def drop(self) -> None:
        """Do not take the unfinished fit, which nobody wants any more."""
        self._wanted = None

    def wait(self) -> None:
        """Wait for the unfinished fit, and take its result, or raise its error, here instead of through `deliver`."""
        while (thread := self._thread) is not None:
            thread.join()
            with self._lock:
                self._collect(thread)

    def _finish_or_hand_over(self, job: _Job) -> None:
        if not job.finished:
            self._thread = Thread(target=self._work, daemon=True)
            self._thread.start()
            return
        self._wanted = None
        self._last_seconds = job.seconds
        if job.error is not None:
            raise job.error
        self._done(job.so_far())

    def _work(self) -> None:
        while (job := self._wanted) is not None and not job.finished:
            job.run(lambda job=job: self._wanted is job)  # type: ignore[misc]
        thread = current_thread()
        assert self._deliver is not None
        self._deliver(lambda: self._receive(thread))

    def _receive(self, thread: Thread) -> None:
        with self._lock:
            try:
                self._collect(thread)
            except Exception as error:
                self._failed(error)

    def _collect(self, thread: Thread) -> None:
        """Take the result of a thread at its end; a request that came too late for it is handed to another."""
        if thread is self._thread:
            self._thread = None
            if self._wanted is not None:
                self._finish_or_hand_over(self._wanted)


class _Job:
    """A fit on its way; runs in one thread after another, never in two at once."""

    def __init__(self, request: Request, progress: FitProgress) -> None:
        self.request, self._progress = request, progress
        self.steps: list[EMStep] = []
        self.seconds = 0.0
        self.finished = self.stopped = False
        self.error: Exception | None = None
        self._iterations: Iterator[EMStep] | None = None

    def so_far(self) -> Trace:
        """Return the iterations that are done."""
        return Trace(self.request, list(self.steps), self.seconds, stopped=self.stopped or not self.finished)

    def run(self, go_on: Callable[[], bool]) -> None:
        """Iterate until the fit is finished or `go_on` says no."""
        begin = perf_counter() - self.seconds
        try:
            if self._iterations is None:
                self._progress.begin(self.request.size)
                self._iterations = self.request.steps()
            while go_on() and not self.finished:
                self.steps.append(next(self._iterations))
                self.seconds = perf_counter() - begin
                self.stopped = self.finished = self._progress.ends_after(self.steps[-1].iteration)
        except StopIteration:
            self.finished = True
        except Exception as error:
            # It belongs to whoever asked for the fit, who may be waiting in another thread.
            self.error, self.finished = error, True


def in_background(work: Callable[[Deliver], object], background: Deliver | None) -> None:
    """Do work in a thread of its own, or here and now without a background; it gets what delivers its results."""
    if background is None:
        work(lambda function: function())
    else:
        Thread(target=work, args=(background,), daemon=True).start()


# Results, one after another -----------------------------------------------------------------------------------------


class Gathering(Generic[Result]):
    """Results about a session that arrive one after another, each handed over at once.

    Without a background everything happens at once. With one, the work runs in a thread of its own.

    Parameters
    ----------
    session : Session
    work : callable()
        Called in the session's thread; the iterator over results that it returns runs in another thread.
    about : callable()
        Returns what the results depend on; the data come first.
    total : int
        Number of results.
    changed : callable()
        Called in the session's thread after each result and at the end.

    Attributes
    ----------
    results : list
        Results so far.
    running : bool
    error : str
        Why it ended early; empty if it did not.

    Examples
    --------
    >>> from dcrc_explore.session import Session, run_methods
    >>> others = run_methods(Session("far", autosave=None), methods=["K-means"])
    >>> others.start()
    >>> others.running, [result.method for result in others.results]
    (False, ['DCRC', 'K-means'])
    """

    def __init__(
        self,
        session: Session,
        work: Callable[[], Iterator[Result]],
        about: Callable[[], tuple[Any, ...]],
        total: int,
        changed: Callable[[], object],
    ) -> None:
        self._session, self._work, self._now, self._notify, self.total = session, work, about, changed, total
        self.results: list[Result] = []
        self.running, self.error = False, ""
        self._run: object = None  # a run that is not this one any more stops after its result
        self._about: tuple[Any, ...] | None = None

    @property
    def current(self) -> bool:
        """Whether the results are about the present data, answers and settings."""
        if self._about is None:
            return False
        now = self._now()
        return self._about[0] is now[0] and self._about[1:] == now[1:]

    def start(self) -> None:
        """Begin; work that is running is cancelled."""
        run = object()
        with self._session.lock:
            self._run, self._about = run, self._now()
            self.results, self.running, self.error = [], True, ""
            results = self._work()
        in_background(partial(self._gather, run, results), self._session.background)
        self._notify()

    def cancel(self) -> None:
        """Stop; the results so far stay."""
        self._run, self.running = None, False
        self._notify()

    def _gather(self, run: object, results: Iterator[Result], deliver: Deliver) -> None:
        try:
            for result in results:
                if self._run is not run:
                    return
                deliver(lambda result=result: self._take(run, result))  # type: ignore[misc]
            deliver(lambda: self._end(run))
        except Exception as error:
            text = str(error) or repr(error)
            deliver(lambda: self._end(run, text))

    def _take(self, run: object, result: Result) -> None:
        with self._session.lock:
            if self._run is run:
                self.results.append(result)
                self._notify()

    def _end(self, run: object, error: str = "") -> None:
        with self._session.lock:
            if self._run is run:
                self._run, self.running, self.error = None, False, error
                self._notify()
