"""Results on disk: one tidy record per line of a JSON-lines file, appended as work is done."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from dcrc_explore.datasets.limits import check_file
from dcrc_explore.storage import StoredFile
from dcrc_explore.values import number, text, whole

Record = dict[str, Any]
Key = tuple[str, str, str, float, int]
# What experiments were called in files of earlier versions.
FORMER_NAMES = {
    "figure3": "comparison",
    "figure5": "soft-hard",
    "figure6": "balance",
    "table5": "confusion",
    "table6": "people",
}
_NAME, _RUN, _RESULT = text(10_000), whole(-1e100, 1e100), number(-1e100, 1e100)
# What is measured, by the name of its field.
MEASURES = {
    "ari": "adjusted Rand index",
    "f": "pairwise F",
    "nmi": "normalised mutual information",
    "accuracy": "score of predicted answers",
    "fit_seconds": "seconds per fit",
    "seconds": "seconds with tuning",
}
_BEGINNING = b'{"experiment":"'  # of every line that we write


def key(record: Record) -> Key:
    """Return what identifies a piece of work: experiment, data set, method, size and run."""
    return (
        str(record["experiment"]),
        str(record["dataset"]),
        str(record["method"]),
        float(record["size"]),
        int(record["run"]),
    )


def read_records(path: str | os.PathLike[str]) -> list[Record]:
    r"""Read the records of a file, each piece of work once; repeated and incomplete records are skipped.

    Parameters
    ----------
    path : path
        A file written by :func:`~dcrc_explore.experiments.run`.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "results.jsonl"
    >>> record = '{"experiment":"comparison","dataset":"iris","method":"ITML","size":0.1,"run":0,"f":0.5}'
    >>> _ = path.write_text(f'{record}\n{record}\n{record[:40]}')
    >>> [record["f"] for record in read_records(path)]
    [0.5]
    """
    check_file(Path(path))
    return _parsed(Path(path).read_bytes(), path)


def _parsed(content: bytes, path: str | os.PathLike[str]) -> list[Record]:
    """Return the records in a file's bytes; raise ValueError if it is not a file of records."""
    records: dict[Key, Record] = {}
    for place, line in enumerate(content.removesuffix(b"\n").split(b"\n") if content else [], 1):
        try:
            try:
                record = json.loads(line)
            except ValueError:
                if _is_torn(line):
                    continue
                raise
            _check(record)
            record["experiment"] = FORMER_NAMES.get(record["experiment"], record["experiment"])
            records.setdefault(key(record), record)
        except (ValueError, TypeError, KeyError, RecursionError):
            found = line[:40].decode(errors="replace")
            raise ValueError(
                f"every line of {str(path)!r} must be a record of an experiment, number {place} is {found!r}"
            ) from None
    if content and not records:
        raise ValueError(f"{str(path)!r} must have a whole record of an experiment, or nothing at all")
    return list(records.values())


def _check(record: Record) -> None:
    """Raise ValueError or KeyError for what is no record."""
    for name in ("experiment", "dataset", "method"):
        _NAME.checked(record[name], name)
    _RUN.checked(record["run"], "run")
    for name in ("size", *(name for name in MEASURES if record.get(name) is not None)):
        _RESULT.checked(record[name], name)


def _is_torn(line: bytes) -> bool:
    """Whether a line is the beginning of a record, as a killed run leaves it."""
    return line.startswith(_BEGINNING) or (line != b"" and _BEGINNING.startswith(line))


@contextmanager
def appending(path: str | os.PathLike[str]) -> Iterator[tuple[list[Record], Callable[[Record], None]]]:
    """Open a file of records for one writer; give what it holds and a function that appends a record.

    The function returns when the record is on disk. A file that is not one of records is refused before a byte of it
    changes, and so is one that another run is writing. What is in the file stays there, down to half a record.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and not path.is_file():
        raise ValueError(f"{str(path)!r} must be a file of records or new, got something that is not a regular file")
    with StoredFile(path.resolve()) as file:
        try:
            file.hold(create=True)
        except BlockingIOError:
            raise RuntimeError(
                f"another run is writing {str(path)!r}: wait for its end, or choose another --out"
            ) from None
        yield (
            _parsed(path.read_bytes(), path),
            lambda record: file.append(json.dumps(record, separators=(",", ":")) + "\n"),
        )


class Summary(NamedTuple):
    """The mean of a measure over runs, with its 95% confidence interval."""

    dataset: str
    method: str
    size: float
    runs: int
    mean: float
    half_width: float
    std: float


def summarise(records: Iterable[Record], measure: str = "f") -> list[Summary]:
    """Average a measure over the runs of each data set, method and size.

    Parameters
    ----------
    records : iterable of dict
    measure : str, default="f"
        A field that holds numbers: "f", "ari", "nmi", "seconds", "accuracy".

    Returns
    -------
    list of Summary
        In the order in which the groups first appear. The interval is Student's t; with one run it is nan.

    Examples
    --------
    >>> iris = {"dataset": "iris", "method": "ITML", "size": 0.1}
    >>> [summary] = summarise([{**iris, "run": 0, "f": 0.8}, {**iris, "run": 1, "f": 0.9}])
    >>> f"{summary.mean:.2f} +- {summary.half_width:.2f}"
    '0.85 +- 0.64'
    """
    groups: dict[tuple[str, str, float], dict[int, float]] = {}
    for record in records:
        if record.get(measure) is not None:
            group = record["dataset"], record["method"], record["size"]
            groups.setdefault(group, {}).setdefault(record["run"], record[measure])
    summaries = []
    for group, runs in groups.items():
        values, n = list(runs.values()), len(runs)
        std = float(np.std(values, ddof=1)) if n > 1 else np.nan
        half_width = float(stats.t.ppf(0.975, n - 1)) * std / n**0.5
        summaries.append(Summary(*group, n, float(np.mean(values)), half_width, std))
    return summaries


def differences(records: Iterable[Record], method: str, measure: str = "f") -> list[Record]:
    """Subtract every other method's result from that of one method, run by run.

    All methods of a run use the same answers. So the interval of the mean difference shows which method is better; the
    intervals of the two means do not.

    Parameters
    ----------
    records : iterable of dict
    method : str
        The one from whose results the others are subtracted.
    measure : str, default="f"

    Returns
    -------
    list of dict
        The records of the other methods with the difference as their measure, where both have one. A method that uses
        no answers is compared at every size.

    Examples
    --------
    >>> iris = {"dataset": "iris", "size": 0.1, "run": 0}
    >>> differences([{**iris, "method": "DCRC", "f": 0.75}, {**iris, "method": "ITML", "f": 0.5}], "DCRC")
    [{'dataset': 'iris', 'size': 0.1, 'run': 0, 'method': 'ITML', 'f': 0.25}]
    """
    measured = [record for record in records if record.get(measure) is not None]
    own = {(r["dataset"], r["run"], r["size"]): r[measure] for r in measured if r["method"] == method}
    if not own:
        there = ", ".join(dict.fromkeys(record["method"] for record in measured))
        raise ValueError(f"no record of the method {method!r} has the measure {measure!r}: there is {there or 'none'}")
    sizes = sorted({size for _, _, size in own})
    answered = {record["method"] for record in measured if record["size"]}
    return [
        {**record, "size": size, measure: own[record["dataset"], record["run"], size] - record[measure]}
        for record in measured
        if record["method"] != method
        for size in ([record["size"]] if record["method"] in answered else sizes)
        if (record["dataset"], record["run"], size) in own
    ]
