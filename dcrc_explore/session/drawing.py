"""Drawing points by hand, as steps of a session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.constraints import Log
from dcrc_explore.datasets.drawn import Drawing, changed_points, drawing_of
from dcrc_explore.plane.surface import plane_extent
from dcrc_explore.session.state import Subject, clear_errors
from dcrc_explore.words import count

if TYPE_CHECKING:
    from dcrc_explore.session.session import Session


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

    def draw(self, points: ArrayLike, classes: ArrayLike = 0, *, anew: bool = False) -> None:
        """Draw points, shape (n, 2), with the brushes of these classes, from 0 to 7; `anew` takes an empty plane."""
        self.stroke(added=points, brushes=classes, anew=anew)

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
        anew: bool = False,
    ) -> None:
        """Erase, move and draw points as one step: see :func:`~dcrc_explore.datasets.drawn.changed_points`."""
        session = self._session
        with session.lock, clear_errors():
            dataset, subject = session.dataset, session.state.subject
            if anew:
                is_truth = dataset.drawing is None or dataset.drawing.is_truth
                drawing = Drawing(np.empty(0, dtype=np.int64), is_truth=is_truth)
                places, log = np.empty((0, 2)), Log()
            else:
                drawing, places, log = drawing_of(dataset, subject.extent), dataset.X, session.log
            X, classes, rows = changed_points(
                places, drawing.classes, erased=erased, moved=moved, added=added, brushes=brushes
            )
            n_erased = int((rows < 0).sum())
            label = _label(len(X) - len(rows) + n_erased, len(moved or ()), n_erased, anew=anew)
            made = Drawing(classes, _around(drawing.frame, X), drawing.is_truth)
            continued = None if anew or dataset.drawing is None else subject
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


def _label(n_added: int, n_moved: int, n_erased: int, *, anew: bool) -> str:
    """Say what a stroke did.

    Examples
    --------
    >>> _label(0, 0, 2, anew=False), _label(8, 0, 0, anew=True)
    ('erasing 2 points', 'a new drawing')
    """
    if anew:
        return "a new drawing"
    kinds = {"drawing": n_added, "moving": n_moved, "erasing": n_erased}
    return " and ".join(f"{verb} {count(n, 'point')}" for verb, n in kinds.items() if n) or "drawing"
