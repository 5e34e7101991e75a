"""How many groups the answers fit, how sure that is, and which question would decide.

Numbers of clusters are compared by the bound with a penalty (:mod:`dcrc_explore.model.n_clusters`). Multiplied by what
the likelihood is divided by, the difference of two numbers is in nats, as between two values of BIC.

From 15 answers on another number is advised if it is ahead by 3 nats, which is called strong evidence, and from 40 on
if it is ahead at all. With seeds 0 and 1 tests/benchmarks/groups.py compared numbers after 15 and 20 guided answers
about eight sets, 92 times. Of the 43 other numbers than K = 3 that were ahead, 25 raised the adjusted Rand index; of
the 17 that were clearly ahead, 14 did. After 10 answers it was 2 of 5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from dcrc_explore.arrays import FloatArray
from dcrc_explore.model.n_clusters import Candidate, best, candidates, scan, soft_epsilon
from dcrc_explore.model.path import EMStep
from dcrc_explore.model.validation import ignores_answers
from dcrc_explore.questions.deciding import deciding_triplet
from dcrc_explore.session.state import SessionError, Subject
from dcrc_explore.session.trace import Trace

# Answers below which numbers are not compared, or a small lead is not advised; and more of them before the next time.
EARLY, ENOUGH = 15, 40
_MORE = 5
_CLEAR = 3.0  # nats
# Numbers (points x features) up to which nine fits in the background are quick enough.
_LARGEST = 1_000_000
_MOST_ASKED = 2000  # points among which the question that decides is looked for


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
    divisor : float
        What the log-likelihood of the answers is divided by in the bound.
    epsilon : float
        Probability that an answer is wrong.
    rows : ndarray
        Points about which a question may be.
    proba : dict of int to ndarray
        Their probabilities, by the number of clusters.
    """

    subject: Subject
    n_answers: int
    found: list[Candidate]
    divisor: float = 1.0
    epsilon: float = 0.05
    rows: np.ndarray = field(default_factory=lambda: np.arange(0))
    proba: Mapping[int, FloatArray] = field(default_factory=dict)

    @property
    def best(self) -> int:
        """The number of clusters that fits best."""
        return best(self.found)

    def rival(self, n_clusters: int) -> int:
        """Return this number, or the second best if it is the best."""
        return n_clusters if n_clusters != self.best else best([each for each in self.found if each[0] != self.best])

    def is_clear(self, n_clusters: int) -> bool:
        """Whether the best number is far ahead of this one, or of the second if it is the best."""
        value = {each.n_clusters: each.value for each in self.found}
        return (value[self.best] - value[self.rival(n_clusters)]) * self.divisor > _CLEAR

    def words(self, n_clusters: int) -> str:
        """Say how much better the best number fits than another, as "fit 3 groups clearly better than 4".

        Examples
        --------
        >>> scan = GroupScan(Subject.of("close"), 40, [Candidate(3, -1.0), Candidate(4, -2.0)])
        >>> scan.words(4)
        'fit 3 groups a little better than 4'
        """
        how = "clearly" if self.is_clear(n_clusters) else "a little"
        return f"fit {self.best} groups {how} better than {self.rival(n_clusters)}"

    def advice(self, n_clusters: int) -> str:
        """Return what to try instead of this number of clusters, in a sentence; empty if that is too early.

        Examples
        --------
        >>> GroupScan(Subject.of("close"), 15, [Candidate(3, -1.0), Candidate(4, -5.0)]).advice(4)
        'Your answers fit 3 groups clearly better than 4.'
        """
        early = self.n_answers < ENOUGH and not self.is_clear(n_clusters)
        return "" if early or self.best == n_clusters else f"Your answers {self.words(n_clusters)}."

    def question(self, n_clusters: int, asked: np.ndarray) -> tuple[tuple[int, ...], str]:
        """Return the question about which the best number and this one, or the second, disagree most, and why it is.

        Parameters
        ----------
        n_clusters : int
        asked : ndarray of shape (M, 3)
            Questions that are not asked again.
        """
        place = np.full(len(self.subject.dataset.X), -1)
        place[self.rows] = np.arange(len(self.rows))
        known = place[asked][(place[asked] >= 0).all(axis=1)]
        numbers = self.best, self.rival(n_clusters)
        try:
            decided = deciding_triplet(*(self.proba[K] for K in numbers), epsilon=self.epsilon, asked=known, seed=0)
        except ValueError as error:
            raise SessionError(str(error)) from error
        (most, rival), (first, second) = numbers, decided.expected
        reason = f"With {most} groups, {first} is expected; with {rival}, {second}."
        return tuple(self.rows[decided.triplet].tolist()), reason


def is_due(trace: Trace, last: GroupScan | None) -> bool:
    """Whether to compare numbers of clusters after this fit: K is not known, and there are enough new answers."""
    request = trace.request
    dataset, settings = request.subject.dataset, request.settings
    known = dataset.y is not None and not settings.open_k
    too_much = request.features.rows.size > _LARGEST or ignores_answers(settings.epsilon)
    if known or too_much or request.n_answers < EARLY:
        return False
    return last is None or last.subject is not request.subject or abs(request.n_answers - last.n_answers) >= _MORE


def scan_groups(trace: Trace, go_on: Callable[[], bool]) -> GroupScan | None:
    """Fit 2 to 10 clusters to the answers of a fit; None when `go_on` returns False.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> session = Session("far", autosave=None)
    >>> session.answer_by_oracle(40, strategy="random")
    40
    >>> scan_groups(session.model.trace, lambda: True).words(2)
    'fit 3 groups clearly better than 2'
    """
    request = trace.request
    softened = request.settings.changed({"epsilon": soft_epsilon(request.settings.epsilon)})
    last: dict[int, EMStep] = {}

    def steps(K: int) -> Iterator[EMStep]:
        for step in replace(request, settings=softened.changed({"n_clusters": K}), start=None).steps():
            last[K] = step
            yield step

    N = len(request.features.rows)
    found = scan(steps, candidates(N), go_on)
    if found is None:
        return None
    rows = np.sort(np.random.default_rng(0).permutation(N)[:_MOST_ASKED])
    proba = {K: step.posterior[rows] for K, step in last.items()}
    divisor = last[found[0].n_clusters].path.problem.objective.divisors.answers
    return GroupScan(request.subject, request.n_answers, found, divisor, softened.epsilon, rows, proba)
