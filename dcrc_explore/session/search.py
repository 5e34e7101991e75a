"""Work while the user is idle: a search for a better grouping, and advice about boundary and number of clusters."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from threading import Event, RLock, Thread, current_thread
from typing import Any
from weakref import finalize

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import KFold

from dcrc_explore.arrays import FloatArray
from dcrc_explore.model.estimator import DCRC
from dcrc_explore.model.features import Features
from dcrc_explore.model.held_out import held_out_log_proba
from dcrc_explore.model.n_clusters import Candidate, best, candidates, scan, soft_epsilon
from dcrc_explore.model.path import EMStep
from dcrc_explore.model.validation import ignores_answers
from dcrc_explore.questions.deciding import deciding_triplet
from dcrc_explore.session.background import Deliver
from dcrc_explore.session.fitted import FittedModel
from dcrc_explore.session.state import Change, Settings, Subject, clear_errors
from dcrc_explore.session.trace import FEW, Request, Trace
from dcrc_explore.words import count

# Straight or curved? ------------------------------------------------------------------------------------------------

CURVES = "These answers do not fit straight lines: try the RBF kernel."
# From so many answers on, curves are advised when they predict answers that were held out better by this much on
# average, in nats, and by this many standard errors. Measured by tests/benchmarks/curves.py.
_ENOUGH_FOR_CURVES = 15
_GAIN = 0.1
_STANDARD_ERRORS = 2.0
_FOLDS = 3
# In few dimensions narrow bends are tried too: "scale" is made for clusters as wide as the data.
_FEW_FEATURES = 4
_NARROW = 3.0


def curves_advised(
    trace: Trace, features_of: Callable[[Subject, Settings], Features], go_on: Callable[[], bool]
) -> dict[str, Any] | None:
    """Return the settings of a curved boundary that predicts held-out answers clearly better than a straight one.

    Parameters
    ----------
    trace : Trace
        A fit with the linear kernel, else nothing is advised.
    features_of : callable(Subject, Settings)
        Makes the features of a kernel.
    go_on : callable()
        Called after each fit; when it returns False, nothing is advised.

    Returns
    -------
    dict or None
        Kernel and gamma; None where straight lines will do.
    """
    request = trace.request
    if request.settings.kernel != "linear" or request.n_answers < _ENOUGH_FOR_CURVES or not trace.fit.violated.any():
        return None
    straight = _predicted(request, request.features, go_on)
    best: tuple[float, dict[str, Any] | None] = _GAIN, None
    for gamma in _widths(request.subject.dataset.X):
        changes = {"kernel": "rbf", "gamma": gamma}
        curved = _predicted(request, features_of(request.subject, request.settings.changed(changes)), go_on)
        if straight is None or curved is None:
            return None
        gains = curved - straight
        error = gains.std(ddof=1) / np.sqrt(len(gains))
        if gains.mean() > max(best[0], _STANDARD_ERRORS * error):
            best = gains.mean(), changes
    return best[1]


def _widths(X: FloatArray) -> list[float | str]:
    """Return the values of gamma that are tried."""
    spread = X.shape[1] * X.var()
    return ["scale", float(_NARROW / spread)] if X.shape[1] <= _FEW_FEATURES and spread > 0 else ["scale"]


def _predicted(request: Request, features: Features, go_on: Callable[[], bool]) -> FloatArray | None:
    """Return the log-probability of each answer, from fits without it; None when the work was ended."""
    folds = KFold(_FOLDS, shuffle=True, random_state=0)
    model = DCRC(**request.parameters() | {"kernel": "linear"})
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # a fit that loses a cluster is judged like any other
        for train, test in folds.split(np.arange(request.n_answers)):
            if not go_on():
                return None
            found.append(held_out_log_proba(model, features.rows, request.answered(), train, test))
    return np.concatenate(found) if go_on() else None


# The search ---------------------------------------------------------------------------------------------------------

# The step that a better grouping becomes.
BETTER = "better grouping"
# Answers from which on it is worth looking.
_FEWEST = 5
# Seconds without an action before the search begins: the picture, the panels and the next question come first.
_PAUSE = 0.5


class Search:
    """Searches for a better optimum than that of the latest fit, in a thread of its own; the next action ends it.

    Parameters
    ----------
    model : FittedModel
    adopt : callable(Trace, str)
        Takes a better grouping, as a step of this name.
    notify : callable(Change)
        Called when there is some advice.
    background : callable or None
        Runs a function in the session's own thread; without it there is no search.
    lock : RLock
    undone : callable()
        Whether a step is taken back, which a better grouping must not make impossible to do again.

    Attributes
    ----------
    advice : str
        What to try, in a sentence; empty when there is nothing.
    suggested : dict
        The settings that the latest advice is about.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> Session("far", autosave=None).search.advice  # a session without a background does not search
    ''
    """

    def __init__(
        self,
        model: FittedModel,
        adopt: Callable[[Trace, str], None],
        notify: Callable[[Change], None],
        background: Deliver | None,
        lock: RLock,
        undone: Callable[[], bool],
    ) -> None:
        self._model, self._adopt, self._notify, self._undone = model, adopt, notify, undone
        self._background, self._lock = background, lock
        self._stop = Event()
        self._last: Trace | None = None
        self._thread: Thread | None = None
        self._at_exit: finalize[..., Search] | None = None
        self._refused: Subject | None = None  # the data whose better grouping a person took back
        self._advised: Subject | None = None  # the data about which advice was given
        self._numbers: tuple[Subject, int, int] | None = None  # data, K and the number that was advised instead
        self.advice = ""
        self.suggested: dict[str, Any] = {}
        self._scan: GroupScan | None = None

    @property
    def scan(self) -> GroupScan | None:
        """How well 2 to 10 clusters fit the answers to the current data; None before that is known."""
        scan = self._scan
        return scan if scan is not None and scan.subject is self._model.current().subject else None

    def look(self) -> None:
        """Search for a better grouping in the background until the next action; if one is found, it becomes a step.

        With few answers EM may end in a poor optimum. Nothing happens without a background, while a step is taken back,
        if each fit starts from the initialisation, or after a person took back a result of this search for these data.
        """
        with self._lock:
            trace, state = self._model.trace, self._model.current()
            known = trace is self._last or (trace.found and not is_due(trace, self._scan))
            theirs = state.settings.restart or self._undone() or state.n_answers < _FEWEST
            if self._background is None or self._model.busy or known or theirs:
                return
            self.cancel()
            self._last, self._stop = trace, Event()
            arguments = trace, self._stop, self._thread
            self._thread = Thread(target=self._work, args=arguments, name="dcrc search", daemon=True)
            if self._at_exit is not None:
                self._at_exit.detach()
            self._at_exit = finalize(self, _end, self._stop, self._thread)
            self._thread.start()

    def cancel(self) -> None:
        """End the search after the present EM iteration; its result is not used."""
        self._stop.set()
        self.advice = ""

    def refuse(self) -> None:
        """Do not search for a better grouping of these data again."""
        self._refused = self._model.current().subject

    def _work(self, trace: Trace, stop: Event, before: Thread | None) -> None:
        if before is not None:
            before.join()  # it has been told to end
        if stop.wait(_PAUSE):
            return
        subject = trace.request.subject

        def go_on() -> bool:
            return not stop.is_set()

        try:
            few = trace.request.n_answers <= FEW * len(subject.dataset.X) and not trace.found
            better = trace.improved(go_on) if few and self._refused is not subject else None
            if better is not None and (better.fit.labels != trace.fit.labels).any():  # else there is nothing to see
                self._deliver(stop, lambda: self._adopt(better, BETTER))
                return
            changes = None
            if self._advised is not subject:
                changes = curves_advised(trace, self._model.features, go_on)
            if changes is not None:
                self._deliver(stop, lambda: self._advise_curves(changes))
            elif is_due(trace, self._scan):
                found = scan_groups(trace, go_on)
                if found is not None:
                    self._deliver(stop, lambda: self._advise_groups(found))
        except (ArithmeticError, ValueError):  # a start that no model can be fitted from is not a better one
            return

    def _deliver(self, stop: Event, function: Callable[[], None]) -> None:
        """Let a function run in the session's thread, if nobody acts before."""

        def run() -> None:
            with self._lock:
                if not stop.is_set():
                    function()

        assert self._background is not None
        self._background(run)

    def _advise_groups(self, scan: GroupScan) -> None:
        self._scan, K = scan, self._model.current().settings.n_clusters
        now = scan.subject, K, scan.best
        if scan.advice(K) and now != self._numbers:  # once is enough
            self._numbers = now
            self.advice, self.suggested = scan.advice(K), {"n_clusters": scan.best, "open_k": True}
        self._notify(Change.ADVICE)

    def _advise_curves(self, changes: dict[str, Any]) -> None:
        self._advised = self._model.current().subject
        self.advice, self.suggested = CURVES, changes
        self._notify(Change.ADVICE)


