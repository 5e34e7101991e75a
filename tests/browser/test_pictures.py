"""Saved notebooks in a real JupyterLab without a kernel: the picture is there instead of the tool."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from live import Tool
from nbformat.v4 import new_code_cell, new_notebook, new_output
from playwright.sync_api import expect

from dcrc_explore.widgets import Explorer


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
