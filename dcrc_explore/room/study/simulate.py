"""A rehearsal of a study: simulated people take part in it, over HTTP, as real ones would."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from dcrc_explore.annotators import Oracle, PairOracle, as_confusion, error_matrix
from dcrc_explore.annotators.confusion import PAPER_CONFUSION, PAPER_PAIR_CONFUSION
from dcrc_explore.arrays import FloatArray
from dcrc_explore.constraints import Answer
from dcrc_explore.datasets import Dataset
from dcrc_explore.room.client import Phone
from dcrc_explore.room.limits import Limits
from dcrc_explore.room.server import Server
from dcrc_explore.room.study.plan import Plan, parse_plan
from dcrc_explore.room.study.schedule import implied, schedule
from dcrc_explore.room.study.study import Study

_EASY = 0.8  # share of control questions that a careful participant can't get wrong
_TRIPLET_SECONDS, _PAIR_SECONDS = 4.5, 2.5  # medians of simulated people


def simulate(plan: Plan, folder: Path, n_people: int = 6, seed: int = 0) -> int:
    """Let simulated people take part in a study; returns how many have finished.

    They err as the paper's people did (Table IV), each a little differently; the last of five or more guesses. The plan
    in the folder says that they are simulated, and so do report and exports; people cannot be added to it.
    """
    if not plan.simulated:
        plan = parse_plan(f"simulated = true\n{plan.text}", folder=plan.folder)
    with Study(plan, folder) as study:
        if study.data.y is None:
            raise ValueError(f"simulated people need true classes, and {plan.data!r} has none")
        limits = Limits(answers_per_person=(1000.0, 1000.0))  # nobody reads here
        with Server(study.room(limits), port=0) as server, ThreadPoolExecutor(min(n_people, 8)) as pool:
            list(pool.map(lambda n: _take_part(server.address, study, n, n_people, seed), range(n_people)))
        return study.n_finished


def _take_part(address: str, study: Study, n: int, n_people: int, seed: int) -> None:
    rng = np.random.default_rng([seed, n])
    guesses = n_people >= 5 and n == n_people - 1
    phone = Phone(address)
    steps = phone.steps()
    answers: dict[str, str] = {}
    while steps[0]["kind"] != "end":
        step = steps[0]
        if step["kind"] == "question" and not answers:
            answers = _answers(study.plan, study.data, study.slot(phone.number), rng, guesses=guesses)
        steps = phone.answer(step["id"], _value(step, answers, rng), _seconds(step, rng, guesses=guesses))["steps"]
    phone.close()


def _answers(plan: Plan, data: Dataset, slot: int, rng: np.random.Generator, *, guesses: bool) -> dict[str, str]:
    """Return what a simulated person answers to each question of their schedule."""
    person = Oracle(data.y, _own(PAPER_CONFUSION, rng, guesses=guesses), rng)  # type: ignore[arg-type]
    pair_person = PairOracle(data.y, _own(PAPER_PAIR_CONFUSION, rng, guesses=guesses), rng)  # type: ignore[arg-type]
    answers = {}
    for asked in schedule(plan, data, slot):
        rows = getattr(asked.step, "rows", ())
        if asked.role == "control" and not guesses and rng.random() < _EASY:
            answers[asked.step.id] = implied(data.y, rows).name.lower()  # type: ignore[arg-type]
        elif len(rows) == 3:
            answers[asked.step.id] = Answer(int(person.answer([rows])[0])).name.lower()
        elif rows:
            answers[asked.step.id] = "yes" if pair_person.answer([rows])[0] else "no"
    return answers


def _own(confusion: FloatArray, rng: np.random.Generator, *, guesses: bool) -> FloatArray:
    """Return a person's own confusion matrix: around a common one, or that of someone who guesses."""
    size = len(confusion)
    if guesses:
        return error_matrix(1 - 1 / size, size)
    return as_confusion(np.array([rng.dirichlet(30 * row + 0.1) for row in confusion]), size)


def _value(step: dict[str, Any], answers: dict[str, str], rng: np.random.Generator) -> Any:
    if step["kind"] == "question":
        return answers[step["id"]]
    if step["kind"] == "page":
        return "next"
    return {each["id"]: _item(each, rng) for each in step["fields"]}


def _item(item: dict[str, Any], rng: np.random.Generator) -> str:
    if item["options"]:
        return str(rng.choice(item["options"]))
    return str(rng.integers(20, 60)) if item["kind"] == "number" else "simulated"


def _seconds(step: dict[str, Any], rng: np.random.Generator, *, guesses: bool) -> float:
    """Draw seconds around a median; someone who guesses is quick."""
    median = _TRIPLET_SECONDS if len(step.get("items", ())) == 3 else _PAIR_SECONDS
    return round(float(rng.lognormal(np.log(median / (4 if guesses else 1)), 0.5)), 2)
