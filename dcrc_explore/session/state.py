"""What a session is at a moment: settings, data and answers, each checked once, where it comes in; what changed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Flag, auto
from functools import cached_property
from inspect import cleandoc
from os.path import isdir
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.constraints import LONGEST_NAME, Answer, Log
from dcrc_explore.datasets import Dataset, as_dataset, list_datasets, list_real_datasets, load_dataset, make_dataset
from dcrc_explore.model.softmax import Weights
from dcrc_explore.model.validation import ignores_answers
from dcrc_explore.plane import Extent, View
from dcrc_explore.progress import Watch
from dcrc_explore.questions.repeats import Repeats, count_repeats
from dcrc_explore.settings import MOST_CLUSTERS, SETTINGS, find, reference
from dcrc_explore.words import count

ANYBODY = "user"  # who answers as long as nobody has given a name
# Characters of a name or a description: longer ones could not be shown, and are not read from a file.
_LONGEST_TEXT = 10_000


class SessionError(ValueError):
    """Something the user asked for cannot be done. The message says what to do; the session is unchanged.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> Session("far", autosave=None).undo()
    Traceback (most recent call last):
        ...
    dcrc_explore.session.state.SessionError: there is nothing to undo
    """


class clear_errors:
    """Turns a ValueError of the library, whose message says what was expected, into a SessionError."""

    kinds: ClassVar[tuple[type[Exception], ...]] = (ValueError,)

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, self.kinds) and not isinstance(error, SessionError):
            raise SessionError(str(error)) from error


class clear_data_errors(clear_errors):
    """The same for data of a user's own, which may also have other types, be in no file, or need what is missing."""

    kinds = (ValueError, TypeError, OSError, ImportError)


