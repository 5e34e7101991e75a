"""A room: who gets in, what is accepted, and that nothing else is."""

from __future__ import annotations

import http.client
import json
import re
import socket
import subprocess
import sys
import threading
import wave
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcrc_explore.constraints import Answer
from dcrc_explore.datasets import Images, SoundFiles, Texts, load_dataset
from dcrc_explore.room import (
    Cards,
    FixedQuestions,
    Limits,
    QuestionPage,
    Refused,
    Room,
    Server,
    TextPage,
    nickname,
    qr_svg,
)
from dcrc_explore.room.client import Phone
from dcrc_explore.room.lines import Lines
from dcrc_explore.tables import as_cell

POINTS = Cards.of_points(np.random.default_rng(0).normal(size=(20, 2)))
QUESTIONS = [(0, 1, 2), (3, 4, 5), (6, 7), (8, 9, 10)]


def make_room(**options: object) -> Room:
    return Room(FixedQuestions(POINTS, QUESTIONS), **options)  # type: ignore[arg-type]


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(make_room(), port=0) as server:
        yield server


def ask(server: Server, path: str, method: str = "GET", body: object = None, **headers: str) -> tuple[int, dict, bytes]:
    """Send one request as a browser does; returns status, headers and content."""
    host = f"127.0.0.1:{server.port}"
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    sent = {
        "Host": host,
        **({"Origin": f"http://{host}", "Content-Type": "application/json"} if body is not None else {}),
    }
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    content = body if isinstance(body, bytes | None) else json.dumps(body)
    connection.request(method, path, content, {name: value for name, value in sent.items() if value})
    reply = connection.getresponse()
    result = reply.status, dict(reply.getheaders()), reply.read()
    connection.close()
    return result


def inside(server: Server, path: str) -> str:
    return f"/{server.room.code}/{path}"


# What is accepted -----------------------------------------------------------------------------------------------------


def test_answers_arrive_once_with_who_gave_them(server: Server) -> None:
    ann, bob = Phone(server.address, "Ann"), Phone(server.address, "Bob")
    for phone in (ann, bob):
        steps = phone.steps()
        while steps:
            steps = phone.answer(steps[0]["id"], "dnk", 1.25)["steps"]
    answers = server.room.source.answers
    assert sorted((who, rows) for who, rows, *_ in answers) == sorted((n, rows) for n in (1, 2) for rows in QUESTIONS)
    assert {answer for *_, answer, seconds in answers if seconds == 1.25} == {Answer.DNK}
    assert server.room.source.names == {1: "Ann", 2: "Bob"}


def test_the_next_question_is_handed_out_ahead(server: Server) -> None:
    phone = Phone(server.address)
    first, second = phone.steps()
    assert phone.answer(first["id"], "yes", 1)["steps"][0] == second


def test_the_same_answer_sent_many_times_at_once_counts_once(server: Server) -> None:
    token = Phone(server.address).token
    with ThreadPoolExecutor(8) as pool:
        phones = [Phone(server.address, token=token) for _ in range(8)]
        saved = list(pool.map(lambda phone: phone.answer("0", "yes", 1)["saved"], phones))
    assert sorted(saved) == ["before"] * 7 + ["new"]
    assert len(server.room.source.answers) == 1


def test_only_questions_handed_out_to_the_participant_are_taken(server: Server) -> None:
    phone = Phone(server.address)
    phone.steps()
    for step in ("3", "99", "", "0' OR 1=1", "../0", None, 17, ["0"]):
        with pytest.raises(RuntimeError, match="409"):
            phone.answer(step, "yes", 1)  # type: ignore[arg-type]
    assert server.room.source.answers == []


@pytest.mark.parametrize("value", ["maybe", "", None, 1, True, ["yes"], {"yes": 1}, "YES", "x" * 5000])
def test_other_answers_are_refused(server: Server, value: object) -> None:
    phone = Phone(server.address)
    phone.steps()
    with pytest.raises(RuntimeError, match="400"):
        phone.answer("0", value, 1)
    assert server.room.source.answers == []


