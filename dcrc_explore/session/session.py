"""The state of an exploration and every action on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dcrc_explore.constraints import AnswerLike, Triplets
from dcrc_explore.information import surprise
from dcrc_explore.progress import Watch
from dcrc_explore.session import asking, export, figures, importing
from dcrc_explore.session.answers import Answers, GivenAnswer, PairAnswers, now
from dcrc_explore.session.autosave import Keeper
from dcrc_explore.session.events import Change
from dcrc_explore.session.exploration import one_at_a_time
from dcrc_explore.session.labels import answers_label, change_label
from dcrc_explore.session.pairing import Pairing
from dcrc_explore.session.settings import Settings, clear_errors
from dcrc_explore.session.state import Document, State
from dcrc_explore.session.subject import Subject
from dcrc_explore.session.worker import Deliver
from dcrc_explore.words import count


class Session(Pairing):
    """Data, settings, answers, fits and their history; no interface.

    Parameters
    ----------
    data : str, Dataset, array-like, DataFrame or path, default="close"
        Name of a generator or of a stored data set, a user's own points, or a .csv / .npz file.
    y : array-like of shape (N,) or column name, optional
        The truth, when `data` is a user's own.
    items : array-like, column name or Items, optional
        What a person sees for each row of `data`, as for :func:`~dcrc_explore.datasets.as_dataset`.
    features : str, sequence of column names or callable, optional
        How features are made of the items of `data`, or columns, as for :func:`~dcrc_explore.datasets.as_dataset`.
    ignore : sequence of column names
        Columns of a user's own table that the model does not see.
    drop_incomplete : bool, default=False
        Leave out rows of a user's own table that have empty cells, instead of raising.
    parameters : mapping, optional
        Of the generator (`n_per_cluster`, `spread`, `seed` ...).
    autosave : path or None, default="."
        A folder (the file is named after the data) or a file that ends in .json. A file that is there already is not
        overwritten; a free name is taken instead. None keeps nothing.
    background : callable, optional
        Without it every action returns with the new fit. With it, a fit that takes longer than `patience` seconds goes
        on in a thread and its result is taken over by ``background(function)``, which must run the function in the
        session's own thread, as ``asyncio.get_running_loop().call_soon_threadsafe`` does. The latest request wins.
        Actions may come from any thread; they happen one after another.
    **settings
        Fields of :class:`Settings`; `n_clusters` is the number of true classes by default, or 3.

    Examples
    --------
    >>> session = Session("close", autosave=None)
    >>> session.answer((0, 1, 2), "dnk").answer
    <Answer.DNK: 0>
    >>> session.answer_by_oracle(20)
    20
    >>> session.set(epsilon=0)
    >>> session.undo_label, len(session.answers)
    ('epsilon', 21)
    >>> session.undo()
    >>> session.settings.epsilon
    0.05
    >>> session
    Session('close', 150 points, 3 clusters, 21 answers)
    """

    def __init__(
        self,
        data: Any = "close",
        y: ArrayLike | str | None = None,
        *,
        items: Any = None,
        features: Any = None,
        ignore: Sequence[str] = (),
        drop_incomplete: bool = False,
        parameters: Mapping[str, Any] | None = None,
        autosave: str | PathLike[str] | None = ".",
        background: Deliver | None = None,
        **settings: Any,
    ) -> None:
        subject = Subject.of(data, y, parameters, items, ignore, drop_incomplete, features)
        values = {"n_clusters": subject.natural_clusters(default=3)} | settings
        self._begin(Document(State(subject, Settings().changed(values))), Keeper(autosave), background)

    def __repr__(self) -> str:
        N, K, M = len(self.dataset.X), self.settings.n_clusters, self.state.n_answers
        return f"Session({self.dataset.name!r}, {N} points, {K} clusters, {count(M, 'answer')})"

    # Questions ---------------------------------------------------------------------------------------------------

    suggest = asking.suggest
    suggest_with_reason = asking.suggest_with_reason
    expected_change = property(asking.expected_changes)
    ask = one_at_a_time(asking.ask)

    # Actions: each is one step to undo, one writing and one refit ----------------------------------------------------

    @one_at_a_time
    def answer(self, triplet: ArrayLike, answer: AnswerLike, *, by: str | None = None) -> GivenAnswer:
        """Record an answer, put it on disk, and refit; without `by` it is that of the session's `person`.

        Returns
        -------
        GivenAnswer
            The record, with the surprise that the answer was to the model before.
        """
        self.add(np.array([triplet]), [answer], by=by)
        return self.answers[-1]

    @one_at_a_time
    def add(self, triplets: ArrayLike, answers: AnswerLike, *, by: str | Sequence[str] | None = None) -> None:
        """Record many answers as one step; `by` is who gave all of them, or each."""
        with clear_errors():
            new = Triplets(triplets, answers, n_samples=len(self.dataset.X))
        if not len(new):
            return
        bits = surprise(self.fit.proba, new.indices, new.answers, epsilon=self.settings.epsilon)
        longer = self.answers.plus(new, time=now(), by=by or self.person, surprise=bits)
        self._change(answers_label(len(self.answers), len(longer)), Change.ANSWERS, answers=longer)

    answer_by_oracle = asking.answer_by_oracle

    @one_at_a_time
    def flip(self, index: int, answer: AnswerLike | None = None) -> None:
        """Change an answer to `answer`; by default yes becomes no and no becomes yes."""
        self.revise({index: self.answers.opposite(index) if answer is None else answer})

    @one_at_a_time
    def revise(self, changes: Mapping[int, AnswerLike], *, planted: bool = False) -> None:
        """Change the answers with these numbers as one step, as the session's `person` or as planted errors."""
        if changes:
            answers = self.answers.revised(changes, time=now(), by=None if planted else self.person)
            label = change_label(self.triplets.answers, answers.triplets.answers, "answer")
            self._change(label, Change.ANSWERS, answers=answers)

    @one_at_a_time
    def delete(self, index: int) -> None:
        """Take an answer out."""
        self._change(f"deletion of answer {index + 1}", Change.ANSWERS, answers=self.answers.without(index))

    @one_at_a_time
    def set_data(
        self,
        data: Any,
        y: ArrayLike | str | None = None,
        *,
        items: Any = None,
        features: Any = None,
        parameters: Mapping[str, Any] | None = None,
        n_clusters: int | None = None,
    ) -> None:
        """Explore other data, without answers; undo brings the old data and their answers back.

        Parameters
        ----------
        data, y, items, features, parameters
            As for the session.
        n_clusters : int, optional
            By default the number of true classes, or the K there is.
        """
        subject = Subject.of(data, y, parameters, items, features=features)
        K = subject.natural_clusters(self.settings.n_clusters) if n_clusters is None else n_clusters
        self._change_subject(subject, K)

    @one_at_a_time
    def regenerate(self, **parameters: Any) -> None:
        """Make the data anew by the same generator, with these parameters changed; the rest is as in `set_data`."""
        subject, K = self.state.subject.regenerated(parameters), self.settings.n_clusters
        same = subject.dataset.n_classes == self.dataset.n_classes
        self._change_subject(subject, K if same else subject.natural_clusters(K))

    @one_at_a_time
    def standardize(self) -> None:
        """Give each feature mean 0 and deviation 1, as in the paper; answers stay. Nothing happens when it is so."""
        if not self.dataset.is_standardized:
            self._change("standardising", Change.DATA, subject=self.state.subject.standardized())

    @one_at_a_time
    def set_features(self, features: Any, *, watch: Watch | None = None) -> None:
        """Make other features of the items, as ``list_features(session.dataset.cards.kind)`` names them.

        Answers stay, and undo brings the features back. `watch` gets how far the work is; what it raises ends it.
        A Dataset that ``as_dataset(session.dataset, features=...)`` made in another thread is taken as it is.
        """
        self._change("features", Change.DATA, subject=self.state.subject.with_features(features, watch))

    @one_at_a_time
    def name_cluster(self, k: int, name: str) -> None:
        """Give cluster k a name, which goes with its number from fit to fit; "" takes it away."""
        state = self.state.renamed(k, name)
        if state.names != self.state.names:  # nothing is fitted anew
            self._keeper.keep(self._document(state))
            self._timeline.do(f"name of cluster {k + 1}", Change.SETTINGS, state)
            self._observers.tell(Change.SETTINGS | Change.SAVED)

    def _change_subject(self, subject: Subject, n_clusters: int) -> None:
        settings = self.settings.changed({"n_clusters": n_clusters})
        changed = Change.DATA | Change.ANSWERS | (Change.SETTINGS if settings != self.settings else Change(0))
        empty: dict[str, Any] = {"answers": Answers(), "pair_answers": PairAnswers(), "names": ()}
        self._change("data", changed, subject=subject, settings=settings, **empty)

    @one_at_a_time
    def refit(self, *, restart: bool = True) -> None:
        """Fit again, by default from the initialisation; answers and settings stay."""
        state = replace(self.state, weights=None if restart else self.state.weights)
        happened = self._enter(state)
        self._timeline.state = state
        self._observers.tell(happened)

    # Export ---------------------------------------------------------------------------------------------------------

    add_csv = one_at_a_time(importing.add_csv)
    to_html = one_at_a_time(export.to_html)
    export = one_at_a_time(export.export)

    def to_csv(self, what: str = "answers", rows: ArrayLike | None = None) -> str:
        """Return the "answers", or the "clusters" of all points or of some `rows`, as CSV."""
        return export.clusters_as_csv(self, rows) if what == "clusters" else export.answers_as_csv(*self.state.said)

    def to_code(self) -> str:
        """Return a Python program that makes the current fit again, and prints its clusters by name."""
        names = [self.cluster_name(k) for k in range(self.fit.n_clusters)]
        return export.fit_as_code(self.trace, names)

    figure = figures.figure
    plane = figures.plane
