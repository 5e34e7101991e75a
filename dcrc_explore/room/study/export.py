"""A study's answers in the forms that other programs read."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from dcrc_explore import __version__
from dcrc_explore.arrays import IntArray
from dcrc_explore.constraints import Log
from dcrc_explore.constraints.writing import answers_as_csv, answers_as_text
from dcrc_explore.room.study.records import Answered, Records
from dcrc_explore.storage import safe_name
from dcrc_explore.tables import as_csv
from dcrc_explore.words import count

# Each column of the answers with what it means.
COLUMNS = {
    "a": "Row of item A in the data, from 0 on.",
    "b": "Row of item B.",
    "c": "Row of item C; empty for pairs.",
    "answer": "yes, no or don't know.",
    "by": "The participant.",
    "time": "When the answer arrived, in UTC.",
    "seconds": "Time from when all pictures were shown to the answer, while the page was visible.",
    "slot": "Place among those who agreed to take part; decides order of blocks and sides.",
    "place": "Number of the step within the participant's session.",
    "block": "Number of the block in the plan, from 0 on; -1 in practice.",
    "kind": "triplet: is A more similar to B than to C? pair: do A and B belong together?",
    "role": "practice, main, repeat (asked a second time) or control (known answer).",
    "true": "Answer that the true classes imply; empty where they are unknown.",
    "changed": "1 when the answer replaced one before.",
    "row_a": "Row of item A in the file, where rows of it were left out of the data.",
    "row_b": "Row of item B in the file.",
    "row_c": "Row of item C in the file.",
}


def answers_csv(answers: Iterable[Answered], rows: IntArray | None = None) -> str:
    """Write answers as the table that everything here reads, with the columns of `COLUMNS`; `rows` are of the file."""
    answers = list(answers)
    more: dict[str, list[Any]] = {
        name: [getattr(each, name) for each in answers] for name in ("slot", "place", "block", "kind", "role")
    }
    more["true"] = [None if each.true is None else each.true.words for each in answers]
    more["changed"] = [int(each.changed) for each in answers]
    return answers_as_csv(Log.of(each.entry for each in answers), rows=rows, **more)


def items_csv(records: Records) -> str:
    """Write the questionnaire: a row for each participant."""
    names = [item.id for item in records.plan.items]
    rows = [[who, *(given.get(name, "") for name in names)] for who, given in sorted(records.items.items())]
    return as_csv(["participant", *names], rows)


def for_others(records: Records, file_format: str) -> str:
    """Write triplets for "salmon" or "cblearn", which have no don't know; `constraints.formats` has their forms."""
    return answers_as_text(Log.of(each.entry for each in records.of("triplet", "main")), file_format)[0]


def psych_ds(records: Records) -> dict[str, str]:
    """Return the files of a Psych-DS folder: a description, and a table for each participant below data/."""
    plan = records.plan
    who = count(len(records.participants), plan.participant)
    description = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": plan.title,
        "description": f"Answers of {who} to questions about {plan.data}.",
        "variableMeasured": [
            {"@type": "PropertyValue", "name": name, "description": words}
            for name, words in COLUMNS.items()
            if records.data.skips_rows or not name.startswith("row_")
        ],
        "generator": f"dcrc_explore {__version__}",
    }
    study = safe_name(plan.title, "study").replace("-", "")
    files = {"dataset_description.json": json.dumps(description, indent=2, ensure_ascii=False) + "\n"}
    for name in records.participants:
        mine = [each for each in records.answers if each.entry.by == name]
        files[f"data/study-{study}_subject-{name}_data.csv"] = answers_csv(mine, records.data.rows)
    return files
