"""A link that sets the scene: data, settings and what is hidden, in the address of the page without code."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from dcrc_explore.datasets import Dataset, list_datasets, list_real_datasets, make_dataset
from dcrc_explore.datasets.drawn import as_text, from_text
from dcrc_explore.scenes import playable_scenes
from dcrc_explore.scenes.scene import MAPS
from dcrc_explore.session import Session, SessionError, Settings
from dcrc_explore.session.state import clear_errors
from dcrc_explore.values import FLAG, Rule, number, one_of, whole
from dcrc_explore.widgets.hosts import event_loop

if TYPE_CHECKING:
    from dcrc_explore.widgets.explorer import Explorer

VIEWS = ("whole", "lecture")  # how the Explorer is shown
# What a teacher may leave out of the Explorer.
GROUPS = ("data", "model", "ask", "answers", "people", "clusters", "why", "session", "panels", "truth", "compare")
_OF_DATA = "data."  # begins the key of a generator's parameter
_OF_SERVER = ("token", "theme", "voila-theme", "voila-template")
_WORDS = {"true": True, "false": False}
_SHOWN: dict[str, Rule[Any]] = {"map": one_of(MAPS), "truth": FLAG}
_USUAL = {"map": "entropy", "truth": False}
_LONGEST_ANSWERS = 1800  # characters of answers, or of points: browsers and chat programs take links of 2,000 and more


class Address(NamedTuple):
    """What an address asks for, and what in it is wrong, in sentences."""

    data: str | Dataset | None
    hide: tuple[str, ...]
    view: str
    settings: dict[str, Any]
    problems: tuple[str, ...]
    session: str | None = None  # the file of a session to continue, in the working folder
    scene: str | None = None
    answers: tuple[tuple[tuple[int, ...], str], ...] = ()  # points, and what was said
    shown: Mapping[str, Any] = MappingProxyType({})  # the map, and whether the truth is shown


def read_address(query: str) -> Address:
    """Take from the query of an address what is right in it.

    Keys are `data`, a name; `data.seed` and other parameters of the generator; each of the settings; `hide`; `view`;
    `map`; `truth`; and `scene`, the name of a scene. `answers` are written as "0,1,2,y" with n and d for no and don't
    know, separated by semicolons, and `points` are those of a drawing. `session` is the name of a file, which a
    reloaded page has.

    Examples
    --------
    >>> scene = read_address("data=two-ways&epsilon=0&hide=truth,session&tau=much")
    >>> scene.data, scene.hide, scene.settings
    ('two-ways', ('truth', 'session'), {'epsilon': 0})
    >>> scene.problems
    ("tau must be a number of at least 0, got 'much'",)
    """
    problems: list[str] = []
    given: dict[str, str] = {}
    for key, value in parse_qsl(query[:4000], keep_blank_values=True):
        if key in given:
            problems.append(f"{key} is given twice: the first counts")
        elif key not in _OF_SERVER:
            given[key] = value
    readers: dict[str, Callable[[str], Any]] = {
        "hide": _hidden,
        "view": checked_view,
        "scene": lambda text: one_of(playable_scenes()).checked(text[:40], "scene"),
        "answers": _answers,
        "points": _drawn,
        "session": _file,
    }
    found: dict[str, Any] = {}
    settings: dict[str, Any] = {}
    parameters: dict[str, Any] = {}
    for key, text in given.items():
        value = _value(text)
        try:
            if key in Settings.names():
                Settings().changed({key: value})
                settings[key] = value
            elif key.startswith(_OF_DATA):
                _check_parameter(given.get("data", "close"), key, value)
                parameters[key.removeprefix(_OF_DATA)] = value
            elif key == "data":
                found[key] = one_of(_names()).checked(text[:40], key)
            elif key in _SHOWN:
                found[key] = _SHOWN[key].checked(value, key)
            elif key in readers:
                found[key] = readers[key](text)
            else:
                keys = ", ".join(["data", f"{_OF_DATA}seed and the like", *Settings.names(), *readers, *_SHOWN])
                raise SessionError(f"the address may have {keys}, got {key[:40]!r}")
        except ValueError as error:
            problems.append(str(error))
    name = found.get("data")
    return Address(
        found.get("points") or (make_dataset(name or "close", **parameters) if parameters else name),
        *(found.get("hide", ()), found.get("view", VIEWS[0]), settings, tuple(problems)),
        *(found.get("session"), found.get("scene"), found.get("answers", ())),
        {key: found[key] for key in _SHOWN if key in found},
    )


def open_address(kind: type[Explorer], query: str, autosave: str | PathLike[str] | None) -> Explorer:
    """Open what an address asks for; what is wrong in it is reported."""
    data, hide, view, settings, problems, file, scene, answers, shown = read_address(query)
    if scene is None and data is None and not (settings or problems):
        scene = next(iter(playable_scenes()))  # the first thing that a visitor sees
    elif scene is not None and (data is not None or settings):
        scene = None
        problems += ("a scene has its own data and settings: give either a scene or these, got both",)
    try:
        if file is not None and Path(file).exists():
            explorer = kind(session=Session.load(file, background=event_loop()), hide=hide, view=view)
        else:
            explorer = kind(data, hide=hide, view=view, autosave=autosave, scene=scene, **settings)
    except SessionError as error:  # a file that can't be used, or values that are possible, but not together
        problems += (str(error),)
        explorer = kind(hide=hide, view=view, autosave=autosave)
    if answers and not explorer.session.log and scene is None:
        try:
            explorer.session.add([points for points, _ in answers], [answer for _, answer in answers])
        except SessionError as error:
            problems += (str(error),)
    if shown:
        explorer.show(**{name: value for name, value in shown.items() if name not in hide})
    if problems:
        text, buttons = (explorer.notice.get(part, default) for part, default in (("text", ""), ("buttons", [])))
        explorer.notify(f"The address of this page: {'; '.join(problems)}. {text}".strip(), "error", buttons)
    return explorer


def checked_view(view: str) -> str:
    """Return how the Explorer is to be shown; SessionError when there is no such view.

    Examples
    --------
    >>> checked_view("lecture")
    'lecture'
    """
    with clear_errors():
        return one_of(VIEWS).checked(view[:40], "view")


def write_address(
    session: Session, hide: Sequence[str], view: str = VIEWS[0], shown: Mapping[str, Any] | None = None
) -> str:
    """Return the query of an address that sets this scene, with the answers as far as an address can carry them.

    Examples
    --------
    >>> session = Session("moons", parameters={"seed": 3}, autosave=None, epsilon=0)
    >>> _ = session.answer((0, 1, 60), "yes")
    >>> write_address(session, ["truth"])
    'data=moons&data.seed=3&epsilon=0&answers=0,1,60,y&hide=truth'
    """
    dataset, settings = session.dataset, session.settings
    points = as_text(dataset) if dataset.drawing is not None else ""
    if len(points) > _LONGEST_ANSWERS:
        raise SessionError(
            f"The {len(dataset.X)} points drawn by hand are too many points for a link. Share the page instead "
            "(Export, Film of the answers): it has the points and all answers"
        )
    if not points and not session.state.subject.is_generated and not _is_stored(dataset):
        raise SessionError(
            "A link cannot carry data of your own. Share the page instead (Export, Film of the answers): it has "
            "the points and all answers"
        )
    query: dict[str, Any] = {"points": points} if points else {"data": dataset.name}
    if session.state.subject.is_generated:
        usual = {parameter.name: parameter.default for parameter in list_datasets()[dataset.name].parameters}
        query |= {_OF_DATA + name: value for name, value in dataset.parameters.items() if value != usual.get(name)}
    natural = Settings(n_clusters=max(2, dataset.n_classes or 3))
    query |= {
        name: getattr(settings, name) for name in Settings.names() if getattr(settings, name) != getattr(natural, name)
    }
    if carries_answers(session):
        query["answers"] = _answers_text(session)
    if hide:
        query["hide"] = ",".join(hide)
    if view != VIEWS[0]:
        query["view"] = view
    query |= {name: value for name, value in (shown or {}).items() if name in _SHOWN and value != _USUAL[name]}
    return urlencode({key: _text(value) for key, value in query.items()}, safe=",;")


def carries_answers(session: Session) -> bool:
    """Whether a link has room for the answers, of which there are some."""
    return 0 < len(_answers_text(session)) <= _LONGEST_ANSWERS


def _answers_text(session: Session) -> str:
    return ";".join(",".join([*map(str, entry.points), entry.answer.name.lower()[0]]) for entry in session.log)


def _answers(text: str) -> tuple[tuple[tuple[int, ...], str], ...]:
    """Read answers: three points or two, and y, n or d."""
    found = re.findall(r"(\d+),(\d+)(?:,(\d+))?,([ynd])(?:;|$)", text)
    if len(text) > _LONGEST_ANSWERS or ";".join(",".join(filter(None, each)) for each in found) != text:
        raise SessionError(f"answers must be row numbers and y, n or d, as 0,1,2,y;3,4,5,d, got {text[:40]!r}")
    words = {"y": "yes", "n": "no", "d": "dnk"}
    return tuple((tuple(int(i) for i in points if i), words[answer]) for *points, answer in found)


def _drawn(text: str) -> Dataset:
    try:
        return from_text(text)
    except ValueError as error:
        raise SessionError(f"points of the address: {error}, got {text[:40]!r}") from error


def _names() -> list[str]:
    stored = [name for name, spec in list_real_datasets().items() if spec.bundled]
    return [*list_datasets(), *stored]


def _is_stored(dataset: Dataset) -> bool:
    spec = list_real_datasets().get(dataset.name)
    return spec is not None and spec.bundled and spec.description == dataset.description


def _check_parameter(name: str, key: str, value: Any) -> None:
    spec = list_datasets().get(name)
    known = {} if spec is None else {parameter.name: parameter for parameter in spec.parameters}
    parameter = known.get(key.removeprefix(_OF_DATA))
    if parameter is None:
        raise SessionError(f"{name[:40]!r} has the parameters {', '.join(known) or 'none'}, got {key[:40]!r}")
    limits = parameter.low, parameter.high
    with clear_errors():
        (whole(*limits) if float(parameter.step).is_integer() else number(*limits)).checked(value, key)


def _file(text: str) -> str:
    if Path(text).name != text or not text.endswith(".json"):
        raise SessionError(f"session must be a .json file in the working folder, got {text[:40]!r}")
    return text


def _hidden(text: str) -> tuple[str, ...]:
    names = tuple(filter(None, text.split(",")))
    if not set(names) <= set(GROUPS):
        raise SessionError(f"hide may have {', '.join(GROUPS)}, got {text[:40]!r}")
    return names


def _value(text: str) -> Any:
    """Read a number or a truth value; other text stays as it is, and the settings say whether it may be there."""
    if text in _WORDS:
        return _WORDS[text]
    for kind in (int, float):
        try:
            return kind(text[:40])
        except ValueError:
            pass
    return text[:40]


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else str(value)
