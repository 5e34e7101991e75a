"""Experiments can be stopped at any time, spread over machines, and give the same records."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path

import distributed
import numpy as np
import pytest
from scipy import stats

from dcrc_explore.constraints import Answer, implied_answers
from dcrc_explore.datasets import list_real_datasets, load_dataset
from dcrc_explore.experiments import Item, cli, differences, list_experiments, read_records, run, summarise
from dcrc_explore.experiments.figures import forest, plot
from dcrc_explore.experiments.methods import DCRC_VARIANTS, UNANSWERED, cluster, only_dnk, some_dnk
from dcrc_explore.experiments.pairs import cluster_by_pairs
from dcrc_explore.experiments.records import appending, key
from dcrc_explore.experiments.runner import _Bar, commit
from dcrc_explore.experiments.tables import table
from dcrc_explore.experiments.work import make_task

COMPARISON = list_experiments()["comparison"]
FEW = 0.02  # answers per point: too few to tune anything with, and quick
ONE_CANDIDATE = {"taus": (1.0,), "lams": (2**-6,)}
RESULTS = Path(__file__).parent.parent / "notebooks" / "results"
# Those of questions.jsonl are of another kind: see tests/benchmarks/questions.py.
STORED = sorted({*RESULTS.glob("*.jsonl")} - {RESULTS / "questions.jsonl", RESULTS / "photos.jsonl"})
QUICK = ["K-means", "Xing", "answers' start + K-means"]


def quick_items(runs=3):
    return COMPARISON.items(["iris"], methods=QUICK, sizes=[0.1, 0.2], runs=runs)


def results(records):
    """What must not depend on how the work was done: everything but the time it took."""
    return {key(record): {name: value for name, value in record.items() if name != "seconds"} for record in records}


# What a piece of work is


def test_seeds_come_from_dataset_size_and_run_alone():
    items = [Item(e, d, m, s, r) for e in "ef" for d in "dx" for m in "mn" for s in (0.1, 0.2, 150.0) for r in (0, 1)]
    seeds = {}
    for item in items:
        seeds.setdefault((item.dataset, item.size, item.run), set()).add(item.seed)
    assert all(len(values) == 1 for values in seeds.values())
    assert len(set.union(*seeds.values())) == len(seeds)


def test_a_task_is_standardised_data_with_true_answers_in_five_folds():
    task = make_task(Item("comparison", "wine", "DCRC", 0.2, 4))
    np.testing.assert_allclose(task.X.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(task.X.std(axis=0), 1)
    assert len(task.triplets) == round(0.2 * 178)
    np.testing.assert_array_equal(task.triplets.answers, implied_answers(task.y, task.triplets.indices))
    tests = np.concatenate([test for _, test in task.folds])
    np.testing.assert_array_equal(np.sort(tests), np.arange(len(task.triplets)))
    assert len(task.folds) == 5
    again = make_task(Item("people", "wine", "ITML", 0.2, 4))
    assert again.triplets == task.triplets


def test_people_err_and_the_truth_does_not():
    item = Item("people", "iris", "DCRC", 1000, 0)
    honest, people = make_task(item), make_task(item, people=True)
    np.testing.assert_array_equal(honest.triplets.indices, people.triplets.indices)
    share = np.mean(honest.triplets.answers != people.triplets.answers)
    assert 0.05 < share < 0.25


def test_answers_left_out_leave_the_others_in_their_folds():
    task = make_task(Item("dnk", "iris", "", 0.5, 0))
    dnk = task.triplets.answers == Answer.DNK
    assert some_dnk(task, 1.0).triplets == task.triplets
    without, only = some_dnk(task, 0.0), only_dnk(task)
    assert without.triplets == task.triplets.without_dnk()
    assert len(only.triplets) == dnk.sum()
    assert set(only.triplets.answers.tolist()) == {0}
    for part, kept in ((without, ~dnk), (only, dnk)):
        for (train, test), (all_train, all_test) in zip(part.folds, task.folds, strict=True):
            for mine, everyone in ((train, all_train), (test, all_test)):
                rows = task.triplets.indices[everyone[kept[everyone]]]
                np.testing.assert_array_equal(part.triplets.indices[mine], rows)


@pytest.mark.parametrize("method", COMPARISON.methods)
def test_every_method_gives_labels_and_its_settings(method):
    task = make_task(Item("comparison", "iris", method, 0.1, 0))
    outcome = cluster(method, task, **(ONE_CANDIDATE if method in DCRC_VARIANTS else {}))
    assert outcome.labels.shape == (150,)
    assert set(np.unique(outcome.labels)) <= {0, 1, 2}
    json.dumps(outcome.settings)
    tuned = method not in UNANSWERED
    assert (outcome.accuracy is not None) == tuned


def test_without_yes_or_no_dcrc_yn_is_fitted_without_tuning():
    task = only_dnk(make_task(Item("comparison", "iris", "DCRC-YN", 0.1, 0)))
    outcome = cluster("DCRC-YN", task)
    assert outcome.accuracy is None
    np.testing.assert_array_equal(outcome.labels, cluster("DCRC-YN", task._replace(folds=[])).labels)


# The catalogue


def test_the_first_run_is_complete_before_the_second_begins():
    runs = [item.run for item in COMPARISON.items(["iris", "wine"])]
    assert all(before <= after for before, after in pairwise(runs))
    assert Counter(runs) == dict.fromkeys(range(20), 2 * (3 + 16 * 4))


def test_data_sets_are_those_at_hand(tmp_path, monkeypatch):
    monkeypatch.delenv("DCRC_EXPLORE_DATA", raising=False)
    assert COMPARISON.default_datasets() == [name for name, spec in list_real_datasets().items() if spec.bundled]
    for name in ("letters_ijlt.npz", "pima.npz", "unrelated.npz"):
        (tmp_path / name).touch()
    assert COMPARISON.default_datasets(str(tmp_path)) == ["balance-scale", "pima", "letters-ijlt"]
    monkeypatch.setenv("DCRC_EXPLORE_DATA", str(tmp_path))
    assert list_experiments()["soft-hard"].default_datasets() == ["balance-scale", "pima", "letters-ijlt"]


def test_sparse_lp_is_not_asked_to_do_what_it_cannot():
    methods = {item.method for item in COMPARISON.items(["stonefly9"], runs=1)}
    assert "sparseLP" not in methods
    assert "ITML" in methods


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "methods", "sizes"),
    [
        ("soft-hard", ["DCRC hard"], [FEW]),
        ("balance", ["DCRC no balance"], [0.0, FEW]),
        ("confusion", None, [150]),
        ("people", ["K-means", "ITML", "Xing", "sparseLP", "DCRC, pairs"], [20]),
        ("dnk", ["50% of dnk", "only dnk"], [FEW]),
    ],
)
def test_every_experiment_gives_records(name, methods, sizes, tmp_path):
    experiment = list_experiments()[name]
    records = run(experiment.items(["iris"], methods=methods, sizes=sizes, runs=1), tmp_path / "x.jsonl")
    for record in records:
        assert {"experiment", "dataset", "method", "size", "run", "seed", "seconds", "versions", "commit"} <= set(
            record
        )
        if name == "confusion":
            assert np.sum(record["table"]) == 150
        else:
            assert 0 < record["f"] <= 1
            assert isinstance(record["settings"], dict)


@pytest.mark.slow
def test_the_user_study_has_half_as_many_pairs_again_as_triplets_for_the_same_model():
    people = list_experiments()["people"]
    measured = {
        item.method: people.measure(item, None)
        for item in people.items(["iris"], methods=["ITML", "ITML, 1.5 x pairs", "DCRC, 1.5 x pairs"], runs=1)
    }
    assert {method: fields["n_pairs"] for method, fields in measured.items()} == {
        "ITML": 150, "ITML, 1.5 x pairs": 225, "DCRC, 1.5 x pairs": 225
    }  # fmt: skip
    assert measured["DCRC, 1.5 x pairs"]["settings"]["epsilon"] == 0.15
    assert measured["DCRC, 1.5 x pairs"]["ari"] > 0.5


@pytest.mark.parametrize("n_pairs", [0, 3, 6])
def test_few_pairs_are_enough_to_fit_the_model(n_pairs):
    task = make_task(Item("people", "iris", "DCRC, pairs", 0, 0))
    assert len(cluster_by_pairs("DCRC", task, n_pairs).labels) == 150


def test_confusion_counts_like_the_paper(tmp_path):
    """The simulated people of 20 runs answer like the six of the study, whose rates they are drawn from."""
    items = list_experiments()["confusion"].items(["balance-scale"])
    text = table(run(items, tmp_path / "confusion.jsonl"))
    assert "| Balance-scale, triplets: true | yes | no | dnk |" in text
    assert "| Balance-scale, pairs: true | must-link | cannot-link |" in text
    counts = np.sum(
        [r["table"] for r in read_records(tmp_path / "confusion.jsonl") if r["method"] == "triplets"], axis=0
    )
    rates = counts / counts.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(np.diag(rates), [0.782, 0.774, 0.938], atol=0.05)


def test_timing_fits_once_without_tuning(tmp_path):
    items = list_experiments()["timing"].items(["iris"], methods=["ITML", "DCRC"], sizes=[60], runs=1)
    for record in run(items, tmp_path / "timing.jsonl"):
        assert record["accuracy"] is None
        assert 0 < record["fit_seconds"] <= record["seconds"] + 0.01


# Records on disk


def test_records_are_tidy_lines_with_seed_settings_and_versions(tmp_path):
    path = tmp_path / "deep" / "comparison.jsonl"
    items = [*quick_items(1), *COMPARISON.items(["iris"], methods=["LSML"], sizes=[0.1], runs=1)]
    records = run(items, path)
    assert records == read_records(path)
    for record, item in zip(records, items, strict=True):
        assert key(record) == key(vars(item))
        assert record["seed"] == item.seed
        assert set(record["versions"]) == {"dcrc_explore", "python", "numpy", "scipy", "sklearn"}
    assert {"C"} == {name for record in records if record["method"] == "LSML" for name in record["settings"]}


def test_a_torn_last_line_is_passed_over_and_done_again(tmp_path):
    path = tmp_path / "comparison.jsonl"
    whole = run(quick_items(1), path)
    torn = path.read_bytes()[:-20]
    path.write_bytes(torn)
    assert read_records(path) == whole[:-1]
    assert results(run(quick_items(1), path)) == results(whole)
    # Not a byte is taken from the file: what the kill left stands in a line of its own.
    assert path.read_bytes().startswith(torn + b"\n")
    assert len(read_records(path)) == len(whole)


def test_a_whole_record_without_its_end_of_line_counts(tmp_path):
    path = tmp_path / "comparison.jsonl"
    run(quick_items(1), path)
    path.write_bytes(path.read_bytes()[:-1])
    records = read_records(path)
    assert len(records) == len(quick_items(1))
    longer = run(quick_items(2), path)
    assert longer[: len(records)] == records
    assert len(path.read_bytes().splitlines()) == len(longer)


FOREIGN = {
    "settings.json": b'{"answers": [1, 2, 3]}',
    "own.json": b'{"experiment":"mine","result":1}',
    "lines.jsonl": b'{"f": 1}\n{"f": 2}\n',
    "notes.txt": b"buy milk\nand also bread",
    "data.npz": b"PK\x03\x04\x14\x00\x00\n\x00\xff\xfe",
    "deep.json": b"[" * 100_000,
    "empty-lines.txt": b"\n\n",
    "nameless.json": b'{"experiment":"mine","dataset":1,"method":"x","size":0.1,"run":0}',
    "endless.json": b'{"experiment":"x","dataset":"x","method":"x","size":0.1,"run":1e400}',
    "words.json": b'{"experiment":"x","dataset":"x","method":"x","size":0.1,"run":1,"ari":"good"}',
    "half.json": b'{"experiment":"x\\ud800","dataset":"x","method":"x","size":0.1,"run":1}',
}
BEGINNINGS = [b"{", b'{"experiment":"', b'{"experiment":"mine']


@pytest.mark.parametrize("name", FOREIGN)
def test_a_file_that_is_not_one_of_records_is_refused_as_it_is(name, tmp_path, capsys):
    path = tmp_path / name
    path.write_bytes(FOREIGN[name])
    before = path.stat().st_mtime_ns
    words = ["--datasets", "iris", "--methods", "Xing", "--sizes", "0.1", "--runs", "1", "--jobs", "1"]
    assert cli.main(["comparison", *words, "--out", str(path)]) == 1
    assert path.read_bytes() == FOREIGN[name]
    assert path.stat().st_mtime_ns == before
    [line] = capsys.readouterr().err.splitlines()
    assert "must be a record of an experiment, number 1" in line


@pytest.mark.parametrize("content", BEGINNINGS)
def test_a_file_that_only_begins_like_one_of_records_is_refused_as_it_is(content, tmp_path):
    path = tmp_path / "mine.jsonl"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="must have a whole record"):
        run(quick_items(1), path)
    assert path.read_bytes() == content


def test_a_folder_or_a_pipe_is_refused(tmp_path, capsys):
    os.mkfifo(tmp_path / "pipe.jsonl")
    for path in (tmp_path, tmp_path / "pipe.jsonl"):
        with pytest.raises(ValueError, match="not a regular file"):
            run(quick_items(1), path)
        assert cli.main(["table", str(path)]) == 1
        assert "must be a regular file" in capsys.readouterr().err
    assert cli.main(["table", "/dev/zero"]) == 1
    assert "got a device" in capsys.readouterr().err


def test_a_figure_takes_the_place_of_no_file(tmp_path, capsys):
    record = {
        "experiment": "comparison",
        "dataset": "$\\frac{$",
        "method": "$\\frac{$",
        "size": 0.1,
        "run": 0,
        "ari": 0.5,
    }
    path, foreign = tmp_path / "x.jsonl", tmp_path / "x.svg"
    path.write_text(json.dumps(record) + "\n")
    foreign.write_text("mine")
    (tmp_path / "link.pdf").symlink_to(tmp_path / "nowhere.pdf")
    assert cli.main(["plot", str(path)]) == 0
    assert capsys.readouterr().out.strip() == str(tmp_path / "x-2.svg")
    assert (tmp_path / "x-2.svg").read_text().startswith("<?xml")
    for name in ("x.svg", "link.pdf"):
        assert cli.main(["plot", str(path), "--out", str(tmp_path / name)]) == 1
        assert "exists and was left as it is" in capsys.readouterr().err
    assert foreign.read_text() == "mine"
    assert not (tmp_path / "nowhere.pdf").exists()


def test_two_runs_do_not_write_one_file(tmp_path, capsys):
    path = tmp_path / "comparison.jsonl"
    with appending(path):
        assert cli.main(command(path)[3:]) == 1
    assert "another run is writing" in capsys.readouterr().err
    assert path.read_bytes() == b""
    assert cli.main(command(path)[3:]) == 0


def test_an_item_counts_once_whatever_the_file_holds(tmp_path):
    path = tmp_path / "comparison.jsonl"
    once = run(quick_items(), path)
    path.write_bytes(2 * path.read_bytes())
    assert read_records(path) == once
    assert summarise(once + once) == summarise(once)
    assert table(once + once) == table(once)
    assert run(quick_items(), path) == once


def test_what_is_in_the_file_is_not_computed_again(tmp_path):
    path = tmp_path / "comparison.jsonl"
    first = run(quick_items(1), path)
    before = path.read_bytes()
    assert run(quick_items(1), path) == first
    assert path.read_bytes() == before
    longer = run(quick_items(2), path)
    assert longer[: len(first)] == first
    assert path.read_bytes().startswith(before)


@pytest.mark.parametrize("other", [{"versions": {"dcrc_explore": "0.0.1"}}, {"commit": "0.0.1"}])
def test_other_versions_in_the_file_are_reported(other, tmp_path):
    path = tmp_path / "comparison.jsonl"
    [record] = run(quick_items(1)[:1], path)
    path.write_text(json.dumps(record | other) + "\n")
    with pytest.warns(UserWarning, match=r"0\.0\.1"):
        run(quick_items(1)[:1], path)


def test_work_that_is_the_same_in_another_experiment_is_copied(tmp_path):
    """DCRC hears the same answers in both experiments; the timing fits it without tuning, which is other work."""
    soft_hard, timing = (list_experiments()[name] for name in ("soft-hard", "timing"))
    [known] = run(COMPARISON.items(["iris"], methods=["DCRC"], sizes=[FEW], runs=1), tmp_path / "comparison.jsonl")
    items = soft_hard.items(["iris"], methods=["DCRC"], sizes=[FEW], runs=1)
    computed = run(items, tmp_path / "computed.jsonl")
    copied = run(items, tmp_path / "soft-hard.jsonl", reuse=[known])
    assert results(copied) == results(computed)
    assert [record["seconds"] for record in copied] == [known["seconds"]]
    [timed] = run(timing.items(["iris"], methods=["DCRC"], sizes=[FEW], runs=1), tmp_path / "t.jsonl", reuse=[known])
    assert "fit_seconds" in timed


def test_one_failure_stops_nothing_and_is_tried_again(tmp_path):
    path = tmp_path / "comparison.jsonl"
    items = quick_items(1)
    bad = Item("comparison", "no such set", "Xing", 0.1, 0)
    with pytest.raises(RuntimeError, match=r"(?s)1 of 6 items failed.*no such set"):
        run([items[0], bad, *items[1:]], path)
    assert results(read_records(path)) == results(run(items, tmp_path / "good.jsonl"))


@pytest.mark.slow
def test_processes_give_the_same_records(tmp_path):
    alone, together = (run(quick_items(), tmp_path / f"{n}.jsonl", n_jobs=n) for n in (1, 2))
    assert results(alone) == results(together)


def command(path, *options):
    words = ["comparison", "--datasets", "iris", "--methods", *QUICK, "--sizes", "0.1", "0.2", "--runs", "3"]
    return [sys.executable, "-m", "dcrc_explore.experiments.cli", *words, "--jobs", "1", "--out", str(path), *options]


def wait_for_lines(path, n, process):
    while not (path.exists() and path.read_bytes().count(b"\n") >= n):
        assert process.poll() is None, "the run ended before it was to be killed"
        time.sleep(0.01)


@pytest.mark.slow
def test_a_killed_run_is_continued(tmp_path):
    whole = run(quick_items(), tmp_path / "whole.jsonl")
    path = tmp_path / "comparison.jsonl"
    survivors = b""
    for n in (2, 7):
        process = subprocess.Popen(command(path), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        wait_for_lines(path, n, process)
        process.send_signal(signal.SIGKILL)
        process.wait()
        content = path.read_bytes()
        # Nothing that was on disk is lost or done again.
        assert content.startswith(survivors)
        survivors = content[: content.rfind(b"\n") + 1]
    # As if the kill had come in the middle of a write.
    with path.open("ab") as file:
        file.write(b'{"experiment":"comparison","dataset":"ir')
    subprocess.run(command(path), check=True, capture_output=True)
    assert path.read_bytes().startswith(survivors)
    records = read_records(path)
    assert len(records) == len(whole)
    assert results(records) == results(whole)
    # One process works in order, so even the order is that of an uninterrupted run.
    assert [key(record) for record in records] == [key(record) for record in whole]


@pytest.mark.slow
def test_a_cluster_that_loses_a_worker_gives_the_same_records(tmp_path):
    path = tmp_path / "comparison.jsonl"
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, local_directory=str(tmp_path)
        ) as cluster_,
        distributed.Client(cluster_) as client,
    ):
        pids = list(client.run(os.getpid).values())
        assert len(set(pids)) == 2
        options = "--scheduler", cluster_.scheduler_address
        process = subprocess.Popen(command(path, *options), stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
        wait_for_lines(path, 3, process)
        os.kill(pids[0], signal.SIGKILL)
        assert len(read_records(path)) < len(quick_items())
        _, errors = process.communicate()
        assert process.returncode == 0, errors.decode()
    assert len(read_records(path)) == len(quick_items())
    assert results(read_records(path)) == results(run(quick_items(), tmp_path / "alone.jsonl"))


def test_the_time_left_follows_from_like_items():
    items = [Item("comparison", "iris", method, 0.1, run) for run in range(4) for method in ("fast", "slow")]
    took = {"fast": 1.0, "slow": 9.0}
    done = {key(vars(item)): {"seconds": took[item.method]} for item in items[:3]}  # fast, slow, fast
    bar = _Bar(items, done, shown=False)
    bar.start -= 18  # as if the item that took 9 seconds of work had taken 18 on the clock
    bar.advance({**vars(items[3]), "seconds": 9.0})
    # Two of each are left: 20 seconds of work.
    assert bar.seconds_left() == pytest.approx(40, rel=0.1)


# Figures, tables and the command


def made_up(runs=3, sizes=(0.1, 0.2)):
    rng = np.random.default_rng(0)
    return [
        {"experiment": "comparison", "dataset": dataset, "method": method, "size": size, "run": r, "f": rng.random()}
        for r in range(runs)
        for dataset in ("iris", "wine")
        for method in ("K-means", "DCRC", "ITML")
        for size in ((0.0,) if method == "K-means" else sizes)
    ]


def test_intervals_are_students():
    values = [0.5, 0.6, 0.9, 0.7]
    [summary] = summarise(
        [{"dataset": "d", "method": "m", "size": 0.1, "run": r, "f": f} for r, f in enumerate(values)]
    )
    low, high = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert summary.mean - summary.half_width == pytest.approx(low)
    assert summary.mean + summary.half_width == pytest.approx(high)
    assert summary.runs == 4


def test_a_figure_shows_means_and_intervals_of_each_data_set():
    records = made_up()
    figure = plot(records, "f")
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["Iris", "Wine"]
    summaries = {(s.dataset, s.method, s.size): s for s in summarise(records)}
    containers = {container.get_label(): container for container in figure.axes[1].containers}
    assert set(containers) == {"DCRC", "ITML"}
    np.testing.assert_allclose(
        containers["ITML"].lines[0].get_ydata(), [summaries["wine", "ITML", size].mean for size in (0.1, 0.2)]
    )
    [bars] = containers["ITML"].lines[2]
    low, high = bars.get_segments()[0][:, 1]
    assert high - low == pytest.approx(2 * summaries["wine", "ITML", 0.1].half_width)
    assert "3 runs" in figure.get_suptitle()


@pytest.mark.slow
def test_figures_of_unfinished_files_show_what_is_there():
    records = made_up()
    for n in range(1, len(records)):
        known = records[:n]
        figure = plot(known, "f")
        datasets = dict.fromkeys(record["dataset"].capitalize() for record in known)
        assert [ax.get_title(loc="left") for ax in figure.axes] == list(datasets)
        runs = sorted({summary.runs for summary in summarise(known)})
        words = "one run" if runs == [1] else f"{runs[0]} runs" if len(runs) == 1 else f"{runs[0]} to {runs[-1]} runs"
        assert words in figure.get_suptitle()
        for ax, dataset in zip(figure.axes, datasets, strict=True):
            drawn = {summary.mean for summary in summarise(known) if summary.dataset == dataset.lower()}
            shown = {value for line in ax.lines for value in (*np.ravel(line.get_xdata()), *np.ravel(line.get_ydata()))}
            assert all(min(abs(mean - value) for value in shown) < 1e-9 for mean in drawn)


def test_a_table_has_methods_in_rows(tmp_path):
    text = table(made_up(), "f", size=0.1)
    lines = text.splitlines()
    assert lines[0] == "| pairwise F with 0.1 N answers (runs) | Iris | Wine |"
    assert [line.split(" | ")[0] for line in lines[2:]] == ["| K-means", "| DCRC", "| ITML"]
    assert table(made_up(), "f") == table(made_up(), "f", size=0.2)
    with pytest.raises(ValueError, match="no record has the measure 'nmi': there is f"):
        table(made_up(), "nmi")
    with pytest.raises(ValueError, match="none at all"):
        plot([], "f")


def test_differences_are_taken_run_by_run():
    """A method that is better by the same in every run is ahead without doubt, however much the runs differ."""
    records = made_up()
    for record in records:
        if record["method"] == "ITML":
            twin = {**record, "method": "DCRC"}
            records[[key(r) for r in records].index(key(twin))] = {**twin, "f": record["f"] + 0.25}
    [first, *_] = [s for s in summarise(differences(records, "DCRC")) if s.method == "ITML"]
    assert first.mean == pytest.approx(0.25)
    assert first.half_width == pytest.approx(0, abs=1e-12)
    text = table(records, "f", against="DCRC")
    assert text.startswith("| pairwise F: DCRC minus with 0.2 N answers (runs) | Iris | Wine |")
    assert "| ITML | +0.250 ± 0.000 (3) | +0.250 ± 0.000 (3) |" in text
    # K-means hears no answers: it is there at every size.
    assert {s.size for s in summarise(differences(records, "DCRC")) if s.method == "K-means"} == {0.1, 0.2}
    with pytest.raises(ValueError, match=r"no record of the method 'LSML' .* there is K-means, DCRC, ITML"):
        table(records, "f", against="LSML")
    with pytest.raises(ValueError, match="no record has the measure 'nmi': there is f"):
        table(records, "nmi", against="DCRC")


def test_a_method_without_answers_yet_is_not_one_that_hears_none():
    """The experiment with balance begins at no answers; what it finds there belongs to no other size."""
    balance = {"experiment": "balance", "dataset": "iris"}
    values = {"DCRC": (0.5, 0.75), "DCRC no balance": (0.25, 0.625)}
    records = [
        {**balance, "method": method, "size": size, "run": r, "f": f}
        for r in range(2)
        for method, pair in values.items()
        for size, f in zip((0.0, 0.1), pair, strict=True)
    ]
    found = {(s.size, s.mean, s.runs) for s in summarise(differences(records, "DCRC"))}
    assert found == {(0.0, 0.25, 2), (0.1, 0.125, 2)}
    assert "| DCRC no balance | 0.625 ± 0.000 (2) |" in table(records, "f")
    assert "| DCRC no balance | +0.250 ± 0.000 (2) |" in table(records, "f", size=0.0, against="DCRC")


def test_the_adjusted_rand_index_leads_and_f_stands_beside_it():
    records = [{**record, "ari": record["f"] / 2} for record in made_up(runs=2)]
    means = {(s.dataset, s.method): s.mean for s in summarise(records, "f") if s.size in (0.0, 0.2)}
    text = table(records)
    assert text.startswith("| adjusted Rand index, F, with 0.2 N answers (runs) | Iris | Wine |")
    for (dataset, method), f in means.items():
        [line] = [line for line in text.splitlines() if line.startswith(f"| {method} |")]
        assert f"{f / 2:.3f}" in line, dataset
        assert f"F {f:.3f} (2)" in line


def test_holms_correction_is_over_the_whole_table():
    """A star for what is certain in spite of all the other tests, not for what one test alone would have shown."""
    rng = np.random.default_rng(0)
    shifts = {"DCRC": 0.0, "ITML": 0.05, "LSML": 0.5, **{f"other {n}": 0.0 for n in range(20)}}
    records = [
        {
            "experiment": "comparison",
            "dataset": "iris",
            "method": m,
            "size": 0.1,
            "run": r,
            "f": rng.normal(-shift, 0.05),
        }
        for m, shift in shifts.items()
        for r in range(10)
    ]
    p_values = {}
    for summary in summarise(differences(records, "DCRC"), "f"):
        values = [r["f"] for r in differences(records, "DCRC") if r["method"] == summary.method]
        p_values[summary.method] = stats.ttest_1samp(values, 0).pvalue
    expected, left = set(), len(p_values)
    for method, p in sorted(p_values.items(), key=lambda item: item[1]):
        if p * left > 0.05:
            break
        expected, left = expected | {method}, left - 1
    assert "LSML" in expected
    assert expected < {method for method, p in p_values.items() if p < 0.05}
    starred = {line.split(" | ")[0][2:] for line in table(records, "f", against="DCRC").splitlines() if "* (" in line}
    assert starred == expected


def test_files_and_commands_with_former_names_are_read(tmp_path, capsys):
    path = tmp_path / "figure3.jsonl"
    records = run(quick_items(1), path)
    path.write_text(path.read_text().replace('"comparison"', '"figure3"'))
    assert read_records(path) == records
    words = ["--datasets", "iris", "--methods", *QUICK, "--sizes", "0.1", "0.2", "--runs", "1", "--jobs", "1"]
    before = path.read_bytes()
    assert cli.main(["figure3", *words, "--out", str(path)]) == 0
    assert path.read_bytes() == before
    assert {r["experiment"] for f in STORED for r in read_records(f)} == {
        "comparison", "soft-hard", "balance", "people", "dnk", "confusion", "timing"
    }  # fmt: skip


def test_methods_stand_in_the_same_order_whichever_was_done_first():
    records = made_up()
    assert table(records, "f") == table(records[::-1], "f")


def test_the_command_runs_and_draws(tmp_path, capsys):
    path = tmp_path / "f3.jsonl"
    words = [
        "comparison",
        "--datasets",
        "iris",
        "--methods",
        "Xing",
        "--sizes",
        "0.1",
        "0.2",
        "--runs",
        "2",
        "--jobs",
        "1",
    ]
    assert cli.main([*words, "--out", str(path)]) == 0
    assert "4 records" in capsys.readouterr().out
    assert cli.main(["plot", str(path)]) == 0
    assert (tmp_path / "f3.svg").read_text().startswith("<?xml")
    assert cli.main(["table", str(path), "--measure", "ari"]) == 0
    assert "| Xing |" in capsys.readouterr().out


def test_one_command_runs_all_experiments_and_continues(tmp_path, capsys):
    words = ["all", "--datasets", "iris", "--methods", "K-means", "DCRC-NoConst", "triplets", "--runs", "2"]
    assert cli.main([*words, "--jobs", "1", "--out", str(tmp_path)]) == 0
    assert "confusion.jsonl: 2 records" in capsys.readouterr().out
    found = {path.stem: read_records(path) for path in tmp_path.glob("*.jsonl")}
    assert {name: len(records) for name, records in found.items()} == {"comparison": 4, "people": 4, "confusion": 2}
    assert {record["commit"] for records in found.values() for record in records} == {commit()}
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert cli.main([*words, "--jobs", "1", "--out", str(tmp_path)]) == 0
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_forest_fills_what_differs_from_zero():
    shifts = {"DCRC": 0.0, "ITML": 0.5, "LSML": 0.0, "Xing": -0.5}
    iris = {"experiment": "comparison", "dataset": "iris"}
    records = [
        {**iris, "method": m, "size": size, "run": r, "ari": 0.05 * (-1) ** r * (m != "DCRC") - shift}
        for m, shift in shifts.items()
        for size in (0.1, 0.3)
        for r in range(8)
    ]
    figure = forest(summarise(differences(records, "DCRC", "ari"), "ari"), "DCRC minus")
    [ax] = figure.axes
    assert [label.get_text() for label in ax.get_yticklabels()] == ["ITML", "LSML", "Xing"]
    hollow = [container.lines[0].get_markerfacecolor() == "white" for container in ax.containers]
    assert hollow == [False, False, True, True, False, False]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["0.1 N answers", "0.3 N answers"]


def test_the_command_says_what_is_wrong(tmp_path, capsys):
    assert cli.main(["table", str(tmp_path / "none.jsonl")]) == 1
    assert "none.jsonl" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        cli.main(["figure8"])
    assert "figure8" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        cli.main(["comparison", "--methods", "GMM"])
    assert "'GMM'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--datasets", "irs"], "'irs'"),
        (["--datasets", "msrcv2", "--data", "."], "msrcv2.npz"),
        (["--sizes", "-1"], "sizes must not be negative, got -1"),
        (["--runs", "0"], "runs must be at least 1, got 0"),
        (["--jobs", "0"], "jobs must be a number of processes or -1, got 0"),
    ],
)
def test_what_can_not_be_run_is_said_before_any_work(words, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["comparison", *words]) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert message in line
    assert not list(tmp_path.iterdir())


def test_a_table_of_ones_own_is_compared_by_its_class_column(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    data = load_dataset("iris")
    rows = [f"{i},{','.join(map(str, x))},{data.class_names[data.y[i]]}" for i, x in enumerate(data.X)]
    Path("mine.csv").write_text("id,a,b,c,d,species\n" + "\n".join(rows))
    command = ["comparison", "--methods", "K-means", "--runs", "1", "--jobs", "1", "--out", "out.jsonl", "--datasets"]
    assert cli.main([*command, "mine.csv", "iris"]) == 0
    assert "mine.csv: 150 points, 4 features, classes" in capsys.readouterr().out
    mine, iris = read_records(Path("out.jsonl"))
    assert (mine["dataset"], mine["ari"]) == ("mine.csv", iris["ari"])
    Path("plain.csv").write_text("a,b\n1,2\n3,4\n5,6\n")
    assert cli.main([*command, "plain.csv"]) == 1
    assert "'plain.csv' must have a column with at least two classes" in capsys.readouterr().err
