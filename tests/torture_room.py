"""The long version of what the tests of rooms try in seconds; prints its figures.

    python tests/torture_room.py --people 60 --seconds 120 --kills 20 --idle 1100 --files 400

A study and then a class, each in a process of its own that may open 1024 files, with phones that hold six connections
and answer all the time. Meanwhile the process is killed and started again, one address keeps idle connections open and
guesses codes, and in the class questions are put to the vote, revealed and asked again. Then files are damaged at
random and read again. Ends with an error when an acknowledged answer is lost or doubled, when a file leads to anything
but a sentence, or when the log has a traceback.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import socket
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
from phones import Load, load, serve, serve_class, stored, stored_in_class

from dcrc_explore.room.classroom import Classroom
from dcrc_explore.room.study import PlanError, Study, read_plan
from dcrc_explore.room.study.records import read_records
from dcrc_explore.session import Session

PIECES = [b"", b"\0", b"\xff", b"9" * 5000, b"[" * 3000, b"null", b"-1", b"1e999", b"{", b'"', b"\n", b"\\ud800"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--people", type=int, default=60)
    parser.add_argument("--rate", type=float, default=0.3, help="answers per second of each of them")
    parser.add_argument("--seconds", type=float, default=120.0, help="of the study, and again of the class")
    parser.add_argument("--kills", type=int, default=20, help="in each of them, at most")
    parser.add_argument("--idle", type=int, default=1100, help="connections of one stranger")
    parser.add_argument("--files", type=int, default=400, help="damaged files of each kind")
    options = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    for kind in ("study", "class"):
        with tempfile.TemporaryDirectory() as folder:
            (bear_class if kind == "class" else bear_study)(Path(folder), options)


def bear_study(folder: Path, options: argparse.Namespace) -> None:
    done = under_attack(folder, options, lambda port: serve(folder, "--port", str(port), count=500))
    count("study", done, stored(folder / "plan-data"))
    damage(
        "study", folder / "plan-data", options.files, lambda: (read_records(folder / "plan-data"), continued(folder))
    )


def continued(folder: Path) -> None:
    with Study(read_plan(folder / "plan.toml"), folder / "plan-data") as study:
        for number in study.room().people:
            study.steps(number)


def bear_class(folder: Path, options: argparse.Namespace) -> None:
    done = under_attack(folder, options, lambda port: serve_class(folder, port, "votes"))
    count("class", done, stored_in_class(folder))
    session = Session.load(folder / "emoji-answers.json", autosave=False)
    there = Counter((entry.by, entry.points, entry.time) for entry in session.log)
    given = [
        json.loads(line)["given"] for line in (folder / "class.jsonl").read_text().splitlines() if '"given"' in line
    ]
    last = {}  # of a person's votes on one question the last counts
    for each in given:
        vote = re.fullmatch(r"vote (\d+)\.\d+", each["way"])
        last[each["person"], vote[1] if vote else each["step"]] = each
    expected = Counter((f"guest {each['person']}", tuple(each["rows"]), each["at"]) for each in last.values())
    votes = sum(each["way"].startswith("vote") for each in given)
    print(f"class: {votes} of {len(given)} answers are votes; the session has {sum(there.values())} of "
          f"{sum(expected.values())} that count")  # fmt: skip
    assert there == expected, (there - expected, expected - there)
    session = Session("emoji", autosave=None)
    lines = (folder / "class.jsonl").read_text().splitlines(keepends=True)
    (folder / "class.jsonl").write_text("".join(line for line in lines if '"closed"' not in line))
    damage("class", folder / "class.jsonl", options.files, lambda: read_class(session, folder))


def read_class(session: Session, folder: Path) -> None:
    Classroom(session, folder / "class.jsonl", port=0).leave()


def under_attack(folder: Path, options: argparse.Namespace, start: Callable[[int], tuple]) -> Load:
    """Let people answer while the server is killed and a stranger does harm; return what they did."""
    with (folder / "log").open("w+") as log, ExitStack() as stack:
        stack.callback(os.dup2, os.dup(2), 2)
        os.dup2(log.fileno(), 2)
        running = [start(0)]
        address = running[0][1]
        port, ended, guesses = int(urlsplit(address).port or 0), threading.Event(), Counter()
        stranger = threading.Thread(target=be_a_stranger, args=(port, options.idle, ended, guesses))
        stranger.start()
        rng = random.Random(0)
        down = []

        def kill() -> None:
            ends = time.monotonic() + options.seconds / 2  # with the phones
            while len(down) < options.kills and time.monotonic() < ends:
                time.sleep(rng.uniform(0.2, 1.8) * options.seconds / 2 / (options.kills + 1))
                running[-1][0].kill()
                running[-1][0].communicate()
                began = time.perf_counter()
                running.append(start(port))
                down.append(time.perf_counter() - began)

        try:
            done = load(address, options.people, options.rate * options.people, options.seconds, kill)
        finally:
            ended.set()
            stranger.join()
            server = running[-1][0]
            if server.stdin is None:
                server.kill()
            server.communicate()
        log.seek(0)
        said = log.read()
    print(f"{len(down)} kills, {np.mean(down or [0]):.1f} s until it is back; replies to a stranger's guesses: "
          f"{dict(guesses)}; lines in the log: {len(said.splitlines())}")  # fmt: skip
    assert "Traceback" not in said, said
    return done


def be_a_stranger(port: int, n_idle: int, ended: threading.Event, guesses: Counter) -> None:
    """Keep connections open without a word, and guess codes."""
    idle: list[socket.socket] = []
    with suppress(OSError):
        while not ended.wait(0.05):
            for _ in range(20):
                with suppress(OSError):
                    idle.append(socket.create_connection(("127.0.0.1", port), timeout=1))
            for line in idle[:-n_idle] if n_idle else idle:
                line.close()
            del idle[: -n_idle or None]
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/kiwi-{len(idle)}-owl/", timeout=5)
            except urllib.error.HTTPError as error:
                guesses[error.code] += 1
            except OSError:
                guesses["no connection"] += 1
    for line in idle:
        line.close()


def count(kind: str, done: Load, on_disk: list) -> None:
    """Print what became of the answers."""
    assert done.acknowledged, "nobody could answer"
    lost, doubled = done.acknowledged - set(on_disk), len(on_disk) - len(set(on_disk))
    milliseconds = np.percentile(1000 * np.array(done.seconds), [50, 95, 99, 100])
    print(f"{kind}: {len(done.acknowledged)} answers acknowledged, lost {len(lost)}, doubled {doubled}, requests sent "
          f"again {done.retries}, votes refused as too late {done.refused}")  # fmt: skip
    times = zip(("median", "95 %", "99 %", "longest"), milliseconds, strict=True)
    print(f"{kind}: saved after (ms): " + ", ".join(f"{name} {value:.0f}" for name, value in times))
    assert not lost
    assert not doubled


def damage(kind: str, path: Path, n: int, read: Callable[[], object]) -> None:
    """Damage one of the files at random, and read; whatever fails must be a sentence."""
    files = sorted(file for file in ([path] if path.is_file() else path.iterdir()) if file.suffix != ".svg")
    whole, rng, outcomes = {file: file.read_bytes() for file in files}, random.Random(0), Counter()
    for _ in range(n):
        file = rng.choice(files)
        content = bytearray(whole[file])
        for _ in range(rng.choice((1, 3, 20))):
            place = rng.randrange(len(content) + 1)
            content[place : place + rng.choice((0, 1, 9))] = rng.choice(PIECES)
        file.write_bytes(content)
        try:
            read()
            outcomes["read"] += 1
        except (ValueError, PlanError) as error:
            outcomes["refused in words" if type(error) in (ValueError, PlanError) else repr(error)] += 1
        file.write_bytes(whole[file])
    read()
    print(f"{kind}: {n} damaged files: {dict(outcomes)}")
    assert set(outcomes) <= {"read", "refused in words"}


if __name__ == "__main__":
    main()
