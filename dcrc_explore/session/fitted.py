"""The model of a session: where its fit begins, its cluster numbers, and its result."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from threading import RLock
from time import thread_time
from weakref import WeakKeyDictionary

import numpy as np

from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.information import AnswerCurves, ClusterCurves
from dcrc_explore.model.features import Features, make_features
from dcrc_explore.model.softmax import Weights
from dcrc_explore.model.threads import one_thread
from dcrc_explore.session import story
from dcrc_explore.session.background import Deliver, FitProgress, Worker
from dcrc_explore.session.fit import Fit, Quality, QualityLog
from dcrc_explore.session.state import Change, SessionError, Settings, State, Subject
from dcrc_explore.session.trace import Ledger, Request, Trace

# Kernels, beside the current one, whose features stay in memory.
_FEATURES = 3
# What a true class counts, against a cluster of the fit before, for the number that a cluster gets. With less than 1 a
# clustering that stays keeps its numbers.
_OF_TRUTH = 0.5
# Seconds that are waited for the whole fit to other points, before what there is of it is shown.
_PATIENCE = 3.0
# To say what each answer told that came together with others, they are fitted one after another: as long as this takes
# so many seconds of the processor, and where there are so few numbers (points x features x clusters).
_REPLAY = 1.0
_REPLAYED = 100_000


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


class FittedModel:
    """The model of a session or of a pair's second settings: fits states, and has the latest fit.

    Parameters
    ----------
    current : callable()
        Returns the state on the screen.
    notify : callable(Change)
        Called when a fit comes late, from the background, or fails there.
    background, patience, lock
        As for :class:`Worker`.
    quality : iterable of Quality, default=()
        What is known about earlier fits.

    Attributes
    ----------
    before : Trace or None
        The fit before the latest.
    error : str or None
        Why the last fit in the background failed, as a message for the user; None if it did not.
    progress : FitProgress
        The progress of the running fit; it can stop the fit.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> session = Session("far", autosave=None)
    >>> session.set(tau=0.5)
    >>> session.model.busy, session.model.story
    (False, 'Separation τ: 1 to 0.5. No point changed cluster; the model is less sure than before.')
    """

    def __init__(
        self,
        current: Callable[[], State],
        notify: Callable[[Change], None],
        background: Deliver | None,
        patience: float,
        lock: RLock,
        quality: Iterable[Quality] = (),
    ) -> None:
        self.current, self._notify, self._lock, self._starting = current, notify, lock, False
        self.progress = FitProgress()
        self._worker = Worker(self._take, self._fail, background, patience, lock, self.progress)
        self._features = lru_cache(maxsize=_FEATURES)(features_of)
        self._quality = QualityLog(current().subject, quality)
        self._state: State | None = None
        # Where the fit of a state began, so that coming back to it, or loading it, makes the same fit again.
        self._starts: WeakKeyDictionary[State, Weights | None] = WeakKeyDictionary()
        self._ends: WeakKeyDictionary[State, Weights] = WeakKeyDictionary()  # where it ended
        self._ledgers: WeakKeyDictionary[State, Ledger] = WeakKeyDictionary()  # what the questions were worth
        self._ledger = Ledger()
        self._last: Request | None = None  # what was to be fitted last
        self._trace: Trace | None = None
        self.before: Trace | None = None
        self.error: str | None = None

    # What there is to see --------------------------------------------------------------------------------------------

    @property
    def trace(self) -> Trace:
        """The latest complete fit with all its iterations. While `busy` it may be older than data and settings."""
        assert self._trace is not None
        return self._trace

    @property
    def fit(self) -> Fit:
        """The latest complete fit at its end. While `busy` it may be older than the answers; see `fit.log`."""
        return self.trace.fit

    @property
    def busy(self) -> bool:
        """Whether a fit runs in the background."""
        return self._worker.busy

    @property
    def quality(self) -> list[Quality]:
        """Agreement with the truth by number of answers, up to now; empty when there is no truth."""
        with self._lock:
            state = self.current()
            return self._quality.until(state.subject, state.n_answers)

    @property
    def answer_curves(self) -> AnswerCurves:
        """What the questions were worth when they were asked, what the answers told, and what is left to learn.

        Answers that came together are judged one after another, unless so many fits would take too long.
        """
        with self._lock:
            ledger, trace = self._ledger, self.trace
            if not ledger.settled.all():
                quick = trace.request.size <= _REPLAYED
                ledger = self._remember(ledger.completed(self._replayed(trace.request) if quick else Ledger()))
            return ledger.curves

    def cluster_curves(self, fit: Fit | None = None) -> ClusterCurves:
        """Return what an answer is worth over K, to an ideal model and to the latest fit, or to another one."""
        fit, settings = self.fit if fit is None else fit, self.trace.settings
        learned = fit.learned_noise
        matrix, right = (None, None) if learned is None else learned
        return ClusterCurves(fit.shares, settings.epsilon, matrix, right, settings.use_dnk)

    @property
    def story(self) -> str:
        """What the last change did to the model, in a sentence or two; empty at the beginning and for other data."""
        subject = self.current().subject
        return self.story_in(None if subject.is_projected else subject.points)

    def story_in(self, points: FloatArray | None) -> str:
        """Return the story with directions as they are seen where the points are drawn, shape (N, 2).

        None is a plane in which no boundary is drawn.
        """
        pending = self._last if self.busy else None
        return story.between(self.before, self.trace, points, self.current().cluster_name, pending)

    @property
    def moved(self) -> IntArray:
        """Row numbers of the points that the last change put into another cluster."""
        return story.moved(self.before, self.trace)

    @property
    def hint(self) -> str:
        """What to do about a model that leaves clusters empty, in words; empty when it does not."""
        subject, n_empty = self.current().subject, int((self.fit.shares == 0).sum())
        scaled = subject.is_generated or subject.dataset.is_standardized
        return story.empty_clusters(n_empty, self.trace.settings, scaled=scaled)

    @property
    def timings(self) -> dict[str, float]:
        """Milliseconds that the latest fit and its last surface took."""
        return {"fit": 1000 * self.trace.seconds, "surface": 1000 * self.fit.surface_seconds}

    def features(self, subject: Subject, settings: Settings) -> Features:
        """Return the points in the space in which the settings make the model linear."""
        if settings.kernel == "linear":
            return self._features(subject, "linear")
        return self._features(subject, settings.kernel, settings.gamma, settings.random_state)

    def measured(self, subject: Subject) -> list[Quality]:
        """Return what is known about the quality of fits to these data, in the order in which it was measured."""
        return self._quality.measured(subject)

    def wait(self) -> None:
        """Wait until no fit runs in the background; SessionError when it failed."""
        try:
            self._worker.wait()
        except Exception as error:
            self._fail(error)
            raise SessionError(self.error) from error

    # Fits ------------------------------------------------------------------------------------------------------------

    def start_of(self, state: State) -> Weights | None:
        """Return the weights at which the fit of a state begins; None for the initialisation."""
        return self._starts.get(state, state.weights)

    def start(self, state: State, reference: FloatArray | None = None) -> None:
        """Fit a state; a long fit continues in the background. SessionError when it cannot be fitted.

        Parameters
        ----------
        state : State
        reference : ndarray of shape (N, K), optional
            Memberships in the model whose cluster numbers are taken; by default the one before.
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
                raise SessionError(f"the model cannot be fitted: {error}") from error
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
        self._ends[state] = self.fit.weights

    def _request(self, state: State, reference: FloatArray | None) -> Request:
        settings, weights = state.fit_settings, self.start_of(state)
        features = self.features(state.subject, settings)
        if weights is not None and weights.coef.shape != (settings.n_clusters, features.rows.shape[1]):
            self._starts[state] = weights = None
        last = self._trace
        if last is not None and last.request.subject is not state.subject:
            last = None
        known = self._ends.get(state, weights)
        if last is not None and known is not None and last.request.settings.n_clusters != settings.n_clusters:
            last = None  # with another K a cluster was lost or gained: the weights know the numbers better
        ended = self._ends.get(state)
        if reference is None and ended is not None:
            reference = ended.proba(features.rows)  # a step that is taken again has the colours that it had
        elif reference is None:
            if last is not None:
                reference = last.fit.proba
            elif known is not None:
                reference = known.proba(features.rows)
            else:
                reference = state.subject.numbering(settings.n_clusters)
            reference = _with_truth(reference, state.subject.dataset.y, settings.n_clusters)
        start = None if settings.restart else weights
        return Request(state.subject, features, settings, state.log, state.annotators, start, reference)

    def _take(self, trace: Trace) -> None:
        assert self._state is not None
        known = self._ledgers.get(self._state)
        self._remember(self._ledger.followed(self._trace, trace) if known is None else known.refitted(trace))
        if self._trace is None or self._trace.request is not trace.request:  # else it was unfinished
            self.before = self._trace
        self._trace = trace
        self._ends[self._state] = trace.fit.weights
        if trace.found:  # else the weights of the state lead to the same fit, with the same numbers
            self._starts[self._state] = trace.start
        self._quality.add(trace.request.subject, trace.request.n_answers, trace.fit.labels)
        if not self._starting:  # it comes late, from the background
            self._notify(Change.FIT | Change.BUSY)

    def _remember(self, ledger: Ledger) -> Ledger:
        assert self._state is not None
        self._ledger = self._ledgers[self._state] = ledger
        return ledger

    def _replayed(self, request: Request) -> Ledger:
        """Fit the answers again, one after another, as far as there is time."""
        state, began = State(request.subject, request.settings.changed({"repeats": False})), thread_time()
        model = FittedModel(lambda: state, lambda changed: None, None, 0.0, self._lock)
        model._features = self._features
        model.start(state)
        for t in range(1, len(request.log) + 1):
            if thread_time() - began > _REPLAY:
                break
            state = replace(state, log=request.log.only(range(t)), weights=model.fit.weights)
            model.start(state)
        return model._ledger

    def _fail(self, error: Exception) -> None:
        self.error = (
            f"The model cannot be fitted: {str(error) or type(error).__name__}. The picture shows the one before; the "
            "answers stay, and undo takes the last step back."
        )
        self._notify(Change.BUSY)


def _with_truth(reference: FloatArray | None, y: IntArray | None, n_clusters: int) -> FloatArray | None:
    """Let the true classes have a say in the numbers of clusters, so that both have the same colours in the end."""
    if y is None:
        return reference
    K = n_clusters if reference is None else reference.shape[1]
    classes = _OF_TRUTH * np.eye(max(K, int(y.max()) + 1))[y, :K]
    return classes if reference is None else reference + classes
