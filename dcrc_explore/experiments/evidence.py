"""What a statement of the paper is judged by: stored records, the differences in them, and what is found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from matplotlib.axes import Axes

from dcrc_explore.arrays import FloatArray
from dcrc_explore.datasets import list_real_datasets
from dcrc_explore.experiments.catalogue import PAPER_SETS
from dcrc_explore.experiments.figures import draw_forest, numbers_of_runs, runs_of
from dcrc_explore.experiments.records import Record, Summary, differences, key, read_records, summarise
from dcrc_explore.experiments.tables import different, ordered, title
from dcrc_explore.palette import INK

Verdict = Literal["agrees", "partly", "no", "exact", "shown"]


class Finding(NamedTuple):
    """What was found: the verdict, on which data and how many runs, and the numbers in words."""

    verdict: Verdict
    basis: str
    words: str


class Part(NamedTuple):
    """A figure, a table or a statement of the paper."""

    name: str  # such as "Fig. 4"
    claim: str  # what the paper says or shows
    draw: Callable[[Axes, Stored], Finding]  # draws our picture on axes, from what is stored, and returns the finding
    more: tuple[str, str]  # the notebook with more about it, and its title
    height: float = 2.1  # of the picture, in inches

    @property
    def stem(self) -> str:
        """Name of a file for the picture."""
        return "".join(c if c.isalnum() else "-" for c in self.name.lower().replace(".", "").replace("'", ""))


class Stored:
    """Records of a folder, each file read once."""

    def __init__(self, folder: str | PathLike[str]) -> None:
        self.folder = Path(folder)

    @cached_property
    def comparison(self) -> list[Record]:
        """Records of the comparison: Figure 4."""
        return read_records(self.folder / "comparison.jsonl")

    def records(self, names: str | Sequence[str]) -> list[Record]:
        """Return the records of experiments; what several of them have in common is there once."""
        found: dict[tuple[object, ...], Record] = {}
        for name in [names] if isinstance(names, str) else names:
            for record in self.comparison if name == "comparison" else read_records(self.folder / f"{name}.jsonl"):
                found.setdefault(key(record)[1:], record)
        return list(found.values())

    def gains(
        self, names: str | Sequence[str], method: str, others: Iterable[str], measure: str = "ari"
    ) -> list[Summary]:
        """Return the mean differences of a measure between a method and others, by data set and number of answers."""
        wanted = {method, *others}
        records = [record for record in self.records(names) if record["method"] in wanted]
        found = summarise(differences(records, method, measure), measure)
        order = [*PAPER_SETS, *list_real_datasets()]
        return sorted(found, key=lambda s: (order.index(s.dataset), s.size))

    def overall(self, names: str | Sequence[str], method: str, other: str) -> Summary:
        """Return the difference of the adjusted Rand index over all data sets and numbers of answers, run by run."""
        runs: dict[int, list[float]] = {}
        for record in differences([r for r in self.records(names) if r["method"] in (method, other)], method, "ari"):
            runs.setdefault(record["run"], []).append(record["ari"])
        most = max(map(len, runs.values()))
        whole = {"dataset": "all", "method": other, "size": 0.0}
        means = [{**whole, "run": run, "ari": np.mean(gains)} for run, gains in runs.items() if len(gains) == most]
        return summarise(means, "ari")[0]


def nearest(gains: Iterable[Summary]) -> list[Summary]:
    """Return the difference to the best of the other methods, for each data set and number of answers."""
    found: dict[tuple[str, float], Summary] = {}
    for s in gains:
        place = s.dataset, s.size
        if place not in found or s.mean < found[place].mean:
            found[place] = s
    return list(found.values())


class Comparisons(NamedTuple):
    """In how many comparisons a difference is clearly above zero, and in how many clearly below."""

    ahead: int
    behind: int
    total: int

    @classmethod
    def of(cls, summaries: Sequence[Summary], among: Sequence[Summary] | None = None) -> Comparisons:
        """Count, with Holm's correction over the summaries or over all those among which they are shown."""
        sure = different(summaries if among is None else among)
        ahead, behind = (sum(s in sure and s.mean * sign > 0 for s in summaries) for sign in (1, -1))
        return cls(ahead, behind, len(summaries))

    def verdict(self, agrees: bool | None = None) -> Verdict:
        """Judge: by default it agrees if most comparisons are clearly ahead and none is clearly behind."""
        if agrees is None:
            agrees = self.ahead > self.total / 2 and not self.behind
        return "agrees" if agrees else "partly" if self.ahead > self.behind else "no"

    def than(self, other: str = "") -> str:
        """Say it: clearly better than the other so often, clearly worse so often."""
        ahead = f"clearly better {other and f'than {other} '}in {self.ahead} of {self.total} comparisons"
        return f"{ahead} and clearly worse in {self.behind or 'none'}"


def basis(summaries: Sequence[Summary]) -> str:
    """Say which data sets, numbers of answers and runs stand behind differences."""
    names = ", ".join(map(title, ordered(summaries, "dataset")))
    sizes = sorted({s.size for s in summaries})
    *first, last = [f"{size:g}" for size in sizes]
    answers = f"{', '.join(first)} and {last}" if first else last
    return f"{names}; {answers}{' N' if sizes[-1] <= 1 else ''} answers; {runs_of(summaries)}"


def draw_rows(ax: Axes, summaries: Sequence[Summary], label: str) -> None:
    """Draw differences, a row for each data set; beside its name stands its number of runs, or one for each size."""
    names, sizes = ordered(summaries, "dataset"), sorted({s.size for s in summaries})
    draw_forest(ax, summaries, names, sizes, different(summaries), rows="dataset")
    runs = [numbers_of_runs(s for s in summaries if s.dataset == name) for name in names]
    ax.set_yticks(range(len(names)), [f"{title(name)} ({n})" for name, n in zip(names, runs, strict=True)])
    ax.set_xlabel(label, fontsize=8, loc="right")
    ax.set_xlim(*np.clip(ax.get_xlim(), -0.6, 0.9))  # intervals of two or three runs may be wider
    ax.tick_params(labelsize=8)


def draw_heat(ax: Axes, table: FloatArray, names: Sequence[str], ylabel: str, xlabel: str, number: str) -> None:
    """Draw a table of probabilities with its numbers; nan leaves a place empty."""
    ax.imshow(table, cmap="Blues", vmin=0, vmax=1.3)
    for row, column in np.argwhere(~np.isnan(table)):
        value = table[row, column]
        colour = "white" if value > 0.6 else INK
        ax.text(column, row, number.format(value), ha="center", va="center", fontsize=8, color=colour)
    ax.set_xticks(range(len(names)), names, fontsize=8)
    ax.set_yticks(range(len(table)), names[: len(table)], fontsize=8)
    ax.set_ylabel(ylabel, fontsize=8)
    ax.set_xlabel(xlabel, fontsize=8)
