"""What the browser asks for: every message, and what is wrong with one that is not ours."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, get_args, get_origin, get_type_hints


class Message(TypedDict):
    """What every message of the browser has: what to do, an id, and whether the browser sends it by itself."""

    do: str
    request: str
    passive: NotRequired[bool]


class Plain(Message):
    """A message that needs no more words."""


class GiveAnswer(Message):
    """An answer to a question about three points, or two: 1 is yes, -1 is no, 0 is don't know; `by` is who gives it."""

    triplet: list[int]
    answer: int
    by: NotRequired[str]


class AboutTriplet(Message):
    """A question about three points, or two, that is looked at or left."""

    triplet: list[int]


class Flip(Message):
    """Another answer to an old question."""

    index: int
    answer: int


class Delete(Message):
    """An answer to take out."""

    index: int


class Replay(Message):
    """The picture at an EM iteration; `why` is a point to explain there, under `key`."""

    iteration: int
    key: NotRequired[str]
    why: NotRequired[int]


class Why(Message):
    """The numbers of a view of the tab Why, to be sent back with `key`; Compare has only that of a point."""

    view: Literal["point", "errors"]
    key: str
    point: NotRequired[int]


class Epsilon(Message):
    """Another epsilon."""

    value: float


class Plant(Message):
    """So many errors to plant, perhaps in what one person said."""

    errors: int
    person: NotRequired[str]


class Name(Message):
    """What a person calls a cluster; nothing takes its name away."""

    cluster: int
    name: str


class Propose(Message):
    """A gesture whose answers a person wants to see: about clusters, and about points that are selected."""

    gesture: Literal["merge", "split", "together", "move", "group"]
    clusters: list[int]
    rows: list[int]


class Confirm(Message):
    """The gesture with this number counts, with some of its answers; `clusters` says whether K changes too."""

    number: int
    clusters: bool
    lines: list[int]


class ExportTo(Message):
    """Something to write into a file: the clusters of all points, or of those that are selected."""

    kind: Literal["clusters", "selection"]


class WantItems(Message):
    """Points whose items are wanted, small or in `detail`; `key` comes back with them."""

    rows: list[int]
    key: int
    detail: bool


class WantSheet(Message):
    """Points whose items are wanted for the picture, on one sheet; `key` comes back with it."""

    rows: list[int]
    key: int


class Browse(Message):
    """A folder to list, seen from the start folder."""

    folder: str


class Select(Message):
    """Points that are selected: questions are about these; about all when there are none."""

    rows: list[int]


class Window(Message):
    """The part of the picture that is in sight: left, right, bottom and top, in shares of the whole."""

    window: list[float]


class SetPerson(Message):
    """Who answers from now on."""

    name: str


class AskAbout(Message):
    """About how many points questions are."""

    points: Literal[2, 3]


class PerPerson(Message):
    """Whether each of several people has a noise model of their own."""

    on: bool


class Auto(Message):
    """Whether the next question comes by itself."""

    on: bool


class Cluster(Message):
    """The cluster whose probability is mapped."""

    cluster: int


class Set(Message):
    """The value that a person gave a control."""

    name: str
    value: Any


class Shared(Message):
    """Whether to ask what others were asked, from now on."""

    on: bool


class SceneTo(Message):
    """Where a scene goes: to its next step, back to the one before, or away."""

    to: Literal["next", "back", "leave"]


class ClassTo(Message):
    """What a lecturer does with a class: about these points, or with the guest of this number."""

    to: Literal[
        "open",
        "shut",
        "vote",
        "reveal",
        "again",
        "own",
        "pause",
        "resume",
        "minute",
        "forget",
        "forget_address",
        "names",
        "page",
        "close",
    ]
    triplet: NotRequired[list[int]]
    number: NotRequired[int]


class Draw(Message):
    """A stroke by hand: points that are erased, moved or added, of `n` points; or `anew`, on an empty plane."""

    n: int
    anew: bool
    erased: list[int]
    rows: list[int]
    places: list[list[float]]
    added: list[list[float]]
    brushes: list[int]


class DrawPoints(Message):
    """Whether points are drawn by hand from now on, and that the plane was cleared."""

    to: Literal["", "on", "cleared"]


class Press(Message):
    """A button that was pressed."""

    name: str


MESSAGES: dict[str, type] = {
    "hello": Plain,
    "answer": GiveAnswer,
    "preview": AboutTriplet,
    "suggest": Plain,
    "auto": Auto,
    "person": SetPerson,
    "points": AskAbout,
    "shared": Shared,
    "people": Plain,
    "apart": PerPerson,
    "skip": AboutTriplet,
    "undo": Plain,
    "redo": Plain,
    "dismiss": Plain,
    "flip": Flip,
    "delete": Delete,
    "replay": Replay,
    "why": Why,
    "sweep": Plain,
    "methods": Plain,
    "cancel": Plain,
    "stop": Plain,
    "epsilon": Epsilon,
    "plant": Plant,
    "cluster": Cluster,
    "panels": Plain,
    "items": WantItems,
    "sheet": WantSheet,
    "browse": Browse,
    "select": Select,
    "window": Window,
    "gallery": Plain,
    "name": Name,
    "propose": Propose,
    "confirm": Confirm,
    "export": ExportTo,
    "resume": Plain,
    "set": Set,
    "press": Press,
    "follow": Plain,
    "decide": Plain,
    "scene": SceneTo,
    "class": ClassTo,
    "draw": Draw,
    "drawing": DrawPoints,
}


def check(message: dict[str, Any]) -> None:
    """Raise ValueError for a message that is not one of ours.

    Examples
    --------
    >>> check({"do": "awnser", "request": "1"})
    Traceback (most recent call last):
        ...
    ValueError: the browser sent an unknown message, 'awnser'
    >>> check({"do": "delete", "request": "2", "index": "first"})
    Traceback (most recent call last):
        ...
    ValueError: index of the message 'delete' must be of type int, got 'first'
    """
    verb = message.get("do")
    kind = MESSAGES.get(verb) if isinstance(verb, str) else None
    if kind is None:
        raise ValueError(f"the browser sent an unknown message, {verb!r}")
    hints = get_type_hints(kind, include_extras=True)
    missing = [name for name, hint in hints.items() if get_origin(hint) is not NotRequired and name not in message]
    if missing:
        raise ValueError(f"the message {verb!r} must have {', '.join(missing)}, got {', '.join(message)}")
    for name, value in message.items():
        if name not in hints:
            raise ValueError(f"the message {verb!r} has no {name}, got {value!r}")
        if not _fits(value, hints[name]):
            expected = getattr(hints[name], "__name__", str(hints[name]))
            raise ValueError(f"{name} of the message {verb!r} must be of type {expected}, got {value!r}")


def _fits(value: object, kind: Any) -> bool:
    if get_origin(kind) is NotRequired:
        kind = get_args(kind)[0]
    if kind is Any:
        return True
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    if get_origin(kind) is list:
        return isinstance(value, list) and all(_fits(each, get_args(kind)[0]) for each in value)
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return type(value) is kind
