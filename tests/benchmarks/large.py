"""Data as large as they may be, in a real JupyterLab: ``python tests/benchmarks/large.py``.

For each size: seconds from running the cell to the first picture and from the key of an answer to its picture (the
first answer also writes the data), and for how long the page stood still at most meanwhile, in ms.
A table of so many rows is also opened by the dialog: reading it, and opening it. The smallest data come first: in the
same run they tell what of all this does not depend on the size.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, expect, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "browser"))
from live import CHROMIUM_OPTIONS, Tool, find_chromium, own_folder, running_lab
from screen import opened

SIZES = [(150, 2, 3), (10_000, 300, 3), (100_000, 2, 3), (100_000, 10, 20), (1_000_000, 5, 3)]  # N, d, K
MAKE = """
import numpy as np
from dcrc_explore.widgets import Explorer
rng = np.random.default_rng(0)
y = rng.integers({K}, size={N})
X = 3 * rng.normal(size=({K}, {d}))[y] + rng.normal(size=({N}, {d}))
"""
SHOW = "explorer = Explorer(X, y)\nexplorer"
# How long the page stood still, at most, since it was asked last.
WATCH = """() => {
    window.still = 0;
    const watch = (list) => list.getEntries().forEach((task) => (window.still = Math.max(window.still, task.duration)));
    new PerformanceObserver(watch).observe({ type: "longtask" });
}"""
STILL = "() => { const still = window.still; window.still = 0; return still; }"
PATIENCE = 600_000  # ms


def timed(tool: Tool, action: Callable[[], object], until: Callable[[], object]) -> str:
    """Act, wait, and tell how long that took and for how long the page stood still."""
    tool.page.evaluate(STILL)
    began = time.perf_counter()
    action()
    until()
    spent = time.perf_counter() - began
    return f"{spent:6.1f} s ({tool.page.evaluate(STILL):4.0f} ms)"


def drawn(tool: Tool, n_points: int) -> None:
    wanted = "(n) => [...document.querySelectorAll('.dcrc-plane')].map(planeOf).some((p) => p?.n === n && p.labels)"
    tool.page.wait_for_function(wanted, arg=n_points, timeout=PATIENCE)


def idle(tool: Tool) -> None:
    expect(tool.root).to_have_attribute("data-state", "idle", timeout=PATIENCE)


def answered(tool: Tool, n: int) -> None:
    expect(tool.status).to_have_text(re.compile(rf"^{n} answers? "), timeout=PATIENCE)
    idle(tool)


def answers(tool: Tool) -> list[str]:
    """Give two answers, and tell what each took."""
    told = []
    tool.plane.focus()
    for n in (1, 2):
        tool.root.locator(".dcrc-card.asking").wait_for()
        told.append(timed(tool, partial(tool.page.keyboard.press, "y"), partial(answered, tool, n)))
    return told


def from_a_cell(browser: Browser, address: str, root: Path, N: int, d: int, K: int) -> None:
    tool = opened(browser, address, root, f"large-{N}", MAKE.format(N=N, d=d, K=K))
    tool.page.set_default_timeout(PATIENCE)
    tool.page.evaluate(WATCH)
    cell = "(code) => { window.jupyterapp.shell.currentWidget.content.activeCell.model.sharedModel.setSource(code) }"
    tool.page.evaluate(cell, SHOW)
    first = timed(tool, lambda: tool.command("notebook:run-cell"), lambda: drawn(tool, N))
    idle(tool)
    given = answers(tool)
    tool.end_kernels()
    print(f"{N:>9,} x {d:<3} K = {K:<2} picture {first}, answers {', '.join(given)}", flush=True)


def from_a_file(browser: Browser, address: str, root: Path, n_rows: int) -> None:
    tool = Tool(browser.new_page(viewport={"width": 1280, "height": 1000}), f"file-{n_rows}")
    tool.page.set_default_timeout(PATIENCE)
    folder = own_folder(root, tool.name)
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=n_rows)
    X = 3 * rng.normal(size=(3, 5))[y] + rng.normal(size=(n_rows, 5))
    names = np.array(["oak", "fir", "elm"])[y]
    with (folder / "rows.csv").open("w") as file:
        file.write("id,a,b,c,d,e,kind\n")
        file.writelines(f"{i},{','.join(f'{x:.5g}' for x in row)},{names[i]}\n" for i, row in enumerate(X.tolist()))
    tool.open_notebook(address, folder, "from dcrc_explore.widgets import Explorer\nExplorer()")
    tool.ready()
    tool.page.evaluate(WATCH)
    tool.tab("Data")
    tool.root.locator(".dcrc-own input").first.fill("rows.csv")
    use = tool.root.locator("button:has-text('Open these data')")
    read = timed(tool, lambda: tool.root.locator(".dcrc-own button:has-text('Open')").click(), use.wait_for)
    shown = timed(tool, use.click, lambda: drawn(tool, n_rows))
    tool.end_kernels()
    print(f"{n_rows:>9,} rows of a file: read {read}, opened {shown}", flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most", type=int, default=1_000_000, help="the largest number of points")
    options = parser.parse_args()
    print("seconds, and in brackets for how long the page stood still at most")
    with (
        tempfile.TemporaryDirectory() as folder,
        running_lab(Path(folder)) as (address, root),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_OPTIONS)
        for N, d, K in SIZES:
            if options.most >= N:
                from_a_cell(browser, address, root, N, d, K)
        for n_rows in (1_000, 100_000, 1_000_000):
            if n_rows <= options.most:
                from_a_file(browser, address, root, n_rows)
        browser.close()
    print(f"load: {os.getloadavg()[0] / (os.cpu_count() or 1):.1f} processes per processor")


if __name__ == "__main__":
    main()
