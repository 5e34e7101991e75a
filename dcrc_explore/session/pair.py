"""Two models of the same data and the same answers, side by side."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.inspection import Comparison, Disagreement, disagreement
from dcrc_explore.model.features import Features
from dcrc_explore.session.autosave import Keeper
from dcrc_explore.session.export import pair_figure
from dcrc_explore.session.fit import Fit
from dcrc_explore.session.history import Step
from dcrc_explore.session.records import Change, Event, SessionError, Settings
from dcrc_explore.session.session import Session
from dcrc_explore.session.state import Document, State
from dcrc_explore.session.words import Difference, differences

if TYPE_CHECKING:
    from dcrc_explore.plotting import Figure


class Companion(Session):
    """A second model of the data and answers of another session; only its settings are its own, and nothing is saved.

    Its clusters are numbered like those of the other session's model.

    Parameters
    ----------
    leader : Session
    changes : mapping
        Settings that differ from the leader's.
    """

    def __init__(self, leader: Session, changes: Mapping[str, Any]) -> None:
        self._leader = leader
        # What belongs to each state of the leader, so that its undo brings back the same fit here too.
        self._states: WeakKeyDictionary[State, State] = WeakKeyDictionary()
        self._leader_clusters = leader.settings.n_clusters
        settings = leader.settings.changed(changes)
        state = State(leader._state.subject, settings, leader.answers)
        self._begin(Document(state), Keeper(None), leader.background)

    def follow(self) -> None:
        """Take over data and answers of the leader, and its K when that has changed."""
        settings, K = self.settings, self._leader.settings.n_clusters
        if self._leader_clusters != K:
            self._leader_clusters, settings = K, replace(settings, n_clusters=K)
        state = self._state_for(settings, self._states.get(self._leader._state))
        own = self._state
        changed = {
            Change.DATA: state.subject is not own.subject,
            Change.SETTINGS: state.settings != own.settings,
            Change.ANSWERS: state.answers is not own.answers,
        }
        if any(changed.values()):
            happened = self._enter(state)
            self._notify(reduce(or_, (change for change, is_so in changed.items() if is_so), happened))
        else:
            self._states[self._leader._state] = own

    def _state_for(self, settings: Settings, remembered: State | None) -> State:
        """Return the remembered state if it still fits the leader's data and answers, or else a new one."""
        leader = self._leader._state
        if (
            remembered is not None
            and remembered.settings == settings
            and remembered.subject is leader.subject
            and remembered.answers is leader.answers
        ):
            return remembered
        goes_on = leader.subject is self._state.subject and settings.same_weights(self._latest.request.settings)
        return State(leader.subject, settings, leader.answers, self.fit.weights if goes_on else None)

    def _enter(self, state: State, *, keep: bool = True) -> Change:
        happened = super()._enter(state, keep=keep)
        self._states[self._leader._state] = state
        return happened

    def _change(self, label: str, changed: Change, *, merge: bool = False, **fields: Any) -> None:
        if "settings" not in fields or len(fields) > 1:
            raise SessionError("data and answers belong to the first of the two sessions: change them there")
        super()._change(label, changed, merge=merge, **fields)

    def _go(self, move: Callable[[State], Step], back: Callable[[State], Step]) -> None:
        step = move(self._state)
        self._notify(step.changed | self._enter(self._state_for(step.state.settings, step.state)))

    def _reference(self, features: Features) -> NDArray[np.float64] | None:
        return self._leader.fit.proba


