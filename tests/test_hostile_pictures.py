"""PNG and SVG files of the tools: names are text there too, whatever is in them."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from hostile import AWKWARD, HOSTILE, hostile_session

from dcrc_explore.widgets import Compare, Explorer


def what_acts(svg: str) -> list[str]:
    """Elements and attributes of a picture that run or open something."""
    found = []
    for element in ElementTree.fromstring(svg).iter():
        found += [element.tag] if element.tag.rpartition("}")[2] in {"script", "foreignObject", "a"} else []
        found += [name for name in element.attrib if name.lower().startswith("on")]
        found += [text for text in element.attrib.values() if "javascript:" in text]
    return found


@pytest.mark.parametrize("name", [*HOSTILE[:2], AWKWARD + "$x_{$"], ids=["tag", "formula", "awkward"])
def test_no_name_acts_in_a_picture(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    session = hostile_session(name)
    for tool in (Explorer(session=session), Compare(session)):
        for kind in ("png", "svg"):
            tool.export(kind)
            assert tool.notice["text"].startswith("Written to"), tool.notice
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.suffix for path in written} == {".png", ".svg"}
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in written if path.suffix == ".png")
    acting = {path.name: what_acts(path.read_text()) for path in written if path.suffix == ".svg"}
    assert {name: found for name, found in acting.items() if found} == {}
