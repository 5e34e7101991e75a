"""One model, as a tool shows it: the picture, and the numbers of its panels and tabs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dcrc_explore.annotators import list_oracles
from dcrc_explore.arrays import FloatArray, IntArray, packed
from dcrc_explore.plane import View
from dcrc_explore.session import Fit, Session, sweep_epsilon
from dcrc_explore.session.answering import suggested
from dcrc_explore.session.story import lesson
from dcrc_explore.session.trace import Trace
from dcrc_explore.widgets.exports import ExportProgress, write_export
from dcrc_explore.widgets.hosts import picture_in_words
from dcrc_explore.widgets.protocol.sent import ExplorerScene, Sharp, Status
from dcrc_explore.widgets.scene import Look, pack_sharp
from dcrc_explore.widgets.tabs import (
    figures,
    pack_errors,
    pack_gallery,
    pack_groups,
    pack_order,
    pack_panels,
    pack_people,
    pack_point,
    pack_sweep,
)

if TYPE_CHECKING:
    from dcrc_explore.plotting import Figure


class OneModel:
    """The model of a session, also at an EM iteration, as a tool shows it.

    Parameters
    ----------
    session : Session
    look : Look
        What the browser shows.
    put : callable(str, dict)
        Lets the browser see something under a name: "why", "sweep", "panels", "gallery" or "people".
    truth : bool, default=True
        Whether what is computed from the true classes may be seen.
    """

    def __init__(
        self, session: Session, look: Look, put: Callable[[str, dict[str, Any]], object], *, truth: bool = True
    ) -> None:
        self.session = session
        self._look, self._put, self._truth = look, put, truth
        self._iteration: int | None = None  # the EM iteration shown, None for the final model
        self._explained = -1  # the point that the tab Why is about
        self._shown: Trace | None = None  # the fit whose changes were shown
        self._seen: View | None = None  # the plane on the screen, None for that of the data
        self._has_gallery = False
        self._asked: tuple[IntArray, dict[int, str]] = (
            np.empty(0, dtype=int),
            {},
        )  # names for clusters with these labels
        self.sweep = sweep_epsilon(session, self.send_sweep)
        self._sent_current: bool | None = None
        self.send_sweep()

    @property
    def _fit(self) -> Fit:
        return self.session.fit if self._iteration is None else self.session.model.trace.replay(self._iteration)

    def begin(self, *, new_data: bool) -> None:
        """Show the final model again, because something has changed."""
        self._iteration = None
        if new_data:
            self._explained, self._seen = -1, None

    # What a person sees and does --------------------------------------------------------------------------------------

    def perform(self, message: dict[str, Any]) -> bool:
        """Do what a message asks for; False when that is nothing special for one model."""
        session, version = self.session, self._look.version
        match message["do"]:
            case "why":
                self._explain(message)
            case "sweep":
                self.sweep.start()
            case "cancel":
                self.sweep.cancel()
            case "panels":
                panels = pack_panels(session, self._fit, self._iteration, version, truth=self._truth)
                self._put("panels", {**panels})
            case "gallery":
                self.send_gallery()
            case "people":
                self._put("people", {**pack_people(session, version)})
            case _:
                return False
        return True

    def replay(self, message: dict[str, Any], show: Callable[[], object]) -> None:
        """Go to an EM iteration and `show` it; a point may be explained there too."""
        final = len(self.session.model.trace.objective) - 1
        self._iteration = message["iteration"] if message["iteration"] < final else None
        show()
        if "why" in message:
            self._explain(message | {"view": "point", "point": message["why"]})

    def _explain(self, message: dict[str, Any]) -> None:
        session, view = self.session, message["view"]
        self._explained = message.get("point", self._explained)
        numbers = pack_point(session, message["point"], self._iteration) if view == "point" else pack_errors(session)
        self._put("why", {**numbers, "view": view, "key": message["key"]})

    def follow_advice(self) -> None:
        """Show in the tab Clusters what a search has found about the number of groups."""
        if self._has_gallery:
            self.send_gallery()

    def suggest(self, fit: Fit, names: dict[int, str]) -> None:
        """Suggest names that somebody was asked for, as long as the clusters are those of a fit."""
        self._asked = fit.labels, names
        self.send_gallery()

    def send_gallery(self) -> None:
        """Send what is in each cluster."""
        self._has_gallery = True
        clusters = pack_gallery(self._fit, truth=self._look.options["truth"])
        order, groups = pack_order(self._fit), pack_groups(self.session)
        about, asked = self._asked
        asked = asked if np.array_equal(about, self._fit.labels) else {}
        names = suggested(self.session.dataset, self._fit.labels, self._fit.n_clusters, asked)
        sent = {"clusters": clusters, "names": names, "order": order, "groups": groups, "version": self._look.version}
        self._put("gallery", sent)

    def send_sweep(self) -> None:
        """Send what is known of the sweep over epsilon."""
        self._sent_current = self.sweep.current
        self._put("sweep", {**pack_sweep(self.sweep)})

    # Pictures and files -----------------------------------------------------------------------------------------------

    def figure(self, panel: str = "canvas", **options: Any) -> Figure:
        """Draw the picture or a panel as it is on the screen."""
        shown = self._look.options
        as_seen: dict[str, Any] = {
            "iteration": self._iteration,
            "surface": None if shown["map"] == "none" else shown["map"],
            "cluster": min(shown["cluster"], self._fit.n_clusters - 1),
            "answers": shown["links"],
            "truth": shown["truth"],
            "plane": self._seen,
            "items": shown["items"],
        }
        return self.session.figure(panel, **as_seen | options)

    def picture(self) -> tuple[Figure, float, str]:
        """Return the picture, dots per inch, and what is to be seen, in words; items are left out: they take long."""
        return self.figure(items=False), 100, f"The Explorer: {picture_in_words(self.session)}"

    def export(self, kind: str, rows: Sequence[int], progress: ExportProgress) -> str:
        """Write something beside the answers, and say where."""
        return f"Written to {write_export(self.session, kind, self._pictures, progress, rows, self._seen)}"

    def _pictures(self) -> dict[str, Figure]:
        """Draw the picture and all panels."""
        from dcrc_explore.plotting.figures import PANELS  # with matplotlib, which a tool without figures does not need

        panels = [panel for panel in PANELS if panel != "quality" or self.session.model.quality]
        shown = {panel: self.figure(panel) for panel in panels}
        return shown | figures(self.session, self.sweep, self._explained, self._iteration)

    # What the browser draws -------------------------------------------------------------------------------------------

    def scene(self, status: Status) -> ExplorerScene:
        """Pack the picture, and what the last change did."""
        session, iteration = self.session, self._iteration
        # The data's own plane needs no words; another one stays as near to the last as it can.
        plane = self._look.options["plane"]
        self._seen = None if plane == "pca" else self._fit.view(plane, last=self._seen)
        picture = self._look.picture(session, self._fit, self._seen)
        if self._sent_current != self.sweep.current:
            self.send_sweep()
        # What the last change moved is shown once, not again whenever something else is.
        moved = np.empty(0) if session.model.trace is self._shown else session.model.moved
        self._shown = session.model.trace
        seen = self._seen or session.state.subject
        return {
            **picture,
            **status,
            "story": self._story(seen.points if picture["regions"] is not None else None),
            "moved": packed(moved, "int32"),
            "iteration": iteration,
            "satisfied": None if iteration is None else float(session.model.trace.objective.satisfied[iteration]),
            "epsilon": session.state.fit_settings.epsilon,
        }

    def _story(self, points: FloatArray | None) -> str:
        """Say what the last change did; in a lesson, first what the truth says of the last answer."""
        session, taught = self.session, ""
        y, last = session.dataset.y, session.log[-1] if session.log else None
        if self._look.options["teach"] and y is not None and last is not None and last.by not in list_oracles():
            taught = lesson(last.answer, last.points, y)
        return " ".join(filter(None, [taught, session.model.story_in(points)]))

    def sharp(self) -> Sharp | None:
        """Pack a map of the window that is in sight."""
        return pack_sharp([self._fit], self._look.options, self._look.window, [self._seen])
