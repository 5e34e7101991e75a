"""The command ``dcrc-explore experiment``: run the paper's comparisons, and draw their figures from the results."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from dcrc_explore.experiments.catalogue import list_experiments
from dcrc_explore.experiments.records import FORMER_NAMES, Record, read_records
from dcrc_explore.experiments.runner import run
from dcrc_explore.experiments.tables import table
from dcrc_explore.experiments.work import BIRDSONG_SHAPE, Item, is_own, labelled, standardised
from dcrc_explore.storage import numbered
from dcrc_explore.words import listed


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status.

    Examples
    --------
    >>> main(["list"])
    comparison  Against other methods, by number of answers (Figure 4)
    soft-hard   Soft against hard answers (Figure 6)
    balance     With and without cluster balance (Figure 7)
    timing      Seconds per fit with 1500 answers
    confusion   Answers of simulated people (Table IV)
    people      Learning from simulated people, by triplets or pairs (Table V)
    dnk         What don't-know answers teach
    0
    """
    name, *rest = argv or [""]
    options = _parser().parse_args([FORMER_NAMES.get(name, name), *rest] if argv else argv)
    try:
        options.function(options)
    except (ValueError, OSError, ModuleNotFoundError, RuntimeError) as error:
        print(f"dcrc-explore experiment: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped; the same command continues", file=sys.stderr)
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "dcrc-explore experiment",
        description="Run one of the paper's comparisons. A run that was stopped is continued by the same command.",
    )
    commands = parser.add_subparsers(required=True, metavar="NAME")
    for name, experiment in list_experiments().items():
        command = commands.add_parser(name, help=experiment.title, description=experiment.title)
        command.set_defaults(function=_run, experiment=experiment)
        command.add_argument("--out", type=Path, default=Path(f"{name}.jsonl"), help="file of records (%(default)s)")
        command.add_argument("--methods", nargs="+", choices=experiment.methods, metavar="METHOD",
                             help=f"some of: {', '.join(experiment.methods)}".replace("%", "%%"))  # fmt: skip
        command.add_argument("--sizes", nargs="+", type=float, help="answers: shares of N up to 1, numbers above")
        command.add_argument("--reuse", nargs="+", type=Path, default=[], metavar="FILE",
                             help="records of other experiments; the same work is not done again")  # fmt: skip
        _add_common(command)
    everything = commands.add_parser("all", help="run all experiments but timing, which needs the machine for itself")
    everything.set_defaults(function=_run_all)
    everything.add_argument("--out", type=Path, default=Path("results"), metavar="FOLDER",
                            help="folder for one file of records per experiment (%(default)s)")  # fmt: skip
    every_method = dict.fromkeys(method for each in list_experiments().values() for method in each.methods)
    everything.add_argument("--methods", nargs="+", choices=every_method, metavar="METHOD",
                            help="some of the methods, in those experiments that have them")  # fmt: skip
    _add_common(everything)
    drawn = commands.add_parser("plot", help="draw the figure of a file of records")
    drawn.set_defaults(function=_plot)
    drawn.add_argument("file", type=Path)
    drawn.add_argument("--out", type=Path, help="picture file (.svg, .png, .pdf); by default FILE.svg")
    written = commands.add_parser("table", help="write means and confidence intervals of a file of records")
    written.set_defaults(function=_table)
    written.add_argument("file", type=Path)
    written.add_argument("--size", type=float, help="number of answers; by default the largest")
    written.add_argument("--against", metavar="METHOD", help="mean differences between this method and the others, "
                         "with 95%% intervals; a star if they differ (paired t-tests, Holm's correction)")  # fmt: skip
    for command in (drawn, written):
        command.add_argument(
            "--measure", default="ari", help="ari, f, nmi, accuracy, seconds, fit_seconds (%(default)s)"
        )
    commands.add_parser("list", help="list the experiments").set_defaults(function=_list)
    return parser


def _add_common(command: argparse.ArgumentParser) -> None:
    command.add_argument("--datasets", nargs="+", help="names, or files of your own (.csv, .npz) with a column "
                         "or array of classes; by default all data sets of the paper that are available")  # fmt: skip
    command.add_argument("--runs", type=int, default=20, help="independent runs (%(default)s)")
    command.add_argument("--jobs", type=int, default=-1, help="processes; -1 for one per core (%(default)s)")
    command.add_argument("--scheduler", metavar="ADDRESS", help="Dask scheduler whose workers do the work")
    command.add_argument("--data", metavar="FOLDER", help="folder with <data set>.npz files")


def _run(options: argparse.Namespace) -> None:
    if any(size < 0 for size in options.sizes or ()):
        raise ValueError(f"sizes must not be negative, got {min(options.sizes):g}")
    datasets = options.datasets or options.experiment.default_datasets(options.data)
    _check(options, datasets)
    items = options.experiment.items(datasets, methods=options.methods, sizes=options.sizes, runs=options.runs)
    _do(items, options.out, options, [record for file in options.reuse for record in read_records(file)])


def _run_all(options: argparse.Namespace) -> None:
    work = {}
    for name, experiment in list_experiments().items():
        methods = [method for method in experiment.methods if method in (options.methods or experiment.methods)]
        if name == "timing" or not methods:
            continue
        datasets = options.datasets or experiment.default_datasets(options.data)
        _check(options, datasets)
        work[name] = experiment.items(datasets, methods=methods, runs=options.runs)
    done: list[Record] = []
    for name, items in work.items():
        done += _do(items, options.out / f"{name}.jsonl", options, done)


def _do(items: Sequence[Item], out: Path, options: argparse.Namespace, known: Sequence[Record]) -> list[Record]:
    """Run the items of an experiment with a progress bar; what is known is not computed again."""
    print(f"{out}: {len(items)} records", flush=True)
    parallel = {"n_jobs": options.jobs, "scheduler": options.scheduler}
    return run(items, out, data_home=options.data, reuse=known, progress=True, **parallel)


def _check(options: argparse.Namespace, datasets: Sequence[str]) -> None:
    """Raise before any work if some of it could not be done."""
    if options.runs < 1:
        raise ValueError(f"runs must be at least 1, got {options.runs}")
    if options.jobs < -1 or options.jobs == 0:
        raise ValueError(f"jobs must be a number of processes or -1, got {options.jobs}")
    for name in datasets:
        if is_own(name):
            data = labelled(name)
            print(f"{name}: {len(data.X)} points, {data.X.shape[1]} features, classes {listed(list(data.class_names))}")
        if name != BIRDSONG_SHAPE:
            standardised(name, options.data)  # kept for the work that follows


def _plot(options: argparse.Namespace) -> None:
    try:
        from dcrc_explore.experiments.figures import plot
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError('figures need matplotlib: pip install "dcrc-explore[app]"') from error
    out = options.out or next(free for free in numbered(options.file.with_suffix(".svg")) if not os.path.lexists(free))
    picture = io.BytesIO()
    plot(read_records(options.file), options.measure).savefig(picture, format=out.suffix.removeprefix(".") or "svg")
    try:
        with out.open("xb") as file:
            file.write(picture.getvalue())
    except FileExistsError:
        raise ValueError(f"{str(out)!r} exists and was left as it is: give another name by --out") from None
    print(out)


def _table(options: argparse.Namespace) -> None:
    print(table(read_records(options.file), options.measure, options.size, options.against))


def _list(options: argparse.Namespace) -> None:
    for name, experiment in list_experiments().items():
        print(f"{name:11} {experiment.title}")


if __name__ == "__main__":
    sys.exit(main())
