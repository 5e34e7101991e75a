"""What a control is, those of the model and of the view, and long work that one begins. The browser draws them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from time import monotonic
from typing import Any, Generic, Literal, TypeVar, cast

from dcrc_explore.datasets import Watch
from dcrc_explore.session import Exploration, Session, Settings
from dcrc_explore.session.background import Deliver, in_background
from dcrc_explore.session.story import differences, repeats_in_words, weight_in_words
from dcrc_explore.settings import SETTINGS, Setting, number
from dcrc_explore.widgets.protocol.sent import ControlSent, Options

Kind = Literal["choice", "switch", "toggle", "slider", "text", "button", "menu", "words", "progress", "columns"]
Do = Callable[[Any, Any], object]  # gets a session and a value, and returns the message to show


@dataclass(frozen=True)
class Control:
    """A control: what it shows now, and what happens when a person moves it.

    One without a label stands in the line of the one before it. ``protocol/sent.py`` says what the rest means.
    """

    name: str
    kind: Kind
    label: str = ""
    words: str = ""
    help: str = ""
    value: Any = None
    do: Do = lambda session, value: None
    options: Sequence[tuple[Any, str, str]] = ()
    limits: Sequence[float] = ()
    marks: Sequence[tuple[float, str]] = ()
    off: bool = False
    late: bool = False
    enter: str = ""
    doing: str = ""

    @cached_property
    def sent(self) -> ControlSent:
        """What the browser draws; the value, which changes more often, goes beside it."""
        looks = {each: getattr(self, each) for each in ("label", "words", "help", "off", "late", "enter", "doing")}
        looks["options"] = [dict(zip(("value", "label", "help"), each, strict=True)) for each in self.options]
        looks["limits"] = list(self.limits)
        looks["marks"] = [{"value": value, "label": label} for value, label in self.marks]
        return cast(ControlSent, {"name": self.name, "kind": self.kind} | {k: v for k, v in looks.items() if v})

    def checked(self, value: Any) -> Any:
        """Return a value that the control can have; ValueError for any other.

        Examples
        --------
        >>> Control("map", "choice", options=[("none", "None", "")]).checked("all")
        Traceback (most recent call last):
            ...
        ValueError: map must be one of none, got 'all'
        """
        if self.off:
            raise ValueError(f"{self.name} cannot be changed now")
        known = [option[0] for option in self.options]
        if self.kind in ("choice", "menu") and value not in known:
            raise ValueError(f"{self.name} must be one of {', '.join(map(str, known))}, got {value!r}")
        expected: Any = {"switch": bool, "toggle": bool, "slider": int | float | str, "text": str, "columns": list}
        if not isinstance(value, expected.get(self.kind, object)):
            raise ValueError(f"{self.name} is a {self.kind}, got {value!r}")
        return value


@dataclass(frozen=True)
class Group:
    """A group of controls, which is described again when what it `depends` on is not what it was."""

    depends: tuple[Hashable, ...]
    controls: Callable[[], Iterable[Control]] = field(compare=False)


class Board:
    """The controls on show, by groups."""

    def __init__(self, groups: Callable[[], Mapping[str, Group]], put: Callable[..., None]) -> None:
        self._groups, self._put = groups, put
        self._described: dict[str, tuple[Group, list[Control]]] = {}
        self.listed: dict[str, Control] = {}

    def show(self) -> None:
        """Let the controls show what is the case. A group is described again when what it depends on has changed."""
        before, groups = self._described, self._groups()
        same = {name for name, (group, _) in before.items() if groups.get(name) == group}
        if same == before.keys() == groups.keys():
            return
        described = {
            name: before[name] if name in same else (each, list(each.controls())) for name, each in groups.items()
        }
        self._described = described
        self.listed = {control.name: control for _, controls in described.values() for control in controls}
        self._put(
            controls={name: [control.sent for control in controls] for name, (_, controls) in described.items()},
            values={name: control.value for name, control in self.listed.items()},
        )

    def move(self, session: Session, name: str, value: Any = None) -> object:
        """Do what a person does with a control, and return the message to show."""
        if name not in self.listed:
            raise ValueError(f"there is no control {name!r} now")
        control = self.listed[name]
        return control.do(session, control.checked(value))


@lru_cache(maxsize=16)
def setting_controls(settings: Settings, where: str) -> tuple[Control, ...]:
    """Return the controls of all settings that have one."""
    shown = (setting for setting in SETTINGS if setting.options or setting.scale or setting.powers)
    return tuple(setting_control(setting, settings, where) for setting in shown)


def setting_control(setting: Setting, settings: Settings, where: str) -> Control:
    """Return the control of a setting, named after it; the name of a second model's begins with `where`."""
    value = getattr(settings, setting.name)
    slider = bool(setting.scale or setting.powers)

    def do(session: Any, value: Any) -> None:
        session.set(merge=slider, **{setting.name: value})  # all places of a slider that is drawn are one step to undo

    given: dict[str, Any] = {
        **{"name": where + setting.name, "label": setting.label, "help": setting.help, "value": value, "do": do},
        "off": not setting.makes_sense(settings),
    }
    options = [(option.value, option.label, option.help) for option in setting.options]
    if setting.scale:
        low, high, step = setting.scale
        return Control(kind="slider", limits=(min(low, value), max(high, value), step), marks=setting.marks, **given)
    if setting.powers:
        low, high = setting.powers
        places = {2.0**exponent for exponent in range(low, high + 1)} | ({value} - {setting.word})
        return Control(
            kind="slider", options=[*options, *((each, number(each), "") for each in sorted(places))], **given
        )
    if len(options) == 1:
        return Control(kind="switch", words=options[0][1], **given)
    return Control(kind="choice", options=options, **given)


