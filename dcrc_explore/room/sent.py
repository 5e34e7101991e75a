"""The types of what a phone gets. `python tests/js/protocol.py` writes them for tsc."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class TextCard(TypedDict):
    """An item that is a text."""

    kind: Literal["text"]
    text: str


class PointCard(TypedDict):
    """A point in the plane, between 0 and 1000, y pointing down."""

    kind: Literal["point"]
    at: list[int]


class MediaCard(TypedDict):
    """A picture or a sound, and where it is."""

    kind: Literal["image", "sound"]
    src: str


CardSent = TextCard | PointCard | MediaCard


class StepHead(TypedDict):
    """What steps share: a few words above, whether the one before can be changed, the share of all that is done."""

    id: str
    label: NotRequired[str]
    back: NotRequired[bool]
    progress: NotRequired[float | None]


class QuestionStep(StepHead):
    """A question; in practice with what is shown after each answer, and the right one."""

    kind: Literal["question"]
    items: list[CardSent]
    dnk: bool
    feedback: dict[str, str]
    right: str


class PageStep(StepHead):
    """A text to read."""

    kind: Literal["page"]
    title: str
    text: str
    button: str
    agree: str


class FieldSent(TypedDict):
    """One item of a questionnaire."""

    id: str
    text: str
    kind: str
    options: list[str]
    required: bool


class FormStep(StepHead):
    """Questionnaire items on one page."""

    kind: Literal["form"]
    title: str
    text: str
    fields: list[FieldSent]


class EndStep(StepHead):
    """The last page."""

    kind: Literal["end"]
    title: str
    text: str
    code: str


StepSent = QuestionStep | PageStep | FormStep | EndStep


class StepsSent(TypedDict):
    """What to show now and next; after an answer also whether it was new."""

    version: int
    state: Literal["open", "paused", "closed"]
    steps: list[StepSent]
    saved: NotRequired[Literal["new", "before"]]


class JoinedSent(TypedDict):
    """Who somebody is; without a token the nickname is asked for first."""

    title: str
    nicknames: bool
    token: NotRequired[str]
    name: NotRequired[str]
    nickname: NotRequired[str]
    number: NotRequired[int]


class PlaneSent(TypedDict):
    """The points behind a question, as those of a `PointCard`."""

    points: list[list[int]]