@pytest.mark.parametrize("seconds", ["soon", None, -1, float("nan"), 1e9, True, [1], 10**400])
def test_seconds_must_be_a_time(server: Server, seconds: object) -> None:
    phone = Phone(server.address)
    phone.steps()
    with pytest.raises(RuntimeError, match="400"):
        phone.answer("0", "yes", seconds)  # type: ignore[arg-type]


def test_a_question_without_dont_know_does_not_take_it() -> None:
    with pytest.raises(ValueError, match="one of yes, no, got 'dnk'"):
        QuestionPage("1", (0, 1), dnk=False).check("dnk")
    with pytest.raises(ValueError, match="next"):
        TextPage("1", "Title", "Text").check("yes")


def test_a_token_brings_back_the_same_participant_after_a_restart() -> None:
    room = make_room(code="kiwi-42-owl", secret=b"secret" * 6)
    with Server(room, port=0) as server:
        phone = Phone(server.address, "Ann")
        phone.answer(phone.steps()[0]["id"], "yes", 1)
    again = Room(room.source, code="kiwi-42-owl", secret=b"secret" * 6)
    with Server(again, port=0) as server:
        back = Phone(server.address, token=phone.token)
        assert back.number == phone.number
        assert back.steps()[0]["id"] == "1"
        # Also somebody who does not ask first: what was handed out before the restart is known again.
        assert Phone(server.address, token=phone.token).answer("1", "no", 1)["saved"] == "new"


def test_a_token_of_another_room_or_made_up_is_not_accepted(server: Server) -> None:
    phone, other = Phone(server.address), make_room()
    foreign = other.join(None)["token"]
    for token in (foreign, "1.", "1", "", phone.token[:-1], f"2{phone.token[1:]}", "9" * 70, "１.x"):
        with pytest.raises(Refused):
            server.room.steps(token)


def test_pause_close_and_forget(server: Server) -> None:
    room, phone = server.room, Phone(server.address, "Ann")
    phone.steps()
    room.pause()
    assert phone.call("steps?seen=0") == {"version": room.version, "state": "paused", "steps": []}
    assert phone.answer("0", "yes", 1)["saved"] == "new", "an answer on its way is taken"
    room.resume()
    assert phone.steps()[0]["id"] == "1"
    room.forget(phone.number)
    assert room.source.answers == []
    with pytest.raises(RuntimeError, match="410"):
        phone.steps()
    room.close()
    with pytest.raises(RuntimeError, match="410"):
        Phone(server.address)


def test_phones_that_wait_hear_of_a_change_at_once(server: Server) -> None:
    phone = Phone(server.address)
    seen = phone.call("steps?seen=0")["version"]
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(phone.call, f"steps?seen={seen}")
        server.room.pause()
        assert waiting.result(timeout=20)["state"] == "paused"


def test_who_is_present(server: Server) -> None:
    Phone(server.address, "Ann")
    Phone(server.address)
    assert [person.name for person in server.room.present()] == ["Ann", "guest 2"]


# The door -------------------------------------------------------------------------------------------------------------


ROUTES = ("", "room.js", "views.js", "room.css", "join", "steps", "answer", "back", "plane", "x", f"item/1/{'0' * 20}")


@pytest.mark.parametrize("path", ROUTES)
def test_every_route_needs_the_code(server: Server, path: str) -> None:
    for code in ("wrong", server.room.code[:-1], "%2e%2e", "x" * 90):
        for method, body in (("GET", None), ("POST", {})):
            status, _, content = ask(server, f"/{code}/{path}", method, body)
            assert status in (404, 405), (code, path, method)
            assert server.room.code.encode() not in content