_HARDNESS = (
    (True, "Soft", "An answer may be wrong, with probability ε: where points lie counts too"),
    (False, "Hard", "ε = 0: the memberships Q obey every answer they can; the boundary may not follow them"),
)


def hardness(session: Exploration, soft: float, name: str = "hardness", label: str = "") -> Control:
    """Return the choice between soft and hard answers; `soft` is epsilon when they are not hard."""

    def harden(session: Any, is_soft: bool) -> None:
        session.set(epsilon=soft if is_soft else 0.0)

    return Control(name, "choice", label, value=session.settings.epsilon != 0, do=harden, options=_HARDNESS)


def model_controls(session: Exploration, soft: float, where: str = "") -> Iterator[Control]:
    """List everything that decides how the model learns from the answers; `soft` is its epsilon when it is not hard."""
    state = session.state
    settings = state.settings
    yield hardness(session, soft, f"{where}soft", "Answers are")
    for control in setting_controls(settings, where):
        yield control
        if control.name == f"{where}repeats":
            yield Control(f"{where}repeated", "words", value=repeats_in_words(state))
        if control.name == f"{where}weighting":
            weight = weight_in_words(len(state.log), len(state.subject.dataset.X), settings.weighting)
            yield Control(f"{where}weight", "words", value=weight)
    if not where:
        about, changed = "Set every setting to its default; answers stay", differing(session)
        yield Control("reset", "button", "Settings", "Reset", about, do=lambda each, _: each.reset(), off=not changed)
        yield Control("changed", "words", value=f"Not the default: {changed}." if changed else "")
    yield Control(f"{where}hint", "words", value=session.model.hint)


def differing(session: Exploration) -> str:
    """Say which settings differ from those with which the data begin; nothing when none does.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> differing(Session("close", autosave=None, epsilon=0, balance=False))
    'Answers: hard, ε = 0; Balance: off'
    """
    state = session.state
    found = differences(state.subject.settings, state.settings)
    return "; ".join(f"{each.setting}: {each.second}" for each in found)


def putting(owner: object, name: str) -> Do:
    """Return what puts a value where an object has it."""
    return lambda _, value: setattr(owner, name, value)


def text_field(fields: dict[str, str], name: str, label: str, placeholder: str, **given: Any) -> Control:
    """Return a field whose text is stored in `fields`."""

    def do(_: Any, text: str) -> None:
        fields[name] = text.strip()

    return Control(name, "text", label, placeholder, value=fields.get(name, ""), do=do, **given)


def menu(name: str, label: str, options: Iterable[tuple[Any, str]], value: Any, do: Do, **given: Any) -> Control:
    """Return a menu of values and what they are called."""
    return Control(name, "menu", label, value=value, do=do, options=[(*option, "") for option in options], **given)


# How the picture is looked at ---------------------------------------------------------------------------------------

_CLUSTER = ("probability", "Cluster", "Probability of one cluster; choose it in the legend under the picture")
_MAPS = (
    ("entropy", "Entropy", "How uncertain the model is: darker is less certain"),
    ("regions", "Regions", "The most probable cluster"),
    _CLUSTER,
    ("none", "None", "Boundaries only"),
)
# Where the plane does not tell the model, each point has its own value around it.
_HALOS = (
    ("entropy", "Entropy", "How uncertain the model is of each point: darker is less certain"),
    _CLUSTER,
    ("none", "None", "Points only"),
)
_ITEMS = (
    "Show items where there is room, in the colour of their cluster, and dots elsewhere; zoom in to see more of them "
    "and to read texts. Off: dots alone"
)
_PLANE = (
    "The plane that shows points with more than two features: where they vary most (PCA), where the model separates "
    "the clusters (with its boundaries), or two of the features"
)
_LINKS = "Answers drawn: solid to the more similar point, dashed to the other, dotted for don't know"
_TEACH = "After each of your answers, say what the true classes would have answered"


