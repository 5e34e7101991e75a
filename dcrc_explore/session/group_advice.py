"""How many groups do the answers speak of? Advice while nobody acts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from dcrc_explore.model.n_clusters import Candidate, best, candidates, scan, soft_epsilon
from dcrc_explore.model.path import EMStep
from dcrc_explore.model.validation import ignores_answers
from dcrc_explore.session.subject import Subject
from dcrc_explore.session.trace import Trace

# Answers below which nothing is said, and more of them before the numbers are compared again: see
# tests/benchmarks/groups.py.
ENOUGH = 40
_MORE = 5
# Numbers (points x features) up to which nine fits in the background are quick enough.
_LARGEST = 1_000_000


@dataclass(frozen=True, eq=False)
class GroupScan:
    """How well each number of clusters fits the answers.

    Attributes
    ----------
    subject : Subject
        The data.
    n_answers : int
        How many answers there were.
    found : list of Candidate
        Numbers of clusters with their bound, less a penalty: see :mod:`dcrc_explore.model.n_clusters`.
    """

    subject: Subject
    n_answers: int
    found: list[Candidate]

    @property
    def best(self) -> int:
        """The number of clusters that fits best."""
        return best(self.found)

    def advice(self, n_clusters: int) -> str:
        """Return what to try instead of so many clusters, in a sentence; empty where they fit best.

        Examples
        --------
        >>> GroupScan(Subject.of("close"), 40, [Candidate(3, -1.0), Candidate(4, -2.0)]).advice(4)
        'Your answers fit 3 groups better than 4.'
        """
        return "" if self.best == n_clusters else f"Your answers fit {self.best} groups better than {n_clusters}."


def is_due(trace: Trace, last: GroupScan | None) -> bool:
    """Whether to compare numbers of clusters after this fit: K is not known, and there are enough new answers."""
    request = trace.request
    dataset, settings = request.subject.dataset, request.settings
    known = dataset.y is not None and not settings.open_k
    too_much = request.features.rows.size > _LARGEST or ignores_answers(settings.epsilon)
    if known or too_much or request.n_answers < ENOUGH:
        return False
    return last is None or last.subject is not request.subject or abs(request.n_answers - last.n_answers) >= _MORE


def scan_groups(trace: Trace, go_on: Callable[[], bool]) -> GroupScan | None:
    """Fit 2 to 10 clusters to the answers of a fit; None when `go_on` says no.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> session = Session("far", autosave=None)
    >>> session.answer_by_oracle(40, strategy="random")
    40
    >>> scan_groups(session.model.trace, lambda: True).best
    3
    """
    request = trace.request
    softened = request.settings.changed({"epsilon": soft_epsilon(request.settings.epsilon)})

    def steps(K: int) -> Iterator[EMStep]:
        return replace(request, settings=softened.changed({"n_clusters": K}), start=None).steps()

    found = scan(steps, candidates(len(request.features.rows)), go_on)
    return None if found is None else GroupScan(request.subject, request.n_answers, found)
