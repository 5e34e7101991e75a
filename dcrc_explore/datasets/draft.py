"""A user's file, read while the user says what its columns are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from dcrc_explore.datasets.dataset import Dataset
from dcrc_explore.datasets.files import read_csv
from dcrc_explore.datasets.own import as_dataset, describe_columns
from dcrc_explore.datasets.table import Column, Table
from dcrc_explore.progress import Watch, unwatched

# What a column can be: seen by the model, the true class, seen by people, or none of these.
PARTS = ("feature", "class", "items", "ignore")
_CLASS_NAMES = {
    "y", "class", "label", "target", "species", "kind", "category", "type", "variety", "cultivar", "breed", "genus",
    "diagnosis", "outcome", "group", "topic", "truth",
}  # fmt: skip
_NUMBER_NAMES = ("id", "index", "nr", "no", "no.", "number", "row", "#")
_MOST_KINDS = 20  # different values of a column of texts that look like classes


class Draft:
    """Data that are being opened: columns with names, whose roles are chosen, or a file without such columns.

    Examples
    --------
    >>> import numpy as np
    >>> table = Table({"id": np.array(["1", "2"]), "width": np.array([1.5, 2]), "kind": np.array(["oak", "oak"])})
    >>> draft = Draft(table, "trees")
    >>> draft.guess()
    ['ignore', 'feature', 'class']
    >>> draft.dataset(draft.guess())
    Dataset('trees', 2 points, 1 features, 1 classes)
    """

    def __init__(self, source: Table | Path, name: str) -> None:
        self._source, self.name = source, name
        # Empty when the file has none with names.
        self.columns: tuple[Column, ...] = describe_columns(source) if isinstance(source, Table) else ()

    @classmethod
    def read(cls, path: str | PathLike[str], watch: Watch = unwatched) -> Draft:
        """Read a ``.csv`` file; other files and folders are read when the data are made of them."""
        path = Path(path).expanduser()
        return cls(read_csv(path, watch) if path.suffix == ".csv" else path, path.stem)

    @property
    def n_rows(self) -> int:
        """How many rows the table has; 0 without one."""
        return self._source.n_rows if isinstance(self._source, Table) else 0

    def guess(self) -> list[str]:
        """Return the part that each column most likely plays."""
        parts = [_likely(column, self.n_rows) for column in self.columns]
        for part in ("class", "items"):
            # There is one of each.
            candidates = [d for d, each in enumerate(parts) if each == part]
            by_doubts = sorted(candidates, key=lambda d: _doubts(self.columns[d], d)) if part == "class" else candidates
            for d in candidates:
                parts[d] = part if d == by_doubts[0] else "ignore"
        return parts

    def dataset(
        self,
        parts: Sequence[str],
        *,
        features: str | None = None,
        drop_incomplete: bool = False,
        watch: Watch = unwatched,
    ) -> Dataset:
        """Make the data; `parts` holds one of "feature", "class", "items", "ignore" for each column.

        Without a feature among the columns, features are made of the items: those called `features`, or what suits
        them best. They are on one scale already.
        """
        if len(parts) != len(self.columns) or not set(parts) <= set(PARTS):
            expected = f"one of {', '.join(PARTS)} for each of {len(self.columns)} columns"
            raise ValueError(f"parts must hold {expected}, got {list(parts)}")
        names = {part: [c.name for c, own in zip(self.columns, parts, strict=True) if own == part] for part in PARTS}
        for part, what in (("class", "class"), ("items", "what people see")):
            if len(names[part]) > 1:
                raise ValueError(f"one column may be the {what}, got {', '.join(names[part])}")
        if self.columns and not names["feature"] and not names["items"]:
            raise ValueError("choose at least one column as a feature, or one of texts or files that people see")
        return as_dataset(
            self._source,
            next(iter(names["class"]), None),
            name=self.name if self.columns else None,
            features=names["feature"] or features,
            ignore=names["ignore"],
            items=next(iter(names["items"]), None),
            drop_incomplete=drop_incomplete,
            watch=watch,
        )


def _is_called_a_class(column: Column) -> bool:
    return bool(_CLASS_NAMES.intersection(re.split(r"[^a-z]+", column.name.lower())))


def _doubts(column: Column, place: int) -> tuple[bool, bool, bool, int, int]:
    """Return what makes a column an unlikely class: its name, a single value, gaps, many kinds, a place in front."""
    return not _is_called_a_class(column), column.n_distinct < 2, column.n_empty > 0, column.n_distinct, -place


def _likely(column: Column, n_rows: int) -> str:
    """Guess the part of one column, whatever the others are."""
    if column.n_distinct == 0 or column.n_empty > n_rows / 2:
        return "ignore"
    if column.kind in ("images", "sounds"):
        return "items"
    if _is_called_a_class(column) and column.n_distinct <= _MOST_KINDS:
        return "class"  # even when it is written in numbers
    if column.kind == "texts":
        if column.n_distinct <= min(_MOST_KINDS, max(2, n_rows / 2)):
            return "class"
        return "items" if any(" " in example for example in column.examples) else "ignore"
    name = column.name.lower()
    numbers = name in _NUMBER_NAMES or name.endswith(("_id", " id")) or name.startswith(("unnamed", "column "))
    return "ignore" if numbers and column.n_distinct == n_rows - column.n_empty else "feature"
