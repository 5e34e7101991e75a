"""How an action happens: a new state is put on disk and fitted, becomes a step to undo, and observers are notified."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import wraps
from threading import RLock
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from dcrc_explore.arrays import FloatArray
from dcrc_explore.constraints import Log
from dcrc_explore.datasets import Dataset
from dcrc_explore.session.background import Deliver
from dcrc_explore.session.fit import Fit, Quality
from dcrc_explore.session.fitted import FittedModel
from dcrc_explore.session.search import BETTER, Search
from dcrc_explore.session.state import Change, SessionError, Settings, State, answers_label, difference
from dcrc_explore.session.trace import Trace

_DEPTH = 1000


# Observers ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Event:
    """What changed, in one go: ``Change.ANSWERS in event.changed``.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> session, events = Session("far", autosave=None), []
    >>> stop = session.observe(events.append)
    >>> session.set(tau=0.5)
    >>> Change.SETTINGS in events[0].changed, Change.ANSWERS in events[0].changed
    (True, False)
    """

    changed: Change


class Observers:
    """Callbacks that get every change."""

    def __init__(self) -> None:
        self._callbacks: list[Callable[[Event], object]] = []

    def add(self, callback: Callable[[Event], object]) -> Callable[[], None]:
        """Call `callback` after each change; returns a function that ends this."""
        self._callbacks.append(callback)
        return lambda: self._callbacks.remove(callback)

    def notify(self, changed: Change) -> None:
        """Call all observers. An error of one becomes a warning, and the others are still called."""
        for callback in tuple(self._callbacks):
            try:
                callback(Event(changed))
            except Exception as error:
                warnings.warn(f"an observer of the session failed: {error!r}", RuntimeWarning, stacklevel=2)


# Steps -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Step:
    """What was done, and the state on its other side."""

    label: str
    state: State
    mergeable: bool = False


class History:
    """The current state, the steps that can be taken back, and those that can be done again.

    Parameters
    ----------
    state : State
        The first one.

    Attributes
    ----------
    state : State
        The current data, settings and answers as one object, which is replaced with each change.
    position : int
        Number of steps that are done and not taken back.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> session = Session("far", autosave=None)
    >>> session.set(tau=0.5)
    >>> session.history.undo_label, session.history.position
    ('tau', 1)
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.position = 0
        self._done: deque[Step] = deque(maxlen=_DEPTH)
        self._undone: deque[Step] = deque()

    def do(self, label: str, state: State, *, merge: bool = False) -> None:
        """Take a step to a state. With `merge` it joins the step before if both have the same label."""
        last = self._done[-1] if self._done else None
        if not (last and merge and last.mergeable and last.label == label):
            self._done.append(Step(label, self.state, merge))
            self.position += 1
        self._undone.clear()
        self.state = state

    @property
    def to_undo(self) -> Step:
        """The step that :meth:`undo` takes back; SessionError when there is none."""
        if not self._done:
            raise SessionError("there is nothing to undo")
        return self._done[-1]

    @property
    def to_redo(self) -> Step:
        """The step that :meth:`redo` does again; SessionError when there is none."""
        if not self._undone:
            raise SessionError("there is nothing to redo")
        return self._undone[-1]

    def undo(self, state: State) -> None:
        """Return to the state before the last step, or to the given one in its place."""
        self._move(self._done, self._undone, state)
        self.position -= 1

    def redo(self, state: State) -> None:
        """Return to the state after the step that was taken back last, or to the given one in its place."""
        self._move(self._undone, self._done, state)
        self.position += 1

    def _move(self, source: deque[Step], target: deque[Step], state: State) -> None:
        step = source.pop()
        target.append(Step(step.label, self.state))
        self.state = state

    @property
    def undo_label(self) -> str | None:
        """What undo would take back, as "answer 24" or "epsilon"; None when there is nothing."""
        return self._done[-1].label if self._done else None

    @property
    def redo_label(self) -> str | None:
        """What redo would bring back; None when there is nothing."""
        return self._undone[-1].label if self._undone else None


def allow(state: State) -> None:
    """Let any state come."""


class Locked(Protocol):
    """Whoever has a lock."""

    lock: RLock


