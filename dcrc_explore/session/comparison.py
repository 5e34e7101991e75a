"""Two models of the same data and the same answers, side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.baselines import MethodResult, compare_methods, list_methods
from dcrc_explore.baselines.comparison import share_held_out, share_satisfied
from dcrc_explore.constraints import Log, Triplets
from dcrc_explore.inspection import Comparison, Disagreement, Verdict, disagreement, verdict
from dcrc_explore.metrics import adjusted_rand
from dcrc_explore.model.estimator import DCRC
from dcrc_explore.plane import View
from dcrc_explore.session.background import Gathering
from dcrc_explore.session.fit import Fit, Plane
from dcrc_explore.session.session import Session
from dcrc_explore.session.state import Change, SessionError, Settings, State, difference
from dcrc_explore.session.steps import Event, Exploration, Observers, Steps
from dcrc_explore.session.story import Difference, differences, hard_words

if TYPE_CHECKING:
    from dcrc_explore.plotting import Figure

_NO_ANSWERS = Log()
_FOLDS = 3  # parts of the answers that are held out to compare methods


class Companion(Exploration):
    """A second model of the data and answers of another session; its settings are its own, and nothing is saved.

    Its clusters are numbered like those of the other session's model.

    Parameters
    ----------
    leader : Session
    changes : mapping
        Settings that differ from the leader's.
    answers : Log, optional
        Answers of its own, as long as the data stay; by default it has those of the leader.

    Attributes
    ----------
    history, model, search, steps, lock
        As those of a :class:`Session`.

    Examples
    --------
    >>> pair = Pair(Session("close", autosave=None), {"balance": False})
    >>> pair.second.set(tau=0.5)
    >>> pair.second.settings.tau, pair.first.settings.tau
    (0.5, 1.0)
    """

    def __init__(self, leader: Session, changes: Mapping[str, Any], answers: Log | None = None) -> None:
        self._leader, self.has_own_answers, self.lock = leader, answers is not None, leader.lock
        # What belongs to each state of the leader, so that its undo brings back the same fit here too.
        self._states: WeakKeyDictionary[State, State] = WeakKeyDictionary()
        self._leader_clusters = leader.settings.n_clusters
        settings = leader.settings.changed(changes)
        state = State(leader.state.subject, settings, leader.log if answers is None else answers)
        steps = Steps(
            *(state, leader.background, leader.patience, leader.lock, self._remember),
            adapt=lambda state: self._state_for(state.settings, state.log, state),
            reference=lambda: leader.fit.proba,
        )
        self._start(steps)
        self._remember(state)

    def answer(self, *args: Any, **options: Any) -> NoReturn:
        """Refuse: the second model has no data and no answers of its own."""
        raise SessionError("data and answers belong to the first of the two sessions: change them there")

    add = answer_by = answer_by_oracle = flip = revise = delete = set_data = regenerate = standardize = answer

    def follow(self) -> None:
        """Take over data and answers of the leader, and its K when that has changed."""
        settings, K = self.settings, self._leader.settings.n_clusters
        if self._leader_clusters != K:
            self._leader_clusters, settings = K, replace(settings, n_clusters=K)
        self.has_own_answers &= self._leader.state.subject is self.state.subject
        state = self._state_for(settings, self.log, self._states.get(self._leader.state, self.state))
        if difference(self.state, state):
            self.steps.replace(state)
        else:
            self._remember(self.state)

    def _remember(self, state: State) -> Change:
        self._states[self._leader.state] = state
        return Change(0)

    def _state_for(self, settings: Settings, log: Log, remembered: State) -> State:
        """Return the remembered state if it still fits the data and the answers, or else a new one."""
        leader = self._leader.state
        log = log if self.has_own_answers else leader.log
        same = remembered.subject is leader.subject and remembered.log is log
        if same and remembered.settings == settings:
            return remembered
        goes_on = leader.subject is self.state.subject and settings.same_weights(self.model.trace.settings)
        return State(leader.subject, settings, log, self.fit.weights if goes_on else None)


class Pair:
    """A session and a second model with other settings, which follows every change of data and answers.

    Answers, undo and saving are those of the first session; undo and redo here cover the second settings too.

    Parameters
    ----------
    first : Session
    second : mapping, optional
        Settings of the second model that differ from the first's. By default hard answers, or epsilon = 0.05 when the
        first model's are hard.
    answers : Log, optional
        Answers of the second model's own; by default it learns from those of the first session.

    Attributes
    ----------
    first : Session
    second : Companion
        Its settings are changed by ``pair.second.set(...)``.

    Examples
    --------
    >>> pair = Pair(Session("close", autosave=None))
    >>> pair.first.answer_by_oracle(20)
    20
    >>> len(pair.second.log), [str(difference) for difference in pair.differences]
    (20, ['Answers: soft, ε = 0.05 against hard, ε = 0'])
    >>> pair.comparison.changed.shape
    (150,)
    """

    def __init__(self, first: Session, second: Mapping[str, Any] | None = None, answers: Log | None = None) -> None:
        if second is None:
            second = {"epsilon": 0.05 if first.settings.epsilon == 0 else 0.0}
        self.first, self.second = first, Companion(first, second, answers)
        self._acting = False
        self._changed = Change(0)
        self._observers = Observers()
        # Positions of the first session's history at which the second's settings changed: done, and undone.
        self._done: list[int] = []
        self._undone: list[int] = []
        self._second_position = 0
        self._compared: tuple[Fit, Fit, Comparison] | None = None
        self._detach = [first.observe(self._on_first), self.second.observe(self._on_second)]

    def close(self) -> None:
        """Stop following the first session."""
        for detach in self._detach:
            detach()
        self._detach.clear()

    def __repr__(self) -> str:
        return f"Pair({self.first!r}, {'; '.join(map(str, self.differences)) or 'same settings'})"

    # What there is ---------------------------------------------------------------------------------------------------

    @property
    def models(self) -> tuple[Exploration, Exploration]:
        """The session and the second model."""
        return self.first, self.second

    @property
    def differences(self) -> list[Difference]:
        """Every difference of settings, in words."""
        return differences(self.first.settings, self.second.settings)

    @property
    def changes(self) -> dict[str, Any]:
        """Settings of the second model that differ from the first's."""
        first, second = self.first.settings, self.second.settings
        return {
            name: getattr(second, name) for name in Settings.names() if getattr(second, name) != getattr(first, name)
        }

    @property
    def busy(self) -> bool:
        """Whether a fit runs in the background."""
        return self.first.model.busy or self.second.model.busy

    @property
    def comparison(self) -> Comparison:
        """Where the two models disagree: points, and the answers that one satisfies and the other violates.

        Models that have answers of their own share none.
        """
        fits = self.first.fit, self.second.fit
        log = _NO_ANSWERS if self.second.has_own_answers else self.first.log
        if self._compared is None or self._compared[:2] != fits:
            K = max(fit.n_clusters for fit in fits)
            # The second's clusters have the numbers of the first's already.
            P = [np.pad(fit.proba, ((0, 0), (0, K - fit.n_clusters))) for fit in fits]
            numbers = np.arange(fits[1].n_clusters)
            self._compared = *fits, Comparison(P[0], P[1], log, numbers)
        elif self._compared[2].log is not log:
            self._compared = *fits, replace(self._compared[2], log=log)
        return self._compared[2]

    def planes(self, plane: Plane | tuple[View, View] = None, last: View | None = None) -> tuple[View, View]:
        """Return one plane for both models, as each of them knows it: see :meth:`Fit.view`.

        The plane "model" is that of both: exact for two clusters, else what shows most of the logits of the two. Planes
        of both models are returned as they are.
        """
        if isinstance(plane, tuple) and isinstance(plane[0], View) and isinstance(plane[1], View):
            return plane[0], plane[1]
        return self.first.fit.views_beside(self.second.fit, plane, last)

    def disagreement(
        self, resolution: int = 150, window: Sequence[float] | None = None, planes: Sequence[View | None] = (None, None)
    ) -> Disagreement | None:
        """Return where in a plane, or in a window of it, the models disagree; None when there is no map of it."""
        models = zip(self.models, planes, strict=True)
        first, second = (session.fit.surface(resolution, view, window) for session, view in models)
        return None if first is None or second is None else disagreement(first, second)

    @property
    def names(self) -> tuple[str, str]:
        """What the two models are called in a sentence."""
        hard = [each.model.trace.settings.epsilon == 0 for each in self.models]
        soft_first = {(False, True): ("soft", "hard"), (True, False): ("hard", "soft")}
        return soft_first.get((hard[0], hard[1]), ("the first model", "the second"))

    def verdict(self, *, hidden: bool = False) -> Verdict:
        """Judge the models by the truth; where that is unknown, or `hidden`, by the answers."""
        log = self.comparison.log
        labels = self.first.fit.labels, self.second.fit.labels
        return verdict(
            *labels,
            log.triplets,
            self.first.dataset.y,
            names=self.names,
            numbers=log.triplet_positions,
            hidden=hidden,
        )

    @property
    def remark(self) -> str:
        """Why the boundary of a hard model satisfies fewer answers than that of a soft one; empty when it does not."""
        soft, hard = sorted(self.models, key=lambda each: each.model.trace.settings.epsilon == 0)
        if soft.model.trace.settings.epsilon == 0 or hard.model.trace.settings.epsilon > 0:
            return ""
        return hard_words(hard.fit, soft.fit, straight=hard.model.trace.settings.kernel == "linear")

    # Undo ------------------------------------------------------------------------------------------------------------

    def undo(self) -> None:
        """Take back the last step: an answer, a setting of either model, or other data."""
        with self.first.lock:
            self._next(self._done).steps.undo()

    def redo(self) -> None:
        """Do again the step that was taken back last."""
        with self.first.lock:
            self._next(self._undone).steps.redo()

    @property
    def undo_label(self) -> str | None:
        """What `undo` would take back; None when there is nothing."""
        return self._label(self._done, "undo_label")

    @property
    def redo_label(self) -> str | None:
        """What `redo` would bring back; None when there is nothing."""
        return self._label(self._undone, "redo_label")

    def _label(self, positions: list[int], what: str) -> str | None:
        each = self._next(positions)
        label: str | None = getattr(each.history, what)
        return label if each is self.first else f"second model: {label}"

    def _next(self, positions: list[int]) -> Exploration:
        """Return the second model if its last step lies where the first's history is now; else the first."""
        here = self.first.history.position
        second = positions and (positions[-1] >= here if positions is self._done else positions[-1] == here)
        return self.second if second else self.first

    def _note_second_step(self) -> None:
        position, here = self.second.history.position, self.first.history.position
        if position > self._second_position and self.second.history.redo_label is None:
            self._done.append(here)  # a new step
            self._undone.clear()
        elif position > self._second_position:
            self._done.append(self._undone.pop())
        elif position < self._second_position:
            self._undone.append(self._done.pop())
        self._second_position = position

    # Observers -------------------------------------------------------------------------------------------------------

    def observe(self, callback: Callable[[Event], object]) -> Callable[[], None]:
        """Call `callback` once after each change, when both models have followed; returns a function that ends this."""
        return self._observers.add(callback)

    def _on_first(self, event: Event) -> None:
        self._changed |= event.changed
        self._acting = True
        try:
            self.second.follow()
        finally:
            self._acting = False
        self._notify()

    def _on_second(self, event: Event) -> None:
        self._changed |= event.changed
        if not self._acting:
            self._note_second_step()
            self._notify()

    def _notify(self) -> None:
        changed, self._changed = self._changed, Change(0)
        self._observers.notify(changed)

    # Pictures --------------------------------------------------------------------------------------------------------

    def figure(
        self, *, surface: str | None = "entropy", kind: str = "entropy", plane: Plane | tuple[View, View] = None
    ) -> Figure:
        """Return a matplotlib figure: both models, and where they disagree.

        Parameters
        ----------
        surface : {"entropy", "regions", "probability"} or None, default="entropy"
            The map under the points of the two models.
        kind : {"entropy", "changed"}, default="entropy"
            What the third picture shows: the difference of entropies or changed assignments.
        plane : {"pca", "model"}, pair of features, planes of both models or None
            As for :meth:`planes`, which may also be given.
        """
        from dcrc_explore.plotting.figures import pair_figure  # matplotlib, as for a session

        return pair_figure(self, surface=surface, kind=kind, plane=plane)

    def to_html(
        self,
        path: str | PathLike[str] | None = None,
        *,
        plane: Plane | tuple[View, View] = None,
        progress: Callable[[float], object] = lambda share: None,
    ) -> Path:
        """Write both models side by side, after each answer, as one page: see :meth:`Export.to_html`."""
        from dcrc_explore.page.film import write_pair  # which needs pairs itself

        if self.second.has_own_answers:
            raise SessionError("a film shows two models of the same answers, got models with answers of their own")
        with self.first.lock:
            return write_pair(self, path, plane, progress)


