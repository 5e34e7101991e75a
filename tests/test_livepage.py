"""What a live page brings along, and what its scenes show without Python; the page itself is in tests/browser."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode
from pathlib import Path

import pytest
from test_browser_half import node

from dcrc_explore.cli import main
from dcrc_explore.datasets import list_datasets
from dcrc_explore.scenes import load_scene
from dcrc_explore.session import Session, SessionError
from dcrc_explore.widgets import Explorer
from dcrc_explore.widgets.livepage import live_page

HARNESS = Path(__file__).parent / "js" / "live.mjs"


def brought(page: str) -> dict[str, object]:
    zipped = re.findall(r'id="zipped">(.*?)</script>', page)[0]
    code = gzip.decompress(b64decode(zipped)).decode()
    found: dict[str, object] = json.loads(json.loads(re.findall(r"page = \(\) => JSON.parse\((.*)\);\n", code)[0]))
    return found


def test_scenes_keep_their_promises_without_python() -> None:
    page = brought(live_page())
    run = node(str(HARNESS), text=json.dumps(page))
    assert run.returncode == 0, run.stderr
    played = json.loads(run.stdout)["scenes"]
    assert {"answers-pay", "one-wrong-answer", "balance", "draw-your-own"} < set(played)
    for name, seen in played.items():
        scene = load_scene(name)
        for effect in scene.effects:
            moments = effect.better, effect.worse
            better, worse = (seen["agreement"][moment.step][int(moment.second)] for moment in moments)
            assert better - worse >= effect.by, (name, effect.words, better, worse)
        assert seen["words"][0] == scene.steps[0].text
        assert seen["back"] == seen["agreement"][0]


def test_a_page_makes_all_data_that_are_generated() -> None:
    module = (HARNESS.parents[2] / "dcrc_explore/widgets/static/live/generators.js").as_uri()
    code = f"import {{ GENERATORS }} from {json.dumps(module)}; console.log(JSON.stringify(Object.keys(GENERATORS)))"
    run = node("--input-type=module", "--eval", code)
    assert run.returncode == 0, run.stderr
    assert sorted(json.loads(run.stdout)) == sorted(list_datasets())


def test_a_page_says_what_it_does_not_take() -> None:
    with pytest.raises(SessionError, match="a live page takes at most 20 features, got 30"):
        live_page(Session("breast-cancer", autosave=None))
    with pytest.raises(SessionError, match=r"a live page can begin with one of answers-pay, .*, got 'photos'"):
        live_page(scene="photos")
    assert "export.live" in Explorer("moons", autosave=None).values
    assert "export.live" not in Explorer("breast-cancer", autosave=None).values


def test_the_content_policy_lets_nothing_in_or_out() -> None:
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', live_page())
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert not re.search("http|unsafe-eval|script-src[^;]*unsafe", policy)


def test_the_command_writes_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = Session("moons", autosave=tmp_path / "moons.json")
    session.answer((0, 1, 60), "yes")
    assert main(["page", str(tmp_path / "moons.json"), "--to", str(tmp_path / "moons.html")]) == 0
    assert capsys.readouterr().out.strip() == str(tmp_path / "moons.html")
    start = brought((tmp_path / "moons.html").read_text(encoding="utf-8"))["start"]
    assert isinstance(start, dict)
    assert start["log"] == [[[0, 1, 60], 1, "user", False]]
    assert main(["page", "dont-know", "--to", str(tmp_path / "live.mjs")]) == 0
    assert (tmp_path / "live.mjs").read_text(encoding="utf-8").rstrip().endswith("import.meta.url, widget) };")
    assert main(["page", "nothing-of-the-kind"]) == 1
    assert "can begin with one of" in capsys.readouterr().err


def test_the_tool_writes_a_page(tmp_path: Path) -> None:
    explorer = Explorer("close", autosave=tmp_path)
    explorer.session.answer((0, 1, 2), "dnk")
    explorer.move("export.live")
    (written,) = tmp_path.glob("*live*.html")
    assert written.name in explorer.notice["text"]
