"""Annotators that are not users of the tool: functions, language models and simulated people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from dcrc_explore.annotators import Collected, FunctionAnnotator, Progress, Reply, make_oracle
from dcrc_explore.arrays import IntArray
from dcrc_explore.constraints import same_question
from dcrc_explore.datasets import Dataset
from dcrc_explore.model.validation import check_number
from dcrc_explore.progress import Bar
from dcrc_explore.questions import batch_size, check_left, list_strategies
from dcrc_explore.session.asking import SHARED, Replies, person_name
from dcrc_explore.session.state import SessionError, clear_errors

if TYPE_CHECKING:
    from dcrc_explore.session.session import Session

OnProgress = Callable[[int, int], bool | None]

# Answers that an oracle gives between two reports of progress.
_PORTION = 10
_SIZE = 512  # pixels of an image that is sent to a language model, at most


class Seen(Sequence[Any]):
    """The items of data as a function gets them: images, texts or files as they are, otherwise rows of X.

    With `as_shown` they are what a person sees of them: a text, or the bytes of a PNG image or of a sound.

    Examples
    --------
    >>> from dcrc_explore.datasets import as_dataset
    >>> data = as_dataset([[0.0], [1.0]], items=["a text", "another"])
    >>> Seen(data)[1], Seen(as_dataset([[0.0], [1.0]]))[1]
    ('another', array([1.]))
    """

    def __init__(self, dataset: Dataset, *, as_shown: bool = False) -> None:
        self._dataset, self._as_shown = dataset, as_shown

    def __len__(self) -> int:
        return len(self._dataset.X)

    @overload
    def __getitem__(self, i: int) -> Any: ...

    @overload
    def __getitem__(self, i: slice) -> list[Any]: ...

    def __getitem__(self, i: int | slice) -> Any:
        if isinstance(i, slice):
            return [self[row] for row in range(*i.indices(len(self)))]
        cards = self._dataset.cards
        if not self._as_shown:
            return self._dataset.X[i] if self._dataset.items is None else cards.raw(i)
        if cards.kind in ("texts", "rows"):
            return cards.text(i)
        return cards.detail(i, _SIZE).data


def annotator_of(session: Session, function: Any, name: str | None, options: dict[str, Any]) -> FunctionAnnotator:
    """Return the annotator for the data of a session; a function becomes one with the items of these data."""
    if isinstance(function, FunctionAnnotator):
        if options:
            raise SessionError(f"an annotator has its own options, got {', '.join(options)}")
        if len(function.items) != len(session.dataset.X):
            n_items, n_rows = len(function.items), len(session.dataset.X)
            raise SessionError(f"an annotator must have one item for each of {n_rows} points, got {n_items}")
        return function
    items = Seen(session.dataset, as_shown=getattr(function, "wants_media", False))
    with clear_errors():
        return FunctionAnnotator(function, items, **{"name": name, "cache": session.questions.replies} | options)


def answer_by(
    session: Session,
    function: Any,
    n: int,
    strategy: str,
    name: str | None,
    progress: Callable[[Progress], object] | None,
    options: dict[str, Any],
) -> Collected:
    """Let a function or an annotator answer `n` questions: see :meth:`Session.answer_by`."""
    with clear_errors():
        check_number("n", n, 0, whole=True)
    if strategy not in (*list_strategies(), SHARED):
        raise SessionError(f"strategy must be one of {', '.join((*list_strategies(), SHARED))}, got {strategy!r}")
    annotator = annotator_of(session, function, name, options)
    by, subject = person_name(name or annotator.name), session.state.subject
    remember(session, by, annotator.cache, annotator.name)
    collected, step = Collected(), f"answers of {by} from {len(session.log) + 1} on"

    def choose(left: int) -> Sequence[Sequence[int]] | IntArray:
        session.model.wait()
        with session.lock:
            if session.state.subject is not subject:  # there are other points now
                return ()
            unanswered = [reply.question for reply in collected.replies if reply.answer is None]
            if strategy == SHARED:
                return [points for points in session.questions.of_others(by) if points not in unanswered][:left]
            size = min(left, batch_size(len(session.log.triplets)))
            return session.questions.choose(strategy, size, avoid=unanswered).triplets

    bar = None if progress else Bar()
    watch = progress or (lambda now: bar(now.done, now.total, "questions") if bar else None)
    try:
        for new in annotator.converse(n, choose, watch):
            with session.lock:
                if session.state.subject is not subject:
                    break
                collected.replies += new
                _add(session, new, by, step)
    finally:
        if bar:
            bar.close()
    return collected


def remember(session: Session, by: str, cache: Replies, name: str) -> None:
    """Note in a cache what this annotator has answered in a session, so that it is not asked again."""
    for entry in session.log:
        if entry.by == by and len(entry.points) == 3:
            question, is_mirrored = same_question(entry.points)
            cache[name, question] = entry.answer.mirrored if is_mirrored else entry.answer


def _add(session: Session, new: Sequence[Reply], by: str, step: str | None = None) -> None:
    answered = [reply for reply in new if reply.answer is not None]
    if answered:
        seconds = [reply.seconds if reply.tries else np.nan for reply in answered] if step else None
        questions, answers = [reply.question for reply in answered], [reply.answer for reply in answered]
        session.add(questions, answers, by=by, seconds=seconds, step=step)


def answer_by_oracle(
    session: Session, n: int, strategy: str, oracle: str, epsilon: float | None, progress: OnProgress | None
) -> int:
    """Let an oracle answer `n` new questions as one step: see :meth:`Session.answer_by_oracle`."""
    y = session.dataset.y
    if y is None:
        raise SessionError("an oracle needs the true classes, which are unknown for these data: answer yourself")
    with clear_errors():
        check_left(len(y), n, np.vstack([session.log.triplets.indices, session.questions.skipped_about(3)]))
        rate = session.settings.epsilon if epsilon is None else epsilon
        somebody = make_oracle(oracle, y, epsilon=rate, seed=session.questions.rng)
    is_guided = strategy == "guided"  # and builds on the answers before; all others are asked at once
    annotator = FunctionAnnotator(
        somebody.answer, range(len(y)), name=oracle, batch=max(n, 1) if is_guided else _PORTION
    )
    waiting: list[Reply] = []

    def choose(left: int) -> IntArray:
        session.model.wait()
        size = min(left, batch_size(len(session.log.triplets))) if is_guided else left
        return session.questions.choose(strategy, size).triplets

    def report(now: Progress) -> bool | None:
        return None if progress is None else progress(now.done, now.total)

    n_answers = 0
    with session.lock, session.steps.joined():
        for new in annotator.converse(n, choose, report):
            waiting, n_answers = waiting + new, n_answers + len(new)
            if is_guided:
                _add(session, waiting, oracle)
                waiting = []
        _add(session, waiting, oracle)
    return n_answers
