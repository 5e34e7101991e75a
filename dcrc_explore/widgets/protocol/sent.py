"""What Python sends with a picture: points, answers, labels and maps, the question, items, messages."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from dcrc_explore.arrays import PackedArray
from dcrc_explore.page.sent import Places


class Points(Places):
    """What stays as long as the data; `items` is their kind, if there are any.

    `brushes` are the classes of points that can be drawn on, and `blank` is the frame of an empty plane.
    """

    items: str | None
    note: str
    brushes: PackedArray | None
    blank: list[float]


class SceneCard(TypedDict):
    """The scene that is played: what to do and where to look, what came of it, and which `step` this is, from 1 on.

    `pointed` is the answer that the picture points at, counted among the triplets, and what there is to say of it;
    `tab` is open with it, "" for none in particular.
    """

    title: str
    text: str
    outcome: str
    pointed: tuple[int, str] | None
    step: int
    steps: int
    tab: str
    first: bool
    last: bool


class VoteSent(TypedDict):
    """A vote: how many said yes, no and don't know in each round that is revealed; the rest is empty while hidden."""

    number: int
    round: int
    revealed: bool
    voted: int
    counts: list[list[int]]
    expected: list[float]
    would: list[str]


class GuestSent(TypedDict):
    """A participant: the learned probability of an error, violated answers, and how many share the address."""

    number: int
    name: str
    answers: int
    errors: float | None
    violated: int
    together: int


class ClassSent(TypedDict):
    """A class: where phones join, who is there, and how it stands. `names` says whether nicknames are shown."""

    state: str
    address: str
    code: str
    qr: str
    open: bool
    door: str
    here: int
    answering: int
    answers: int
    vote: VoteSent | None
    votes: int
    agreement: str
    people: list[GuestSent]
    names: bool
    file: str
    problem: str


class AnswersSent(TypedDict):
    """Answers from number `start` on, four int32 each: the points A, B, C and what was said; those before stay.

    `who` said each is a uint16, the place in the list of people.
    """

    start: int
    rows: PackedArray
    who: NotRequired[PackedArray]


class Last(TypedDict):
    """The last answer; the surprise of one that a hard model held impossible is "infinite"."""

    answer: int
    surprise: float | str | None


class Picture(TypedDict):
    """The picture of one model: uint16 labels and true classes, and a map of a byte per cell.

    A bit per answer says whether the boundary violates it, and another whether the memberships Q satisfy it; None, as
    in an exported page, takes the boundary for it. An answer about a pair is six int32: A, B, the answer, who gave it,
    what satisfies it (0 nothing, 1 Q, 2 the boundary too), and how many answers about three points came before.
    """

    clusters: int
    names: list[str]
    labels: PackedArray
    counts: list[int]
    truth: PackedArray | None
    violated: PackedArray
    satisfied_by_q: PackedArray | None
    pairs: NotRequired[PackedArray]
    cluster: int
    halo: PackedArray | None
    regions: PackedArray | None
    resolution: NotRequired[int]
    margin: NotRequired[PackedArray]
    value: NotRequired[PackedArray]
    places: NotRequired[PackedArray]
    extent: NotRequired[list[float]]
    about: NotRequired[str]


class MapSent(TypedDict):
    """A map, a byte per cell: regions, how far the best cluster is ahead, and the values that are shown."""

    resolution: int
    regions: PackedArray
    margin: PackedArray
    value: PackedArray


class Sharp(TypedDict):
    """Maps of the models in the window that is in sight, and of where they disagree."""

    window: list[float]
    maps: list[MapSent]
    apart: PackedArray | None


class Status(TypedDict):
    """What stands around a picture; `asserts` says what yes, no and don't know claim, `person` who answers.

    `saved` is the file that has the answers, `unsaved` why it does not have the last; `in_memory` that none is wanted.
    `changed` says which settings are not the defaults.
    """

    version: int
    asserts: list[str]
    last: Last | None
    person: str
    people: list[str]
    undo: str | None
    redo: str | None
    saved: str | None
    unsaved: str | None
    in_memory: bool
    milliseconds: dict[str, float]
    changed: str


