"""Many phones at once, as real HTTP clients: they keep their lines open, wait for news, answer, and try again."""

from __future__ import annotations

import asyncio
import json
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

PLAN = """
title = "Load"
data = "digits-8x8"
seed = 1
[[block]]
kind = "triplets"
count = {count}
"""
JOINING = 5.0  # people per second: as many as one address may
HELD = 6  # connections that a phone's browser holds
COMMAND = "import sys; from dcrc_explore.cli import main; sys.exit(main())"


@dataclass
class Load:
    """What a load did."""

    acknowledged: set[tuple[int, str]] = field(default_factory=set)
    seconds: list[float] = field(default_factory=list)  # of each answer, from sent to acknowledged
    retries: int = 0
    refused: int = 0  # votes that came too late, and were told so


def serve(folder: Path, *options: str, count: int = 2000) -> tuple[subprocess.Popen[str], str]:
    """Start a study in a process of its own; returns it and its address."""
    plan = folder / "plan.toml"
    if not plan.exists():
        plan.write_text(PLAN.format(count=count))
    command = [sys.executable, "-P", "-c", COMMAND, "study", str(plan), *options]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=_as_usual)
    assert server.stdout is not None
    for line in iter(server.stdout.readline, ""):
        if found := re.search(r"http://\S+", line):
            address = found[0]
        if line.startswith("Ctrl+C"):
            return server, address
    raise RuntimeError("the server did not start")


def _as_usual() -> None:
    """Open no more files than a process may by default on most systems, also where it asks for more."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 1024))


CLASS = """
import asyncio, json, sys, threading, time
from dcrc_explore.session import SessionError
from dcrc_explore.widgets import Explorer

def lecture(room):
    for t in range(10**6):
        for act in (room.begin_vote, room.reveal, room.vote_again, room.reveal, room.each_their_own):
            time.sleep(1.0)
            if room.is_closed:
                return
            try:
                act()
            except SessionError:  # the class was continued in the middle of a vote
                pass

async def main(file, port, votes):
    explorer = Explorer.for_class("emoji", file=file, port=port)
    print(explorer.open_class().server.address, flush=True)
    if votes:
        threading.Thread(target=lecture, args=(explorer.open_class(),), daemon=True).start()
    loop = asyncio.get_running_loop()
    pictures = []
    explorer.observe(lambda change: pictures.append(loop.time()), "scene")
    gone = loop.run_in_executor(None, sys.stdin.read)
    left = 60  # seconds after the last answer in which the session must have all
    session, roll = explorer.session, explorer.open_class().roll
    while left and (not gone.done() or (not votes and len(session.log) < len(roll.answers))):
        await asyncio.sleep(1)
        left -= gone.done()
        recent = [time for time in pictures if time > loop.time() - 1]
        print(json.dumps({"pictures": len(recent), "answers": len(explorer.session.log)}), flush=True)
        pictures[:] = recent
    if votes:
        explorer.open_class().close()

asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3:] == ["votes"]))
"""


def serve_class(folder: Path, port: int = 0, *options: str) -> tuple[subprocess.Popen[str], str]:
    """Start a class with the Explorer's pictures in a process of its own; returns it and its address.

    Each second it prints how many pictures it drew, and how many answers the session has. With the option "votes"
    somebody asks, reveals and asks again all the time, and the class is closed at the end.
    """
    command = [sys.executable, "-P", "-c", CLASS, str(folder / "class.jsonl"), str(port), *options]
    pipe = subprocess.PIPE
    server = subprocess.Popen(command, cwd=folder, stdin=pipe, stdout=pipe, text=True, preexec_fn=_as_usual)
    assert server.stdout is not None
    address = server.stdout.readline().strip()
    if not address:
        raise RuntimeError("the class did not start")
    return server, address


def stored_in_class(folder: Path) -> list[tuple[int, str]]:
    """Return all answers in the file of a class, by participant and question."""
    lines = map(json.loads, (folder / "class.jsonl").read_text().splitlines())
    return [(line["given"]["person"], line["given"]["step"]) for line in lines if "given" in line]


def stored(folder: Path) -> list[tuple[int, str]]:
    """Return all answers on disk, by participant and step."""
    return [
        (int(file.stem[1:]), line["step"])
        for file in folder.glob("p[0-9]*.jsonl")
        for line in map(json.loads, file.read_text().splitlines())
        if "answer" in line
    ]


def load(
    address: str, people: int, per_second: float, seconds: float, during: Callable[[], None] | None = None
) -> Load:
    """Let people answer for some seconds, at random moments; `during` is called in the middle, in another thread."""
    return asyncio.run(_load(address, people, per_second / people, seconds, during))


async def _load(address: str, people: int, rate: float, seconds: float, during: Callable[[], None] | None) -> Load:
    done = Load()
    joined = people / JOINING  # seconds until all are there
    until = asyncio.get_running_loop().time() + joined + seconds
    phones = [_person(address, done, until, rate, np.random.default_rng(n), joined) for n in range(people)]
    tasks = [asyncio.create_task(phone) for phone in phones]
    if during is not None:
        await asyncio.sleep(joined + seconds / 2)
        await asyncio.to_thread(during)
    await asyncio.gather(*tasks)
    return done


async def _person(address: str, done: Load, until: float, rate: float, rng: np.random.Generator, joined: float) -> None:
    loop = asyncio.get_running_loop()
    await asyncio.sleep(rng.random() * joined)
    line, news = _Line(address, done), _Line(address, done)
    held = [_Line(address, done) for _ in range(HELD - 2)]
    joined = await line.ask("join", {"nickname": ""})
    line.token = news.token = joined["token"]
    waiting = asyncio.create_task(_listen(news))
    for each in held:
        each.token = line.token
        await each.ask("steps?seen=0")
    steps = (await line.ask("steps?seen=0"))["steps"]
    try:
        while loop.time() < until:
            await asyncio.sleep(float(rng.exponential(1 / rate)))
            if not steps:
                steps = (await line.ask("steps?seen=0"))["steps"]
                continue
            step = steps[0]
            value = {"step": step["id"], "value": ("yes", "no", "dnk")[rng.integers(3)], "seconds": 1.0}
            began = time.perf_counter()
            reply = await line.ask("answer", value)
            steps = reply.get("steps", [])
            if "saved" not in reply:
                done.refused += 1
                continue
            done.seconds.append(time.perf_counter() - began)
            done.acknowledged.add((joined["number"], step["id"]))
    finally:
        waiting.cancel()
        for each in (line, news, *held):
            each.close()


async def _listen(line: _Line) -> None:
    seen = 0
    while True:
        seen = (await line.ask(f"steps?seen={seen}"))["version"]


class _Line:
    """One connection; a request is sent again until the server takes it."""

    def __init__(self, address: str, done: Load) -> None:
        parts = urlsplit(address)
        self.host, self.port, self.path = str(parts.hostname), int(parts.port or 80), parts.path
        self.token, self._done = "", done
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        while True:
            try:
                status, content = await asyncio.wait_for(self._once(path, body), 60)
            except (OSError, asyncio.IncompleteReadError, TimeoutError):
                status, content = 0, b""
                self.close()
            if status in (200, 409):
                return json.loads(content)
            if status not in (0, 429, 503):
                raise RuntimeError(f"{path}: {status} {content.decode()}")
            self._done.retries += 1
            await asyncio.sleep(0.5)

    async def _once(self, path: str, body: dict[str, Any] | None) -> tuple[int, bytes]:
        if self._streams is None:
            self._streams = await asyncio.open_connection(self.host, self.port)
        reader, writer = self._streams
        content = b"" if body is None else json.dumps(body).encode()
        lines = [
            f"{'GET' if body is None else 'POST'} {self.path}/{path} HTTP/1.1",
            f"Host: {self.host}:{self.port}",
            f"Origin: http://{self.host}:{self.port}",
            f"X-Participant: {self.token}",
            "Content-Type: application/json",
            f"Content-Length: {len(content)}",
        ]
        writer.write("\r\n".join([*lines, "", ""]).encode() + content)
        await writer.drain()
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = int(re.search(r"Content-Length: (\d+)", head)[1])  # type: ignore[index]
        content = await reader.readexactly(length)
        if "Connection: close" in head:  # as browsers do
            self.close()
        return int(head.split()[1]), content

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None
