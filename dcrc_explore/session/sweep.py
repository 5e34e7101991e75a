"""Epsilon swept in the background, while the person goes on answering."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from threading import Thread

from dcrc_explore.inspection import EPSILONS, SweepPoint, epsilon_sweep
from dcrc_explore.model.estimator import DCRC
from dcrc_explore.session.session import Session
from dcrc_explore.session.settings import Settings
from dcrc_explore.session.subject import Subject


class Sweep:
    """The current data, settings and answers of a session, fitted with one epsilon after another.

    Each fit starts from the initialisation, so that the values of epsilon can be compared. When the session has a
    background, the fits run in a thread of their own and each result is handed over as soon as it is there.

    Parameters
    ----------
    session : Session
    changed : callable(), optional
        Called in the session's thread after each result and at the end.
    epsilons : sequence of float

    Attributes
    ----------
    points : list of SweepPoint
        What is known so far.
    running : bool
    error : str
        Why it ended early; empty when all is well.

    Examples
    --------
    >>> sweep = Sweep(Session("close", autosave=None), epsilons=(0, 0.05))
    >>> sweep.start()
    >>> [point.epsilon for point in sweep.points], sweep.running
    ([0, 0.05], False)
    """

    def __init__(
        self, session: Session, changed: Callable[[], object] = lambda: None, epsilons: Sequence[float] = EPSILONS
    ) -> None:
        self._session, self._tell, self.epsilons = session, changed, tuple(epsilons)
        self.points: list[SweepPoint] = []
        self.running, self.error = False, ""
        self._run: object = None  # a run that is not this one any more stops after its fit
        self._about: tuple[Subject, Settings, object] | None = None

    @property
    def current(self) -> bool:
        """Whether the points are about the present data, answers and settings."""
        if self._about is None:
            return False
        subject, settings, answers = self._now()
        return self._about[0] is subject and self._about[1] == settings and self._about[2] == answers

    def start(self) -> None:
        """Begin, in place of what may be running."""
        run = object()
        with self._session.lock:
            self._run, self._about = run, self._now()
            self.points, self.running, self.error = [], True, ""
            points = self._fits()
        if self._session.background is None:
            self._work(run, points, lambda function: function())
        else:
            Thread(target=self._work, args=(run, points, self._session.background), daemon=True).start()
        self._tell()

    def cancel(self) -> None:
        """Stop; what is known stays."""
        self._run, self.running = None, False
        self._tell()

    def _now(self) -> tuple[Subject, Settings, object]:
        state = self._session.state
        # The sweep is over epsilon, and always from the initialisation.
        return state.subject, replace(state.settings, epsilon=0.0, restart=True), (state.answers, state.pair_answers)

    def _fits(self) -> Iterator[SweepPoint]:
        session = self._session
        # Linear in the features that the session has computed already; one epsilon for everybody.
        model = DCRC(**session.settings.model_parameters() | {"kernel": "linear"})
        features = session.features.rows
        said = session.triplets, session.dataset.y
        return epsilon_sweep(model, features, *said, epsilons=self.epsilons, pairs=session.pairs)

    def _work(self, run: object, points: Iterator[SweepPoint], deliver: Callable[[Callable[[], None]], object]) -> None:
        try:
            for point in points:
                if self._run is not run:
                    return
                deliver(lambda point=point: self._take(run, point))  # type: ignore[misc]
            deliver(lambda: self._end(run))
        except Exception as error:
            text = str(error) or repr(error)
            deliver(lambda: self._end(run, text))

    def _take(self, run: object, point: SweepPoint) -> None:
        with self._session.lock:
            if self._run is run:
                self.points.append(point)
                self._tell()

    def _end(self, run: object, error: str = "") -> None:
        with self._session.lock:
            if self._run is run:
                self._run, self.running, self.error = None, False, error
                self._tell()
