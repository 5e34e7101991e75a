"""Compare's refresh after an answer, and the frame rate of a replay, in a real JupyterLab.

    python tests/benchmarks/compare.py [--points 150] [--answers 500] [--repeat 100]

prints the median and the 95th percentile, in milliseconds, from the key press that completes an answer to all three
pictures drawn ("key to picture") and on the screen, with the parts measured in the kernel; then the pictures per second
of the Explorer's replay of one fit, drawn as fast as it plays.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, expect, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "browser"))
from live import CHROMIUM_OPTIONS, TIMEOUT, Tool, find_chromium, running_lab
from planes import WATCH
from test_compare import CompareTool

SESSION = """
from dcrc_explore.session import Session
from dcrc_explore.widgets import Compare, Explorer
session = Session("close", parameters={{"n_per_cluster": {points} // 3}}, autosave="answers", restart={restart})
_ = session.answer_by_oracle({answers}, strategy="random", oracle="noisy", epsilon=0.05)
"""


def open_tool(tool: Tool, lab: tuple[str, Path], cell: str) -> None:
    """Open a notebook with this cell in a folder of its own."""
    address, root = lab
    folder = root / tool.name
    folder.mkdir()
    tool.open_notebook(address, folder, cell)
    tool.ready()
    tool.root.evaluate(WATCH)


def measure_refresh(
    browser: Browser, lab: tuple[str, Path], *, points: int, answers: int, repeat: int
) -> dict[str, list[float]]:
    """Answer so many questions by key in Compare and return the times of each part."""
    times: dict[str, list[float]] = {}
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    tool = CompareTool(page, "refresh")
    session = SESSION.format(points=points, answers=answers - 1, restart=False)
    open_tool(tool, lab, session + "compare = Compare(session)\ncompare")
    rng = np.random.default_rng(0)
    for done in range(repeat + 5):
        tool.click_points(*rng.choice(points, 3, replace=False).tolist())
        tool.root.locator(".dcrc-worth:not(:empty)").wait_for()
        tool.idle()
        page.evaluate("() => (window.drawn = [])")
        page.keyboard.press("ynd"[rng.integers(3)])
        page.wait_for_function("() => window.drawn.some(({ key }) => key)")
        moment = page.evaluate("() => window.drawn.find(({ key }) => key)")
        tool.idle()
        page.keyboard.press("z")  # back to the same number of answers
        tool.expect_answers(answers - 1)
        tool.idle()
        if done < 5:  # the first few rounds warm everything up
            continue
        kernel = moment["milliseconds"]
        whole = moment["drawn"] - moment["key"]
        parts = {"two fits": kernel["fit"], "two maps": kernel["surface"], "saving": kernel["save"]}
        parts |= {"drawing": moment["drawn"] - moment["received"], "key to picture": whole}
        parts["on the screen"] = moment["shown"] - moment["key"]
        for name, value in parts.items():
            times.setdefault(name, []).append(value)
    page.close()
    return times


def measure_replay(browser: Browser, lab: tuple[str, Path], *, points: int, repeat: int) -> tuple[int, list[float]]:
    """Play the replay so often and return the number of iterations and the pictures per second of each run."""
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    tool = Tool(page, "replay")
    # Few answers: with hundreds a fit ends after two or three iterations.
    session = SESSION.format(points=points, answers=30, restart=True)
    open_tool(tool, lab, session + "explorer = Explorer(session=session)\nexplorer")
    iterations = int(tool.root.locator(".dcrc-frames").get_attribute("max"))
    rates = []
    for _ in range(repeat):
        page.evaluate("() => (window.drawn = [])")
        tool.root.locator(".dcrc-player .dcrc-play").click()
        page.wait_for_function("(n) => window.drawn.length >= n", arg=iterations + 1)
        moments = page.evaluate("() => window.drawn.map(({ shown }) => shown)")
        rates.append(1000 * iterations / (moments[iterations] - moments[0]))
        expect(tool.root.locator(".dcrc-badge")).to_be_hidden(timeout=TIMEOUT)
        tool.idle()
    page.close()
    return iterations, rates


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=150)
    parser.add_argument("--answers", type=int, default=500)
    parser.add_argument("--repeat", type=int, default=100)
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        running_lab(Path(folder)) as lab,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_OPTIONS)
        times = measure_refresh(browser, lab, **vars(options))
        iterations, rates = measure_replay(browser, lab, points=options.points, repeat=max(3, options.repeat // 10))
        browser.close()
    print(f"Compare: {options.points} points, {options.answers} answers, {options.repeat} answers by key, ms")
    print(f"{'':<16}{'median':>8}{'95 %':>8}")
    for name, values in times.items():
        print(f"{name:<16}{np.median(values):>8.1f}{np.quantile(values, 0.95):>8.1f}")
    print(f"Replay of {iterations} EM iterations, {len(rates)} runs: pictures per second")
    print(f"{'':<16}{'median':>8}{'slowest':>8}\n{'':<16}{np.median(rates):>8.1f}{min(rates):>8.1f}")


if __name__ == "__main__":
    main()
