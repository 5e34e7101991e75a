"""Browsing: what can be opened is listed from the start folder down, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from test_widgets_items import tell

from dcrc_explore.datasets import write_scenes
from dcrc_explore.widgets import Explorer
from dcrc_explore.widgets.data import list_folder


@pytest.fixture
def start(tmp_path: Path) -> Path:
    """A folder with data, beside things that are nobody's business."""
    start = tmp_path / "start"
    write_scenes(start / "photos")
    (start / "empty").mkdir()
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "secret.csv").write_text("a\n1\n")
    for name in ("Points.CSV", "arrays.npz", "notes.md", ".hidden.csv"):
        (start / name).write_text("")
    (start / "out").symlink_to(tmp_path / "secret")
    (start / "secret.csv").symlink_to(tmp_path / "secret" / "secret.csv")
    (start / "loop").symlink_to(start / "loop")
    (start / "inside").symlink_to(start / "photos")
    return start


def test_folders_and_data_are_listed_folders_first(start: Path) -> None:
    listing = list_folder("", start)
    assert [entry["name"] for entry in listing["entries"]] == ["empty", "inside", "photos", "arrays.npz", "Points.CSV"]
    assert [entry["folder"] for entry in listing["entries"]] == [True, True, True, False, False]
    assert (listing["folder"], listing["start"], listing["more"]) == ("", "start", 0)
    inside = list_folder("photos", start)
    assert (inside["entries"], inside["holds"]) == ([], "120 images")


@pytest.mark.parametrize("folder", ["..", "photos/../..", "/etc", "/", "out", "photos\\..", "out/x", "a\0b", "gone"])
def test_no_way_leads_out_of_the_start_folder(start: Path, folder: str) -> None:
    with pytest.raises(ValueError, match=r"below the start folder|cannot be listed"):
        list_folder(folder, start)


def test_what_the_user_may_not_read_is_not_listed(start: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Whoever runs the tests may be allowed everything, so the system's answer is given here.
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "photos")
    assert "photos" not in [entry["name"] for entry in list_folder("", start)["entries"]]


def test_the_tool_lists_its_working_folder(start: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(start)
    explorer = Explorer(autosave=None)
    ((content, _),) = tell(explorer, "press", name="browse")
    assert "photos" in [entry["name"] for entry in content["listing"]["entries"]]
    ((content, _),) = tell(explorer, "browse", folder="photos")
    assert content["listing"]["holds"] == "120 images"
    assert tell(explorer, "browse", folder="../secret") == []
    assert "below the start folder" in explorer.notice["text"]
