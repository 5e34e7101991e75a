"""The pages of the site that are not notebooks: what is to be pasted works."""

from __future__ import annotations

import ast
import re
import runpy
from importlib import import_module
from pathlib import Path

import pytest

import dcrc_explore

SITE = Path(__file__).parent.parent / "notebooks" / "site"
PAGES = [SITE / "index.md", *sorted((SITE / "howto").glob("*.md"))]
REFERENCE = "".join(page.read_text() for page in sorted((SITE / "reference").glob("*.md")))
CODE = {page.stem: re.findall(r"```python\n(.*?)```", page.read_text(), flags=re.DOTALL) for page in PAGES}


# The guide on what else can answer needs a server: test_site_answering.py has one.
@pytest.mark.parametrize("name", [name for name, blocks in CODE.items() if blocks and name != "answering"])
def test_code_of_a_page_runs_when_pasted(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for code in CODE[name]:  # one after the other, as a reader pastes them
        exec(compile(code, f"{name}.md", "exec"), names)
    assert capsys.readouterr().out


def test_every_guide_is_listed() -> None:
    listed = (SITE / "howto" / "index.md").read_text().split("```")[1].split()
    assert {page.stem for page in PAGES[1:]} - {"index"} <= set(listed)


def test_slides_of_the_lecture_load_nothing_from_elsewhere() -> None:
    notebooks = sorted(SITE.parent.glob("0[1-4]-*.ipynb"))
    page = runpy.run_path(str(SITE.parent / "slides.py"))["make_page"](notebooks)
    assert page.count("<h2") > 15
    assert "Take away" in page
    assert "plt.subplots" not in page  # folded code is left out
    loaded = re.findall(r"<(?:script|link)[^>]*(?:src|href)=[\"']([^\"']+)", page)
    assert {address.split("/")[0] for address in loaded} == {"reveal.js", "mathjax"}


def public_names() -> dict[str, set[str]]:
    """The names that the reference lists, by module."""
    names: dict[str, set[str]] = {}
    for module, options in re.findall(r"automodule:: ([\w.]+)\n((?:   :.*\n)*)", REFERENCE):
        if ":no-members:" not in options:
            names[module] = set(import_module(module).__all__)
    for module, name in re.findall(r"auto(?:function|class):: ([\w.]+)\.(\w+)", REFERENCE):
        names.setdefault(module, set()).add(name)
    return names


def test_the_reference_lists_what_is_public_and_nothing_else() -> None:
    public = public_names()
    package = Path(dcrc_explore.__file__).parent
    promised = {}
    for path in package.rglob("*.py"):
        if re.search(r"^__all__ = ", path.read_text(encoding="utf-8"), flags=re.MULTILINE):
            name = ".".join(path.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__")
            promised[name] = set(import_module(name).__all__)
    assert {name: names for name, names in public.items() if name in promised} == promised
    assert all(hasattr(import_module(module), name) for module, names in public.items() for name in names)


def test_guides_import_public_names_only() -> None:
    public = public_names()
    for page in [SITE.parent.parent / "README.md", *PAGES]:
        for code in re.findall(r"```python\n(.*?)```", page.read_text(), flags=re.DOTALL):
            for node in ast.walk(ast.parse(code)):
                if isinstance(node, ast.ImportFrom) and str(node.module).startswith("dcrc_explore"):
                    assert {name.name for name in node.names} <= public[str(node.module)], page.name
