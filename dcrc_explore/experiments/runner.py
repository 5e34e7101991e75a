"""Doing the work: in parallel, with an estimate of the time left, and so that it can be stopped at any time."""

from __future__ import annotations

import platform
import subprocess
import time
import traceback
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from os import PathLike
from pathlib import Path

import joblib
import numpy
import scipy
import sklearn
from joblib import Parallel, delayed
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits
from tqdm.auto import tqdm

import dcrc_explore
from dcrc_explore.experiments.catalogue import list_experiments
from dcrc_explore.experiments.records import Key, Record, appending, key
from dcrc_explore.experiments.work import Item


def run(
    items: Sequence[Item],
    path: str | PathLike[str],
    *,
    n_jobs: int = 1,
    scheduler: str | None = None,
    data_home: str | None = None,
    reuse: Iterable[Record] = (),
    progress: bool = False,
) -> list[Record]:
    """Do the items whose records are not yet in a file, and append their records to it.

    To continue a stopped run, call this again. Each record is on disk as soon as its item is done, and existing records
    are not computed again.

    Parameters
    ----------
    items : sequence of Item
    path : path
        A JSON-lines file, one record per line.
    n_jobs : int, default=1
        Number of processes, as in joblib.
    scheduler : str, optional
        Address of a Dask scheduler, such as "tcp://host:8786"; its workers do the work. They need the same version of
        this package and the same data folder.
    data_home : str, optional
        Folder of the data sets.
    reuse : iterable of dict, default=()
        Records of other experiments. Work that the same version did there (DCRC in "comparison" is that in "soft-hard"
        and "balance", with the same answers) is copied and not done again.
    progress : bool, default=False
        Whether to show a progress bar.

    Returns
    -------
    list of dict
        The records of the items, in their order.

    Raises
    ------
    ValueError
        If the file holds anything but records; it stays as it is.
    RuntimeError
        If another run is writing the file, or if some items failed. All others are done then, and the next call tries
        the failed ones again.

    Examples
    --------
    >>> import tempfile
    >>> items = list_experiments()["comparison"].items(["iris"], methods=["ITML"], sizes=[0.1], runs=2)
    >>> records = run(items, Path(tempfile.mkdtemp()) / "comparison.jsonl")
    >>> [(record["method"], record["n_answers"], record["run"]) for record in records]
    [('ITML', 15, 0), ('ITML', 15, 1)]
    """
    path = Path(path)
    failures: list[str] = []
    with appending(path) as (records, append):
        done = {key(record): record for record in records}
        for record in _same_work(reuse, [item for item in items if key(vars(item)) not in done]):
            append(record)
            done[key(record)] = record
        _warn_other_versions(done.values())
        left = [item for item in items if key(vars(item)) not in done]
        bar = _Bar(items, done, progress)
        with _workers(scheduler), bar.tqdm:
            work = Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=1)
            for record in work(delayed(measure)(item, data_home) for item in left):
                if "error" in record:
                    failures.append(f"{key(record)}:\n{record['error']}")
                else:
                    append(record)
                    done[key(record)] = record
                bar.advance(record)
    if failures:
        raise RuntimeError(f"{len(failures)} of {len(left)} items failed; the first was {failures[0]}")
    return [done[key(vars(item))] for item in items]


def _same_work(records: Iterable[Record], items: Iterable[Item]) -> Iterator[Record]:
    """Yield the records as those of items that other experiments measure in the same way on the same answers."""
    measures = {name: experiment.measure for name, experiment in list_experiments().items()}
    same = [record for record in records if _maker(record) == maker()]
    known = {(measures.get(record["experiment"]), *key(record)[1:]): record for record in same}
    for item in items:
        record = known.get((measures[item.experiment], *key(vars(item))[1:]))
        if record is not None:
            yield {**record, "experiment": item.experiment}


