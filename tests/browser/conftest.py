"""A real JupyterLab and a real Chromium, both cut off from every other host."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import Error as PlaywrightError

sys.path.insert(0, str(Path(__file__).parent))  # the tests here share a module, which is not installed
from bench import Bench, BenchTool
from forked import forked_kernels
from live import (
    CHROMIUM_OPTIONS,
    TIMEOUT,
    Tool,
    find_chromium,
    own_folder,
    private_environment,
    running,
    running_command,
    running_lab,
    wait_until_ended,
)

FOLDER = Path(__file__).parent
VIEW = {"width": 1280, "height": 900}
# Without the question whether to save.
CLOSE_ALL = """() => {
    const { shell } = window.jupyterapp;
    for (const widget of [...shell.widgets("main")]) widget.dispose();
    shell.expandLeft();
}"""


class House:
    """What the browser tests of one process share, from the first of them to the last."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._browser: Browser | None = None
        self._bench: Bench | None = None
        self._lab: tuple[str, Path] | None = None
        self._app: tuple[str, Path] | None = None
        self._page: Page | None = None

    @property
    def browser(self) -> Browser:
        if self._browser is None:
            executable = find_chromium()
            playwright = self._stack.enter_context(sync_playwright())
            self._browser = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_OPTIONS)
            self._stack.callback(self._browser.close)
        return self._browser

    @property
    def bench(self) -> Bench:
        """A plain page for widgets of this process."""
        if self._bench is None:
            self._bench = Bench()
            self._stack.callback(self._bench.close)
        return self._bench

    def lab(self, new_folder: Callable[[str], Path]) -> tuple[str, Path]:
        """Address of a JupyterLab, and the folder that it serves."""
        if self._lab is None:
            folder = new_folder("jupyter")
            self._stack.enter_context(forked_kernels(str(folder / "data"), private_environment(folder)))
            self._lab = self._stack.enter_context(running_lab(folder))
        return self._lab

    def app(self, new_folder: Callable[[str], Path]) -> tuple[str, Path]:
        """Address of the page without code, and the folder in which its command was started."""
        if self._app is None:
            folder = new_folder("app")
            self._stack.enter_context(forked_kernels(str(folder / "data"), private_environment(folder)))
            self._app = self._stack.enter_context(running_command(folder, "--app")), folder / "work"
        return self._app

    def page(self, *, new: bool) -> Page:
        """A new page, or that of the last test, where JupyterLab is loaded and tidy."""
        if new or self._page is None:
            context = self.browser.new_context(viewport=VIEW)
            context.set_default_timeout(TIMEOUT)
            return context.new_page()
        page, self._page = self._page, None
        return page

    def give_back(self, page: Page, *, again: bool) -> None:
        """Tidy a page for the next test, or close it with all that belongs to it."""
        if again and self._lab is not None and page.url.startswith(f"{self._lab[0]}/lab") and self._tidy(page):
            self._page = page
        else:
            page.context.close()

    def _tidy(self, page: Page) -> bool:
        if len(page.context.pages) > 1 or page.locator(".jp-Dialog").count():
            return False
        try:
            page.evaluate("() => window.jupyterapp.serviceManager.sessions.shutdownAll()")
            page.evaluate(CLOSE_ALL)
        except PlaywrightError:
            return False
        page.set_viewport_size(VIEW)
        page.mouse.move(0, 0)
        screen = page.evaluate("() => [innerWidth, innerHeight, devicePixelRatio]")
        return screen == [*VIEW.values(), 1] and page.locator(".jp-Dialog, .jp-NotebookPanel").count() == 0

    def close(self) -> None:
        """End everything. Playwright's event loop would else be in the way of other tests of this process."""
        self._stack.close()
        self.__init__()


HOUSE = House()
PASSED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Iterator[None]:
    """Close the house after the last browser test."""
    try:
        return (yield)
    finally:
        if nextitem is None or FOLDER not in nextitem.path.parents:
            HOUSE.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Remember whether a test passed: its page is then good enough for the next one."""
    report = yield
    if report.when == "call":
        item.stash[PASSED] = report.passed
    return report


@pytest.fixture
def browser() -> Browser:
    return HOUSE.browser


@pytest.fixture
def lab(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """Address of a JupyterLab, and the folder that it serves."""
    return HOUSE.lab(tmp_path_factory.mktemp)


@pytest.fixture
def kept(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the sessions of the shared page without code: nothing is in it, and no earlier page is open."""
    _, work = HOUSE.app(tmp_path_factory.mktemp)
    wait_until_ended(*running(f"{work.parent}/runtime/kernel-"))
    for path in work.iterdir():
        path.unlink()
    return work


@pytest.fixture
def app(kept: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Address of the page without code, of a command that tests share; it finds nothing that was kept before."""
    return HOUSE.app(tmp_path_factory.mktemp)[0]


@pytest.fixture
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    # What stands between the page and the kernel, or needs no JupyterLab, has a page of its own.
    own = request.node.get_closest_marker("own_page") is not None or "lab" not in request.fixturenames
    page = HOUSE.page(new=own)
    yield page
    HOUSE.give_back(page, again=not own and request.node.stash.get(PASSED, False))


@pytest.fixture
def tool(page: Page, request: pytest.FixtureRequest) -> Tool:
    """The tool on a new page."""
    return Tool(page, request.node.name.removeprefix("test_"))


@pytest.fixture
def bench(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    """A thread for widgets of this process in a folder of its own, and a plain page for them."""
    monkeypatch.chdir(tmp_path)
    with HOUSE.bench.kernel():
        yield HOUSE.bench


@pytest.fixture
def explore(bench: Bench, page: Page, request: pytest.FixtureRequest) -> Callable[..., BenchTool]:
    """Open the Explorer on a plain page."""
    tool = BenchTool(page, request.node.name.removeprefix("test_"), bench)

    def open_explorer(arguments: str = "", *, before: str = "pass") -> BenchTool:
        cell = f"from dcrc_explore.widgets import Explorer\nexplorer = Explorer({arguments})"
        tool.open(f"{before}\n{cell}", "explorer")
        return tool.ready()

    return open_explorer


@pytest.fixture
def explore_in_lab(lab: tuple[str, Path], tool: Tool) -> Iterator[Callable[..., Tool]]:
    """Open the Explorer in a new notebook of its own folder."""
    address, root = lab

    def open_explorer(arguments: str = "", *, before: str = "pass", subshells: bool = True) -> Tool:
        folder = own_folder(root, tool.name)
        cell = f"from dcrc_explore.widgets import Explorer\nexplorer = Explorer({arguments})\nexplorer"
        tool.open_notebook(address, folder, before, cell, subshells=subshells)
        return tool.ready()

    yield open_explorer
    tool.end_kernels()
