"""What one answer in the tool sets in motion: files, functions, calls and hops of the package.

A hop is a call from one file into another. Counts every Python call inside dcrc_explore while the Explorer takes the
message of one key ``y``, after 20 simulated answers and one of the person.

    python tests/benchmarks/calls.py
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import dcrc_explore
from dcrc_explore.constraints import Triplets
from dcrc_explore.widgets import Explorer

PACKAGE = str(Path(dcrc_explore.__file__).parent) + "/"
Call = tuple[str, str]  # the file and the function that is called


def calls_of_an_answer(data: str, strategy: str) -> tuple[Counter[Call], Counter[tuple[str, Call]]]:
    """Count calls by file and function, and hops by the file from which they come."""
    explorer = Explorer(data, autosave=None)
    explorer.session.answer_by_oracle(20)
    explorer.move("strategy", strategy)
    calls: Counter[Call] = Counter()
    hops: Counter[tuple[str, Call]] = Counter()

    def count(frame: FrameType, event: str, _: Any) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(PACKAGE):
            call = file.removeprefix(PACKAGE), frame.f_code.co_qualname
            calls[call] += 1
            caller = frame.f_back
            while caller is not None and not caller.f_code.co_filename.startswith(PACKAGE):
                caller = caller.f_back
            if caller is not None and caller.f_code.co_filename != file:
                hops[caller.f_code.co_filename.removeprefix(PACKAGE), call] += 1

    for request in ("0", "1"):
        triplet = [int(i) for i in explorer.session.questions.suggest("random")]
        message = {"do": "answer", "request": request, "triplet": triplet, "answer": 1}
        sys.setprofile(count if request == "1" else None)
        try:
            explorer._handle_custom_msg(message, [])
        finally:
            sys.setprofile(None)
    return calls, hops


if __name__ == "__main__":
    for data, strategy in (("close", ""), ("close", "guided"), ("digits", "")):
        calls, hops = calls_of_an_answer(data, strategy)
        # How often EM goes around depends on the answer; everything else is the way of the answer.
        around = Counter({call: n for call, n in calls.items() if not call[0].startswith("model/")})
        between = Counter({hop: n for hop, n in hops.items() if "model/" not in (hop[0][:6], hop[1][0][:6])})
        made = calls["constraints/triplets.py", Triplets.__init__.__qualname__]
        print(
            f"{data}, questions {strategy or 'by hand'}: {calls.total()} calls, "
            f"{calls.total() - around.total()} of them of the fit"
        )
        print(
            f"  around it {len({file for file, _ in around})} files, {len(around)} functions, {around.total()} calls, "
            f"{between.total()} hops; Triplets made {made} times"
        )
        for (origin, (file, name)), n in between.most_common(8):
            print(f"  {n:6d}  {origin} -> {file}: {name}")
