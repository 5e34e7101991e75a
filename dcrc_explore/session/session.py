"""The state of an exploration and every action on it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from dcrc_explore.annotators import Collected, FunctionAnnotator, Progress
from dcrc_explore.constraints import AnswerLike, Entry, Log
from dcrc_explore.datasets import Dataset
from dcrc_explore.progress import Watch
from dcrc_explore.session import answering, asking, export
from dcrc_explore.session.background import Deliver, threads_can_start
from dcrc_explore.session.fit import Plane
from dcrc_explore.session.format import Document, load
from dcrc_explore.session.gestures import Pen
from dcrc_explore.session.saving import Saver, absolute, session_file
from dcrc_explore.session.state import Change, SessionError, State, Subject, answers_label, change_label, clear_errors
from dcrc_explore.session.steps import Exploration, Steps, one_at_a_time
from dcrc_explore.words import count

if TYPE_CHECKING:
    from dcrc_explore.plotting import Figure


class Session(Exploration):
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
    ignore : sequence of column names, default=()
        Columns of a user's own table that the model does not see.
    drop_incomplete : bool, default=False
        Leave out rows of a user's own table that have empty cells, instead of raising.
    parameters : mapping, optional
        Of the generator (`n_per_cluster`, `spread`, `seed` ...).
    autosave : path or None, default="."
        A folder (the file is named after the data) or a file that ends in .json. A file that is there already is not
        overwritten; a free name is taken instead. None saves nothing.
    background : callable, optional
        Without it every action returns with the new fit. With it, a fit that takes longer than `patience` seconds
        continues in a thread. Its result arrives by ``background(function)``, which must run the function in the
        session's own thread, as ``asyncio.get_running_loop().call_soon_threadsafe`` does. The latest request wins.
        Actions may come from any thread; they happen one after another.
    **settings
        Fields of :class:`Settings`; `n_clusters` is the number of true classes by default, or 3.

    Attributes
    ----------
    history : History
        The steps that were done and taken back.
    model : FittedModel
        The fits, also those in the background, and what the last change did.
    search : Search
        Searches for a better grouping in the background, and gives advice.
    questions : Questioner
        Chooses what to ask. See :class:`Asking` for a conversation with one person.
    pen : Pen
        Draws points by hand, moves and erases them.
    file : Saver
        Where the answers are saved, and whether that worked.
    export : Export
        The exploration as tables, code, pages, and files of one's own.
    steps : Steps
        How an action happens.
    lock : RLock
        Hold it while several actions belong together: ``with session.lock: ...``.

    Examples
    --------
    >>> session = Session("close", autosave=None)
    >>> session.answer((0, 1, 2), "dnk").answer
    <Answer.DNK: 0>
    >>> session.answer_by_oracle(20)
    20
    >>> session.set(epsilon=0)
    >>> session.history.undo_label, len(session.log)
    ('epsilon', 21)
    >>> session.undo()
    >>> session.settings.epsilon
    0.05
    >>> session
    Session('close', 150 points, 3 clusters, 21 answers)
    """

    patience: ClassVar[float] = 0.1

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
        chosen = {"open_k": False} if "n_clusters" in settings else {}
        state = State(subject, subject.settings.changed(chosen | settings))
        self._begin(Document(state), Saver(autosave), background)

    def _begin(self, document: Document, file: Saver, background: Deliver | None) -> None:
        state, self.file, self.lock = document.state, file, RLock()
        self.background = background if threads_can_start() else None
        steps = Steps(state, self.background, self.patience, self.lock, self._record, quality=document.quality)
        self._start(steps)  # nothing is written: what was just read is on disk, and what is new has no answers
        self.questions, self.export, self.pen = asking.Questioner(self.model, self.lock), export.Export(self), Pen(self)
        self._person = asking.last_person(state.log.by)

    def __repr__(self) -> str:
        N, K, M = len(self.dataset.X), self.settings.n_clusters, self.state.n_answers
        return f"Session({self.dataset.name!r}, {N} points, {K} clusters, {count(M, 'answer')})"

    @property
    def person(self) -> str:
        """Who answers from now on; "user" until a name is given."""
        return self._person

    @person.setter
    def person(self, name: str) -> None:
        with self.lock:
            text = asking.person_name(name)
            if text != self._person:
                self._person = text
                self.steps.observers.notify(Change.SETTINGS)

    @one_at_a_time
    def answer(
        self, points: ArrayLike, answer: AnswerLike, *, by: str | None = None, seconds: float | None = None
    ) -> Entry:
        """Record an answer about three points or two, put it on disk, and refit.

        Parameters
        ----------
        points : (i, j, k) or (i, j)
            "Is x_i more similar to x_j than to x_k?", or "do x_i and x_j belong together?".
        answer : Answer, 1 / -1 / 0 or "yes" / "no" / "dnk"
        by : str, optional
            By default the session's `person`.
        seconds : float, optional
            How long the person took.

        Returns
        -------
        Entry
            The record, with the surprise of the model before the answer.
        """
        self.add(np.array([points]), [answer], by=by, seconds=seconds)
        return self.log[-1]

    @one_at_a_time
    def add(
        self,
        points: ArrayLike | Sequence[Sequence[int]],
        answers: AnswerLike,
        *,
        by: str | Sequence[str] | None = None,
        seconds: ArrayLike | None = None,
        time: str | Sequence[str] | None = None,
        step: str | None = None,
    ) -> None:
        """Record answers about three points or two as one step, with one name and one `time` for all, or one for each.

        Answers that come one after another with the same `step` are one step to undo, of this name.
        """
        before, log = len(self.log), asking.logged(self, points, answers, by, seconds, time)
        if (after := len(log)) > before:
            self.file.waits = False
            self.steps.do(step or answers_label(before, after), merge=step is not None, log=log)

    @one_at_a_time
    def add_csv(
        self, path: str | PathLike[str], *, remark: Callable[[str], object] = warnings.warn, **reading: Any
    ) -> int:
        """Add the answers of a file as one step, and return how many; `reading` is as in `read_answers`."""
        return export.add_csv(self, absolute(path), remark, reading)

    def answer_by(
        self,
        annotator: FunctionAnnotator | Callable[..., Any],
        n: int = 30,
        *,
        strategy: str = "guided",
        name: str | None = None,
        progress: Callable[[Progress], object] | None = None,
        **options: Any,
    ) -> Collected:
        """Let a function answer `n` questions about three points; answers are saved as soon as they come.

        All these answers are one step to undo, unless something else happens in between. The session can be used
        meanwhile from other threads. A question that was answered under this name before is not asked again.

        Parameters
        ----------
        annotator : callable or FunctionAnnotator
            Gets the items of A, B and C, or the rows of X where there are none, and answers "yes", "no", "don't know",
            or None to skip the question. It may be async. See :class:`~dcrc_explore.annotators.FunctionAnnotator`.
        n : int, default=30
            Questions to ask. There are fewer replies if a budget ends or a person stops it.
        strategy : str, default="guided"
            One of :func:`~dcrc_explore.questions.list_strategies`, or "shared": questions that others have answered, to
            show how far they agree.
        name : str, optional
            Name under which the answers are recorded; by default the function's own.
        progress : callable(Progress), optional
            Called after each reply, and when a call fails; the function stops if it returns False. By default a bar
            with the time left.
        **options
            Of the annotator: `batch`, `concurrency`, `max_seconds`, `timeout`, `retries`, `backoff`.

        Returns
        -------
        Collected
            Every reply: answered, skipped or failed.

        Examples
        --------
        >>> session = Session("far", autosave=None)
        >>> def nearer(a, b, c):
        ...     return "yes" if np.linalg.norm(a - b) < np.linalg.norm(a - c) else "no"
        >>> session.answer_by(nearer, 12, name="my model")
        Collected(12 replies: 12 answers, 0 skipped, 0 failed)
        >>> session.log.names, session.history.undo_label
        (['my model'], 'answers of my model from 1 on')
        """
        return answering.answer_by(self, annotator, n, strategy, name, progress, options)

    def answer_by_oracle(
        self,
        n: int = 1,
        *,
        strategy: str = "guided",
        oracle: str = "truth",
        epsilon: float | None = None,
        progress: answering.OnProgress | None = None,
    ) -> int:
        """Let an oracle answer `n` new questions about three points as one step to undo; return how many it answered.

        Parameters
        ----------
        n : int, default=1
        strategy : str, default="guided"
            How questions are chosen. Guided questions build on the answers before them, so the model is fitted again
            after each of the first ten answers and then after each batch (:func:`~dcrc_explore.questions.batch_size`).
            All others are asked at once, and followed by one fit.
        oracle : str, default="truth"
            Who answers: see :func:`~dcrc_explore.annotators.list_oracles`.
        epsilon : float, optional
            Error rate of the noisy oracle; by default that of the settings.
        progress : callable(done, n), optional
            Called before the first and after each portion of answers. When it returns False the oracle stops, and its
            answers so far stay.
        """
        return answering.answer_by_oracle(self, n, strategy, oracle, epsilon, progress)

    @one_at_a_time
    def flip(self, index: int, answer: AnswerLike | None = None) -> None:
        """Change an answer to `answer`; by default yes becomes no and no becomes yes."""
        with clear_errors():
            self.revise({index: self.log.opposite(index) if answer is None else answer})

    @one_at_a_time
    def revise(self, changes: Mapping[int, AnswerLike], *, planted: bool = False) -> None:
        """Change the answers with these numbers as one step, as the session's `person` or as planted errors."""
        if changes:
            with clear_errors():
                log = self.log.revised(changes, by=None if planted else self.person)
            self.file.waits &= planted
            self.steps.do(change_label(self.log.answers, log.answers), log=log)

    @one_at_a_time
    def delete(self, index: int) -> None:
        """Delete an answer."""
        with clear_errors():
            log = self.log.without(index)
        self.steps.do(f"deletion of answer {index + 1}", log=log)

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
            By default the number of true classes, or 3. All other settings are the defaults again.
        """
        subject = Subject.of(data, y, parameters, items, features=features)
        chosen = {} if n_clusters is None else {"n_clusters": n_clusters, "open_k": False}
        self.steps.do("data", subject=subject, settings=subject.settings.changed(chosen), log=Log(), names=())

    @one_at_a_time
    def reset(self, *, answers: bool = False) -> None:
        """Set every setting to its default for these data, as one step; `answers` removes answers and names too."""
        log, names = (Log() if len(self.log) else None, ()) if answers else (None, None)
        self.change("reset", settings=self.state.subject.settings, log=log, names=names)

    @one_at_a_time
    def regenerate(self, **parameters: Any) -> None:
        """Generate the data again with other parameters, without answers; settings stay, and K follows the classes."""
        subject, K = self.state.subject.regenerated(parameters), self.settings.n_clusters
        same = subject.dataset.n_classes == self.dataset.n_classes
        changes = {"n_clusters": K if same else subject.natural_clusters(K), "open_k": False}
        self.steps.do("data", subject=subject, settings=self.settings.changed(changes), log=Log(), names=())

    @one_at_a_time
    def standardize(self) -> None:
        """Give each feature mean 0 and standard deviation 1, as in the paper, unless they have it; answers stay."""
        if not self.dataset.is_standardized:
            self.steps.do("standardising", subject=self.state.subject.standardized())

    @one_at_a_time
    def set_features(self, features: Any, *, watch: Watch | None = None) -> None:
        """Make other features of the items, as ``list_features(session.dataset.cards.kind)`` names them.

        Answers stay, and undo brings the features back. `watch` is called with the progress; an exception in it ends
        the work. A Dataset that ``as_dataset(session.dataset, features=...)`` made in another thread is used as it is.
        """
        self.steps.do("features", subject=self.state.subject.with_features(features, watch))

    @one_at_a_time
    def name_cluster(self, k: int, name: str) -> None:
        """Give cluster k a name, which stays with its number from fit to fit; "" removes it."""
        state = replace(self.state, weights=self.model.start_of(self.state)).renamed(k, name)
        if state.names != self.state.names:
            self.steps.rename(f"name of cluster {k + 1}", state)

    @one_at_a_time
    def change(self, label: str, *, data: Dataset | None = None, **fields: Any) -> None:
        """Change data, settings and answers as one step to undo, with this label.

        Other data begin without answers, unless a `log` is given. With another K, `weights` are the start of its fit
        and `names` the names of its clusters. An argument of None changes nothing; if nothing changes, there is no
        step.
        """
        fields = {name: value for name, value in fields.items() if value is not None}
        if data is not None and data is not self.dataset:
            fields = {"subject": Subject.of(data), "log": Log(), "names": ()} | fields
        self.steps.do(label, **fields)

    @one_at_a_time
    def refit(self, *, restart: bool = True) -> None:
        """Fit again, by default from the initialisation; answers and settings stay."""
        self.steps.replace(replace(self.state, weights=None if restart else self.model.start_of(self.state)))

    @one_at_a_time
    def undo(self) -> None:
        """Take the last step back."""
        self.steps.undo()

    @one_at_a_time
    def redo(self) -> None:
        """Do again the step that was taken back last."""
        self.steps.redo()

    # Files -----------------------------------------------------------------------------------------------------------

    def _document(self, state: State) -> Document:
        return Document(replace(state, weights=self.model.start_of(state)), self.model.measured(state.subject))

    def _record(self, state: State) -> Change:
        """Put a state on disk; return what that changed."""
        return Change.SAVED if self.file.write(self._document(state)) else Change(0)

    @one_at_a_time
    def save(self, path: str | PathLike[str]) -> Path:
        """Write a copy, data included, into a .json file; files that others wrote or changed are never replaced."""
        return self.file.copy(self._document(self.state), path)

    @classmethod
    def load(cls, path: str | PathLike[str], *, autosave: bool = True, background: Deliver | None = None) -> Self:
        """Restore a session to its last answer.

        Parameters
        ----------
        path : path
            A name without suffix gets .json.
        autosave : bool, default=True
            Whether to continue saving in the same file.
        background : callable, optional
            As in :class:`Session`.
        """
        path = session_file(path)
        document, session = load(path), cls.__new__(cls)
        file = Saver.going_on(path, document) if autosave else Saver(None)
        try:
            session._begin(document, file, background)
        except SessionError as error:  # data that no model can be fitted to
            raise SessionError(f"{path} cannot be used: {error}. It was left untouched.") from error
        return session

    def figure(
        self,
        panel: str = "canvas",
        *,
        iteration: int | None = None,
        surface: str | None = "entropy",
        cluster: int = 0,
        answers: str = "all",
        truth: bool = False,
        plane: Plane = None,
        items: bool = True,
    ) -> Figure:
        """Return a matplotlib figure of the canvas or of a panel.

        Parameters
        ----------
        panel : {"canvas", "information", "worth", "objective", "quality", "answers", "balance"}, default="canvas"
        iteration : int, optional
            Show the model at this EM iteration; by default the final one.
        surface : {"entropy", "regions", "probability"} or None, default="entropy"
            The map under the points of the canvas.
        cluster : int, default=0
            The cluster of the "probability" map.
        answers : {"all", "last", "violated", "last + violated", "none"}, default="all"
            Which answers are drawn as links.
        truth : bool, default=False
            Whether true classes are drawn as rings.
        plane : {"pca", "model"}, pair of features, View or None
            The plane of the canvas, as for :meth:`Fit.view`.
        items : bool, default=True
            Whether images, sounds and strokes are drawn where there is room, and not as dots.
        """
        from dcrc_explore.plotting.figures import (
            session_figure,  # matplotlib, which a session without figures does not need
        )

        return session_figure(self, panel, iteration, surface, cluster, answers, truth, plane, items)
