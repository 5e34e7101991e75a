"""The browser's half: the files in ``static``, joined into what a widget sends."""

from __future__ import annotations

from pathlib import Path

_STATIC = Path(__file__).parent / "static"


def static(*names: str) -> str:
    """Join files of the browser's half into one text; there is no bundler."""
    return "\n".join((_STATIC / name).read_text(encoding="utf-8") for name in names)
