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

Record = dict[str, Any]
Key = tuple[str, str, str, float, int]


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
    r"""Read the records of a file; a last line without its end, as a killed run leaves it, is not one.

    Parameters
    ----------
    path : path
        A file written by :func:`dcrc_explore.experiments.run`.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "results.jsonl"
    >>> _ = path.write_text('{"f": 0.5}\n{"f": 0.')
    >>> read_records(path)
    [{'f': 0.5}]
    """
    records = []
    for number, line in enumerate(Path(path).read_bytes().split(b"\n")[:-1], 1):
        try:
            records.append(json.loads(line))
        except ValueError as error:
            raise ValueError(
                f"every line of {str(path)!r} must be a JSON record, number {number} is not: {error}"
            ) from None
    return records


@contextmanager
def appending(path: str | os.PathLike[str]) -> Iterator[Callable[[Record], None]]:
    """Open a file of records and give a function that appends one; it returns when the record is on disk."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    # Without buffering a record is one write, so whoever reads or kills meanwhile finds whole lines, but for the last.
    with path.open("ab", buffering=0) as file:
        content = path.read_bytes()
        file.truncate(content.rfind(b"\n") + 1)

        def append(record: Record) -> None:
            file.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")
            os.fsync(file.fileno())

        yield append


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
    groups: dict[tuple[str, str, float], list[float]] = {}
    for record in records:
        if record.get(measure) is not None:
            group = record["dataset"], record["method"], record["size"]
            groups.setdefault(group, []).append(record[measure])
    summaries = []
    for group, values in groups.items():
        n = len(values)
        std = float(np.std(values, ddof=1)) if n > 1 else np.nan
        half_width = float(stats.t.ppf(0.975, n - 1)) * std / n**0.5
        summaries.append(Summary(*group, n, float(np.mean(values)), half_width, std))
    return summaries


def differences(records: Iterable[Record], method: str, measure: str = "f") -> list[Record]:
    """Subtract every other method's result from that of one method, run by run.

    All methods of a run hear the same answers, so the interval of a mean difference is narrower than those of the two
    means: it tells better which method is ahead.

    Parameters
    ----------
    records : iterable of dict
    method : str
        The one from whose results the others are subtracted.
    measure : str, default="f"

    Returns
    -------
    list of dict
        The records of the other methods with the difference as their measure, where both have one. A method that hears
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