def _end(stop: Event, thread: Thread) -> None:
    """End a search when Python ends, which must not take libraries away from a thread that is in them."""
    stop.set()
    if thread is not current_thread():
        thread.join()


# How many groups? ---------------------------------------------------------------------------------------------------

# Numbers of clusters are compared by the bound with a penalty (model/n_clusters.py). Multiplied by what the
# likelihood is divided by, the difference of two numbers is in nats, as between two values of BIC. Another number is
# advised if it is ahead by 3 nats, which is called strong evidence, and with many answers if it is ahead at all. With
# seeds 0 and 1 tests/benchmarks/groups.py compared numbers after 15 and 20 guided answers about eight sets, 92 times.
# Of the 43 other numbers than K = 3 that were ahead, 25 raised the adjusted Rand index; of the 17 that were clearly
# ahead, 14 did. After 10 answers it was 2 of 5.

# Answers below which numbers are not compared, or a small lead is not advised; and more of them before the next time.
EARLY, ENOUGH = 15, 40
_MORE = 5
_CLEAR = 3.0  # nats
# Two numbers are close, and both are described, if the lead is less than 2 nats: there the best number was right in 38%
# of 74 scans and the second in 19%. With a lead of 2 to 3 nats it was 80% against 7% of 54 (see n_clusters).
_CLOSE = 2.0
# Numbers (points x features) up to which nine fits in the background are quick enough.
_LARGEST = 1_000_000
_MOST_ASKED = 2000  # points among which the question that decides is looked for


