"""A short form of tests/benchmarks/room.py: many phones, and a server that is killed while they answer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from phones import load, serve, serve_class, stored, stored_in_class

from dcrc_explore.session import Session


@pytest.mark.slow
def test_no_answer_is_lost_or_doubled_under_load_and_across_a_kill(tmp_path: Path) -> None:
    servers = [serve(tmp_path)]
    address = servers[0][1]
    port = re.search(r":(\d+)/", address)[1]  # type: ignore[index]

    def kill() -> None:
        servers[0][0].kill()
        servers[0][0].communicate()
        servers.append(serve(tmp_path, "--port", port))

    try:
        done = load(address, people=30, per_second=15, seconds=8, during=kill)
    finally:
        servers[-1][0].kill()
        servers[-1][0].communicate()
    on_disk = stored(tmp_path / "plan-data")
    assert len(on_disk) == len(set(on_disk)), "doubled"
    assert done.acknowledged <= set(on_disk), "lost"
    assert len(done.acknowledged) > 30
    # What is on disk without an acknowledgement was saved as the server died; its phone sent it again.
    assert len(set(on_disk) - done.acknowledged) == 0


@pytest.mark.slow
def test_a_class_loses_no_answer_when_its_kernel_is_killed(tmp_path: Path) -> None:
    servers = [serve_class(tmp_path)]
    address = servers[0][1]
    port = int(re.search(r":(\d+)/", address)[1])  # type: ignore[index]

    def kill() -> None:
        servers[0][0].kill()
        servers[0][0].communicate()
        servers.append(serve_class(tmp_path, port))

    try:
        done = load(address, people=20, per_second=10, seconds=8, during=kill)
        server, again = servers[-1]
        assert again == address, "phones go on where they were"
        server.communicate()  # it ends with its standard input, after all answers are in the session
    finally:
        servers[-1][0].kill()
        servers[-1][0].communicate()
    on_disk = stored_in_class(tmp_path)
    assert len(on_disk) == len(set(on_disk)), "doubled"
    assert done.acknowledged <= set(on_disk), "lost"
    assert len(done.acknowledged) > 30
    session = Session.load(tmp_path / "emoji-answers.json", autosave=False)
    assert len(session.log) == len(on_disk), "the session has all of them, each once"
