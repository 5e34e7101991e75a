"""A real JupyterLab and the tool on one of its pages, for the browser tests and the latency benchmark."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import nbformat
import psutil
import pytest
from planes import FIND
from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

ARTEFACTS = Path(__file__).parent / "artefacts"
TIMEOUT = 120_000  # ms; generous: ten processes may share a core
LOOK = 100  # ms between two looks; without it Playwright looks at every frame, and the page draws one for each look
expect.set_options(timeout=TIMEOUT)
CHROMIUM_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Any other host is unknown: what the page asks for elsewhere fails, and a test sees it.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
]


def find_chromium() -> str:
    """Path of Chromium. Without one the tests are skipped; where they must run, that is a failure."""
    executable = shutil.which("chromium")
    if executable is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium is missing: install the package chromium")
        pytest.skip("no chromium on the PATH")
    return executable


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for_address(process: subprocess.Popen[bytes], address: str, seconds: float = 90) -> None:
    """Wait until a server answers, or fail with what it printed."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"{' '.join(map(str, process.args))} did not answer at {address}")


def private_environment(folder: Path) -> dict[str, str]:
    """An environment in which Jupyter neither reads nor writes the settings of whoever runs the tests."""
    settings = folder / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True, exist_ok=True)
    quiet = {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True}
    (settings / "notification.jupyterlab-settings").write_text(json.dumps(quiet))
    places = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
        "MPLCONFIGDIR": "matplotlib",
    }
    own = {name: str(folder / place) for name, place in places.items()}
    more = {"JUPYTER_PREFER_ENV_PATH": "no", "OMP_NUM_THREADS": "1"}  # no: these places come first
    return os.environ | own | {"PYTHONPATH": os.environ.get("PYTHONPATH", "")} | more


