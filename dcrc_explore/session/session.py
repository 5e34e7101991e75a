"""The state of an exploration and every action on it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache, reduce
from operator import or_
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dcrc_explore.annotators import Oracle, make_oracle
from dcrc_explore.constraints import Answer, AnswerLike, Triplets, answer_proba, as_answers, as_triplets
from dcrc_explore.datasets import Dataset
from dcrc_explore.information import question_information, surprise
from dcrc_explore.model.features import Features
from dcrc_explore.plane import Extent
from dcrc_explore.questions import Questions, batch_size, choose, expected_change, model_doubt
from dcrc_explore.session import export, reading
from dcrc_explore.session.answers import Answers
from dcrc_explore.session.autosave import Keeper
from dcrc_explore.session.features import features_of
from dcrc_explore.session.files import Save, absolute, safe_name, session_file
from dcrc_explore.session.fit import Fit, Objective
from dcrc_explore.session.fitting import Deliver, Fitter, Request, Trace
from dcrc_explore.session.history import History, Step
from dcrc_explore.session.quality import QualityLog
from dcrc_explore.session.records import (
    MOST_CLUSTERS,
    Change,
    Event,
    Expectation,
    GivenAnswer,
    Quality,
    SessionError,
    Settings,
    Triplet,
    now,
)
from dcrc_explore.session.state import Document, State
from dcrc_explore.session.subject import Subject, standardized_name
from dcrc_explore.session.words import empty_clusters

if TYPE_CHECKING:
    from dcrc_explore.plotting import Figure

# Answers that an oracle gives between two reports of progress.
_PORTION = 10
# Kernels, beside the current one, whose features are kept.
_FEATURES = 3


class Session:
    """Data, settings, answers, fits and their history; no interface.

    Parameters
    ----------
    data : str, Dataset, array-like, DataFrame or path, default="close"
        Name of a generator or of a stored data set, a user's own points, or a .csv / .npz file.
    y : array-like of shape (N,) or column name, optional
        The truth, when `data` is a user's own.
    parameters : mapping, optional
        Parameters of the generator (`n_per_cluster`, `spread`, `seed` ...).
    autosave : path or None, default="."
        A folder (the file is named after the data) or a file that ends in .json. A file that is there already is not
        overwritten; a free name is taken instead. None keeps nothing.
    background : callable, optional
        Without it every action returns with the new fit. With it, a fit that takes longer than `patience` seconds goes
        on in a thread and its result is taken over by ``background(function)``, which must run the function in the
        session's own thread, as ``asyncio.get_running_loop().call_soon_threadsafe`` does. The latest request wins.
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

    patience = 0.1

    def __init__(
        self,
        data: Any = "close",
        y: ArrayLike | str | None = None,
        *,
        parameters: Mapping[str, Any] | None = None,
        autosave: str | PathLike[str] | None = ".",
        background: Deliver | None = None,
        **settings: Any,
    ) -> None:
        subject = Subject.of(data, y, parameters)
        values = {"n_clusters": _natural_clusters(subject, default=3)} | settings
        self._begin(Document(State(subject, Settings().changed(values))), Keeper(autosave), background)

    def _begin(self, document: Document, keeper: Keeper, background: Deliver | None) -> None:
        self._state, self._keeper = document.state, keeper
        self._history = History()
        self._quality = QualityLog(document.state.subject, document.quality)
        self._skipped: list[Triplet] = []
        self._observers: list[Callable[[Event], object]] = []
        self._rng = np.random.default_rng(document.state.settings.random_state)
        self._features = lru_cache(maxsize=_FEATURES)(features_of)
        self._trace: Trace | None = None
        self._acting = False
        self._fit_error: str | None = None
        self.background = background
        deliver = None if background is None else lambda result: background(lambda: self._receive(result))
        self._fitter = Fitter(self._take, deliver, self.patience)
        self._enter(self._state, keep=False)  # what was just read is on disk, and what is new has no answers

    def __repr__(self) -> str:
        N, K, M = len(self.dataset.X), self.settings.n_clusters, len(self.answers)
        return f"Session({self.dataset.name!r}, {N} points, {K} clusters, {M} answer{'' if M == 1 else 's'})"

    # What there is ---------------------------------------------------------------------------------------------

    @property
    def dataset(self) -> Dataset:
        """The points X, the truth y or None, the data's name, parameters, and names of features and classes."""
        return self._state.subject.dataset

    @property
    def settings(self) -> Settings:
        """The current settings."""
        return self._state.settings

    @property
    def answers(self) -> Answers:
        """Every answer, oldest first: a sequence of :class:`GivenAnswer`."""
        return self._state.answers

    @property
    def triplets(self) -> Triplets:
        """The answers as the estimator takes them."""
        return self._state.answers.triplets

    @property
    def points(self) -> NDArray[np.float64]:
        """Coordinates to draw, shape (N, 2): X itself, or its first two principal components."""
        return self._state.subject.points

    @property
    def is_generated(self) -> bool:
        """Whether `regenerate` can make the data anew."""
        return self._state.subject.is_generated

    @property
    def is_projected(self) -> bool:
        """Whether `points` are not the data itself, so that there is no surface."""
        return self._state.subject.is_projected

    @property
    def extent(self) -> Extent:
        """Bounds (xmin, xmax, ymin, ymax) of the picture, the same for every fit to these data."""
        return self._state.subject.extent

    @property
    def fit(self) -> Fit:
        """The latest complete fit. While `busy` it may be older than the answers; `fit.triplets` tells."""
        return self._latest.fit

    @property
    def busy(self) -> bool:
        """Whether a fit goes on in the background."""
        return self._fitter.busy

    @property
    def fit_error(self) -> str | None:
        """Why the last fit in the background failed, as a message for the user; None when all is well."""
        return self._fit_error

    @property
    def objective(self) -> Objective:
        """The bound of the latest fit, iteration by iteration and term by term."""
        return self._latest.objective

    def replay(self, iteration: int) -> Fit:
        """Return the model at an EM iteration of the latest fit: 0 is the start, ``len(objective) - 1`` the end."""
        return self._latest.replay(iteration)

    @property
    def fitted_settings(self) -> Settings:
        """Settings of the latest complete fit; while `busy` they may be older than `settings`."""
        return self._latest.request.settings

    @property
    def features(self) -> Features:
        """The points in the space in which the current settings make the model linear."""
        subject, settings = self._state.subject, self.settings
        if settings.kernel == "linear":
            return self._features(subject, "linear")
        return self._features(subject, settings.kernel, settings.gamma, settings.random_state)

    @property
    def quality(self) -> list[Quality]:
        """Agreement with the truth by number of answers, up to now; empty when there is no truth."""
        return self._quality.until(self._state.subject, len(self.answers))

    @property
    def hint(self) -> str:
        """What to do about a model that leaves clusters empty, in words; empty when it does not."""
        n_empty = int((self.fit.shares == 0).sum())
        scaled = self.is_generated or self.dataset.is_standardized
        return empty_clusters(n_empty, self.fitted_settings, scaled=scaled)

    @property
    def timings(self) -> dict[str, float]:
        """Milliseconds that the latest fit, its last surface, and the last writing took."""
        seconds = {"fit": self._latest.seconds, "surface": self.fit.surface_seconds, "save": self._keeper.seconds}
        return {name: 1000 * value for name, value in seconds.items()}

    @property
    def _latest(self) -> Trace:
        assert self._trace is not None
        return self._trace

    # Questions ---------------------------------------------------------------------------------------------------

    def suggest(self, strategy: str = "guided") -> Triplet:
        """Return a question that was neither answered nor skipped.

        Parameters
        ----------
        strategy : {"random", "boundary", "informative", "guided"}
        """
        return self.suggest_with_reason(strategy)[0]

    def suggest_with_reason(self, strategy: str = "guided") -> tuple[Triplet, str]:
        """Return a question as `suggest` does, and one sentence that says why it was chosen."""
        questions = self._ask(strategy, 1)
        i, j, k = questions.triplets[0].tolist()
        return (i, j, k), questions.reasons[0]

    @property
    def expected_change(self) -> float:
        """How many points more answers can still be expected to put into another cluster."""
        return expected_change(self.fit.proba, self.triplets, self._doubt)

    @property
    def _doubt(self) -> float:
        return model_doubt(self.answers.surprise)

    def skip(self, triplet: ArrayLike) -> None:
        """Do not suggest this question again; nothing is recorded."""
        self._skipped.append(self._one_triplet(triplet))

    def expected(self, triplet: ArrayLike) -> Expectation:
        """Return what the current model expects as an answer, and what the answer is worth in bits."""
        question = [self._one_triplet(triplet)]
        belief, epsilon = self.fit.proba, self.settings.epsilon
        yes, no, dnk = answer_proba(belief, question, epsilon=epsilon)[0].tolist()
        return Expectation(yes, no, dnk, bits=float(question_information(belief, question, epsilon=epsilon)[0]))

    def _ask(self, strategy: str, n: int) -> Questions:
        with _clear_errors():
            return choose(
                strategy,
                self.fit.proba,
                n,
                X=self.dataset.X,
                constraints=self.triplets,
                doubt=self._doubt,
                epsilon=self.settings.epsilon,
                asked=self._skipped,
                seed=self._rng,
            )

    def _one_triplet(self, triplet: ArrayLike) -> Triplet:
        with _clear_errors():
            ((i, j, k),) = as_triplets(np.array([triplet]), len(self.dataset.X)).tolist()
        return i, j, k

    # Actions: each is one step to undo, one writing and one refit ----------------------------------------------------

    def answer(self, triplet: ArrayLike, answer: AnswerLike, *, by: str = "user") -> GivenAnswer:
        """Record an answer, put it on disk, and refit.

        Returns
        -------
        GivenAnswer
            The record, with the surprise that the answer was to the model before.
        """
        self.add([self._one_triplet(triplet)], [answer], by=by)
        return self.answers[-1]

    def add(self, triplets: ArrayLike, answers: AnswerLike, *, by: str = "user") -> None:
        """Record many answers as one step."""
        with _clear_errors():
            new = Triplets(triplets, answers, n_samples=len(self.dataset.X))
        if not len(new):
            return
        answers = self._answers_with(new, by)
        self._change(_answers_label(len(self.answers), len(answers)), Change.ANSWERS, answers=answers)

    def _answers_with(self, new: Triplets, by: str) -> Answers:
        bits = surprise(self.fit.proba, new.indices, new.answers, epsilon=self.settings.epsilon)
        return self.answers.plus(new, time=now(), by=by, surprise=bits)

    def answer_by_oracle(
        self,
        n: int = 1,
        *,
        strategy: str = "random",
        oracle: str = "truth",
        epsilon: float | None = None,
        progress: Callable[[int, int], bool | None] | None = None,
    ) -> int:
        """Let an oracle answer `n` new questions as one step with one refit; guided ones in small batches.

        Parameters
        ----------
        n : int
        strategy : {"random", "boundary", "informative", "guided"}
            What is asked. Guided questions build on the answers before them, so the model is fitted again after each
            of the first ten answers and then after each batch (:func:`dcrc_explore.questions.batch_size`).
        oracle : {"truth", "noisy", "people"}
            Who answers: see :func:`dcrc_explore.annotators.list_oracles`.
        epsilon : float, optional
            Error rate of the noisy oracle; by default that of the settings.
        progress : callable(done, n), optional
            Called before the first and after each portion of answers. When it returns False the oracle stops; what it
            answered until then is kept.

        Returns
        -------
        int
            Number of answers given.
        """
        y = self.dataset.y
        if y is None:
            raise SessionError("an oracle needs the true classes, which are unknown for these data: answer yourself")
        with _clear_errors():
            somebody = make_oracle(
                oracle, y, epsilon=self.settings.epsilon if epsilon is None else epsilon, seed=self._rng
            )
        if strategy == "guided":
            return self._converse(n, somebody, oracle, progress)
        questions = self._ask(strategy, n).triplets
        answers = np.empty(0, dtype=np.int8)
        while len(answers) < n and (progress is None or progress(len(answers), n) is not False):
            portion = questions[len(answers) : len(answers) + _PORTION]
            answers = np.concatenate([answers, somebody.answer(portion)])
        self.add(questions[: len(answers)], answers, by=oracle)
        if progress is not None and len(answers) == n:
            progress(n, n)
        return len(answers)

    def _converse(self, n: int, somebody: Oracle, by: str, progress: Callable[[int, int], bool | None] | None) -> int:
        """Ask guided questions, each batch after a fit to the answers before it; all is one step."""
        before, first, happened = self._state, len(self.answers), Change(0)
        done = 0
        try:
            while done < n and (progress is None or progress(done, n) is not False):
                self.wait()
                questions = self._ask("guided", min(batch_size(first + done), n - done)).triplets
                new = Triplets(questions, somebody.answer(questions))
                happened |= self._advance(answers=self._answers_with(new, by))
                done += len(new)
        finally:
            if done:
                self._history.record(Step(_answers_label(first, first + done), Change.ANSWERS, before))
                self._notify(Change.ANSWERS | happened)
        if progress is not None and done == n:
            progress(n, n)
        return done

    def flip(self, index: int, answer: AnswerLike | None = None) -> None:
        """Change an answer to `answer`; by default yes becomes no and no becomes yes."""
        old = self._given(index).answer
        if answer is None and old is Answer.DNK:
            raise SessionError("don't know has no opposite: say which answer it should become")
        self.revise({index: old.mirrored if answer is None else answer})

    def revise(self, changes: Mapping[int, AnswerLike], *, by: str = "user") -> None:
        """Change the answers with these numbers as one step."""
        new = {}
        for index, answer in changes.items():
            self._given(index)
            with _clear_errors():
                new[index] = Answer(int(as_answers(answer)[0]))
        if changes:
            what = f"answer {next(iter(changes)) + 1}" if len(changes) == 1 else f"{len(changes)} answers"
            answers = self.answers.revised(new, time=now(), by=by)
            self._change(f"change of {what}", Change.ANSWERS, answers=answers)

    def delete(self, index: int) -> None:
        """Take an answer out."""
        self._given(index)
        self._change(f"deletion of answer {index + 1}", Change.ANSWERS, answers=self.answers.without(index))

    def _given(self, index: int) -> GivenAnswer:
        if not 0 <= index < len(self.answers):
            raise SessionError(f"there are {len(self.answers)} answers, numbered from 0, got index {index}")
        return self.answers[index]

    def set(self, *, merge: bool = False, **changes: Any) -> None:
        """Change settings; nothing happens when they have these values already.

        Parameters
        ----------
        merge : bool
            Whether to be one step with the change of the same settings just before, as while a slider is drawn.
        **changes
            Fields of :class:`Settings`.
        """
        settings = self.settings.changed(changes)
        if settings != self.settings:
            self._change(", ".join(changes), Change.SETTINGS, merge=merge, settings=settings)

    def set_data(
        self,
        data: Any,
        y: ArrayLike | str | None = None,
        *,
        parameters: Mapping[str, Any] | None = None,
        n_clusters: int | None = None,
    ) -> None:
        """Explore other data, without answers; undo brings the old data and their answers back.

        Parameters
        ----------
        data, y, parameters
            As for the session.
        n_clusters : int, optional
            By default the number of true classes, or the K there is.
        """
        subject = Subject.of(data, y, parameters)
        K = _natural_clusters(subject, self.settings.n_clusters) if n_clusters is None else n_clusters
        self._change_subject(subject, K)

    def regenerate(self, **parameters: Any) -> None:
        """Make the data anew by the same generator, with these parameters changed; the rest is as in `set_data`."""
        old = self._state.subject
        if not old.is_generated:
            raise SessionError(f"{self.dataset.name!r} was not generated: choose a generator first")
        subject = Subject.of(self.dataset.name, parameters={**self.dataset.parameters, **parameters})
        K = self.settings.n_clusters
        if subject.dataset.n_classes != self.dataset.n_classes:
            K = _natural_clusters(subject, K)
        self._change_subject(subject, K)

    def standardize(self) -> None:
        """Give each feature mean 0 and deviation 1, as in the paper; answers stay. Nothing happens when it is so."""
        if not self.dataset.is_standardized:
            dataset = self.dataset.standardized()
            name = standardized_name(dataset.name)
            self._change("standardising", Change.DATA, subject=Subject(replace(dataset, name=name, parameters={})))

    def _change_subject(self, subject: Subject, n_clusters: int) -> None:
        settings = self.settings.changed({"n_clusters": n_clusters})
        changed = Change.DATA | Change.ANSWERS
        if settings != self.settings:
            changed |= Change.SETTINGS
        self._change("data", changed, subject=subject, settings=settings, answers=Answers())

    def undo(self) -> None:
        """Take the last step back."""
        self._go(self._history.undo, self._history.redo)

    def redo(self) -> None:
        """Do again the step that was taken back last."""
        self._go(self._history.redo, self._history.undo)

    @property
    def undo_label(self) -> str | None:
        """What `undo` would take back, as "answer 24" or "epsilon"; None when there is nothing."""
        return self._history.undo_label

    @property
    def redo_label(self) -> str | None:
        """What `redo` would bring back; None when there is nothing."""
        return self._history.redo_label

    def refit(self, *, restart: bool = True) -> None:
        """Fit again, by default from the initialisation; answers and settings stay."""
        weights = None if restart else self._state.weights
        self._notify(self._enter(replace(self._state, weights=weights)))

    def wait(self) -> None:
        """Wait until no fit is going on in the background; SessionError when it failed."""
        try:
            self._fitter.wait()
        except Exception as error:
            self._fail(error)
            raise SessionError(self._fit_error) from error

    # How an action happens -------------------------------------------------------------------------------------------

    def _change(self, label: str, changed: Change, *, merge: bool = False, **fields: Any) -> None:
        before = self._state
        happened = self._advance(**fields)
        self._history.record(Step(label, changed, before, mergeable=merge))
        self._notify(changed | happened)

    def _advance(self, **fields: Any) -> Change:
        """Go on to a state with other fields, from the weights of now where they fit."""
        before = self._state
        state = replace(before, **fields, weights=None)  # raises when the new state is impossible
        if state.subject is before.subject and state.settings.same_weights(self._latest.request.settings):
            state.weights = self.fit.weights
        return self._enter(state)

    def _go(self, move: Callable[[State], Step], back: Callable[[State], Step]) -> None:
        step = move(self._state)
        try:
            happened = self._enter(step.state)
        except BaseException:
            back(step.state)
            raise
        self._notify(step.changed | happened)

    def _enter(self, state: State, *, keep: bool = True) -> Change:
        """Make a state the current one, first on disk and then fitted, or else leave everything as it was."""
        before, skipped = self._state, self._skipped
        kept, trace, busy = (self.path, self.save_error), self._trace, self.busy
        self._fit_error = None
        try:
            self._state = state
            self._skipped = skipped if state.subject is before.subject else []
            if keep:
                self._keep()
            self._acting = True
            self._refit()
        except BaseException as error:
            self._state, self._skipped = before, skipped
            if keep:
                self._keep()
            if isinstance(error, ArithmeticError | ValueError):  # numbers that no model can be fitted to
                raise SessionError(f"the model can't be fitted: {error}") from error
            raise
        finally:
            self._acting = False
        changes = {
            Change.SAVED: (self.path, self.save_error) != kept,
            Change.FIT: self._trace is not trace,
            Change.BUSY: self.busy != busy,
        }
        return reduce(or_, (change for change, happened in changes.items() if happened), Change(0))

    def _refit(self) -> None:
        state, settings = self._state, self._state.settings
        features = self.features
        if state.weights is not None and state.weights.coef.shape != (settings.n_clusters, features.rows.shape[1]):
            state.weights = None
        start, reference = None if settings.restart else state.weights, self._reference(features)
        self._fitter.start(Request(state.subject, features, settings, state.answers.triplets, start, reference))
        if self._trace is None or self._trace.request.subject is not state.subject:
            self._fitter.wait()  # a picture of these points can't be drawn with a model of others

    def _reference(self, features: Features) -> NDArray[np.float64] | None:
        """Memberships of the points in the model whose cluster numbers the next fit keeps; None when there is none."""
        state = self._state
        if self._trace is not None and self._trace.request.subject is state.subject:
            return self.fit.proba
        return None if state.weights is None else state.weights.proba(features.rows)

    def _take(self, trace: Trace) -> None:
        busy = self._trace is not None and not self._acting
        self._trace = trace
        # A state keeps where its fit began, so that coming back to it, or loading it, makes the same fit again.
        self._state.weights = trace.start or self._state.weights
        request = trace.request
        self._quality.add(request.subject, len(request.triplets), trace.fit.labels)
        if busy:
            self._notify(Change.FIT | Change.BUSY)

    def _receive(self, result: Callable[[], None]) -> None:
        """Take what a fit in the background delivers."""
        try:
            result()
        except Exception as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        """Tell that a fit in the background failed: data, settings and answers stay, and so does the old model."""
        self._fit_error = (
            f"The model can't be fitted: {str(error) or type(error).__name__}. The picture shows the one before; the "
            "answers are kept, and undo takes the last step back."
        )
        self._notify(Change.BUSY)

    # Observers -------------------------------------------------------------------------------------------------------

    def observe(self, callback: Callable[[Event], object]) -> Callable[[], None]:
        """Call `callback` after each change. An error in it becomes a warning; the session and others go on.

        Returns
        -------
        callable
            Ends the observation.
        """
        self._observers.append(callback)
        return lambda: self._observers.remove(callback)

    def _notify(self, changed: Change) -> None:
        for callback in tuple(self._observers):
            try:
                callback(Event(changed))
            except Exception as error:
                warnings.warn(f"an observer of the session failed: {error!r}", RuntimeWarning, stacklevel=2)

    # Keeping and export ----------------------------------------------------------------------------------------------

    @property
    def path(self) -> Path | None:
        """The file that keeps the answers to these data, once there are some."""
        return self._keeper.path(self._state.subject)

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
        """Why the last change went to another file than those before; None when it did not."""
        return self._keeper.note

    def _keep(self, *, whole: bool = False) -> None:
        self._keeper.keep(self._document(), whole=whole)

    def _document(self) -> Document:
        return Document(self._state, self._quality.measured(self._state.subject))

    def save(self, path: str | PathLike[str]) -> Path:
        """Write a copy of the session, data included, into one .json file, and return its path.

        A name without suffix gets .json. A file that this session did not write, or that someone has changed since, is
        never replaced.
        """
        path = session_file(path)
        if path.suffix != ".json":
            raise SessionError(f"a session file must end in .json, got {path.name!r}")
        if path == self.path:  # no copy: every answer goes there anyway
            self._keep(whole=True)
            if self.save_error:
                raise SessionError(self.save_error)
            return path
        try:
            self._keeper.copy(self._document(), path)
        except FileExistsError as error:
            raise SessionError(
                f"{path} exists and was not written by this session. It was left untouched: give another name"
            ) from error
        except OSError as error:
            raise SessionError(f"{path} can't be written: {error.strerror or error}") from error
        return path

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
            As for the session.
        """
        path = session_file(path)
        document = reading.load(path)
        session = cls.__new__(cls)
        keeper = Keeper.going_on(path, document) if autosave else Keeper(None)
        session._begin(document, keeper, background)
        return session

    @staticmethod
    def resumable(folder: str | PathLike[str] = ".") -> list[reading.SavedSession]:
        """Return the sessions with answers that a folder holds, the latest first. Nothing is loaded or changed."""
        return reading.find_sessions(absolute(folder))

    def export(self, ending: str, content: Save | Mapping[str, Save]) -> Path:
        """Write something about the session into a file, or a folder of files, named after the data.

        It lies beside the file that keeps the answers, or else in the working folder. What this session did not write
        is never replaced: the name gets a number then.

        Parameters
        ----------
        ending : str
            As "answers.csv" for a file or "png" for a folder.
        content : callable(file) or mapping of file name to such
            Writes into the binary file that it is given.

        Returns
        -------
        Path
            What was written.
        """
        folder = absolute(".") if self.path is None else self.path.parent
        return self._keeper.export(folder / f"{safe_name(self.dataset.name)}-{ending}", content)

    def to_csv(self) -> str:
        """Return the answers as CSV."""
        return export.answers_as_csv(self.answers)

    def to_code(self) -> str:
        """Return a Python program that makes the current fit again."""
        return export.fit_as_code(self._latest)

    def figure(self, panel: str = "canvas", **options: Any) -> Figure:
        """Return a matplotlib figure of the canvas or of a panel: see :func:`dcrc_explore.session.export.figure`."""
        return export.figure(self, panel, **options)


def _answers_label(before: int, after: int) -> str:
    return f"answer {after}" if after == before + 1 else f"answers {before + 1} to {after}"


def _natural_clusters(subject: Subject, default: int) -> int:
    n_classes = subject.dataset.n_classes
    return default if n_classes is None or n_classes > MOST_CLUSTERS else max(2, n_classes)


class _clear_errors:
    """Turns a ValueError of the library, whose message says what was expected, into a SessionError."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ValueError) and not isinstance(error, SessionError):
            raise SessionError(str(error)) from error
