"""An exploration that is on disk: every change is written before anybody sees it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from os import PathLike
from pathlib import Path
from threading import RLock
from typing import Any, Self

import numpy as np

from dcrc_explore.session import reading
from dcrc_explore.session.answers import Triplet
from dcrc_explore.session.autosave import Keeper
from dcrc_explore.session.events import Change
from dcrc_explore.session.exploration import Exploration, one_at_a_time
from dcrc_explore.session.files import Written, absolute, session_file
from dcrc_explore.session.quality import Quality, QualityLog
from dcrc_explore.session.settings import SessionError
from dcrc_explore.session.state import Document, State
from dcrc_explore.session.trace import Trace
from dcrc_explore.session.worker import Deliver


class Kept(Exploration):
    """How an action of a session happens: a state is written, fitted, put on the timeline and told, or nothing is."""

    def _begin(self, document: Document, keeper: Keeper, background: Deliver | None) -> None:
        state = document.state
        super().__init__(state, background, RLock())
        self._keeper = keeper
        self._quality = QualityLog(state.subject, document.quality)
        self._forget_skipped()
        self.exports = Written()
        self._joined: Change | None = None  # what happened in the steps that become one
        self.rng = np.random.default_rng(state.settings.random_state)
        self.suggestions = np.random.default_rng(state.settings.random_state)
        self._fitter.start(state)  # nothing is written: what was just read is on disk, and what is new has no answers

    def _forget_skipped(self) -> None:
        # Questions that are not asked again.
        self.skipped: list[Triplet] = []
        self.skipped_pairs: list[tuple[int, int]] = []

    @property
    def quality(self) -> list[Quality]:
        """Agreement with the truth by number of answers, up to now; empty when there is no truth."""
        with self.lock:
            return self._quality.until(self.state.subject, self.state.n_answers)

    @property
    def timings(self) -> dict[str, float]:
        """Milliseconds that the latest fit, its last surface, and the last writing took."""
        return super().timings | {"save": 1000 * self._keeper.seconds}

    # How an action happens -------------------------------------------------------------------------------------------

    @contextmanager
    def one_step(self) -> Iterator[None]:
        """Make all answers that are given inside one step to undo; observers are told once, at its end."""
        with self.lock:
            if self._joined is not None:  # inside another one
                yield
                return
            before, trace, self._joined = self.state, self.trace, Change(0)
            try:
                yield
            finally:
                changed, after, self._joined = self._joined, self.state, None
                if after is not before:
                    self._timeline.state = before
                    self._timeline.do(after.label_since(before), Change.ANSWERS, after)
                    self._fitter.before = trace  # the story is that of the whole step
                    self._observers.tell(changed)

    def _change(self, label: str, changed: Change, *, merge: bool = False, **fields: Any) -> None:
        before = self.state
        state = replace(before, **fields, weights=None)  # raises when the new state is impossible
        if state.subject is before.subject and state.settings.same_weights(self.fitted_settings):
            state.weights = self.fit.weights
        happened = changed | self._enter(state)
        if self._joined is None:
            self._timeline.do(label, changed, state, merge=merge)
            self._observers.tell(happened)
        else:
            self._timeline.state = state
            self._joined |= happened

    def _enter(self, state: State) -> Change:
        """Put a state on disk and fit it, or else leave everything as it was; return what that changed."""
        before, busy, kept = self.state, self.busy, (self.path, self.save_error)
        self._keeper.keep(self._document(state))
        try:
            happened = self._fit_to(state)
        except BaseException:
            self._keeper.keep(self._document(before))
            if busy:  # the fit that was going on had made way
                self._fit_to(before)
            raise
        if state.subject is not before.subject:
            self._forget_skipped()
        if (self._keeper.path(state.subject), self.save_error) != kept or self.save_note:
            happened |= Change.SAVED
        return happened

    def _adopt(self, state: State, trace: Trace) -> Change:
        kept = self.path, self.save_error
        self._keeper.keep(self._document(state))
        happened = super()._adopt(state, trace)
        return happened if (self.path, self.save_error) == kept and not self.save_note else happened | Change.SAVED

    def _on_fit(self, trace: Trace | None, late: bool) -> None:
        if trace is not None:
            request = trace.request
            self._quality.add(request.subject, request.n_answers, trace.fit.labels)
        super()._on_fit(trace, late)

    def _document(self, state: State) -> Document:
        return Document(state, self._quality.measured(state.subject))

    # Keeping and export ----------------------------------------------------------------------------------------------

    @property
    def path(self) -> Path | None:
        """The file that keeps the answers to these data, once there are some."""
        return self._keeper.path(self.state.subject)

    @property
    def is_kept(self) -> bool:
        """Whether every answer goes to disk as soon as it is given."""
        return self._keeper.is_active

    @property
    def save_error(self) -> str | None:
        """Why the last change is not on disk, as a message for the user; None when all is well."""
        return self._keeper.error

    @property
    def save_note(self) -> str | None:
        """What a user should know about where the last change was written; None as a rule."""
        return self._keeper.note

    @one_at_a_time
    def save(self, path: str | PathLike[str]) -> Path:
        """Write a copy, data included, into a .json file; nothing that others wrote or changed is ever replaced."""
        return self._keeper.save(self._document(self.state), path)

    @classmethod
    def load(cls, path: str | PathLike[str], *, autosave: bool = True, background: Deliver | None = None) -> Self:
        """Restore a session to its last answer.

        Parameters
        ----------
        path : path
            A name without suffix gets .json.
        autosave : bool
            Whether to go on in the same file.
        background : callable, optional
            As in :class:`Session`.
        """
        path = session_file(path)
        document, session = reading.load(path), cls.__new__(cls)
        keeper = Keeper.going_on(path, document) if autosave else Keeper(None)
        try:
            session._begin(document, keeper, background)
        except SessionError as error:  # data that no model can be fitted to
            raise SessionError(f"{path} can't be used: {error}. It was left untouched.") from error
        return session

    @staticmethod
    def resumable(folder: str | PathLike[str] = ".") -> list[reading.SavedSession]:
        """Return the sessions with answers that a folder holds, the latest first. Nothing is loaded or changed."""
        return reading.find_sessions(absolute(folder))
