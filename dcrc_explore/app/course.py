"""The course of notebooks: where it lies, how it gets into a folder, and which of its cells may run by themselves."""

from __future__ import annotations

import hashlib
import json
import shutil
from importlib.machinery import all_suffixes
from pathlib import Path
from typing import Any

FIRST_NOTEBOOK = "01-first-answers.ipynb"
LIVE = "dcrc-live"  # the tag of a notebook's cell that shows the tool
_PACKAGE = Path(__file__).parent.parent
_OF_THE_SITE = {"howto", "paper.md", "security.md"}  # pages to which the notebooks link


def source() -> Path:
    """Return where the course lies: in the installed package, or beside it in a copy of the sources."""
    installed = _PACKAGE / "notebooks"
    return installed if installed.exists() else _PACKAGE.parent / "notebooks"


def course_folder(folder: Path) -> Path:
    """Return where the course is in a working folder: a copy of the sources already has it."""
    return folder / ("notebooks" if (folder / "notebooks" / FIRST_NOTEBOOK).exists() else "dcrc-notebooks")


def copy_notebooks(folder: Path) -> Path:
    """Put the course into ``dcrc-notebooks`` in a folder, leaving what is there; returns the first notebook."""
    target = course_folder(folder)
    if target.name == "dcrc-notebooks":
        shutil.copytree(source(), target, dirs_exist_ok=True, ignore=_not_the_course, copy_function=_copy_if_missing)
    return target / FIRST_NOTEBOOK


def _not_the_course(folder: str, names: list[str]) -> list[str]:
    wanted = _OF_THE_SITE if Path(folder).name == "site" else set(names)
    others = (".py", ".json") if Path(folder) == source() else (".py",)  # answers that were saved beside the notebooks
    return [name for name in names if name.startswith((".", "_")) or name.endswith(others) or name not in wanted]


def _copy_if_missing(source: str, target: str) -> str:
    return target if Path(target).exists() else shutil.copy(source, target)


def page_settings(folder: Path) -> dict[str, Any]:
    """Return what our extension of JupyterLab has to know: the course's folder, and the code that runs unasked.

    That is the code of the marked cells as we wrote it, recognised by its SHA-256. A changed cell, or a cell of another
    notebook, waits for a person. So does everything in a folder with modules that our code could import by mistake.
    """
    used = course_folder(folder)
    foreign = [path for path in used.iterdir() if _is_importable(path) and not _is_ours(path)]
    return {
        "folder": used.relative_to(folder).as_posix(),
        "first": FIRST_NOTEBOOK,
        "cells": [] if foreign else [hashlib.sha256(code.encode()).hexdigest() for code in live_code()],
    }


def _is_importable(path: Path) -> bool:
    """Whether Python would import a file or a folder, whatever it is called."""
    endings = tuple(all_suffixes())
    return path.name.endswith(endings) or any((path / f"__init__{ending}").exists() for ending in endings)


def _is_ours(path: Path) -> bool:
    own = source() / path.name
    return path.is_file() and own.is_file() and path.read_bytes() == own.read_bytes()


def live_code() -> list[str]:
    """Return the code of the marked cells, one for each notebook.

    Examples
    --------
    >>> "Explorer" in live_code()[0]
    True
    """
    notebooks = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(source().glob("*.ipynb"))]
    return [
        "".join(cell["source"])
        for notebook in notebooks
        for cell in notebook["cells"]
        if LIVE in cell["metadata"].get("tags", [])
    ]
