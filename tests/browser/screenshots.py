"""Make the README's pictures from the current version: ``python tests/browser/screenshots.py [NAME ...]``."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from live import CHROMIUM_OPTIONS, TIMEOUT, Tool, find_chromium, running_lab
from playwright.sync_api import sync_playwright

IMAGES = Path(__file__).parents[2] / "notebooks" / "images"
CELLS = {
    "explorer": """
from dcrc_explore.session import Session
from dcrc_explore.widgets import Explorer
session = Session("elongated", autosave=None)
for _ in range(32):
    session.answer_by_oracle(1, strategy="informative")
Explorer(session=session)
""",
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


def main() -> None:
    """Open each tool in JupyterLab, use it a little, and keep a picture."""
    IMAGES.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        running_lab(Path(folder)) as (address, root),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_OPTIONS)
        for name in sys.argv[1:] or CELLS:
            cell = CELLS[name]
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


if __name__ == "__main__":
    main()
