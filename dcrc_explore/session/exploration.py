"""What there is to see of data, answers and a model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from os import PathLike
from threading import RLock
from typing import Any, ClassVar, Concatenate, ParamSpec, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dcrc_explore.arrays import FloatArray
from dcrc_explore.constraints import Log, as_questions
from dcrc_explore.datasets import Dataset
from dcrc_explore.model.features import Features
from dcrc_explore.plane import Extent, View
from dcrc_explore.progress import Watch
from dcrc_explore.session import home, story
from dcrc_explore.session.asking import Expectation, expectation
from dcrc_explore.session.fit import Fit, Objective, Plane, Quality, QualityLog
from dcrc_explore.session.fitter import Fitter
from dcrc_explore.session.group_advice import GroupScan
from dcrc_explore.session.search import BETTER, Search
from dcrc_explore.session.settings import Settings, clear_errors
from dcrc_explore.session.state import Change, Event, Observers, State, Step, Timeline, answers_label
from dcrc_explore.session.trace import Trace
from dcrc_explore.session.worker import Deliver, Progress, threads_can_start

Self = TypeVar("Self", bound="Exploration")
Options = ParamSpec("Options")
Result = TypeVar("Result")


def one_at_a_time(
    method: Callable[Concatenate[Self, Options], Result],
) -> Callable[Concatenate[Self, Options], Result]:
    """Let one thread at a time into these methods of an exploration, so that cells and clicks can't tear its state."""

    @wraps(method)
    def alone(self: Self, *args: Options.args, **options: Options.kwargs) -> Result:
        with self.lock:
            return method(self, *args, **options)

    return alone


