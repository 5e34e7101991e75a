"""A real JupyterLab and a real Chromium, both cut off from every other host."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parent))  # the tests here share a module, which is not installed
from live import CHROMIUM_OPTIONS, TIMEOUT, Tool, find_chromium, own_folder, running_lab


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    executable = find_chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_OPTIONS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[tuple[str, Path]]:
    """Address of a JupyterLab, and the folder that it serves."""
    with running_lab(tmp_path_factory.mktemp("jupyter")) as served:
        yield served


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(TIMEOUT)
    page = context.new_page()
    yield page
    context.close()


@pytest.fixture
def tool(page: Page, request: pytest.FixtureRequest) -> Tool:
    """The tool on a new page."""
    return Tool(page, request.node.name.removeprefix("test_"))


@pytest.fixture
def explore(lab: tuple[str, Path], tool: Tool) -> Iterator[Callable[..., Tool]]:
    """Open the Explorer in a new notebook of its own folder."""
    address, root = lab

    def open_explorer(arguments: str = "", *, before: str = "pass", subshells: bool = True) -> Tool:
        folder = own_folder(root, tool.name)
        cell = f"from dcrc_explore.widgets import Explorer\nexplorer = Explorer({arguments})\nexplorer"
        tool.open_notebook(address, folder, before, cell, subshells=subshells)
        return tool.ready()

    yield open_explorer
    tool.end_kernels()
