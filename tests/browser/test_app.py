"""The command dcrc-explore in a real browser: the first notebook, and the page without code."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from live import Tool, private_environment
from playwright.sync_api import expect

COMMAND = [sys.executable, "-c", "import sys; from dcrc_explore.cli import main; sys.exit(main(sys.argv[1:]))"]


@contextmanager
def running_command(folder: Path, *options: str) -> Iterator[str]:
    """Address that the command prints; it is stopped at the end of the block."""
    command = [*COMMAND, "--no-browser", *options]
    work = folder / "work"
    work.mkdir()
    process = subprocess.Popen(command, cwd=work, env=private_environment(folder), stdout=subprocess.PIPE, text=True)
    try:
        yield re.findall(r"http://\S+", process.stdout.readline())[0]
    finally:
        process.terminate()
        process.communicate(timeout=60)
    assert process.returncode == 0


def test_page_without_code(tool: Tool, tmp_path: Path) -> None:
    with running_command(tmp_path, "--app") as address:
        tool.page.goto(address)
        tool.ready()
        assert tool.page.locator(".jp-InputArea").count() == 0
        tool.click_points(4, 60, 120)
        tool.page.keyboard.press("y")
        tool.expect_answers(1)
        tool.plane.focus()
        tool.page.keyboard.press("Enter")
        expect(tool.root.locator(".dcrc-pill.chosen")).to_have_count(3)
        tool.idle()
        tool.screenshot("1-page", whole_page=True)
        # Answers are kept where the command was started; the page offers them when it is opened again.
        assert [path.suffix for path in (tmp_path / "work").iterdir()] == [".json"]
        tool.page.reload()
        tool.root.locator(".dcrc-notice").get_by_role("button", name="Go on").click()
        tool.expect_answers(1)
        assert tool.foreign_requests() == []
        assert tool.problems == []


def test_first_notebook(tool: Tool, tmp_path: Path) -> None:
    with running_command(tmp_path) as address:
        tool.page.goto(address)
        tool.page.wait_for_selector(".jp-NotebookPanel .jp-CodeCell")
        # JupyterLab says idle before it is connected, and forgets what it was told to run then.
        tool.page.get_by_text(re.compile(r"Python 3.* \| Idle")).wait_for()
        for _ in range(4):
            tool.page.get_by_role("menuitem", name="Run", exact=True).click()
            tool.page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
            if tool.appears(seconds=20):
                break
        tool.ready()
        tool.screenshot("1-notebook", whole_page=True)
        tool.click_points(4, 60, 120)
        tool.page.keyboard.press("y")
        tool.expect_answers(1)
        assert [path.suffix for path in (tmp_path / "work" / "dcrc-notebooks").glob("*.json")] == [".json"]
        assert tool.foreign_requests() == []
