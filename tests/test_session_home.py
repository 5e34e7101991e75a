"""What is taken home: the clusters as a table, and files sorted into folders, never moved and never replaced."""

from __future__ import annotations

import csv
import io
import queue
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from dcrc_explore.datasets import as_dataset, write_scenes
from dcrc_explore.session import Session, SessionError
from dcrc_explore.widgets import Explorer


@pytest.fixture
def photos(tmp_path: Path) -> Session:
    write_scenes(tmp_path / "photos")
    session = Session(tmp_path / "photos", features="pixels", autosave=tmp_path, n_clusters=3)
    session.name_cluster(0, "boats / ships")
    session.name_cluster(1, "Boats - ships")  # the same folder, on some systems
    return session


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_clusters_are_a_table_with_a_row_for_each_item(photos: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = photos.export.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame) == ["row", "item", "cluster", "name", "probability", "entropy"]
    assert frame["item"].tolist() == list(photos.dataset.items.names)
    np.testing.assert_array_equal(frame["cluster"], photos.fit.labels + 1)
    np.testing.assert_allclose(frame["entropy"], photos.fit.entropy)
    np.testing.assert_allclose(frame["probability"], photos.fit.proba.max(axis=1))
    assert set(frame["name"]) == {photos.state.cluster_name(k) for k in photos.fit.labels.tolist()}
    lines = list(csv.DictReader(io.StringIO(photos.export.to_csv("clusters", [4, 2]))))
    assert [line["row"] for line in lines] == ["2", "4"]
    assert lines[0]["entropy"] == f"{photos.fit.entropy[2]:.4f}"
    monkeypatch.setitem(sys.modules, "pandas", None)  # as where it is not installed
    plain = photos.export.to_frame([7])
    assert plain.dtype.names == tuple(frame)
    assert plain["item"][0] == frame["item"][7]


@pytest.mark.parametrize("link", [False, True])
def test_files_are_sorted_by_cluster_and_stay_where_they_are(photos: Session, tmp_path: Path, link: bool) -> None:
    before = contents(tmp_path / "photos")
    told: list[tuple[int, int, str]] = []
    done = photos.export.sort_files(tmp_path / "sorted", link=link, watch=lambda *far: told.append(far))
    assert (done.n_files, done.left_out) == (len(before), ())
    assert told[-1][:2] == (len(before) - 1, len(before))
    assert {path.name for path in (tmp_path / "sorted").iterdir()} == {"boats - ships", "Boats - ships-2", "cluster 3"}
    folders = ["boats - ships", "Boats - ships-2", "cluster 3"]
    for name, k in zip(photos.dataset.items.names, photos.fit.labels.tolist(), strict=True):
        place = tmp_path / "sorted" / folders[k] / Path(name).name
        assert place.is_symlink() == link
        assert place.read_bytes() == before[name]
    assert contents(tmp_path / "photos") == before


def test_nothing_is_replaced_and_bad_places_are_refused(photos: Session, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    for name in ("full", "file", "gone"):
        with pytest.raises(SessionError, match="must be new or empty"):
            photos.export.sort_files(tmp_path / name)
    with pytest.raises(SessionError, match="must lie outside"):
        photos.export.sort_files(tmp_path / "photos" / "sorted")
    assert sorted(path.name for path in (tmp_path / "full").iterdir()) == ["mine.txt"]
    with pytest.raises(SessionError, match=r"only files, such as photos.*got texts"):
        Session("short-texts", autosave=None).export.sort_files(tmp_path / "texts")
    assert not (tmp_path / "texts").exists()


def test_files_of_one_name_get_numbers_and_missing_ones_are_named(tmp_path: Path) -> None:
    for kind in ("cat", "dog"):
        write_scenes(tmp_path / "photos" / kind)
    data = as_dataset(tmp_path / "photos", features="pixels")
    first = data.items.names[0]
    (tmp_path / "photos" / first).unlink()
    session = Session(data, autosave=None)
    done = session.export.sort_files(tmp_path / "sorted")
    assert done.left_out == (first,)
    assert len(contents(tmp_path / "sorted")) == done.n_files == len(data.X) - 1


def test_sorting_in_the_tool_tells_how_far_it_is_and_can_be_stopped(
    photos: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    background: queue.Queue[Any] = queue.Queue()
    session = Session(photos.dataset, autosave=tmp_path / "own.json", background=background.put)
    explorer = Explorer(session=session)
    button = lambda: next(each["words"] for each in explorer.controls["clusters"] if each["name"] == "sort")  # noqa: E731
    explorer.move("sort")
    assert button() == "Stop"
    explorer.move("sort")
    assert (button(), explorer.values["sort.outcome"][:8]) == ("Sort the files into folders", "Stopped.")
    explorer.move("sort.how", True)
    explorer.move("sort")
    while button() == "Stop":
        background.get(timeout=60)()
    assert f"{len(photos.dataset.X)} files are in" in explorer.values["sort.outcome"]
    places = [path for path in tmp_path.glob("*sorted*") if len(list(path.glob("*/*"))) == len(photos.dataset.X)]
    assert len(places) == 1
    assert all(path.is_symlink() for path in places[0].glob("*/*"))
    assert "sort" not in Explorer("digits-8x8", autosave=None).values


def test_long_names_keep_their_ending(tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    for letter in "ab":
        Image.new("RGB", (9, 9), {"a": "red", "b": "blue"}[letter]).save(folder / f"{letter * 120}.png")
    Image.new("RGB", (9, 9), "green").save(folder / f"{'a' * 121}.png")
    done = Session(folder, features="pixels", autosave=None, n_clusters=2).export.sort_files(tmp_path / "sorted")
    files = [path for path in done.folder.rglob("*") if path.is_file()]
    assert len(files) == 3
    assert {path.suffix for path in files} == {".png"}