class Exploration:
    """Data, settings, answers and their model: the part that a session and a pair's second model have in common.

    Parameters
    ----------
    state : State
    background : callable, optional
        See :class:`Session`.
    lock : RLock
        Held while something changes, and while observers are told.
    quality : iterable of Quality
        What is known about earlier fits.

    Attributes
    ----------
    lock : RLock
        Whoever does several things that belong together holds it: ``with session.lock: ...``.
    progress : Progress
        How far the fit is that goes on; stops it.
    """

    patience: ClassVar[float] = 0.1

    def __init__(self, state: State, background: Deliver | None, lock: RLock, quality: Iterable[Quality] = ()) -> None:
        self.background, self.lock = background if threads_can_start() else None, lock
        self._timeline = Timeline(state)
        self._joined: Change | None = None  # what happened in the steps that become one
        self._quality = QualityLog(state.subject, quality)
        self._observers = Observers()
        self.progress = Progress()
        self._fitter = Fitter(self._on_fit, self.background, self.patience, lock, self.progress)
        self._search = Search(self)

    def _on_fit(self, trace: Trace | None, late: bool) -> None:
        if trace is not None:
            request = trace.request
            self._quality.add(request.subject, request.n_answers, trace.fit.labels)
        if late:
            self._observers.tell(Change.BUSY if trace is None else Change.FIT | Change.BUSY)

    # Data, settings, answers -----------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The current data, settings and answers in one: another one after each change."""
        return self._timeline.state

    @property
    def dataset(self) -> Dataset:
        """The points X, the truth y or None, the data's name, parameters, and names of features and classes."""
        return self.state.subject.dataset

    @property
    def settings(self) -> Settings:
        """The current settings."""
        return self.state.settings

    @property
    def log(self) -> Log:
        """Every answer, about three points or two, oldest first: a sequence of :class:`Entry`."""
        return self.state.log

    @property
    def points(self) -> NDArray[np.float64]:
        """Coordinates to draw, shape (N, 2): X itself, or its first two principal components."""
        return self.state.subject.points

    @property
    def is_generated(self) -> bool:
        """Whether the data come from a generator, which can make others."""
        return self.state.subject.is_generated

    @property
    def is_projected(self) -> bool:
        """Whether `points` are not the data itself, so that there is no surface."""
        return self.state.subject.is_projected

    @property
    def extent(self) -> Extent:
        """Bounds (xmin, xmax, ymin, ymax) of the picture, the same for every fit to these data."""
        return self.state.subject.extent

    def cluster_name(self, k: int) -> str:
        """Return what cluster k is called: the name that a person gave it, or its number from 1 on."""
        names = self.state.names
        return names[k] if names and names[k] else story.cluster_name(k)

    # To take home ----------------------------------------------------------------------------------------------------

    def to_frame(self, rows: ArrayLike | None = None) -> Any:
        """Return the clusters as a DataFrame of pandas, a row for each point or for those in `rows`.

        Its columns are row, item (the name of a file or a text, where there are items), cluster from 1 on, name,
        probability and entropy in bits. Without pandas it is a structured array of NumPy with the same columns.

        Examples
        --------
        >>> from dcrc_explore.session import Session
        >>> Session("moons", autosave=None).to_frame([0, 3])["row"].tolist()
        [0, 3]
        """
        return home.as_frame(home.cluster_columns(self, rows))

    def sort_files(self, folder: str | PathLike[str], *, link: bool = False, watch: Watch | None = None) -> home.Sorted:
        """Copy the file of each point into a folder named after its cluster; no file is moved or replaced.

        Parameters
        ----------
        folder : path
            A new or empty folder outside that of the files.
        link : bool
            Make links to the files instead of copies.
        watch : callable(done, total, what), optional
            Gets how far the work is; what it raises ends it, and what is sorted until then stays.

        Returns
        -------
        Sorted
            The folder, how many files are in it, and the names of those that could not be read.
        """
        return home.sort_files(self, folder, link, watch)

    # The model -------------------------------------------------------------------------------------------------------

    @property
    def trace(self) -> Trace:
        """The latest complete fit with all its iterations."""
        return self._fitter.latest

    @property
    def fit(self) -> Fit:
        """The latest complete fit. While `busy` it may be older than the answers; see `fit.log`."""
        return self.trace.fit

    @property
    def busy(self) -> bool:
        """Whether a fit goes on in the background."""
        return self._fitter.busy

    @property
    def fit_error(self) -> str | None:
        """Why the last fit in the background failed, as a message for the user; None when all is well."""
        return self._fitter.error

    @property
    def objective(self) -> Objective:
        """The bound of the latest fit, iteration by iteration and term by term."""
        return self.trace.objective

    def replay(self, iteration: int) -> Fit:
        """Return the model at an EM iteration of the latest fit: 0 is the start, ``len(objective) - 1`` the end."""
        return self.trace.replay(iteration)

    @property
    def fitted_settings(self) -> Settings:
        """Settings of the latest complete fit; while `busy` they may be older than `settings`."""
        return self.trace.request.settings

    @property
    def features(self) -> Features:
        """The points in the space in which the current settings make the model linear."""
        return self._fitter.features(self.state)

    def features_for(self, settings: Settings) -> Features:
        """Return the points in the space in which other settings would make the model linear."""
        return self._fitter.features(replace(self.state, settings=settings))

    @property
    def advice(self) -> str:
        """What to try, in a sentence, when a search in the background has found that; empty otherwise."""
        return self._search.advice

    @property
    def suggested(self) -> dict[str, Any]:
        """The settings that the latest :attr:`advice` is about."""
        return self._search.suggested

    @property
    def group_scan(self) -> GroupScan | None:
        """How well 2 to 10 clusters fit the answers, when a search in the background has found that; None before."""
        scan = self._search.scan
        return scan if scan is not None and scan.subject is self.state.subject else None

    @property
    def hint(self) -> str:
        """What to do about a model that leaves clusters empty, in words; empty when it does not."""
        n_empty = int((self.fit.shares == 0).sum())
        scaled = self.is_generated or self.dataset.is_standardized
        return story.empty_clusters(n_empty, self.fitted_settings, scaled=scaled)

    @property
    def story(self) -> str:
        """What the last change did to the model, in a sentence or two; empty at the beginning and for other data."""
        return self.story_in(None if self.is_projected else self.points)

    def story_in(self, points: FloatArray | None) -> str:
        """Return the story with directions as they are seen where the points are drawn, shape (N, 2).

        None is a plane in which no boundary is drawn.
        """
        return story.between(self._fitter.before, self.trace, points, self.cluster_name, self._fitter.pending)

    @property
    def moved(self) -> NDArray[np.int64]:
        """Row numbers of the points that the last change put into another cluster."""
        return story.moved(self._fitter.before, self.trace)

    @property
    def timings(self) -> dict[str, float]:
        """Milliseconds that the latest fit and its last surface took."""
        return {"fit": 1000 * self.trace.seconds, "surface": 1000 * self.fit.surface_seconds}

    def expected(self, points: ArrayLike) -> Expectation:
        """Return what the current model expects as an answer about three points or two, and its worth in bits."""
        return expectation(self.fit.proba, self._question(points), self.settings.epsilon)

    def _question(self, points: ArrayLike) -> tuple[int, ...]:
        with clear_errors():
            row = as_questions(np.array([points]), len(self.dataset.X))[0].tolist()
        return tuple(i for i in row if i >= 0)

    @property
    def quality(self) -> list[Quality]:
        """Agreement with the truth by number of answers, up to now; empty when there is no truth."""
        with self.lock:
            return self._quality.until(self.state.subject, self.state.n_answers)

    def plane(self, plane: Plane = None, *, last: View | None = None) -> View:
        """Return a plane in which the points are seen, whatever the number of features.

        Parameters
        ----------
        plane : {"pca", "model"}, pair of features or None
            "pca": the first two principal components. "model": the plane that separates the current clusters, with
            boundaries and maps that are exact for up to three clusters. Two features, by number or by name. None: what
            a session draws by itself, the data of two features, or else the principal components.
        last : View, optional
            A plane from before: the new one is turned so that the points stay near to where they were.

        Returns
        -------
        View
            Its `points` are where the points lie, ``session.fit.surface(view=...)`` is the map under them, and
            ``session.figure(plane=...)`` draws both.

        Examples
        --------
        >>> from dcrc_explore.session import Session
        >>> session = Session("iris", autosave=None)
        >>> view = session.plane("model")
        >>> view.points.shape, view.is_exact
        ((150, 2), True)
        >>> session.plane((0, 2)).axes == session.plane(tuple(session.dataset.feature_names[d] for d in (0, 2))).axes
        True
        """
        with clear_errors():
            return self.fit.view(plane, last)

    def wait(self) -> None:
        """Wait until no fit is going on in the background; SessionError when it failed."""
        self._fitter.wait()

    # Steps -----------------------------------------------------------------------------------------------------------

    @property
    def undo_label(self) -> str | None:
        """What `undo` would take back, as "answer 24" or "epsilon"; None when there is nothing."""
        return self._timeline.undo_label

    @property
    def redo_label(self) -> str | None:
        """What `redo` would bring back; None when there is nothing."""
        return self._timeline.redo_label

    @property
    def position(self) -> int:
        """Number of steps that are done and not taken back."""
        return self._timeline.position

    def observe(self, callback: Callable[[Event], object]) -> Callable[[], None]:
        """Call `callback` after each change. An error in it becomes a warning; the session and others go on.

        Returns
        -------
        callable
            Ends the observation.
        """
        return self._observers.add(callback)

    # Changes ---------------------------------------------------------------------------------------------------------

    @one_at_a_time
    def set(self, *, merge: bool = False, **changes: Any) -> None:
        """Change settings; nothing happens when they have these values already.

        Parameters
        ----------
        merge : bool
            Whether to be one step with the change of the same settings just before, as while a slider is drawn.
        **changes
            Fields of :class:`Settings`.
        """
        settings = self.settings.changed(changes)
        if settings != self.settings:
            changed = [name for name in changes if getattr(settings, name) != getattr(self.settings, name)]
            self._change(", ".join(changed), Change.SETTINGS, merge=merge, settings=settings)

    @one_at_a_time
    def look_further(self) -> None:
        """Look for a better grouping in the background, until the next action; if there is one, it becomes a step.

        With few answers EM may end in a poor optimum. Nothing happens without a background, while a step is taken back,
        when each fit is to start anew, and after a person took back what was found for these data.
        """
        self._search.look()

    def adopt(self, trace: Trace, label: str) -> None:
        """Take a fit to the current answers that was made elsewhere, as a step."""
        state = replace(self.state, weights=trace.start)
        happened = self._adopt(state, trace)
        self._timeline.do(label, Change.FIT, state)
        self._observers.tell(Change.FIT | happened)

    def tell_advice(self) -> None:
        """Tell everybody that there is some :attr:`advice`."""
        self._observers.tell(Change.ADVICE)

    @one_at_a_time
    def undo(self) -> None:
        """Take the last step back."""
        if self.undo_label == BETTER:
            self._search.refuse()
        self._go(self._timeline.to_undo, self._timeline.undo)

    @one_at_a_time
    def redo(self) -> None:
        """Do again the step that was taken back last."""
        self._go(self._timeline.to_redo, self._timeline.redo)

    def _go(self, step: Step, move: Callable[[State], None]) -> None:
        state = self._again(step.state)
        happened = self._enter(state)
        move(state)
        self._observers.tell(step.changed | happened)

    def _fit_to(self, state: State, reference: FloatArray | None = None) -> Change:
        """Fit a state, and return what that changed."""
        self._search.cancel()
        trace, busy = self.trace, self.busy
        self._fitter.start(state, reference)
        happened = Change(0) if self.trace is trace else Change.FIT
        return happened | Change.BUSY if self.busy != busy else happened

    @contextmanager
    def one_step(self) -> Iterator[None]:
        """Make all answers that are given inside one step to undo; observers are notified once, at its end."""
        with self.lock:
            if self._joined is not None:  # inside another one
                yield
                return
            before, trace, self._joined = self.state, self.trace, Change(0)
            try:
                yield
            finally:
                changed, after, self._joined = self._joined, self.state, None
                if after is not before:
                    self._timeline.state = before
                    self._timeline.do(answers_label(len(before.log), len(after.log)), Change.ANSWERS, after)
                    self._fitter.before = trace  # the story is that of the whole step
                    self._observers.tell(changed)

    def _change(self, label: str, changed: Change, *, merge: bool = False, **fields: Any) -> None:
        """Go on to a state with other fields, as one step, and tell everybody."""
        state = self._successor(fields)
        happened = changed | self._enter(state)
        if self._joined is None:
            self._timeline.do(label, changed, state, merge=merge)
            self._observers.tell(happened)
        else:
            self._timeline.state = state
            self._joined |= happened

    # What a session and a second model do in their own ways

    def _successor(self, fields: Mapping[str, Any]) -> State:
        """Return the state that follows from the current one with other fields; SessionError when it is impossible."""
        raise NotImplementedError

    def _enter(self, state: State) -> Change:
        """Do all that a new state needs, and return what that changed; on an error everything is as it was."""
        raise NotImplementedError

    def _adopt(self, state: State, trace: Trace) -> Change:
        """Do all that a new state needs whose fit is there already, and return what that changed."""
        self._fitter.adopt(state, trace)
        return Change(0)

    def _again(self, state: State) -> State:
        """Return what stands for an earlier state."""
        return state
