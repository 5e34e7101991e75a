"""The numbers of a study's report: confusion, agreement, consistency, seconds, and what DCRC learns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from dcrc_explore.annotators import agreement, fleiss_kappa
from dcrc_explore.constraints import Answer, Entry, Log, answer_columns, count_answers, same_question
from dcrc_explore.metrics import adjusted_rand, pairwise_f
from dcrc_explore.model import DCRC
from dcrc_explore.room.study.records import Answered, Records

KINDS = ("triplet", "pair")
PASSES = 0.75  # share of control questions that a careful participant gets right


@dataclass(frozen=True)
class ParticipantNumbers:
    """What is known about one participant, by kind of question where it differs; nan where nothing is known."""

    name: str
    finished: bool
    n_answers: int
    right: dict[str, float]
    dnk: dict[str, float]
    seconds: dict[str, float]
    consistent: float
    n_repeated: int
    controls: float
    n_controls: int

    @property
    def fails(self) -> bool:
        """Whether too few control questions were right."""
        return self.n_controls > 0 and self.controls < PASSES


@dataclass(frozen=True)
class Score:
    """How well a clustering agrees with the truth: the mean F and adjusted Rand index, with 95 % intervals."""

    method: str
    n_answers: float
    f: float
    f_low: float
    f_high: float
    ari: float
    ari_low: float
    ari_high: float


def confusion(answers: Iterable[Answered]) -> NDArray[np.int64]:
    """Count what was answered (columns yes, no, dnk) for each true answer (rows): the paper's Table IV."""
    known = [each for each in answers if each.true is not None]
    return count_answers([each.true for each in known], [each.entry.answer for each in known])


def describe(records: Records, name: str) -> ParticipantNumbers:
    """Summarise a participant."""
    right, dnk, seconds = {}, {}, {}
    for kind in KINDS:
        mine = records.of(kind, "main", participant=name)
        right[kind] = _mean([each.is_right for each in mine if each.true is not None])
        dnk[kind] = _mean([each.entry.answer == Answer.DNK for each in mine if records.plan.blocks[each.block].dnk])
        seconds[kind] = float(np.median(Log.of(each.entry for each in mine).seconds)) if mine else nan
    repeated = self_consistency(records, name)
    controls = [each.is_right for kind in KINDS for each in records.of(kind, "control", participant=name)]
    return ParticipantNumbers(
        name,
        name in records.finished,
        sum(each.entry.by == name and each.role != "practice" for each in records.answers),
        right,
        dnk,
        seconds,
        _mean(repeated),
        len(repeated),
        _mean(controls),
        len(controls),
    )


def self_consistency(records: Records, name: str) -> list[bool]:
    """Return for each repeated question of a participant whether the answer was the same."""
    same = []
    for kind in KINDS:
        first = dict(canonical(each.entry) for each in records.of(kind, "main", participant=name))
        again = (canonical(each.entry) for each in records.of(kind, "repeat", participant=name))
        same += [answer == first[question] for question, answer in again if question in first]
    return same


def canonical(entry: Entry) -> tuple[tuple[int, ...], Answer]:
    """Return a question as all that ask the same are written, and the answer to it."""
    question, is_mirrored = same_question(entry.points)
    return question, entry.answer.mirrored if is_mirrored else entry.answer


def fleiss(records: Records, kind: str) -> float:
    """Return Fleiss' kappa over all questions of a kind that at least two participants answered."""
    counts: dict[tuple[int, ...], list[int]] = {}
    for each in records.of(kind, "main"):
        question, answer = canonical(each.entry)
        counts.setdefault(question, [0, 0, 0])[int(answer_columns([answer])[0])] += 1
    return fleiss_kappa(np.array(list(counts.values()) or np.empty((0, 3))))


def cohen(records: Records, kind: str) -> list[tuple[str, str, int, float, float]]:
    """Compare participants two by two: names, common questions, share of equal answers, Cohen's kappa."""
    log = Log.of(each.entry for each in records.of(kind, "main"))
    answered = log.triplets if kind == "triplet" else log.pairs
    return [tuple(each) for each in agreement(answered, log.by)]  # type: ignore[misc]


def scores(records: Records, resamples: int = 20) -> list[Score]:
    """Fit DCRC to the answers, of each participant and of all together: the paper's Table V.

    The interval of a mean over participants is Student's; that of all together comes from drawing participants again
    (bootstrap). Without true classes there is nothing to compare with, and the list is empty.
    """
    if records.data.y is None:
        return []
    people = records.participants
    found = [_score("without answers", 0, _fit(records, KINDS[0], [], learned=False), (nan, nan))]
    for kind in KINDS:
        n_kind = len(records.of(kind, "main"))
        if not n_kind:
            continue
        own = [_fit(records, kind, [name], learned=False) for name in people]
        found.append(_student(f"{kind}s of each person", n_kind / len(people), own))
    for kind in KINDS:
        n_kind = len(records.of(kind, "main"))
        if not n_kind or len(people) < 2:
            continue
        for learned, words in ((False, "one error rate"), (True, "a confusion matrix for each")):
            rng = np.random.default_rng(0)
            mean = _fit(records, kind, people, learned=learned)
            drawn = [
                _fit(records, kind, rng.choice(people, len(people)).tolist(), learned=learned) for _ in range(resamples)
            ]
            found.append(_bootstrap(f"{kind}s of all, {words}", n_kind, mean, drawn))
    return found


def _fit(records: Records, kind: str, people: Sequence[str], *, learned: bool) -> tuple[float, float]:
    """Fit to the answers of some people, who may occur more than once; returns F and the adjusted Rand index."""
    answers, names = [], []
    for n, name in enumerate(people):
        mine = records.of(kind, "main", participant=name)
        answers += mine
        names += [f"{n} {name}"] * len(mine)
    answered = {f"{kind}s": getattr(Log.of(each.entry for each in answers), f"{kind}s")}
    data = records.data
    assert data.y is not None
    model = DCRC(records.plan.clusters or data.n_classes or 3, confusion="learned" if learned else None, random_state=0)
    model.fit(data.standardized().X, **answered, annotators=names if learned else None)
    return pairwise_f(data.y, model.labels_), adjusted_rand(data.y, model.labels_)


def _student(method: str, n_answers: float, found: Sequence[tuple[float, float]]) -> Score:
    table = np.array(found)
    half = np.full(2, nan)
    if len(table) > 1:
        half = stats.t.ppf(0.975, len(table) - 1) * table.std(axis=0, ddof=1) / sqrt(len(table))
    return _score(method, n_answers, table.mean(axis=0), half)


def _bootstrap(method: str, n_answers: float, mean: tuple[float, float], drawn: Sequence[tuple[float, float]]) -> Score:
    # Fewer different people are drawn than there are, so percentiles would lie too low: only the spread is used.
    half = stats.norm.ppf(0.975) * np.array(drawn).std(axis=0, ddof=1) if len(drawn) > 1 else np.full(2, nan)
    return _score(method, n_answers, mean, half)


def _score(method: str, n_answers: float, mean: Iterable[float], half: Iterable[float]) -> Score:
    (f, ari), (f_half, ari_half) = map(float, mean), map(float, half)
    return Score(method, n_answers, f, f - f_half, min(f + f_half, 1.0), ari, ari - ari_half, min(ari + ari_half, 1.0))


def _mean(values: Sequence[bool]) -> float:
    return float(np.mean(values)) if len(values) else nan
