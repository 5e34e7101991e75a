"""What happened, in plain sentences: what an answer asserts, what a change did, what the settings are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.constraints import Answer, Log, implied_answers
from dcrc_explore.information import entropy
from dcrc_explore.model.weighting import full_weight
from dcrc_explore.questions.repeats import repeated
from dcrc_explore.session.fit import Fit
from dcrc_explore.session.state import ANYBODY, Settings, State, change_label
from dcrc_explore.session.trace import Request, Trace
from dcrc_explore.settings import SETTINGS, find
from dcrc_explore.words import count

# Cluster number to what a person calls it.
Name = Callable[[int], str]
_SAME = "Nothing changed."
# A change of probability, or of bits, that nobody sees.
_NOTHING = 0.005


def cluster_name(k: int) -> str:
    """Return what cluster k is called unless a person named it.

    Examples
    --------
    >>> cluster_name(0)
    '1'
    """
    return str(k + 1)


def asserts(answer: Answer, n_clusters: int, n_points: int = 3) -> str:
    """Say what an answer claims about clusters: people answer by distance, the model reads it as Eq. (1) or (2).

    Examples
    --------
    >>> asserts(Answer.YES, 3)
    'A and B together, C apart'
    >>> asserts(Answer.NO, 3, n_points=2)
    'A and B apart'
    >>> asserts(Answer.DNK, 3)
    'all together, all apart, or B with C'
    >>> asserts(Answer.DNK, 2)
    'B and C together'
    """
    if n_points == 2:
        return {Answer.YES: "A and B together", Answer.NO: "A and B apart", Answer.DNK: "says nothing"}[answer]
    if answer is Answer.YES:
        return "A and B together, C apart"
    if answer is Answer.NO:
        return "A and C together, B apart"
    # With two clusters, A shares one with B and C or with neither.
    return "B and C together" if n_clusters == 2 else "all together, all apart, or B with C"


def lesson(answer: Answer, points: Sequence[int], truth: NDArray[np.integer]) -> str:
    """Say after an answer what the true classes would have answered, and why.

    Examples
    --------
    >>> lesson(Answer.YES, (0, 1, 2), np.array([0, 0, 1]))
    'You said yes, and so do the true classes: A and B are of one class, C is not.'
    >>> lesson(Answer.YES, (0, 1, 2), np.array([0, 0, 0]))
    "You said yes; the true classes say don't know: all three are of one class."
    """
    if len(points) == 2:
        a, b = truth[list(points)]
        true = Answer.YES if a == b else Answer.NO
        return _lesson(answer, true, f"A and B are of {'one class' if a == b else 'two classes'}")
    true = Answer(int(implied_answers(truth, [tuple(points)])[0]))
    a, b, c = truth[list(points)]
    if true is Answer.YES:
        reason = "A and B are of one class, C is not"
    elif true is Answer.NO:
        reason = "A and C are of one class, B is not"
    elif a == b == c:
        reason = "all three are of one class"
    elif b == c:
        reason = "B and C are of one class, A is not"
    else:
        reason = "all three are of different classes"
    return _lesson(answer, true, reason)


def _lesson(answer: Answer, true: Answer, reason: str) -> str:
    if answer is true:
        return f"You said {answer.words}, and so do the true classes: {reason}."
    return f"You said {answer.words}; the true classes say {true.words}: {reason}."


def moves(before: IntArray, after: IntArray, points: FloatArray | None, name: Name = cluster_name) -> str:
    """Say how many points changed cluster and which way a boundary moved.

    Parameters
    ----------
    before, after : ndarray of shape (N,)
        Cluster of each point.
    points : ndarray of shape (N, 2) or None
        Where they are drawn; None where no boundary is drawn between them.
    name : callable
        What a cluster is called.

    Examples
    --------
    >>> points = np.array([[0.0, 0], [1, 0], [2, 0], [3, 0]])
    >>> moves(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), points)
    '1 point changed cluster, from 1 to 2: the boundary between them moved left.'
    >>> moves(np.array([0, 0]), np.array([0, 0]), points[:2])
    'No point changed cluster.'
    >>> moves(np.array([0, 1]), np.array([0, 0]), points[:2])
    '1 point changed cluster: all points are in cluster 1 now.'
    """
    changed = before != after
    n_changed = int(changed.sum())
    if not n_changed:
        return "No point changed cluster."
    if (after == after[0]).all():
        return f"{count(n_changed, 'point')} changed cluster: all points are in cluster {name(int(after[0]))} now."
    pairs, counts = np.unique(np.column_stack([before, after])[changed], axis=0, return_counts=True)
    streams = {(source, target): n for (source, target), n in zip(pairs.tolist(), counts.tolist(), strict=True)}
    (source, target), most = max(streams.items(), key=lambda stream: stream[1])
    back = streams.get((target, source), 0)
    of_them = "" if n_changed == 1 else "all of them " if most == n_changed else f"{most} of them "
    text = f"{count(n_changed, 'point')} changed cluster, {of_them}from {name(source)} to {name(target)}"
    if points is None:
        return f"{text}."
    if 2 * back >= most:  # as many came as went: it did not move to one side
        return f"{text} and {back} the other way: the boundary between them turned."
    if not (after == source).any():
        return f"{text}: {name(source)} is empty now."
    return f"{text}{_direction(before, source, target, points)}."


def _direction(before: IntArray, source: int, target: int, points: FloatArray) -> str:
    """Tell where a boundary went: it moves into the cluster that lost points."""
    if not (before == target).any():
        return ", which was empty"
    x, y = points[before == source].mean(axis=0) - points[before == target].mean(axis=0)
    where = ("right" if x > 0 else "left") if abs(x) >= abs(y) else ("up" if y > 0 else "down")
    return f": the boundary between them moved {where}"


def certainty(before: FloatArray, after: FloatArray) -> str:
    """Say what a change that moved no point did to the probabilities P(y|x).

    Examples
    --------
    >>> certainty(np.array([[0.9, 0.1]]), np.array([[0.9, 0.1]]))
    'Nothing changed.'
    >>> certainty(np.array([[0.9, 0.1]]), np.array([[0.6, 0.4]]))
    'No point changed cluster; the model is less sure than before.'
    """
    if np.abs(after - before).max() < _NOTHING:
        return _SAME
    surer = float(entropy(before).mean() - entropy(after).mean())
    if abs(surer) < _NOTHING:
        return "No point changed cluster."
    return f"No point changed cluster; the model is {'surer' if surer > 0 else 'less sure'} than before."


def satisfied(by_boundary: NDArray[np.bool_], by_q: NDArray[np.bool_]) -> str:
    """Say how many answers are satisfied, and by what: the memberships Q, and the boundary that is drawn.

    Examples
    --------
    >>> satisfied(np.array([True, False, True]), np.array([True, True, True]))
    'All 3 answers fit the memberships; the boundary violates 1.'
    >>> satisfied(np.array([True]), np.array([True]))
    'The answer is satisfied.'
    """
    M = len(by_boundary)
    if not M:
        return ""
    boundary, q = int(by_boundary.sum()), int(by_q.sum())
    if boundary == q == M:
        return {1: "The answer is satisfied.", 2: "Both answers are satisfied."}.get(
            M, f"All {M} answers are satisfied."
        )
    if boundary == q:
        return "The answer is violated." if M == 1 else f"{boundary} of {M} answers are satisfied."
    if M == 1:
        fits = "The answer fits the memberships" if q else "The answer does not fit the memberships"
        return f"{fits}; the boundary {'satisfies' if boundary else 'violates'} it."
    fits = f"All {M} answers fit" if q == M else f"{q} of {M} answers fit"
    return f"{fits} the memberships; the boundary violates {M - boundary or 'none'}."


def moved(before: Trace | None, after: Trace) -> IntArray:
    """Return the row numbers of the points that are in another cluster than before; none for other data."""
    if before is None or before.request.subject is not after.request.subject:
        return np.empty(0, dtype=np.int64)
    return np.flatnonzero(before.fit.labels != after.fit.labels)


def between(
    before: Trace | None,
    after: Trace,
    points: FloatArray | None,
    name: Name = cluster_name,
    pending: Request | None = None,
) -> str:
    """Say what led from one fit to the next and what it changed; nothing if the data differ.

    Parameters
    ----------
    before, after : Trace
    points : ndarray of shape (N, 2) or None
        Where they are drawn; None where no boundary is drawn between them.
    name : callable
        What a cluster is called.
    pending : Request, optional
        A request that is being fitted after that; the story then says only what is new in it.
    """
    if pending is not None:
        what = [] if pending is after.request else _what(after.request, pending)
        return " ".join([*what, "The model is being fitted."])
    if before is None or before.request.subject is not after.request.subject:
        return ""
    old, new = before.fit, after.fit
    sentences = ["A better grouping was found."] if after.found else _what(before.request, after.request)
    if old.proba.shape == new.proba.shape and (old.labels == new.labels).all():
        sentences.append(certainty(old.proba, new.proba))
        if sentences[-1] == _SAME:
            sentences.append(_why_nothing(before, after))
    else:
        sentences.append(moves(old.labels, new.labels, points, name))
    settings, was = after.request.settings, before.request.settings
    worse = ""
    if settings.epsilon == 0 != was.epsilon and len(new.log) == len(old.log):
        worse = hard_words(new, old, straight=settings.kernel == "linear")
    sentences.append(worse or satisfied(~new.violated, new.satisfied_by_q))
    if after.from_start and after.request.start is not None and len(moved(before, after)):
        sentences.append("A new start found a better grouping than continuing.")
    if bool(before.request.people) != bool(after.request.people):
        apart = "Each person has a noise model of their own now."
        sentences.append(apart if after.request.people else "All people share one noise model now.")
    sentences.append(forced_choices([name for name in new.forced if name not in old.forced]))
    return " ".join(filter(None, sentences))


def forced_choices(names: Sequence[str]) -> str:
    """Say what is assumed of people who never said don't know; nothing when there are none.

    Examples
    --------
    >>> forced_choices(["Ann"])
    "It seems they had to choose: Ann never said don't know, so some answers are taken for guesses."
    """
    if not names:
        return ""
    who = " and ".join(names)
    return f"It seems they had to choose: {who} never said don't know, so some answers are taken for guesses."


def _what(before: Request, after: Request) -> list[str]:
    """Name the answers or settings that are new."""
    answers = [] if before.log is after.log else _new_answers(before.log, after.log)
    changed = [
        f"{d.setting}: {d.first} to {_rest(d.first, d.second)}." for d in differences(before.settings, after.settings)
    ]
    return [*answers, *changed] or ["Fitted again."]


def _why_nothing(before: Trace, after: Trace) -> str:
    """Say why a setting that is about answers had no effect; nothing for other changes."""
    was, now, log = before.request.settings, after.request.settings, after.request.log
    changed = [each.name for each in SETTINGS if getattr(was, each.name) != getattr(now, each.name)]
    if log is not before.request.log or changed not in (["epsilon"], ["use_dnk"], ["weighting"]):
        return ""
    if not len(log):
        return "There are no answers yet, and this setting is about answers."
    if changed == ["use_dnk"] and not (log.answers == Answer.DNK).any():
        return "No answer is don't know."
    if changed == ["epsilon"] and not (before.fit.violated.any() or after.fit.violated.any()):
        return "No answer contradicts the clusters, so it does not matter how far answers are trusted."
    return ""


def _rest(first: str, second: str) -> str:
    """Leave out what two values begin with alike, as in "soft, ε = 0.05 to 0.1"."""
    before, sign, _ = first.rpartition("= ")
    return second.removeprefix(before + sign)


def _new_answers(old: Log, new: Log) -> list[str]:
    """Name answers that are new, taken back, changed or deleted; nothing when there are none."""
    now, more = len(new), len(new) - len(old)
    n = min(now, now - more)
    moved = (old.points[:n] != new.points[:n]).any(axis=1)
    other = np.flatnonzero(moved | (old.answers[:n] != new.answers[:n])).tolist()
    if more == 0 and not other:
        return []
    if more == 0 and len(other) == 1:
        (t,) = other
        if not moved[t]:
            return [f"{change_label(old.answers, new.answers).capitalize()}."]
        return [f"Answer {t + 1}: {Answer(int(new.answers[t])).words}."]
    if more == -1 and other:
        return [f"Answer {other[0] + 1} is deleted."]
    if other:
        return ["Several answers are changed."]
    if more == 1:
        return [f"Answer {now}: {new[-1].answer.words}.{_repetition(new)}"]
    return [f"Answers {n + 1} to {now}." if more > 0 else f"{count(-more, 'answer')} taken back."]


def _repetition(log: Log) -> str:
    """Say which answer the last one repeats, and whether it is the same; nothing if it repeats none."""
    last, first = len(log) - 1, repeated(log).get(len(log) - 1)
    if first is None:
        return ""
    return f" It repeats answer {first + 1} and {'agrees' if log.answers[last] == -log.answers[first] else 'differs'}."


def repeats_in_words(state: State) -> str:
    """Say how often repeated questions were answered differently, and which epsilon the model uses for that reason.

    Examples
    --------
    >>> from dcrc_explore.session.state import Subject
    >>> log = Log().plus([(0, 1, 2), (0, 2, 1)], ["yes", "dnk"], by="Ann")
    >>> repeats_in_words(State(Subject.of("close"), Settings(), log))
    'Ann answered 1 of 1 repeated question differently: error rate about 14 %. The model uses ε = 0.138, not 0.05.'
    """
    settings, (n, n_different) = state.settings, state.repeats
    if not n or not settings.estimates_epsilon:
        return ""
    who, epsilon = {state.log.by[t] for t in repeated(state.log)}, state.fit_settings.epsilon
    name = "People" if len(who) > 1 else "You" if who == {ANYBODY} else who.pop()
    return (
        f"{name} answered {n_different} of {count(n, 'repeated question')} differently: error rate about "
        f"{100 * epsilon:.0f} %. The model uses ε = {epsilon:.3g}, not {settings.epsilon:.3g}."
    )


def hard_words(hard: Fit, soft: Fit, *, straight: bool) -> str:
    """Say why hard answers are violated more often than soft ones of the same data; nothing when they are not.

    What hard answers bind are the memberships Q, and the boundary follows them only as far as its shape allows. Which
    model is better stays open: a violated answer may be wrong.
    """
    M, line, soft_line = len(hard.log), int((~hard.violated).sum()), int((~soft.violated).sum())
    if line >= soft_line:
        return ""
    q, shape = int(hard.satisfied_by_q.sum()), "straight" if straight else "curved"
    return (
        f"Hard answers bind the memberships, which satisfy {q} of {M}; the {shape} boundary cannot follow them "
        f"everywhere and satisfies {line}. With soft answers it satisfies {soft_line}."
    )


# Settings in words ------------------------------------------------------------------------------------------------


class Difference(NamedTuple):
    """A setting in which two models differ, in words.

    Examples
    --------
    >>> print(Difference("Answers", "soft, ε = 0.05", "hard, ε = 0"))
    Answers: soft, ε = 0.05 against hard, ε = 0
    """

    setting: str
    first: str
    second: str

    def __str__(self) -> str:
        return f"{self.setting}: {self.first} against {self.second}"


def describe(settings: Settings) -> dict[str, str]:
    """Say in words what the settings are.

    Examples
    --------
    >>> describe(Settings(epsilon=0, kernel="rbf"))["Answers"], describe(Settings())["Weights λ"]
    ('hard, ε = 0', '2⁻⁶')
    """
    words = {
        each.title or each.label: each.in_words(getattr(settings, each.name)) for each in SETTINGS if each.title != ""
    }
    if find("gamma").makes_sense(settings):
        words["Boundary"] += f", γ = {find('gamma').in_words(settings.gamma)}"
    return words


def weight_in_words(n_answers: int, n_points: int, weighting: str) -> str:
    """Say how much the answers weigh; full weight is as much as all points without answers have together.

    Examples
    --------
    >>> weight_in_words(2, 150, "steady"), weight_in_words(15, 150, "steady")
    ('2 answers: 13 % of full weight (full from 15 answers).', '15 answers: full weight.')
    >>> weight_in_words(1, 150, "paper")
    '1 answer: full weight, as in the paper.'
    """
    needed = full_weight(n_points) if weighting == "steady" else 1
    full = ceil(needed)
    if not n_answers:
        return f"Full weight from {f'{full} answers' if full > 1 else 'the first answer, as in the paper'}."
    if n_answers < full:
        share = 100 * n_answers / needed
        return f"{count(n_answers, 'answer')}: {share:.0f} % of full weight (full from {full} answers)."
    return f"{count(n_answers, 'answer')}: full weight{', as in the paper' if weighting == 'paper' else ''}."


def empty_clusters(n_empty: int, settings: Settings, *, scaled: bool) -> str:
    """Say that a fit leaves clusters empty, and what helps; nothing when there are none.

    Examples
    --------
    >>> empty_clusters(2, Settings(), scaled=False)
    '2 of 3 clusters are empty: standardise the features, lower λ or ask for fewer clusters.'
    """
    if not n_empty:
        return ""
    K = settings.n_clusters
    helpful = {
        "standardise the features": not scaled,
        "switch balance on": not settings.balance,
        "lower λ": settings.lam > 0,
        "ask for fewer clusters": K > 2,
    }
    *ways, last = [way for way, helps in helpful.items() if helps] or ["give more answers"]
    advice = f"{', '.join(ways)} or {last}" if ways else last
    return f"{n_empty} of {K} clusters {'is' if n_empty == 1 else 'are'} empty: {advice}."


def differences(first: Settings, second: Settings) -> list[Difference]:
    """Return every difference of two settings, in words.

    Examples
    --------
    >>> [str(difference) for difference in differences(Settings(), Settings(balance=False))]
    ['Balance: on against off']
    """
    if first == second:
        return []
    words = describe(first), describe(second)
    return [Difference(name, text, words[1][name]) for name, text in words[0].items() if text != words[1][name]]
