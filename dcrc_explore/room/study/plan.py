"""The plan of a study: a TOML file, checked, with errors that name the line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from dcrc_explore.datasets import Dataset, as_dataset, list_datasets, list_real_datasets, load_dataset, make_dataset
from dcrc_explore.room.steps import Field
from dcrc_explore.room.wording import languages, say
from dcrc_explore.toml import Place, Rules, TextError, TomlTable, located, read_toml, toml_text
from dcrc_explore.values import FLAG, LIST, Rule, one_of, whole

_LARGEST = 2**20  # bytes of a plan
_MOST_QUESTIONS = 5000
_KINDS = ("text", "long", "number", "choice", "scale")
_TEXT = Rule("a text", lambda v: isinstance(v, str) and bool(v.strip()) and len(v) <= 20_000, str.strip)
_CODE = Rule("a text", lambda v: v == "" or _TEXT.fits(v), str.strip)
_NAME = Rule(
    "a name of letters, digits and underscores",
    lambda v: isinstance(v, str) and bool(re.fullmatch(r"[A-Za-z]\w{0,40}", v)),
    str,
)
_OPTIONS: Rule[tuple[str, ...]] = Rule(
    "a list of different texts",
    lambda v: LIST.fits(v) and bool(v) and all(map(_TEXT.fits, v)) and len(set(v)) == len(v),
    lambda v: tuple(map(str.strip, v)),
)


_FEW = whole(0, _MOST_QUESTIONS)
# What may stand in the tables of a plan; the records below have the defaults.
_PLAN: Rules = {
    "title": _TEXT, "data": _TEXT, "seed": whole(0, 2**32 - 1), "order": one_of(["balanced", "fixed"]),
    "questions": one_of(["same", "different"]), "back": FLAG, "clusters": whole(2, 100), "simulated": FLAG,
}  # fmt: skip
_BLOCK: Rules = {
    "kind": one_of(["triplets", "pairs"]), "count": whole(1, _MOST_QUESTIONS), "text": _TEXT, "dnk": FLAG,
    "repeated": _FEW, "controls": _FEW, "pause_every": _FEW,
}  # fmt: skip
_PRACTICE: Rules = {"text": _TEXT, "triplets": whole(0, 100), "pairs": whole(0, 100)}
_CONSENT: Rules = {"text": _TEXT, "agree": _TEXT}
_ITEM: Rules = {"id": _NAME, "text": _TEXT, "kind": one_of(_KINDS), "options": _OPTIONS, "required": FLAG}


class PlanError(TextError):
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
    agree: str = say("agree")


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
    language: str = ""  # of what is not written here; by default that of each browser
    simulated: bool = False  # nobody was asked: a rehearsal
    consent: Consent | None = None
    practice: Practice | None = None
    items: tuple[Field, ...] = ()
    end_text: str = say("end_text")
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

        def error(path: Place, message: str) -> PlanError:
            return PlanError(*located(self.text, path, message))

        try:
            data = self._load()
        except (OSError, ValueError, TypeError) as reason:
            raise error(("data",), f"data cannot be loaded: {reason}") from reason
        controlled = [n for n, block in enumerate(self.blocks) if block.controls]
        if data.y is None and (self.practice or controlled):
            path: Place = ("practice",) if self.practice else ("block", controlled[0], "controls")
            raise error(path, f"{path[-1]} needs true classes, and {self.data!r} has none")
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
    return parse_plan(toml_text(path, _LARGEST, PlanError), path.name, path.parent)


def parse_plan(text: str, name: str = "plan", folder: Path = Path()) -> Plan:
    r"""Check the text of a plan.

    Examples
    --------
    >>> parse_plan('title = "A"\ndata = "iris"\n[[block]]\nkind = "quads"\ncount = 3')
    Traceback (most recent call last):
    dcrc_explore.room.study.plan.PlanError: plan, line 4: block[1].kind must be one of triplets, pairs, got 'quads'
    """
    return read_toml("a plan", text, lambda table: _plan(table, text, folder), PlanError, name)


def _plan(table: TomlTable, text: str, folder: Path) -> Plan:
    consent, practice, end = table.part("consent"), table.part("practice"), table.table("end")
    blocks = tuple(map(_block, table.tables("block")))
    if not blocks:
        raise table.wrong((), "must have at least one [[block]] of questions")
    items = tuple(map(_item, table.tables("item")))
    ids = [item.id for item in items]
    for n, each in enumerate(ids):
        if each in ids[:n]:
            raise table.wrong(("item", n, "id"), f"must be different for each item, got {each!r} twice")
    plan = table.made(
        Plan,
        _PLAN | {"language": one_of(languages())},
        blocks=blocks,
        consent=consent and consent.made(Consent, _CONSENT),
        practice=practice and practice.made(Practice, _PRACTICE),
        items=items,
        end_text=end.take("text", _TEXT, Plan.end_text),
        end_code=end.take("code", _CODE, Plan.end_code),
        text=text,
        folder=folder,
    )
    for part in filter(None, (table, consent, practice, end)):
        part.done()
    return plan


def _block(part: TomlTable) -> Block:
    block = part.made(Block, _BLOCK)
    if block.repeated > block.count // 2:
        raise part.wrong(("repeated",), f"must be at most half of count, {block.count // 2}, got {block.repeated}")
    part.done()
    return block


def _item(part: TomlTable) -> Field:
    item = part.made(Field, _ITEM)
    if (item.kind in ("choice", "scale")) != bool(item.options):
        raise part.wrong(("options",), f"are needed for choice and scale, and for nothing else, got {item.kind!r}")
    part.done()
    return item