class Pair:
    """A session and a second model with other settings, which follows every change of data and answers.

    Answers, undo and saving are those of the first session; undo and redo here cover the second settings too.

    Parameters
    ----------
    first : Session
    second : mapping, optional
        Settings of the second model that differ from the first's. By default hard answers, or epsilon = 0.05 when the
        first model's are hard.

    Attributes
    ----------
    first : Session
    second : Companion
        A session as well: change its settings by ``pair.second.set(...)``.

    Examples
    --------
    >>> pair = Pair(Session("close", autosave=None))
    >>> pair.first.answer_by_oracle(20)
    20
    >>> len(pair.second.answers), [str(difference) for difference in pair.differences]
    (20, ['Answers: soft, ε = 0.05 against hard, ε = 0'])
    >>> pair.comparison.changed.shape
    (150,)
    """

    def __init__(self, first: Session, second: Mapping[str, Any] | None = None) -> None:
        if second is None:
            second = {"epsilon": 0.05 if first.settings.epsilon == 0 else 0.0}
        self.first, self.second = first, Companion(first, second)
        self._acting = False
        self._changed = Change(0)
        self._observers: list[Callable[[Event], object]] = []
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
    def differences(self) -> list[Difference]:
        """Every difference of settings, in words."""
        return differences(self.first.settings, self.second.settings)

    @property
    def busy(self) -> bool:
        """Whether a fit goes on in the background."""
        return self.first.busy or self.second.busy

    @property
    def comparison(self) -> Comparison:
        """Where the two models disagree: points, and the answers that one satisfies and the other violates."""
        fits = self.first.fit, self.second.fit
        if self._compared is None or self._compared[:2] != fits:
            K = max(fit.n_clusters for fit in fits)
            # The second's clusters have the numbers of the first's already.
            P = [np.pad(fit.proba, ((0, 0), (0, K - fit.n_clusters))) for fit in fits]
            numbers = np.arange(fits[1].n_clusters)
            self._compared = *fits, Comparison(P[0], P[1], self.first.triplets, numbers)
        elif self._compared[2].triplets is not self.first.triplets:
            self._compared = *fits, replace(self._compared[2], triplets=self.first.triplets)
        return self._compared[2]

    def disagreement(self, resolution: int = 150) -> Disagreement | None:
        """Return where in the plane the models disagree; None when the data has not two features."""
        first, second = (session.fit.surface(resolution) for session in (self.first, self.second))
        return None if first is None or second is None else disagreement(first, second)

    # Undo ------------------------------------------------------------------------------------------------------------

    def undo(self) -> None:
        """Take back the last step: an answer, a setting of either model, or other data."""
        (self.second if self._second_is_next(self._done) else self.first).undo()

    def redo(self) -> None:
        """Do again the step that was taken back last."""
        (self.second if self._second_is_next(self._undone) else self.first).redo()

    @property
    def undo_label(self) -> str | None:
        """What `undo` would take back; None when there is nothing."""
        second = self._second_is_next(self._done)
        return f"second model: {self.second.undo_label}" if second else self.first.undo_label

    @property
    def redo_label(self) -> str | None:
        """What `redo` would bring back; None when there is nothing."""
        second = self._second_is_next(self._undone)
        return f"second model: {self.second.redo_label}" if second else self.first.redo_label

    def _second_is_next(self, positions: list[int]) -> bool:
        """Whether the second's last step lies where the first's history is now."""
        here = self.first._history.position
        return bool(positions) and (positions[-1] >= here if positions is self._done else positions[-1] == here)

    def _note_second_step(self) -> None:
        position, here = self.second._history.position, self.first._history.position
        if position > self._second_position and self.second.redo_label is None:
            self._done.append(here)  # a new step
            self._undone.clear()
        elif position > self._second_position:
            self._done.append(self._undone.pop())
        elif position < self._second_position:
            self._undone.append(self._done.pop())
        self._second_position = position

    # Observers -------------------------------------------------------------------------------------------------------

    def observe(self, callback: Callable[[Event], object]) -> Callable[[], None]:
        """Call `callback` once after each change, when both models have followed; returns what ends it."""
        self._observers.append(callback)
        return lambda: self._observers.remove(callback)

    def _on_first(self, event: Event) -> None:
        self._changed |= event.changed
        if event.changed & (Change.DATA | Change.ANSWERS | Change.SETTINGS):
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
        event, self._changed = Event(self._changed), Change(0)
        for callback in tuple(self._observers):
            try:
                callback(event)
            except Exception as error:
                warnings.warn(f"an observer of the pair failed: {error!r}", RuntimeWarning, stacklevel=2)

    # Pictures --------------------------------------------------------------------------------------------------------

    def figure(self, *, surface: str | None = "entropy", kind: str = "entropy") -> Figure:
        """Return a matplotlib figure: both models, and where they disagree.

        Parameters
        ----------
        surface : {"entropy", "regions", "probability"} or None
            The map under the points of the two models.
        kind : {"entropy", "changed"}
            What the third picture shows: the difference of entropies or changed assignments.
        """
        return pair_figure(self, surface=surface, kind=kind)
