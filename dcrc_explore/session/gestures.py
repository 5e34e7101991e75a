"""What a hand does in the picture: gestures become answers, and strokes of a pen become points.

Merge, split, put together, move: a gesture becomes a few answers, which a person sees before they count.

A gesture is about many points, but it is one act of one person. An answer for every point would outweigh all earlier
answers. So the tool chooses at most four answers, about points that represent their cluster: those that its answers
support, else those of which the model is surest, the one in their middle and others on the way to the edge. Three pairs
merge two clusters, and four triplets split one; each of the triplets has points of both parts. At forty answers that is
a tenth of them. The answers are ordinary entries of the log, under the name of the person, who may leave out any of
them. They can be changed or deleted one by one, they are in every file and export, and every later fit learns from
them. Where K changes, EM begins at the clusters that the person means.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.constraints import Answer, Log
from dcrc_explore.datasets.drawn import Drawing, changed_points, drawing_of
from dcrc_explore.model.mstep import logistic_regression
from dcrc_explore.model.softmax import Weights
from dcrc_explore.model.starts import kmeans_labels
from dcrc_explore.model.threads import one_thread
from dcrc_explore.plane.surface import plane_extent
from dcrc_explore.session.asking import Points, logged
from dcrc_explore.session.state import SessionError, State, Subject, as_rows, clear_errors
from dcrc_explore.words import count

if TYPE_CHECKING:
    from dcrc_explore.session.session import Session


# Answers at most; points of each of two clusters that are merged.
_MOST = 4
_MERGING = 3


@dataclass(frozen=True, eq=False)
class Gesture:
    """The answers of a gesture. Nothing has changed yet: ``Gestures(session).do(gesture)`` adds them."""

    label: str  # what undo calls it
    title: str  # what the person says, in a sentence
    # Questions about two points or three. The answer to each is yes: the first two belong together, and the third, if
    # there is one, does not.
    points: list[Points]
    state: State  # of the session when it was proposed
    labels: IntArray | None = None  # shape (N,): the clusters that the person means, where their number changes by one
    names: tuple[str, ...] = ()  # what these clusters are called then

    @property
    def n_clusters(self) -> int:
        """K that comes with the gesture."""
        return self.state.settings.n_clusters if self.labels is None else int(self.labels.max()) + 1


class Gestures:
    """What a person can say about whole clusters or selected points of a session.

    Each method proposes a :class:`Gesture`; :meth:`do` makes it count, as one step to undo.

    Parameters
    ----------
    session : Session

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> session = Session("far", autosave=None)
    >>> gestures = Gestures(session)
    >>> gesture = gestures.merge(0, 1)
    >>> gesture.title, len(gesture.points), gesture.n_clusters
    ('Cluster 1 and cluster 2 belong together.', 3, 2)
    >>> gestures.do(gesture)
    >>> session.settings.n_clusters, len(session.log), session.history.undo_label
    (2, 3, 'merge')
    """

    def __init__(self, session: Session) -> None:
        self._session = session

    def merge(self, first: int, second: int) -> Gesture:
        """Say that two clusters belong together: three pairs, and K - 1."""
        a, b = self._members(first), self._members(second)
        if first == second:
            raise SessionError(f"two clusters can be merged, got {self._name(first)} twice")
        state = self._session.state
        if state.settings.n_clusters == 2:
            raise SessionError("there are only two clusters: merged, nothing would be left to tell apart")
        pairs = zip(self._members_for(a, _MERGING), self._members_for(b, _MERGING), strict=False)
        # The larger one keeps its number, and the last cluster takes the number that gets free.
        keep, lose = (first, second) if len(a) >= len(b) else (second, first)
        labels, last = self._session.fit.labels.copy(), state.settings.n_clusters - 1
        labels[labels == lose] = keep
        labels[labels == last] = lose
        names = list(state.names)
        if names:
            names[keep] = names[keep] or names[lose]
            names[lose] = names[last]
            del names[last]
        title = f"{self._name(first)} and {self._name(second)} belong together."
        return Gesture("merge", _sentence(title), list(pairs), state, labels, tuple(names))

    def split(self, cluster: int, part: ArrayLike | None = None) -> Gesture:
        """Say that a cluster is two: four triplets, and K + 1.

        Parameters
        ----------
        cluster : int
        part : array-like of row numbers, optional
            Points of the cluster that are one of the two; by default K-means divides it.
        """
        members, N = self._members(cluster), len(self._session.dataset.X)
        if part is None:
            halves = kmeans_labels(self._session.dataset.X[members], 2, np.random.RandomState(0)).astype(bool)
        else:
            halves = np.isin(members, as_rows(part, N))
        one, other = sorted([members[halves], members[~halves]], key=len)
        if not len(one):
            what = "its points are all the same" if part is None else "all or none of its points are selected"
            raise SessionError(f"{self._name(cluster)} cannot be split: {what}")
        p, q = self._members_for(one, 3), self._members_for(other, 3)
        triplets = [(p[0], p[1:2], q[0]), (q[0], q[1:2], p[0]), (p[0], p[2:], q[-1]), (q[0], q[2:], p[-1])]
        points = [(i, *j, k) for i, j, k in triplets if j] or [(p[0], q[0])]
        return self._apart("split", _sentence(f"{self._name(cluster)} is two groups."), points, one)

    def new_group(self, rows: ArrayLike) -> Gesture:
        """Say that points are a group of their own: up to four triplets, each with a point of an old cluster; K + 1."""
        points = as_rows(rows, len(self._session.dataset.X))
        if len(points) < 2:
            raise SessionError(f"a new group needs at least two selected points, got {len(points)}")
        labels = self._session.fit.labels
        first, *others = self._standing_for(points, _MOST + 1)
        triplets: list[Points] = []
        for t, i in enumerate(others):
            left = np.setdiff1d(self._members(int(labels[i])), points)
            # All of a cluster may be selected: then the two alone.
            triplets.append((first, i, *self._members_for(left, 2)[t % 2 :][:1]))
        return self._apart("new group", f"These {len(points)} points are a group of their own.", triplets, points)

    def _apart(self, label: str, title: str, points: list[Points], part: NDArray[np.int64]) -> Gesture:
        """Make a gesture that gives points a cluster of their own."""
        state, labels = self._session.state, self._session.fit.labels.copy()
        labels[part] = state.settings.n_clusters
        return Gesture(label, title, points, state, labels, (*state.names, "") if state.names else ())

    def together(self, rows: ArrayLike) -> Gesture:
        """Say that points are one group: up to four pairs, each with the point in their middle."""
        points = as_rows(rows, len(self._session.dataset.X))
        if len(points) < 2:
            raise SessionError(f"one group needs at least two selected points, got {len(points)}")
        middle, *others = self._standing_for(points, _MOST + 1)
        return Gesture(
            "one group",
            f"These {len(points)} points are one group.",
            [(middle, other) for other in others],
            self._session.state,
        )

    def move(self, rows: ArrayLike, cluster: int) -> Gesture:
        """Say that a point, or some, belong to a cluster: up to four triplets, two for one point alone."""
        points, home = as_rows(rows, len(self._session.dataset.X)), self._members(cluster)
        if not len(points):
            raise SessionError("select the points that belong there first, got none")
        there = self._members_for(np.setdiff1d(home, points), 2)
        if not there:
            raise SessionError(f"{self._name(cluster)} has no other points to compare these with")
        proba = self._session.fit.proba.copy()
        proba[:, cluster] = -1
        moving = self._standing_for(points, _MOST) if len(points) > 1 else [int(points[0])] * len(there)
        triplets: list[Points] = []
        for t, i in enumerate(moving):
            rivals = np.setdiff1d(self._members(int(proba[i].argmax())), [i, *there])
            # Without another point of its old cluster, the two alone.
            triplets.append((i, there[t % len(there)], *self._members_for(rivals, 2)[t % 2 :][:1]))
        what = "This point belongs" if len(points) == 1 else f"These {len(points)} points belong"
        return Gesture("move", f"{what} to {self._name(cluster)}.", triplets, self._session.state)

    def do(self, gesture: Gesture, *, change_k: bool = True, lines: Sequence[int] | None = None) -> None:
        """Add the answers of a gesture, given by the session's person, as one step to undo.

        Parameters
        ----------
        gesture : Gesture
        change_k : bool, default=True
            Whether K becomes that of the gesture.
        lines : sequence of int, optional
            Which of its answers count, by their place; by default all.
        """
        session = self._session
        with session.lock:
            state, then = session.state, gesture.state
            K = state.settings.n_clusters
            if state.subject is not then.subject or then.settings.n_clusters != K:
                raise SessionError("the data or the number of clusters have changed since: make the gesture again")
            points = gesture.points if lines is None else [gesture.points[t] for t in lines]
            log = logged(session, points, [Answer.YES] * len(points)) if points else session.log
            session.file.waits = False
            if gesture.labels is None or not change_k:
                session.change(gesture.label, log=log)
                return
            changes = {"n_clusters": gesture.n_clusters, "open_k": state.settings.open_k}
            settings = state.settings.changed(changes)
            rows, lam = session.model.features(state.subject, state.settings).rows, settings.lam
            with one_thread():
                W = logistic_regression(
                    np.column_stack([rows, np.ones(len(rows))]), gesture.labels, gesture.n_clusters, lam
                )
            start = Weights.from_matrix(W)
            session.change(gesture.label, settings=settings, log=log, weights=start, names=gesture.names)

    def _members(self, cluster: int) -> NDArray[np.int64]:
        K = self._session.fit.n_clusters
        if not 0 <= cluster < K:
            raise SessionError(f"clusters are numbered from 0 to {K - 1} here, got {cluster}")
        members = np.flatnonzero(self._session.fit.labels == cluster)
        if not len(members):
            raise SessionError(f"{self._name(cluster)} has no points")
        return members

    def _name(self, cluster: int) -> str:
        names = self._session.state.names
        return names[cluster] if names and names[cluster] else f"cluster {cluster + 1}"

    def _members_for(self, rows: NDArray[np.int64], n: int) -> list[int]:
        """Return up to n members of a cluster that stand for it: none of which answers or the model doubt.

        Points of answers that the fit satisfies come first; among others, the surer half. Without many answers the
        model may be sure of a point that lies wrongly in its cluster.
        """
        fit = self._session.fit
        violated = np.isin(rows, fit.log.points[fit.violated])
        supported = np.isin(rows, fit.log.points[~fit.violated & (fit.log.answers != Answer.DNK)]) & ~violated
        surest = np.lexsort([-fit.proba[rows].max(axis=1), ~supported, violated])
        n_best = int(supported.sum())
        return self._standing_for(rows[surest[: n_best if n_best >= n else max(n, (len(rows) + 1) // 2)]], n)

    def _standing_for(self, rows: NDArray[np.int64], n: int) -> list[int]:
        """Return up to n points: the one in the middle of all, and others on the way to the edge, none at it."""
        if not len(rows):
            return []
        X = self._session.dataset.X[rows]
        away = X - X.mean(axis=0)
        order = rows[np.argsort(np.einsum("ij,ij->i", away, away), kind="stable")]
        return order[np.arange(n) * len(rows) // n].tolist() if n < len(rows) else order.tolist()


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


# Points by hand ----------------------------------------------------------------------------------------------------


class Pen:
    """Draws points, moves and erases them. Each stroke is a step to undo; answers about points that stay are kept.

    Parameters
    ----------
    session : Session

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> session = Session("moons", autosave=None)
    >>> _ = session.answer((0, 1, 60), "yes"), session.answer((2, 3, 60), "yes")
    >>> session.pen.draw([[3, 3]], 1)
    >>> session.pen.erase([0])
    >>> session, session.log[0].points, session.history.undo_label
    (Session('drawing', 100 points, 2 clusters, 1 answer), (1, 2, 59), 'erasing 1 point')
    """

    def __init__(self, session: Session) -> None:
        self._session = session

    def draw(self, points: ArrayLike, classes: ArrayLike = 0, *, empty: bool = False) -> None:
        """Draw points, shape (n, 2), with the brushes of these classes, from 0 to 7; `empty` takes an empty plane."""
        self.stroke(added=points, brushes=classes, empty=empty)

    def erase(self, rows: Sequence[int]) -> None:
        """Erase points, and the answers about them: see :meth:`answers_about`."""
        self.stroke(erased=rows)

    def move(self, places: Mapping[int, Sequence[float]]) -> None:
        """Move points, by row, to other places."""
        self.stroke(moved=places)

    def stroke(
        self,
        *,
        added: ArrayLike = (),
        brushes: ArrayLike = 0,
        erased: Sequence[int] = (),
        moved: Mapping[int, Sequence[float]] | None = None,
        empty: bool = False,
    ) -> None:
        """Erase, move and draw points as one step: see :func:`~dcrc_explore.datasets.drawn.changed_points`."""
        session = self._session
        with session.lock, clear_errors():
            dataset, subject = session.dataset, session.state.subject
            if empty:
                is_truth = dataset.drawing is None or dataset.drawing.is_truth
                drawing = Drawing(np.empty(0, dtype=np.int64), is_truth=is_truth)
                places, log = np.empty((0, 2)), Log()
            else:
                drawing, places, log = drawing_of(dataset, subject.extent), dataset.X, session.log
            X, classes, rows = changed_points(
                places, drawing.classes, erased=erased, moved=moved, added=added, brushes=brushes
            )
            n_erased = int((rows < 0).sum())
            label = _label(len(X) - len(rows) + n_erased, len(moved or ()), n_erased, empty=empty)
            made = Drawing(classes, _around(drawing.frame, X), drawing.is_truth)
            continued = None if empty or dataset.drawing is None else subject
            self._go_on(label, made, X, log.renumbered(rows) if n_erased else log, continued)

    def set_truth(self, is_truth: bool) -> None:
        """Say whether the classes that were drawn are the truth; if not, there is none."""
        session = self._session
        with session.lock, clear_errors():
            drawing = drawing_of(session.dataset, session.state.subject.extent)
            if drawing.is_truth != is_truth:
                made = Drawing(drawing.classes, drawing.frame, is_truth)
                continued = None if session.dataset.drawing is None else session.state.subject
                self._go_on("drawn classes", made, session.dataset.X, session.log, continued)

    @property
    def brushes(self) -> IntArray | None:
        """The class of each point, from 0 on, as it would be drawn; None for points that cannot be drawn on."""
        try:
            return drawing_of(self._session.dataset, self._session.state.subject.extent).classes
        except ValueError:
            return None

    def answers_about(self, rows: Sequence[int]) -> int:
        """Return how many answers are about any of these points, and would go with them."""
        return int(np.isin(self._session.log.points, rows).any(axis=1).sum())

    def _go_on(self, label: str, drawing: Drawing, X: FloatArray, log: Log, continued: Subject | None) -> None:
        session, before = self._session, self._session.state
        subject, session.file.waits = Subject(drawing.dataset(X), continued), False
        same = subject.dataset.n_classes == session.dataset.n_classes
        K = before.settings.n_clusters if same else subject.natural_clusters(before.settings.n_clusters)
        settings = before.settings.changed({"n_clusters": max(2, min(K, len(X)))})
        session.steps.do(label, subject=subject, settings=settings, log=log)


def _around(frame: tuple[float, float, float, float], X: FloatArray) -> tuple[float, float, float, float]:
    """Return the frame, larger where points that code has drawn lie outside."""
    left, right, bottom, top = frame
    corners = np.array([[left, bottom], [right, top]])
    inside = np.array_equal(X, np.clip(X, *corners))
    return frame if inside else plane_extent(np.vstack([X, corners]))


def _label(n_added: int, n_moved: int, n_erased: int, *, empty: bool) -> str:
    """Say what a stroke did.

    Examples
    --------
    >>> _label(0, 0, 2, empty=False), _label(8, 0, 0, empty=True)
    ('erasing 2 points', 'a new drawing')
    """
    if empty:
        return "a new drawing"
    kinds = {"drawing": n_added, "moving": n_moved, "erasing": n_erased}
    return " and ".join(f"{verb} {count(n, 'point')}" for verb, n in kinds.items() if n) or "drawing"
