"""What a value from elsewhere may be: one rule for files, plans, scenes and addresses, and one error sentence."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from math import inf, isfinite
from numbers import Integral, Real
from operator import ge, gt, le, lt
from typing import Any, Generic, TypeVar

from dcrc_explore.words import writable

Value = TypeVar("Value")
_VERY_LARGE = 10**1000


class _Short(reprlib.Repr):
    """Writes numbers that Python refuses to write, or writes with an address, in words."""

    def repr_int(self, x: int, level: int) -> str:
        return super().repr_int(x, level) if abs(x) < _VERY_LARGE else "a number of very many digits"


_SHORT = _Short()
_SHORT.maxstring = _SHORT.maxother = 200


@dataclass(frozen=True)
class Rule(Generic[Value]):
    """What a value may be, in words, whether one is, and what is made of it.

    Examples
    --------
    >>> whole(1, 9).checked(10, "seed")
    Traceback (most recent call last):
        ...
    ValueError: seed must be a whole number between 1 and 9, got 10
    """

    expected: str
    fits: Callable[[Any], bool]
    make: Callable[[Any], Value]

    def checked(self, value: Any, name: str) -> Value:
        """Return the value; ValueError, with what was expected and what came, when it may not be."""
        if not self.fits(value):
            raise ValueError(f"{name} must be {self.expected}, got {shown(value)}")
        return self.make(value)


def whole(low: float, high: float = inf) -> Rule[int]:
    """Return the rule of a whole number within limits; true and false are none."""
    return Rule(f"a whole number {_limits(low, high)}", lambda v: _is_a(Integral, v) and low <= v <= high, int)


def number(low: float, high: float = inf) -> Rule[float]:
    """Return the rule of a number within limits."""
    return Rule(f"a number {_limits(low, high)}", lambda v: _is_a(Real, v) and low <= v <= high, float)


def finite(kind: type = Real, **limits: float | None) -> Rule[Any]:
    """Return the rule of a finite number `least` or `above`, and `below` or `most`, as far as these are given.

    Examples
    --------
    >>> finite(least=0, below=1).checked(1, "epsilon")
    Traceback (most recent call last):
        ...
    ValueError: epsilon must be a number of at least 0 and below 1, got 1
    """
    given = [(*_COMPARED[name], limit) for name, limit in limits.items() if limit is not None]
    words = " and ".join(f"{word} {limit:g}" for word, _, limit in given)
    noun = "a whole number" if kind is Integral else "a number"

    def fits(value: Any) -> bool:
        return _is_a(kind, value) and isfinite(value) and all(holds(value, limit) for _, holds, limit in given)

    return Rule(f"{noun} {words}".rstrip(), fits, int if kind is Integral else float)


_COMPARED = {"least": ("of at least", ge), "above": ("above", gt), "below": ("below", lt), "most": ("at most", le)}


def _limits(low: float, high: float) -> str:
    return f"of at least {low:.15g}" if high == inf else f"between {low:.15g} and {high:.15g}"


def _is_a(kind: type, value: Any) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


def text(longest: int) -> Rule[str]:
    """Return the rule of a text, also an empty one, of whole characters."""
    expected = f"a text of at most {longest} whole characters"
    return Rule(expected, lambda v: type(v) is str and len(v) <= longest and writable(v) == v, str)


def line(longest: int) -> Rule[str]:
    """Return the rule of one line of text."""

    def fits(value: Any) -> bool:
        return type(value) is str and value.isprintable() and bool(value.strip()) and len(value) <= longest

    return Rule(f"a line of at most {longest} characters", fits, str)


def one_of(names: Iterable[str]) -> Rule[str]:
    """Return the rule of one of some names."""
    known = tuple(names)
    return Rule(f"one of {', '.join(known)}", lambda v: isinstance(v, str) and v in known, str)


def _is_time(value: Any) -> bool:
    try:
        datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return False
    return len(value) < 100


FLAG: Rule[bool] = Rule("true or false", lambda v: type(v) is bool, bool)
LIST: Rule[list[Any]] = Rule("a list", lambda v: type(v) is list, lambda v: v)
TIME: Rule[str] = Rule("a time in ISO 8601", _is_time, str)


def checked_fields(value: Any, what: str, needed: Iterable[str], possible: Iterable[str] = ()) -> dict[str, Any]:
    """Return an object that has all fields it needs, and no others than those and the possible ones.

    Examples
    --------
    >>> checked_fields({"coef": 1}, "weights", ["coef", "intercept"])
    Traceback (most recent call last):
        ...
    ValueError: weights must have 'intercept'
    """
    if type(value) is not dict:
        raise ValueError(f"{what} must be an object, got {shown(value)}")
    missing, unknown = set(needed) - set(value), set(value) - set(needed) - set(possible)
    if missing:
        raise ValueError(f"{what} must have {sorted(missing)[0]!r}")
    if unknown:
        raise ValueError(f"{what} has the unknown field {shown(sorted(unknown)[0])}")
    return value


def shown(value: Any) -> str:
    """Write a value as it came, a long one only by its beginning.

    Examples
    --------
    >>> shown("moon"), shown(16**5000)
    ("'moon'", 'a number of very many digits')
    """
    return _SHORT.repr(value)