def run_methods(
    session: Session, changed: Callable[[], object] = lambda: None, methods: Sequence[str] = list_methods()[1:]
) -> Gathering[MethodResult]:
    """Prepare to fit other methods to the answers of a session, each with its default parameters; `start` begins.

    Parameters
    ----------
    session : Session
    changed : callable(), optional
        Called in the session's thread after each result and at the end.
    methods : sequence of str, optional
        Some of :func:`~dcrc_explore.baselines.list_methods`; by default all but the first, DCRC: the session's model.

    Returns
    -------
    Gathering
        Its `results` have the session's model first.

    Examples
    --------
    >>> session = Session("far", autosave=None)
    >>> _ = session.answer_by_oracle(10)
    >>> others = run_methods(session, methods=["K-means"])
    >>> others.start()
    >>> [(found.method, found.ari) for found in others.results]
    [('DCRC', 1.0), ('K-means', 1.0)]
    """

    def work() -> Iterator[MethodResult]:
        data, fit, log, settings = session.dataset, session.fit, session.log, session.settings
        ari = None if data.y is None else adjusted_rand(data.y, fit.labels)
        common: dict[str, Any] = {"y": data.y, "n_clusters": settings.n_clusters, "random_state": settings.random_state}
        others = (compare_methods(data.X, log, **common, methods=[name], folds=_FOLDS)[0] for name in tuple(methods))
        trace, triplets, pairs = session.model.trace, log.triplets, log.pairs

        def model() -> Iterator[MethodResult]:
            def labels(known: Triplets) -> NDArray[np.integer]:
                dcrc = DCRC(**trace.request.parameters() | {"kernel": "linear"})
                return dcrc.fit(trace.request.features.rows, triplets=known, pairs=pairs).labels_

            shares = share_satisfied(fit.labels, triplets, pairs), share_held_out(labels, triplets, _FOLDS)
            yield MethodResult("DCRC", fit.labels, ari, trace.seconds, "", *shares)

        return chain(model(), others)

    def about() -> tuple[Any, ...]:
        return session.state.subject, session.log, session.settings

    return Gathering(session, work, about, 1 + len(methods), changed)
