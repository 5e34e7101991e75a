"""Which files can be opened: folders and data below the folder in which the tool runs, and nothing above it."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

from dcrc_explore.datasets.folder import SUFFIXES
from dcrc_explore.widgets.protocol.sent import EntrySent, ListingSent
from dcrc_explore.words import count

_TABLES = (".csv", ".npz", ".npy", ".txt")
_MOST = 1000  # entries that are listed
_LOOKED_AT = 20_000


def list_folder(folder: str, start: Path | None = None) -> ListingSent:
    """List what can be opened in a folder, whose name is seen from `start`, by default the working folder.

    Nothing outside of `start` is listed, whatever the name or a link says, nor what the user may not read.

    Examples
    --------
    >>> list_folder("..")
    Traceback (most recent call last):
        ...
    ValueError: only folders below the start folder can be listed, got '..'
    """
    root = (start or Path.cwd()).resolve()
    name = PurePosixPath(folder)
    if name.is_absolute() or ".." in name.parts or "\0" in folder or "\\" in folder:
        raise ValueError(f"only folders below the start folder can be listed, got {folder!r}")
    place = (root / name).resolve()
    if not place.is_relative_to(root):
        raise ValueError(f"only folders below the start folder can be listed, got {folder!r}")
    try:
        with os.scandir(place) as found:
            names = sorted(each.name for each, _ in zip(found, range(_LOOKED_AT), strict=False))
    except OSError as error:
        raise ValueError(f"{folder!r} cannot be listed: {error.strerror or error}") from error
    entries, kinds = list[EntrySent](), dict.fromkeys(SUFFIXES, 0)
    for each in names:
        path = place / each
        if each.startswith(".") or not _is_inside(path, root):
            continue
        suffix = path.suffix.lower()
        for kind, suffixes in SUFFIXES.items():
            kinds[kind] += suffix in suffixes
        if path.is_dir() and os.access(path, os.R_OK | os.X_OK):
            entries.append({"name": each, "folder": True})
        elif suffix in _TABLES and path.is_file() and os.access(path, os.R_OK):
            entries.append({"name": each, "folder": False})
    entries.sort(key=lambda entry: (not entry["folder"], entry["name"].lower()))
    holds = ", ".join(count(n, kind.removesuffix("s")) for kind, n in kinds.items() if n)
    return {
        "folder": "" if name == PurePosixPath() else str(name),
        "start": root.name or str(root),
        "entries": entries[:_MOST],
        "holds": holds,
        "more": max(0, len(entries) - _MOST),
    }


def _is_inside(path: Path, root: Path) -> bool:
    try:
        return path.resolve().is_relative_to(root)
    except (OSError, RuntimeError):  # a link to itself
        return False
