"""Who has the keys, in a real JupyterLab: none that is meant for the tool reaches the notebook, and the other way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from live import Tool, own_folder
from playwright.sync_api import expect

TOOL = "from dcrc_explore.widgets import Explorer\nexplorer = Explorer(autosave=None)\nexplorer"
LONG = "'a cell below'\n" + "\n" * 30


@pytest.fixture
def notebook(lab: tuple[str, Path], tool: Tool) -> Iterator[Callable[..., Tool]]:
    """Open a notebook with these cells and run all of them."""
    address, root = lab

    def open_notebook(*cells: str) -> Tool:
        tool.open_notebook(address, own_folder(root, tool.name), *cells)
        return tool

    yield open_notebook
    tool.end_kernels()


def keys_are(tool: Tool, state: str) -> None:
    expect(tool.root).to_have_attribute("data-keys", state)
    expect(tool.root.locator(".dcrc-keys")).to_have_text("keys: on" if state == "on" else "keys: click here")


def use(tool: Tool) -> None:
    """Press keys that delete cells, change their type or begin to edit them; then give an answer."""
    n, chosen = tool.answers(), tool.root.locator(".dcrc-pill.chosen")
    for key in ("d", "d", "y"):  # the next question comes by itself
        expect(chosen).to_have_count(3)
        tool.page.keyboard.press(key)
        n += 1
        tool.expect_answers(n)
    for key in ("m", "a", "x", "Escape", "Enter"):
        tool.page.keyboard.press(key)
    expect(chosen).to_have_count(3)
    tool.idle()


def test_no_key_meant_for_the_tool_reaches_the_notebook(notebook) -> None:
    tool = notebook("# A heading", TOOL, LONG, LONG, "# The end")
    page = tool.page
    sources = tool.sources()
    tool.ready()
    # After Run All, without a click.
    keys_are(tool, "on")
    use(tool)
    # After a click on a text: the pointer brings the keys back.
    text = page.locator(".jp-MarkdownCell").first
    text.click()
    keys_are(tool, "off")
    page.mouse.move(*tool.position(100))
    keys_are(tool, "on")
    use(tool)
    # After scrolling away and back, with the pointer where the picture comes to lie.
    text.click()
    keys_are(tool, "off")
    box = tool.plane.bounding_box()
    page.mouse.move(box["x"] + 30, box["y"] - 120)
    page.locator(".jp-WindowedPanel-outer").evaluate("(cells) => cells.scrollBy(0, 400)")
    page.mouse.wheel(0, -40)
    keys_are(tool, "on")
    use(tool)
    # JupyterLab takes the focus while the pointer rests over the picture.
    page.mouse.move(*tool.position(100))
    page.evaluate("() => window.jupyterapp.shell.currentWidget.content.node.querySelector('.jp-Cell').focus()")
    keys_are(tool, "off")
    use(tool)
    assert tool.sources() == sources
    assert tool.problems == []


def test_who_types_or_runs_cells_goes_on_doing_so(notebook) -> None:
    tool = notebook("# A heading", TOOL, "below = 1", "below = 2")
    page = tool.page
    tool.ready()
    # Typing: a pointer that happens to move takes nothing.
    page.locator(".jp-CodeCell .cm-content").last.click()
    page.keyboard.type("yes = ")
    page.mouse.move(*tool.position(100))
    page.keyboard.type("no = dd = 3\n")
    assert tool.sources()[-1].count("yes = no = dd = 3") == 1
    assert tool.answers() == 0
    # Shift+Enter runs the next cell, also after the tool has taken the keys.
    page.keyboard.press("Escape")
    page.locator(".jp-CodeCell .jp-InputPrompt").nth(0).click()
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-cell-and-select-next')")
    page.mouse.move(0, 0)
    tool.ready()
    page.mouse.move(*tool.position(100))
    keys_are(tool, "on")
    page.keyboard.press("Shift+Enter")
    expect(page.locator(".jp-CodeCell .jp-InputPrompt").nth(1)).to_have_text("[5]:")
    assert tool.python("print(below)") == "1"


def test_a_key_that_does_nothing_says_why(explore) -> None:
    tool = explore("autosave=None")
    told = tool.root.locator(".dcrc-told")
    tool.tab("Ask")
    tool.questions("chosen by hand")
    tool.idle()
    tool.plane.focus()
    for _ in "ABC":
        tool.page.keyboard.press("Escape")
    expect(tool.root.locator(".dcrc-pill.chosen")).to_have_count(0)
    for key, why in [
        ("y", "No question yet: press Enter, or click three points."),
        ("z", "Nothing to undo."),
        ("Shift+Z", "Nothing to redo."),
        ("q", "Q does nothing here: ? shows the keys."),
    ]:
        tool.idle()  # while the kernel is asked there may be something to undo
        tool.page.keyboard.press(key)
        expect(told).to_have_text(why)
    tool.click_points(4, 60)
    expect(told).to_have_text("Now click C")
    tool.page.keyboard.press("n")
    expect(told).to_have_text("Choose all three first: A, B and C.")
    assert tool.answers() == 0