class ExplorerScene(Picture, Status):
    """The Explorer's picture; `iteration` is None for the model itself, and what the replay shows otherwise.

    `story` says what the last change did, and `moved` which points it put into another cluster, as int32.
    """

    story: str
    moved: PackedArray
    iteration: int | None
    satisfied: float | None
    epsilon: float


class Apart(TypedDict):
    """Where two models disagree: 128 is no difference of entropy, 1 and 255 are `most` bits."""

    most: float
    changed: int
    entropy: list[float]
    halo: PackedArray | None
    map: PackedArray | None


class CompareScene(Status):
    """Two pictures, their difference, and the answers on which the models differ: number, given, first, second.

    `own` are the answers of the second model where it has its own, four int32 each: the points and what was said.
    """

    models: list[Picture]
    apart: Apart
    disputes: list[tuple[int, int, int, int]]
    own: PackedArray | None
    remark: str
    differences: list[list[str]]


class RowDifference(TypedDict):
    """A feature of three rows: its values, and how many standard deviations they are from the mean."""

    feature: str
    values: list[str]
    deviations: list[float]


class QuestionSent(TypedDict):
    """Three points or two, what the model expects of the answer, and in what three rows differ.

    `surprises` are the bits of surprise of yes, no and don't know; None for what cannot be or says nothing. A suggested
    question is chosen for the person; an automatic one only if they have not begun another.
    """

    triplet: list[int]
    probabilities: list[float]
    worth: float
    surprises: list[float | None]
    words: list[str]
    reason: str
    suggested: bool
    automatic: bool
    version: int
    differences: list[RowDifference]


class ItemSent(TypedDict):
    """The head of an item, whose bytes travel beside it: text for screen readers, and why it cannot be shown."""

    row: int
    mime: str
    text: str
    problem: str


class ItemsSent(TypedDict):
    """Items that were asked for."""

    items: list[ItemSent]
    key: int
    detail: bool


class SheetSent(TypedDict):
    """Small items for the picture: squares of `side` pixels on one JPEG beside it, row by row, or the first words."""

    rows: list[int]
    key: int
    side: int
    columns: int
    words: list[str] | None


class EntrySent(TypedDict):
    """A folder, or a file that can be opened."""

    name: str
    folder: bool


class ListingSent(TypedDict):
    """What can be opened in a folder below the start folder, what items it holds, and how many entries are left out."""

    folder: str
    start: str
    entries: list[EntrySent]
    holds: str
    more: int


class Notice(TypedDict):
    """A line over the picture; a button is a label and the message that it sends."""

    text: str
    kind: str
    buttons: list[list[str]]


class Options(TypedDict):
    """What is drawn: which map, of which cluster, which answers, whether the truth, and in which plane.

    `auto` asks the next question by itself, and `teach` says after each answer what the truth is. Questions are
    about three `points`, or two. `items` draws images, texts or sounds in the place of their dots.
    """

    map: str
    cluster: int
    links: str
    truth: bool
    plane: str | tuple[int, int]
    auto: bool
    teach: bool
    points: int
    items: bool


class Sheet(TypedDict):
    """A text to copy: as it is, or the query of an address, which the browser completes."""

    title: str
    text: NotRequired[str]
    query: NotRequired[str]


class Choice(TypedDict):
    """A value that a control offers; of a column, its name and what it holds."""

    value: str | float | bool | None
    label: str
    help: str


class Mark(TypedDict):
    """A value that a slider marks."""

    value: float
    label: str


class ControlSent(TypedDict):
    """How a control looks; one without a label stands in the line of the one before it.

    `words` stand on it, `help` appears beside it. A slider has `limits`, its lowest and highest place and the step, or
    its places as options; a `late` one sends where it was left. `enter` names the button that Enter presses
    in a text. `doing` is shown while it is at work, and then it cannot be pressed again.
    """

    name: str
    kind: str
    label: NotRequired[str]
    words: NotRequired[str]
    help: NotRequired[str]
    options: NotRequired[list[Choice]]
    limits: NotRequired[list[float]]
    marks: NotRequired[list[Mark]]
    off: NotRequired[bool]
    late: NotRequired[bool]
    enter: NotRequired[str]
    doing: NotRequired[str]
