"""The plan of a study: a TOML file, checked, with errors that name the line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from dcrc_explore.datasets import Dataset, as_dataset, list_datasets, list_real_datasets, load_dataset, make_dataset
from dcrc_explore.room.steps import Field
from dcrc_explore.storage import read_text

_LARGEST = 2**20  # bytes of a plan
_MOST_QUESTIONS = 5000
_KINDS = ("text", "long", "number", "choice", "scale")


class PlanError(ValueError):
    """A plan that cannot be followed: which line, what was expected, what is there."""


@dataclass(frozen=True)
class Block:
    """Questions of one kind."""

    kind: str
    count: int
    text: str = ""
    dnk: bool = True
    repeated: int = 0
    controls: int = 0
    pause_every: int = 0

    @property
    def width(self) -> int:
        """How many items a question shows."""
        return 3 if self.kind == "triplets" else 2


@dataclass(frozen=True)
class Practice:
    """Questions with feedback."""

    text: str = ""
    triplets: int = 0
    pairs: int = 0


@dataclass(frozen=True)
class Consent:
    """What participants agree to."""

    text: str
    agree: str = "I agree."


@dataclass(frozen=True)
class Plan:
    """A study: what participants see, in which order.

    Examples
    --------
    >>> plan = read_plan(TEMPLATE)
    >>> plan.title, [(block.kind, block.count) for block in plan.blocks]
    ('Which of these belong together?', [('triplets', 150), ('pairs', 225)])
    """

    title: str
    data: str
    blocks: tuple[Block, ...]
    seed: int = 0
    order: str = "balanced"
    questions: str = "same"
    back: bool = True
    clusters: int = 0
    simulated: bool = False  # nobody was asked: a rehearsal
    consent: Consent | None = None
    practice: Practice | None = None
    items: tuple[Field, ...] = ()
    end_text: str = "Thank you. You can close this page now."
    end_code: str = "random"
    text: str = ""  # the whole file
    folder: Path = Path()

    @property
    def participant(self) -> str:
        """What to call those who answer."""
        return "simulated participant" if self.simulated else "participant"

    @property
    def fingerprint(self) -> str:
        """What changes with the text of the plan."""
        return sha256(self.text.encode()).hexdigest()[:16]

    def load_data(self) -> Dataset:
        """Load the data; PlanError when there are none, or no classes where the plan needs them."""
        try:
            data = self._load()
        except (OSError, ValueError, TypeError) as error:
            raise PlanError(f"{_at(self.text, 'data')}data cannot be loaded: {error}") from error
        if data.y is None:
            needs = "practice" if self.practice else "controls" if any(b.controls for b in self.blocks) else ""
            if needs:
                where = _at(self.text, needs)
                raise PlanError(f"{where}{needs} needs true classes, and {self.data!r} has none")
        return data

    def _load(self) -> Dataset:
        if self.data in list_real_datasets():
            return load_dataset(self.data)
        if self.data in list_datasets():
            return make_dataset(self.data)
        path = self.folder / self.data
        if not path.exists():
            names = ", ".join([*list_real_datasets(), *list_datasets()])
            raise ValueError(f"there is no file or folder {str(path)!r}, and the data sets are {names}")
        return as_dataset(path)


TEMPLATE = Path(__file__).with_name("template.toml")
PAPER = Path(__file__).with_name("paper.toml")


def read_plan(path: Path) -> Plan:
    """Read and check a plan; PlanError names the line of what is wrong."""
    text = read_text(path, largest=_LARGEST)
    return parse_plan(text, path.name, path.parent)


def parse_plan(text: str, name: str = "plan", folder: Path = Path()) -> Plan:
    r"""Check the text of a plan.

    Examples
    --------
    >>> parse_plan('title = "A"\ndata = "iris"\n[[block]]\nkind = "quadruplets"\ncount = 3')
    Traceback (most recent call last):
    dcrc_explore.room.study.plan.PlanError: plan, line 4: kind must be one of triplets, pairs, got 'quadruplets'
    """
    try:
        return _parsed(text, folder)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        where = f"line {line[1]}: " if line else ""
        raise PlanError(f"{name}, {where}this is not TOML: {str(error).partition(' (at')[0]}") from None
    except PlanError as error:
        raise PlanError(f"{name}, {error}") from None


def _parsed(text: str, folder: Path) -> Plan:
    table = _Table(tomllib.loads(text), text)
    consent, practice, end = (table.part(name) for name in ("consent", "practice", "end"))
    blocks = tuple(_block(part) for part in table.parts("block"))
    if not blocks:
        raise PlanError("line 1: a plan must have at least one [[block]] of questions")
    items = tuple(_item(part) for part in table.parts("item"))
    ids = [item.id for item in items]
    for n, each in enumerate(ids):
        if each in ids[:n]:
            raise PlanError(f"{_at(text, 'item', n, 'id')}id must be different for each item, got {each!r} twice")
    plan = Plan(
        title=table.take("title", _text, needed=True),
        data=table.take("data", _text, needed=True),
        blocks=blocks,
        seed=table.take("seed", _whole(0, 2**32 - 1), 0),
        order=table.take("order", _one_of("balanced", "fixed"), "balanced"),
        questions=table.take("questions", _one_of("same", "different"), "same"),
        back=table.take("back", _truth, True),
        clusters=table.take("clusters", _whole(2, 100), 0),
        simulated=table.take("simulated", _truth, False),
        consent=_consent(consent) if consent else None,
        practice=_practice(practice) if practice else None,
        items=items,
        end_text=(end.take("text", _text, Plan.end_text) if end else Plan.end_text),
        end_code=(end.take("code", _maybe_text, "random") if end else "random"),
        text=text,
        folder=folder,
    )
    for part in filter(None, (table, consent, practice, end)):
        part.check_all_taken()
    return plan


def _consent(part: _Table) -> Consent:
    return Consent(part.take("text", _text, needed=True), part.take("agree", _text, "I agree."))


def _practice(part: _Table) -> Practice:
    return Practice(
        part.take("text", _text, ""), part.take("triplets", _whole(0, 100), 0), part.take("pairs", _whole(0, 100), 0)
    )


def _block(part: _Table) -> Block:
    block = Block(
        kind=part.take("kind", _one_of("triplets", "pairs"), needed=True),
        count=part.take("count", _whole(1, _MOST_QUESTIONS), needed=True),
        text=part.take("text", _text, ""),
        dnk=part.take("dnk", _truth, True),
        repeated=part.take("repeated", _whole(0, _MOST_QUESTIONS), 0),
        controls=part.take("controls", _whole(0, _MOST_QUESTIONS), 0),
        pause_every=part.take("pause_every", _whole(0, _MOST_QUESTIONS), 0),
    )
    if block.repeated > block.count // 2:
        raise part.error("repeated", f"repeated must be at most half of count, {block.count // 2}", block.repeated)
    part.check_all_taken()
    return block


def _item(part: _Table) -> Field:
    item = Field(
        id=part.take("id", _name, needed=True),
        text=part.take("text", _text, needed=True),
        kind=part.take("kind", _one_of(*_KINDS), "text"),
        options=part.take("options", _texts, ()),
        required=part.take("required", _truth, False),
    )
    if (item.kind in ("choice", "scale")) != bool(item.options):
        raise part.error("options", "options are needed for choice and scale, and allowed for nothing else", item.kind)
    part.check_all_taken()
    return item


class _Table:
    """A table of the file: takes its keys one by one, and knows where they stand."""

    def __init__(self, values: dict[str, Any], text: str, *place: Any) -> None:
        self._values, self._text, self._place = dict(values), text, place

    def take(self, key: str, check: Callable[[Any], Any], default: Any = None, *, needed: bool = False) -> Any:
        if key not in self._values:
            if needed:
                raise PlanError(f"{_at(self._text, *self._place)}{key} is missing")
            return default
        value = self._values.pop(key)
        try:
            return check(value)
        except ValueError as error:
            raise self.error(key, f"{key} must be {error}", value) from None

    def error(self, key: str, expected: str, got: Any) -> PlanError:
        return PlanError(f"{_at(self._text, *self._place, key)}{expected}, got {got!r}")

    def part(self, key: str) -> _Table | None:
        value = self._values.pop(key, None)
        if value is not None and not isinstance(value, dict):
            raise self.error(key, f"{key} must be a part of the file, [{key}]", value)
        return None if value is None else _Table(value, self._text, key)

    def parts(self, key: str) -> list[_Table]:
        values = self._values.pop(key, [])
        if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
            raise PlanError(f"{_at(self._text, key)}each {key} must begin with [[{key}]]")
        return [_Table(value, self._text, key, n) for n, value in enumerate(values)]

    def check_all_taken(self) -> None:
        for key in self._values:
            raise PlanError(f"{_at(self._text, *self._place, key)}{key} is not a setting of this part")


def _at(text: str, *place: Any) -> str:
    """Return "line N: " for a key; a place is a key, a part and a key, or a part, its number and a key."""
    part = next((str(name) for name in place if isinstance(name, str)), "") if len(place) > 1 else ""
    number = next((name for name in place if isinstance(name, int)), 0)
    key = str(place[-1]) if place else ""
    seen, line_of_part = -1, 1
    inside = not part
    for line_number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[+\s*([\w-]+)\s*\]+", line)
        if header:
            if part and header[1] == part:
                seen += 1
                if seen == number:
                    line_of_part = line_number
            inside = bool(part) and header[1] == part and seen == number
            if not part and header[1] == key:
                return f"line {line_number}: "
        elif inside and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", line):
            return f"line {line_number}: "
    return f"line {line_of_part}: "


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > 20_000:
        raise ValueError("a text")
    return value.strip()


def _maybe_text(value: Any) -> str:
    return "" if value == "" else _text(value)


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or len({str(each) for each in value}) < len(value):
        raise ValueError("a list of different texts")
    return tuple(_text(each) for each in value)


def _name(value: Any) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"[A-Za-z]\w{0,40}", value):
        raise ValueError("a name of letters, digits and underscores")
    return value


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def _whole(low: int, high: int) -> Callable[[Any], int]:
    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise ValueError(f"a whole number between {low} and {high}")
        return value

    return check


def _one_of(*options: str) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if value not in options:
            raise ValueError(f"one of {', '.join(options)}")
        return str(value)

    return check
