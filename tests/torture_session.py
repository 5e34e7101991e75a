"""The long versions of what the tests of sessions try in seconds; prints its figures.

    python tests/torture_session.py --kills 200 --files 1000 --answers 10000 --seconds 60 --disks 50 --contents 300

A disk is full where the system does not let a file grow; that needs Linux or another Unix.

Each part ends with an error when a promise is broken.
"""

from __future__ import annotations

import argparse
import csv
import io
import queue
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
from damage import damage, kept_files

from dcrc_explore.constraints import Triplets
from dcrc_explore.datasets import Dataset, Texts
from dcrc_explore.session import Session, SessionError

ANSWERING = """
import sys
from dcrc_explore.session import Session
session = Session("close", parameters={"n_per_cluster": 5}, autosave=sys.argv[1])
while True:
    session.answer(session.questions.suggest("random"), "dnk")
    print(session.file.path, len(session.log), flush=True)
    if len(session.log) % 7 == 0:
        session.set(tau=0.5 + session.settings.tau % 1)
        session.flip(len(session.log) - 3, "yes")
    if len(session.log) > 50:
        session = Session("close", parameters={"n_per_cluster": 5}, autosave=sys.argv[1])
"""


# Answers while files may not grow beyond a limit, and once more after there is room again.
FULL = """
import resource, signal, sys
from dcrc_explore.session import Session
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
folder, limit = sys.argv[1], int(sys.argv[2])
_, most = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, most))
session = Session("close", parameters={"n_per_cluster": 5}, autosave=folder)
kept = 0
while session.file.error is None:
    session.answer(session.questions.suggest("random"), "dnk")
    kept += session.file.error is None
told, path = session.file.error, session.file.path
on_disk = len(Session.load(path, autosave=False).log) if kept else 0
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
session.answer(session.questions.suggest("random"), "dnk")
assert session.file.error is None, session.file.error
again = len(Session.load(session.file.path, autosave=False).log)
print(kept, on_disk, again, len(session.log), "|", told)
"""


def disks(n: int, folder: Path, rng: random.Random) -> None:
    """Answer until the disk is full, at any byte, and go on when there is room."""
    acknowledged = 0
    for number in range(n):
        place = folder / str(number)
        place.mkdir()
        command = [sys.executable, "-c", FULL, str(place), str(rng.randrange(500, 20_000))]
        out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        figures, told = out.strip().split(" | ")
        kept, on_disk, again, given = map(int, figures.split())
        assert on_disk >= kept, "an acknowledged answer is lost"
        assert again == given == kept + 2, "what was given to a full disk is not kept once there is room"
        assert not list(place.glob("*.tmp")), "a temporary file is left"
        acknowledged += kept
        assert "cannot be written" in told
    print(f"{n} full disks: {acknowledged} answers acknowledged before, none lost, told each time, and all kept after")


class Hurried(Session):
    """A session whose every fit goes on in the background."""

    patience = 0.0


def rapid(n: int, folder: Path, rng: random.Random) -> None:
    """Act without waiting for any fit: answers, changes, undo, redo, settings, other data."""
    deliveries: queue.Queue[Callable[[], None]] = queue.Queue()
    session = Hurried("close", parameters={"n_per_cluster": 20}, autosave=folder, background=deliveries.put)
    counts, slowest, begin = Counter[str](), 0.0, time.perf_counter()
    actions: dict[str, Callable[[], object]] = {
        "answer": lambda: session.answer(rng.sample(range(60), 3), rng.choice(["yes", "no", "dnk"])),
        "undo": lambda: session.history.undo_label and session.undo(),
        "redo": lambda: session.history.redo_label and session.redo(),
        "change": lambda: len(session.log) and session.flip(rng.randrange(len(session.log)), "dnk"),
        "epsilon": lambda: session.set(epsilon=rng.choice([0, 0.05, 0.2])),
        "data": lambda: session.regenerate(seed=rng.randrange(3)),
    }
    for _ in range(n):
        (name,) = rng.choices(list(actions), weights=[60, 15, 10, 10, 4, 1])
        at = time.perf_counter()
        actions[name]()
        slowest = max(slowest, time.perf_counter() - at)
        counts[name] += 1
        while rng.random() < 0.3 and not deliveries.empty():
            deliveries.get()()
    seconds = time.perf_counter() - begin
    session.model.wait()
    assert session.fit.log.triplets == session.log.triplets
    assert session.file.error is None
    if session.file.path is not None and len(session.log):
        assert Session.load(session.file.path, autosave=False).log == session.log
    print(f"{n} actions in {seconds:.0f} s, the slowest {1000 * slowest:.0f} ms: {dict(counts)}; file and fit agree")


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
                kept = len(Session.load(path, autosave=False).log)
            except SessionError:
                refused += 1
                continue
            answers += count
            lost += max(0, count - kept)

    def left() -> dict[str, int]:
        return dict(
            Counter("temporary" if path.suffix == ".tmp" else "name" for path in folder.iterdir() if is_left(path))
        )

    before = left()
    Session("close", parameters={"n_per_cluster": 5}, autosave=folder).answer((0, 1, 2), "yes")
    print(
        f"{n} kills: {answers} answers acknowledged, {lost} lost, {refused} files refused, left behind {before}", end=""
    )
    print(f", and after the next session {left()}")
    assert lost == refused == 0
    assert not left(), "the next session does not clean up"