@dataclass(frozen=True, eq=False)
class GroupScan:
    """How well each number of clusters fits the answers."""

    subject: Subject  # the data
    n_answers: int  # how many answers there were
    found: list[Candidate]  # numbers of clusters with their bound, less a penalty: see n_clusters
    divisor: float = 1.0  # what the log-likelihood of the answers is divided by in the bound
    epsilon: float = 0.05  # probability that an answer is wrong
    rows: np.ndarray = field(default_factory=lambda: np.arange(0))  # points about which a question may be
    proba: Mapping[int, FloatArray] = field(default_factory=dict)  # their probabilities, by the number of clusters
    satisfied: Mapping[int, int] = field(default_factory=dict)  # answers that the clusters satisfy, by their number

    @property
    def best(self) -> int:
        """The number of clusters that fits best."""
        return best(self.found)

    def rival(self, n_clusters: int) -> int:
        """Return this number, or the second best if it is the best."""
        return n_clusters if n_clusters != self.best else best([each for each in self.found if each[0] != self.best])

    def lead(self, n_clusters: int) -> float:
        """How far the best number is ahead of this one, or of the second if it is the best, in nats."""
        value = {each.n_clusters: each.value for each in self.found}
        return (value[self.best] - value[self.rival(n_clusters)]) * self.divisor

    def is_clear(self, n_clusters: int) -> bool:
        """Whether the best number is far ahead."""
        return self.lead(n_clusters) > _CLEAR

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

    def both(self, n_clusters: int) -> str:
        """Say what speaks for each of two numbers that are close; empty if one is well ahead.

        Examples
        --------
        >>> found = [Candidate(3, -1.0), Candidate(4, -2.0)]
        >>> GroupScan(Subject.of("close"), 40, found, satisfied={3: 38, 4: 40}).both(3)
        'With 3 groups, 38 of 40 answers are satisfied. With 4 groups, 40 are satisfied, at the price of 1 more group.'
        """
        if self.lead(n_clusters) >= _CLOSE:
            return ""
        few, many = sorted((self.best, self.rival(n_clusters)))
        return (
            f"With {few} groups, {self.satisfied[few]} of {self.n_answers} answers are satisfied. With {many} groups, "
            f"{self.satisfied[many]} are satisfied, at the price of {count(many - few, 'more group')}."
        )

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
        with clear_errors():
            decided = deciding_triplet(*(self.proba[K] for K in numbers), epsilon=self.epsilon, asked=known, seed=0)
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
    satisfied = {K: int((~request.log.violated(step.proba.argmax(axis=1))).sum()) for K, step in last.items()}
    return GroupScan(request.subject, request.n_answers, found, divisor, softened.epsilon, rows, proba, satisfied)