def view_controls(
    session: Session, view: Options, show: Callable[..., object], *, drawn: bool, truth: bool, teach: bool
) -> Iterator[Control]:
    """List what is drawn, and in which plane; maps are offered where they are `drawn`, else halos."""
    names = session.dataset.feature_names
    plane = view["plane"]
    if len(names) > 2:

        def choose(_: object, kind: str) -> None:
            show(plane=(0, 1) if kind == "features" else kind)

        kinds = [("pca", "PCA"), ("model", "Model"), ("features", "Features")]
        yield menu("plane", "Plane", kinds, plane if isinstance(plane, str) else "features", choose, help=_PLANE)
        if not isinstance(plane, str):
            for axis, (name, words) in enumerate((("across", "horizontal"), ("up", "vertical"))):
                about, do = f"The feature on the {words} axis", partial(_turn, show, plane, axis)
                yield menu(name, "", enumerate(names), plane[axis], do, help=about)
    if session.dataset.cards.kind != "rows":
        yield Control("items", "toggle", "", "Items", _ITEMS, view["items"], lambda _, on: show(items=on))
    maps = _MAPS if drawn else _HALOS
    label = "Map" if drawn else "Halos"
    yield Control("map", "choice", label, value=view["map"], do=lambda _, v: show(map=v), options=maps)
    links = [(kind, kind) for kind in ("last + violated", "all", "last", "violated", "none")]
    yield menu("links", "Answers", links, view["links"], lambda _, kind: show(links=kind), help=_LINKS)
    if truth and session.dataset.y is not None:
        words = "◉ shown" if view["truth"] else "○ hidden"
        about = "Show the true classes as rings; quality and verdicts are measured against them either way"
        yield Control("truth", "toggle", "Truth", words, about, view["truth"], lambda _, on: show(truth=on))
        if teach:
            yield Control("teach", "toggle", "", "Teach me", _TEACH, view["teach"], lambda _, on: show(teach=on))


def _turn(show: Callable[..., object], plane: tuple[int, int], axis: int, _: object, d: int) -> None:
    """Show a feature on an axis of a plane; the other one never has the same feature."""
    other = plane[1 - axis] if plane[1 - axis] != d else int(d == 0)
    show(plane=(other, d) if axis else (d, other))


# Long work that a control begins ------------------------------------------------------------------------------------

Result = TypeVar("Result")
Action = Callable[[Session], object]
Act = Callable[[Action], None]  # does something with the session, and shows the controls as they are then
_PATIENCE, _BREATH = 0.5, 0.2  # seconds until progress is shown, and between two messages


class Stopped(Exception):
    """A person stopped the work."""


class Work(Generic[Result]):
    """Long work that a control begins: here and now without a background, else in a thread of its own.

    Examples
    --------
    >>> session = Session("close", autosave=None)
    >>> work = Work(lambda action: action(session))
    >>> work.start(session, lambda watch: watch(1, 2, "images") or 7, lambda _, n: f"{n} images.", doing="Reading")
    >>> work.words
    '7 images.'
    """

    def __init__(self, act: Act) -> None:
        self._act = act
        self._run: object = None  # the one that goes on; what another one has to say is not heard
        self.words = ""  # how far it is, or how it ended

    @property
    def is_running(self) -> bool:
        """Whether the work goes on."""
        return self._run is not None

    def start(
        self,
        session: Session,
        work: Callable[[Watch], Result],
        done: Callable[[Session, Result], str | None],
        *,
        doing: str,
        failure: Callable[[Exception], Exception] = lambda error: error,
    ) -> None:
        """Begin; `work` reports its progress to a watch, and `done` takes its result and returns what to say then.

        `doing` stands before the words on how far it is; a person sees the `failure` instead of an error.
        """
        run = self._run = object()
        self.words = ""
        reported = monotonic() + _PATIENCE - _BREATH

        def begin(deliver: Deliver) -> None:
            def hand_over(action: Action) -> None:
                deliver(lambda: self._act(action) if self._run is run else None)

            def watch(n: int, total: int, what: str) -> None:
                nonlocal reported
                if self._run is not run:
                    raise Stopped
                if monotonic() > reported + _BREATH:
                    reported = monotonic()
                    hand_over(lambda _: self._say(f"{doing} {n:,} of {total:,} {what}"))

            def finish(session: Session, result: Result) -> None:
                self.stop("")
                self.words = done(session, result) or ""

            def fail(error: Exception) -> None:
                self.stop("")
                raise failure(error)

            try:
                result = work(watch)
            except Stopped:
                return
            except Exception as error:
                hand_over(lambda _, error=error: fail(error))  # type: ignore[misc]
            else:
                hand_over(lambda session: finish(session, result))

        in_background(begin, session.background)

    def stop(self, words: str) -> None:
        """End the work, of which nothing comes any more, and say this about it."""
        self._run, self.words = None, words

    def _say(self, words: str) -> None:
        self.words = words