def test_wrong_codes_are_limited_and_who_is_inside_notices_nothing() -> None:
    noise = np.random.default_rng(0).integers(0, 255, (6, 20, 20, 3), dtype=np.uint8)
    room = Room(FixedQuestions(Cards(Images(noise)), [(0, 1, 2)]), limits=Limits(wrong_codes_per_address=(0.001, 3)))
    with Server(room, port=0) as server:
        status, headers, content = ask(server, inside(server, "join"), "POST", {"nickname": ""})
        token, cookie = json.loads(content)["token"], headers["Set-Cookie"].partition(";")[0]
        assert status == 200
        assert all(word in headers["Set-Cookie"] for word in ("HttpOnly", "SameSite=Strict", f"Path=/{room.code}/"))
        assert [ask(server, "/wrong/")[0] for _ in range(5)] == [404, 404, 404, 429, 429]
        assert ask(server, inside(server, ""))[0] == 429, "a guesser does not learn the right code either"
        steps = json.loads(ask(server, inside(server, "steps"), X_Participant=token)[2])["steps"]
        pictures = [item["src"] for item in steps[0]["items"]]
        for path in ("", "room.js", "views.js", "room.css", *pictures):
            assert ask(server, inside(server, path), Cookie=cookie)[0] == 200, path
        body = {"step": steps[0]["id"], "value": "yes", "seconds": 1}
        assert ask(server, inside(server, "answer"), "POST", body, Cookie=cookie)[0] == 429, "a cookie answers nothing"
        assert ask(server, inside(server, "answer"), "POST", body, X_Participant=token)[0] == 200


def test_guesses_from_other_addresses_lock_nobody_out() -> None:
    limits = Limits(wrong_codes_per_address=(0.001, 3))
    with Server(make_room(limits=limits), host="0.0.0.0", port=0) as server:
        for n in range(2, 40):
            for _ in range(4):
                line = http.client.HTTPConnection("127.0.0.1", server.port, source_address=(f"127.0.0.{n}", 0))
                line.request("GET", "/wrong/")
                line.getresponse().read()
                line.close()
        assert ask(server, inside(server, ""))[0] == 200


@pytest.mark.parametrize("path", ["/favicon.ico", "/robots.txt", "/apple-touch-icon.png"])
def test_what_browsers_fetch_by_themselves_is_no_guess(path: str) -> None:
    with Server(make_room(limits=Limits(wrong_codes_per_address=(0.001, 2))), port=0) as server:
        assert [ask(server, path)[0] for _ in range(5)] == [404] * 5
        assert ask(server, inside(server, ""))[0] == 200


def test_requests_from_outside_leave_those_inside_alone() -> None:
    with Server(make_room(limits=Limits(requests_per_address=(0.001, 8))), port=0) as server:
        phone = Phone(server.address)
        assert {ask(server, "/")[0] for _ in range(20)} == {200, 429}
        assert phone.answer(phone.steps()[0]["id"], "yes", 1)["saved"] == "new"


# Connections ----------------------------------------------------------------------------------------------------------


def test_idle_connections_of_strangers_cost_nobody_a_place() -> None:
    """As many as the process may open files at all, without a code, from one address."""
    script = "import resource, sys; resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256)); " + SERVE
    server = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)  # fmt: skip
    assert server.stdout is not None
    address = server.stdout.readline().strip()
    port = urlsplit(address).port
    idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(600)]
    try:
        for _ in range(3):
            phone = Phone(address)
            assert phone.answer(phone.steps()[0]["id"], "yes", 1)["saved"] == "new"
    finally:
        for line in idle:
            line.close()
        _, log = server.communicate("", timeout=30)
    assert "Traceback" not in log
    assert len(log.splitlines()) < 5


SERVE = """
import numpy as np
from dcrc_explore.room import Cards, FixedQuestions, Room, Server
with Server(Room(FixedQuestions(Cards.of_points(np.eye(9)[:, :2]), [(0, 1, 2), (3, 4, 5)])), port=0) as server:
    print(server.address, flush=True)
    sys.stdin.read()
"""


