"""Tables from files of records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from scipy import stats

from dcrc_explore.datasets import list_real_datasets
from dcrc_explore.experiments.catalogue import PAPER_SETS, list_experiments
from dcrc_explore.experiments.records import MEASURES, Record, Summary, differences, summarise

LEVEL = 0.05
NO_SPREAD = 1e-9  # standard deviation of runs that are equal up to rounding


def table(
    records: Sequence[Record], measure: str = "ari", size: float | None = None, against: str | None = None
) -> str:
    """Write means as a Markdown table, methods in rows and data sets in columns; by default of the most answers.

    Behind ± is half the 95% interval (Student's), in brackets the number of runs. `against` shows a method's mean
    differences from the others; a star marks those from zero: paired t-tests, Holm's correction over the table.

    Examples
    --------
    >>> iris = {"experiment": "comparison", "dataset": "iris", "method": "ITML", "size": 0.1}
    >>> print(table([{**iris, "run": run, "ari": ari, "f": 0.9} for run, ari in enumerate((0.8, 0.9, 0.85))]))
    | adjusted Rand index, F, with 0.1 N answers (runs) | Iris |
    |---|---|
    | ITML | 0.850 ± 0.124, F 0.900 (3) |
    """
    if records and "table" in records[0]:
        return _confusion_tables(records)
    summaries, beside = summaries_of(records, measure), {}
    number, heading = ".3f", MEASURES[measure]
    if against is not None:
        summaries = summaries_of(differences(records, against, measure), measure)
        number, heading = "+.3f", f"{heading}: {against} minus"
    elif measure == "ari" and (fs := summarise(records, "f")):
        beside, heading = {(s.method, s.dataset, s.size): s.mean for s in fs}, f"{heading}, F,"
    if size is None:
        size = max(summary.size for summary in summaries)
    answered = {s.method for s in summaries if s.size}
    cells = {(s.method, s.dataset): s for s in summaries if s.size == size or s.method not in answered}
    differing = different(cells.values()) if against is not None else set()
    datasets, methods = ordered(cells.values(), "dataset"), ordered(cells.values(), "method")
    answers = f"{size:g}{' N' if 0 < size <= 1 else ''} answers"
    lines = [f"| {' | '.join([f'{heading} with {answers} (runs)', *map(title, datasets)])} |"]
    lines.append("|---" * (len(datasets) + 1) + "|")
    for method in methods:
        row = [method]
        for dataset in datasets:
            cell = cells.get((method, dataset))
            f = None if cell is None else beside.get((method, dataset, cell.size))
            row.append(_cell(cell, number, f, star=cell in differing))
        lines.append(f"| {' | '.join(row)} |")
    return "\n".join(lines)


def _cell(summary: Summary | None, number: str, f: float | None, *, star: bool) -> str:
    if summary is None:
        return ""
    interval = f" ± {summary.half_width:.3f}" if summary.runs > 1 else ""
    beside = "" if f is None else f", F {f:.3f}"
    return f"{summary.mean:{number}}{interval}{'*' if star else ''}{beside} ({summary.runs})"


def different(summaries: Iterable[Summary]) -> set[Summary]:
    """Return those of some mean differences that are not zero: t-tests with Holm's correction over all of them.

    Runs that all give the same value repeat nothing, so there is no test of them.

    Examples
    --------
    >>> sure = Summary("iris", "ITML", 0.1, runs=10, mean=0.2, half_width=0.07, std=0.1)
    >>> unsure = sure._replace(method="LSML", mean=0.05)
    >>> [summary.method for summary in different([sure, unsure])]
    ['ITML']
    """
    tested = sorted((s for s in summaries if s.std > NO_SPREAD), key=_p_value)
    for place, summary in enumerate(tested):
        if _p_value(summary) * (len(tested) - place) > LEVEL:
            return set(tested[:place])
    return set(tested)


def _p_value(summary: Summary) -> float:
    """Probability of a mean as far from zero as this one, if the true one is zero (Student's t)."""
    t = abs(summary.mean) / summary.std * summary.runs**0.5
    return float(2 * stats.t.sf(t, summary.runs - 1))


def _confusion_tables(records: Sequence[Record]) -> str:
    """Table IV: mean counts of true (rows) against given answers (columns)."""
    names = {"triplets": ("yes", "no", "dnk"), "pairs": ("must-link", "cannot-link")}
    blocks = []
    for method in dict.fromkeys(record["method"] for record in records):
        for dataset in dict.fromkeys(record["dataset"] for record in records):
            tables = [r["table"] for r in records if r["method"] == method and r["dataset"] == dataset]
            columns = names[method]
            lines = [f"| {title(dataset)}, {method}: true | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
            for name, row in zip(columns, np.mean(tables, axis=0), strict=True):
                lines.append(f"| {name} | {' | '.join(f'{count:.2f}' for count in row)} |")
            blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def summaries_of(records: Sequence[Record], measure: str) -> list[Summary]:
    """Average a measure that must be there; data sets and methods in the order of their experiment."""
    summaries = summarise(records, measure) if measure in MEASURES else []
    if not summaries:
        there = [name for name in MEASURES if any(record.get(name) is not None for record in records)]
        raise ValueError(f"no record has the measure {measure!r}: there is {', '.join(there) or 'none at all'}")
    order = *PAPER_SETS, *list_real_datasets(), *list_experiments()[records[0]["experiment"]].methods
    return sorted(summaries, key=lambda s: (_place(s.dataset, order), _place(s.method, order)))


def _place(name: str, order: Sequence[str]) -> int:
    return order.index(name) if name in order else len(order)


def ordered(summaries: Iterable[Summary], field: str) -> list[str]:
    """Return the values of a field, each once, in the order in which they appear."""
    return list(dict.fromkeys(getattr(summary, field) for summary in summaries))


def title(dataset: str) -> str:
    """Return how a data set is called in figures and tables."""
    specs = list_real_datasets()
    return specs[dataset].title if dataset in specs else dataset
