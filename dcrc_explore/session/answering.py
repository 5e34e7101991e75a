"""Who is not a user of the tool: functions, language models and simulated people answer, and names are suggested."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer

from dcrc_explore.annotators import Collected, FunctionAnnotator, Progress, Reply, make_oracle
from dcrc_explore.annotators.language_model import LanguageModel
from dcrc_explore.arrays import IntArray
from dcrc_explore.constraints import LONGEST_NAME, same_question
from dcrc_explore.datasets import Dataset, Rows
from dcrc_explore.datasets.item_files import Files
from dcrc_explore.model.validation import check_number
from dcrc_explore.progress import Bar
from dcrc_explore.questions import batch_size, check_left, list_strategies
from dcrc_explore.session.asking import SHARED, Replies, person_name
from dcrc_explore.session.fit import Fit
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


# Names of clusters: a person chooses or writes one; nothing is named by itself -------------------------------------

_MOST_READ = 200  # texts of a cluster
_WORDS, _NEAREST, _SHOWN = 3, 3, 6  # in a name, and items that a language model sees of each cluster
_SHORT = 12  # characters of items that make a name together
_CLEAR = 0.5  # standard deviations from which on a column stands out
_INSTRUCTION = (
    "Items were grouped. Give each group a name of one to three words that tells it from the others, in the language "
    "of the items. Answer with one line for each group and nothing else: its number, a colon and its name."
)


def suggest_names(session: Session, *, by: LanguageModel | None = None) -> list[list[str]]:
    """Suggest names for the clusters, the best of each first; :meth:`Session.name_cluster` gives one.

    Parameters
    ----------
    session : Session
    by : LanguageModel, optional
        Also asks this model, which then gets six items of each cluster; its name comes first. CallFailed when it cannot
        be asked.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> session = Session("short-texts", autosave=None)
    >>> _ = session.answer_by_oracle(60)
    >>> "team, goal, match" in [names[0] for names in suggest_names(session)]
    True
    """
    fit = session.fit
    asked = None if by is None else names_by(by, session.dataset, fit)
    return suggested(session.dataset, fit.labels, fit.n_clusters, asked)


def suggested(
    dataset: Dataset, labels: IntArray, n_clusters: int, asked: Mapping[int, str] | None = None
) -> list[list[str]]:
    """Suggest names for clusters by what is in them, none for an empty one; those that somebody gave come first."""
    cards = dataset.cards
    members = [np.flatnonzero(labels == k) for k in range(n_clusters)]
    found: list[list[str]] = [[] for _ in members]
    if isinstance(cards, Rows) and cards.feature_names[:1] != ("x1",):  # columns with names of their own
        found = [_columns(cards, rows) for rows in members]
    elif cards.kind == "texts":
        found = _words([[cards.text(i) for i in rows[:: 1 + len(rows) // _MOST_READ].tolist()] for rows in members])
    for names, rows in zip(found, members, strict=True):
        near = [name for i in nearest(dataset, rows, _NEAREST) if (name := _called(dataset, i))]
        if near:
            names += [" ".join(near) if max(map(len, near)) <= _SHORT else f"like {near[0]}"]
    found = [[name for name in names if len(name) <= LONGEST_NAME] for names in found]
    first = asked or {}
    return [list(dict.fromkeys([first[k], *names] if k in first else names)) for k, names in enumerate(found)]


def nearest(dataset: Dataset, rows: IntArray, n: int) -> list[int]:
    """Return those of some rows that are nearest to their mean.

    Examples
    --------
    >>> nearest(Dataset([[0.0], [1.0], [5.0]], None, "line"), np.array([0, 1, 2]), 2)
    [1, 0]
    """
    X = dataset.X[rows]
    distance = np.linalg.norm(X - X.mean(axis=0), axis=1) if len(rows) else np.empty(0)
    return rows[np.argsort(distance, kind="stable")[:n]].tolist()


def _called(dataset: Dataset, i: int) -> str:
    """Return what people call an item: a short text, its file or the id of its row; "" when it has only a number."""
    cards = dataset.cards
    if cards.kind == "texts":
        return text if len(text := cards.text(i)) <= _SHORT else ""
    if isinstance(cards, Files):
        return Path(dataset.called(i)).stem
    return dataset.called(i) if dataset.ids is not None else ""


def _words(texts: list[list[str]]) -> list[list[str]]:
    """Return the words that are in more texts of a cluster than of the others: some together, and the first alone."""
    vectorizer = CountVectorizer(stop_words="english", binary=True, token_pattern=r"[^\W\d_]{2,}")
    try:
        counts = vectorizer.fit_transform(chain(*texts))
    except ValueError:  # no words
        return [[] for _ in texts]
    words, ends = vectorizer.get_feature_names_out(), np.cumsum([0, *map(len, texts)])
    sums = np.array([np.ravel(counts[begin:end].sum(axis=0)) for begin, end in pairwise(ends)])
    sizes = np.diff(ends)[:, None]
    more = sums / np.maximum(sizes, 1) - (sums.sum(axis=0) - sums) / np.maximum(sizes.sum() - sizes, 1)
    best = [[str(words[w]) for w in np.argsort(-row, kind="stable")[:_WORDS] if row[w] > 0] for row in more]
    return [[", ".join(each), *each[:1]] if each else [] for each in best]


def _columns(cards: Rows, rows: IntArray) -> list[str]:
    """Return the two columns in which a cluster is farthest from the mean of all points: the first, and both."""
    means = cards.deviations[rows].mean(axis=0) if len(rows) else np.empty(0)
    order = [d for d in np.argsort(-np.abs(means), kind="stable")[:2].tolist() if abs(means[d]) >= _CLEAR]
    features = [f"{'large' if means[d] > 0 else 'small'} {cards.feature_names[d]}" for d in order]
    return [features[0], ", ".join(features)] if features else []


def names_by(model: LanguageModel, dataset: Dataset, fit: Fit) -> dict[int, str]:
    """Ask a language model for a name of each cluster that has items; CallFailed when it cannot be asked."""
    seen = Seen(dataset, as_shown=True)
    parts = [
        (f"Group {k + 1}", seen[i])
        for k in range(fit.n_clusters)
        for i in nearest(dataset, np.flatnonzero(fit.labels == k), _SHOWN)
    ]
    return _read(model.reply(_INSTRUCTION, parts), fit.n_clusters)


def _read(reply: str, n_clusters: int) -> dict[int, str]:
    r"""Return the names by clusters; a line that has none is left out.

    Examples
    --------
    >>> _read("1: birds of prey\nI think\n2. **fish**\n9: cats", 3)
    {0: 'birds of prey', 1: 'fish'}
    """
    names: dict[int, str] = {}
    for line in reply.splitlines():
        number, colon, name = line.strip().removeprefix("Group ").replace(".", ":", 1).partition(":")
        if colon and number.isascii() and number.isdigit() and 1 <= int(number[:6]) <= n_clusters:
            name = " ".join(name.replace("*", "").strip(" \"'`.").split())
            if 0 < len(name) <= LONGEST_NAME and name.isprintable():
                names[int(number) - 1] = name
    return names
