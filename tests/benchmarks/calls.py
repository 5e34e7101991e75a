"""What one answer in the tool sets in motion: files, functions and calls of the package, and what is made how often.

Counts every Python call inside dcrc_explore while the Explorer takes the message of one key ``y``, after 20 answers.
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

PACKAGE = str(Path(dcrc_explore.__file__).parent)


def calls_of_an_answer(data: str, strategy: str) -> Counter[tuple[str, str]]:
    """Count calls by file and function."""
    explorer = Explorer(data, autosave=None)
    explorer.session.answer_by_oracle(20)
    explorer.move("strategy", strategy)
    triplet = [int(i) for i in explorer.session.questions.suggest("random")]
    counted: Counter[tuple[str, str]] = Counter()

    def count(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(PACKAGE):
            counted[frame.f_code.co_filename[len(PACKAGE) + 1 :], frame.f_code.co_qualname] += 1

    message = {"do": "answer", "request": "1", "triplet": triplet, "answer": 1}
    sys.setprofile(count)
    try:
        explorer._handle_custom_msg(message, [])
    finally:
        sys.setprofile(None)
    return counted


if __name__ == "__main__":
    for data, strategy in (("close", ""), ("close", "guided"), ("digits", "")):
        counted = calls_of_an_answer(data, strategy)
        # How often EM goes around depends on the answer; everything else is the way of the answer.
        around = Counter({call: n for call, n in counted.items() if not call[0].startswith("model/")})
        asked, made = strategy or "by hand", counted["constraints/given.py", Triplets.__init__.__qualname__]
        print(
            f"{data}, questions {asked}: {counted.total()} calls, {counted.total() - around.total()} of them of the fit"
        )
        print(
            f"  around it {len({file for file, _ in around})} files, {len(around)} functions, {around.total()} calls;",
            end=" ",
        )
        print(f"Triplets made {made} times")
        for (file, name), n in around.most_common(8):
            print(f"  {n:6d}  {file}: {name}")
