"""The types of what travels between Python and the browser, for tsc: `python tests/js/protocol.py` writes them.

They stand in `widgets/protocol`, `page/sent.py` and `room/sent.py`; a test says when the written
ones are old.
"""

from pathlib import Path
from types import UnionType
from typing import Any, Literal, NotRequired, get_args, get_origin, get_type_hints, is_typeddict

from dcrc_explore import arrays
from dcrc_explore.page import sent as page
from dcrc_explore.room import sent as room
from dcrc_explore.widgets.protocol import MESSAGES, numbers, sent

PATH = Path(sent.__file__).parents[1] / "static" / "types.d.ts"
HEAD = """// Written by `python tests/js/protocol.py` from widgets/protocol and the modules sent.py.

/** Numbers that the browser made itself, as a film's, need no unpacking. */
export type Numbers = Uint8Array | Uint16Array | Int32Array | Float32Array;
"""
TAIL = """
export type Verb = Wish["do"];
export type Message = Wish & { request?: string; passive?: boolean };
"""
SIMPLE = {int: "number", float: "number", str: "string", bool: "boolean", bytes: "ArrayBufferView", Any: "unknown"}


def in_javascript(kind: Any) -> str:
    """Return how TypeScript writes a type."""
    whole = get_origin(kind)
    if kind is arrays.PackedArray:
        return "PackedArray | Numbers"
    if is_typeddict(kind):
        return kind.__name__
    if whole is Literal:
        return " | ".join(f'"{each}"' if isinstance(each, str) else str(each) for each in get_args(kind))
    parts = [in_javascript(part) for part in get_args(kind)]
    if whole is tuple:
        return f"[{', '.join(parts)}]"
    if whole is dict:
        return f"Record<{', '.join(parts)}>"
    if whole is list:
        return f"({parts[0]})[]" if " | " in parts[0] else f"{parts[0]}[]"
    if whole is NotRequired:
        return parts[0]
    return " | ".join(dict.fromkeys(parts)) if whole is UnionType else SIMPLE.get(kind, "null")


def fields(kind: type) -> dict[str, str]:
    """Return the fields of a record, those that may be missing with a question mark, and their types."""
    hints = get_type_hints(kind, include_extras=True)
    return {name + "?" * (get_origin(hint) is NotRequired): in_javascript(hint) for name, hint in hints.items()}


def declarations() -> str:
    """Return all types: the records that Python sends, and the messages of the browser by what they ask for."""
    text = HEAD
    for module in (arrays, page, sent, numbers, room):
        for kind in vars(module).values():
            if is_typeddict(kind) and kind.__module__ == module.__name__:
                lines = "".join(f"  {name}: {what};\n" for name, what in fields(kind).items())
                text += f"\nexport interface {kind.__name__} {{\n{lines}}}\n"
    text += "\n/** What the browser asks for. */\nexport type Wish =\n"
    for verb, kinds in MESSAGES.items():
        own = [f"{name}: {in_javascript(kind)}" for name, kind in kinds.items()]
        text += f"  | {{ {'; '.join([f'do: {verb!r}', *own])} }}\n".replace("'", '"')
    text = text.rstrip() + ";\n"
    return (
        text
        + '\nexport type Verb = Wish["do"];\nexport type Message = Wish & { request?: string; passive?: boolean };\n'
    )


if __name__ == "__main__":
    PATH.write_text(declarations(), encoding="utf-8")
