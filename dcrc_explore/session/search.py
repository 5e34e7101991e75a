"""Looking for a better grouping in the background, while nobody does anything, or for another kind of boundary."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread, current_thread
from typing import TYPE_CHECKING, Any
from weakref import finalize

from dcrc_explore.session.advice import CURVES, curves_advised
from dcrc_explore.session.group_advice import GroupScan, is_due, scan_groups
from dcrc_explore.session.subject import Subject
from dcrc_explore.session.trace import FEW, Trace

if TYPE_CHECKING:
    from dcrc_explore.session.exploration import Exploration

# The step that a better grouping becomes.
BETTER = "better grouping"
# Answers from which on it is worth looking.
_FEWEST = 5
# Seconds without an action before the search begins: the picture, the panels and the next question come first.
_PAUSE = 0.5


class Search:
    """Looks for a better optimum than that of the latest fit, in a thread of its own; the next action ends it.

    Parameters
    ----------
    explored : Exploration

    Attributes
    ----------
    advice : str
        What to try, in a sentence; empty when there is nothing.
    suggested : dict
        The settings that the latest advice is about.
    scan : GroupScan or None
        How well other numbers of clusters fit, as it was found last.
    """

    def __init__(self, explored: Exploration) -> None:
        self._explored = explored
        self._stop = Event()
        self._last: Trace | None = None
        self._thread: Thread | None = None
        self._at_exit: finalize[..., Search] | None = None
        self._refused: Subject | None = None  # the data whose better grouping a person took back
        self._advised: Subject | None = None  # the data about which advice was given
        self._numbers: tuple[Subject, int, int] | None = None  # data, K and the number that was advised instead
        self.advice = ""
        self.suggested: dict[str, Any] = {}
        self.scan: GroupScan | None = None

    def look(self) -> None:
        """Begin, unless that has been done for this fit or is not wanted."""
        explored = self._explored
        found = explored.trace.found and not is_due(explored.trace, self.scan)
        known = explored.trace is self._last or found
        theirs = explored.settings.restart or explored.redo_label is not None or explored.state.n_answers < _FEWEST
        if explored.background is None or explored.busy or known or theirs:
            return
        self.cancel()
        self._last, self._stop = explored.trace, Event()
        arguments = self._last, self._stop, self._thread
        self._thread = Thread(target=self._work, args=arguments, name="dcrc search", daemon=True)
        if self._at_exit is not None:
            self._at_exit.detach()
        self._at_exit = finalize(self, _end, self._stop, self._thread)
        self._thread.start()

    def cancel(self) -> None:
        """End the search after the EM iteration that it is in; what it finds then is not taken."""
        self._stop.set()
        self.advice = ""

    def refuse(self) -> None:
        """Do not look for a better grouping of these data again."""
        self._refused = self._explored.state.subject

    def _work(self, trace: Trace, stop: Event, before: Thread | None) -> None:
        if before is not None:
            before.join()  # it has been told to end
        if stop.wait(_PAUSE):
            return
        subject = trace.request.subject

        def go_on() -> bool:
            return not stop.is_set()

        try:
            few = trace.request.n_answers <= FEW * len(subject.dataset.X) and not trace.found
            better = trace.improved(go_on) if few and self._refused is not subject else None
            if better is not None and (better.fit.labels != trace.fit.labels).any():  # else there is nothing to see
                self._deliver(stop, lambda: self._explored.adopt(better, BETTER))
                return
            changes = None
            if self._advised is not subject:
                changes = curves_advised(trace, self._explored.features_for, go_on)
            if changes is not None:
                self._deliver(stop, lambda: self._advise_curves(changes))
            elif is_due(trace, self.scan):
                found = scan_groups(trace, go_on)
                if found is not None:
                    self._deliver(stop, lambda: self._advise_groups(found))
        except (ArithmeticError, ValueError):  # a start that no model can be fitted from is not a better one
            return

    def _deliver(self, stop: Event, function: Callable[[], None]) -> None:
        """Let a function run in the session's thread, if nobody acts before."""

        def run() -> None:
            with self._explored.lock:
                if not stop.is_set():
                    function()

        assert self._explored.background is not None
        self._explored.background(run)

    def _advise_groups(self, scan: GroupScan) -> None:
        self.scan, K = scan, self._explored.settings.n_clusters
        now = scan.subject, K, scan.best
        if scan.advice(K) and now != self._numbers:  # who has heard it once knows it
            self._numbers = now
            self.advice, self.suggested = scan.advice(K), {"n_clusters": scan.best, "open_k": True}
        self._explored.tell_advice()

    def _advise_curves(self, changes: dict[str, Any]) -> None:
        self._advised = self._explored.state.subject
        self.advice, self.suggested = CURVES, changes
        self._explored.tell_advice()


def _end(stop: Event, thread: Thread) -> None:
    """End a search when Python ends, which must not take libraries away from a thread that is in them."""
    stop.set()
    if thread is not current_thread():
        thread.join()