@dataclass(frozen=True)
class Settings:
    """Everything that decides the fit besides data and answers.

    Parameters
    ----------
    {reference}

    Examples
    --------
    >>> Settings(n_clusters=4).epsilon
    0.05
    >>> Settings(epsilon=0.9)
    Traceback (most recent call last):
        ...
    dcrc_explore.session.state.SessionError: epsilon must be a number between 0 and 0.667, got 0.9
    """

    n_clusters: int = find("n_clusters").default
    epsilon: float = find("epsilon").default
    repeats: bool = find("repeats").default
    tau: float = find("tau").default
    lam: float = find("lam").default
    balance: bool = find("balance").default
    use_dnk: bool = find("use_dnk").default
    weighting: str = find("weighting").default
    per_person: bool = find("per_person").default
    kernel: str = find("kernel").default
    gamma: float | str = find("gamma").default
    restart: bool = find("restart").default
    random_state: int = find("random_state").default
    open_k: bool = find("open_k").default

    def __post_init__(self) -> None:
        with clear_errors():
            for setting in SETTINGS:
                object.__setattr__(self, setting.name, setting.checked(getattr(self, setting.name)))

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Return the names of all settings."""
        return tuple(setting.name for setting in SETTINGS)

    def changed(self, changes: Mapping[str, Any]) -> Settings:
        """Return settings with these values changed; another K is a chosen one, unless `open_k` says otherwise."""
        unknown = set(changes) - set(self.names())
        if unknown:
            raise SessionError(f"settings are {', '.join(self.names())}, got {sorted(unknown)[0]!r}")
        if changes.get("n_clusters", self.n_clusters) != self.n_clusters:
            changes = {"open_k": False, **changes}
        return replace(self, **changes)

    def model_parameters(self) -> dict[str, Any]:
        """Return the arguments of :class:`~dcrc_explore.DCRC` that these settings stand for."""
        return {setting.name: getattr(self, setting.name) for setting in SETTINGS if setting.of_model}

    def learns_people(self, names: Collection[str]) -> bool:
        """Whether each of these people has a noise model of their own: there are several, and answers count softly."""
        return self.per_person and self._is_soft and len(names) > 1

    @property
    def estimates_epsilon(self) -> bool:
        """Whether repeated questions correct epsilon: answers count softly."""
        return self.repeats and self._is_soft

    @property
    def _is_soft(self) -> bool:
        return self.epsilon > 0 and not ignores_answers(self.epsilon)

    def same_weights(self, other: Settings) -> bool:
        """Whether a fit with these settings can continue from weights that were fitted with the others."""
        return all(getattr(self, each.name) == getattr(other, each.name) for each in SETTINGS if each.reshapes)


if Settings.__doc__ is not None:  # python -OO leaves it out
    Settings.__doc__ = cleandoc(Settings.__doc__).replace("{reference}", reference())


# The data -----------------------------------------------------------------------------------------------------------


def as_rows(rows: ArrayLike, n_samples: int) -> IntArray:
    """Check row numbers and return them in order, each once.

    Examples
    --------
    >>> as_rows([5, 2, 5], 10)
    array([2, 5])
    >>> as_rows([5, 10], 10)
    Traceback (most recent call last):
        ...
    dcrc_explore.session.state.SessionError: rows must be whole numbers from 0 to 9, got 10
    """
    values = np.asarray(rows)
    if not values.size:
        return np.empty(0, dtype=np.int64)
    bad = values if values.dtype.kind not in "iu" else values[(values < 0) | (values >= n_samples)]
    if bad.size:
        raise SessionError(f"rows must be whole numbers from 0 to {n_samples - 1}, got {bad.flat[0]}")
    return np.unique(values)


def standardized_name(name: str) -> str:
    """Return what data are called once their features are standardised."""
    return f"{name}, standardised"


def check_texts(dataset: Dataset) -> None:
    """Raise SessionError for names that are too long for a session file.

    Examples
    --------
    >>> check_texts(Dataset(np.zeros((2, 1)), None, "x" * 20_000))
    Traceback (most recent call last):
        ...
    dcrc_explore.session.state.SessionError: the data's name may have at most 10000 characters, got 20000
    """
    one = {"the data's name": dataset.name, "the data's description": dataset.description}
    many = {"the name of a feature": dataset.feature_names, "the name of a class": dataset.class_names}
    for what, texts in {**{what: (text,) for what, text in one.items()}, **many}.items():
        for text in texts:
            if len(text) > _LONGEST_TEXT:
                raise SessionError(f"{what} may have at most {_LONGEST_TEXT} characters, got {len(text)}")


class Subject:
    """A data set with its place in the plane.

    Parameters
    ----------
    dataset : Dataset
    before : Subject, optional
        The drawing that these points continue: its file holds them too.

    Examples
    --------
    >>> subject = Subject(as_dataset([[0.0, 0, 1], [1, 0, 0], [0, 2, 0]]))
    >>> subject.points.shape, subject.is_projected
    ((3, 2), True)
    """

    def __init__(self, dataset: Dataset, before: Subject | None = None) -> None:
        check_texts(dataset)
        self.dataset = dataset
        self._origin = None if before is None else before.origin

    @classmethod
    def of(
        cls,
        data: Any,
        y: ArrayLike | str | None = None,
        parameters: Mapping[str, Any] | None = None,
        items: Any = None,
        ignore: Sequence[str] = (),
        drop_incomplete: bool = False,
        features: Any = None,
    ) -> Subject:
        """Make a subject of a name with parameters, of a user's own points, or of a file."""
        known = isinstance(data, str) and data in (*list_datasets(), *list_real_datasets())
        with clear_data_errors():
            if known and (y is not None or items is not None or ignore or drop_incomplete or features is not None):
                taken = "y, items, features, ignore and drop_incomplete"
                raise ValueError(f"only data of your own take {taken}, got {data!r}")
            if isinstance(data, str) and data in list_datasets():
                return cls(make_dataset(data, **(parameters or {})))
            if parameters:
                raise ValueError(f"only a generator ({', '.join(list_datasets())}) takes parameters, got {data!r}")
            if known:
                return cls(load_dataset(data))
            if isinstance(data, Dataset) and data.drawing is not None and y is None and items is features is None:
                return cls(data)
            if isinstance(data, str) and not Path(data).suffix and not isdir(Path(data).expanduser()):
                names = ", ".join([*list_datasets(), *list_real_datasets()])
                raise ValueError(
                    "data must be points, a .csv, .npz, .npy or .txt file, a folder of images, sounds or texts, "
                    f"or one of {names}, got {data!r}"
                )
            own = as_dataset(data, y, items=items, features=features, ignore=ignore, drop_incomplete=drop_incomplete)
            return cls(own)

    @property
    def origin(self) -> Subject:
        """The first points of a drawing; other data themselves."""
        return self._origin or self

    def with_features(self, features: Any, watch: Watch | None = None) -> Subject:
        """Return the same items with other features, which :func:`as_dataset` makes, or made before."""
        with clear_data_errors():
            made = features if isinstance(features, Dataset) else None
            made = made or as_dataset(self.dataset, features=features, watch=watch)
            if len(made.X) != len(self.dataset.X):
                raise ValueError(f"there must be features of {len(self.dataset.X)} items, got {len(made.X)}")
            return Subject(made)

    def regenerated(self, parameters: Mapping[str, Any]) -> Subject:
        """Make data again with the same generator, with these parameters changed."""
        name, old = self.dataset.name, self.dataset.parameters
        if not self.is_generated:
            raise SessionError(f"{name!r} was not generated: choose a generator first")
        return Subject.of(name, parameters={**old, **parameters})

    def standardized(self) -> Subject:
        """Return the same data with mean 0 and deviation 1 in each feature."""
        dataset = self.dataset.standardized()
        return Subject(replace(dataset, name=standardized_name(dataset.name), parameters={}))

    def natural_clusters(self, default: int) -> int:
        """Return the number of true classes, or the default where there are none or too many: at most N."""
        n_classes = self.dataset.n_classes
        if n_classes is None or n_classes > MOST_CLUSTERS:
            return min(default, len(self.dataset.X))
        return max(2, n_classes)

    @cached_property
    def settings(self) -> Settings:
        """The settings with which these data begin: the defaults, with as many clusters as there are true classes."""
        return Settings(n_clusters=self.natural_clusters(default=3), open_k=self.dataset.y is None)

    @cached_property
    def is_generated(self) -> bool:
        """Whether name and parameters are enough to make the same points again."""
        name, parameters = self.dataset.name, self.dataset.parameters
        if name not in list_datasets() or not parameters:
            return False
        return np.array_equal(make_dataset(name, **parameters).X, self.dataset.X)

    @property
    def is_projected(self) -> bool:
        """Whether the points of the plane are not the data itself."""
        return self.dataset.X.shape[1] != 2

    @cached_property
    def view(self) -> View:
        """The plane in which the points are seen: that of X, or of its first two principal components."""
        drawing = self.dataset.drawing
        view = View.of(self.dataset.X, self.dataset.feature_names)
        return view if drawing is None else replace(view, frame=drawing.frame)

    def numbering(self, K: int) -> FloatArray | None:
        """Return memberships that give clusters the numbers of the brushes with which they were drawn, if they were."""
        if self.dataset.drawing is None:
            return None
        k = np.unique(self.dataset.drawing.classes, return_inverse=True)[1]
        return np.eye(max(K, int(k.max()) + 1))[k][:, :K]

    @property
    def points(self) -> FloatArray:
        """Coordinates in the plane, shape (N, 2)."""
        return self.view.points

    @property
    def extent(self) -> Extent:
        """Bounds of the picture."""
        return self.view.extent