def test_connections_of_a_participant_are_limited_and_the_newest_stay() -> None:
    lines = Lines(Limits(connections_per_person=2, connections_outside=3), 100)
    for n in range(4):
        assert lines.open(n, "192.0.2.7") == []
        assert lines.enter(n, 1) == ([n - 2] if n > 1 else [])
    assert [lines.open(f"outside {n}", f"192.0.2.{n}") for n in range(4)] == [[], [], [], ["outside 0"]]
    assert len(lines) == 5


def test_when_all_connections_are_taken_whoever_has_most_gives_one_up() -> None:
    lines = Lines(Limits(), 10)
    for number, n in ((1, 2), (2, 6), (3, 2)):
        for t in range(n):
            lines.open((number, t), "192.0.2.7")
            lines.enter((number, t), number)
    assert lines.open("newcomer", "192.0.2.8") == [(2, 0)]
    assert lines.enter("newcomer", 4) == []
    for n in range(1, 4):
        assert lines.open(n, "192.0.2.8") == [(2, n)]
    assert lines.open("too many", "192.0.2.9") == [1], "phones keep the two that they need"


def test_a_full_room_has_places_again_for_who_stays() -> None:
    room = make_room(limits=Limits(participants=3, participants_per_address=2))
    first = [room.join(None, "", "192.0.2.7") for _ in range(2)]
    with pytest.raises(Refused, match="from this address"):
        room.join(None, "", "192.0.2.7")
    room.join(None, "", "192.0.2.8")
    with pytest.raises(Refused, match="full"):
        room.join(None, "", "192.0.2.9")
    room.people[first[0]["number"]].seen -= 100
    room.join(None, "", "192.0.2.9")


def test_nicknames_change_at_a_walking_pace_and_guest_is_reserved() -> None:
    room = make_room()
    ann = room.join(None, "Ann")
    for n in range(5):
        room.join(ann["token"], f"Ann {n}")
    with pytest.raises(Refused, match="Too many changes"):
        room.join(ann["token"], "Bob")
    for name in ("guest 1", "Guest", "GUEST-12", "\uff47uest 1"):
        assert nickname(name) == ""


def test_a_disk_that_is_full_is_said_once_and_the_answer_is_taken_later(caplog: pytest.LogCaptureFixture) -> None:
    class Full(FixedQuestions):
        full = True

        def take(self, *given: Any) -> None:
            if self.full:
                raise OSError(28, "No space left on device")
            super().take(*given)

    source = Full(POINTS, QUESTIONS)
    room = Room(source)
    token = room.join(None)["token"]
    for _ in range(3):
        assert room.steps(token)["steps"], "what needs no disk goes on, and says nothing about it"
        with pytest.raises(Refused, match="cannot save answers now"):
            room.answer(token, "0", "yes", 1)
    assert (room.problem, len(caplog.records)) == ("Nothing can be saved: No space left on device", 1)
    source.full = False
    assert room.answer(token, "0", "yes", 1)["saved"] == "new"
    assert room.problem == ""


def test_a_room_closes_only_when_the_answer_on_its_way_is_stored() -> None:
    class Slow(FixedQuestions):
        def take(self, *given: Any) -> None:
            closing = threading.Thread(target=room.close)
            closing.start()
            closing.join(0.3)  # long enough for whoever does not wait
            assert room.state == "open"
            super().take(*given)

    room = Room(Slow(POINTS, QUESTIONS))
    token = room.join(None)["token"]
    step = room.steps(token)["steps"][0]["id"]
    assert room.answer(token, step, "yes", 1)["saved"] == "new"


