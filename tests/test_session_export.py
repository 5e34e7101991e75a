"""What leaves a session: CSV, code that makes the same fit, and figures."""

import csv
import io
import json
import subprocess
import sys

import numpy as np
import pytest
from matplotlib import pyplot as plt

from dcrc_explore.datasets import make_dataset
from dcrc_explore.plotting.figures import PANELS
from dcrc_explore.session import Session
from dcrc_explore.widgets.files import export_code

SMALL = {"n_per_cluster": 10}


def explored(data="close", steps=(20, 5, 5), **options) -> Session:
    session = Session(data, parameters=SMALL if isinstance(data, str) else None, autosave=None, **options)
    for n in steps:
        if session.dataset.y is None:
            session.answer(session.questions.suggest("random"), "yes")
        else:
            session.answer_by_oracle(n, oracle="noisy", epsilon=0.2, strategy="random")
    return session


def test_csv_has_one_line_for_each_answer():
    session = explored()
    rows = list(csv.DictReader(io.StringIO(session.export.to_csv())))
    assert [tuple(int(row[column]) for column in "abc") for row in rows] == [g.points for g in session.log]
    assert [row["answer"] for row in rows] == [given.answer.words for given in session.log]
    assert [row["time"] for row in rows] == [given.time for given in session.log]


@pytest.mark.slow
def test_the_code_makes_the_same_fit_in_another_process():
    """One process for all: starting Python takes longer than all the fits."""
    changed = explored(restart=True)
    changed.set(random_state=4)
    again = explored("far")
    again.set(n_clusters=4)
    standardised = explored("elongated")
    standardised.standardize()
    undone = explored()
    undone.undo()
    sessions = [
        explored(steps=()),
        explored(),
        explored(epsilon=0, balance=False),
        explored(use_dnk=False, tau=0.5, lam=2**-8),
        explored("moons", kernel="rbf"),
        explored("moons", kernel="poly"),
        standardised,
        explored("moons", kernel="rbf", gamma=3.0, restart=True),
        explored(make_dataset("close", **SMALL).X * 1.7),
        changed,
        again,
        undone,
    ]
    runner = (
        "import json, sys\n"
        "for program in json.load(sys.stdin):\n"
        "    names = {}\n"
        "    exec(program, names)\n"
        "    print(json.dumps(names['labels'].tolist()))\n"
    )
    programs = [session.export.to_code() for session in sessions]
    result = subprocess.run(
        [sys.executable, "-c", runner], input=json.dumps(programs), capture_output=True, text=True, check=True
    )
    lines = iter(result.stdout.splitlines())
    for session in sessions:
        for k, n in enumerate(np.bincount(session.fit.labels, minlength=session.fit.n_clusters)):
            assert next(lines) == f"{session.state.cluster_name(k)}: {n} points"  # what the program says
        np.testing.assert_array_equal(json.loads(next(lines)), session.fit.labels)


def test_the_code_is_short_for_generated_data():
    code = explored().export.to_code()
    assert len(code.splitlines()) < 40
    assert max(map(len, code.splitlines())) <= 100
    assert "DCRC(n_clusters=3, epsilon=0.05, random_state=0" in code  # what is not the default is not there


def test_many_numbers_are_in_files_beside_the_code(tmp_path):
    session = explored(make_dataset("close", **SMALL).X * 1.7)
    session.add([(i, i + 1, i + 2 + step) for i in range(25) for step in range(2)], ["yes", "no"] * 25)
    files = {}
    code = session.export.to_code(files)
    assert sorted(files) == ["answers.csv", "points.csv"]
    assert len(code.splitlines()) < 40
    for name, text in {"fit.py": code, **files}.items():
        (tmp_path / name).write_text(text)
    printed = subprocess.run(
        [sys.executable, "fit.py"], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout
    sizes = np.bincount(session.fit.labels, minlength=session.fit.n_clusters)
    assert printed.splitlines() == [f"{session.state.cluster_name(k)}: {n} points" for k, n in enumerate(sizes)]


def test_the_tool_says_which_files_its_program_reads(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _, text = export_code(explored(make_dataset("close", **SMALL).X * 1.7))
    assert text.startswith("The program fit.py reads points.csv: all written to ")


def test_the_tool_says_when_a_program_depends_on_earlier_fits():
    session = explored()
    session.refit()
    assert export_code(session)[1] is None
    session.set(epsilon=0.1)
    assert "depends on the fits before it; Fit again from the start" in export_code(session)[1]
    assert "A fit from the start may find other groups." in session.export.to_code()


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("kind", ["png", "svg"])
def test_every_panel_becomes_a_picture(panel, kind):
    file = io.BytesIO()
    explored().figure(panel).savefig(file, format=kind)
    assert file.getvalue().startswith({"png": b"\x89PNG", "svg": b"<?xml"}[kind])
    assert plt.get_fignums() == []


@pytest.mark.parametrize("answers", ["all", "last", "violated", "last + violated", "none"])
def test_the_canvas_shows_the_answers_asked_for(answers):
    session = explored()
    (ax,) = session.figure("canvas", answers=answers).axes
    links = sum(len(collection.get_segments()) for collection in ax.collections if hasattr(collection, "get_segments"))
    violated = int(session.fit.violated.sum())
    last_kept = int(not session.fit.violated[-1])
    expected = {"all": 30, "last": 1, "violated": violated, "last + violated": violated + last_kept, "none": 0}
    assert links == 2 * expected[answers]


def test_the_canvas_can_show_any_map_any_iteration_and_the_truth():
    session = explored()
    for surface, maps in [("entropy", 1), ("regions", 1), ("probability", 1), (None, 0)]:
        (ax,) = session.figure("canvas", surface=surface, iteration=0, truth=True).axes
        assert len(ax.images) == maps


def test_data_with_many_features_have_a_canvas_without_a_map():
    rng = np.random.default_rng(0)
    session = Session(rng.normal(size=(40, 4)), autosave=None)
    session.answer((0, 1, 2), "yes")
    (ax,) = session.figure("canvas").axes
    assert len(ax.images) == 0
