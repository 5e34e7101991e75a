"""Every message between Python and the browser. ``static/types.d.ts`` is written from it.

Here stands what the browser asks for; `sent` has what comes with a picture, `numbers` what is asked for after it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args, get_origin

Verb = Callable[[Any, Any], object]  # what a message or a value does to a session; a text that is returned is shown
Verbs = Mapping[str, Verb]
Fields = dict[str, Any]  # their types by name; one that may be missing ends in a question mark

# What every message has: what to do, an id, and whether the browser sends it by itself.
_ALWAYS: Fields = {"do": str, "request": str, "passive?": bool}
_CLASS = "open shut vote reveal again own pause resume minute forget forget_address names page close"
# Points are row numbers. Where a `key` comes, it is sent back with the reply.
MESSAGES: dict[str, Fields] = {
    "hello": {},
    # About three points, or two: 1 is yes, -1 is no, 0 is don't know; `by` is who gives the answer.
    "answer": {"triplet": list[int], "answer": int, "by?": str},
    "preview": {"triplet": list[int]},
    "suggest": {},
    "auto": {"on": bool},  # whether the next question comes by itself
    "person": {"name": str},  # who answers from now on
    "points": {"points": Literal[2, 3]},  # how many a question is about
    "shared": {"on": bool},  # whether to ask what others were asked, from now on
    "people": {},
    "apart": {"on": bool},  # whether each of several people has a noise model of their own
    "skip": {"triplet": list[int]},
    "undo": {},
    "redo": {},
    "dismiss": {},
    "flip": {"index": int, "answer": int},
    "delete": {"index": int},
    "replay": {"iteration": int, "key?": str, "why?": int},  # of EM; `why` is a point to explain there
    "why": {"view": Literal["point", "errors"], "key": str, "point?": int},  # of two models only a point
    "sweep": {},
    "methods": {},
    "cancel": {},
    "stop": {},
    "epsilon": {"value": float},
    "plant": {"errors": int, "person?": str},  # how many errors, perhaps among the answers of one person
    "cluster": {"cluster": int},  # whose probability is mapped
    "panels": {},
    "items": {"rows": list[int], "key": int, "detail": bool},  # small, or in detail
    "sheet": {"rows": list[int], "key": int},  # items for the picture, on one sheet
    "browse": {"folder": str},  # seen from the start folder
    "select": {"rows": list[int]},  # questions are about these; about all when there are none
    "window": {"window": list[float]},  # what is in sight: left, right, bottom and top, in shares of the whole
    "gallery": {},
    "name": {"cluster": int, "name": str},  # "" takes the name away
    # A gesture whose answers a person wants to see; then it counts, with some of them, and K may change.
    "propose": {
        **{"gesture": Literal["merge", "split", "together", "move", "group"]},
        **{"clusters": list[int], "rows": list[int]},
    },
    "confirm": {"number": int, "clusters": bool, "lines": list[int]},
    "export": {"kind": Literal["clusters", "selection"]},
    "resume": {},
    "set": {"name": str, "value": Any},  # the value that a person gave a control
    "press": {"name": str},
    "follow": {},
    "decide": {},
    "scene": {"to": Literal["next", "back", "leave"]},
    "class": {
        "to": Literal[tuple(_CLASS.split())],
        "triplet?": list[int],
        "number?": int,
    },  # with these points, or the guest of this number
    # A stroke by hand, on `n` points or on an empty plane: points that are erased, moved or added.
    "draw": {
        **{"n": int, "empty": bool, "erased": list[int], "rows": list[int], "places": list[list[float]]},
        **{"added": list[list[float]], "brushes": list[int]},
    },
    "drawing": {"to": Literal["", "on", "cleared"]},
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
    own = MESSAGES.get(verb) if isinstance(verb, str) else None
    if own is None:
        raise ValueError(f"the browser sent an unknown message, {verb!r}")
    kinds = _ALWAYS | own
    missing = [name for name in kinds if not name.endswith("?") and name not in message]
    if missing:
        raise ValueError(f"the message {verb!r} must have {', '.join(missing)}, got {', '.join(message)}")
    for name, value in message.items():
        kind = kinds.get(name) or kinds.get(f"{name}?")
        if kind is None:
            raise ValueError(f"the message {verb!r} has no {name}, got {value!r}")
        if not _fits(value, kind):
            expected = kind.__name__ if isinstance(kind, type) else kind
            raise ValueError(f"{name} of the message {verb!r} must be of type {expected}, got {value!r}")


def _fits(value: object, kind: Any) -> bool:
    if kind is Any:
        return True
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    if get_origin(kind) is list:
        return isinstance(value, list) and all(_fits(each, get_args(kind)[0]) for each in value)
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return type(value) is kind
