"""Functions and language models that answer: registered by a notebook, begun, followed and stopped by a person."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Thread
from time import monotonic
from typing import Any

from dcrc_explore.annotators import Collected, FunctionAnnotator, Progress
from dcrc_explore.progress import duration
from dcrc_explore.session import Session
from dcrc_explore.session.answering import annotator_of
from dcrc_explore.session.asking import SHARED, person_name
from dcrc_explore.session.state import Subject
from dcrc_explore.widgets.controls import Control, menu
from dcrc_explore.words import count

_BREATH = 0.2  # seconds between two reports
_ABOUT = ((False, "new questions"), (True, "what others were asked"))
_LIMITS = ((0, "none"), (60, "1 minute"), (600, "10 minutes"), (3600, "1 hour"))
_OWN = "{} gets the three items of each question. It runs in this kernel: its code decides what leaves this machine."


class Answering:
    """The annotators that a notebook registered, and the run of one of them.

    Nothing is called until a person presses a button.

    Parameters
    ----------
    act : callable
        Does something with the session, and shows the controls as they are then.
    """

    def __init__(self, act: Callable[[Callable[[Session], object]], None]) -> None:
        self._act = act
        self.registered: dict[str, tuple[Any, dict[str, Any]]] = {}  # functions and their options, by name
        self._made: dict[str, tuple[Subject, FunctionAnnotator]] = {}
        self._running: FunctionAnnotator | None = None
        self._is_stopped = False
        self._shared, self._limit = False, 0
        self._words, self._told = "", 0.0
        self.share = 0.0  # of the questions that are answered

    # Who can answer ---------------------------------------------------------------------------------------------------

    @property
    def names(self) -> list[str]:
        """Under which the annotators answer."""
        return list(self.registered)

    def register(self, session: Session, name: str, function: Any, options: dict[str, Any]) -> None:
        """Note who can answer; ValueError or TypeError when it cannot."""
        name = person_name(name)
        annotator_of(session, function, name, options)
        self.registered[name] = function, options
        self._made.pop(name, None)

    def _annotator(self, session: Session, name: str) -> FunctionAnnotator:
        """Return the annotator for the data on show, with the budget that is left."""
        function, options = self.registered[name]
        subject = session.state.subject
        if name not in self._made or self._made[name][0] is not subject:
            self._made[name] = subject, annotator_of(session, function, name, options)
        annotator = self._made[name][1]
        if self._limit or "max_seconds" not in options:
            annotator.max_seconds = annotator.seconds + self._limit if self._limit else None
        return annotator

    # What a person sees and does --------------------------------------------------------------------------------------

    @property
    def is_running(self) -> bool:
        """Whether an annotator is being asked."""
        return self._running is not None

    def controls(self, name: str) -> Iterator[Control]:
        """List what can be chosen about an annotator, and what leaves the machine."""
        about = "New questions, or those that people answered; only these show how far both agree"
        yield menu("about", "About", _ABOUT, self._shared, self._set_shared, help=about)
        about = "No question is asked after this time; the buttons below limit the number of questions"
        yield menu("limit", "Time limit", _LIMITS, self._limit, self._set_limit, help=about)
        function = self.registered[name][0]
        sends = getattr(getattr(function, "function", function), "sends", "") or _OWN.format(name)
        yield Control("sends", "words", value=sends)

    def told(self) -> str:
        """Return the progress of the run, or the outcome of the last one."""
        return self._words

    def forget(self) -> None:
        """Say nothing more about the last run."""
        if not self.is_running:
            self._words, self.share = "", 0.0

    def _set_shared(self, _: object, shared: bool) -> None:
        self._shared = shared

    def _set_limit(self, _: object, seconds: int) -> None:
        self._limit = seconds

    def stop(self) -> None:
        """End the run; what was answered stays."""
        if self._running is not None:
            self._is_stopped, self._words = True, "Stopping. The answer to the last question may still come."
            self._running.stop()

    # A run ------------------------------------------------------------------------------------------------------------

    def start(self, session: Session, name: str, n: int, strategy: str) -> None:
        """Ask so many questions: here and now without a background, else in a thread of its own."""
        if self._running is not None:
            raise ValueError(f"{self._running.name} is still being asked: press Stop first")
        annotator = self._running = self._annotator(session, name)
        self._is_stopped, self._words, self.share, self._told = False, f"{name}: 0 of {n} questions.", 0.0, 0.0
        work = (session, annotator, name, n, SHARED if self._shared else strategy)
        if session.background is None:
            self._work(*work)
        else:
            Thread(target=self._work, args=work, daemon=True).start()

    def _work(self, session: Session, annotator: FunctionAnnotator, name: str, n: int, strategy: str) -> None:
        deliver = session.background or (lambda function: function())

        def follow(far: Progress) -> bool:
            if not self._is_stopped:
                self._words, self.share = _far(name, far), far.done / far.total
                if monotonic() > self._told + _BREATH:
                    self._told = monotonic()
                    deliver(lambda: self._act(lambda _: None))
            return not self._is_stopped

        try:
            came = session.answer_by(annotator, n, strategy=strategy, name=name, progress=follow)
            words = _ended(name, came, n, stopped=self._is_stopped, late=_is_late(annotator))
        except Exception as error:  # else nobody would see it
            words = f"{str(error) or repr(error)}. {name} is not asked any more; answers so far are saved."
        deliver(lambda: self._act(lambda _: self._end(words)))

    def _end(self, words: str) -> None:
        self._running, self._words = None, words


def _is_late(annotator: FunctionAnnotator) -> bool:
    return annotator.max_seconds is not None and annotator.seconds >= annotator.max_seconds


def _far(name: str, far: Progress) -> str:
    """Return the progress of a run in words."""
    left = far.seconds_left
    words = f"{name}: {far.done} of {count(far.total, 'question')}"
    words += f", about {duration(left)} left" if left else ""
    words += f", {far.failed} failed" if far.failed else ""
    return f"{words}. Last error: {far.error}." if far.error else f"{words}."


def _ended(name: str, came: Collected, n: int, *, stopped: bool, late: bool) -> str:
    """Return the outcome of a run in words, and why it ended early if it did.

    Examples
    --------
    >>> _ended("model", Collected(), 10, stopped=False, late=True)
    'Time is up. model: 0 answers added.'
    """
    early = len(came.replies) < n
    why = "Stopped. " if stopped else "Time is up. " if late and early else ""
    if early and not why and not came.failures:
        why = "No other question was left, or the budget is spent. "
    words = f"{why}{name}: {count(len(came.triplets), 'answer')} added"
    words += f", {len(came.skipped)} skipped" if came.skipped else ""
    if came.failures:
        words += f", {len(came.failures)} failed ({came.failures[-1].error})"
    return f"{words}."
