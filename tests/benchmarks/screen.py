"""What items and many points cost on the screen, in a real JupyterLab: ``python tests/benchmarks/screen.py``.

For 500 and 5,000 images of 64 x 64 pixels: from running a cell to the first picture, with items and without; from the
pointer on a point to its item; from the key of an answer to the new picture; and frames per second while the picture is
zoomed, with items on it and with dots. For 10,000 and 100,000 points: the same frames, and how much processor time the
browser takes for one, which says more on a busy machine. Everything is measured in one run, so that ratios mean
something there too.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

import numpy as np
import psutil
from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "browser"))
from live import CHROMIUM_OPTIONS, Tool, find_chromium, own_folder, running_lab
from planes import WATCH

MAKE = """
import numpy as np
from dcrc_explore.widgets import Explorer
rng = np.random.default_rng(0)
y = rng.integers(3, size={n})
X = 4 * np.eye(3, {features})[y] + rng.normal(size=({n}, {features}))
images = rng.integers(0, 256, ({n} if {features} > 2 else 1, 64, 64), dtype=np.uint8)
"""
SHOW = "explorer = Explorer(X, y, items={items}, n_clusters=3, autosave=None)\nexplorer"
# Runs the last cell and tells when the picture is drawn, in ms since then.
FIRST = """async () => {
    const began = performance.now();
    void window.jupyterapp.commands.execute("notebook:run-cell");
    const drawn = () => planeOf(document.querySelector(".dcrc-explorer .dcrc-plane"))?.labels;
    while (!drawn()) await new Promise((next) => requestAnimationFrame(next));
    return performance.now() - began;
}"""
HOVER = """async ([plane, i]) => {
    const [x, y] = planeOf(plane).where(i);
    const box = plane.getBoundingClientRect();
    const began = performance.now();
    const where = { clientX: box.left + x, clientY: box.top + y, bubbles: true };
    plane.dispatchEvent(new PointerEvent("pointermove", where));
    const shown = () => plane.querySelector(".dcrc-hover:not([hidden]) img[data-row]");
    while (!shown()) await new Promise((next) => requestAnimationFrame(next));
    const spent = performance.now() - began;
    plane.dispatchEvent(new PointerEvent("pointerleave"));
    return spent;
}"""
FRAMES = """async ([plane, turns]) => {
    const box = plane.getBoundingClientRect();
    const middle = { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 };
    const at = { ...middle, bubbles: true, cancelable: true };
    const began = performance.now();
    for (let turn = 0; turn < turns; turn++) {
        const deltaY = turn < turns / 2 ? -60 : 60;
        plane.dispatchEvent(new WheelEvent("wheel", { ...at, deltaY, ctrlKey: true }));
        await new Promise((next) => requestAnimationFrame(() => setTimeout(next)));
    }
    return (1000 * turns) / (performance.now() - began);
}"""


def opened(browser: Browser, address: str, root: Path, name: str, *cells: str) -> Tool:
    """Open a notebook whose last cell is selected and has not run."""
    tool = Tool(browser.new_page(viewport={"width": 1280, "height": 1000}), name)
    tool.page.set_default_timeout(240_000)
    tool.open_notebook(address, own_folder(root, name), *cells)
    tool.wait_for_kernel()
    tool.command("notebook:insert-cell-below")
    return tool


def first_picture(browser: Browser, address: str, root: Path, n: int, items: str) -> tuple[float, Tool]:
    tool = opened(browser, address, root, f"first-{n}-{items}", MAKE.format(n=n, features=20))
    tool.page.evaluate(
        "(code) => { window.jupyterapp.shell.currentWidget.content.activeCell.model.sharedModel.setSource(code) }",
        SHOW.format(items=items),
    )
    return tool.page.evaluate(FIRST), tool.ready()


def answers(tool: Tool, repeat: int) -> float:
    """Median time from the key of an answer to the new picture."""
    tool.root.evaluate(WATCH)
    tool.plane.focus()
    for n in range(1, repeat + 1):
        tool.root.locator(".dcrc-card.asking").wait_for()
        tool.page.keyboard.press("d")
        tool.expect_answers(n)
        tool.idle()
    spent = "() => window.drawn.filter(({ key }) => key).map(({ drawn, key }) => drawn - key)"
    return float(np.median(tool.page.evaluate(spent)))


def browser_seconds() -> float:
    """Processor time that the browser has taken so far, in all its processes."""
    processes = psutil.Process(os.getpid()).children(recursive=True)
    times = [each.cpu_times() for each in processes if "chrom" in each.name()]
    return sum(each.user + each.system for each in times)


def zooming(tool: Tool, *, dots: bool = False) -> tuple[float, float]:
    """Frames per second while the picture is zoomed in and out, and seconds of a processor for each."""
    if dots:
        tool.root.get_by_role("button", name="Items", exact=True).click()
    tool.page.evaluate(FRAMES, [tool.plane.element_handle(), 60])  # compiled, and at rest again
    tool.idle()
    began = browser_seconds()
    frames = tool.page.evaluate(FRAMES, [tool.plane.element_handle(), 120])
    return frames, (browser_seconds() - began) / 120


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--images", type=int, nargs="*", default=[500, 5000])
    parser.add_argument("--points", type=int, nargs="*", default=[10_000, 100_000])
    parser.add_argument("--repeat", type=int, default=10)
    parser.add_argument("--first", type=int, default=3, help="first pictures, with items and without; the best counts")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        running_lab(Path(folder)) as (address, root),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_OPTIONS)
        first_picture(browser, address, root, 100, "None")[
            1
        ].end_kernels()  # the first of all reads everything from disk
        for n in options.images:
            firsts: dict[str, list[float]] = {"None": [], "images": []}
            for _ in range(options.first):
                for items, times in firsts.items():
                    spent, tool = first_picture(browser, address, root, n, items)
                    times.append(spent)
                    if items == "None":
                        plain = answers(tool, options.repeat)
                    if items == "None" or len(times) < options.first:
                        tool.end_kernels()
            without, with_items = (min(times) for times in firsts.values())
            plane = tool.plane.element_handle()
            hover = np.median([tool.page.evaluate(HOVER, [plane, i]) for i in range(10, 10 + options.repeat)])
            shown = answers(tool, options.repeat)
            items, dots = zooming(tool), zooming(tool, dots=True)
            tool.end_kernels()
            print(
                f"{n:>6} images: first picture {with_items:.0f} ms, {with_items - without:+.0f} ms against none "
                f"({with_items / without:.2f} x); hover to item {hover:.0f} ms; answer to picture {shown:.0f} ms "
                f"({shown / plain:.2f} x without items)",
                flush=True,
            )
            print(
                f"{n:>6} images: {items[0]:.0f} frames per second while zooming with items, {dots[0]:.0f} with dots; "
                f"{1e3 * items[1]:.0f} and {1e3 * dots[1]:.0f} ms of a processor",
                flush=True,
            )
        for n in options.points:
            tool = opened(
                browser, address, root, f"points-{n}", MAKE.format(n=n, features=2), SHOW.format(items="None")
            )
            tool.ready()
            frames, spent = zooming(tool)
            tool.end_kernels()
            print(
                f"{n:>6} points: {frames:.0f} frames per second while zooming, {1e3 * spent:.0f} ms of a processor",
                flush=True,
            )
        load = os.getloadavg()[0] / (os.cpu_count() or 1)
        print(f"load: {load:.1f} processes per processor")
        browser.close()


if __name__ == "__main__":
    main()
