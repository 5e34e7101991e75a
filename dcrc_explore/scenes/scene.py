"""What a scene is made of: plain records without any behaviour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

TABS = ("data", "model", "ask", "answers", "people", "clusters", "why", "session")
MAPS = ("entropy", "regions", "probability", "none")
MODELS = ("both", "first", "second")
PLACES = ("anywhere", "sure")
MOST_STEPS = 3


@dataclass(frozen=True)
class SceneView:
    """How a scene is shown.

    Attributes
    ----------
    map : {"entropy", "regions", "probability", "none"}
        What is drawn under the points.
    truth : bool
        Whether the true classes are shown.
    lecture : bool
        Whether the scene can be shown in lecture view; if not, it leaves that view.
    draw : bool
        Whether points can be drawn by hand. A scene goes on with what was drawn.
    tab : str
        The tab that is opened with one model, such as "clusters"; "" leaves the one that is open.
    ask : bool
        Whether questions come by themselves; else nobody is asked before they press Enter or click three points.
    """

    map: str = "regions"
    truth: bool = False
    lecture: bool = True
    draw: bool = False
    tab: str = ""
    ask: bool = False


@dataclass(frozen=True)
class SceneAnswers:
    """Answers that are given at once: explicit rows, or a number of simulated ones.

    Attributes
    ----------
    rows : tuple of (i, j, k) or (i, j, k, answer)
        Questions; those without an answer are answered by the truth.
    n : int
        Instead of rows: how many questions are asked.
    questions : str
        Strategy that chooses these questions, see :func:`~dcrc_explore.questions.list_strategies`.
    only : {"", "dnk", "yes-no"}
        Ask only questions of which this is the true answer (random questions).
    by : str
        Who answers. Each name has errors of its own once the model learns them.
    errs : float or str
        Error rate, or "guessing", "exchanging", "people" or "forced" for a way to err; the last tosses a coin instead
        of saying don't know.
    wrong : int
        Instead of a rate: exactly this many answers are changed to wrong ones.
    model : {"both", "first", "second"}
        Which of two models gets the answers.
    """

    rows: tuple[tuple[Any, ...], ...] = ()
    n: int = 0
    questions: str = "random"
    only: str = ""
    by: str = "truth"
    errs: float | str = 0.0
    wrong: int = 0
    model: str = "both"


@dataclass(frozen=True)
class SceneStep:
    """A sentence for the person, and what the Next button does after it has been read.

    Attributes
    ----------
    text : str
        What to do and where to look.
    set, beside : mapping
        Settings to change, of the first and of the second model.
    view : mapping
        Fields of :class:`SceneView` to change.
    answers : tuple of SceneAnswers
        Answers to add.
    plant : int
        How many right answers, each a yes or a no, become their opposite.
    where : {"anywhere", "sure"}
        Which answers these are: drawn at random, or those that the first model is surest of.

    Examples
    --------
    >>> SceneStep("Press Next: answers become hard.", set={"epsilon": 0}).acts, SceneStep("Look at the boundary.").acts
    (True, False)
    """

    text: str
    set: Mapping[str, Any] = field(default_factory=dict)
    beside: Mapping[str, Any] = field(default_factory=dict)
    view: Mapping[str, Any] = field(default_factory=dict)
    answers: tuple[SceneAnswers, ...] = ()
    plant: int = 0
    where: str = "anywhere"

    @property
    def acts(self) -> bool:
        """Whether Next does something besides showing the following step."""
        return bool(self.set or self.beside or self.view or self.answers or self.plant)


@dataclass(frozen=True)
class Moment:
    """A model at some time of a scene: after `step` steps (0 is the opening), the first or the second one.

    Examples
    --------
    >>> str(Moment(1)), str(Moment(0, second=True))
    ('step 1', 'opening beside')
    """

    step: int
    second: bool = False

    def __str__(self) -> str:
        return (f"step {self.step}" if self.step else "opening") + (" beside" if self.second else "")


@dataclass(frozen=True)
class Effect:
    """What a scene promises, to be measured: one model agrees better with the truth than another.

    Attributes
    ----------
    words : str
        What is compared.
    better, worse : Moment
    by : float
        Least difference of the adjusted Rand indices that the scene's own seed must show.
    means : (float, float), optional
        Mean adjusted Rand indices of both over twenty seeds, as ``tests/benchmarks/scenes.py`` measured them.
    """

    words: str
    better: Moment
    worse: Moment
    by: float = 0.1
    means: tuple[float, float] | None = None

    def __str__(self) -> str:
        return self.words if self.means is None else "{}: {:.2f} against {:.2f}".format(self.words, *self.means)


@dataclass(frozen=True)
class Scene:
    """Data, settings, answers already given, and at most three steps.

    Attributes
    ----------
    name : str
        The name of its file, without number and ending.
    title, promise : str
        For a menu: a few words, and one sentence that says what will be seen.
    data : mapping
        ``name`` of a generator or of a data set that everyone has, with parameters of the generator; or ``file``, a
        path, with ``y``, the column of the true classes; or ``points``, a drawing as links have it. ``standardize``
        gives features mean 0 and deviation 1.
    settings : mapping
        Of the (first) model, where they differ from the defaults; ``n_clusters`` is K.
    beside : mapping or None
        Settings in which a second model, drawn side by side, differs; None for a single model.
    view : SceneView
    answers : tuple of SceneAnswers
        Given before the scene opens.
    steps : tuple of SceneStep
    effects : tuple of Effect
    seed : int
        Of the data, the initialisation and all simulated answers, unless data or settings have one of their own.

    Examples
    --------
    >>> steps = (SceneStep("Press Next: five answers.", answers=(SceneAnswers(n=5),)),)
    >>> Scene("mine", "My scene", "Answers help.", {"name": "close"}, steps=steps).steps[0].acts
    True
    """

    name: str
    title: str
    promise: str
    data: Mapping[str, Any]
    settings: Mapping[str, Any] = field(default_factory=dict)
    beside: Mapping[str, Any] | None = None
    view: SceneView = SceneView()
    answers: tuple[SceneAnswers, ...] = ()
    steps: tuple[SceneStep, ...] = ()
    effects: tuple[Effect, ...] = ()
    seed: int = 0

    @property
    def about(self) -> str:
        """The promise, and what was measured over twenty seeds."""
        measured = "; ".join(str(effect) for effect in self.effects if effect.means is not None)
        return f"{self.promise} Mean agreement with the truth over 20 seeds: {measured}." if measured else self.promise
