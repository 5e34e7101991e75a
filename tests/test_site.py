"""The pages of the site that are not notebooks: what is to be pasted works."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SITE = Path(__file__).parent.parent / "notebooks" / "site"
PAGES = [SITE / "index.md", *sorted((SITE / "howto").glob("*.md"))]
CODE = {page.stem: re.findall(r"```python\n(.*?)```", page.read_text(), flags=re.DOTALL) for page in PAGES}


@pytest.mark.parametrize("name", [name for name, blocks in CODE.items() if blocks])
def test_code_of_a_page_runs_when_pasted(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    for code in CODE[name]:
        exec(compile(code, f"{name}.md", "exec"), {})
    assert capsys.readouterr().out


def test_every_guide_is_listed() -> None:
    listed = (SITE / "howto" / "index.md").read_text().split("```")[1].split()
    assert {page.stem for page in PAGES[1:]} - {"index"} <= set(listed)
