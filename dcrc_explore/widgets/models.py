"""The models on show: one, with its panels and tabs, or two side by side, with where they disagree."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dcrc_explore.annotators import list_oracles
from dcrc_explore.arrays import FloatArray, IntArray, packed
from dcrc_explore.constraints import Log
from dcrc_explore.plane import View
from dcrc_explore.scenes import SceneView, save_scene
from dcrc_explore.session import Change, Fit, Pair, Session, run_methods, sweep_epsilon
from dcrc_explore.session.answering import suggested
from dcrc_explore.session.story import lesson
from dcrc_explore.session.trace import Trace
from dcrc_explore.settings import find
from dcrc_explore.widgets import tabs
from dcrc_explore.widgets.actions import EVERYTHING, Actions, Browser
from dcrc_explore.widgets.asking import QuestionCard
from dcrc_explore.widgets.controls import Control, model_controls
from dcrc_explore.widgets.files import OF_TWO, ExportProgress, Loading, export_code, export_link, saving
from dcrc_explore.widgets.hosts import picture_in_words
from dcrc_explore.widgets.protocol import Verbs
from dcrc_explore.widgets.protocol.sent import CompareScene, ExplorerScene, Sharp, Status
from dcrc_explore.widgets.scene import Look, pack_disagreement, pack_sharp, pack_status

if TYPE_CHECKING:
    from dcrc_explore.plotting import Figure

Put = Callable[..., None]  # lets the browser see values under their names


class OneModel:
    """The model of a session, also at an EM iteration."""

    def __init__(self, session: Session, look: Look, put: Put) -> None:
        self.source, self.models = session, (session,)
        self._look, self._put = look, put
        self._iteration: int | None = None  # the EM iteration shown, None for the final model
        self._explained = -1  # the point that the tab Why is about
        self._shown: Trace | None = None  # the fit whose changes were shown
        self._seen: View | None = None  # the plane on the screen, None for that of the data
        self._has_gallery = False
        self._asked: tuple[IntArray, dict[int, str]] = np.empty(0, dtype=int), {}  # names for clusters of these labels
        self.sweep = sweep_epsilon(session, self.send_sweep)
        self.verbs: Verbs = {
            "why": lambda _, m: self._explain(m),
            "sweep": lambda *_: self.sweep.start(),
            "cancel": lambda *_: self.sweep.cancel(),
            "panels": lambda *_: self._send_panels(),
            "gallery": lambda *_: self.send_gallery(),
            "people": lambda *_: put(people=tabs.pack_people(session, look.version)),
        }
        self.send_sweep()

    @property
    def _fit(self) -> Fit:
        return self.source.fit if self._iteration is None else self.source.model.trace.replay(self._iteration)

    def begin(self, *, new_data: bool) -> None:
        """Show the final model again, because something has changed."""
        self._iteration = None
        if new_data:
            self._explained, self._seen = -1, None

    def replay(self, message: dict[str, Any], show: Callable[[], object]) -> None:
        """Go to an EM iteration and `show` it; a point may be explained there too."""
        final = len(self.source.model.trace.objective) - 1
        self._iteration = message["iteration"] if message["iteration"] < final else None
        show()
        if "why" in message:
            self._explain(message | {"view": "point", "point": message["why"]})

    def _explain(self, message: dict[str, Any]) -> None:
        about = {"view": message["view"], "key": message["key"]}
        self._explained = message.get("point", self._explained)
        if message["view"] == "point":
            self._put(why={**tabs.pack_point(self.source, message["point"], self._iteration), **about})
        else:
            self._put(why={**tabs.pack_errors(self.source), **about})

    def _send_panels(self) -> None:
        version = self._look.version
        self._put(panels=tabs.pack_panels(self.source, self._fit, self._iteration, version, truth=self._look.measured))

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
        fit, look, (about, asked) = self._fit, self._look, self._asked
        names = asked if np.array_equal(about, fit.labels) else {}
        sent = {
            "clusters": tabs.pack_gallery(fit, truth=look.options["truth"]),
            "names": suggested(self.source.dataset, fit.labels, fit.n_clusters, names),
            "order": tabs.pack_order(fit),
            "groups": tabs.pack_groups(self.source),
            "version": look.version,
        }
        self._put(gallery=sent)

    def send_sweep(self) -> None:
        """Send what is known of the sweep over epsilon."""
        self._sent_current = self.sweep.current
        self._put(sweep=tabs.pack_sweep(self.sweep))

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
        return self.source.figure(panel, **as_seen | options)

    def picture(self) -> tuple[Figure, float, str]:
        """Return the picture, dots per inch, and what is to be seen, in words; items are left out: they take long."""
        return self.figure(items=False), 100, f"The Explorer: {picture_in_words(self.source)}"

    def export(self, kind: str, progress: ExportProgress, rows: Sequence[int]) -> Path:
        """Write something into a file beside the answers, and return where.

        A "page" of the answers or a "replay" of EM, a "live" page, the answers ("csv"), the "clusters" of all points, a
        "selection" of `rows`, or pictures ("png", "svg").
        """
        export, films = self.source.export, {"page": "answers", "replay": "iterations"}
        if kind in films:
            return export.to_html(film=films[kind], plane=self._seen, progress=progress)
        if kind == "live":
            return export.to_html(live=True)
        if kind in ("csv", "clusters", "selection"):
            what, name = ("answers", "answers") if kind == "csv" else ("clusters", kind)
            table = export.to_csv(what, rows if kind == "selection" else None)
            return export.write(f"{name}.csv", lambda file: file.write(table.encode()))
        drawn = self._pictures()
        saves = {
            f"{name}.{kind}": saving(figure, kind, partial(progress, (1 + n) / (1 + len(drawn))))
            for n, (name, figure) in enumerate(drawn.items())
        }
        return export.write(kind, saves)

    def _pictures(self) -> dict[str, Figure]:
        """Draw the picture and all panels."""
        from dcrc_explore.plotting.figures import PANELS  # with matplotlib, which a tool without figures does not need

        panels = [panel for panel in PANELS if panel != "quality" or self.source.model.quality]
        shown = {panel: self.figure(panel) for panel in panels}
        return shown | tabs.figures(self.source, self.sweep, self._explained, self._iteration)

    # What the browser draws -------------------------------------------------------------------------------------------

    def scene(self, status: Status) -> ExplorerScene:
        """Pack the picture, and what the last change did."""
        session, iteration, trace = self.source, self._iteration, self.source.model.trace
        # The data's own plane needs no words; another one stays as near to the last as it can.
        plane = self._look.options["plane"]
        self._seen = None if plane == "pca" else self._fit.view(plane, last=self._seen)
        picture = self._look.picture(session, self._fit, self._seen)
        if self._sent_current != self.sweep.current:
            self.send_sweep()
        # What the last change moved is shown once, not again whenever something else is.
        moved = np.empty(0) if trace is self._shown else session.model.moved
        self._shown = trace
        seen = self._seen or session.state.subject
        return {
            **picture,
            **status,
            "story": self._story(seen.points if picture["regions"] is not None else None),
            "moved": packed(moved, "int32"),
            "iteration": iteration,
            "satisfied": None if iteration is None else float(trace.objective.satisfied[iteration]),
            "epsilon": session.state.fit_settings.epsilon,
        }

    def _story(self, points: FloatArray | None) -> str:
        """Say what the last change did; in a lesson, first what the truth says of the last answer."""
        session, taught = self.source, ""
        y, last = session.dataset.y, session.log[-1] if session.log else None
        if self._look.options["teach"] and y is not None and last is not None and last.by not in list_oracles():
            taught = lesson(last.answer, last.points, y)
        return " ".join(filter(None, [taught, session.model.story_in(points)]))

    def sharp(self) -> Sharp | None:
        """Pack a map of the window that is in sight."""
        return pack_sharp([self._fit], self._look.options, self._look.window, [self._seen])


class TwoModels:
    """A session and a second model."""

    def __init__(self, pair: Pair, look: Look, put: Put) -> None:
        self.source, self.models = pair, pair.models
        self._look, self._put = look, put
        self._methods = run_methods(pair.first, self._send_methods)
        self._seen: tuple[View, View] | None = None  # the plane on the screen, None for that of the data
        # The epsilon of each model when it is not hard.
        self._soft = dict.fromkeys(("first", "second"), find("epsilon").default)
        self.verbs: Verbs = {
            "why": lambda _, m: put(why={**tabs.pack_both(self.source, m["point"]), "key": m["key"]}),
            "panels": lambda *_: put(
                information={"models": [tabs.pack_information(each, each.fit) for each in self.models]}
            ),
            "methods": lambda *_: self._methods.start(),
            "cancel": lambda *_: self._methods.cancel(),
        }
        self._send_methods()

    def model_controls(self, model: str) -> Iterator[Control]:
        """List the controls of the "first" or the "second" model."""
        first, second = self.source.models
        shown = first if model == "first" else second
        self._soft[model] = shown.settings.epsilon or self._soft[model]
        if shown is first:
            yield from model_controls(first, self._soft[model])
            return
        for each in model_controls(second, self._soft[model], "second."):
            yield replace(each, do=partial(lambda do, _, value: do(second, value), each.do))

    def figure(self, **options: Any) -> Figure:
        """Return the three pictures as they are on the screen."""
        return self.source.figure(**{"plane": self._seen} | options)

    def picture(self) -> tuple[Figure, float, str]:
        """Return the pictures, dots per inch, and what is to be seen, in words."""
        first, second = map(picture_in_words, self.models)
        return self.figure(), 70, f"Two models side by side. First: {first}. Second: {second}."

    def export(self, kind: str, progress: ExportProgress) -> Path:
        """Write the pictures ("png", "svg") or a "page", and return where."""
        if kind == "page":
            return self.source.to_html(plane=self._seen, progress=progress)
        surface = self._look.options["map"]
        figure = self.figure(surface=None if surface == "none" else surface)
        return self.source.first.export.write(f"compare.{kind}", saving(figure, kind))

    def scene(self, status: Status) -> CompareScene:
        """Pack both pictures, and on which answers the models differ."""
        pair, look, plane = self.source, self._look, self._look.options["plane"]
        last = self._seen[0] if self._seen else pair.first.fit.view()
        self._seen = None if plane == "pca" else pair.planes(plane, last)
        first, second = (
            look.picture(each, each.fit, seen) for each, seen in zip(pair.models, self._planes, strict=True)
        )
        # The second's clusters have the numbers of the first's, so what a person calls these, those are called too.
        second["names"] = [*first["names"], *second["names"]][: second["clusters"]]
        if self._sent_current != self._methods.current:
            self._send_methods()
        own = pair.second.log.triplets
        own_answers = packed(np.column_stack([own.indices, own.answers]), "int32")
        judged = "" if look.silent or pair.busy else str(pair.verdict(hidden=not look.measured))
        return {
            **status,
            "undo": pair.undo_label or status["undo"],
            "redo": pair.redo_label,
            "models": [first, second],
            "apart": pack_disagreement(pair, self._planes),
            "disputes": [
                (each.index, int(each.given), int(each.implied[0]), int(each.implied[1]))
                for each in pair.comparison.disputes
            ],
            "own": own_answers if pair.second.has_own_answers else None,
            "remark": " ".join(filter(None, [judged, pair.remark])),
            "differences": [list(difference) for difference in pair.differences],
        }

    def sharp(self) -> Sharp | None:
        """Pack maps of the window that is in sight."""
        look, planes = self._look, self._planes
        sharp = pack_sharp([each.fit for each in self.models], look.options, look.window, planes)
        if sharp is not None:
            sharp["apart"] = pack_disagreement(self.source, planes, look.window)["map"]
        return sharp

    def _send_methods(self) -> None:
        self._sent_current = self._methods.current
        self._put(methods=tabs.pack_methods(self._methods, truth=self._look.measured))

    @property
    def _planes(self) -> tuple[View | None, View | None]:
        return self._seen or (None, None)


class Screen:
    """What is on show: a session with one model or two, and how it is looked at."""

    def __init__(self, browser: Browser, actions: Actions, card: QuestionCard, loading: Loading, look: Look) -> None:
        self._browser, self._actions, self._card, self._loading = browser, actions, card, loading
        self.look = look
        self.one: OneModel
        self.two: TwoModels | None = None
        self.second: Mapping[str, Any] | None = None  # in what the second model differed when there was one
        self._selected: Sequence[int] = ()  # before two models came
        self._ends: list[Callable[[], None]] = []
        self.verbs: Verbs = {
            "hello": lambda session, _: self._send_answers(session),
            "stop": lambda *_: self._stop_fits(),
            "redo": lambda *_: self.shown.source.redo(),
            "replay": lambda _, m: self.one.replay(m, self.send),
            "window": lambda _, m: self._look_at(m["window"]),
            "cluster": lambda _, m: self.show(map="probability", cluster=m["cluster"]),
            "points": lambda s, m: self._ask_about(s, m["points"]),
        }

    @property
    def shown(self) -> OneModel | TwoModels:
        """The model on show, or both."""
        return self.one if self.two is None else self.two

    @property
    def pair(self) -> Pair | None:
        """The two models that stand side by side; None while there is one."""
        return None if self.two is None else self.two.source

    # One model or two -------------------------------------------------------------------------------------------------

    def turn_to(self, session: Session, *, two: bool) -> None:
        """Turn to a session, with as many models as there were, or with two."""
        self._actions.session = session
        self.one = OneModel(session, self.look, self._browser.put)
        with self._actions.one_message():
            if two or self.two is not None:
                self._open_two(self.second if self.pair is None else self.pair.changes)
            else:
                self._follow(self.one)
            self._actions.changed |= Change.DATA

    def compare(self, second: Mapping[str, Any] | None = None, answers: Log | None = None) -> None:
        """Show two models in the place of one."""
        if self.two is None:
            self._browser.put(draw="")
            self._actions.forget_news()
            self._selected = self._card.selected
            self._card.select(self._actions.session, [])
        self._open_two(self.second if second is None else second, answers)

    def explore(self) -> None:
        """Show one model in the place of two."""
        if self.pair is None:
            return
        self._actions.forget_news()  # it is old by the way back
        self.second = self.pair.changes
        self.pair.close()
        self.two = None
        self._follow(self.one)
        session = self._actions.session
        self._card.select(session, [row for row in self._selected if row < len(session.dataset.X)])

    def _open_two(self, second: Mapping[str, Any] | None, answers: Log | None = None) -> None:
        session = self._actions.session
        apart = answers is not None or second is None or session.settings.changed(second) != session.settings
        if self.pair is not None:
            self.pair.close()
        self.two = TwoModels(Pair(session, second if apart else None, answers), self.look, self._browser.put)
        self._follow(self.two)

    def _follow(self, shown: OneModel | TwoModels) -> None:
        """Follow the models on show and no others; the browser draws them with the next picture."""
        for end in self._ends:
            end()
        fits = [each.model.progress.watch(self._report_fit) for each in shown.models]
        self._ends = [shown.source.observe(self._actions.follow), *fits]
        self._actions.touched += 1
        self._actions.changed |= EVERYTHING
        self._browser.put(why={}, models=len(shown.models))

    def _report_fit(self, iteration: int) -> None:
        # At once, from whatever thread, also while an action holds the picture back.
        self._browser.send({"fitting": f"Fitting… EM iteration {iteration}" if iteration else "Fitting…"})

    def _stop_fits(self) -> str | None:
        """End the fits that run in the background, and say so."""
        going_on = [each for each in self.shown.models if each.model.busy]
        for each in going_on:
            each.model.progress.stop()
        return "The fit was ended before it had converged. The next answer continues from here." if going_on else None

    def export(self, session: Session, kind: str) -> str | None:
        """Write something beside the answers, or show it, and return the message to show."""
        look, progress = self.look, ExportProgress(self._browser.send)
        if kind in ("code", "link"):
            made = export_code(session) if kind == "code" else None
            sheet, text = made or export_link(session, self._browser["hidden"], self._browser["view"], look.options)
            self._browser.send({"show": sheet})
            return text
        if kind == "scene":
            view = SceneView(map=look.options["map"], truth=look.options["truth"])
            written = save_scene(session, pair=self.pair, view=view)
        elif self.two is not None and kind in OF_TWO:
            written = self.two.export(kind, progress)
        else:
            written = self.one.export(kind, progress, self._card.selected)
        return f"Written to {written}"

    # What the browser draws -------------------------------------------------------------------------------------------

    def show(self, **view: Any) -> None:
        """Choose what is drawn: `map`, `links`, `truth`."""
        with self._actions.one_message():
            self.look.options.update(view)  # type: ignore[typeddict-item]
            self.send()

    def _ask_about(self, session: Session, points: int) -> None:
        self.show(points=points)
        self._card.ask_about(session, points)

    def _look_at(self, window: list[float]) -> None:
        """Show a part of the picture sharply."""
        self.look.window = window if window != [0, 1, 0, 1] else None
        self._browser.put(sharp=self.shown.sharp() or {})

    def send(self) -> None:
        """Send the picture, with the answers that the browser does not have."""
        look, session, shown = self.look, self._actions.session, self.shown
        began = time.perf_counter()
        look.version += 1
        status = pack_status(session, look.version, look.options["points"])
        status["undo"] = status["undo"] or self._loading.label
        scene, given = shown.scene(status), look.answers(session)
        timings = [each.model.timings for each in shown.models]
        spent = {name: sum(each[name] for each in timings) for name in timings[0]}
        spent |= {"save": 1000 * session.file.seconds, "scene": 1000 * (time.perf_counter() - began)}
        self._browser.put(
            **{"options": dict(look.options), "busy": any(each.model.busy for each in shown.models), "given": given},
            **{"scene": {**scene, "milliseconds": spent}, "sharp": shown.sharp() or {}},
        )

    def _send_answers(self, session: Session) -> None:
        """Send all answers, to a new page or one that has missed something."""
        self.look.known = self.look.known[:0]
        self._browser.put(given=self.look.answers(session))