def test_the_log_never_shows_the_code(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    server.room.source.steps = lambda number: 1 / 0
    phone = Phone(server.address)
    assert ask(server, inside(server, "steps"), X_Participant=phone.token)[0] == 500
    assert "ZeroDivisionError" in caplog.text
    assert server.room.code not in caplog.text


@pytest.mark.parametrize(
    "request_line", ["GET /%ff/", "FOO /", "HEAD /{code}/", "GET /?code=%ff", "GET /{code}/steps?seen=%ff"]
)
def test_what_strangers_send_writes_nothing_into_the_log(
    server: Server, caplog: pytest.LogCaptureFixture, request_line: str
) -> None:
    method, path = request_line.format(code=server.room.code).split()
    assert ask(server, path, method, X_Participant=Phone(server.address).token)[0] in (400, 403, 404, 405)
    assert caplog.text == ""


def test_phones_that_hang_up_write_nothing_into_the_log(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    phone, other = Phone(server.address), Phone(server.address)
    seen = phone.call("steps?seen=0")["version"]
    line = socket.create_connection(("127.0.0.1", server.port))
    head = f"GET {inside(server, f'steps?seen={seen}')} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
    line.sendall(f"{head}X-Participant: {phone.token}\r\n\r\n".encode())
    while not server._waiting[phone.number]:
        other.steps()
    line.close()
    while len(server.lines) > 2:
        other.steps()
    server.room.pause()
    other.call("steps?seen=0")
    while server._waiting[phone.number]:
        other.call("steps?seen=0")
    other.call("steps?seen=0")
    assert caplog.text == ""


def test_the_door_takes_a_code_that_is_typed(server: Server) -> None:
    assert b"Code of the room" in ask(server, "/")[2]
    typed = server.room.code.upper().replace("-", "%20")
    status, headers, _ = ask(server, f"/?code={typed}")
    assert (status, headers["Location"]) == (303, f"/{server.room.code}/")
    status, headers, content = ask(server, "/?code=%3Cscript%3E")
    assert status == 404
    assert b"<script" not in content


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "192.0.2.7:{port}",
                                  "127.0.0.1.evil.example:{port}"])  # fmt: skip
def test_other_names_are_refused_on_this_machine(server: Server, host: str) -> None:
    assert ask(server, inside(server, ""), Host=host.format(port=server.port))[0] == 421


def test_an_open_room_is_reached_by_numbers_and_by_names_that_were_given() -> None:
    with Server(make_room(), host="0.0.0.0", port=0, names=["Study.example"]) as server:
        own = f"192.0.2.7:{server.port}"
        assert server.is_open
        assert server.address == f"https://study.example/{server.room.code}"
        assert [ask(server, inside(server, ""), Host=host)[0] for host in (own, "study.example", "evil.example")] == [
            200,
            200,
            421,
        ]
        join = inside(server, "join")
        assert ask(server, join, "POST", {}, Host="study.example", Origin="https://study.example")[0] == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", "https://127.0.0.1:1"])
def test_other_pages_can_not_answer(server: Server, origin: str) -> None:
    assert ask(server, inside(server, "join"), "POST", {}, Origin=origin)[0] == 403


def test_other_pages_can_not_read_but_a_link_works(server: Server) -> None:
    address = inside(server, "")
    assert ask(server, address, Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="cors")[0] == 403
    assert ask(server, address, Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate")[0] == 200


def test_headers_let_nothing_else_in_or_out(server: Server) -> None:
    for path in (inside(server, ""), inside(server, "steps"), "/wrong/", "/"):
        headers = ask(server, path)[1]
        assert headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self'; ")
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cache-Control"] == "no-store"
        assert "Server" not in headers


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"not json", 400),
        (b"[]", 400),
        (b"[" * 10_000, 400),
        (b'"x"', 400),
        (b"\xff\xfe", 400),
        (b"{}" + b" " * 20_000, 0),
    ],
)
def test_bad_bodies_are_refused(server: Server, body: bytes, status: int) -> None:
    if status:
        assert ask(server, inside(server, "join"), "POST", body)[0] == status
    else:
        with suppress(ConnectionError, http.client.HTTPException):  # the line may be cut before all of it has come
            assert ask(server, inside(server, "join"), "POST", body)[0] in (400, 413)
    assert ask(server, inside(server, "join"), "POST", b"{}", Content_Type="text/plain")[0] == 415


