"""Tables from files of records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from dcrc_explore.datasets import list_real_datasets
from dcrc_explore.experiments.catalogue import PAPER_SETS, list_experiments
from dcrc_explore.experiments.records import Record, Summary, differences, summarise

MEASURES = {
    "f": "pairwise F",
    "ari": "adjusted Rand index",
    "nmi": "normalised mutual information",
    "accuracy": "accuracy of predicted answers",
    "fit_seconds": "seconds per fit",
    "seconds": "seconds with tuning",
}


def table(records: Sequence[Record], measure: str = "f", size: float | None = None, against: str | None = None) -> str:
    """Write means and 95% confidence intervals as a Markdown table, methods in rows and data sets in columns.

    Parameters
    ----------
    records : sequence of dict
    measure : str, default="f"
    size : float, optional
        Which number of answers; by default the largest. Methods that hear none are always there.
    against : str, optional
        A method: the table then tells how far it is ahead of each other one, as the mean difference over common runs.

    Examples
    --------
    >>> iris = {"experiment": "figure3", "dataset": "iris", "method": "ITML", "size": 0.1}
    >>> print(table([{**iris, "run": run, "f": f} for run, f in enumerate((0.8, 0.9, 0.85))]))
    | pairwise F with 0.1 N answers (runs) | Iris |
    |---|---|
    | ITML | 0.850 ± 0.124 (3) |
    """
    if records and "table" in records[0]:
        return _confusion_tables(records)
    summaries = summaries_of(records, measure)
    number, compared = ".3f", ""
    if against is not None:
        summaries = summaries_of(differences(records, against, measure), measure)
        number, compared = "+.3f", f": {against} minus"
    if size is None:
        size = max(summary.size for summary in summaries)
    answers = f"{size:g}{' N' if 0 < size <= 1 else ''} answers"
    heading = f"{MEASURES[measure]} with {answers} (runs){compared}"
    answered = {s.method for s in summaries if s.size}
    cells = {(s.method, s.dataset): s for s in summaries if s.size == size or s.method not in answered}
    datasets, methods = ordered(cells.values(), "dataset"), ordered(cells.values(), "method")
    lines = [f"| {' | '.join([heading, *map(title, datasets)])} |", "|---" * (len(datasets) + 1) + "|"]
    for method in methods:
        row = [_cell(cells.get((method, dataset)), number) for dataset in datasets]
        lines.append(f"| {' | '.join([method, *row])} |")
    return "\n".join(lines)


def _cell(summary: Summary | None, number: str) -> str:
    if summary is None:
        return ""
    interval = f" ± {summary.half_width:.3f}" if summary.runs > 1 else ""
    return f"{summary.mean:{number}}{interval} ({summary.runs})"


def _confusion_tables(records: Sequence[Record]) -> str:
    """Table V: mean counts of true (rows) against given answers (columns)."""
    names = {"triplets": ("yes", "no", "dnk"), "pairs": ("must-link", "cannot-link")}
    blocks = []
    for method in dict.fromkeys(record["method"] for record in records):
        for dataset in dict.fromkeys(record["dataset"] for record in records):
            tables = [r["table"] for r in records if r["method"] == method and r["dataset"] == dataset]
            columns = names[method]
            lines = [
                f"| {title(dataset)}, {method}: true | {' | '.join(columns)} |",
                "|---" * (len(columns) + 1) + "|",
            ]
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
