"""Make one slide show: ``python notebooks/slides.py FOLDER [NOTEBOOK ...]``, by default of notebooks 1 to 4.

The folder needs no network afterwards: open its ``index.html``. Slides are the cells with a ``slide_type``; folded code
is left out. It needs the extra ``docs``, which brings reveal.js and MathJax.
"""

from __future__ import annotations

import re
import shutil
import sys
from importlib.metadata import files
from pathlib import Path

import nbformat
from nbconvert import SlidesExporter
from traitlets.config import Config

HERE = Path(__file__).parent
# What is of no use on a slide: links to files beside the notebook, and all but the title of its first cell.
LINK = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)]+\)")


def installed(package: str, ending: str) -> Path:
    """Return where a file of an installed package lies."""
    return next(Path(str(file.locate())) for file in files(package) or [] if file.as_posix().endswith(ending))


def make_page(notebooks: list[Path]) -> str:
    """Return the slides of notebooks as one page, which loads nothing but ``reveal.js`` and ``mathjax`` beside it."""
    show = nbformat.v4.new_notebook(metadata={"title": "Clustering by answers"})
    for number, path in enumerate(notebooks):
        for cell in nbformat.read(path, as_version=4).cells:
            cell.id = f"{number}-{cell.id}"
            if cell.cell_type == "markdown":
                title = cell.source.partition("\n")[0]
                cell.source = LINK.sub(r"\1", title if title.startswith("# ") else cell.source)
            show.cells.append(cell)
    remove = {"enabled": True, "remove_input_tags": {"hide-input", "slides-output-only", "dcrc-live"}}
    options = Config(TagRemovePreprocessor=remove, TemplateExporter={"extra_template_basedirs": [str(HERE / "site")]})
    exporter = SlidesExporter(
        config=options, template_name="slides", reveal_url_prefix="reveal.js", reveal_theme="white"
    )
    return exporter.from_notebook_node(show)[0]


def make_slides(folder: Path, notebooks: list[Path]) -> Path:
    """Write the slides and what they load into a folder; return the page."""
    page = make_page(notebooks)
    reveal = installed("sphinx-revealjs", "revealjs/dist/reveal.js").parents[1]
    shutil.copytree(reveal / "dist", folder / "reveal.js" / "dist", dirs_exist_ok=True)
    shutil.copytree(reveal / "plugin" / "notes", folder / "reveal.js" / "plugin" / "notes", dirs_exist_ok=True)
    mathjax = installed("sphinx-mathjax-offline", "mathjax/tex-svg.js").parent
    shutil.copytree(mathjax, folder / "mathjax", dirs_exist_ok=True)
    (folder / "index.html").write_text(page, encoding="utf-8")
    return folder / "index.html"


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    chosen = [Path(name) for name in sys.argv[2:]] or sorted(HERE.glob("0[1-4]-*.ipynb"))
    print(make_slides(Path(sys.argv[1]), chosen))
