"""The model of a state: where its fit begins, which numbers its clusters have, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from threading import RLock
from weakref import WeakKeyDictionary

from dcrc_explore.arrays import FloatArray
from dcrc_explore.model.features import Features, make_features
from dcrc_explore.model.softmax import Weights
from dcrc_explore.model.threads import one_thread
from dcrc_explore.session.settings import SessionError
from dcrc_explore.session.state import State
from dcrc_explore.session.subject import Subject
from dcrc_explore.session.trace import Request, Trace
from dcrc_explore.session.worker import Deliver, Progress, Worker

# Kernels, beside the current one, whose features are kept.
_FEATURES = 3
# Seconds that are waited for the whole fit to other points, before what there is of it is shown.
_PATIENCE = 3.0


def features_of(
    subject: Subject, kernel: str, gamma: float | str = "scale", random_state: int | None = None
) -> Features:
    """Return the points of a subject in the space in which the model is linear.

    Answers change neither points nor kernel, so a session computes this when data or kernel change, and an answer
    costs a linear fit whatever the kernel is.

    Examples
    --------
    >>> features_of(Subject.of("moons"), "linear").rows.shape
    (100, 2)
    """
    with one_thread():
        return make_features(subject.dataset.X, kernel, gamma=gamma, random_state=random_state)


class Fitter:
    """Fits states, and keeps the latest fit.

    Parameters
    ----------
    report : callable(Trace or None, bool)
        Called with each fit, and whether it comes late: after the call of :meth:`start`, from the background. None is
        a fit that failed there; `error` says why.
    background, patience, lock, progress
        As for :class:`Worker`.

    Attributes
    ----------
    error : str or None
        Why the last fit in the background failed, as a message for the user.
    before : Trace or None
        The fit before the latest.
    """

    def __init__(
        self,
        report: Callable[[Trace | None, bool], None],
        background: Deliver | None,
        patience: float,
        lock: RLock,
        progress: Progress,
    ) -> None:
        self._report, self._starting = report, False
        self._worker = Worker(self._take, self._fail, background, patience, lock, progress)
        self._features = lru_cache(maxsize=_FEATURES)(features_of)
        self._state: State | None = None
        # Where the fit of a state began, so that coming back to it, or loading it, makes the same fit again.
        self._starts: WeakKeyDictionary[State, Weights | None] = WeakKeyDictionary()
        self._ends: WeakKeyDictionary[State, Weights] = WeakKeyDictionary()  # where it ended
        self._last: Request | None = None  # what was to be fitted last
        self._trace: Trace | None = None
        self.before: Trace | None = None
        self.error: str | None = None

    @property
    def latest(self) -> Trace:
        """The latest complete fit."""
        assert self._trace is not None
        return self._trace

    @property
    def busy(self) -> bool:
        """Whether a fit goes on in the background."""
        return self._worker.busy

    @property
    def pending(self) -> Request | None:
        """What is being fitted in the background; None when that is done."""
        return self._last if self.busy else None

    def features(self, state: State) -> Features:
        """Return the points in the space in which the settings make the model linear."""
        subject, settings = state.subject, state.settings
        if settings.kernel == "linear":
            return self._features(subject, "linear")
        return self._features(subject, settings.kernel, settings.gamma, settings.random_state)

    def start_of(self, state: State) -> Weights | None:
        """Return the weights at which the fit of a state begins; None for the initialisation."""
        return self._starts.get(state, state.weights)

    def start(self, state: State, reference: FloatArray | None = None) -> None:
        """Fit a state; when that takes long it goes on in the background. SessionError when it can't be fitted.

        Parameters
        ----------
        state : State
        reference : ndarray of shape (N, K), optional
            Memberships in the model whose cluster numbers are to be kept; by default the one before.
        """
        before = self._state
        self._starting, self._state, self.error = True, state, None
        try:
            self._last = self._request(state, reference)
            self._worker.start(self._last)
            if self._trace is None or self._trace.request.subject is not state.subject:
                # A picture of these points can't be drawn with a model of others: a first one is waited for.
                first = self._worker.wait_for_a_model(_PATIENCE)
                if first is not None:
                    self._take(first)
        except BaseException as error:
            self._state = before
            self._worker.drop()
            if isinstance(error, ArithmeticError | ValueError):  # numbers that no model can be fitted to
                raise SessionError(f"the model can't be fitted: {error}") from error
            raise
        finally:
            self._starting = False

    def adopt(self, state: State, trace: Trace) -> None:
        """Take a fit to a state that was made elsewhere."""
        self._starting, self._state, self.error = True, state, None
        try:
            self._take(trace)
        finally:
            self._starting = False

    def share(self, state: State) -> None:
        """Let another state, which differs in names alone, have the numbers of the latest fit."""
        self._ends[state] = self.latest.fit.weights

    def wait(self) -> None:
        """Wait until no fit is going on; SessionError when it failed."""
        try:
            self._worker.wait()
        except Exception as error:
            self._fail(error)
            raise SessionError(self.error) from error

    def _request(self, state: State, reference: FloatArray | None) -> Request:
        features, settings, weights = self.features(state), state.settings, self.start_of(state)
        if weights is not None and weights.coef.shape != (settings.n_clusters, features.rows.shape[1]):
            self._starts[state] = weights = None
        last = self._trace
        if last is not None and last.request.subject is not state.subject:
            last = None
        known = self._ends.get(state, weights)
        if last is not None and known is not None and last.request.settings.n_clusters != settings.n_clusters:
            last = None  # with another K a cluster was lost or gained: the weights know the numbers better
        if reference is None and last is not None:
            reference = last.fit.proba
        elif reference is None and known is not None:
            reference = known.proba(features.rows)
        start = None if settings.restart else weights
        return Request(state.subject, features, settings, state.log, state.annotators, start, reference)

    def _take(self, trace: Trace) -> None:
        if self._trace is None or self._trace.request is not trace.request:  # else it was unfinished
            self.before = self._trace
        self._trace = trace
        assert self._state is not None
        self._ends[self._state] = trace.fit.weights
        if trace.start is not None:
            self._starts[self._state] = trace.start
        self._report(trace, not self._starting)

    def _fail(self, error: Exception) -> None:
        self.error = (
            f"The model can't be fitted: {str(error) or type(error).__name__}. The picture shows the one before; the "
            "answers are kept, and undo takes the last step back."
        )
        self._report(None, True)
