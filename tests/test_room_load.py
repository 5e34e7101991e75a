"""A short form of tests/benchmarks/room.py: many phones, and a server that is killed while they answer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from phones import load, serve, stored


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
