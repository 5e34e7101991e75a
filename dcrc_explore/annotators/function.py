"""Anything that can answer: a function of three items, plain or async, of one question or of several at once.

Nothing is called until you ask for it, and answers are handed over as they arrive. A call that fails is repeated, then
reported; it never counts as an answer. A question that was answered is not asked again.
"""

from __future__ import annotations

import asyncio
import inspect
import queue
import threading
import time
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import ArrayLike

from dcrc_explore.constraints import Answer, Triplets, as_triplets, same_question
from dcrc_explore.values import Rule, number, whole
from dcrc_explore.words import count

Question = tuple[int, ...]  # row numbers (i, j, k)
# No wait between two tries is longer, whatever a server asks for.
LONGEST_WAIT = 60.0
_SECONDS = Rule("a number of seconds, at least 0", number(0).fits, float)
_SETTINGS: dict[str, Rule[Any]] = {
    "batch": whole(1), "concurrency": whole(1), "max_questions": whole(0), "retries": whole(0),
    "max_seconds": _SECONDS, "timeout": _SECONDS, "backoff": _SECONDS,
}  # fmt: skip


class CallFailed(Exception):
    """A call that gave no answer.

    Parameters
    ----------
    message : str
    retry : bool, default=True
        Whether another try may help. If not, no further question is asked, as with a wrong key or address.
    retry_after : float, optional
        Seconds to wait before the next try, as the server requests.

    Examples
    --------
    >>> def busy(a, b, c):
    ...     raise CallFailed("the service is busy", retry=False)
    >>> FunctionAnnotator(busy, items="abc").ask([(0, 1, 2)]).failures[0].error
    'the service is busy'
    """

    def __init__(self, message: str, *, retry: bool = True, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry = retry
        self.retry_after = retry_after


@dataclass(frozen=True)
class Reply:
    """The outcome of one question."""

    question: Question  # row numbers (i, j, k)
    answer: Answer | None  # None if the question was skipped, or if it failed
    error: str | None = None  # why it failed
    tries: int = 1  # calls that it took; 0 if the answer was known already
    seconds: float = 0.0


@dataclass(frozen=True)
class Progress:
    """Progress of a run."""

    # Number of questions with a reply, of all questions, and of questions that failed
    done: int
    total: int
    failed: int
    seconds: float  # since the run began
    error: str | None = None  # reason of the latest failure; the call may be repeated

    @property
    def seconds_left(self) -> float | None:
        """Estimated seconds for the remaining questions; None before the first reply."""
        return self.seconds / self.done * (self.total - self.done) if self.done else None


@dataclass(repr=False)
class Collected:
    """Replies of a run, in the order in which they came.

    Examples
    --------
    >>> Collected([Reply((0, 1, 2), Answer.YES), Reply((0, 1, 3), None), Reply((0, 2, 3), None, "busy", 3)])
    Collected(3 replies: 1 answer, 1 skipped, 1 failed: busy)
    """

    replies: list[Reply] = field(default_factory=list)

    def __repr__(self) -> str:
        failures = self.failures
        parts = [count(len(self.triplets), "answer"), f"{len(self.skipped)} skipped", f"{len(failures)} failed"]
        last = f": {failures[-1].error}" if failures else ""
        return f"Collected({len(self.replies)} replies: {', '.join(parts)}{last})"

    @property
    def triplets(self) -> Triplets:
        """The questions that were answered, with their answers."""
        answered = [reply for reply in self.replies if reply.answer is not None]
        return Triplets([reply.question for reply in answered], [reply.answer for reply in answered])

    @property
    def failures(self) -> list[Reply]:
        """The questions that failed."""
        return [reply for reply in self.replies if reply.error is not None]

    @property
    def skipped(self) -> list[Question]:
        """The questions that the function skipped."""
        return [reply.question for reply in self.replies if reply.answer is None and reply.error is None]


class FunctionAnnotator:
    """A function as an annotator: it gets the items of a question and returns yes, no, don't know, or None to skip it.

    Parameters
    ----------
    function : callable
        ``function(a, b, c)`` of three items answers "is a more similar to b than to c?" with "yes", "no", "don't know"
        (or anything else that :class:`Answer` accepts), or None. It may be async; then up to `concurrency` calls run at
        once. With `batch`, ``function(questions)`` gets a list of (a, b, c) and returns as many answers.
    items : sequence
        The items by row number: texts, images, rows of X.
    name : str, optional
        Name under which answers are recorded; by default that of the function.
    batch : int, optional
        How many questions a call takes at once; by default one, as ``function(a, b, c)``.
    concurrency : int, default=8
        Calls at once, of an async function.
    max_questions, max_seconds : int and float, optional
        Budget of all runs together: the number of questions, and the seconds.
    timeout : float, optional
        Seconds that one call may take. A plain function cannot be stopped: it continues in a thread, and its answer is
        ignored.
    retries : int, default=2
        How often a failed call is repeated. The pauses are `backoff` seconds, then twice and four times as long, or the
        ``retry_after`` of a :class:`CallFailed`.
    backoff : float, default=0.5
    cache : mutable mapping, optional
        Answers by name and question, so that nothing is paid for twice; may be shared and saved. The mirrored question,
        with b and c exchanged, is the same one.
    progress : callable(Progress), optional
        Called at the start, after each reply and after each failed call (possibly in another thread). The run stops
        when it returns False.

    Attributes
    ----------
    asked : int
        Questions for which the function was called so far.
    seconds : float
        Time of all runs so far.

    Examples
    --------
    >>> def nearer(a, b, c):
    ...     return "yes" if abs(a - b) < abs(a - c) else "no"
    >>> annotator = FunctionAnnotator(nearer, items=[0.0, 0.1, 5.0, 5.2])
    >>> annotator.ask([(0, 1, 2), (3, 1, 2)]).triplets.answers
    array([ 1, -1], dtype=int8)
    >>> annotator.ask([(0, 2, 1)]).replies[0].tries, annotator.asked
    (0, 2)
    """

    def __init__(
        self,
        function: Callable[..., Any],
        items: Sequence[Any],
        *,
        name: str | None = None,
        batch: int | None = None,
        concurrency: int = 8,
        max_questions: int | None = None,
        max_seconds: float | None = None,
        timeout: float | None = None,
        retries: int = 2,
        backoff: float = 0.5,
        cache: MutableMapping[tuple[str, Question], Answer | None] | None = None,
        progress: Callable[[Progress], object] | None = None,
    ) -> None:
        if not callable(function):
            raise TypeError(f"function must be callable with three items, got {function!r:.60}")
        self.function, self.items = function, items
        own = getattr(function, "name", None) or getattr(function, "__name__", type(function).__name__)
        self.name = str(name or own)
        self.batch, self.concurrency = batch, concurrency
        self.max_questions, self.max_seconds, self.timeout = max_questions, max_seconds, timeout
        self.retries, self.backoff = retries, backoff
        for what, rule in _SETTINGS.items():
            if getattr(self, what) is not None:
                rule.checked(getattr(self, what), what)
        self.cache = {} if cache is None else cache
        self.progress = progress
        self.asked, self.seconds = 0, 0.0
        self._stopped = threading.Event()
        self._begin = self._before = 0.0
        self._is_over = False
        self._progress, self._watch, self._reporting = Progress(0, 0, 0, 0.0), progress, threading.Lock()

    def __repr__(self) -> str:
        return f"FunctionAnnotator({self.name!r}, {self.asked} asked)"

    def stop(self) -> None:
        """End the run: no further question is asked, and waits between tries end. May be called from any thread."""
        self._stopped.set()

    def ask(self, triplets: ArrayLike | Triplets) -> Collected:
        """Ask all questions, as far as the budget goes, and return the replies."""
        return Collected(list(self.replies(triplets)))

    def replies(self, triplets: ArrayLike | Triplets) -> Iterator[Reply]:
        """Ask questions and yield each reply as soon as it comes; those of an async function in any order.

        Parameters
        ----------
        triplets : array-like of shape (M, 3) or Triplets
            Row numbers of the items.

        Yields
        ------
        Reply
            Questions beyond the budget, or left after a stop, have no reply.
        """
        questions = as_triplets(triplets, len(self.items))
        for new in self.converse(len(questions), lambda left: questions):
            yield from new

    def converse(
        self,
        n: int,
        choose: Callable[[int], ArrayLike | Triplets],
        progress: Callable[[Progress], object] | None = None,
    ) -> Iterator[list[Reply]]:
        """Ask up to `n` questions, chosen round by round, each when the one before is answered.

        Parameters
        ----------
        n : int
        choose : callable(left)
            Returns the questions of the next round, at most `left`; none ends the conversation.
        progress : callable(Progress), optional
            Instead of the annotator's own.

        Yields
        ------
        list of Reply
            The replies that arrived together, as from one call with a batch of questions.

        Examples
        --------
        >>> annotator = FunctionAnnotator(lambda a, b, c: "dnk", items="abcde")
        >>> [len(came) for came in annotator.converse(3, lambda left: [(left, 0, 4)])]
        [1, 1, 1]
        """
        self._stopped.clear()
        self._is_over = False
        self._begin, self._before = time.monotonic(), self.seconds
        self._progress, self._watch = Progress(0, n, 0, 0.0), progress or self.progress
        try:
            self._report()
            while self._progress.done < n and not self._stopped.is_set():
                rows = as_triplets(choose(n - self._progress.done), len(self.items)).tolist()
                wanted = self._progress.done + len(rows)
                for new in self._each([(i, j, k) for i, j, k in rows]):
                    self.seconds = self._spent()
                    yield new
                    self._report(len(new), sum(reply.error is not None for reply in new))
                # The budget is spent, there is nothing left to ask, or no further call can succeed.
                if self._progress.done < wanted or not rows or self._is_over:
                    return
        finally:
            self._stopped.set()
            self.seconds = self._spent()

    def _report(self, done: int = 0, failed: int = 0, error: str | None = None) -> None:
        """Report what has come since the last report; calls that run at once fail in a thread of theirs."""
        with self._reporting:
            now, seconds = self._progress, time.monotonic() - self._begin
            self._progress = Progress(now.done + done, now.total, now.failed + failed, seconds, error or now.error)
        if self._watch is not None and self._watch(self._progress) is False:
            self.stop()

    def _each(self, questions: list[Question]) -> Iterator[list[Reply]]:
        """Yield what is known, ask each other question once, and answer repeated ones by what came."""
        new: dict[Question, Question] = {}
        repeated = []
        for question in questions:
            known, same = self._known(question), same_question(question)[0]
            if known is not None:
                yield [known]
            elif same in new:
                repeated.append(question)
            else:
                new[same] = question
        is_async = inspect.iscoroutinefunction(self.function) or inspect.iscoroutinefunction(
            getattr(self.function, "__call__", None)  # noqa: B004 (an object whose call is a coroutine)
        )
        yield from (self._concurrent if is_async else self._one_by_one)(list(new.values()))
        yield from ([known] for known in map(self._known, repeated) if known is not None)

    def _one_by_one(self, waiting: list[Question]) -> Iterator[list[Reply]]:
        while asked := self._next(waiting):
            replies, self._is_over = self._tried(asked)
            yield replies
            if self._is_over:
                return

    def _next(self, waiting: list[Question]) -> list[Question]:
        """Take the questions of the next call off those that wait, as many as the budget allows."""
        left = self.batch or 1
        if self._stopped.is_set() or (self.max_seconds is not None and self._spent() >= self.max_seconds):
            left = 0
        if self.max_questions is not None:
            left = min(left, self.max_questions - self.asked)
        taken = waiting[: max(left, 0)]
        del waiting[: len(taken)]
        self.asked += len(taken)
        return taken

    def _spent(self) -> float:
        return self._before + time.monotonic() - self._begin

    def _tried(self, asked: list[Question]) -> tuple[list[Reply], bool]:
        """Call a plain function, again if it fails; return the replies and whether nothing more may be asked."""
        begin = time.monotonic()
        for tries in range(1, self.retries + 2):
            try:
                answers = self._checked(asked, within(self.timeout, self.function, *self._arguments(asked)))
            except Exception as error:  # whatever a user's function raises is reported
                wait = self._pause(error, tries)
                if wait is None or self._stopped.wait(wait):
                    return self._failed(asked, error, tries, begin), _is_final(error)
            else:
                return self._given(asked, answers, tries, begin), False
        raise AssertionError("the last try returns")

    def _concurrent(self, waiting: list[Question]) -> Iterator[list[Reply]]:
        """Run an async function in an event loop of its own, in a thread: a notebook has a running loop already."""
        arrived: queue.Queue[list[Reply] | BaseException | None] = queue.Queue()

        async def worker() -> None:
            while asked := self._next(waiting):
                replies, is_over = await self._awaited(asked)
                arrived.put(replies)
                if is_over:
                    self._is_over = True
                    waiting.clear()

        async def everything() -> None:
            tasks = {asyncio.create_task(worker()) for _ in range(self.concurrency)}
            while tasks:
                finished, tasks = await asyncio.wait(tasks, timeout=0.05)
                for task in finished:
                    if not task.cancelled():
                        task.result()
                if self._stopped.is_set():
                    for task in tasks:
                        task.cancel()

        def run() -> None:
            try:
                asyncio.run(everything())
            except BaseException as error:
                arrived.put(error)
            arrived.put(None)

        threading.Thread(target=run, daemon=True, name=f"answers of {self.name}").start()
        while (new := arrived.get()) is not None:
            if isinstance(new, BaseException):
                raise new
            yield new

    async def _awaited(self, asked: list[Question]) -> tuple[list[Reply], bool]:
        """Do as :meth:`_tried`, of an async function."""
        begin = time.monotonic()
        for tries in range(1, self.retries + 2):
            try:
                given = await asyncio.wait_for(self.function(*self._arguments(asked)), self.timeout)
                answers = self._checked(asked, given)
            except Exception as error:
                wait = self._pause(error, tries)
                if wait is None:
                    return self._failed(asked, error, tries, begin), _is_final(error)
                await asyncio.sleep(wait)
            else:
                return self._given(asked, answers, tries, begin), False
        raise AssertionError("the last try returns")

    def _pause(self, error: Exception, tries: int) -> float | None:
        """Report why a call failed; return the seconds before the next try, or None if there is none."""
        self._report(error=self._words(error))
        if tries > self.retries or _is_final(error):
            return None
        asked_for = getattr(error, "retry_after", None)
        return min(self.backoff * 2 ** (tries - 1) if asked_for is None else float(asked_for), LONGEST_WAIT)

    def _arguments(self, asked: list[Question]) -> tuple[Any, ...]:
        of_items = [tuple(self.items[row] for row in question) for question in asked]
        return of_items[0] if self.batch is None else (of_items,)

    def _checked(self, asked: list[Question], given: Any) -> list[Answer | None]:
        answers = [given] if self.batch is None else list(given)
        if len(answers) != len(asked):
            raise ValueError(
                f"the function must return one answer for each of {len(asked)} questions, got {len(answers)}"
            )
        return [None if answer is None else _as_answer(answer) for answer in answers]

    def _known(self, question: Question) -> Reply | None:
        same, is_mirrored = same_question(question)
        if (self.name, same) not in self.cache:
            return None
        answer = self.cache[self.name, same]
        return Reply(question, answer.mirrored if answer is not None and is_mirrored else answer, tries=0)

    def _given(self, asked: list[Question], answers: list[Answer | None], tries: int, begin: float) -> list[Reply]:
        seconds = time.monotonic() - begin
        for question, answer in zip(asked, answers, strict=True):
            same, is_mirrored = same_question(question)
            self.cache[self.name, same] = answer.mirrored if answer is not None and is_mirrored else answer
        return [Reply(question, answer, None, tries, seconds) for question, answer in zip(asked, answers, strict=True)]

    def _failed(self, asked: list[Question], error: Exception, tries: int, begin: float) -> list[Reply]:
        seconds = time.monotonic() - begin
        return [Reply(question, None, self._words(error), tries, seconds) for question in asked]

    def _words(self, error: Exception) -> str:
        if isinstance(error, TimeoutError) and self.timeout is not None:
            return f"no answer within {self.timeout:g} seconds"
        return str(error) if isinstance(error, CallFailed) else f"{type(error).__name__}: {error}"


def _is_final(error: Exception) -> bool:
    return isinstance(error, CallFailed) and not error.retry


def _as_answer(value: Any) -> Answer:
    if isinstance(value, bool):
        raise ValueError(f"the function must return 'yes', 'no', \"don't know\" or None, got {value!r}")
    try:
        return Answer(value)
    except ValueError:
        raise ValueError(f"the function must return 'yes', 'no', \"don't know\" or None, got {value!r:.60}") from None


def within(timeout: float | None, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function; with a timeout in a thread of its own, which is left behind when the time is over."""
    if timeout is None:
        return function(*arguments)
    result: queue.Queue[tuple[Any, BaseException | None]] = queue.Queue()

    def run() -> None:
        try:
            result.put((function(*arguments), None))
        except BaseException as error:
            result.put((None, error))

    threading.Thread(target=run, daemon=True).start()
    try:
        value, error = result.get(timeout=timeout)
    except queue.Empty:
        raise TimeoutError from None
    if error is not None:
        raise error
    return value
