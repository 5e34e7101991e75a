"""Sessions on disk: versioned JSON, written atomically, read as data only."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class SavedSession:
    """A session file that one can go on with."""

    path: Path
    name: str
    n_answers: int
    saved: str  # ISO 8601, UTC