@pytest.mark.parametrize(
    "path", ["../", "../../etc/passwd", "%2e%2e/%2e%2e/", "static/", "room.py", "item/../room.js", "item/1"]
)
def test_no_folder_is_served(server: Server, path: str) -> None:
    assert ask(server, inside(server, path))[0] == 404


def test_participants_are_limited() -> None:
    with Server(make_room(limits=Limits(participants=2)), port=0) as server:
        first = [Phone(server.address) for _ in range(2)]
        status, _, content = ask(server, inside(server, "join"), "POST", {"nickname": ""})
        assert (status, json.loads(content)["error"]) == (503, "This room is full.")
        assert Phone(server.address, token=first[0].token).number == 1


def test_rates_are_limited_for_each_address() -> None:
    with Server(make_room(limits=Limits(requests_per_address=(0.001, 5))), port=0) as server:
        assert [ask(server, "/")[0] for _ in range(7)] == [200] * 5 + [429] * 2
    with Server(make_room(limits=Limits(joins_per_address=(0.001, 2))), port=0) as server:
        joined = [ask(server, inside(server, "join"), "POST", {"nickname": ""}) for _ in range(3)]
        assert [status for status, *_ in joined] == [200, 200, 429]
        token = json.loads(joined[0][2])["token"]
        assert Phone(server.address, token=token).number == 1, "who was here comes back"
    with Server(make_room(limits=Limits(answers_per_person=(0.001, 1))), port=0) as server:
        room = server.room
        token = room.join(None)["token"]
        room.steps(token)
        room.answer(token, "0", "yes", 1)
        with pytest.raises(Refused, match="Too many"):
            room.answer(token, "1", "yes", 1)
        assert room.answer(token, "0", "yes", 1)["saved"] == "before", "what is saved may be asked again"


def test_requests_that_wait_are_limited() -> None:
    with Server(make_room(limits=Limits(waiting_per_person=0)), port=0) as server:
        phone = Phone(server.address)
        seen = phone.call("steps?seen=0")["version"]
        assert ask(server, inside(server, f"steps?seen={seen}"), X_Participant=phone.token)[0] == 429


def test_a_slow_client_stops_nobody(server: Server) -> None:
    slow = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(20)]
    for line in slow:
        line.sendall(b"POST /x HTTP/1.1\r\nContent-Length: 100\r\n")
    phone = Phone(server.address)
    assert phone.answer(phone.steps()[0]["id"], "yes", 1)["saved"] == "new"
    for line in slow:
        line.close()


# Items and names ------------------------------------------------------------------------------------------------------


def test_pictures_are_small_and_only_those_handed_out_are_given() -> None:
    noise = np.random.default_rng(0).integers(0, 255, (6, 600, 900, 3), dtype=np.uint8)
    with Server(Room(FixedQuestions(Cards(Images(noise)), [(0, 1, 2)])), port=0) as server:
        items = Phone(server.address).steps()[0]["items"]
        names = [item["src"] for item in items]
        assert len(set(names)) == 3
        for name in names:
            status, headers, content = ask(server, inside(server, name))
            assert (status, headers["Content-Type"]) == (200, "image/webp")
            assert len(content) < 60_000
            assert "immutable" in headers["Cache-Control"]
        with pytest.raises(Refused):
            server.room.row(1, "0" * 20)
        other = Phone(server.address)
        foreign = names[0].replace("item/1/", f"item/{other.number}/")
        assert ask(server, inside(server, foreign))[0] == 404, "what is shown belongs to a token"