@contextmanager
def running_lab(folder: Path) -> Iterator[tuple[str, Path]]:
    """Address of a JupyterLab that runs until the block ends, and the folder that it serves."""
    root = folder / "notebooks"
    root.mkdir()
    port = free_port()
    command = [
        *[sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--ServerApp.port={port}"],
        *["--ServerApp.ip=127.0.0.1", "--IdentityProvider.token=", f"--ServerApp.root_dir={root}"],
        *["--LabApp.expose_app_in_browser=True", "--LabApp.extension_manager=readonly", "--LabApp.news_url=None"],
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=root, env=private_environment(folder), stdout=log, stderr=log)
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for_address(process, f"{address}/api/status")
            yield address, root
        finally:
            process.terminate()
            process.wait(timeout=30)


@contextmanager
def running_command(folder: Path, *options: str) -> Iterator[str]:
    """Address that the command prints; it is stopped at the end of the block."""
    code = "import sys; from dcrc_explore import cli; sys.exit(cli.main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, *options, "--no-browser"]
    work = folder / "work"
    work.mkdir(exist_ok=True)
    process = subprocess.Popen(command, cwd=work, env=private_environment(folder), stdout=subprocess.PIPE, text=True)
    try:
        yield re.findall(r"http://\S+", process.stdout.readline())[0]
    finally:
        process.terminate()
        process.communicate(timeout=60)
    assert process.returncode == 0


def running(word: str) -> set[int]:
    """Process ids of what the tests started with such a word on its command line."""
    pids = set()
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if any(word in argument for argument in process.cmdline()):
                pids.add(process.pid)
    return pids


def wait_until_ended(*ended: int) -> None:
    """Wait until these processes are no more."""
    _, alive = psutil.wait_procs([psutil.Process(pid) for pid in ended if psutil.pid_exists(pid)], TIMEOUT / 1000)
    assert not alive


def own_folder(root: Path, name: str) -> Path:
    """Make a folder for one test: nothing is there to go on with."""
    return Path(tempfile.mkdtemp(prefix=re.sub(r"\W+", "-", name) + "-", dir=root))


class Tool:
    """The Explorer on a page, as a person sees and uses it."""

    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.name = name
        self.requested: list[str] = []
        self.problems: list[str] = []
        page.context.add_init_script(FIND)
        page.on("request", lambda request: self.requested.append(request.url))
        page.on("pageerror", lambda error: self.problems.append(str(error)))

    # JupyterLab

    def open_notebook(self, address: str, folder: Path, *cells: str, subshells: bool = True) -> None:
        """Write a notebook, open it and run all its cells; `subshells` are how newer versions handle widgets.

        A cell that begins with a # and a space is text.
        """
        makers = [nbformat.v4.new_markdown_cell if c.startswith("# ") else nbformat.v4.new_code_cell for c in cells]
        notebook = nbformat.v4.new_notebook(cells=[make(cell) for make, cell in zip(makers, cells, strict=True)])
        notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
        nbformat.write(notebook, folder / "test.ipynb")
        self.open_path(address, f"{folder.name}/test.ipynb")
        if not subshells:
            self.page.evaluate("() => { window.jupyterapp.serviceManager.kernels.commsOverSubshells = 'disabled' }")
        self.run_cells()

    def open_path(self, address: str, path: str) -> None:
        """Open a notebook of the server."""
        if self.page.url.startswith(f"{address}/lab"):  # JupyterLab is there, and takes seconds to load
            self.command("docmanager:open", {"path": path})
        else:
            self.page.goto(f"{address}/lab/workspaces/{Path(path).parent.name}/tree/{path}?reset")
        self.page.wait_for_selector(".jp-NotebookPanel .jp-CodeCell")

    def run_cells(self) -> None:
        """Run all cells. JupyterLab says idle before it is connected, and cancels what it was told to run then."""
        ran = "() => window.jupyterapp.commands.execute('notebook:run-all-cells')"
        for _ in range(10):
            self.wait_for_kernel()
            if self.page.evaluate(ran):
                return
        pytest.fail("JupyterLab does not run the cells")

    def wait_for_kernel(self) -> None:
        self.page.wait_for_function(
            """() => {
                const context = window.jupyterapp?.shell.currentWidget?.sessionContext;
                const kernel = context?.isReady && context.session?.kernel;
                return kernel && kernel.connectionStatus === "connected" && kernel.status === "idle";
            }""",
            polling=LOOK,
        )

    def command(self, name: str, arguments: dict[str, object] | None = None) -> None:
        self.page.evaluate(
            "([name, args]) => { void window.jupyterapp.commands.execute(name, args) }", [name, arguments or {}]
        )

    def save(self) -> None:
        """Save the notebook, and wait until that is done."""
        self.page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")

    def theme(self, name: str) -> None:
        """Choose JupyterLab's theme, Light or Dark."""
        self.command("apputils:change-theme", {"theme": f"JupyterLab {name}"})
        light = str(name == "Light").lower()
        expect(self.page.locator("body")).to_have_attribute("data-jp-theme-light", light)

    def python(self, code: str) -> str:
        """Run code in the notebook's kernel, outside its cells, and return what it printed."""
        return self.page.evaluate(
            """async (code) => {
                const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
                const future = kernel.requestExecute({ code, store_history: false });
                let text = "";
                future.onIOPub = ({ content }) => { text += content.text ?? content.traceback?.join("\\n") ?? ""; };
                await future.done;
                return text.trim();
            }""",
            code,
        )

    def kill_kernel(self) -> None:
        """Kill the kernel as a crash would; JupyterLab starts another, in which all cells are run again."""
        pid = int(self.python("import os; print(os.getpid())"))
        os.kill(pid, signal.SIGKILL)
        self.page.locator(".jp-Dialog button:has-text('Ok')").click()
        self.command("notebook:clear-all-cell-outputs")
        expect(self.page.locator(".dcrc-explorer")).to_have_count(0)
        self.run_cells()

    def end_kernels(self) -> None:
        """End all kernels of the server, which else keep their memory until the last test."""
        # The server refuses while it starts a kernel again that has just died: it is asked until all have ended.
        ended = "() => window.jupyterapp?.serviceManager.sessions.shutdownAll().then(() => true, () => false) ?? true"
        self.page.wait_for_function(ended, polling=LOOK)

    def cells(self) -> list[str]:
        """Types of the notebook's cells."""
        return self.page.evaluate(
            "() => window.jupyterapp.shell.currentWidget.content.widgets.map((c) => c.model.type)"
        )

    def sources(self) -> list[str]:
        """What stands in the notebook's cells."""
        return self.page.evaluate(
            "() => window.jupyterapp.shell.currentWidget.content.widgets.map((c) => c.model.sharedModel.getSource())"
        )

    # The tool

    @property
    def root(self) -> Locator:
        return self.page.locator(".dcrc-explorer").last

    @property
    def plane(self) -> Locator:
        return self.root.locator(".dcrc-plane")

    @property
    def status(self) -> Locator:
        return self.root.locator(".dcrc-status-text")

    def appears(self, seconds: float) -> bool:
        """Whether picture and panels are drawn in time."""
        # JupyterLab draws nothing that is far away, and scrolls by itself while cells run.
        drawn = """() => {
            const root = [...document.querySelectorAll(".dcrc-explorer")].at(-1);
            const cells = document.querySelector(".jp-WindowedPanel-outer");
            if (root) root.querySelector(".dcrc-plane")?.scrollIntoView({ block: "nearest" });
            else if (cells) cells.scrollTop = 0;
            return root?.querySelector(".dcrc-panel-information svg");
        }"""
        try:
            self.page.wait_for_function(drawn, timeout=1000 * seconds, polling=LOOK)
        except PlaywrightTimeout:
            return False
        return True

    def ready(self) -> Tool:
        """Wait until picture and panels are drawn."""
        assert self.appears(seconds=TIMEOUT / 1000), self.page.locator("body").inner_text()[:500]
        self.idle()
        self.plane.scroll_into_view_if_needed()
        return self

    def idle(self) -> None:
        """Wait until the browser waits for nothing from the kernel and the panels show the picture's numbers."""
        expect(self.root).to_have_attribute("data-state", "idle")

    def answers(self) -> int:
        return int((self.status.text_content() or "0").split()[0])

    def expect_answers(self, n: int) -> None:
        expect(self.status).to_have_text(re.compile(rf"^{n} answers? "))

    def position(self, i: int) -> tuple[float, float]:
        """Where on the page a point is drawn; a picture that was scrolled away is brought back, as a person would."""
        return tuple(
            self.plane.evaluate(
                "(plane, i) => { const [x, y] = planeOf(plane).where(i); "
                "const at = (b) => [b.left + x + 1, b.top + y + 1]; "
                "const found = document.elementFromPoint(...at(plane.getBoundingClientRect())); "
                "if (!plane.contains(found)) plane.scrollIntoView({ block: 'nearest' }); "
                "return at(plane.getBoundingClientRect()); }",
                i,
            )
        )

    def version(self) -> int:
        """Version of the picture that is drawn."""
        return self.plane.evaluate("(plane) => planeOf(plane).scene.version")

    def newer(self, version: int) -> None:
        """Wait until another version is drawn."""
        other = "([plane, version]) => planeOf(plane).scene.version !== version"
        self.page.wait_for_function(other, arg=[self.plane.element_handle(), version])

    def click_points(self, *points: int) -> None:
        for i in points:
            self.page.mouse.click(*self.position(i))

    def picture(self) -> str:
        """The pixels of the picture, to see whether it changed."""
        return self.plane.locator("canvas").first.evaluate("(canvas) => canvas.toDataURL()")

    def changed(self, before: str) -> None:
        """Wait until the picture is another one."""
        self.page.wait_for_function(
            "([canvas, before]) => canvas.toDataURL() !== before",
            arg=[self.plane.locator("canvas").first.element_handle(), before],
            polling=LOOK,
        )

    def foreign_requests(self) -> list[str]:
        """What the page asked other hosts for."""
        own = ("http://127.0.0.1", "ws://127.0.0.1", "data:", "blob:", "about:")
        return [url for url in self.requested if not url.startswith(own)]

    def tab(self, name: str) -> None:
        self.root.get_by_role("tab", name=name).click()

    def questions(self, strategy: str) -> None:
        """Choose, in the tab Ask, which questions come."""
        self.root.locator("[data-name=strategy]").select_option(strategy)

    def answered_by(self, who: str) -> None:
        """Choose, in the tab Ask, who answers."""
        self.root.locator(".dcrc-line:has-text('Answered by') select").select_option(who)

    def screenshot(self, state: str, *, whole_page: bool = False) -> None:
        ARTEFACTS.mkdir(exist_ok=True)
        (self.page if whole_page else self.root).screenshot(path=ARTEFACTS / f"{self.name}-{state}.png")
