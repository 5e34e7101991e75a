"""The pages of the site that are not notebooks: what is to be pasted works."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

SITE = Path(__file__).parent.parent / "notebooks" / "site"
PAGES = [SITE / "index.md", *sorted((SITE / "howto").glob("*.md"))]
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
