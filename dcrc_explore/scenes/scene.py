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
    """How a scene is shown."""

    map: str = "regions"  # "entropy" or "regions" or "probability" or "none": what is drawn under the points
    truth: bool = False  # whether the true classes are shown
    lecture: bool = True  # whether the scene can be shown in lecture view; if not, it leaves that view
    draw: bool = False  # whether points can be drawn by hand. A scene goes on with what was drawn.
    tab: str = ""  # the tab that is opened with one model, such as "clusters"; "" leaves the one that is open
    # Whether questions come by themselves; else nobody is asked before they press Enter or click three points
    ask: bool = False


@dataclass(frozen=True)
class SceneAnswers:
    """Answers that are given at once: explicit rows, or a number of simulated ones."""

    rows: tuple[tuple[Any, ...], ...] = ()  # questions; those without an answer are answered by the truth
    n: int = 0  # instead of rows: how many questions are asked
    questions: str = "random"  # strategy that chooses these questions, see list_strategies
    only: str = ""  # "" or "dnk" or "yes-no": ask only questions of which this is the true answer (random questions)
    by: str = "truth"  # who answers. Each name has errors of its own once the model learns them.
    # Error rate, or "guessing", "exchanging", "people" or "forced" for a way to err; the last tosses a coin instead of
    # saying don't know
    errs: float | str = 0.0
    wrong: int = 0  # instead of a rate: exactly this many answers are changed to wrong ones
    model: str = "both"  # "both" or "first" or "second": which of two models gets the answers


@dataclass(frozen=True)
class SceneStep:
    """A sentence for the person, and what the Next button does after it has been read.

    Examples
    --------
    >>> SceneStep("Press Next: answers become hard.", set={"epsilon": 0}).acts, SceneStep("Look at the boundary.").acts
    (True, False)
    """

    text: str  # what to do and where to look
    # Settings to change, of the first and of the second model
    set: Mapping[str, Any] = field(default_factory=dict)
    beside: Mapping[str, Any] = field(default_factory=dict)
    view: Mapping[str, Any] = field(default_factory=dict)  # fields of SceneView to change
    answers: tuple[SceneAnswers, ...] = ()  # answers to add
    plant: int = 0  # how many right answers, each a yes or a no, become their opposite
    # "anywhere" or "sure": which answers these are: drawn at random, or those that the first model is surest of
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
    """What a scene promises, to be measured: one model agrees better with the truth than another."""

    words: str  # what is compared
    better: Moment
    worse: Moment
    by: float = 0.1  # least difference of the adjusted Rand indices that the scene's own seed must show
    # Mean adjusted Rand indices of both over twenty seeds, as tests/benchmarks/scenes.py measured them
    means: tuple[float, float] | None = None

    def __str__(self) -> str:
        return self.words if self.means is None else "{}: {:.2f} against {:.2f}".format(self.words, *self.means)


@dataclass(frozen=True)
class Scene:
    """Data, settings, answers already given, and at most three steps.

    Examples
    --------
    >>> steps = (SceneStep("Press Next: five answers.", answers=(SceneAnswers(n=5),)),)
    >>> Scene("mine", "My scene", "Answers help.", {"name": "close"}, steps=steps).steps[0].acts
    True
    """

    name: str  # the name of its file, without number and ending
    # For a menu: a few words, and one sentence that says what will be seen
    title: str
    promise: str
    # "name" of a generator or of a data set that everyone has, with parameters of the generator; or "file", a path,
    # with "y", the column of the true classes; or "points", a drawing as links have it. "standardize" gives features
    # mean 0 and deviation 1.
    data: Mapping[str, Any]
    # Of the (first) model, where they differ from the defaults; n_clusters is K
    settings: Mapping[str, Any] = field(default_factory=dict)
    # Settings in which a second model, drawn side by side, differs; None for a single model
    beside: Mapping[str, Any] | None = None
    view: SceneView = SceneView()
    answers: tuple[SceneAnswers, ...] = ()  # given before the scene opens
    steps: tuple[SceneStep, ...] = ()
    effects: tuple[Effect, ...] = ()
    # Of the data, the initialisation and all simulated answers, unless data or settings have one of their own
    seed: int = 0

    @property
    def about(self) -> str:
        """The promise, and what was measured over twenty seeds."""
        measured = "; ".join(str(effect) for effect in self.effects if effect.means is not None)
        return f"{self.promise} Mean agreement with the truth over 20 seeds: {measured}." if measured else self.promise
