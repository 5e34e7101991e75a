"""Saved notebooks in a real JupyterLab: a picture instead of the tool where no kernel runs, and every formula."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from live import Tool, own_folder
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from playwright.sync_api import expect

from dcrc_explore.widgets import Explorer

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
TALL = 16_000  # pixels, the most that Chromium draws: JupyterLab shows only what is on the screen


@pytest.mark.parametrize("kept", ["all", "no view"])
def test_a_saved_notebook_shows_the_picture_without_a_kernel(lab: tuple[str, Path], tool: Tool, kept: str) -> None:
    address, root = lab
    shown, about = Explorer("moons", autosave=None)._repr_mimebundle_()
    if kept == "no view":  # as in the notebooks of the course
        shown = {kind: data for kind, data in shown.items() if "widget" not in kind}
    output = new_output("execute_result", shown, metadata=about, execution_count=1)
    name = f"picture-{kept.replace(' ', '-')}.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell("explorer", outputs=[output], execution_count=1)]), root / name)
    page = tool.page
    page.goto(f"{address}/lab/workspaces/pictures/tree/{name}?reset")
    page.locator(".jp-Dialog").get_by_role("button", name="No Kernel").click()
    picture = page.locator(".jp-OutputArea-output img")
    expect(picture).to_have_js_property("naturalWidth", 560)
    tool.screenshot(kept, whole_page=True)


def test_every_formula_of_the_course_is_typeset(lab: tuple[str, Path], tool: Tool) -> None:
    address, root = lab
    notebooks = [nbformat.read(path, as_version=4) for path in sorted(NOTEBOOKS.glob("*.ipynb"))]
    texts = [cell for each in notebooks for cell in each.cells if cell.cell_type == "markdown" and "$" in cell.source]
    formulas = new_notebook(cells=[new_markdown_cell(cell.source) for cell in texts])
    formulas.cells.append(new_code_cell(""))
    formulas.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    n_formulas = sum(cell.source.count("$$") // 2 for cell in texts)
    folder = own_folder(root, tool.name)
    nbformat.write(formulas, folder / "formulas.ipynb")
    tool.open_path(address, f"{folder.name}/formulas.ipynb")
    tool.page.set_viewport_size({"width": 1100, "height": TALL})
    cells = tool.page.locator(".jp-Notebook")
    expect(cells.locator("mjx-container[display=true]")).to_have_count(n_formulas)
    expect(cells.locator("mjx-merror")).to_have_count(0)
    tool.end_kernels()
