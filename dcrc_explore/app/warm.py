"""A Python that loads what the tool needs while the server starts, and then becomes the first kernel.

``python -m dcrc_explore.app.warm`` is that Python. It waits for one line of JSON on its standard input: the arguments,
environment and folder of the kernel. When the input ends first, as with the server, it ends too.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

_KERNEL = ["-P", "-m", "ipykernel_launcher"]
_waiting: list[subprocess.Popen[bytes]] = []


def start() -> None:
    """Start a process that waits to be a kernel. On Windows kernels are interrupted by what they are started with."""
    if os.name == "posix":
        # The kernel's word on the command line shows those who look for kernels what this is.
        command = [sys.executable, "-P", "-m", "dcrc_explore.app.warm", "ipykernel_launcher"]
        environment = os.environ | {"JPY_PARENT_PID": str(os.getpid())}
        _waiting.append(
            subprocess.Popen(
                command, cwd=Path(__file__).parent, env=environment, stdin=subprocess.PIPE, start_new_session=True
            )
        )


def take(command: list[str], environment: dict[str, str], folder: str) -> subprocess.Popen[Any] | None:
    """Make the waiting process the kernel of a command; None when there is none, or when it is another Python's."""
    if not _waiting or command[0] != sys.executable or command[1:4] != _KERNEL:
        return None
    process = _waiting.pop()
    order = {"arguments": command[3:], "environment": environment, "folder": folder}
    try:
        _input(process).write(json.dumps(order).encode() + b"\n")
        _input(process).close()
    except BrokenPipeError:  # it was killed
        return None
    return process


def _input(process: subprocess.Popen[bytes]) -> IO[bytes]:
    assert process.stdin is not None
    return process.stdin


def main() -> None:
    """Load, wait, and be a kernel."""
    # What ipykernel sets before anybody can load matplotlib.
    os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    from ipykernel.kernelapp import IPKernelApp

    import dcrc_explore.widgets  # noqa: F401

    line = sys.stdin.buffer.readline()
    if line:
        order = json.loads(line)
        os.environ.clear()
        os.environ.update(order["environment"], JPY_PARENT_PID=str(os.getppid()))
        os.chdir(order["folder"])
        sys.argv = order["arguments"]
        IPKernelApp.launch_instance()


if __name__ == "__main__":
    main()