def is_left(path: Path) -> bool:
    return path.suffix == ".tmp" or path.stat().st_size < 100


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


STRANGE = ["=1+1", "+x", "@x", "-x", "'x", "a\rb", "\r", "\t=x", "x" * 10_000, "x" * 10_001, "\u202e", "a,b", '"', "\n"]


def contents(n: int, folder: Path, rng: random.Random) -> None:
    """Write and read back sessions of any content; what no file gives back is refused before the first answer."""
    refused = 0
    for number in range(n):
        text = [rng.choice([*STRANGE, chr(rng.randrange(32, 0xD7FF))]) for _ in range(15)]
        X = np.random.default_rng(number).normal(size=(9, 2))
        data = Dataset(X, np.arange(9) % 3, text[0], {}, tuple(text[1:3]), tuple(text[3:6]), items=Texts(text[6:]))
        try:
            session = Session(data, autosave=folder / str(number))
        except SessionError:
            refused += 1
            continue
        for _ in range(rng.randrange(1, 5)):
            points = rng.sample(range(9), rng.choice([2, 3]))
            session.answer(points, rng.choice(["yes", "no", "dnk"]), by=rng.choice(["=x", "@x", "'x", "Ann"]))
        assert session.file.error is None
        loaded = Session.load(session.file.path, autosave=False)  # type: ignore[arg-type]
        assert loaded.log == session.log
        assert loaded.dataset.class_names == data.class_names
        (folder / "answers.csv").write_text(session.export.to_csv(), newline="")
        other = Session(data, autosave=None)
        other.add_csv(folder / "answers.csv", remark=str)
        assert other.log.by == session.log.by, "a name is another one after CSV"
        table = list(csv.reader(io.StringIO(session.export.to_csv("clusters"), newline="")))
        assert len(table) == 10, "a cell breaks the table of clusters"
        assert not any(cell.startswith(("=", "+", "@")) for line in table for cell in line), "a cell is a formula"
    print(f"{n} sessions of any content: {refused} refused before the first answer, all others came back")


def sizes(folder: Path) -> None:
    """Refuse files of more points than a session may have, before they are parsed."""
    session = Session(np.random.default_rng(0).normal(size=(30, 2)), autosave=None)
    text = session.save(folder / "own.json").read_text()
    for n_rows in (1_200_000, 16_000_000):
        path = folder / f"{n_rows}.json"
        head = text.replace('"size": [30, 2]', f'"size": [{n_rows}, 2]').replace(
            '"X": [', '"X": [' + "[0, 0], " * n_rows
        )
        for liar in (False, True):
            path.write_text(head.replace(f'"size": [{n_rows}, 2]', '"size": [30, 2]') if liar else head)
            begin = time.perf_counter()
            try:
                Session.load(path)
                raise AssertionError("it was loaded")
            except SessionError as error:
                said = str(error).removeprefix(str(path))[:60]
            seconds = time.perf_counter() - begin
            print(f"{n_rows} rows{' under a wrong head' * liar}: refused after {seconds:.2f} s:{said}")


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
            spent = 1000 * (time.perf_counter() - begin) - session.model.timings["fit"]
            both.append((spent, 1000 * session.file.seconds))
        rest, save = np.median(both, axis=0)
        return float(rest), float(save)

    def fill(until: int) -> None:
        missing = until - len(session.log)
        if missing > 0:
            questions = np.array([rng.choice(150, 3, replace=False) for _ in range(missing)])
            session.add(questions, np.zeros(missing, dtype=int))

    figures = {}
    for until in (100, n):
        fill(until)
        figures[until] = cost()
    (few, few_save), (many, many_save) = figures[100], figures[n]
    loaded = Session.load(session.file.path, autosave=False)  # type: ignore[arg-type]
    assert loaded.log == session.log
    assert Triplets(loaded.log.triplets.indices, loaded.log.triplets.answers) == session.log.triplets
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
            assert session.file.error is None
            counts[by] += 1

    both = [threading.Thread(target=answer, args=(by, seed)) for seed, by in enumerate(("cell", "picture"))]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    loaded = Session.load(session.file.path, autosave=False)  # type: ignore[arg-type]
    assert Counter(loaded.log.by) == counts
    print(f"two threads for {seconds:g} s: {dict(counts)} answers, all on disk, save_note {session.file.note}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--answers", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=60.0, help="for the two threads")
    parser.add_argument("--disks", type=int, default=50)
    parser.add_argument("--actions", type=int, default=1000)
    parser.add_argument("--contents", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as name:
        for part, action in {
            "kills": lambda folder: kills(given.kills, folder, rng),
            "files": lambda folder: files(given.files, folder, rng),
            "answers": lambda folder: answers(given.answers, folder),
            "threads": lambda folder: threads(given.seconds, folder),
            "disks": lambda folder: disks(given.disks, folder, rng),
            "rapid": lambda folder: rapid(given.actions, folder, rng),
            "contents": lambda folder: contents(given.contents, folder, rng),
            "sizes": sizes,
        }.items():
            folder = Path(name) / part
            folder.mkdir()
            action(folder)


if __name__ == "__main__":
    main()
