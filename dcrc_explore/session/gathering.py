"""Results about a session that come one after another, in the background where the session has one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Thread
from typing import Any, Generic, TypeVar

from dcrc_explore.session.session import Session

Result = TypeVar("Result")


class Gathering(Generic[Result]):
    """Work whose results are handed over as soon as each is there.

    Without a background everything happens at once. With one, the work runs in a thread of its own.

    Parameters
    ----------
    session : Session
    changed : callable(), optional
        Called in the session's thread after each result and at the end.

    Attributes
    ----------
    results : list
        What is known so far.
    running : bool
    error : str
        Why it ended early; empty when all is well.
    """

    def __init__(self, session: Session, changed: Callable[[], object] = lambda: None) -> None:
        self._session, self._tell = session, changed
        self.results: list[Result] = []
        self.running, self.error = False, ""
        self._run: object = None  # a run that is not this one any more stops after its result
        self._about: tuple[Any, ...] | None = None

    def _now(self) -> tuple[Any, ...]:
        """Return what the results depend on; the data come first."""
        raise NotImplementedError

    def _work(self) -> Iterator[Result]:
        """Begin the work, in the session's thread; what is returned goes on in another one."""
        raise NotImplementedError

    @property
    def current(self) -> bool:
        """Whether the results are about the present data, answers and settings."""
        if self._about is None:
            return False
        now = self._now()
        return self._about[0] is now[0] and self._about[1:] == now[1:]

    def start(self) -> None:
        """Begin, in place of what may be running."""
        run = object()
        with self._session.lock:
            self._run, self._about = run, self._now()
            self.results, self.running, self.error = [], True, ""
            results = self._work()
        if self._session.background is None:
            self._gather(run, results, lambda function: function())
        else:
            Thread(target=self._gather, args=(run, results, self._session.background), daemon=True).start()
        self._tell()

    def cancel(self) -> None:
        """Stop; what is known stays."""
        self._run, self.running = None, False
        self._tell()

    def _gather(self, run: object, results: Iterator[Result], deliver: Callable[[Callable[[], None]], object]) -> None:
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
                self._tell()

    def _end(self, run: object, error: str = "") -> None:
        with self._session.lock:
            if self._run is run:
                self._run, self.running, self.error = None, False, error
                self._tell()
