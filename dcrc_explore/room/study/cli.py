"""The command ``dcrc-explore study``: run a study, write a plan, rehearse it, report on it."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from dcrc_explore.room.qr import qr_svg
from dcrc_explore.room.server import LOOPBACK, Server
from dcrc_explore.room.study.plan import PAPER, TEMPLATE, PlanError, parse_plan, read_plan
from dcrc_explore.room.study.records import read_records
from dcrc_explore.room.study.study import PLAN_FILE, Study
from dcrc_explore.storage import StoredFile
from dcrc_explore.values import whole
from dcrc_explore.words import count

_OPENED = """
Every device that reaches {host} can now open this address. The connection is not encrypted: others in the same network
can read it. Anyone with the code can take part; no one can read answers or files. For a study over the internet put a
proxy with TLS in front and name its host by --name.
"""


def main(arguments: Sequence[str]) -> int:
    """Run the command; returns the exit status."""
    words = list(arguments)
    commands = {"new": _new, "report": _report, "simulate": _simulate, "withdraw": _withdraw}
    command = commands.get(words[0]) if words else None
    try:
        if command is None:
            _run(words)
        else:
            command(words[1:])
    except (ValueError, OSError, ImportError) as error:
        print(f"dcrc-explore study: {error}", file=sys.stderr)
        return 1
    return 0


def _run(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(
        "dcrc-explore study",
        description="Run a study that follows a plan. The same command continues a stopped study.",
        epilog="Other commands: dcrc-explore study new [FILE], study simulate PLAN, study report FOLDER, "
        "study withdraw FOLDER NUMBER",
    )
    parser.add_argument("plan", type=Path, help="TOML file; dcrc-explore study new writes one")
    parser.add_argument("--folder", type=Path, help="where the data go; by default PLAN-data beside the plan")
    parser.add_argument("--host", default=LOOPBACK, help="address to listen on; by default this machine only "
                        "(%(default)s). 0.0.0.0 lets in every device of the network, without encryption")  # fmt: skip
    parser.add_argument("--port", type=int, help="port to listen on; by default the first free one from 8900 on")
    parser.add_argument("--name", action="append", default=[], help="host name of a proxy with TLS in front")
    options = parser.parse_args(words)
    plan = read_plan(options.plan)
    if plan.simulated:
        raise PlanError(f"{options.plan} is the plan of a rehearsal (simulated = true): people cannot take part in it")
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    folder = options.folder or options.plan.with_name(f"{options.plan.stem}-data")
    with Study(plan, folder) as study:
        with Server(study.room(), host=options.host, port=options.port, names=options.name) as server:
            picture = study.folder / "address.svg"
            with StoredFile(picture) as file:
                file.hold(create=True)
                file.replace(qr_svg(server.address).encode())
            print(f"{plan.title}\nParticipants open {server.address}\nQR code: {picture}\nData: {study.folder}")
            if study.damaged:
                print(f"Damaged and left out: {', '.join(study.damaged[:20])}")
            if server.is_open:
                print(_OPENED.format(host=server.root))
            print("Ctrl+C stops it; the same command continues.", flush=True)
            ended.wait()
        print(f"{count(study.n_participants, 'participant')}, {study.n_finished} finished.")


def _new(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser("dcrc-explore study new", description="Write a plan with explanations.")
    parser.add_argument("file", type=Path, nargs="?", default=Path("plan.toml"), help="(%(default)s)")
    parser.add_argument("--paper", action="store_true", help="the paper's study: 150 triplets and 225 pairs")
    options = parser.parse_args(words)
    source = PAPER if options.paper else TEMPLATE
    text = source.read_text(encoding="utf-8")
    plan = parse_plan(text, source.name)
    plan.load_data()
    with StoredFile.create(options.file, text.encode()) as file:
        asked = " and ".join(f"{block.count} {block.kind}" for block in plan.blocks)
        print(f"{file.path}: a study of {plan.data} with {asked}. Edit it, then rehearse: "
              f"dcrc-explore study simulate {file.path}")  # fmt: skip


def _simulate(words: Sequence[str]) -> None:
    from dcrc_explore.room.study.simulate import simulate  # the model behind it takes long to load

    parser = argparse.ArgumentParser("dcrc-explore study simulate", description="Let simulated people take part.")
    parser.add_argument("plan", type=Path)
    parser.add_argument("--folder", type=Path, help="where the data go; by default PLAN-simulated beside the plan")
    parser.add_argument("--people", type=int, default=6, help="(%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="(%(default)s)")
    options = parser.parse_args(words)
    people, folder = whole(1, 200).checked(options.people, "people"), options.folder
    folder = folder or options.plan.with_name(f"{options.plan.stem}-simulated")
    finished = simulate(read_plan(options.plan), folder, people, options.seed)
    print(f"{count(finished, 'simulated participant')} finished. Report: dcrc-explore study report {folder}")


def _report(words: Sequence[str]) -> None:
    from dcrc_explore.room.study.report import write_report  # needs matplotlib, and fits models

    parser = argparse.ArgumentParser(
        "dcrc-explore study report",
        description="Write a page with plots, and the data as CSV, Psych-DS and for Salmon and cblearn.",
    )
    parser.add_argument("folder", type=Path, help="folder of a study's data")
    parser.add_argument("--out", type=Path, help="folder to write; by default FOLDER/report")
    options = parser.parse_args(words)
    print(write_report(options.folder, options.out or options.folder / "report"))


def _withdraw(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(
        "dcrc-explore study withdraw",
        description="Delete the answers of a participant who withdraws. Stop the study first.",
    )
    parser.add_argument("folder", type=Path, help="folder of a study's data")
    parser.add_argument("number", type=int, help="number of the participant: 3 for p0003")
    options = parser.parse_args(words)
    if not (options.folder / PLAN_FILE).is_file():
        raise ValueError(f"{str(options.folder)!r} must be the folder of a study, with {PLAN_FILE} in it")
    plan = read_records(options.folder).plan
    with Study(plan, options.folder) as study:
        study.withdraw(options.number)
    print(f"The answers of participant {options.number} are deleted. The number is not given again.")