def test_texts_are_text_and_sounds_are_sounds(tmp_path: Path) -> None:
    hostile = "<img src=x onerror=alert(1)>"
    room = Room(FixedQuestions(Cards(Texts([hostile, "b", "c"])), [(0, 1, 2)]))
    assert room.steps(room.join(None)["token"])["steps"][0]["items"][0] == {"kind": "text", "text": hostile}
    for n in range(3):
        with wave.open(str(tmp_path / f"{n}.wav"), "wb") as file:
            file.setparams((1, 2, 8000, 0, "NONE", ""))
            file.writeframes(bytes(1600))
    cards = Cards(SoundFiles([f"{n}.wav" for n in range(3)], tmp_path))
    assert (cards.card(0).kind, cards.media(0).mime) == ("sound", "audio/wav")


def test_a_sound_too_long_for_a_phone_is_refused_in_a_sentence(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for n in range(3):
        with wave.open(str(tmp_path / f"{n}.wav"), "wb") as file:
            file.setparams((1, 2, 8000, 0, "NONE", ""))
            file.writeframes(bytes(3_100_000))
    cards = Cards(SoundFiles([f"{n}.wav" for n in range(3)], tmp_path))
    with Server(Room(FixedQuestions(cards, [(0, 1, 2)])), port=0) as server:
        name = Phone(server.address).steps()[0]["items"][0]["src"]
        status, _, content = ask(server, inside(server, name))
    assert (status, caplog.text) == (413, "")
    assert json.loads(content)["error"].startswith("a sound may have at most 3 MB on a phone")


def test_the_plane_shows_points_where_there_are_no_items(server: Server) -> None:
    points = Phone(server.address).call("plane")["points"]
    assert len(points) == 20
    assert all(0 <= value <= 1000 for point in points for value in point)


@given(st.text())
def test_a_nickname_is_one_short_line_of_visible_text(text: str) -> None:
    name = nickname(text)
    assert len(name) <= 24
    assert name == name.strip()
    assert name.isprintable()
    assert nickname(name) == name


@given(st.text())
def test_no_cell_is_a_formula(text: str) -> None:
    assert not as_cell(text).lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r"))


def test_the_qr_code_is_a_picture_without_scripts() -> None:
    svg = qr_svg("http://192.0.2.7:8900/kiwi-42-owl")
    assert svg.startswith("<svg")
    assert "script" not in svg


def test_the_page_is_small() -> None:
    with Server(make_room(), port=0) as server:
        parts = [ask(server, inside(server, name)) for name in ("", "room.js", "views.js", "room.css")]
    assert [status for status, *_ in parts] == [200] * 4
    assert sum(len(content) for *_, content in parts) < 60_000


def test_a_server_stops_while_phones_wait() -> None:
    server = Server(make_room(), port=0).start()
    phone = Phone(server.address)
    seen = phone.call("steps?seen=0")["version"]
    connection = http.client.HTTPConnection(urlsplit(server.address).netloc, timeout=30)
    connection.request("GET", inside(server, f"steps?seen={seen}"), headers={"X-Participant": phone.token})
    server.stop()  # returns although somebody waits
    connection.close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", server.port))


def test_emoji_need_no_bytes_on_a_phone() -> None:
    cards = Cards.of(load_dataset("emoji"))
    assert len(cards) > 140
    assert {cards.card(row).kind for row in range(len(cards))} == {"text"}
    assert max(len(cards.card(row).text) for row in range(len(cards))) == 1


def test_every_promise_of_security_names_a_test_that_exists() -> None:
    root = Path(__file__).parents[1]
    lines = (root / "notebooks" / "site" / "security.md").read_text().splitlines()
    promises = [line for line in lines if line.startswith("- ")]
    named = [re.findall(r"`(test_\w+)`$", line) for line in promises]
    tests = "\n".join(path.read_text() for path in root.glob("tests/**/test_*.py"))
    assert len(promises) > 30
    assert [line for line, names in zip(promises, named, strict=True) if not names] == []
    assert [name for names in named for name in names if f"def {name}(" not in tests] == []
