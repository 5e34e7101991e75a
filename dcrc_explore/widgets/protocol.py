"""Every message between Python and the browser. ``static/protocol.js`` says the same there; a test compares the two."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, get_args, get_origin, get_type_hints

# From the browser ---------------------------------------------------------------------------------------------------


class Message(TypedDict):
    """What every message of the browser has: what to do, an id, and whether the browser sends it by itself."""

    do: str
    request: str
    passive: NotRequired[bool]


class Plain(Message):
    """A message that needs no more words."""


class GiveAnswer(Message):
    """An answer to a question about three points: 1 is yes, -1 is no, 0 is don't know."""

    triplet: list[int]
    answer: int


class AboutTriplet(Message):
    """A question that is looked at or left."""

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
    """So many errors to plant."""

    errors: int


class Name(Message):
    """What a person calls a cluster; nothing takes its name away."""

    cluster: int
    name: str


class Export(Message):
    """Something to write into a file."""

    kind: Literal["clusters"]


class Items(Message):
    """Points whose items are wanted, small or in `detail`; `key` comes back with them."""

    rows: list[int]
    key: int
    detail: bool


class Auto(Message):
    """Whether the next question comes by itself."""

    on: bool


class Cluster(Message):
    """The cluster whose probability is mapped."""

    cluster: int


MESSAGES: dict[str, type] = {
    "hello": Plain,
    "answer": GiveAnswer,
    "preview": AboutTriplet,
    "suggest": Plain,
    "auto": Auto,
    "skip": AboutTriplet,
    "undo": Plain,
    "redo": Plain,
    "dismiss": Plain,
    "flip": Flip,
    "delete": Delete,
    "replay": Replay,
    "why": Why,
    "sweep": Plain,
    "cancel": Plain,
    "epsilon": Epsilon,
    "plant": Plant,
    "cluster": Cluster,
    "panels": Plain,
    "items": Items,
    "gallery": Plain,
    "name": Name,
    "export": Export,
    "resume": Plain,
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
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    if get_origin(kind) is list:
        return isinstance(value, list) and all(_fits(each, get_args(kind)[0]) for each in value)
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return type(value) is kind


# From Python --------------------------------------------------------------------------------------------------------


class Points(TypedDict):
    """What stays as long as the data: float32 positions, names, the kind of items if there are any, the palette."""

    xy: bytes
    extent: list[float]
    classes: list[str] | None
    items: str | None
    note: str
    colours: list[str]
    markers: list[str]


class AnswersSent(TypedDict):
    """Answers from number `start` on, four int32 each: the points A, B, C and what was said; those before stay."""

    start: int
    rows: bytes


class Last(TypedDict):
    """The last answer; the surprise of one that a hard model held impossible is "infinite"."""

    answer: int
    surprise: float | str | None


class Picture(TypedDict):
    """The picture of one model: uint16 labels and true classes, and a map of a byte per cell.

    A bit per answer says whether the boundary violates it, and another whether the memberships Q keep it.
    """

    clusters: int
    names: list[str]
    labels: bytes
    counts: list[int]
    truth: bytes | None
    violated: bytes
    kept: bytes
    cluster: int
    halo: bytes | None
    regions: bytes | None
    resolution: NotRequired[int]
    margin: NotRequired[bytes]
    value: NotRequired[bytes]
    places: NotRequired[bytes]
    extent: NotRequired[list[float]]
    about: NotRequired[str]


class Status(TypedDict):
    """What stands around a picture; `asserts` says what yes, no and don't know claim."""

    version: int
    asserts: list[str]
    last: Last | None
    undo: str | None
    redo: str | None
    saved: str | None
    unsaved: str | None
    milliseconds: dict[str, float]


class ExplorerScene(Picture, Status):
    """The Explorer's picture; `iteration` is None for the model itself, and tells what the replay shows otherwise.

    `story` says what the last change did, and `moved` which points it put into another cluster, as int32.
    """

    story: str
    moved: bytes
    iteration: int | None
    satisfied: float | None
    epsilon: float


class Apart(TypedDict):
    """Where two models disagree: 128 is no difference of entropy, 1 and 255 are `most` bits."""

    most: float
    changed: int
    entropy: list[float]
    halo: bytes | None
    map: bytes | None


class CompareScene(Status):
    """Two pictures, their difference, and the answers on which the models differ: number, given, first, second."""

    models: list[Picture]
    apart: Apart
    disputes: list[list[int]]
    remark: str
    differences: list[list[str]]


class RowDifference(TypedDict):
    """A feature of three rows: its values, and how many standard deviations they are from the mean."""

    feature: str
    values: list[str]
    deviations: list[float]


class Question(TypedDict):
    """A triplet, what the model expects of the answer, and in what three rows differ.

    A suggested question is chosen for the person; an automatic one only if they have not begun another.
    """

    triplet: list[int]
    probabilities: list[float]
    worth: float
    reason: str
    suggested: bool
    automatic: bool
    version: int
    differences: list[RowDifference]


class ItemSent(TypedDict):
    """The head of an item, whose bytes travel beside it: text for screen readers, and why it can't be shown."""

    row: int
    mime: str
    text: str
    problem: str


class ItemsSent(TypedDict):
    """Items that were asked for."""

    items: list[ItemSent]
    key: int
    detail: bool


class ClusterSent(TypedDict):
    """What is in a cluster: how many points, and some of them."""

    size: int
    certain: list[int]
    doubtful: list[int]
    mistaken: list[int]


class Notice(TypedDict):
    """A line over the picture; a button is a label and the message that it sends."""

    text: str
    kind: str
    buttons: list[list[str]]


class SweepState(TypedDict):
    """What is known of the sweep over epsilon."""

    points: list[list[float | None]]
    total: int
    running: bool
    current: bool
    error: str | None


SENT = (
    *(Points, AnswersSent, Last, Picture, Status, ExplorerScene, Apart, CompareScene, Question, Notice),
    *(RowDifference, ItemSent, ItemsSent, ClusterSent, SweepState),
)
