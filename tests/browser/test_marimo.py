"""The tool in a marimo app: one anywidget in a shadow root, answered, undone, changed and loaded again."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from live import Tool, free_port, private_environment, wait_for_address
from playwright.sync_api import expect

from dcrc_explore.scenes import load_scene
from dcrc_explore.widgets.livepage import live_module

APP = """
import marimo

app = marimo.App(width="full")


@app.cell
def _():
    import marimo as mo
    from dcrc_explore.session import Session
    from dcrc_explore.widgets import Explorer

    return Explorer, Session, mo


@app.cell
def _(Explorer, Session, mo):
    explorer = mo.ui.anywidget(Explorer({arguments}))
    explorer
    return (explorer,)


@app.cell
def _(explorer, mo):
    mo.md(f"epsilon is {{explorer.widget.epsilon}}")
    return


if __name__ == "__main__":
    app.run()
"""


LIVE = """
import marimo

app = marimo.App(width="full")


@app.cell
def _():
    import anywidget
    import marimo as mo
    import traitlets

    class Live(anywidget.AnyWidget):
        _esm = "live.mjs"
        scene = traitlets.Unicode("dont-know").tag(sync=True)

    mo.ui.anywidget(Live())
    return
"""


@contextmanager
def running_app(folder: Path, app: str) -> Iterator[str]:
    """Address of a marimo app."""
    (folder / "app.py").write_text(app)
    port = free_port()
    command = [
        *[sys.executable, "-m", "marimo", "run", "app.py", "--headless", "--host", "127.0.0.1", "--port", str(port)],
        *["--no-token"],
    ]
    environment = private_environment(folder / "jupyter") | {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for_address(process, address)
            yield address
        finally:
            process.terminate()
            process.wait(timeout=30)


def test_answers_undo_settings_and_data(tool: Tool, tmp_path: Path) -> None:
    page, root = tool.page, tool.root
    with running_app(tmp_path, APP.format(arguments="'close', autosave=None")) as address:
        page.goto(address)
        expect(root.locator(".dcrc-panel-information svg")).to_be_visible()
        tool.idle()
        # A click takes the keys; those of the tool act, and one answer is one answer.
        tool.plane.click(position={"x": 3, "y": 3})
        expect(root.locator("h3 .dcrc-pill.chosen")).to_have_count(3)
        page.keyboard.press("y")
        tool.expect_answers(1)
        page.keyboard.press("z")
        tool.expect_answers(0)
        root.get_by_role("button", name="Hard").click()
        expect(root.get_by_role("button", name="Hard")).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("z")
        expect(root.get_by_role("button", name="Soft")).to_have_attribute("aria-pressed", "true")
        root.locator("[data-name=epsilon] [type=range]").press("ArrowRight")
        expect(root.locator("[data-name=epsilon] .dcrc-readout")).to_have_value("0.06")
        tool.idle()
        root.locator("[data-name=data]").select_option("Two moons")
        expect(root.locator("[data-name=about]")).to_be_attached()
        tool.idle()
        tool.screenshot("data")
        # Two models take the place of one, and lead back to it.
        root.get_by_role("button", name="Compare").click()
        both = page.locator(".dcrc-compare")
        expect(both.locator(".dcrc-differences")).to_contain_text("hard, ε = 0")
        both.get_by_role("button", name="← One model").click()
        expect(both).to_be_hidden()
        tool.idle()
        assert tool.problems == []
        assert tool.foreign_requests() == []


def test_items_a_long_fit_and_a_page_that_is_loaded_again(tool: Tool, tmp_path: Path) -> None:
    page, root = tool.page, tool.root
    with running_app(tmp_path, APP.format(arguments="'digits'")) as address:
        page.goto(address)
        expect(root.locator(".dcrc-panel-information svg")).to_be_visible()
        expect(root.locator(".dcrc-items img").first).to_be_visible()
        tool.idle()
        tool.plane.click(position={"x": 3, "y": 3})
        expect(root.locator("h3 .dcrc-pill.chosen")).to_have_count(3)
        page.keyboard.press("n")
        tool.expect_answers(1)
        root.get_by_role("button", name="RBF").click()  # takes long enough to say so
        expect(root.get_by_role("button", name="RBF")).to_have_attribute("aria-pressed", "true")
        tool.idle()
        tool.screenshot("1-items")
        page.reload()
        expect(root.locator(".dcrc-panel-information svg")).to_be_visible()
        tool.idle()
        # An app begins anew with each page; what was answered is on disk and is offered.
        expect(root.locator(".dcrc-notice")).to_contain_text("1 answer")
        root.locator(".dcrc-notice").get_by_role("button", name="Continue").click()
        tool.expect_answers(1)
        assert tool.problems == []


def test_a_live_page_as_a_module(tool: Tool, tmp_path: Path) -> None:
    (tmp_path / "live.mjs").write_text(live_module(), encoding="utf-8")
    with running_app(tmp_path, LIVE) as address:
        tool.page.goto(address)
        expect(tool.root.locator(".dcrc-playing")).to_contain_text(load_scene("dont-know").title)
        tool.idle()
        tool.root.get_by_role("button", name="Next").click()
        tool.expect_answers(5)
        tool.page.keyboard.press("z")
        tool.expect_answers(0)
        assert tool.problems == []
        assert tool.foreign_requests() == []