def measure(item: Item, data_home: str | None = None) -> Record:
    """Do one item and return its record; one that fails has a field "error" instead of results."""
    start = time.perf_counter()
    record: Record = {**vars(item), "seed": item.seed}
    try:
        # One core per item: there are more items than cores. Whatever fits inside must not spread out by itself.
        with threadpool_limits(1), joblib.parallel_config("sequential"), warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            record |= list_experiments()[item.experiment].measure(item, data_home)
    except Exception:
        return record | {"error": traceback.format_exc()}
    return record | {"seconds": round(time.perf_counter() - start, 2), **maker()}


def maker() -> Record:
    """Return the fields of a record that say which program made it."""
    return {"versions": versions(), "commit": commit()}


def _maker(record: Record) -> Record:
    return {name: record.get(name) for name in maker()}


def versions() -> dict[str, str]:
    """Return the versions on which results depend."""
    return {
        "dcrc_explore": dcrc_explore.__version__,
        "python": platform.python_version(),
        **{module.__name__: module.__version__ for module in (numpy, scipy, sklearn)},
    }


@cache
def commit() -> str | None:
    """Return the commit of the sources, with a "+" if they were changed since; None where there is no repository."""
    folder = Path(dcrc_explore.__file__).parent
    if not (folder.parent / ".git").exists():
        return None
    words = ["git", "-C", str(folder.parent), "describe", "--always", "--abbrev=12", "--exclude=*", "--dirty=+"]
    try:
        return subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None


def _warn_other_versions(records: Iterable[Record]) -> None:
    others = {str(_maker(record)) for record in records if _maker(record) != maker()}
    if others:
        warnings.warn(
            f"the file has records made with {' and '.join(sorted(others))}, the new ones are made with {maker()}: "
            "start a new file to compare like with like.",
            UserWarning,
            stacklevel=3,
        )


@contextmanager
def _workers(scheduler: str | None) -> Iterator[None]:
    """Let joblib work on this machine, or on the workers of a Dask scheduler."""
    if scheduler is None:
        yield
        return
    try:
        from distributed import Client
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError('a scheduler needs Dask: pip install "dcrc-explore[experiments]"') from error
    with Client(scheduler) as client, joblib.parallel_config("dask", client=client):
        yield


class _Bar:
    """A progress bar that knows that items of one kind take about as long as each other, and others do not."""

    def __init__(self, items: Sequence[Item], done: dict[Key, Record], shown: bool) -> None:
        self.left: dict[tuple[str, ...], int] = defaultdict(int)
        self.took: dict[tuple[str, ...], list[float]] = defaultdict(list)
        for item in items:
            record = done.get(key(vars(item)))
            if record is None:
                self.left[item.dataset, item.method] += 1
            else:
                self.took[item.dataset, item.method].append(record["seconds"])
        n_left = sum(self.left.values())
        self.busy, self.start = 0.0, time.perf_counter()
        layout = "{percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt} [{elapsed}{postfix}]"
        self.tqdm = tqdm(
            total=len(items), initial=len(items) - n_left, disable=not shown, bar_format=layout, dynamic_ncols=True
        )

    def advance(self, record: Record) -> None:
        kind = record["dataset"], record["method"]
        self.left[kind] -= 1
        if "seconds" in record:
            self.took[kind].append(record["seconds"])
            self.busy += record["seconds"]
        self.tqdm.set_postfix_str(f"about {tqdm.format_interval(self.seconds_left())} left", refresh=False)
        self.tqdm.update()

    def seconds_left(self) -> float:
        """Estimate from like items, at the present pace; unknown kinds are taken to last as long as the mean item."""
        everything = [seconds for times in self.took.values() for seconds in times]
        if not everything:
            return 0.0
        mean = {kind: sum(times) / len(times) for kind, times in self.took.items() if times}
        typical = sum(everything) / len(everything)
        work = sum(n * mean.get(kind, typical) for kind, n in self.left.items())
        return work * (time.perf_counter() - self.start) / max(self.busy, 1e-9)
