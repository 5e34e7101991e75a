"""A study as the source of a room: one file for each participant, and everybody continues where they were."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from dcrc_explore import __version__
from dcrc_explore.constraints.log import now
from dcrc_explore.datasets import Dataset
from dcrc_explore.room.cards import Cards
from dcrc_explore.room.limits import Limits
from dcrc_explore.room.names import new_code
from dcrc_explore.room.room import Refused, Room
from dcrc_explore.room.source import Source
from dcrc_explore.room.steps import EndPage, FormPage, QuestionPage, Step, TextPage
from dcrc_explore.room.study.plan import Plan, PlanError, read_plan
from dcrc_explore.room.study.schedule import ScheduledStep, Scheduler
from dcrc_explore.room.wording import say
from dcrc_explore.storage import StoredFile, json_lines, read_text
from dcrc_explore.values import whole

PLAN_FILE = "plan.toml"
ROOM_FILE = "room.json"
PEOPLE_FILE = "participants.jsonl"  # every number that was given, and who withdrew
LARGEST = 2**26  # bytes of a participant's file
_CONSENT = "consent"
_AHEAD = 2
_SLOT = whole(0, 10**6 - 1)


@dataclass
class _Person:
    """Where a participant is."""

    file: Path
    slot: int | None = None
    place: int = 0
    attempts: Counter[int] = field(default_factory=Counter)
    is_back: bool = False
    taken: set[str] = field(default_factory=set)
    steps: Sequence[ScheduledStep] = ()

    @property
    def id(self) -> str:
        """The step that is to be answered."""
        if self.slot is None:
            return _CONSENT
        attempt = self.attempts[self.place]
        return f"{self.place}.{attempt}" if attempt else str(self.place)


class Study(Source):
    """A study that follows a plan; its data lie in a folder.

    Each participant has a file of their own. It grows by a line with each step, and the line is on disk before the
    phone confirms it. One process at a time runs a study; the same plan continues in the same folder.

    Examples
    --------
    >>> import tempfile
    >>> from dcrc_explore.room.study import TEMPLATE, read_plan
    >>> with Study(read_plan(TEMPLATE), Path(tempfile.mkdtemp()) / "data") as study:
    ...     ann = study.arrive(None, "")
    ...     study.take(ann, study.steps(ann)[0], "next", 12.0)
    ...     study.steps(ann)[0].title
    'Practice'
    """

    nicknames = False

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan, self.folder, self.title = plan, Path(folder), plan.title
        self.language = plan.language
        self.data: Dataset = plan.load_data()
        self.cards = Cards.of(self.data)
        self._scheduler = Scheduler(plan, self.data)
        self._scheduler.schedule(0)  # what can't be asked is noticed before anybody comes
        self._save_plan()
        self._lock = self._enter()
        self.damaged: list[str] = []  # lines that cannot be read: their files and numbers
        try:
            self._room = read_room(self.folder)
            self._files = {int(file.stem[1:]): file for file in participant_files(self.folder)}
            read = {number: self._read(file) for number, file in self._files.items()}
            self._people = {number: person for number, person in read.items() if person is not None}
            self._last = self._count_numbers()
        except BaseException:
            self.close()
            raise

    def room(self, limits: Limits | None = None) -> Room:
        """Return the study's room; its code and its participants' tokens stay the same after a restart."""
        return Room(self, code=self._room["code"], secret=bytes.fromhex(self._room["secret"]), limits=limits)

    def close(self) -> None:
        """Let others run the study."""
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def n_participants(self) -> int:
        """How many have agreed to take part."""
        return sum(person.slot is not None for person in self._people.values())

    @property
    def n_finished(self) -> int:
        """How many have reached the end."""
        return sum(person.slot is not None and person.place >= len(person.steps) for person in self._people.values())

    def slot(self, number: int) -> int:
        """Return the place of a participant among those who agreed."""
        slot = self._people[number].slot
        assert slot is not None
        return slot

    def arrive(self, number: int | None, nickname: str) -> int:
        """Begin a file for a new participant; find a returning one by their file."""
        if number is not None:
            if number not in self._people:
                if number in self._files:  # consent cannot be read: as somebody new they are asked again
                    raise Refused(401, "Please join again.")
                raise Refused(410, "You no longer take part in this study.")
            return number
        number = self._last + 1
        self._append(self.folder / PEOPLE_FILE, {"at": now(), "number": number})
        self._last = number
        header = {"participant": number, "plan": self.plan.fingerprint, "version": __version__, "at": now()}
        with StoredFile.create(self.folder / f"p{number:04d}.jsonl", _line(header).encode(), private=True) as file:
            self._people[number], self._files[number] = _Person(file.path), file.path
        if self.plan.consent is None:
            self._agree(self._people[number], {})
        return number

    def withdraw(self, number: int) -> None:
        """Delete what a participant answered and say so in the list of participants; the number is not given again."""
        if number not in self._files:
            raise ValueError(f"there is no participant {number} in {str(self.folder)!r}")
        self._append(self.folder / PEOPLE_FILE, {"at": now(), "withdrawn": number})
        self._people.pop(number, None)
        self._files.pop(number).unlink()

    def _count_numbers(self) -> int:
        """Return the highest number that was given; a damaged line may have given one more."""
        path, numbers = self.folder / PEOPLE_FILE, list(self._files)
        if not path.exists():
            StoredFile.create(path, b"", private=True).close()
        for line, fact in json_lines(path, largest=LARGEST):
            number = (fact or {}).get("number", (fact or {}).get("withdrawn"))
            if type(number) is int and 0 < number < 10**7:
                numbers.append(number)
            else:
                self.damaged.append(f"{path.name} line {line}")
        return max(numbers, default=0) + sum(each.startswith(path.name) for each in self.damaged)

    def steps(self, number: int) -> list[Step]:
        """Return the step where the participant is, and the one after it."""
        person, consent = self._people[number], self.plan.consent
        if person.slot is None:
            assert consent is not None
            return [TextPage(_CONSENT, self.plan.title, consent.text, agree=consent.agree)]
        coming: list[Step] = [asked.step for asked in person.steps[person.place : person.place + _AHEAD]]
        if len(coming) < _AHEAD:
            coming.append(EndPage("end", say("finished"), self.plan.end_text, self.completion(number)))
        if person.is_back and isinstance(coming[0], QuestionPage):  # back by one step only
            coming[0] = replace(coming[0], id=person.id, back=False)
        return coming

    def take(self, number: int, step: Step, value: Any, seconds: float) -> None:
        """Write an answer into the participant's file."""
        person = self._people[number]
        if step.id != person.id:
            raise Refused(409, say("one_before"))
        line: dict[str, Any] = {"at": now(), "step": step.id, "seconds": seconds}
        if person.slot is None:
            self._agree(person, line)
            return
        asked = person.steps[person.place]
        if isinstance(step, QuestionPage):
            line |= {"rows": step.rows, "answer": value, "role": asked.role, "block": asked.block}
        elif isinstance(step, FormPage):
            line |= {"items": value}
        end = {"at": now(), "finished": self.completion(number)} if person.place + 1 == len(person.steps) else None
        self._append(person.file, line, *([end] if end else []))
        self._follow(person, line)

    def has_taken(self, number: int, step_id: str) -> bool:
        """Whether the participant's file has the answer."""
        return step_id in self._people[number].taken

    def back(self, number: int) -> None:
        """Return to the question before, once."""
        step = self.steps(number)[0]
        if isinstance(step, QuestionPage) and step.back:
            line = {"at": now(), "back": True}
            self._append(self._people[number].file, line)
            self._follow(self._people[number], line)

    def completion(self, number: int) -> str:
        """Return the completion code of a participant."""
        if self.plan.end_code != "random":
            return self.plan.end_code
        digest = hmac.new(bytes.fromhex(self._room["secret"]), f"completion {number}".encode(), hashlib.sha256).digest()
        return base64.b32encode(digest)[:8].decode()

    def _agree(self, person: _Person, line: dict[str, Any]) -> None:
        """Give a participant the next slot, by which everything is counterbalanced."""
        slot = max((other.slot for other in self._people.values() if other.slot is not None), default=-1) + 1
        line = {"at": now(), "step": _CONSENT, **line, "slot": slot}
        self._append(person.file, line)
        self._follow(person, line)

    def _follow(self, person: _Person, line: dict[str, Any]) -> None:
        """Follow a line of a participant's file; ValueError when it leads nowhere."""
        if "slot" in line:
            person.slot = _SLOT.checked(line["slot"], "slot")
            person.taken.add(_CONSENT)
            person.steps = self._scheduler.schedule(person.slot)
        elif line.get("back") is True:
            if not person.place:
                raise ValueError("nothing is before the first step")
            person.place -= 1
            person.attempts[person.place] += 1
            person.is_back = True
        elif "step" in line:
            place, _, _ = str(line["step"]).partition(".")
            if not person.place <= int(place) < len(person.steps):
                raise ValueError("a step must be one that was not answered")
            person.taken.add(str(line["step"]))
            person.place = int(place) + 1  # where a line is damaged, the steps after it count
            person.is_back = False

    def _append(self, path: Path, *lines: dict[str, Any]) -> None:
        # Opened for each line: hundreds of participants would need as many open files.
        text = "".join(map(_line, lines))
        with StoredFile(path) as file:
            file.hold()
            file.append(text, largest=LARGEST)

    def _read(self, path: Path) -> _Person | None:
        """Return where a participant is; None when the line of consent is damaged, and others are not."""
        person = _Person(path)
        for number, line in json_lines(path, largest=LARGEST):
            try:
                if line is None:
                    raise ValueError("no JSON")
                if person.slot is not None or "slot" in line:
                    self._follow(person, line)
                elif "step" in line:
                    return None
            except (ValueError, TypeError, OverflowError):
                self.damaged.append(f"{path.name} line {number}")
        return person

    def _save_plan(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        saved = self.folder / PLAN_FILE
        if not saved.exists():
            with StoredFile.create(saved, self.plan.text.encode()):
                return
        if read_plan(saved).text != self.plan.text:
            raise PlanError(
                f"{str(self.folder)!r} holds the data of another plan ({PLAN_FILE} there): name another folder by "
                "--folder, or use that plan"
            )

    def _enter(self) -> StoredFile:
        """Take the right to run the study; the file with its secret is for this user only."""
        path = self.folder / ROOM_FILE
        if not path.exists():
            content = {
                "code": new_code(),
                "secret": secrets.token_hex(32),
                "plan_folder": str(self.plan.folder.absolute()),
            }
            return StoredFile.create(path, json.dumps(content).encode(), private=True)
        lock = StoredFile(path)
        try:
            lock.hold()
        except BlockingIOError:
            raise BlockingIOError(f"the study in {str(self.folder)!r} is running already") from None
        return lock


def participant_files(folder: Path) -> list[Path]:
    """Return the files of a study's participants, by number."""
    return sorted(path for path in folder.glob("p*.jsonl") if re.fullmatch(r"p\d{4,7}", path.stem, re.ASCII))


def read_room(folder: Path) -> dict[str, str]:
    """Return code, secret and folder of the plan of a study; ValueError when its file is damaged."""
    path = folder / ROOM_FILE
    try:
        room = json.loads(read_text(path, largest=LARGEST, errors="replace"))
    except (ValueError, RecursionError):
        room = None
    names = ("code", "secret", "plan_folder")
    if not isinstance(room, dict) or not all(isinstance(room.get(name), str) and room[name] for name in names):
        raise ValueError(f"{path} is damaged: it must hold {', '.join(names)} as JSON")
    if not room["code"].isascii() or not re.fullmatch("([0-9a-f]{2}){16,}", room["secret"]):
        raise ValueError(f"{path} is damaged: it must hold the code and the secret that the study began with")
    return room


def _line(content: dict[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False) + "\n"
