"""Files that are read beside the tool: it stays alive, says how far it is, and nothing comes of what was stopped."""

from __future__ import annotations

import queue
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dcrc_explore.datasets import write_scenes
from dcrc_explore.session import Session
from dcrc_explore.widgets import Explorer
from dcrc_explore.widgets.controls import Work


def test_a_reading_tells_how_far_it_is_until_it_is_stopped() -> None:
    background: queue.Queue[Any] = queue.Queue()
    told: list[str] = []
    ended = threading.Event()

    def endless(watch: Any) -> None:
        try:
            while True:
                watch(1234, 5678, "images")
        finally:
            ended.set()

    session = Session(autosave=None, background=background.put)

    def act(action: Any) -> None:
        action(session)
        told.append(reading.words)

    reading: Work[None] = Work(act)
    reading.start(session, endless, lambda *_: None, doing="Reading")
    background.get(timeout=60)()
    assert told == ["Reading 1,234 of 5,678 images"]
    reading.stop("Stopped.")
    assert ended.wait(timeout=60)
    while not background.empty():
        background.get()()
    assert len(told) == 1  # nothing is said after the end
    assert reading.words == "Stopped."


def opening(explorer: Explorer) -> str:
    """What the button says that opens a file."""
    return next(control["words"] for control in explorer.controls["data"] if control["name"] == "open")


def test_the_tool_is_alive_while_a_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    np.savetxt("points.csv", np.random.default_rng(0).normal(size=(30, 2)), delimiter=",", header="a,b", comments="")
    background: queue.Queue[Any] = queue.Queue()
    explorer = Explorer(session=Session(autosave=None, background=background.put))
    explorer.move("file", "points.csv")
    explorer.move("open")
    assert opening(explorer) == "Stop"
    explorer.session.answer((0, 1, 2), "yes")
    explorer.move("open")  # stopped
    assert opening(explorer) == "Open"
    assert explorer.values["reading"] == "Stopped. The data are as they were."
    explorer.move("open")
    while opening(explorer) == "Stop":
        background.get(timeout=60)()
    assert "use" in explorer.values
    assert len(explorer.session.log) == 1
    explorer.move("use")
    assert len(explorer.session.dataset.X) == 30
    explorer.move("file", "gone.csv")
    explorer.move("open")
    while opening(explorer) == "Stop":
        background.get(timeout=60)()
    assert "there is no file" in explorer.notice["text"]


def test_a_folder_that_can_not_be_used_is_told_without_words_for_programs(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    write_scenes("photos")
    names = sorted(path.name for path in Path("photos").glob("*.png"))
    Path("photos/features.csv").write_text(f"file,width\n{names[0]},1\n{names[1]},\n{names[2]},3\n")
    explorer = Explorer(autosave=None)
    explorer.move("file", "photos")
    explorer.move("open")
    text = explorer.notice["text"]
    assert text.startswith("1 of 3 rows has an empty cell")
    assert text.endswith("please correct it in the file")
    assert opening(explorer) == "Open"


def test_answers_are_added_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    explorer = Explorer(autosave=None)
    Path("answers.csv").write_text("i,j,k,answer,by\n0,1,60,yes,Ann\n3,70,4,no,Ben\n5,6,,yes,Ann\n")
    Path("wrong.csv").write_text("i,j,k,answer\n0,1,60,yes\n0,1,99999,yes\n")
    for name, words in (
        ("wrong.csv", "line 3 of wrong.csv must hold row numbers from 0 to 149, got '99999'"),
        ("gone.csv", "gone.csv"),
        ("", "Give the name of a file"),
    ):
        explorer.move("csv", name)
        explorer.move("add")
        assert words in explorer.values["added"]
        assert explorer.values["added"].endswith("Nothing was added.")
        assert explorer.session.state.n_answers == 0
        assert explorer.notice == {}  # it is told in place
    explorer.move("csv", "answers.csv")
    assert explorer.values["added"] == ""
    explorer.move("add")
    assert explorer.values["added"] == "3 answers added. Undo (Z) takes them back."
    assert explorer.session.state.n_answers == 3
    explorer.session.undo()
    assert explorer.session.state.n_answers == 0


def test_numbers_that_can_mean_two_things_are_chosen_before_answers_are_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    explorer = Explorer(autosave=None)
    Path("answers.txt").write_text("0,1,2,1\n3,4,5,0\n")
    explorer.move("csv", "answers.txt")
    explorer.move("add")
    assert explorer.values["added"] == (
        "The answers in answers.txt have 0, which can mean two things. Nothing was added yet."
    )
    assert explorer.session.state.n_answers == 0
    explorer.move("reading.1")
    assert explorer.values["added"] == "2 answers added. Undo (Z) takes them back."
    assert explorer.session.log.answers.tolist() == [1, 0]
    assert "reading.0" not in explorer.values
    explorer.move("add")
    explorer.move("reading.0")
    assert explorer.values["added"] == (
        "2 answers added. Undo (Z) takes them back. 1 answer repeats another one of the same person. "
        "1 answer contradicts another one of the same person."
    )


def test_rows_that_look_counted_from_1_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    explorer = Explorer(autosave=None)
    Path("answers.csv").write_text("a,b,c,answer\n1,2,3,yes\n")
    explorer.move("csv", "answers.csv")
    explorer.move("add")
    assert explorer.values["added"].endswith("Row 1 is named and row 0 is not: perhaps the file counts from 1.")
    explorer.move("reading.0")
    assert [entry.points for entry in explorer.session.log] == [(0, 1, 2)]


def test_features_are_changed_in_the_menu_answers_kept_and_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    background: queue.Queue[Any] = queue.Queue()
    explorer = Explorer(session=Session("scenes", autosave=None, background=background.put))
    session = explorer.session
    session.answer((0, 1, 2), "yes")
    before = session.dataset
    explorer.move("features", "photo")
    explorer.move("features.stop")
    assert explorer.values["features.outcome"] == "Stopped. The features are as they were."
    assert session.dataset is before
    explorer.move("features", "photo")
    while session.dataset is before:
        background.get(timeout=60)()
    assert (explorer.values["features"], session.dataset.features) == ("photo", "photo")
    assert "EfficientNet" in explorer.values["about"]
    assert (len(session.log), session.history.undo_label) == (1, "features")
    session.undo()
    assert explorer.values["features"] == "pixels"
    monkeypatch.setattr("dcrc_explore.embeddings.photo.weights_path", lambda: None)  # as without the extra
    explorer.move("map", "none")  # the controls are listed again
    listed = next(each for each in explorer.controls["data"] if each["name"] == "features")
    assert "not installed" in listed["options"][0]["label"]
    explorer.move("features", "photo")
    assert "dcrc-explore[photos]" in explorer.notice["text"]
    assert session.dataset.features == "pixels"


def test_data_without_items_have_no_menu_of_features() -> None:
    assert "features" not in Explorer("moons", autosave=None).values
