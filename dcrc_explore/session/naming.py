"""Names for clusters, suggested: words typical of texts, columns that stand out, items near the centre.

A person chooses or writes the name; nothing is named by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, pairwise
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer

from dcrc_explore.annotators.language_model import LanguageModel
from dcrc_explore.arrays import IntArray
from dcrc_explore.constraints import LONGEST_NAME
from dcrc_explore.datasets import Dataset, Rows
from dcrc_explore.datasets.item_files import Files
from dcrc_explore.session.answering import Seen
from dcrc_explore.session.fit import Fit
from dcrc_explore.session.session import Session

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
    said = [f"{'large' if means[d] > 0 else 'small'} {cards.feature_names[d]}" for d in order]
    return [said[0], ", ".join(said)] if said else []


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
