"""How the site is built: ``python -m sphinx -W -q -c notebooks/site notebooks build/site``, without a network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from dcrc_explore import __version__
from dcrc_explore.session import Session

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
exclude_patterns = ["site/pages", "site/slides", "results", "images", "**/.ipynb_checkpoints"]

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
html_title = "dcrc_explore"
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
html_context = {"default_mode": "auto"}  # light or dark, as the browser
copybutton_selector = "div:not(.output) > div.highlight pre"
copybutton_exclude = ".linenos, .gp, .go"
# Pages without pages below them have nothing to navigate at their side.
ALONE = ("paper", "using", "how-it-works", "where", "benchmarks", "security", "changelog", "contributing", "citing")
html_sidebars = {f"site/{page}": [] for page in ("index", *ALONE)}


def setup(app: Sphinx) -> None:
    """Let each thing stand on the page of its own module, and nothing of other libraries on any."""

    def is_foreign(_: Sphinx, what: str, name: str, thing: Any, *__: object) -> bool | None:
        package, _, module = (getattr(thing, "__module__", None) or "").partition(".")
        page = app.env.docname.rpartition("/")[2].replace("estimators", "model")
        elsewhere = what == "module" and package and (package, module.split(".")[0]) != ("dcrc_explore", page)
        return True if elsewhere or name.endswith(("_request", "_routing")) else None

    def with_notebooks(_: Sphinx, page: str, source: list[str]) -> None:
        source[0] += BELOW.get(page, "")

    def film(app: Sphinx, exception: Exception | None) -> None:
        if exception is None and app.builder.format == "html":
            session = Session("elongated", autosave=None)
            session.answer_by_oracle(20, strategy="guided", oracle="truth")
            page = Path(app.outdir) / "site" / "film.html"
            page.unlink(missing_ok=True)
            session.export.to_html(page)

    app.connect("build-finished", film)
    app.connect("autodoc-skip-member", is_foreign)
    app.connect("source-read", with_notebooks)