Self = TypeVar("Self", bound=Locked)
Options = ParamSpec("Options")
Result = TypeVar("Result")


def one_at_a_time(
    method: Callable[Concatenate[Self, Options], Result],
) -> Callable[Concatenate[Self, Options], Result]:
    """Let one thread at a time into these methods of a session, so that cells and clicks cannot tear its state."""

    @wraps(method)
    def alone(self: Self, *args: Options.args, **options: Options.kwargs) -> Result:
        with self.lock:
            return method(self, *args, **options)

    return alone


class Steps:
    """Takes a session, or the second model of a pair, from one state to the next.

    Callers hold the lock. When a state cannot be fitted, everything is as it was before.

    Parameters
    ----------
    state : State
        The first one.
    background : callable or None
        See :class:`Session`.
    patience : float
        Seconds after which a fit continues in the background.
    lock : RLock
        Held while something changes, and while observers are notified.
    record : callable(State)
        Puts a state on disk, or wherever it is to be found again, before it is fitted; returns what that changed.
    adapt : callable(State), optional
        Returns what stands for a state now, as after undo: another one where data and answers come from elsewhere.
    reference : callable(), optional
        Returns the memberships whose cluster numbers a new fit takes; None are those of the fit before.
    quality : iterable of Quality, default=()
        What is known about earlier fits.

    Attributes
    ----------
    history : History
    model : FittedModel
    search : Search
    observers : Observers
    guard : callable(State)
        Called before anything happens; raises a SessionError when a state must not come, as while a class answers.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> session = Session("far", autosave=None)
    >>> with session.steps.joined():
    ...     _ = session.answer((0, 1, 149), "yes"), session.answer((0, 2, 149), "yes")
    >>> session.history.position, session.history.undo_label
    (1, 'answers 1 to 2')
    """

    def __init__(
        self,
        state: State,
        background: Deliver | None,
        patience: float,
        lock: RLock,
        record: Callable[[State], Change],
        *,
        adapt: Callable[[State], State] = lambda state: state,
        reference: Callable[[], FloatArray | None] = lambda: None,
        quality: Iterable[Quality] = (),
    ) -> None:
        self._record, self._adapt, self._reference = record, adapt, reference
        self.history, self.observers = History(state), Observers()
        history, notify = self.history, self.observers.notify
        self.guard: Callable[[State], object] = allow
        self.model = FittedModel(lambda: history.state, notify, background, patience, lock, quality)
        self.search = Search(self.model, self.adopt, notify, background, lock, lambda: history.redo_label is not None)
        self._joined: Change | None = None  # what happened in the steps that become one

    def start(self) -> None:
        """Fit the first state, which is on disk already or has no answers."""
        self.model.start(self.history.state, self._reference())

    def do(self, label: str, *, merge: bool = False, **fields: Any) -> None:
        """Take one step to a state with other fields; if nothing changes, there is no step.

        With `merge` it joins the step before if that has the same label. SessionError when the state is not possible.
        """
        state = self._successor(fields)
        if not difference(self.history.state, state):
            return
        changed = self._enter(state)
        if self._joined is None:
            self.history.do(label, state, merge=merge)
            self.observers.notify(changed)
        else:
            self.history.state = state
            self._joined |= changed

    def set(self, merge: bool, changes: dict[str, Any]) -> None:
        """Change settings, as a step that is named after them."""
        before = self.history.state.settings
        settings = before.changed(changes)
        changed = [name for name in changes if getattr(settings, name) != getattr(before, name)]
        self.do(", ".join(changed), merge=merge, settings=settings)

    def undo(self) -> None:
        """Take the last step back."""
        if self.history.undo_label == BETTER:
            self.search.refuse()
        self._go(self.history.to_undo, self.history.undo)

    def redo(self) -> None:
        """Do again the step that was taken back last."""
        self._go(self.history.to_redo, self.history.redo)

    def replace(self, state: State) -> None:
        """Put a state in the place of the current one; that is no step."""
        changed = self._enter(state)
        self.history.state = state
        self.observers.notify(changed)

    def rename(self, label: str, state: State) -> None:
        """Go on to a state that differs in names alone, as one step: nothing is fitted."""
        self._record(state)
        self.model.share(state)
        self.history.do(label, state)
        self.observers.notify(Change.SETTINGS | Change.SAVED)

    def adopt(self, trace: Trace, label: str) -> None:
        """Take a fit to the current answers that was made elsewhere, as a step."""
        state = replace(self.history.state, weights=trace.start)
        changed = Change.FIT | self._record(state)
        self.model.adopt(state, trace)
        self.history.do(label, state)
        self.observers.notify(changed)

    @contextmanager
    def joined(self) -> Iterator[None]:
        """Make all answers that are given inside one step to undo; observers are notified once, at its end."""
        if self._joined is not None:  # inside another one
            yield
            return
        before, trace, self._joined = self.history.state, self.model.trace, Change(0)
        try:
            yield
        finally:
            changed, after, self._joined = self._joined, self.history.state, None
            if after is not before:
                self.history.state = before
                self.history.do(answers_label(len(before.log), len(after.log)), after)
                self.model.before = trace  # the story is that of the whole step
                self.observers.notify(changed)

    def _successor(self, fields: dict[str, Any]) -> State:
        """Return the state that follows from the current one; its fit goes on from the present model if it can."""
        before, model = self.history.state, self.model
        state = replace(before, **{"weights": None, **fields})
        same = state.subject is before.subject and state.settings.same_weights(model.trace.settings)
        if same and state.weights is None:
            state = replace(state, weights=model.fit.weights)
        return self._adapt(state)

    def _go(self, step: Step, move: Callable[[State], None]) -> None:
        state = self._adapt(step.state)
        changed = self._enter(state)
        move(state)
        self.observers.notify(changed)

    def _enter(self, state: State) -> Change:
        """Put a state on disk and fit it, or else leave everything as it was; return what that changed."""
        self.guard(state)
        before, busy = self.history.state, self.model.busy
        changed = difference(before, state) | self._record(state)
        try:
            return changed | self._fit(state)
        except BaseException:
            self._record(before)
            if busy:  # the fit that was going on had made way
                self._fit(before)
            raise

    def _fit(self, state: State) -> Change:
        """Fit a state, and return what that changed."""
        self.search.cancel()
        model = self.model
        trace, busy = model.trace, model.busy
        model.start(state, self._reference())
        happened = Change(0) if model.trace is trace else Change.FIT
        return happened | Change.BUSY if model.busy != busy else happened


