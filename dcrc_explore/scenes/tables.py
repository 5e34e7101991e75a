"""Tables of a TOML text that are taken apart entry by entry, and where in the text an entry stands."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from typing import Any

Path = tuple[str | int, ...]  # keys, and places in lists from 0 on
_LONGEST = 300  # characters of a line of text


class Wrong(ValueError):
    """A value that cannot be used, and where in the text it stands."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(message)
        self.path = path


class Table:
    """A table of a text whose entries are taken one by one, so that what is left over is unknown."""

    def __init__(self, values: Any, path: Path = ()) -> None:
        self.path = path
        if not isinstance(values, dict):
            raise self.wrong((), f"must be a table, got {values!r}")
        self.values, self._known = values, list[str]()

    def take(self, key: str, expected: str, fits: Callable[[Any], bool], default: Any = None) -> Any:
        """Return the value of a key; without a default it must be there."""
        self._known.append(key)
        value = self.values.get(key, default)
        if value is None:
            raise self.wrong((), f"must have {key}, {expected}; got {', '.join(self.values) or 'nothing'}")
        if key in self.values and not fits(value):
            raise self.wrong((key,), f"must be {expected}, got {value!r}")
        return value

    def text(self, key: str, default: str | None = None) -> str:
        """Return one line of text."""

        def fits(value: Any) -> bool:
            return isinstance(value, str) and value.isprintable() and bool(value.strip()) and len(value) <= _LONGEST

        return str(self.take(key, f"one line of at most {_LONGEST} characters", fits, default))

    def whole(self, key: str, low: int, high: int, default: int) -> int:
        """Return a whole number."""
        return int(
            self.take(key, f"a whole number between {low} and {high}", lambda v: is_whole(v, low, high), default)
        )

    def one_of(self, key: str, names: Mapping[str, Any] | tuple[str, ...], default: str | None = None) -> str:
        """Return one of some names."""
        return str(self.take(key, f"one of {', '.join(names)}", lambda v: isinstance(v, str) and v in names, default))

    def flag(self, key: str, default: bool) -> bool:
        """Return true or false."""
        return bool(self.take(key, "true or false", lambda v: isinstance(v, bool), default))

    def table(self, key: str) -> Table:
        """Return a table within this one, empty when it is not there."""
        return Table(self.take(key, "a table", lambda v: True, {}), (*self.path, key))

    def tables(self, key: str) -> list[Table]:
        """Return a list of tables."""
        rows = self.take(key, "a list of tables", lambda v: isinstance(v, list), [])
        return [Table(row, (*self.path, key, t)) for t, row in enumerate(rows)]

    def done(self) -> None:
        """Refuse keys that nobody took."""
        for key in self.values:
            if key not in self._known:
                raise self.wrong(
                    (key,),
                    f"is unknown: {called(self.path) or 'a scene'} may have {', '.join(self._known)}, got {key!r}",
                )

    def wrong(self, more: Path, message: str) -> Wrong:
        """Return an error about this table, or about an entry in it."""
        path = (*self.path, *more)
        return Wrong(path, f"{called(path) or 'a scene'} {message}")


def called(path: Path) -> str:
    """Name a place as people do.

    Examples
    --------
    >>> called(("steps", 0, "text"))
    'steps[1].text'
    """
    return "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")


def is_whole(value: Any, low: int, high: int) -> bool:
    """Return whether a value is a whole number within limits; true and false are not."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def line_of(text: str, path: Path) -> int:
    r"""Find the line where the value at a path begins: the first one with which the text, read up to it, has it.

    Examples
    --------
    >>> line_of('[settings]\ntau = 1\nlam = 2', ("settings", "lam"))
    3
    """
    lines = text.splitlines()
    begins = 1  # the line after the last one up to which the text is whole
    for n in range(1, len(lines) + 1):
        try:
            values: Any = tomllib.loads("\n".join(lines[:n]))
        except tomllib.TOMLDecodeError:
            continue
        if _has(values, path):
            return begins
        begins = n + 1
    return 1 if not path else line_of(text, path[:-1])


def _has(values: Any, path: Path) -> bool:
    for part in path:
        there = range(len(values)) if isinstance(values, list) else values if isinstance(values, dict) else ()
        if part not in there:
            return False
        values = values[part]
    return True