# All of it ----------------------------------------------------------------------------------------------------------


def cluster_text(name: str) -> str:
    """Return a cluster's name without extra spaces; SessionError when it is not allowed.

    Examples
    --------
    >>> cluster_text("  round   ones ")
    'round ones'
    """
    text = " ".join(name.split())
    if len(text) > LONGEST_NAME:
        raise SessionError(f"the name of a cluster must have at most {LONGEST_NAME} characters, got {len(text)}")
    if not text.isprintable():
        raise SessionError(f"the name of a cluster must have no invisible characters, got {text!r}")
    return text


@dataclass(frozen=True, eq=False)
class State:
    """Data, settings and answers."""

    subject: Subject
    settings: Settings
    log: Log = field(default_factory=Log)  # every answer
    # The model on the screen before this state, from which its fit continues; None asks for the initialisation. With
    # settings.restart only the cluster numbers are taken from it.
    weights: Weights | None = None
    names: tuple[str, ...] = ()  # name of each cluster, "" for those without one; empty when none has a name

    def __post_init__(self) -> None:
        if len(self.names) != self.settings.n_clusters or not any(self.names):
            object.__setattr__(self, "names", ())  # other clusters than those that were named
        N, K = len(self.subject.dataset.X), self.settings.n_clusters
        if N < K:
            raise SessionError(f"{K} clusters need at least {K} points, but the data has {N}: choose a smaller K")

    @property
    def n_answers(self) -> int:
        """How many answers there are."""
        return len(self.log)

    @cached_property
    def repeats(self) -> Repeats:
        """How many questions were answered twice by one person, and how often differently."""
        return count_repeats(self.log)

    @cached_property
    def fit_settings(self) -> Settings:
        """The settings of the fit: with the error rate that repeated questions show, if there are any."""
        if not self.settings.estimates_epsilon or not self.repeats.n:
            return self.settings
        return replace(self.settings, epsilon=self.repeats.error_rate(self.settings.epsilon))

    @property
    def annotators(self) -> tuple[str, ...]:
        """Who gave each answer, triplets first, when each person has a noise model of their own; otherwise nothing."""
        return self.log.annotators if self.settings.learns_people(self.log.names) else ()

    def cluster_name(self, k: int) -> str:
        """Return the name of cluster k: the one that a person gave it, or its number from 1 on.

        A model with more clusters, such as the one before an undo, has some without a name.
        """
        return dict(enumerate(self.names)).get(k) or str(k + 1)

    def renamed(self, k: int, name: str) -> State:
        """Return the same with another name for cluster k; SessionError when that cannot be."""
        K, text = self.settings.n_clusters, cluster_text(name)
        if not 0 <= k < K:
            raise SessionError(f"clusters are numbered from 0 to {K - 1} here, got {k}")
        names = list(self.names or [""] * K)
        names[k] = ""
        if text and text in names:
            raise SessionError(f"another cluster is called {text!r} already")
        names[k] = text
        return replace(self, names=tuple(names))


