"""Shared settings of the tests."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

# Threads of small products wait for each other more than they work; set before numpy is loaded.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")
os.environ.setdefault("MPLBACKEND", "Agg")
# Where Python may not keep what it compiled, each of the many processes that tests start compiles everything again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# Features that tests compute are not those of the user.
os.environ["DCRC_EXPLORE_CACHE"] = mkdtemp(prefix="dcrc-explore-tests-")

import pytest  # noqa: E402
from hypothesis import settings  # noqa: E402

# brute_force.py and others are imported by name from several test files.
sys.path.insert(0, str(Path(__file__).parent))
from forked import forked_kernels  # noqa: E402

settings.register_profile("default", deadline=None, max_examples=25, derandomize=True)
settings.load_profile("default")


# Benchmarks are run by hand; some need packages of other projects.
collect_ignore = ["benchmarks"]
SHOWS = "test_a_notebook_shows_what_is_stored"  # one test for each notebook


class _Figures:
    """Closes the figures that a test, or an example in a docstring, leaves to pyplot."""

    def pytest_runtest_teardown(self) -> None:
        if pyplot := sys.modules.get("matplotlib.pyplot"):
            pyplot.close("all")


class _Once:
    """Leaves notebooks to the browser's tests, which compare the same outputs, where both would run."""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        if shutil.which("chromium"):
            shown = {item.callspec.params["name"] for item in items if item.path.name == "test_notebooks.py"}
            twice = [item for item in items if item.name in {f"{SHOWS}[{name}]" for name in shown}]
            items[:] = [item for item in items if item not in twice]
            config.hook.pytest_deselected(items=twice)


@pytest.fixture(scope="session")
def kernels() -> Iterator[str]:
    """Folder in which Jupyter finds kernels that need not load everything again."""
    with TemporaryDirectory(prefix="dcrc-explore-tests-") as folder, forked_kernels(folder, os.environ):
        yield folder


def pytest_configure(config: pytest.Config) -> None:
    """Do these things everywhere: what stands in this file itself holds in this folder alone."""
    config.pluginmanager.register(_Figures())
    config.pluginmanager.register(_Once())


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Let several processes share the tests file by file, and the notebooks one by one, in their order."""
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return nodeid if SHOWS in nodeid else nodeid.split("::", 1)[0]

    config.option.loadscopereorder = False
    return ByFile(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let what is slow come first, so that no process has it left when the others are done."""
    items.sort(key=lambda item: ("tests/browser/" not in item.nodeid, SHOWS not in item.nodeid))
    for item in items:
        if "tests/browser/" in item.nodeid:
            item.add_marker(pytest.mark.browser)
