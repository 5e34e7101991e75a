"""Files that are read in the background: the tool stays alive, shows progress, and can stop the reading."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any, Generic, TypeVar

from dcrc_explore.datasets import Watch
from dcrc_explore.session import Session
from dcrc_explore.session.background import Deliver, in_background

Read = TypeVar("Read")
_PATIENCE, _BREATH = 0.5, 0.2  # seconds until progress is shown, and between two messages


class Stopped(Exception):
    """A person stopped the reading of a file."""


class Reading(Generic[Read]):
    """Something that is read: here and now without a background, else in a thread of its own.

    Parameters
    ----------
    read : callable(watch)
        Reads, and reports its progress to `watch`.
    report : callable(str)
        Gets the progress in words.
    done, failed : callable
        Gets what was read, or why it could not be; in the thread of the background.
    background : callable(function), optional
        Runs a function in the tool's own thread.

    Examples
    --------
    >>> reading = Reading(lambda watch: watch(1, 2, "images") or 7, print, print, print, None)
    >>> reading.start()
    7
    """

    def __init__(
        self,
        read: Callable[[Watch], Read],
        report: Callable[[str], object],
        done: Callable[[Read], object],
        failed: Callable[[Exception], object],
        background: Deliver | None,
    ) -> None:
        self._read, self._report, self._done, self._failed = read, report, done, failed
        self._background = background
        self._stopped = False
        self._reported = 0.0

    def start(self) -> None:
        """Begin; without a background, also end."""
        self._reported = monotonic() + _PATIENCE - _BREATH
        in_background(self._work, self._background)

    def stop(self) -> None:
        """Read no further; nothing is delivered then."""
        self._stopped = True

    def _work(self, deliver: Deliver) -> None:
        try:
            result = self._read(lambda *words: self._watch(deliver, *words))
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


class Work(Generic[Read]):
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
        self._reading: Reading[Read] | None = None
        self.words = ""

    @property
    def is_running(self) -> bool:
        """Whether the work goes on."""
        return self._reading is not None

    def start(
        self,
        session: Session,
        read: Callable[[Watch], Read],
        done: Callable[[Session, Read], str | None],
        *,
        doing: str,
        failure: Callable[[Exception], Exception] = lambda error: error,
    ) -> None:
        """Begin.

        Parameters
        ----------
        session : Session
            Its background is where the work goes on.
        read : callable(watch)
            The work.
        done : callable(session, result)
            Takes the result, and returns what to say then, or None.
        doing : str
            Stands before the words on how far it is.
        failure : callable(error)
            The error that a person sees instead of the one that was raised.
        """

        def report(words: str) -> None:
            self._act(lambda _: self._say(f"{doing} {words}"))

        def take(result: Read) -> None:
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
        self._reading = Reading(read, report, take, fail, session.background)
        self._reading.start()

    def stop(self, words: str) -> None:
        """End the work, and say this about it."""
        if self._reading is not None:
            self._reading.stop()
            self._end(words)

    def _say(self, words: str) -> None:
        self.words = words

    def _end(self, words: str) -> None:
        self._reading, self.words = None, words