# What changed -----------------------------------------------------------------------------------------------------


class Change(Flag):
    """What an event is about."""

    DATA = auto()
    SETTINGS = auto()
    ANSWERS = auto()
    FIT = auto()  # a new model: labels, surface, panels
    BUSY = auto()  # a fit that takes long began, ended or failed: see busy and error of Session.model
    ADVICE = auto()  # Session.search.advice says what to try
    SAVED = auto()  # path or error of Session.file changed; its note may say why


def difference(before: State, after: State) -> Change:
    """Return in what two states differ; names of clusters count as settings."""
    changed = Change.DATA if after.subject is not before.subject else Change(0)
    if after.settings != before.settings or after.names != before.names:
        changed |= Change.SETTINGS
    return changed | Change.ANSWERS if after.log is not before.log else changed


def answers_label(before: int, after: int) -> str:
    """Say which answers make the difference between so many and more.

    Examples
    --------
    >>> answers_label(3, 4), answers_label(3, 8)
    ('answer 4', 'answers 4 to 8')
    """
    return f"answer {after}" if after == before + 1 else f"answers {before + 1} to {after}"


def change_label(before: NDArray[np.integer], after: NDArray[np.integer]) -> str:
    """Say how answers are changed.

    Examples
    --------
    >>> change_label(np.array([1, 1, 0]), np.array([1, -1, 0]))
    'answer 2: yes → no'
    >>> change_label(np.array([1, 1]), np.array([-1, 0]))
    'change of 2 answers'
    """
    changed = np.flatnonzero(before != after)
    if len(changed) != 1:
        return f"change of {count(len(changed), 'answer')}"
    (t,) = changed
    return f"answer {t + 1}: {Answer(int(before[t])).words} → {Answer(int(after[t])).words}"
