"""Gestures about clusters: proposed to a person with their answers, and done when they agree."""

from __future__ import annotations

from dcrc_explore.session import Gesture, Gestures, Session, SessionError
from dcrc_explore.session.search import ENOUGH
from dcrc_explore.widgets.protocol.numbers import GroupsSent, Proposal
from dcrc_explore.words import count


class Proposals:
    """The gesture that a person looks at before it counts."""

    def __init__(self) -> None:
        self._number = 0
        self._gesture: Gesture | None = None

    def propose(self, session: Session, kind: str, clusters: list[int], rows: list[int]) -> Proposal:
        """Choose the answers of a gesture and pack them.

        Examples
        --------
        >>> Proposals().propose(Session("far", autosave=None), "merge", [0, 1], [])["title"]
        'Cluster 1 and cluster 2 belong together.'
        """
        gestures = Gestures(session)
        needed = {"merge": 2, "split": 1, "together": 0, "move": 1}[kind]
        if len(clusters) != needed:
            raise SessionError(f"the gesture {kind!r} is about {count(needed, 'cluster')}, got {len(clusters)}")
        if kind == "merge":
            gesture = gestures.merge(*clusters)
        elif kind == "split":
            gesture = gestures.split(clusters[0], rows or None)
        else:
            gesture = gestures.together(rows) if kind == "together" else gestures.move(rows, clusters[0])
        self._number, self._gesture = self._number + 1, gesture
        return {
            "number": self._number,
            "title": gesture.title,
            "points": [list(points) for points in gesture.points],
            "clusters": [session.settings.n_clusters, gesture.n_clusters],
        }

    def confirm(self, session: Session, number: int, *, change_k: bool) -> str:
        """Do the gesture that was proposed under this number, and say what came of it."""
        gesture = self._gesture
        if gesture is None or number != self._number:
            raise SessionError("another gesture was proposed since: look at its answers first")
        self._gesture = None
        Gestures(session).do(gesture, change_k=change_k)
        return f"{count(len(gesture.points), 'answer')} added. Undo (Z) takes them back in one step."


def pack_groups(session: Session) -> GroupsSent | None:
    """Pack how well other numbers of clusters fit the answers; None where the number is known."""
    if session.dataset.y is not None and not session.settings.open_k:
        return None
    scan, M, K = session.search.scan, session.state.n_answers, session.settings.n_clusters
    if scan is None:
        words = "Pause, and this shows how many groups your answers fit."
        if M < ENOUGH:
            words = f"From {ENOUGH} answers on, this shows how many groups they fit; now there are {M}."
        return {"words": words, "numbers": [], "values": [], "best": K, "current": K}
    words = f"{count(scan.n_answers, 'answer')} fit {scan.best} groups best"
    words += ", as chosen." if scan.best == K else f"; K is {K}."
    return {
        "words": words,
        "numbers": [each.n_clusters for each in scan.found],
        "values": [each.value for each in scan.found],
        "best": scan.best,
        "current": K,
    }
