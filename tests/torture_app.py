"""The long version of what the tests of the app try with a few pages; prints its figures.

    python tests/torture_app.py --pages 160 --at-once 20

Ends with an error when more kernels live than the app allows, or when one is left that no page connected to.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import psutil

from dcrc_explore.app.page import PageKernels

COMMAND = "import sys; from dcrc_explore.cli import main; sys.exit(main(sys.argv[1:]))"


def load(address: str) -> int:
    """Load a page as a program does that never connects to its kernel; returns the status."""
    try:
        with urllib.request.urlopen(address, timeout=600) as reply:
            reply.read()
            return reply.status
    except urllib.error.HTTPError as error:
        return error.code


def kernels(command: psutil.Process) -> dict[psutil.Process, int]:
    """The kernels that live, and their bytes of memory."""
    found = {}
    for each in command.children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if "ipykernel_launcher" in each.cmdline():
                found[each] = each.memory_info().rss
    return found


def torture(address: str, command: psutil.Process, pages: int, at_once: int) -> None:
    most, done = {"kernels": 0, "bytes": 0}, threading.Event()

    def watch() -> None:
        while not done.wait(0.2):
            now = kernels(command)
            most.update(kernels=max(most["kernels"], len(now)), bytes=max(most["bytes"], sum(now.values())))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        with ThreadPoolExecutor(at_once) as pool:
            answers = Counter(pool.map(load, [address] * pages))
    finally:
        done.set()
        watcher.join()
    print(
        f"{pages} pages, {at_once} at once: {dict(answers)}; at most {most['kernels']} kernels, {most['bytes']:,} bytes"
    )
    assert set(answers) <= {200, 503}
    assert most["kernels"] <= PageKernels.most_pages.default_value
    _, alive = psutil.wait_procs(kernels(command), timeout=2 * PageKernels.connect_within.default_value)
    assert not alive, f"{len(alive)} kernels are left"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=160)
    parser.add_argument("--at-once", type=int, default=20)
    given = parser.parse_args()
    words = [sys.executable, "-P", "-c", COMMAND, "--app", "--no-browser"]
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, text=True)
        try:
            (address,) = re.findall(r"http://\S+", process.stdout.readline())
            torture(address, psutil.Process(process.pid), given.pages, given.at_once)
        finally:
            process.terminate()
            process.communicate(timeout=60)


if __name__ == "__main__":
    main()
