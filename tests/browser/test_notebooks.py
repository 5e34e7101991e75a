"""Notebooks of the course in a real JupyterLab: all cells run and print what is stored, every widget shows.

Two of them stand for all here; the others are run and compared without a browser (tests/conftest.py).
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import nbformat
import pytest
from live import Tool
from nbformat import NotebookNode
from outputs import FREE, WIDGET, other_texts
from playwright.sync_api import expect

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
RUN_ALL = "() => window.jupyterapp.commands.execute('notebook:run-all-cells')"
OUTPUTS = """() => window.jupyterapp.shell.currentWidget.content.widgets
    .filter((cell) => cell.model.type === "code")
    .map((cell) => cell.model.outputs.toJSON())"""
# Where the last cell ends, once the notebook is scrolled to its top and no longer grows.
LENGTH = """() => {
    document.querySelector(".jp-WindowedPanel-outer").scrollTop = 0;
    const before = window.notebookLength;
    window.notebookLength = [...document.querySelectorAll(".jp-Cell")].at(-1).getBoundingClientRect().bottom;
    return window.notebookLength === before && before;
}"""
TALL = 16_000  # pixels, the most that Chromium draws
# The first that everybody opens, and one with several tools and a slider that is linked to them.
SHOWN = ("01-first-answers", "08-your-own-data")


@pytest.fixture
def course(lab) -> str:
    """Address of a JupyterLab with a copy of the notebooks, which the tests may change."""
    address, root = lab
    if not (root / "course").exists():
        shutil.copytree(NOTEBOOKS, root / "course")
    return address


def n_formulas(notebook: NotebookNode) -> int:
    return sum(cell.source.count("$$") // 2 for cell in notebook.cells if cell.cell_type == "markdown")


def n_pictures(outputs: list[dict[str, Any]]) -> int:
    return sum(output.get("data", {}).get("text/plain", "").startswith("<Figure") for output in outputs)


def n_widgets(outputs: list[dict[str, Any]]) -> int:
    """Count the widgets that stay. A bar that says how far work is comes only where that is slow, and goes with it."""
    shown = [output["data"] for output in outputs if WIDGET in output.get("data", {})]
    return sum("%|" not in data["text/plain"] for data in shown)


@pytest.mark.parametrize("name", SHOWN)
def test_a_notebook_runs_and_shows_every_widget(course, tool: Tool, name: str) -> None:
    page = tool.page
    tool.open_path(course, f"course/{name}.ipynb")
    tool.wait_for_kernel()
    page.evaluate(RUN_ALL)
    by_cell = page.evaluate(OUTPUTS)
    outputs = [output for cell in by_cell for output in cell]
    assert [output["traceback"] for output in outputs if output["output_type"] == "error"] == []
    stored = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    code = [cell for cell in stored.cells if cell.cell_type == "code"]
    for cell, shown in zip(code, by_cell, strict=True):
        assert FREE in cell.metadata.get("tags", []) or not [*other_texts(cell.outputs, shown)], cell.source
    assert n_pictures(outputs) == n_pictures([output for cell in stored.cells for output in cell.get("outputs", [])])

    # JupyterLab draws only what is on the screen: on a tall one that is everything.
    tool.command("application:toggle-left-area")
    page.set_viewport_size({"width": 1100, "height": TALL})
    cells = page.locator(".jp-Notebook")
    expect(cells.locator(".jp-Cell")).to_have_count(len(stored.cells))
    widgets = cells.locator(".jp-OutputArea-output").filter(has=page.locator(".dcrc-tool, .jupyter-widgets"))
    expect(widgets).to_have_count(n_widgets(outputs))
    for widget in widgets.all():
        assert widget.bounding_box()["height"] > 50
    for explorer in cells.locator(".dcrc-explorer").all():
        expect(explorer).to_have_attribute("data-state", "idle")
    expect(cells.locator("mjx-container[display=true]")).to_have_count(n_formulas(stored))
    expect(cells.locator("mjx-merror")).to_have_count(0)
    assert tool.problems == []
    assert tool.foreign_requests() == []
    length = page.wait_for_function(LENGTH, polling=500).json_value()
    page.set_viewport_size({"width": 1100, "height": min(TALL, int(length) + 40)})
    page.wait_for_function(LENGTH, polling=500)
    tool.screenshot("whole", whole_page=True)
