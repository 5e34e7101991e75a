"""What a phone shows, one step after the other: questions, pages to read, forms, the end."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Any, cast

from dcrc_explore.constraints import Answer
from dcrc_explore.room.sent import CardSent, EndStep, FormStep, PageStep, QuestionStep
from dcrc_explore.room.wording import say
from dcrc_explore.values import one_of

LONGEST_TEXT = 2000  # characters of one answer in a form
_LONGEST_SECONDS = 24 * 3600.0
_HALF = re.compile("[\\ud800-\\udfff]")  # of a character, which no file holds


@dataclass(frozen=True)
class QuestionPage:
    """A question about two or three items, as the participant sees them: A, B and C.

    Examples
    --------
    >>> QuestionPage("1", (4, 8, 2)).check("yes")
    'yes'
    """

    id: str  # names the question; an answer to it counts once
    rows: tuple[int, ...]  # rows of the items in the order A, B, C (or A, B)
    label: str = ""  # a few words above it, such as "Question 7 of 150"
    dnk: bool = True  # whether "don't know" is offered
    feedback: dict[str, str] = field(default_factory=dict)  # in practice: what is shown after each answer
    right: str = ""  # in practice: the right answer; empty where none is known or shown
    back: bool = False  # whether the step before can be changed
    progress: float | None = None  # share of all steps that are done

    def check(self, value: Any) -> str:
        """Return an answer to it; ValueError for anything else."""
        allowed = one_of(answer.name.lower() for answer in Answer if self.dnk or answer != Answer.DNK)
        return allowed.checked(value, "an answer")

    def pack(self, items: list[CardSent]) -> QuestionStep:
        """Return what the phone needs: the question, and its items instead of their rows."""
        shown = {name: value for name, value in vars(self).items() if name != "rows"}
        return cast(QuestionStep, {"kind": "question", "items": items, **shown})


@dataclass(frozen=True)
class TextPage:
    """A text to read, with a button to continue and, for consent, a box to tick first.

    Examples
    --------
    >>> TextPage("1", "Welcome", "Thank you for coming.").check("next")
    'next'
    """

    id: str
    title: str
    text: str
    button: str = say("continue")
    agree: str = ""
    back: bool = False
    progress: float | None = None

    def check(self, value: Any) -> str:
        """Return that it was read; ValueError for anything else."""
        if value != "next":
            raise ValueError(f"a page is answered by next, got {str(value)[:40]!r}")
        return "next"

    def pack(self) -> PageStep:
        """Return what the phone needs."""
        return cast(PageStep, {"kind": "page", **vars(self)})


@dataclass(frozen=True)
class Field:
    """One item of a questionnaire: a text, a number, or one of several options.

    Examples
    --------
    >>> Field("hand", "Which hand do you write with?", "choice", ("left", "right")).check("left")
    'left'
    """

    id: str
    text: str
    kind: str = "text"
    options: tuple[str, ...] = ()
    required: bool = False

    def check(self, value: Any) -> str:
        """Return the answer as text; ValueError when it is none."""
        if not isinstance(value, str) or len(value) > LONGEST_TEXT or _HALF.search(value):
            raise ValueError(f"{self.id} must be a text of at most {LONGEST_TEXT} characters, got {str(value)[:40]!r}")
        value = value.strip()
        if not value:
            if self.required:
                raise ValueError(f"{self.id} must be answered, got nothing")
        elif self.options:
            one_of(self.options).checked(value, self.id)
        elif self.kind == "number":
            as_seconds(value, self.id, most=math.inf)
        return value


@dataclass(frozen=True)
class FormPage:
    """Questionnaire items on one page.

    Examples
    --------
    >>> FormPage("1", "About you", (Field("age", "How old are you?", "number"),)).check({"age": "31"})
    {'age': '31'}
    """

    id: str
    title: str
    fields: tuple[Field, ...]
    text: str = ""
    progress: float | None = None

    def check(self, value: Any) -> dict[str, str]:
        """Return the answers by item; ValueError when one does not fit."""
        if not isinstance(value, dict) or set(value) - {each.id for each in self.fields}:
            raise ValueError(f"a form must have answers to {', '.join(each.id for each in self.fields)}")
        return {each.id: each.check(value.get(each.id, "")) for each in self.fields}

    def pack(self) -> FormStep:
        """Return what the phone needs."""
        return cast(FormStep, {"kind": "form", **vars(self), "fields": [vars(each) for each in self.fields]})


@dataclass(frozen=True)
class EndPage:
    """The last page, with a code that proves participation.

    Examples
    --------
    >>> EndPage("end", "Thank you", "You can close this page.", "K7Q2").pack()["code"]
    'K7Q2'
    """

    id: str
    title: str
    text: str
    code: str = ""

    def check(self, value: Any) -> str:
        """Refuse: nothing comes after the end."""
        raise ValueError("the end has no answer")

    def pack(self) -> EndStep:
        """Return what the phone needs."""
        return cast(EndStep, {"kind": "end", **vars(self)})


Step = QuestionPage | TextPage | FormPage | EndPage


def as_seconds(value: Any, name: str = "seconds", most: float = _LONGEST_SECONDS) -> float:
    """Return a number of seconds; ValueError for anything else.

    Examples
    --------
    >>> as_seconds(2.5), as_seconds("3")
    (2.5, 3.0)
    """
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number) or isinstance(value, bool) or (most < math.inf and not 0 <= number <= most):
        raise ValueError(f"{name} must be a number, got {str(value)[:40]!r}")
    return number
