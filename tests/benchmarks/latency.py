"""From the key press that completes an answer to the new picture, in a real JupyterLab.

    python tests/benchmarks/latency.py [--answers 500] [--points 500] [--repeat 100]
    python tests/benchmarks/latency.py --answers 100 10000 --points 150

prints for each number of answers a table with the median and the 95th percentile in milliseconds, for the whole way and
for its parts. The parts: fit, map (P(y|x) on 150 x 150 cells), saving and packing are measured in the kernel, drawing
in the browser; the message is what remains: two ways through Jupyter's sockets, and the handling around them. "On the
screen" adds the frame that shows the picture. Between two answers a widget that does nothing else sends the kernel a
word and gets as many bytes back as a picture has: the bare round trip, of which the table tells how many the way from
key to picture is. The same is then measured on a live page, without a kernel, where the bare one is a frame.
All answers are those of one person: two have a noise model each, which takes about twice as long to fit.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from dcrc_explore.session import Session
from dcrc_explore.widgets.files import LIVE_POINTS
from dcrc_explore.widgets.livepage import live_page

sys.path.insert(0, str(Path(__file__).parents[1] / "browser"))
from live import CHROMIUM_OPTIONS, Tool, find_chromium, running_lab
from planes import WATCH

CELL = """
from dcrc_explore.annotators import make_oracle
from dcrc_explore.session import Session
from dcrc_explore.widgets import Explorer
session = Session("close", parameters={{"n_per_cluster": {points} // 3 + 1}}, autosave="answers")
triplets = session.questions.choose("random", {answers} - 1).triplets
session.add(triplets, make_oracle("noisy", session.dataset.y, epsilon=0.05, seed=0).answer(triplets), by=session.person)
explorer = Explorer(session=session)
display(Echo(lambda: explorer.scene))
explorer
"""
ECHO = """
import json
import anywidget

class Echo(anywidget.AnyWidget):
    _esm = MODULE

    def __init__(self, picture):
        super().__init__()
        self.on_msg(lambda *_: self.send({}, [bytes(size(picture()))]))

def size(value):
    if isinstance(value, dict):
        return sum(len(key) + size(part) for key, part in value.items())
    if isinstance(value, (list, tuple)):
        return sum(map(size, value))
    return len(value) if isinstance(value, bytes) else len(json.dumps(value))
"""
FRAME = """() => new Promise((done) =>
    requestAnimationFrame((began) => requestAnimationFrame((now) => done(now - began))))"""
MODULE = """
export default { render({ model }) {
    window.echo = () => new Promise((done) => {
        const began = performance.now();
        const heard = () => {
            model.off("msg:custom", heard);
            done(performance.now() - began);
        };
        model.on("msg:custom", heard);
        model.send({});
    });
} };
"""


def measure(*, points: int, answers: int, repeat: int) -> dict[str, dict[str, list[float]]]:
    """Answer so many questions by key and return the times of each part, in JupyterLab and on a live page."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running_lab(Path(folder)) as (address, root),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_OPTIONS)
        lab, live = (Tool(browser.new_page(viewport={"width": 1280, "height": 1000}), name) for name in ("lab", "live"))
        (root / "latency").mkdir()
        cells = ECHO.replace("MODULE", repr(MODULE)), CELL.format(points=points, answers=answers)
        lab.open_notebook(address, root / "latency", *cells)
        lab.ready()
        page = Path(folder) / "live.html"
        session = Session("close", parameters={"n_per_cluster": points // 3 + 1}, autosave=None)
        session.answer_by_oracle(answers - 1, strategy="random")
        page.write_text(live_page(session), encoding="utf-8")
        live.page.goto(page.as_uri())
        live.idle()
        rounds = {"points": points, "answers": answers, "repeat": repeat}
        times = {"JupyterLab": answered(lab, "() => window.echo()", **rounds)}
        if points <= LIVE_POINTS:
            times["live page"] = answered(live, FRAME, **rounds)
        browser.close()
    return times


def answered(tool: Tool, bare: str, *, points: int, answers: int, repeat: int) -> dict[str, list[float]]:
    """Answer by key again and again, and return the times of each part; `bare` measures the least that can be."""
    times: dict[str, list[float]] = {}
    tool.root.evaluate(WATCH)
    rng = np.random.default_rng(0)
    for done in range(repeat + 5):
        tool.click_points(*rng.choice(points, 3, replace=False).tolist())
        tool.root.locator(".dcrc-worth:not(:empty)").wait_for()
        tool.page.keyboard.press("ynd"[rng.integers(3)])
        tool.page.wait_for_function("(n) => window.drawn.filter(({ key }) => key).length === n", arg=done + 1)
        tool.idle()
        # Back to the same number of answers; the first few rounds warm everything up.
        moment = tool.page.evaluate("() => window.drawn.findLast(({ key }) => key)")
        tool.page.keyboard.press("z")
        tool.expect_answers(answers - 1)
        tool.idle()
        least = tool.page.evaluate(bare)
        if done >= 5:
            kernel = moment["milliseconds"]
            whole, drawing = moment["drawn"] - moment["key"], moment["drawn"] - moment["received"]
            parts = {"fit": kernel["fit"]}
            if "surface" in kernel:
                parts |= {"map": kernel["surface"], "saving": kernel["save"]}
                parts["packing"] = kernel["scene"] - kernel["surface"]
            parts["message" if "surface" in kernel else "the rest"] = whole - drawing - sum(parts.values())
            parts |= {"drawing": drawing, "key to picture": whole, "on the screen": moment["shown"] - moment["key"]}
            parts |= {"without the fit": parts["on the screen"] - parts["fit"], "bare": least}
            for name, value in parts.items():
                times.setdefault(name, []).append(value)
    return times


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=500)
    parser.add_argument("--answers", type=int, nargs="+", default=[500])
    parser.add_argument("--repeat", type=int, default=100)
    options = parser.parse_args()
    few: dict[str, float] = {}
    for answers in options.answers:
        for place, times in measure(points=options.points, answers=answers, repeat=options.repeat).items():
            what = f"{options.points} points, {answers} answers, 150 x 150 map"
            print(f"{place}: {what}, {options.repeat} answers by key, ms")
            print(f"{'':<16}{'median':>8}{'95 %':>8}")
            for name, values in times.items():
                print(f"{name:<16}{np.median(values):>8.1f}{np.quantile(values, 0.95):>8.1f}")
            many = np.median(times["without the fit"])
            few.setdefault(place, many)
            print(
                f"without the fit, {many / few[place]:.2f} times what it is at {options.answers[0]} answers", flush=True
            )
            ratio = np.median(times["key to picture"]) / np.median(times["bare"])
            print(f"key to picture is {ratio:.2f} times the bare one", flush=True)


if __name__ == "__main__":
    main()
