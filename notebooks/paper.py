"""Write the page that holds the paper against here: ``python notebooks/paper.py``.

The page goes to ``site/paper.md`` beside this file, its pictures to ``images/paper``. Both come from the records in
``results``; a test compares the page with them.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib

from dcrc_explore.experiments.paper import findings, page

FOLDER = Path(__file__).parent

if __name__ == "__main__":
    matplotlib.rcParams |= {"svg.hashsalt": "paper", "svg.fonttype": "none"}
    found = findings(FOLDER / "results")
    pictures = FOLDER / "images" / "paper"
    pictures.mkdir(exist_ok=True)
    for part, _, figure in found:
        figure.savefig(pictures / f"{part.stem}.svg", metadata={"Date": None})
    (FOLDER / "site" / "paper.md").write_text(page(found, "../images/paper", ".."), encoding="utf-8")
    print(FOLDER / "site" / "paper.md")
