"""Long work beside the tool, as reading files: the tool stays alive, shows the progress, and can stop it."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Generic, TypeVar

from dcrc_explore.datasets import Watch
from dcrc_explore.session import Session
from dcrc_explore.session.background import Deliver, in_background

Result = TypeVar("Result")
Action = Callable[[Session], object]
Act = Callable[[Action], None]  # does something with the session, and shows the controls as they are then
_PATIENCE, _BREATH = 0.5, 0.2  # seconds until progress is shown, and between two messages


class Stopped(Exception):
    """A person stopped the work."""


class Work(Generic[Result]):
    """Long work that a control begins: here and now without a background, else in a thread of its own.

    Examples
    --------
    >>> session = Session("close", autosave=None)
    >>> work = Work(lambda action: action(session))
    >>> work.start(session, lambda watch: watch(1, 2, "images") or 7, lambda _, n: f"{n} images.", doing="Reading")
    >>> work.words
    '7 images.'
    """

    def __init__(self, act: Act) -> None:
        self._act = act
        self._run: object = None  # the one that goes on; what another one has to say is not heard
        self.words = ""  # how far it is, or how it ended

    @property
    def is_running(self) -> bool:
        """Whether the work goes on."""
        return self._run is not None

    def start(
        self,
        session: Session,
        work: Callable[[Watch], Result],
        done: Callable[[Session, Result], str | None],
        *,
        doing: str,
        failure: Callable[[Exception], Exception] = lambda error: error,
    ) -> None:
        """Begin; `work` reports its progress to a watch, and `done` takes its result and returns what to say then.

        `doing` stands before the words on how far it is; a person sees the `failure` instead of an error.
        """
        run = self._run = object()
        self.words = ""
        reported = monotonic() + _PATIENCE - _BREATH

        def begin(deliver: Deliver) -> None:
            def hand_over(action: Action) -> None:
                deliver(lambda: self._act(action) if self._run is run else None)

            def watch(n: int, total: int, what: str) -> None:
                nonlocal reported
                if self._run is not run:
                    raise Stopped
                if monotonic() > reported + _BREATH:
                    reported = monotonic()
                    hand_over(lambda _: self._say(f"{doing} {n:,} of {total:,} {what}"))

            def finish(session: Session, result: Result) -> None:
                self.stop("")
                self.words = done(session, result) or ""

            def fail(error: Exception) -> None:
                self.stop("")
                raise failure(error)

            try:
                result = work(watch)
            except Stopped:
                return
            except Exception as error:
                hand_over(lambda _, error=error: fail(error))  # type: ignore[misc]
            else:
                hand_over(lambda session: finish(session, result))

        in_background(begin, session.background)

    def stop(self, words: str) -> None:
        """End the work, of which nothing comes any more, and say this about it."""
        self._run, self.words = None, words

    def _say(self, words: str) -> None:
        self.words = words
