"""Texts in TOML, such as scenes and plans: their entries are taken one by one, and an error names its line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, TypeVar

from dcrc_explore.storage import read_text
from dcrc_explore.values import LIST, Rule, Value, shown

Place = tuple[str | int, ...]  # keys, and places in lists from 0 on
Rules = dict[str, Rule[Any]]  # of the entries of a table, by their keys
Made = TypeVar("Made")
_LONG = 20_000_000  # lines x characters


class TextError(ValueError):
    """A text that cannot be used; the message says where, what was expected and what came.

    Attributes
    ----------
    line : int or None
        Number of the line, from 1 on.
    """

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


class Wrong(ValueError):
    """A value that cannot be used, and where in the text it stands."""

    def __init__(self, path: Place, message: str) -> None:
        super().__init__(message)
        self.path = path


def read_toml(
    kind: str, text: str, make: Callable[[TomlTable], Made], error: type[TextError] = TextError, name: str = ""
) -> Made:
    r"""Return what is made of a text of some kind, as "a plan"; an error, with the line, when that cannot be.

    The error is of the given class, and begins with the name of the file if that is known.

    Examples
    --------
    >>> from dcrc_explore.values import whole
    >>> read_toml("a plan", "title = 'A'\nseed = -1", lambda table: table.take("seed", whole(0, 9)))
    Traceback (most recent call last):
        ...
    dcrc_explore.toml.TextError: line 2: seed must be a whole number between 0 and 9, got -1
    """
    place = f"{name}, " if name else ""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        found = re.search(r" \(at line (\d+), column \d+\)| \(at end of document\)", str(wrong))
        line = int(found[1]) if found and found[1] else len(text.splitlines()) or 1
        expected = str(wrong)[: found.start()] if found else str(wrong)
        raise error(f"{place}line {line}: the text must be TOML, got an error: {expected}", line) from wrong
    except (ValueError, RecursionError) as wrong:  # a number of thousands of digits, lists in lists in lists
        words = f"the text must be TOML of moderate numbers and depth, got an error: {wrong}"
        raise error(place + words) from wrong
    try:
        return make(TomlTable(values, kind))
    except Wrong as wrong:
        message, at = located(text, wrong.path, f"{wrong!s:.2000}")
        raise error(place + message, at) from wrong


def located(text: str, path: Place, message: str) -> tuple[str, int | None]:
    """Return a message about the value at a path, with its line before it, and the line."""
    line = line_of(text, path)
    return (message if line is None else f"line {line}: {message}"), line


def toml_text(path: Path, largest: int, error: type[TextError]) -> str:
    """Return the text of a file; an error of a class when there is none, or none in UTF-8."""
    try:
        return read_text(path, largest=largest)
    except UnicodeDecodeError as wrong:
        line = wrong.object[: wrong.start].count(b"\n") + 1
        raise error(f"{path.name}, line {line}: the text must be UTF-8, got another encoding", line) from wrong
    except ValueError as wrong:
        raise error(str(wrong)) from wrong


class TomlTable:
    """A table of a text whose entries are taken one by one, so that what is left over is unknown."""

    def __init__(self, values: Any, kind: str, path: Place = ()) -> None:
        self.path, self._kind = path, kind
        if not isinstance(values, dict):
            raise self.wrong((), f"must be a table, got {shown(values)}")
        self.values, self._known = values, list[str]()

    def take(self, key: str, rule: Rule[Value], default: Any = None) -> Value:
        """Return the value of a key; without a default it must be there."""
        self._known.append(key)
        if key not in self.values:
            if default is None:
                got = ", ".join(self.values) or "nothing"
                raise self.wrong((), f"must have {key}, {rule.expected}; got {got}")
            return default
        path = (*self.path, key)
        try:
            return rule.checked(self.values[key], called(path))
        except ValueError as error:
            raise Wrong(path, str(error)) from error

    def made(self, kind: type[Made], rules: Rules, **more: Any) -> Made:
        """Return a dataclass with an entry for each rule, which must be there where the field has no default."""
        usual = {each.name: None if each.default is MISSING else each.default for each in fields(kind)}  # type: ignore[arg-type]
        return kind(**{key: self.take(key, rule, usual[key]) for key, rule in rules.items()}, **more)

    def table(self, key: str) -> TomlTable:
        """Return a table within this one, empty when it is not there."""
        self._known.append(key)
        return TomlTable(self.values.get(key, {}), self._kind, (*self.path, key))

    def part(self, key: str) -> TomlTable | None:
        """Return a table within this one, None when it is not there."""
        part = self.table(key)
        return part if key in self.values else None

    def tables(self, key: str) -> list[TomlTable]:
        """Return a list of tables."""
        rows = self.take(key, LIST, [])
        return [TomlTable(row, self._kind, (*self.path, key, t)) for t, row in enumerate(rows)]

    def done(self) -> None:
        """Refuse keys that nobody took."""
        for key in self.values:
            if key not in self._known:
                may = f"{called(self.path) or self._kind} may have {', '.join(self._known)}"
                raise self.wrong((key,), f"is unknown: {may}, got {shown(key)}")

    def wrong(self, more: Place, message: str) -> Wrong:
        """Return an error about this table, or about an entry in it."""
        path = (*self.path, *more)
        return Wrong(path, f"{called(path) or self._kind} {message}")


def called(path: Place) -> str:
    """Name a place as people do.

    Examples
    --------
    >>> called(("steps", 0, "text"))
    'steps[1].text'
    """
    return "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")


def line_of(text: str, path: Place) -> int | None:
    r"""Find the line where the value at a path begins: the first one with which the text, read up to it, has it.

    None in a text of so many long lines that this would take minutes.

    Examples
    --------
    >>> line_of('[settings]\ntau = 1\nlam = 2', ("settings", "lam"))
    3
    """
    lines = text.splitlines()
    if len(lines) * len(text) > _LONG:
        return None
    begins = 1  # the line after the last one up to which the text is whole
    for n in range(1, len(lines) + 1):
        try:
            values: Any = tomllib.loads("\n".join(lines[:n]))
        except (ValueError, RecursionError):
            continue
        if _has(values, path):
            return begins
        begins = n + 1
    return 1 if not path else line_of(text, path[:-1])


def _has(values: Any, path: Place) -> bool:
    for part in path:
        there = range(len(values)) if isinstance(values, list) else values if isinstance(values, dict) else ()
        if part not in there:
            return False
        values = values[part]
    return True
