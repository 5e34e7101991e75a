"""The page that holds the paper against here follows from the stored records."""

import json
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from dcrc_explore import DCRC
from dcrc_explore.experiments import read_records
from dcrc_explore.experiments.answers import RIVALS
from dcrc_explore.experiments.evidence import Stored
from dcrc_explore.experiments.paper import PARTS, findings, page
from dcrc_explore.experiments.records import Summary
from dcrc_explore.experiments.tables import different

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
PART = {part.name: part for part in PARTS}


@pytest.fixture(scope="module")
def found():
    return findings(NOTEBOOKS / "results")


def test_every_figure_and_table_of_the_paper_is_there_in_its_order(found):
    names = [part.name for part, _, _ in found]
    figures = [name for name in names if name.startswith("Fig")]
    assert [name[5] for name in figures] == list("123444444567")
    tables = [name.split()[1] for name in names if name.startswith("Table")]
    assert tables == ["I", "II", "III", "IV", "V"]


def test_the_page_is_the_one_that_the_records_give(found):
    """After new records: ``python notebooks/paper.py``."""
    written = (NOTEBOOKS / "site" / "paper.md").read_text(encoding="utf-8")
    assert written == page(found, "../images/paper", "..")
    for part, _, _ in found:
        assert (NOTEBOOKS / part.more[0]).exists()
        assert (NOTEBOOKS / "images" / "paper" / f"{part.stem}.svg").read_text().startswith("<?xml")


def test_stored_records_are_complete_and_those_of_a_method_of_one_commit():
    files = [NOTEBOOKS / "results" / f"{name}.jsonl" for name in
             ("comparison", "soft-hard", "balance", "people", "dnk", "confusion", "timing")]  # fmt: skip
    records = [record for file in files for record in read_records(file)]
    assert len({json.dumps(record["versions"]) for record in records}) == 1
    made = {(record["experiment"], record["method"], record["commit"]) for record in records}
    assert len(made) == len({(experiment, method) for experiment, method, _ in made})  # no method is half new
    for file in files:
        runs = {}
        for record in read_records(file):
            runs.setdefault((record["size"], record["dataset"], record["run"]), set()).add(record["method"])
        for size in {size for size, _, _ in runs}:
            methods = {frozenset(found) for (each, _, _), found in runs.items() if each == size}
            assert len(methods) == 1, f"{file.name} has runs at {size:g} that are not complete"
        for size, dataset, _ in runs:
            assert {run for each, name, run in runs if (each, name) == (size, dataset)} == set(range(20))


def test_numbers_of_runs_stand_beside_the_data_sets():
    ax = Figure().add_subplot()
    PART["Fig. 6"].draw(ax, Stored(NOTEBOOKS / "results"))
    runs = {}
    for record in read_records(NOTEBOOKS / "results" / "soft-hard.jsonl"):
        runs.setdefault((record["dataset"], record["size"]), set()).add(record["run"])
    counts = {str(len(found)) for found in runs.values()}
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert {n for label in labels for n in label.split("(")[1].removesuffix(")").split(", ")} == counts


