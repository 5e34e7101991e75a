"""How the site is built: ``python -m sphinx -W -q -c notebooks/site notebooks build/site``, without a network."""

from __future__ import annotations

import contextlib
import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dcrc_explore import __version__
from dcrc_explore.cli import main
from dcrc_explore.scenes import list_scenes, load_scene
from dcrc_explore.session import Session
from dcrc_explore.widgets.livepage import live_page

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "dcrc_explore"
author = "The dcrc_explore developers"
release = version = __version__
root_doc = "site/index"
# What stands below a page that is also read elsewhere: the map of the course, and the list of solutions.
BELOW = {
    "README": """
```{toctree}
:hidden:
:glob:
:numbered: 1

[0-9]*
```

```{toctree}
:hidden:

solutions/README
glossary
```
""",
    "solutions/README": """
```{toctree}
:hidden:
:glob:

*-solutions
```
""",
}
COMMANDS = (
    "",
    "class",
    "study",
    "study new",
    "study simulate",
    "study report",
    "study withdraw",
    "page",
    "scenes",
    "experiment",
    "experiment comparison",
)


def command_help(command: str) -> str:
    """Return a section with what a command says of itself."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.suppress(SystemExit):
        main([*command.split(), "--help"])
    name = f"dcrc-explore {command}".strip()
    return f"\n## {name}\n\n```text\n{said.getvalue().strip()}\n```\n"


def scene_rows() -> str:
    """Return the scenes as rows of a table, each with what was measured."""
    rows = []
    for scene in map(load_scene, list_scenes()):
        effects = "<br>".join(map(str, scene.effects))
        rows.append(f"| **{scene.title}** `{scene.name}` | {scene.promise} | {effects} |\n")
    return "".join(rows)


os.environ["COLUMNS"] = "100"  # how wide argparse writes
BELOW["site/commands"] = "".join(map(command_help, COMMANDS))
BELOW["site/scenes"] = scene_rows()
exclude_patterns = ["site/joss", "site/pages", "site/slides", "results", "images", "**/.ipynb_checkpoints"]

extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "sphinx-mathjax-offline",
    "sphinx_copybutton",
]
nb_execution_mode = "off"  # the notebooks are shown with the outputs that are stored in them
nb_render_markdown_format = "gfm"  # tables that a cell writes are tables
# Where no kernel runs the picture of a tool is shown.
nb_mime_priority_overrides = [("html", "application/vnd.jupyter.widget-view+json", None)]
myst_enable_extensions = ["dollarmath", "amsmath", "colon_fence", "deflist"]
myst_heading_anchors = 3

autodoc_default_options = {"members": True, "imported-members": True, "show-inheritance": True}
autodoc_typehints = "none"  # docstrings say them
autodoc_member_order = "bysource"
numpydoc_show_class_members = False

html_theme = "pydata_sphinx_theme"
html_title = f"dcrc_explore {version}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_favicon = "static/icon.svg"
html_extra_path = ["pages"]  # the address of the site itself leads to its first page
html_show_sourcelink = False
html_theme_options = {
    "show_prev_next": True,
    "header_links_before_dropdown": 4,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_copy_source = False
html_use_index = html_domain_indices = False  # pages have a search
html_context = {"default_mode": "auto"}  # light or dark, as the browser
copybutton_selector = "div:not(.output) > div.highlight pre"
copybutton_exclude = ".linenos, .gp, .go"
# Pages without pages below them have nothing to navigate at their side.
ALONE = (
    "paper",
    "using",
    "commands",
    "scenes",
    "trouble",
    "how-it-works",
    "where",
    "benchmarks",
    "security",
    "versions",
    "changelog",
    "citing",
)
html_sidebars = {f"site/{page}": [] for page in ("index", *ALONE)}


def setup(app: Sphinx) -> None:
    """Let each thing stand on the page of its own module, and nothing of other libraries on any."""

    def is_foreign(_: Sphinx, what: str, name: str, thing: Any, *__: object) -> bool | None:
        package, _, module = (getattr(thing, "__module__", None) or "").partition(".")
        page = app.env.docname.rpartition("/")[2].replace("estimators", "model")
        elsewhere = what == "module" and package and (package, module.split(".")[0]) != ("dcrc_explore", page)
        return True if elsewhere or name.endswith(("_request", "_routing", "_checked")) else None

    def with_notebooks(_: Sphinx, page: str, source: list[str]) -> None:
        # Code that a notebook folds, such as that of figures, is for those who run it: pages show what it draws.
        source[0] = source[0].replace('"hide-input"', '"remove-input"') + BELOW.get(page, "")

    def film(app: Sphinx, exception: Exception | None) -> None:
        if exception is None and app.builder.format == "html":
            session = Session("elongated", autosave=None)
            session.answer_by_oracle(20, strategy="guided", oracle="truth")
            page = Path(app.outdir) / "site" / "film.html"
            page.unlink(missing_ok=True)
            session.export.to_html(page)
            page.with_name("live.html").write_text(live_page(), encoding="utf-8")

    app.connect("build-finished", film)
    app.connect("autodoc-skip-member", is_foreign)
    app.connect("source-read", with_notebooks)
