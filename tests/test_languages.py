"""The languages of phones: every table is whole, browsers get what they want, and a study or a class decides."""

from __future__ import annotations

import http.client
import json
import re
from pathlib import Path
from string import Formatter
from typing import Any

import numpy as np
import pytest

from dcrc_explore.room import Cards, FixedQuestions, Room, Server, TextPage
from dcrc_explore.room.classroom import Classroom
from dcrc_explore.room.study import PlanError, Study, parse_plan
from dcrc_explore.room.wording import languages, table, wished
from dcrc_explore.session import Session

ROOM = Path(__file__).parents[1] / "dcrc_explore" / "room"
STARRED = re.compile(r"\*(\w)\*")
OTHERS = sorted(set(languages()) - {"en"})


def forms(text: str | dict[str, str]) -> list[str]:
    return list(text.values()) if isinstance(text, dict) else [text]


def names(text: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(text)} - {None}


@pytest.mark.parametrize("language", OTHERS)
def test_every_table_is_whole(language: str) -> None:
    own, english = table(language), table("en")
    assert set(own) == set(english)
    for key, text in own.items():
        assert isinstance(text, dict) == isinstance(english[key], dict), key
        for form in forms(text):
            assert form.strip() == form != "", key
            assert names(form) <= names(forms(english[key])[-1]), key
            assert sorted(STARRED.findall(form)) == sorted(STARRED.findall(forms(english[key])[-1])), key
        assert names(forms(text)[-1]) == names(forms(english[key])[-1]), key
        if isinstance(text, dict):
            assert "other" in text
            assert set(text) <= {"zero", "one", "two", "few", "many", "other"}
    assert sum(own[key] == text for key, text in english.items()) < 8, "translated"


def test_every_text_is_used_and_none_is_missing() -> None:
    sources = "".join(path.read_text() for path in [*ROOM.rglob("*.py"), *ROOM.rglob("*.js"), *ROOM.rglob("*.html")])
    said = set(re.findall(r"\bsay\(\s*\"(\w+)\"", sources))
    quoted = set(re.findall(r"[\"{](\w+)[\"}]", sources))
    of_answers = {f"{kind}_{answer}" for kind in ("three", "two") for answer in ("yes", "no", "dnk")}
    assert said <= set(table("en"))
    assert set(table("en")) <= quoted | of_answers


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("en;q=0.5, ja", "ja"),
        ("da, zh-Hans-CN;q=0.1", "zh"),
        ("*", "en"),
        (";q=x,,q;q=1e999,\xff", "en"),
        ("fr;q=0.1," * 10_000, "fr"),
        ("../de", "en"),
    ],
)
def test_a_browser_gets_what_it_wants_most(header: str, language: str) -> None:
    assert wished(header) == language


def make_room(language: str = "") -> Room:
    source = FixedQuestions(Cards.of_points(np.eye(9)[:, :2]), [(0, 1, 2), (3, 4, 5)])
    source.language = language
    return Room(source)


class Browser:
    """Asks a server as a browser in a language does."""

    def __init__(self, server: Server, language: str) -> None:
        self.server, self.headers = server, {"Accept-Language": language, "Host": f"127.0.0.1:{server.port}"}
        self.headers["Origin"] = f"http://127.0.0.1:{server.port}"

    def ask(self, path: str, body: Any = None) -> str:
        line = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        headers = {**self.headers, "Content-Type": "application/json"}
        line.request("GET" if body is None else "POST", path, None if body is None else json.dumps(body), headers)
        text = line.getresponse().read().decode()
        line.close()
        return text

    def inside(self, path: str, body: Any = None) -> Any:
        return json.loads(self.ask(f"/{self.server.room.code}/{path}", body))

    def join(self) -> dict[str, Any]:
        joined = self.inside("join", {"nickname": ""})
        self.headers["X-Participant"] = joined["token"]
        return joined


def test_each_phone_reads_the_language_of_its_browser() -> None:
    with Server(make_room(), port=0) as server:
        german, french = Browser(server, "de-CH,de;q=0.9"), Browser(server, "fr")
        assert (german.join()["name"], french.join()["name"]) == ("Gast 1", "invité 2")
        assert german.inside("steps")["steps"][0]["label"] == "Frage 1 von 2"
        assert french.inside("steps")["steps"][0]["label"] == "Question 1 sur 2"
        refused = german.inside("answer", {"step": "7", "value": "yes", "seconds": 1})
        assert refused["error"] == "Diese Frage wurde Ihnen nicht gestellt."
        page = german.ask(f"/{server.room.code}/")
        assert '<html lang="de">' in page
        assert "Diese Seite braucht JavaScript" in page
        words = re.search(r'<script id="words" type="application/json">(.*)</script>', page)
        assert words is not None
        assert json.loads(words[1]) == table("de")
        assert "Code de la salle" in french.ask("/")
        assert "Aucune salle n’a ce code." in french.ask("/?code=x")


def test_a_room_decides_for_all_its_browsers() -> None:
    with Server(make_room("ja"), port=0) as server:
        german = Browser(server, "de")
        assert german.join()["name"] == "ゲスト 1"
        assert '<html lang="ja">' in german.ask(f"/{server.room.code}/")


def test_a_class_and_a_plan_name_a_language(tmp_path: Path) -> None:
    with Classroom(Session("emoji", autosave=None), tmp_path / "class.jsonl", port=0, language="it") as room:
        assert Browser(room.server, "de").join()["title"] == "Quali vanno insieme?"
    with pytest.raises(ValueError, match=r"language must be one of de, en, .*got 'xx'"):
        Classroom(Session("emoji", autosave=None), tmp_path / "other.jsonl", language="xx")
    text = 'title = "A"\ndata = "iris"\nlanguage = "es"\n[[block]]\nkind = "pairs"\ncount = 3\ntext = "Continue"'
    study = Study(parse_plan(text), tmp_path / "data")
    with study, Server(study.room(), port=0) as server:
        spanish = Browser(server, "en")
        assert spanish.join()["title"] == "A"
        step = spanish.inside("steps")["steps"][0]
        assert (step["title"], step["text"], step["button"]) == ("Dos elementos", "Continue", "Empezar")
    with pytest.raises(PlanError, match="line 3: language must be one of"):
        parse_plan(text.replace('"es"', '"english"'))


def test_what_a_lecturer_writes_is_left_alone() -> None:
    room = make_room()
    room.source.steps = lambda number: [TextPage("0", "Yes", "No", "Start")]  # type: ignore[method-assign]
    with Server(room, port=0) as server:
        german = Browser(server, "de")
        german.join()
        step = german.inside("steps")["steps"][0]
        assert (step["title"], step["text"], step["button"]) == ("Yes", "No", "Start")
