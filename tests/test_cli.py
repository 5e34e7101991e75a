"""The command dcrc-explore, run for real; what the pages show is in tests/browser."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from dcrc_explore.cli import FIRST_NOTEBOOK, copy_notebooks, main

COMMAND = [sys.executable, "-c", "import sys; from dcrc_explore.cli import main; sys.exit(main(sys.argv[1:]))"]


def status(address: str) -> int:
    try:
        with urllib.request.urlopen(address, timeout=60) as reply:
            return reply.status if "/login" not in reply.url else 403
    except urllib.error.HTTPError as error:
        return error.code


@pytest.mark.parametrize("options", [[], ["--app"]], ids=["lab", "app"])
def test_serves_on_loopback_with_a_token_and_stops_cleanly(tmp_path: Path, options: list[str]) -> None:
    process = subprocess.Popen(
        [*COMMAND, "--no-browser", *options], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        (address,) = re.findall(r"http://\S+", process.stdout.readline())
        assert address.startswith("http://127.0.0.1:")
        page, _ = address.split("?token=")
        assert status(address) == 200
        assert status(page) == 403
        assert status(f"{page}?token=wrong") == 403
    finally:
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "Traceback" not in errors
    port = int(re.findall(r":(\d+)/", address)[0])
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", port), timeout=5)


def test_port_in_use_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["--port", str(port), "--no-browser"]) == 1
    assert f"port {port}" in capsys.readouterr().err
    assert main(["--port", "70000", "--no-browser"]) == 1


def test_notebooks_are_copied_once_and_never_overwritten(tmp_path: Path) -> None:
    first = copy_notebooks(tmp_path)
    assert first == tmp_path / "dcrc-notebooks" / FIRST_NOTEBOOK
    first.write_text("my own notes")
    assert copy_notebooks(tmp_path).read_text() == "my own notes"


def test_a_copy_of_the_sources_is_used_as_it_is(tmp_path):
    first = tmp_path / "notebooks" / FIRST_NOTEBOOK
    first.parent.mkdir()
    first.write_text("the course")
    assert copy_notebooks(tmp_path) == first
    assert not (tmp_path / "dcrc-notebooks").exists()


def test_experiments_are_run_by_the_same_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["experiment", "list"]) == 0
    assert "figure3" in capsys.readouterr().out
