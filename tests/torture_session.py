"""The long versions of what the tests of sessions try in seconds; prints its figures.

    python tests/torture_session.py --kills 200 --files 1000 --answers 10000 --seconds 60

Each part ends with an error when a promise is broken.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

import numpy as np
from damage import damage, kept_files

from dcrc_explore.constraints import Triplets
from dcrc_explore.session import Session, SessionError

ANSWERING = """
import sys
from dcrc_explore.session import Session
session = Session("close", parameters={"n_per_cluster": 5}, autosave=sys.argv[1])
while True:
    session.answer(session.suggest("random"), "dnk")
    print(session.path, len(session.answers), flush=True)
    if len(session.answers) % 7 == 0:
        session.set(tau=0.5 + session.settings.tau % 1)
        session.flip(len(session.answers) - 3, "yes")
    if len(session.answers) > 50:
        session = Session("close", parameters={"n_per_cluster": 5}, autosave=sys.argv[1])
"""


def kills(n: int, folder: Path, rng: random.Random) -> None:
    """Kill a process that answers, at any moment, again and again."""
    answers = lost = refused = 0
    for _ in range(n):
        command = [sys.executable, "-c", ANSWERING, str(folder)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            acknowledged: dict[str, int] = {}
            for _ in range(rng.randrange(1, 30)):
                path, count = process.stdout.readline().rsplit(" ", 1)
                acknowledged[path] = int(count)
            time.sleep(rng.random() / 50)
            process.kill()
            for line in process.stdout:
                if line.endswith("\n"):  # the kill may have come in the middle of a line
                    path, count = line.rsplit(" ", 1)
                    acknowledged[path] = int(count)
        for path, count in acknowledged.items():
            try:
                kept = len(Session.load(path, autosave=False).answers)
            except SessionError:
                refused += 1
                continue
            answers += count
            lost += max(0, count - kept)
    left = Counter("temporary" if path.suffix == ".tmp" else "empty" for path in folder.iterdir() if is_left(path))
    print(f"{n} kills: {answers} answers acknowledged, {lost} lost, {refused} files refused, left behind {dict(left)}")
    assert lost == refused == 0


def is_left(path: Path) -> bool:
    return path.suffix == ".tmp" or path.stat().st_size == 0


def files(n: int, folder: Path, rng: random.Random) -> None:
    """Load damaged files."""
    texts, path, counts = kept_files(folder), folder / "damaged.json", Counter[str]()
    slowest = 0.0
    for _ in range(n):
        path.write_text(damage(rng.choice(texts), rng), encoding="utf-8", errors="surrogatepass")
        before, begin = path.read_bytes(), time.perf_counter()
        try:
            session = Session.load(path)
            assert np.isfinite(session.fit.proba).all()
            counts["loaded"] += 1
        except SessionError:
            counts["refused"] += 1
        slowest = max(slowest, time.perf_counter() - begin)
        assert path.read_bytes() == before, "a file was touched"
    print(f"{n} damaged files: {dict(counts)}, none touched, the slowest took {slowest:.2f} s")


def answers(n: int, folder: Path) -> None:
    """Give many answers, and compare what one costs at the beginning and at the end, apart from the fit."""
    session = Session("close", autosave=folder)
    rng = np.random.default_rng(0)

    def cost(repeats: int = 20) -> tuple[float, float]:
        both = []
        for _ in range(repeats):
            question = rng.choice(150, 3, replace=False)
            begin = time.perf_counter()
            session.answer(question, "dnk")
            both.append((1000 * (time.perf_counter() - begin) - session.timings["fit"], session.timings["save"]))
        rest, save = np.median(both, axis=0)
        return float(rest), float(save)

    def fill(until: int) -> None:
        missing = until - len(session.answers)
        if missing > 0:
            questions = np.array([rng.choice(150, 3, replace=False) for _ in range(missing)])
            session.add(questions, np.zeros(missing, dtype=int))

    figures = {}
    for until in (100, n):
        fill(until)
        figures[until] = cost()
    (few, few_save), (many, many_save) = figures[100], figures[n]
    loaded = Session.load(session.path, autosave=False)  # type: ignore[arg-type]
    assert loaded.answers == session.answers
    assert Triplets(loaded.triplets.indices, loaded.triplets.answers) == session.triplets
    print(
        f"an answer without its fit: {few:.1f} ms at 100 answers, {many:.1f} ms at {n} ({many / few:.2f} times), "
        f"of which saving {few_save:.1f} and {many_save:.1f} ms"
    )


def threads(seconds: float, folder: Path) -> None:
    """Answer in two threads at once."""
    session = Session("close", parameters={"n_per_cluster": 20}, autosave=folder)
    end, counts = time.monotonic() + seconds, Counter[str]()

    def answer(by: str, seed: int) -> None:
        rng = np.random.default_rng(seed)
        while time.monotonic() < end:
            session.answer(rng.choice(60, 3, replace=False), "dnk", by=by)
            assert session.save_error is None
            counts[by] += 1

    both = [threading.Thread(target=answer, args=(by, seed)) for seed, by in enumerate(("cell", "picture"))]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    loaded = Session.load(session.path, autosave=False)  # type: ignore[arg-type]
    assert Counter(loaded.answers.givers) == counts
    print(f"two threads for {seconds:g} s: {dict(counts)} answers, all on disk, save_note {session.save_note}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--answers", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=60.0, help="for the two threads")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as name:
        for part, action in {
            "kills": lambda folder: kills(given.kills, folder, rng),
            "files": lambda folder: files(given.files, folder, rng),
            "answers": lambda folder: answers(given.answers, folder),
            "threads": lambda folder: threads(given.seconds, folder),
        }.items():
            folder = Path(name) / part
            folder.mkdir()
            action(folder)


if __name__ == "__main__":
    main()
