"""The picture that a tool leaves where no kernel runs."""

from __future__ import annotations

import io
import re
from base64 import b64decode
from pathlib import Path

import nbformat
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_notebook
from PIL import Image

from dcrc_explore.datasets import make_dataset
from dcrc_explore.palette import cluster_colour
from dcrc_explore.widgets import Compare, Explorer

VIEW = "application/vnd.jupyter.widget-view+json"


def picture(tool: Explorer) -> np.ndarray:
    shown, _ = tool._repr_mimebundle_()
    return np.asarray(Image.open(io.BytesIO(b64decode(shown["image/png"]))).convert("RGB"))


def test_a_tool_shows_its_view_a_small_picture_and_words() -> None:
    explorer = Explorer("close", autosave=None)
    explorer.session.answer_by_oracle(30, strategy="random")
    for tool in (explorer, Compare(explorer, second={"epsilon": 0})):
        shown, about = tool._repr_mimebundle_()
        assert shown["text/plain"] == repr(tool)
        assert shown[VIEW]["model_id"] == tool.model_id
        assert len(shown["image/png"]) < 100_000
        sizes = np.bincount(explorer.session.fit.labels)
        told = f"150 points of the data close in 3 clusters of {sizes[0]}, {sizes[1]} and {sizes[2]} points, 30 answers"
        assert told in about["image/png"]["alt"]


@pytest.mark.slow
def test_the_picture_is_that_of_now() -> None:
    explorer = Explorer("close", autosave=None)
    before = picture(explorer)
    np.testing.assert_array_equal(picture(explorer), before)
    explorer.session.answer_by_oracle(20, strategy="random")
    answered = picture(explorer)
    assert (answered != before).any()
    explorer.show(map="none")
    assert (picture(explorer) != answered).any()


def test_a_tool_opens_when_no_picture_can_be_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    explorer = Explorer("close", autosave=None)
    monkeypatch.setattr(explorer.session, "figure", lambda *_, **__: 1 / 0)
    with pytest.warns(RuntimeWarning, match="no picture of the tool can be saved: ZeroDivisionError"):
        shown, _ = explorer._repr_mimebundle_()
    assert VIEW in shown
    assert "image/png" not in shown


@pytest.mark.slow
def test_a_page_of_a_saved_notebook_shows_the_picture(tmp_path: Path) -> None:
    begin = "from dcrc_explore.widgets import Compare, Explorer\ntool = Explorer('moons', autosave=None)"
    cells = [new_code_cell(source) for source in (begin, "tool", "Compare(tool)")]
    notebook = new_notebook(cells=cells)
    client = NotebookClient(notebook, store_widget_state=False, resources={"metadata": {"path": tmp_path}})
    nbformat.write(client.execute(), tmp_path / "saved.ipynb")
    page, _ = HTMLExporter().from_filename(tmp_path / "saved.ipynb")
    kept = [cell.outputs[0].data["image/png"].replace("\n", "") for cell in notebook.cells[1:]]
    assert [source.replace("\n", "") for source in re.findall(r'src="data:image/png;base64,([^"]+)"', page)] == kept


def test_few_points_keep_the_colours_of_their_clusters() -> None:
    shown = picture(Explorer(make_dataset("close", n_per_cluster=10, seed=0), autosave=None)).reshape(-1, 3).astype(int)
    for k in range(3):
        assert np.abs(shown - 255 * np.array(to_rgb(cluster_colour(k)))).max(axis=1).min() < 8
