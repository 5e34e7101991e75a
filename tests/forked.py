"""Kernels without a long start: a Python that has loaded what the tool needs forks for each of them.

Every kernel of the tests would else spend seconds of a processor on loading numpy, scipy, scikit-learn and
matplotlib. What belongs to Jupyter's side of it, ipywidgets among them, is loaded by each kernel itself.

``python forked.py SOCKET`` is the Python that forks. ``python forked.py SOCKET FILE`` is what Jupyter starts: it asks
for the kernel of this connection file, hands signals on, and ends with it. When it is killed, so is the kernel.
"""

import json
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

LOADED = (
    *("ipykernel.kernelapp", "ipykernel.ipkernel", "ipykernel.zmqshell"),
    *("pandas", "matplotlib.pyplot", "dcrc_explore.session", "dcrc_explore.page"),
)


@contextmanager
def forked_kernels(folder: str, environment: Mapping[str, str]) -> Iterator[None]:
    """Fork the kernels that Jupyter finds in this folder of data until the block ends, where the system can."""
    import subprocess

    if sys.platform != "linux":
        yield
        return
    place, spec = os.path.join(folder, "forks"), os.path.join(folder, "kernels", "python3")
    os.makedirs(spec)
    with open(os.path.join(spec, "kernel.json"), "w") as file:
        argv = [sys.executable, "-IS", __file__, place, "{connection_file}"]
        json.dump({"argv": argv, "display_name": "Python 3 (ipykernel)", "language": "python"}, file)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, __file__, place], env=dict(environment), **pipes) as process:
        assert process.stdout.readline() == b"ready\n"
        yield
        process.stdin.close()


def ask(place: str, file: str) -> None:
    """Have a kernel forked, and live as long as it does."""
    with socket.socket(socket.AF_UNIX) as line, line.makefile("rwb") as text:
        line.connect(place)
        socket.send_fds(line, [b"!"], [0, 1, 2])
        order = {"arguments": ["-f", file], "environment": dict(os.environ), "folder": os.getcwd()}
        text.write(json.dumps(order).encode() + b"\n")
        text.flush()
        kernel = int(text.readline())
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda number, _: os.kill(kernel, number))
        text.read()  # ends when the kernel does


def serve(place: str) -> None:
    """Load, and fork for everyone who asks, until the standard input ends, as it does with the tests."""
    del sys.path[0]  # the folder of this file is no part of a kernel
    import gc
    import importlib
    import select

    for name in LOADED:
        importlib.import_module(name)
    assert len(os.listdir("/proc/self/task")) == 1, "with threads there is no safe fork"
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # how a kernel ended is not looked at
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(place)
        listener.listen()
        print("ready", flush=True)
        while sys.stdin not in select.select([listener, sys.stdin], [], [])[0]:
            line, _ = listener.accept()
            with line:
                if not os.fork():
                    listener.close()
                    be_kernel(line)


def be_kernel(line: socket.socket) -> None:
    """Become what was asked for."""
    import numpy as np
    from ipykernel.kernelapp import IPKernelApp

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    _, outside, *_ = socket.recv_fds(line, 1, 3)
    for number, descriptor in enumerate(outside):
        os.dup2(descriptor, number)
        os.close(descriptor)
    text = line.makefile("rwb")
    order = json.loads(text.readline())
    text.write(f"{os.getpid()}\n".encode())
    text.flush()
    os.environ.clear()
    os.environ.update(order["environment"])
    os.chdir(order["folder"])
    np.random.seed()  # noqa: NPY002  # else it is the same for all

    def die() -> None:
        text.read()  # ends when whoever asked is gone
        os.kill(os.getpid(), signal.SIGKILL)

    threading.Thread(target=die, daemon=True).start()
    sys.argv = ["ipykernel_launcher"]
    parent = f"--IPKernelApp.parent_handle={os.getppid()}"  # without which a kernel ends
    IPKernelApp.launch_instance([*order["arguments"], parent])
    sys.exit()


if __name__ == "__main__":
    (ask if len(sys.argv) == 3 else serve)(*sys.argv[1:])
