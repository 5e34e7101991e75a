"""What the tools send of the items: on demand, as bytes, for the data that are on the screen."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from dcrc_explore.arrays import unpacked
from dcrc_explore.datasets import as_dataset, write_scenes
from dcrc_explore.widgets import Compare, Explorer


def tell(tool: Explorer, do: str, **details: Any) -> list[tuple[dict[str, Any], list[bytes]]]:
    """Send what the browser would send, and return the custom messages that come back."""
    tell.request += 1
    sent: list[tuple[dict[str, Any], list[bytes]]] = []
    tool.send = lambda content, buffers=None: sent.append((content, buffers))
    content = {"do": do, "request": f"items-test-{tell.request}", **details}
    tool._handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})
    return sent


tell.request = 0


@pytest.mark.parametrize("make", [Explorer, Compare])
def test_items_travel_when_they_are_asked_for(make: type[Explorer]) -> None:
    tool = make("digits", autosave=None)
    assert tool.data["items"] == "images"
    ((head, data),) = tell(tool, "items", rows=[3, 0, 10**6, -1], key=7, detail=False)
    assert head["key"] == 7
    assert not head["detail"]
    assert [item["row"] for item in head["items"]] == [3, 0]  # other numbers belong to other data
    assert {item["mime"] for item in head["items"]} == {"image/png"}
    assert data == [tool.session.dataset.cards.thumbnail(i, 128).data for i in (3, 0)]
    ((head, large),) = tell(tool, "items", rows=[3], key=7, detail=True)
    assert head["detail"]
    assert len(large[0]) > len(data[0])


def test_asking_for_items_changes_nothing() -> None:
    explorer = Explorer("short-texts", autosave=None)
    before = explorer.scene, explorer.data, explorer.question
    ((head, data),) = tell(explorer, "items", rows=[0], key=1, detail=False, passive=True)
    assert data[0].decode() == head["items"][0]["text"] == explorer.session.dataset.cards.text(0)
    assert (explorer.scene, explorer.data, explorer.question) == before


def test_the_tab_clusters_can_show_every_point_of_a_cluster_the_most_certain_first() -> None:
    explorer = Explorer("digits", autosave=None)
    tell(explorer, "gallery")
    order, fit = unpacked(explorer.gallery["order"]), explorer.session.fit
    assert sorted(order) == list(range(len(fit.labels)))
    for k, cluster in enumerate(explorer.gallery["clusters"]):
        members = order[fit.labels[order] == k]
        assert len(members) == cluster["size"]
        assert members[:8].tolist() == cluster["certain"]


def test_a_question_about_rows_tells_in_what_they_differ_most() -> None:
    X = np.array([[0.0, 5, 1], [0, 5, 2], [1, 5, 9], [9, 5, 1]])
    explorer = Explorer(X, autosave=None, n_clusters=2)
    tell(explorer, "preview", triplet=[0, 1, 3])
    first, *_ = explorer.question["differences"]
    assert first["feature"] == "x1"
    assert first["values"] == ["0", "0", "9"]
    np.testing.assert_allclose(first["deviations"], ((X - X.mean(0)) / X.std(0).clip(1e-9))[[0, 1, 3], 0])
    assert [each["feature"] for each in explorer.question["differences"]][-1] == "x2"  # the same everywhere


def test_points_of_the_plane_are_their_own_items() -> None:
    explorer = Explorer("moons", autosave=None)
    assert explorer.data["items"] is None
    tell(explorer, "preview", triplet=[0, 1, 2])
    assert explorer.question["differences"] == []
    explorer.session.standardize()
    assert explorer.data["items"] is None


def test_what_can_not_be_shown_says_why(tmp_path) -> None:
    (tmp_path / "broken.png").write_bytes(b"<svg onload=alert(1)>")
    data = as_dataset(np.eye(3), items=[str(tmp_path / "broken.png"), str(tmp_path / "none.png"), None])
    explorer = Explorer(data, autosave=None, n_clusters=2)
    ((head, data),) = tell(explorer, "items", rows=[0, 1, 2], key=1, detail=False)
    assert all(item["problem"] and item["mime"] == "image/png" for item in head["items"])
    assert all(image.startswith(b"\x89PNG") for image in data)


def test_items_come_with_ones_own_arrays() -> None:
    rng = np.random.default_rng(0)
    images = rng.integers(0, 256, (12, 8, 8), dtype=np.uint8)
    for tool in (Explorer(rng.normal(size=(12, 2)), items=images, autosave=None), Compare(images.reshape(12, -1))):
        ((head, _),) = tell(tool, "items", rows=[5], key=1, detail=False)
        assert head["items"][0]["mime"] == "image/png"
    with pytest.raises(ValueError, match="one item per row of X, 12, got 11"):
        Explorer(rng.normal(size=(12, 2)), items=images[1:], autosave=None)
    with pytest.raises(ValueError, match=r"only data of your own take .* got 'moons'"):
        Explorer("moons", items=images, autosave=None)


def looks(explorer: Explorer) -> dict[str, dict[str, Any]]:
    """How each control looks to the browser."""
    return {control["name"]: control for group in explorer.controls.values() for control in group}


def test_own_files_with_items_are_opened_in_the_tool(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    explorer = Explorer(autosave=None, n_clusters=2)
    rows = [f"{n},{n * n},{'ab'[n % 2]},A text of {n} words\n" for n in range(9)]
    Path("notes.csv").write_text("x,xx,kind,note\n" + "".join(rows) + ",4,a,No x here\n")
    explorer.move("file", "notes.csv")
    explorer.move("open")
    assert explorer.values["columns"] == ["feature", "feature", "class", "items"]
    assert "1 of 10 rows has an empty cell" in explorer.values["found"]
    assert looks(explorer)["use"]["words"] == "Drop 1 row with empty cells and open"
    explorer.move("use")
    assert explorer.notice == {}
    assert explorer.session.dataset.cards.text(3) == "A text of 3 words"
    assert explorer.session.dataset.class_names == ("a", "b")
    write_scenes(tmp_path / "scenes")
    explorer.move("file", "scenes")
    explorer.move("open")  # a folder has no columns to choose from
    assert explorer.data["items"] == "images"
    explorer.session.undo()
    assert explorer.data["items"] == "texts"


def test_the_plane_of_the_model_has_its_boundaries_and_stays_near_the_last() -> None:
    explorer = Explorer("wine", autosave=None)
    explorer.session.standardize()
    assert "places" not in explorer.scene  # PCA is where the data's own points are
    assert explorer.scene["regions"] is None
    assert "regions" not in str(looks(explorer)["map"]["options"])  # nothing is offered that can't be drawn
    explorer.move("plane", "model")
    assert "regions" in str(looks(explorer)["map"]["options"])
    explorer.move("map", "regions")
    scene, fit = explorer.scene, explorer.session.fit
    places = unpacked(scene["places"])
    assert "exact" in scene["about"]
    # The map is true of every point: where it stands is its cluster.
    left, right, bottom, top = scene["extent"]
    size = scene["resolution"]
    cells = (places - [left, bottom]) / [right - left, top - bottom] * size
    regions = unpacked(scene["regions"])
    column, row = cells.astype(int).T
    assert np.mean(regions[row, column] == fit.labels) > 0.97  # but for points in a cell with a boundary
    explorer.session.answer_by_oracle(5, strategy="random")
    moved = unpacked(explorer.scene["places"])
    turned = explorer.session.fit.view("model").points
    assert ((moved - places) ** 2).sum() <= ((turned - places) ** 2).sum() + 1e-6
    explorer.move("plane", "features")
    assert explorer.scene["about"].startswith("alcohol across, malic_acid up.")
    assert explorer.values["map"] == "entropy"
    assert explorer.scene["halo"]["shape"] == [178]
    assert explorer.scene["regions"] is None
    explorer.move("up", 6)
    np.testing.assert_allclose(
        unpacked(explorer.scene["places"]),
        explorer.session.dataset.X[:, [0, 6]],
        rtol=1e-5,
    )
    explorer.move("data", "moons")
    assert "places" not in explorer.scene
    assert "plane" not in explorer.values


@pytest.mark.parametrize("make", [Explorer, Compare])
def test_small_items_for_the_picture_travel_on_one_sheet(make: type[Explorer]) -> None:
    tool = make("digits-8x8", autosave=None)
    ((content, (jpeg,)),) = tell(tool, "sheet", rows=[3, 5, 10**6, *range(9)], key=4)
    sheet = content["sheet"]
    assert (sheet["rows"], sheet["key"], sheet["words"]) == ([3, 5, *range(9)], 4, None)
    with Image.open(io.BytesIO(jpeg), formats=["JPEG"]) as image:
        assert image.size == (sheet["columns"] * sheet["side"], 2 * sheet["side"])
        first, again = (np.asarray(image.crop((64 * at, 0, 64 * (at + 1), 64)), float) for at in (0, 5))
    assert np.abs(first - again).mean() < 3  # row 3, twice
    assert tool.options["items"]
    tool.move("items", False)
    assert not tool.options["items"]
    assert "items" not in make("moons", autosave=None).values


def test_words_for_the_picture_are_the_first_of_a_text() -> None:
    explorer = Explorer(as_dataset(["A goal in the last minute. " * 9, "rain", "rain and wind"]), autosave=None)
    ((content, _),) = tell(explorer, "sheet", rows=[0, 1], key=0)
    first, second = content["sheet"]["words"]
    assert (first[:6], len(first), second) == ("A goal", 80, "rain")
