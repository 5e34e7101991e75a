"""The report of a study: one page with plots, and its numbers and answers as files."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import astuple, fields
from html import escape
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dcrc_explore import __version__
from dcrc_explore.annotators import PAPER_PAIR_TABLE, PAPER_TABLE
from dcrc_explore.palette import ACCENT
from dcrc_explore.plotting import Figure, plot_people, plot_scores
from dcrc_explore.room.study import export
from dcrc_explore.room.study.numbers import (
    KINDS,
    PASSES,
    ParticipantNumbers,
    Score,
    cohen,
    confusion,
    describe,
    fleiss,
    scores,
)
from dcrc_explore.room.study.records import Records, read_records
from dcrc_explore.storage import Written
from dcrc_explore.tables import as_csv
from dcrc_explore.words import count

_NAMES = ("yes", "no", "don't know")


def write_report(folder: Path, out: Path, *, resamples: int = 20) -> Path:
    """Write the report of a study's folder; returns the page.

    Parameters
    ----------
    folder : Path
        Of a study's data.
    out : Path
        Folder to write; when it exists, the next free name with a number is used.
    resamples : int, default=20
        How often participants are drawn again for an interval.

    Returns
    -------
    Path
        Of report.html; beside it lie CSV files and the folder psych-ds.
    """
    records = read_records(folder)
    if not records.answers:
        raise ValueError(f"{str(folder)!r} has no answers yet")
    people = [describe(records, name) for name in records.participants]
    found = scores(records, resamples)
    agreements = [(kind, *each) for kind in KINDS for each in cohen(records, kind)]
    written = Written()
    files = {
        "report.html": _page(records, people, found, agreements, resamples),
        "answers.csv": export.answers_csv(records.answers, records.data.rows),
        "participants.csv": _people_csv(people),
        "agreement.csv": as_csv(["kind", "first", "second", "common", "share", "kappa"], agreements),
        "scores.csv": as_csv([each.name for each in fields(Score)], map(astuple, found)),
        "questionnaire.csv": export.items_csv(records),
        "salmon.csv": export.for_others(records, "salmon"),
        "cblearn.txt": export.for_others(records, "cblearn"),
    }
    made = written.export(out, {name: text.encode() for name, text in files.items()})
    (made / "psych-ds" / "data").mkdir(parents=True)
    for name, text in export.psych_ds(records).items():
        written.export(made / "psych-ds" / name, text.encode())
    return made / "report.html"


def _people_csv(people: Sequence[ParticipantNumbers]) -> str:
    header = ["participant", "finished", "answers"]
    header += [f"{what}_{kind}s" for what in ("right", "dnk", "seconds") for kind in KINDS]
    header += ["self_consistency", "repeated", "controls_right", "controls", "fails_controls"]
    rows = [
        [
            each.name,
            int(each.finished),
            each.n_answers,
            *(values[kind] for values in (each.right, each.dnk, each.seconds) for kind in KINDS),
            each.consistent,
            each.n_repeated,
            each.controls,
            each.n_controls,
            int(each.fails),
        ]
        for each in people
    ]
    return as_csv(header, rows)


def _page(
    records: Records,
    people: Sequence[ParticipantNumbers],
    found: Sequence[Score],
    agreements: Sequence[Any],
    resamples: int,
) -> str:
    plan = records.plan
    parts = [
        f"<h1>{escape(plan.title)}</h1>",
        f"<p class=lead>{count(len(people), plan.participant)}, {len(records.finished)} finished; "
        f"{len(records.answers):,} answers about {escape(plan.data)} ({len(records.data.X)} items)."
        f"{_left_out(records)}</p>",
        *_clustering(records, found, resamples),
        *_confusions(records, len(people)),
        *_each(people),
        *_agreement(records, agreements),
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "img-src data:; base-uri 'none'; form-action 'none'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="dcrc_explore {__version__}">\n'
        f"<title>{escape(plan.title)}: report</title>\n<style>{_STYLE}</style></head>\n"
        f"<body><main>\n{''.join(parts)}\n</main></body></html>\n"
    )


def _left_out(records: Records) -> str:
    withdrew = f" {count(records.n_withdrawn, 'participant')} withdrew." if records.n_withdrawn else ""
    damaged = f" Damaged and left out: {escape(', '.join(records.damaged[:20]))}." if records.damaged else ""
    return withdrew + damaged


def _clustering(records: Records, found: Sequence[Score], resamples: int) -> Iterable[str]:
    yield "<h2>What DCRC learns from the answers</h2>"
    if not found:
        yield "<p>The data have no true classes, so clusterings cannot be compared with them.</p>"
        return
    figure = Figure(figsize=(7.2, 1.0 + 0.42 * len(found)), layout="constrained")
    columns = zip(*((each.method, each.f, each.f_low, each.f_high) for each in found), strict=True)
    ax = plot_scores(*columns, title="Pairwise F against the true classes", ax=figure.add_subplot())
    ax.set_xlabel("F, with 95 % interval over participants")
    yield _svg(figure, "F of each method; the same numbers stand in the table below")
    yield _table(
        ["answers used", "F", "95 %", "adjusted Rand index", "95 %"],
        [
            (
                each.method,
                f"{each.n_answers:.0f}",
                f"{each.f:.3f}",
                _interval(each.f_low, each.f_high),
                f"{each.ari:.3f}",
                _interval(each.ari_low, each.ari_high),
            )
            for each in found
        ],
    )
    yield (
        "<p class=note>DCRC with its default settings on standardised features, as many clusters as the plan says. "
        "For each person: mean over participants, Student's interval. For all together: all main answers in one fit, "
        f"interval from drawing participants again ({resamples} times). This corresponds to the paper's Table V.</p>"
    )


def _confusions(records: Records, n_people: int) -> Iterable[str]:
    if records.data.y is None:
        return
    yield "<h2>Answers against the truth</h2><div class=side>"
    for kind, paper in (("triplet", PAPER_TABLE), ("pair", PAPER_PAIR_TABLE)):
        answers = records.of(kind, "main")
        if not answers:
            continue
        counts = confusion(answers) / n_people
        names = _NAMES if kind == "triplet" else ("yes", "no")
        has_dnk = kind == "triplet" or bool(counts[:, 2].any())
        columns = _NAMES if has_dnk else _NAMES[:2]
        counts = counts[: len(names), : len(columns)]
        right = sum(each.is_right for each in answers) / len(answers)
        paper_right = np.trace(paper) / paper.sum()
        yield f"<div><h3>{kind.capitalize()}s</h3>{_heat(counts, names, columns)}"
        yield f"<p>{right:.0%} right; in the paper's study {paper_right:.0%}.</p></div>"
    yield (
        "</div><p class=note>Mean number of answers for each participant, true answer in rows, as in the paper's "
        "Table IV.</p>"
    )


def _each(people: Sequence[ParticipantNumbers]) -> Iterable[str]:
    yield "<h2>Participants</h2>"
    names, failed = [each.name for each in people], [each.fails for each in people]
    figure = Figure(figsize=(10.0, 1.2 + 0.26 * len(people)), layout="constrained")
    axes = figure.subplots(1, 3, sharey=True)
    for ax, what, title, xlabel in (
        (axes[0], "right", "Right answers", "share"),
        (axes[1], "dnk", "Don't know", "share"),
        (axes[2], "seconds", "Seconds per answer", "median"),
    ):
        values = {f"{kind}s": [getattr(each, what)[kind] for each in people] for kind in KINDS}
        values = {kind: numbers for kind, numbers in values.items() if not np.isnan(numbers).all()}
        plot_people(names, values, failed, title=title, xlabel=xlabel, ax=ax)
    yield _svg(figure, "Right answers, don't know and seconds of each participant; see participants.csv")
    yield _table(
        ["answers", "finished", "right: triplets", "pairs", "don't know", "seconds: triplets", "pairs",
         "same answer when repeated", "controls right"],
        [
            (
                each.name,
                str(each.n_answers),
                "yes" if each.finished else "no",
                *(_share(each.right[kind]) for kind in KINDS),
                _share(each.dnk["triplet"]),
                *(_number(each.seconds[kind]) for kind in KINDS),
                _of(each.consistent, each.n_repeated),
                _of(each.controls, each.n_controls) + (" ⚠" if each.fails else ""),
            )
            for each in people
        ],
    )  # fmt: skip
    n_failed = sum(failed)
    yield (
        f"<p class=note>{count(n_failed, 'participant')} with fewer than {PASSES:.0%} of the control questions right, "
        "drawn in red; they are part of all numbers on this page.</p>"
    )


def _agreement(records: Records, agreements: Sequence[Any]) -> Iterable[str]:
    yield "<h2>Agreement</h2>"
    rows = []
    for kind in KINDS:
        kappas = [row[5] for row in agreements if row[0] == kind and row[3] and not isnan(row[5])]
        shares = [row[4] for row in agreements if row[0] == kind and row[3]]
        if shares:
            spread = f"{min(kappas):.2f} to {max(kappas):.2f}" if kappas else "–"
            mean_kappa = _number(float(np.mean(kappas)) if kappas else np.nan)
            rows.append((f"{kind}s", _share(np.mean(shares)), mean_kappa, spread, _number(fleiss(records, kind))))
    if rows:
        yield _table(["same answer", "Cohen's κ, mean", "Cohen's κ, range", "Fleiss' κ"], rows)
    yield (
        "<p class=note>Cohen's κ compares two people on common questions (agreement.csv), Fleiss' κ all of them. 1 is "
        "full agreement, 0 is what chance gives. Participants without common questions cannot be compared.</p>"
    )


def _heat(counts: NDArray[np.float64], rows: Sequence[str], columns: Sequence[str]) -> str:
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-12)
    lines = "".join(
        f"<tr><th>{escape(name)}</th>"
        + "".join(
            f'<td style="background: color-mix(in srgb, {ACCENT} {60 * share:.0f}%, transparent)">{value:.2f}</td>'
            for value, share in zip(values, row_shares, strict=True)
        )
        + "</tr>"
        for name, values, row_shares in zip(rows, counts, shares, strict=True)
    )
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    return f"<table class=heat><tr><td>true \\ given</td>{head}</tr>{lines}</table>"


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in ["", *header])
    body = "".join(
        f"<tr><th>{escape(row[0])}</th>{''.join(f'<td>{escape(cell)}</td>' for cell in row[1:])}</tr>" for row in rows
    )
    return f"<div class=wide><table><tr>{head}</tr>{body}</table></div>"


def _svg(figure: Figure, words: str) -> str:
    file = io.StringIO()
    figure.savefig(file, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    drawing = file.getvalue()
    return f'<figure role="img" aria-label="{escape(words)}">{drawing[drawing.index("<svg") :]}</figure>'


def _share(value: float) -> str:
    return "–" if isnan(value) else f"{value:.0%}"


def _number(value: float) -> str:
    return "–" if isnan(value) else f"{value:.2f}"


def _of(share: float, n: int) -> str:
    return "–" if not n else f"{round(share * n)} of {n}"


def _interval(low: float, high: float) -> str:
    return "–" if isnan(low) else f"{low:.3f} to {high:.3f}"


_STYLE = """
:root { color-scheme: light; }
body { margin: 0; background: #fff; color: #1f2328; font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; margin: 0 0 .25rem; } h2 { margin: 2.5rem 0 .75rem; font-size: 1.3rem; }
h3 { margin: 0 0 .5rem; }
.lead, .note { color: #59636e; } .note { font-size: .9rem; max-width: 46rem; }
figure { margin: 1rem 0; } figure svg { max-width: 100%; height: auto; }
.wide { overflow-x: auto; } .side { display: flex; flex-wrap: wrap; gap: 3rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92rem; }
th, td { padding: .4rem .75rem; border-bottom: 1px solid #d8dee4; text-align: right; font-weight: 400; }
th:first-child { text-align: left; } tr:first-child th { color: #59636e; vertical-align: bottom; }
.heat td, .heat th { border: 1px solid #fff; min-width: 4.5rem; } .heat tr:first-child td { color: #59636e; }
"""