def test_stored_questions_are_complete_and_those_of_a_strategy_of_one_commit():
    lines = (NOTEBOOKS / "results" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    records = [record for record in map(json.loads, lines) if "data" in record]
    made = {(record["strategy"], record["oracle"], record["commit"]) for record in records}
    assert len(made) == len({(strategy, oracle) for strategy, oracle, _ in made})
    assert {record["weighting"] for record in records if record["strategy"] != "COBRAS"} == {DCRC().weighting}
    runs = {}
    for record in records:
        runs.setdefault((record["oracle"], record["data"], record["run"]), set()).add(record["strategy"])
    asked = {"truth": {"random", "guided", "COBRAS"}, "noisy": {"random", "guided"}, "people": {"random", "guided"}}
    assert all(strategies == asked[oracle] for (oracle, _, _), strategies in runs.items())
    for oracle, data, _ in runs:
        assert {run for who, name, run in runs if (who, name) == (oracle, data)} == set(range(20))


@pytest.mark.parametrize(("shift", "verdict"), [(0.2, "agrees"), (0.0, "no"), (-0.2, "no")])
def test_a_verdict_follows_from_the_differences(shift, verdict, tmp_path):
    records = [
        {"experiment": "comparison", "dataset": dataset, "method": method, "size": 0.3, "run": run,
         "ari": 0.5 + 0.01 * (-1) ** run * (method != "DCRC") + shift * (method == "DCRC")}
        for dataset in ("iris", "wine") for method in ("DCRC", *RIVALS) for run in range(6)
    ]  # fmt: skip
    lines = [json.dumps({**record, "f": record["ari"]}) + "\n" for record in records]
    (tmp_path / "comparison.jsonl").write_text("".join(lines))
    finding = PART["Fig. 4"].draw(Figure().add_subplot(), Stored(tmp_path))
    assert finding.verdict == verdict
    assert finding.basis == "Iris, Wine; 0.3 N answers; 6 runs"


def test_a_method_is_compared_with_the_mean_of_the_rivals_in_the_same_run(tmp_path):
    # The rivals' mean is 0.4 in even runs and 0.6 in odd ones, and the method is 0.1 to 0.12 below it.
    records = [
        {"experiment": "comparison", "dataset": "pima", "method": method, "size": 0.3, "run": run,
         "ari": 0.4 + 0.2 * (run % 2) + (0.01 * (place - 2) if method in RIVALS else -0.1 - 0.002 * run)}
        for run in range(10) for place, method in enumerate([*RIVALS, "Schultz-Joachims"])
    ]  # fmt: skip
    (tmp_path / "comparison.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    finding = PART["Fig. 4, left out"].draw(Figure().add_subplot(), Stored(tmp_path))
    assert finding.verdict == "agrees"
    assert "clearly worse in 1" in finding.words


def test_the_overall_gain_is_the_mean_over_the_sets_of_a_run(tmp_path):
    gains = {("iris", 0): 0.1, ("wine", 0): 0.3, ("iris", 1): 0.2, ("wine", 1): 0.4, ("iris", 2): 0.9}
    records = [
        {"experiment": "dnk", "dataset": dataset, "method": method, "size": 0.3, "run": run, "ari": ari}
        for (dataset, run), gain in gains.items() for method, ari in (("DCRC", 0.05 + gain), ("DCRC-YN", 0.05))
    ]  # fmt: skip
    (tmp_path / "dnk.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    overall = Stored(tmp_path).overall("dnk", "DCRC", "DCRC-YN")
    assert overall.runs == 2  # the third lacks a set
    assert overall.mean == pytest.approx(0.25)


def test_work_in_two_files_counts_once(tmp_path):
    records = [
        {"experiment": name, "dataset": dataset, "method": method, "size": 0.3, "run": run,
         "ari": 0.1 * (method == "DCRC")}
        for name, dataset in (("comparison", "iris"), ("dnk", "iris"), ("dnk", "wine"))
        for method in ("DCRC", "DCRC-YN") for run in range(4)
    ]  # fmt: skip
    for name in ("comparison", "dnk"):
        lines = [json.dumps(record) + "\n" for record in records if record["experiment"] == name]
        (tmp_path / f"{name}.jsonl").write_text("".join(lines))
    stored = Stored(tmp_path)
    assert len(stored.records(("comparison", "dnk"))) == 16
    assert [s.dataset for s in stored.gains(("comparison", "dnk"), "DCRC", ["DCRC-YN"])] == ["iris", "wine"]
    assert stored.overall(("comparison", "dnk"), "DCRC", "DCRC-YN").runs == 4


@pytest.mark.parametrize(("last", "verdict"), [(0.2, "agrees"), (-0.2, "partly")])
def test_dont_know_is_judged_by_all_numbers_of_answers_and_a_clear_loss_counts(last, verdict, tmp_path):
    gains = {0.05: 0.2, 0.1: 0.2, 0.2: 0.2, 0.3: last}
    for name in ("comparison", "dnk"):
        records = [
            {"experiment": name, "dataset": "pima", "method": method, "size": size, "run": run,
             "ari": 0.5 + (gain + 0.01 * (-1) ** run) * (method == "DCRC")}
            for size, gain in gains.items() if name == "comparison" or size in (0.1, 0.3)
            for method in ("DCRC", "DCRC-YN", "DCRC-YN, equal weight") for run in range(6)
        ]  # fmt: skip
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    finding = PART["Fig. 4, don't know"].draw(Figure().add_subplot(), Stored(tmp_path))
    assert finding.verdict == verdict
    assert finding.basis == "Pima; 0.05, 0.1, 0.2 and 0.3 N answers; 6 runs"


def test_formulas_are_compared_with_sums_over_all_assignments():
    ax = Figure().add_subplot()
    assert PART["Table II"].draw(ax, Stored(".")).verdict == "exact"
    drawn = np.concatenate([np.column_stack(line.get_data()) for line in ax.lines[1:]])
    assert drawn.shape == (27, 2)
    np.testing.assert_allclose(drawn[:, 0], drawn[:, 1])


def test_runs_that_repeat_nothing_prove_nothing():
    spread = Summary("iris", "ITML", 0.0, runs=20, mean=0.2, half_width=0.02, std=0.05)
    one_value = spread._replace(method="LSML", half_width=0.0, std=1e-17)
    assert different([spread, one_value]) == {spread}
