"""Make the README's pictures from the current version: ``python tests/browser/screenshots.py [NAME ...]``."""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from live import CHROMIUM_OPTIONS, TIMEOUT, Tool, find_chromium, running_command, running_lab
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

IMAGES = Path(__file__).parents[2] / "notebooks" / "images"
CELLS = {
    "compare": """
from dcrc_explore.session import Session
from dcrc_explore.widgets import Compare
session = Session("close", autosave=None)
session.answer_by_oracle(50, oracle="noisy", epsilon=0.15)
Compare(session)
""",
    "class": """
from dcrc_explore.room.classroom import rehearse
from dcrc_explore.widgets import Explorer
explorer = Explorer("emoji")
room = explorer.open_class()
rehearse(room, people=27, answers=8)
room.settle()
signs = [explorer.session.dataset.items.text(i) for i in range(len(explorer.session.dataset.X))]
vote = room.begin_vote(tuple(signs.index(sign) for sign in "🐧🦉🐀"))
_ = rehearse(room, people=23)
room.reveal()
explorer
""",
}


FILM = "first-scene"
SCREEN = "screen"
# What is numbered in the picture of the screen, in the order of the list in notebooks/site/screen.md.
PARTS = (
    ".dcrc-playing", ".dcrc-group-top .dcrc-part:first-child", ".dcrc-group-top .dcrc-part:last-child", ".dcrc-plane",
    ".dcrc-legend", ".dcrc-story", ".dcrc-heading", ".dcrc-answers", ".dcrc-expected", ".dcrc-more", ".dcrc-tabs",
    ".dcrc-panels", ".dcrc-status-text", ".dcrc-links",
)  # fmt: skip
NUMBER = """(selectors) => selectors.forEach((selector, at) => {
  const box = document.querySelector(`.dcrc-explorer ${selector}`).getBoundingClientRect();
  const sign = Object.assign(document.createElement("b"), { textContent: at + 1 });
  sign.style = `position: fixed; left: ${Math.max(box.left - 22, 2)}px; top: ${box.top - 10}px; z-index: 999;
    width: 22px; font: bold 13px/22px sans-serif; text-align: center; color: white;
    background: #b3261e; border-radius: 50%`;
  document.body.append(sign);
})"""
# Room for the numbers at the left.
ROOM = "body { padding-left: 24px !important; box-sizing: border-box } .dcrc-explorer { max-width: calc(100vw - 40px) }"
LARGEST = 2_000_000  # bytes of the film


def main(names: list[str]) -> None:
    """Make the pictures with these names, or all."""
    IMAGES.mkdir(exist_ok=True)
    wanted = set(names or [*CELLS, FILM, SCREEN])
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_OPTIONS)
        if FILM in wanted:
            film(browser, new_folder(folder, FILM))
        if SCREEN in wanted:
            screen(browser, new_folder(folder, SCREEN))
        if wanted & set(CELLS):
            stills(browser, new_folder(folder, "stills"), wanted)


def new_folder(place: str, name: str) -> Path:
    """Make a folder for one server."""
    folder = Path(place) / name
    folder.mkdir()
    return folder


def stills(browser: Browser, folder: Path, names: set[str]) -> None:
    """Open each tool in JupyterLab, use it a little, and keep a picture."""
    with running_lab(folder) as (address, root):
        for name, cell in CELLS.items():
            if name not in names:
                continue
            page = browser.new_page(viewport={"width": 1440, "height": 1100}, device_scale_factor=1.25)
            page.set_default_timeout(TIMEOUT)
            tool = Tool(page, name)
            (root / name).mkdir()
            tool.open_notebook(address, root / name, cell)
            page.locator(".dcrc-plane canvas").first.wait_for()
            tool.idle()
            if name == "class":
                tool.root.locator(".dcrc-result small:not(:empty)").first.wait_for()
            else:
                tool.root.get_by_role("button", name="Suggest").click()
                tool.root.locator(".dcrc-worth:not(:empty)").wait_for()
            tool.idle()
            tool.root.screenshot(path=IMAGES / f"{name}.png")
            page.close()


def film(browser: Browser, folder: Path) -> None:
    """Lead through the first scene and one of two models, as a visitor would, and keep half a minute of it."""
    page = browser.new_page(viewport={"width": 1280, "height": 752})
    page.set_default_timeout(TIMEOUT)
    frames: list[tuple[Image.Image, int]] = []

    def show(seconds: float, done: Callable[[], object]) -> None:
        done()
        page.locator(".dcrc-explorer:visible[data-state=idle]").last.wait_for()
        frames.append((Image.open(io.BytesIO(page.screenshot())).convert("RGB"), round(1000 * seconds)))

    with running_command(folder, "--app") as address:
        show(4, lambda: open_page(page, address))
        show(4, lambda: page.keyboard.press("."))
        show(5, lambda: page.keyboard.press("."))
        show(3, lambda: page.keyboard.press("z"))
        show(3, lambda: page.keyboard.press("Shift+Z"))
        show(4, lambda: page.locator("[data-name=scene]:visible").select_option(label="One wrong answer"))
        show(7, lambda: page.keyboard.press("."))
    page.close()
    path, (first, *others) = IMAGES / f"{FILM}.webp", [frame for frame, _ in frames]
    durations = [duration for _, duration in frames]
    first.save(path, save_all=True, append_images=others, duration=durations, loop=0, quality=82, method=6)
    if path.stat().st_size > LARGEST:
        raise RuntimeError(f"the film must have at most {LARGEST:,} bytes, got {path.stat().st_size:,}")


def screen(browser: Browser, folder: Path) -> None:
    """Number the parts of the screen."""
    page = browser.new_page(viewport={"width": 1280, "height": 808})
    page.set_default_timeout(TIMEOUT)
    with running_command(folder, "--app") as address:
        open_page(page, address)
        page.add_style_tag(content=ROOM)
        page.keyboard.press(".")
        page.locator(".dcrc-explorer:visible[data-state=idle] .dcrc-worth:not(:empty)").wait_for()
        page.evaluate(NUMBER, PARTS)
        page.screenshot(path=IMAGES / f"{SCREEN}.png")
    page.close()


def open_page(page: Page, address: str) -> None:
    """Open the tool, and wait for its panels too."""
    page.goto(address)
    page.locator(".dcrc-panel-quality svg").wait_for()


if __name__ == "__main__":
    main(sys.argv[1:])
