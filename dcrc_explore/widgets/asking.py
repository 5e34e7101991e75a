"""Questions: the card that asks them, the controls that choose them, functions that answer, models that name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import isfinite
from typing import Any

from dcrc_explore.annotators import Collected, FunctionAnnotator, Progress, list_oracles
from dcrc_explore.annotators.language_model import LanguageModel
from dcrc_explore.constraints import Answer
from dcrc_explore.progress import duration
from dcrc_explore.questions import list_strategies
from dcrc_explore.session import Asking, Fit, Question, Session, SessionError
from dcrc_explore.session.answering import annotator_of, names_by
from dcrc_explore.session.asking import SHARED, person_name
from dcrc_explore.session.background import Deliver, in_background
from dcrc_explore.session.state import State, Subject
from dcrc_explore.settings import find
from dcrc_explore.widgets.controls import Act, Control, Do, Work, menu, putting
from dcrc_explore.widgets.protocol import Verbs
from dcrc_explore.widgets.protocol.sent import QuestionSent
from dcrc_explore.widgets.scene import pack_differences
from dcrc_explore.words import count

_QUESTIONS = ((False, "new questions"), (True, "what others were asked"))
_LIMITS = ((0, "none"), (60, "1 minute"), (600, "10 minutes"), (3600, "1 hour"))
_LOCAL = "{} gets the three items of each question. It runs in this kernel: its code decides what leaves this machine."


class FunctionAnswers:
    """The annotators that a notebook registered, and the run of one; none is called before a person wants it."""

    def __init__(self, act: Act) -> None:
        self._act = act
        self.registered: dict[str, tuple[Any, dict[str, Any]]] = {}  # functions and their options, by name
        self._made: dict[str, tuple[Subject, FunctionAnnotator]] = {}
        self._running: FunctionAnnotator | None = None
        self._is_stopped = False
        self._shared, self._limit = False, 0
        self._is_seen = True
        self.words = ""  # the progress of the run, or the outcome of the last one
        self.share = 0.0  # of the questions that are answered

    def register(self, session: Session, name: str, function: Any, options: dict[str, Any]) -> None:
        """Note who can answer; ValueError or TypeError when it cannot."""
        name = person_name(name)
        annotator_of(session, function, name, options)
        self.registered[name] = function, options
        self._made.pop(name, None)

    def _annotator(self, session: Session, name: str) -> FunctionAnnotator:
        """Return the annotator for the data on show, with the budget that is left."""
        function, options = self.registered[name]
        subject = session.state.subject
        if name not in self._made or self._made[name][0] is not subject:
            self._made[name] = subject, annotator_of(session, function, name, options)
        annotator = self._made[name][1]
        if self._limit or "max_seconds" not in options:
            annotator.max_seconds = annotator.seconds + self._limit if self._limit else None
        return annotator

    @property
    def is_running(self) -> bool:
        """Whether an annotator is being asked."""
        return self._running is not None

    def controls(self, name: str) -> Iterator[Control]:
        """List what can be chosen about an annotator, and what leaves the machine."""
        about = "New questions, or those that people answered; only these show how far both agree"
        yield menu("ask.about", "About", _QUESTIONS, self._shared, putting(self, "_shared"), help=about)
        about = "No question is asked after this time; the buttons below limit the number of questions"
        yield menu("limit", "Time limit", _LIMITS, self._limit, putting(self, "_limit"), help=about)
        function = self.registered[name][0]
        sends = getattr(getattr(function, "function", function), "sends", "") or _LOCAL.format(name)
        yield Control("sends", "words", value=sends)

    def forget(self) -> None:
        """Say nothing more about the last run."""
        if not self.is_running:
            self.words, self.share = "", 0.0

    def stop(self) -> None:
        """End the run; what was answered stays."""
        if self._running is not None:
            self._is_stopped, self.words = True, "Stopping. The answer to the last question may still come."
            self._running.stop()

    # A run ------------------------------------------------------------------------------------------------------------

    def start(self, session: Session, name: str, n: int, strategy: str) -> None:
        """Ask so many questions: here and now without a background, else in a thread of its own."""
        if self._running is not None:
            raise ValueError(f"{self._running.name} is still being asked: press Stop first")
        annotator = self._running = self._annotator(session, name)
        self._is_stopped, self.words, self.share, self._is_seen = False, f"{name}: 0 of {n} questions.", 0.0, True
        work = (session, annotator, name, n, SHARED if self._shared else strategy)
        in_background(partial(self._work, *work), session.background)

    def _work(
        self, session: Session, annotator: FunctionAnnotator, name: str, n: int, strategy: str, deliver: Deliver
    ) -> None:

        def show() -> None:
            self._is_seen = True
            self._act(lambda _: None)

        def follow(progress: Progress) -> bool:
            if not self._is_stopped:
                self.words, self.share = _progress(name, progress), progress.done / progress.total
                if self._is_seen:  # else the report that is on its way tells this too
                    self._is_seen = False
                    deliver(show)
            return not self._is_stopped

        try:
            collected = session.answer_by(annotator, n, strategy=strategy, name=name, progress=follow)
            late = annotator.max_seconds is not None and annotator.seconds >= annotator.max_seconds
            words = _ended(name, collected, n, stopped=self._is_stopped, late=late)
        except Exception as error:  # else nobody would see it
            words = f"{str(error) or repr(error)}. {name} is not asked any more; answers so far are saved."
        deliver(lambda: self._act(lambda _: self._end(words)))

    def _end(self, words: str) -> None:
        self._running, self.words = None, words


def _progress(name: str, progress: Progress) -> str:
    """Return the progress of a run in words."""
    left = progress.seconds_left
    words = f"{name}: {progress.done} of {count(progress.total, 'question')}"
    words += f", about {duration(left)} left" if left else ""
    words += f", {progress.failed} failed" if progress.failed else ""
    return f"{words}. Last error: {progress.error}." if progress.error else f"{words}."


def _ended(name: str, collected: Collected, n: int, *, stopped: bool, late: bool) -> str:
    """Return the outcome of a run in words, and why it ended early if it did.

    Examples
    --------
    >>> _ended("model", Collected(), 10, stopped=False, late=True)
    'Time is up. model: 0 answers added.'
    """
    early = len(collected.replies) < n
    why = "Stopped. " if stopped else "Time is up. " if late and early else ""
    if early and not why and not collected.failures:
        why = "No other question was left, or the budget is spent. "
    words = f"{why}{name}: {count(len(collected.triplets), 'answer')} added"
    words += f", {len(collected.skipped)} skipped" if collected.skipped else ""
    if collected.failures:
        words += f", {len(collected.failures)} failed ({collected.failures[-1].error})"
    return f"{words}."


_BY_HAND = "chosen by hand"


@dataclass
class AskControls:
    """Which question comes next, and who answers those that are asked at once."""

    choose: Callable[[str], object]  # called when another strategy was chosen
    send: Callable[[dict[str, float]], None]  # tells the browser the share of the questions that are answered
    answering: FunctionAnswers
    strategy: str = "guided"
    before: str = "guided"  # the strategy to continue with
    oracle: str = ""
    error: float = 0.1
    _added: tuple[int, int] | None = field(default=None, init=False)  # answers that were added, and how many are there

    def controls(self, session: Session) -> Iterator[Control]:
        """List the controls; simulated answers only where the truth is known."""
        oracles = list_oracles() if session.dataset.y is not None else {}
        others, running = list(self.answering.registered), self.answering.is_running
        if self.oracle not in (*oracles, *others):
            self.oracle = ""
        added = self.just_added(session)
        about = "How the program chooses the next question; click a point to begin your own"
        several = self.strategy == SHARED or len(session.log.names) > 1
        shared = [(SHARED, "what others were asked")] if several else []
        strategies = [*list_strategies().items(), *shared, ("", _BY_HAND)]
        yield menu("strategy", "Questions", strategies, self.strategy, self.choose_strategy, help=about)
        new, is_open, words = find("open_k"), session.settings.open_k, "look for groups beyond K"
        yield Control("open_k", "switch", new.label, words, new.help, is_open, lambda s, on: s.set(open_k=on))
        about = "Who answers the questions of the buttons below"
        who, off = [("", "me"), *oracles.items(), *zip(others, others, strict=True)], running or not (oracles or others)
        yield menu("oracle", "Answered by", who, self.oracle, self._ask_whom, off=off, help=about)
        is_other = self.oracle in others
        if is_other:
            yield from self.answering.controls(self.oracle)
            about = "Ask this number of questions; each answer is saved when it arrives. Stop ends it"
        else:
            about = "Share of wrong answers that the noisy user gives; it need not be the model's ε"
            given = about, self.error, putting(self, "error")
            off = self.oracle not in list_oracles(with_rate=True)
            yield Control("error", "slider", "Error rate", "", *given, limits=(0.0, 0.66, 0.01), off=off)
            about = "Ask this number of questions at once: one fit, one step to undo"
        off = not self.oracle or running
        for n in (1, 10, 500):
            label, doing = "Ask at once" if n == 1 else "", "Answering…" if n > 1 else ""
            yield Control(f"ask.{n}", "button", label, str(n), about, do=partial(self._ask, n), off=off, doing=doing)
        if is_other:
            about, stop = "Stop asking; answers so far stay", lambda *_: self.answering.stop()
            yield Control("ask.stop", "button", "", "Stop", about, do=stop, off=not running)
        share = self.answering.share if is_other else float(added is not None)
        yield Control("asked", "progress", help="Answers given so far", value=share)
        if is_other:
            outcome = self.answering.words
        elif not (oracles or others):
            outcome = "These data have no true classes, so only you can answer."
        elif not self.oracle:
            outcome = "You answer with Yes, No and Don't know. To ask many at once, let someone else answer."
        else:
            outcome = f"{count(added, 'answer')} added." if added else ""
        yield Control("told", "words", value=outcome)

    def just_added(self, session: Session) -> int | None:
        """Return how many answers were added at once; None when there are others since."""
        return self._added[0] if self._added and self._added[1] == session.state.n_answers else None

    def choose_strategy(self, _: object, strategy: str) -> None:
        """Choose the next questions by a strategy; "" is by hand."""
        self.strategy, self.before = strategy, self.before if strategy in ("", SHARED) else strategy
        self.choose(strategy)

    def _ask_whom(self, _: object, oracle: str) -> None:
        self.oracle, self._added = oracle, None
        self.answering.forget()

    def _ask(self, n: int, session: Session, _: object) -> None:
        if self.oracle in self.answering.registered:
            self.answering.start(session, self.oracle, n, self.strategy or "guided")
            return
        strategy = "guided" if self.strategy in ("", SHARED) else self.strategy
        epsilon = self.error if self.oracle in list_oracles(with_rate=True) else None
        given = session.answer_by_oracle(
            n, strategy=strategy, oracle=self.oracle, epsilon=epsilon, progress=self._report
        )
        self._added = given, session.state.n_answers

    def _report(self, done: int, total: int) -> None:
        self.send({"share": done / total})


class QuestionCard:
    """Puts questions where the browser sees them, by the strategy that the controls say."""

    def __init__(self, put: Callable[..., None], ask: AskControls) -> None:
        self._put, self._ask = put, ask
        self._version = 0
        self._asking: Asking | None = None
        self.verbs: Verbs = {
            "answer": lambda s, m: self._change(s, lambda a: a.answer(m["answer"], m["triplet"], by=m.get("by"))),
            "preview": lambda s, m: self.put(s, m["triplet"]),
            "suggest": lambda s, _: self.suggest(s),
            "decide": lambda s, _: self._decide(s),
            "skip": lambda s, m: self._change(s, lambda asking: asking.skip(m["triplet"])),
            "select": lambda s, m: self.select(s, m["rows"]),
            "auto": lambda s, m: ask.choose_strategy(s, ask.before if m["on"] else ""),
            "shared": lambda s, m: ask.choose_strategy(s, SHARED if m["on"] else ask.before),
        }

    def _talk(self, session: Session) -> Asking:
        """Return the conversation in a session, with what the controls say."""
        if self._asking is None or self._asking.session is not session:
            n_points = 3 if self._asking is None else self._asking.n_points
            self._asking = Asking(session, n_points=n_points)
        self._asking.strategy = self._ask.strategy
        return self._asking

    @property
    def selected(self) -> list[int]:
        """The points that questions are about; none are all."""
        return [] if self._asking is None else self._asking.selected

    def _show(self, question: Question | None) -> None:
        """Let the browser see the question, if that is another one."""
        if question is None or self._asking is None:
            self._put(question={})
            return
        expected = question.expected
        self._version += 1
        sent: QuestionSent = {
            "triplet": list(question.points),
            "probabilities": [expected.yes, expected.no, expected.dnk],
            "worth": expected.bits,
            "surprises": [bits if isfinite(bits := expected.surprise(answer)) else None for answer in Answer],
            "words": expected.words(len(question.points)),
            "suggested": question.suggested,
            "automatic": question.automatic,
            "reason": question.reason,
            "version": self._version,
            "differences": pack_differences(self._asking.session.dataset, question.points),
        }
        self._put(question=sent)

    def _change(self, session: Session, change: Callable[[Asking], object]) -> None:
        """Do something with the conversation, and let the browser see the question if it is another one then."""
        asking = self._talk(session)
        before = asking.question
        try:
            change(asking)
        finally:  # the question stays when there is no such person
            if asking.question is not before:
                self._show(asking.question)

    def begin(self) -> None:
        """Begin with other points, of which none is selected."""
        if self._asking is not None:
            self._asking.question, self._asking.selected = None, []
        self._show(None)

    def put(self, session: Session, points: Sequence[int], *, suggested: bool = False) -> None:
        """Ask about three points, or two; suggested ones are chosen in the browser too."""
        self._change(session, lambda asking: asking.put(points, suggested=suggested))

    def project(self, session: Session, rows: Sequence[int]) -> None:
        """Show a question that is asked elsewhere, or again; without rows none."""
        if rows:
            self.put(session, rows, suggested=True)
        else:
            self.begin()

    def select(self, session: Session, rows: Sequence[int]) -> None:
        """Ask about these points from now on; about all, when there are none."""
        self._talk(session).select(rows)

    def suggest(self, session: Session) -> None:
        """Ask what the strategy says; guided questions when they are chosen by hand otherwise."""
        self._change(session, Asking.next)

    def _decide(self, session: Session) -> None:
        """Ask about what two numbers of groups, of which the answers fit one best, disagree most."""
        scan = session.search.scan
        if scan is None:
            raise SessionError("numbers of groups have not been compared for these data yet")
        points, reason = scan.question(session.settings.n_clusters, session.log.triplets.indices)
        self._change(session, lambda asking: asking.put(points, reason, suggested=True))

    def ask_about(self, session: Session, points: int) -> None:
        """Ask about so many points from now on."""

        def begin(asking: Asking) -> None:
            asking.n_points, asking.question = points, None
            asking.go_on()

        self._change(session, begin)

    def go_on(self, session: Session) -> None:
        """Ask the next question if it comes by itself and there is none, or one that has been answered meanwhile."""
        self._change(session, Asking.go_on)

    def bring_back(self, session: Session, before: State) -> None:
        """After undo, ask again the question whose answer was taken back."""
        self._change(session, lambda asking: asking.bring_back(before))


class Naming:
    """A button for each language model that a notebook registered; none is asked before a person presses it.

    `show` gets the fit whose clusters were to be named, and suggested names.
    """

    def __init__(self, act: Act, answering: FunctionAnswers, show: Callable[[Fit, dict[int, str]], object]) -> None:
        self._answering, self._show = answering, show
        self._working: Work[dict[int, str]] = Work(act)

    def controls(self) -> Iterator[Control]:
        """List the buttons, or one to stop, and what became of the last question."""
        known = self._answering.registered.items()
        functions = ((name, getattr(function, "function", function)) for name, (function, _) in known)
        models = [(name, model) for name, model in functions if isinstance(model, LanguageModel)]
        if self._working.is_running:
            about, stop = "Wait no longer for the names", lambda *_: self._working.stop("Stopped.")
            yield Control("names.stop", "button", words="Stop", help=about, do=stop)
        else:
            for name, model in models:
                about = f"{name} suggests a name for each cluster. Six items of each are sent to {model.url}"
                yield Control(f"names.{name}", "button", words=f"Names by {name}", help=about, do=self._asking(model))
        if models:
            words = "Waiting for the names." if self._working.is_running else self._working.words
            yield Control("names.answer", "words", value=words)

    def _asking(self, model: LanguageModel) -> Do:
        def ask(session: Session, _: object) -> None:
            dataset, fit = session.dataset, session.fit

            def done(_: Session, names: dict[int, str]) -> str:
                self._show(fit, names)
                return f"{count(len(names), 'name')} suggested." if names else "The reply held no names."

            self._working.start(session, lambda watch: names_by(model, dataset, fit), done, doing="")

        return ask
