"""How a room bears many phones: answers lost or doubled, time until an answer is saved, memory.

    python tests/benchmarks/room.py                    # 100 participants, 20 answers per second, five minutes
    python tests/benchmarks/room.py --people 400 --rate 80 --seconds 60
    python tests/benchmarks/room.py --kill             # and the server is killed in the middle
    python tests/benchmarks/room.py --room class       # a class: the model is fitted, and pictures are drawn

Server and phones run in two processes on this machine, over loopback. Each phone holds six connections, as a browser
does; one of them waits for news. The server may open 1024 files, and no more if it asks for them.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import sys
import tempfile
import threading
from pathlib import Path

import numpy as np
import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))
from phones import JOINING, load, serve, serve_class, stored, stored_in_class


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--people", type=int, default=100)
    parser.add_argument("--rate", type=float, default=20.0, help="answers per second of all together")
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--kill", action="store_true")
    parser.add_argument("--room", choices=("study", "class"), default="study")
    options = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), options)


def measure(folder: Path, options: argparse.Namespace) -> None:
    is_class = options.room == "class"
    server, address = serve_class(folder) if is_class else serve(folder)
    running = [server]
    port = re.search(r":(\d+)/", address)[1]  # type: ignore[index]
    memory: list[float] = []
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(options.seconds / 50):
            try:
                memory.append(psutil.Process(running[-1].pid).memory_info().rss / 2**20)
            except psutil.Error:
                continue

    def kill() -> None:
        running[-1].kill()
        running[-1].communicate()
        running.append(serve_class(folder, int(port))[0] if is_class else serve(folder, "--port", port)[0])

    watcher = threading.Thread(target=watch)
    watcher.start()
    done = load(address, options.people, options.rate, options.seconds, kill if options.kill else None)
    ended.set()
    watcher.join()
    if not is_class:
        running[-1].kill()
    seen = running[-1].communicate()[0]  # a class ends by itself, when the session has everything
    on_disk = stored_in_class(folder) if is_class else stored(folder / "plan-data")
    milliseconds = 1000 * np.array(done.seconds)
    quarter = max(1, len(memory) // 4)
    n = len(done.acknowledged)
    rate = n / options.seconds
    times = zip(("median", "95 %", "99 %", "longest"), np.percentile(milliseconds, [50, 95, 99, 100]), strict=True)
    print(f"{options.people} participants, {options.seconds:.0f} s, {n} answers ({rate:.1f} per second)")
    print(f"lost {len(done.acknowledged - set(on_disk))}, doubled {len(on_disk) - len(set(on_disk))}, "
          f"requests sent again {done.retries}")  # fmt: skip
    print("saved after (ms): " + ", ".join(f"{name} {value:.0f}" for name, value in times))
    print(f"memory (MB): {np.mean(memory[quarter : 2 * quarter]):.0f} in the second quarter of the time, "
          f"{np.mean(memory[-quarter:]):.0f} in the last, at most {max(memory):.0f}")  # fmt: skip
    if is_class:
        lines = [json.loads(line) for line in seen.splitlines()]
        joined = 0 if options.kill else int(options.people / JOINING)
        busy = [line["pictures"] for line in lines[joined:-2]] or [0]
        print(f"pictures per second: median {np.median(busy):.0f}, at least {min(busy)}, mean {np.mean(busy):.1f}; "
              f"the session lacks {len(on_disk) - lines[-1]['answers']} of {len(on_disk)} answers")  # fmt: skip
    print(f"load of the machine {psutil.getloadavg()[0]:.1f} on {psutil.cpu_count()} processors")


if __name__ == "__main__":
    main()
