"""Looking for a better grouping in the background, while nobody does anything."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, RLock, Thread, current_thread
from weakref import finalize

from dcrc_explore.session.trace import Trace
from dcrc_explore.session.worker import Deliver

# Seconds without an action before the search begins: the picture, the panels and the next question come first.
_PAUSE = 0.5


class Search:
    """Looks for a better optimum than that of a fit, in a thread of its own; the next action ends it.

    Parameters
    ----------
    found : callable(Trace)
        Takes a better fit, in the session's thread.
    deliver : callable(function)
        Runs a function in the session's thread, some time.
    lock : RLock
        Held by whoever calls, and while a result is delivered.
    """

    def __init__(self, found: Callable[[Trace], None], deliver: Deliver, lock: RLock) -> None:
        self._found, self._deliver, self._lock = found, deliver, lock
        self._stop = Event()
        self._last: Trace | None = None
        self._thread: Thread | None = None
        self._at_exit: finalize[..., Search] | None = None

    def start(self, trace: Trace) -> None:
        """Look further from a fit; nothing happens when that was begun already."""
        if trace is self._last:
            return
        self.cancel()
        self._last, self._stop = trace, Event()
        arguments = trace, self._stop, self._thread
        self._thread = Thread(target=self._work, args=arguments, name="dcrc search", daemon=True)
        if self._at_exit is not None:
            self._at_exit.detach()
        self._at_exit = finalize(self, _end, self._stop, self._thread)
        self._thread.start()

    def cancel(self) -> None:
        """End the search after the EM iteration that it is in; what it finds then is not taken."""
        self._stop.set()

    def _work(self, trace: Trace, stop: Event, before: Thread | None) -> None:
        if before is not None:
            before.join()  # it has been told to end
        if stop.wait(_PAUSE):
            return
        try:
            better = trace.improved(lambda: not stop.is_set())
        except (ArithmeticError, ValueError):  # a start that no model can be fitted from is not a better one
            return
        if better is not None:
            self._deliver(lambda: self._hand_over(better, stop))

    def _hand_over(self, better: Trace, stop: Event) -> None:
        with self._lock:
            if not stop.is_set():
                self._found(better)


def _end(stop: Event, thread: Thread) -> None:
    """End a search when Python ends, which must not take libraries away from a thread that is in them."""
    stop.set()
    if thread is not current_thread():
        thread.join()