class Exploration:
    """Data, settings, answers and a model that follows them: a session, or the second model of a pair.

    Attributes
    ----------
    history, model, search, steps, lock
        Its parts, as a :class:`Session` describes them.
    """

    lock: RLock

    def _start(self, steps: Steps) -> None:
        """Take the parts, and fit the first state."""
        self.steps, self.history, self.model, self.search = steps, steps.history, steps.model, steps.search
        steps.start()

    @property
    def state(self) -> State:
        """The current data, settings and answers as one object, which is replaced with each change."""
        return self.history.state

    @property
    def dataset(self) -> Dataset:
        """The points X, the truth y or None, the data's name, parameters, and names of features and classes."""
        return self.history.state.subject.dataset

    @property
    def settings(self) -> Settings:
        """The current settings."""
        return self.history.state.settings

    @property
    def log(self) -> Log:
        """Every answer that the model learns from, about three points or two, oldest first: of :class:`Entry`."""
        return self.history.state.log

    @property
    def fit(self) -> Fit:
        """The latest complete fit. While ``model.busy`` it may be older than the answers; see `fit.log`."""
        return self.model.fit

    def observe(self, callback: Callable[[Event], object]) -> Callable[[], None]:
        """Call `callback` after each change; returns a function that ends this. An error in it becomes a warning."""
        return self.steps.observers.add(callback)

    @one_at_a_time
    def set(self, *, merge: bool = False, **changes: Any) -> None:
        """Change settings; nothing happens when they have these values already.

        Parameters
        ----------
        merge : bool, default=False
            Whether to join the step before if it changed the same settings, as while a slider moves.
        **changes
            Fields of :class:`Settings`.
        """
        self.steps.set(merge, changes)
