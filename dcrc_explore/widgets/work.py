"""Long work beside the tool, as reading files: the tool stays alive, shows the progress, and can stop it."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any, Generic, TypeVar

from dcrc_explore.datasets import Watch
from dcrc_explore.session import Session
from dcrc_explore.session.background import Deliver, in_background

Result = TypeVar("Result")
_PATIENCE, _BREATH = 0.5, 0.2  # seconds until progress is shown, and between two messages


class Stopped(Exception):
    """A person stopped the work."""


class LongWork(Generic[Result]):
    """Long work: here and now without a background, else in a thread of its own.

    Parameters
    ----------
    work : callable(watch)
        Does the work, and reports its progress to `watch`.
    report : callable(str)
        Gets the progress in words.
    done, failed : callable
        Gets the result, or why there is none; in the thread of the background.
    background : callable(function), optional
        Runs a function in the tool's own thread.

    Examples
    --------
    >>> task = LongWork(lambda watch: watch(1, 2, "images") or 7, print, print, print, None)
    >>> task.start()
    7
    """

    def __init__(
        self,
        work: Callable[[Watch], Result],
        report: Callable[[str], object],
        done: Callable[[Result], object],
        failed: Callable[[Exception], object],
        background: Deliver | None,
    ) -> None:
        self._do, self._report, self._done, self._failed = work, report, done, failed
        self._background = background
        self._stopped = False
        self._reported = 0.0

    def start(self) -> None:
        """Begin; without a background, also end."""
        self._reported = monotonic() + _PATIENCE - _BREATH
        in_background(self._work, self._background)

    def stop(self) -> None:
        """End the work; nothing is delivered then."""
        self._stopped = True

    def _work(self, deliver: Deliver) -> None:
        try:
            result = self._do(lambda *words: self._watch(deliver, *words))
        except Stopped:
            return
        except Exception as error:
            deliver(lambda error=error: self._unless_stopped(self._failed, error))  # type: ignore[misc]
        else:
            deliver(lambda: self._unless_stopped(self._done, result))

    def _watch(self, deliver: Deliver, done: int, total: int, what: str) -> None:
        if self._stopped:
            raise Stopped
        if monotonic() > self._reported + _BREATH:
            self._reported = monotonic()
            deliver(lambda: self._unless_stopped(self._report, f"{done:,} of {total:,} {what}"))

    def _unless_stopped(self, function: Callable[[Any], object], value: object) -> None:
        if not self._stopped:
            function(value)


class Work(Generic[Result]):
    """Long work that a control begins: whether it goes on, and what is said about it.

    Parameters
    ----------
    act : callable
        Does something with the session, and shows the controls as they are then.

    Attributes
    ----------
    words : str
        How far it is, or how it ended.
    """

    def __init__(self, act: Callable[[Callable[[Session], object]], object]) -> None:
        self._act = act
        self._task: LongWork[Result] | None = None
        self.words = ""

    @property
    def is_running(self) -> bool:
        """Whether the work goes on."""
        return self._task is not None

    def start(
        self,
        session: Session,
        work: Callable[[Watch], Result],
        done: Callable[[Session, Result], str | None],
        *,
        doing: str,
        failure: Callable[[Exception], Exception] = lambda error: error,
    ) -> None:
        """Begin.

        Parameters
        ----------
        session : Session
            Its background is where the work goes on.
        work : callable(watch)
            Does it, and reports its progress to `watch`.
        done : callable(session, result)
            Takes the result, and returns what to say then, or None.
        doing : str
            Stands before the words on how far it is.
        failure : callable(error)
            The error that a person sees instead of the one that was raised.
        """

        def report(words: str) -> None:
            self._act(lambda _: self._say(f"{doing} {words}"))

        def take(result: Result) -> None:
            def finish(session: Session) -> None:
                self._end("")
                self.words = done(session, result) or ""

            self._act(finish)

        def fail(error: Exception) -> None:
            def complain(_: Session) -> None:
                self._end("")
                raise failure(error)

            self._act(complain)

        self.words = ""
        self._task = LongWork(work, report, take, fail, session.background)
        self._task.start()

    def stop(self, words: str) -> None:
        """End the work, and say this about it."""
        if self._task is not None:
            self._task.stop()
            self._end(words)

    def _say(self, words: str) -> None:
        self.words = words

    def _end(self, words: str) -> None:
        self._task, self.words = None, words
