"""The Explorer: click three points, answer, watch the clustering move."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from dcrc_explore.annotators import list_oracles
from dcrc_explore.arrays import FloatArray, packed
from dcrc_explore.browser import script
from dcrc_explore.plane import View
from dcrc_explore.scenes import Performance, Scene, load_scene, playable_scenes, save_scene
from dcrc_explore.scenes import View as ShownView
from dcrc_explore.session import Change, Fit, Session, SessionError, sweep_epsilon
from dcrc_explore.session.figures import PANELS
from dcrc_explore.session.story import lesson
from dcrc_explore.session.trace import Trace
from dcrc_explore.widgets.address import GROUPS, carries_answers, read_address, write_address
from dcrc_explore.widgets.browse import list_folder
from dcrc_explore.widgets.classroom import ClassView, session_of
from dcrc_explore.widgets.controls import Control, hardness, model_controls
from dcrc_explore.widgets.exports import OF_A_PAGE, OF_ONE, Written, export_buttons, write_export
from dcrc_explore.widgets.features import FeatureMenu
from dcrc_explore.widgets.gallery import pack_gallery, pack_order
from dcrc_explore.widgets.gestures import Proposals, pack_groups
from dcrc_explore.widgets.groups import Keeping, data_controls
from dcrc_explore.widgets.hosts import event_loop, is_page, this_cell
from dcrc_explore.widgets.inspection import figures, pack_errors, pack_point, pack_sweep
from dcrc_explore.widgets.linking import Linked
from dcrc_explore.widgets.loading import Loading
from dcrc_explore.widgets.opening import new_session, refuse
from dcrc_explore.widgets.own import OwnData
from dcrc_explore.widgets.panels import pack_panels
from dcrc_explore.widgets.people import change_answers, pack_people
from dcrc_explore.widgets.picture import in_words
from dcrc_explore.widgets.protocol.sent import ExplorerScene
from dcrc_explore.widgets.scene import pack_points, pack_sharp, pack_status
from dcrc_explore.widgets.scenes import Scenes
from dcrc_explore.widgets.shelf import Shelf
from dcrc_explore.widgets.sorting import Sorting
from dcrc_explore.widgets.telling import tell_better, tell_trouble
from dcrc_explore.words import count

if TYPE_CHECKING:
    from dcrc_explore.plotting import Figure
    from dcrc_explore.room.classroom import Classroom


class Explorer(Linked):
    """Explore a clustering by answering questions about three points at a time.

    Parameters
    ----------
    data : str, Dataset, array-like, DataFrame or path, optional
        Name of a generator (``list_datasets()``) or your own points; by default the paper's close clusters.
    y : array-like of shape (N,), optional
        True classes, when `data` is an array: shown on request, and used to measure quality.
    items : array-like, column name or Items, optional
        What a person sees for each row of `data`: an array of images, a list of texts, names of files.
    hide : sequence of str, default=()
        Groups of controls that a teacher leaves out: "data", "model", "ask", "answers", "people", "clusters", "why",
        "session", "panels", "truth", "compare".
    view : {"whole", "lecture"}, default="whole"
        For a projector, "lecture" shows the picture, the question and one panel in large type.
    autosave : path or None, default="."
        Folder (or file) in which every answer is saved as soon as it is given; None saves nothing.
    session : Session, optional
        Show this session instead of a new one; it has its own data and settings.
    scene : str or Scene, optional
        Open with a scene, such as "answers-pay": its data, settings, answers and steps. ``dcrc-explore scenes`` lists
        them; a .toml file holds your own.
    annotators : mapping of str to callable or FunctionAnnotator, optional
        Who else can answer, by name: functions and language models, as in :meth:`register`.
    **settings
        Settings of the model, such as ``n_clusters=2`` or ``epsilon=0.15``; see
        :class:`~dcrc_explore.session.Settings`. For your own data also ``features="pixels"``, ``ignore=["id"]`` and
        ``drop_incomplete=True``, as for a :class:`Session`.

    Attributes
    ----------
    session : Session
        The state behind the picture. Everything that a click does can be done there in code, and the picture follows.
    epsilon, tau, lam, balance, soft, n_clusters, selection, answers
        Traits that can be observed and linked: the settings, the selected rows, and the number of answers. All but the
        last can be set.

    Examples
    --------
    >>> explorer = Explorer("moons", autosave=None)
    >>> _ = explorer.session.answer((0, 1, 2), "yes")
    >>> explorer
    Explorer(moons: 100 points, 2 clusters, 1 answer)
    >>> explorer.epsilon = 0.15
    >>> explorer.session.settings.epsilon
    0.15
    """

    _esm = script("explorer.js")

    panels = traitlets.Dict().tag(sync=True)  # sent when the browser asks, after the picture
    gallery = traitlets.Dict().tag(sync=True)  # sent when the browser asks: what is in each cluster
    people = traitlets.Dict().tag(sync=True)  # sent when the browser asks: how each person errs, and how they agree
    sweep = traitlets.Dict().tag(sync=True)
    classroom = traitlets.Dict().tag(sync=True)  # a class with phones, while it is open

    def __init__(
        self,
        data: Any = None,
        y: ArrayLike | None = None,
        *,
        items: Any = None,
        hide: Sequence[str] = (),
        view: str = "whole",
        autosave: str | PathLike[str] | None = ".",
        session: Session | None = None,
        scene: Scene | str | PathLike[str] | None = None,
        annotators: Mapping[str, Callable[..., Any]] | None = None,
        **settings: Any,
    ) -> None:
        if isinstance(hide, str) or not set(hide) <= set(GROUPS):
            raise ValueError(f"hide must be a sequence of {', '.join(map(repr, GROUPS))}, got {hide!r}")
        performance = None
        if scene is not None:
            refuse(settings | {"data": data, "y": y, "items": items, "session": session}, by="a scene")
            performance = Performance(scene if isinstance(scene, Scene) else load_scene(scene))
            start = asdict(performance.settings)
            session, place = new_session(performance.dataset, None, None, autosave, start), autosave
        elif session is None:
            session, place = new_session(data, y, items, autosave, settings), autosave
        else:
            refuse(settings | {"data": data, "y": y, "items": items})
            place = session.file.path
        self._iteration: int | None = None  # the EM iteration shown, None for the final model
        self._n_answers = 0
        self._shown: Trace | None = None  # the fit whose changes were shown
        self._explained = -1  # the point that the tab Why is about
        self._seen: View | None = None  # the plane on the screen, None for that of the data
        self._shelf = Shelf(place, any_data=data is None)
        self._loading = Loading(self._attach)
        self._detach: Callable[[], None] = lambda: None

        self._own = OwnData(lambda action: self.act(action, ""), self._browse)
        self._features = FeatureMenu(lambda action: self.act(action, ""))
        self._sorting = Sorting(lambda action: self.act(action, ""))
        self._keeping = Keeping(self._load)
        self._proposals = Proposals()
        self._prepare(hide, view)
        self._cell = this_cell()
        self.scenes = Scenes(self)
        self._class = ClassView(self)
        self._attach(session)
        for name, annotator in (annotators or {}).items():
            self.register(name, annotator)
        if performance is not None:
            with self._one_message():
                self.scenes.begin(performance)
        super().__init__()

    @classmethod
    def load(cls, path: str | PathLike[str], *, hide: Sequence[str] = ()) -> Self:
        """Continue the session in a file; further answers go there too."""
        return cls(session=Session.load(path, background=event_loop()), hide=hide)

    @classmethod
    def from_address(cls, query: str, *, autosave: str | PathLike[str] | None = ".") -> Self:
        """Open what the query of an address asks for, as ``data=moons&epsilon=0``; what is wrong in it is reported."""
        data, hide, view, settings, problems, file, scene, answers = read_address(query)
        if scene is None and data is None and not (settings or problems):
            scene = next(iter(playable_scenes()))  # the first thing that a visitor sees
        elif scene is not None and (data is not None or settings):
            scene = None
            problems += ("a scene has its own data and settings: give either a scene or these, got both",)
        try:
            if file is not None and Path(file).exists():
                explorer = cls(session=Session.load(file, background=event_loop()), hide=hide, view=view)
            else:
                explorer = cls(data, hide=hide, view=view, autosave=autosave, scene=scene, **settings)
        except SessionError as error:  # a file that can't be used, or values that are possible, but not together
            problems += (str(error),)
            explorer = cls(hide=hide, view=view, autosave=autosave)
        if answers and not explorer.session.log and scene is None:
            try:
                explorer.session.add([points for points, _ in answers], [said for _, said in answers])
            except SessionError as error:
                problems += (str(error),)
        if problems:
            text, buttons = (explorer.notice.get(part, default) for part, default in (("text", ""), ("buttons", [])))
            explorer.tell(f"The address of this page: {'; '.join(problems)}. {text}".strip(), "error", buttons)
        return explorer

    @classmethod
    def for_class(
        cls, data: Any = "emoji", *, file: str | PathLike[str], autosave: str | PathLike[str] | None = ".", **door: Any
    ) -> Self:
        """Open the lecture view with a class whose file this is; one that exists is continued with its session.

        `door` are the `host`, the `port` and the `names` of :meth:`open_class`.
        """
        known = session_of(Path(file))
        explorer = cls(data, autosave=autosave) if known is None else cls.load(known)
        try:
            explorer.open_class(file, **door)
        except (OSError, ValueError) as error:
            explorer.tell(f"The class cannot be opened: {error}", "error")
        return explorer

    def open_class(
        self,
        file: str | PathLike[str] | None = None,
        *,
        host: str = "127.0.0.1",
        port: int | None = None,
        names: Sequence[str] = (),
    ) -> Classroom:
        """Let a class answer on phones, as the button *Class* does.

        Parameters
        ----------
        file : path, optional
            The class's file, continued when it exists; by default beside the session's.
        host : str, default="127.0.0.1"
            Address to listen on. By default only browsers on this machine join. "0.0.0.0" lets in every device that
            reaches this machine, unencrypted; it needs the code of the class.
        port : int, optional
            By default the first free one from 8900 on.
        names : sequence of str, default=()
            Names of a proxy with TLS in front.

        Returns
        -------
        Classroom
            The class. Everything that its buttons do can be done there in code.
        """
        with self._one_message():
            return self._class.open(file, host=host, port=port, names=tuple(names))

    def put_question(self, rows: Sequence[int]) -> None:
        """Show a question that phones answer; without rows none."""
        if rows:
            self._card.put(self.session, rows, suggested=True)
        else:
            self._card.begin()

    def __repr__(self) -> str:
        session = self.session
        N, K, answers = len(session.dataset.X), session.settings.n_clusters, count(session.state.n_answers, "answer")
        return f"Explorer({session.dataset.name}: {N} points, {K} clusters, {answers})"

    # What the person does -------------------------------------------------------------------------------------------

    def _perform(self, session: Session, message: dict[str, Any]) -> str | None:
        match message["do"]:
            case "undo" if session.history.undo_label is None and self.back_label:
                return self.go_back()
            case "flip" | "delete" | "plant" | "apart":
                change_answers(session, message)
            case "people":
                self.people = {**pack_people(session, self.scene["version"])}
            case "replay":
                final = len(session.model.trace.objective) - 1
                self._iteration = message["iteration"] if message["iteration"] < final else None
                self._send_scene()
                if "why" in message:
                    self._explain(message | {"view": "point", "point": message["why"]})
            case "why":
                self._explain(message)
            case "sweep":
                self._sweep.start()
            case "cancel":
                self._sweep.cancel()
            case "epsilon":
                session.set(epsilon=message["value"])
            case "cluster":
                self.show(map="probability", cluster=message["cluster"])
            case "panels":
                version = self.scene["version"]
                truth = "truth" not in self.hidden
                self.panels = {**pack_panels(session, self._fit, self._iteration, version, truth=truth)}
            case "gallery":
                self._send_gallery()
            case "propose":
                clusters, rows = message["clusters"], message["rows"]
                self.send({"proposal": self._proposals.propose(session, message["gesture"], clusters, rows)})
            case "confirm":
                return self._proposals.confirm(session, message["number"], change_k=message["clusters"])
            case "name":
                session.name_cluster(message["cluster"], message["name"])
            case "export":
                return self._export(session, message["kind"])
            case "class":
                return self._class.go(message)
            case "browse":
                self._browse(message["folder"])
            case "resume" if self._shelf.offered:
                self._load(self._shelf.offered[0].path)
            case _:
                return super()._perform(session, message)
        return None

    def _send_gallery(self) -> None:
        clusters = pack_gallery(self._fit, truth=self._view["truth"])
        order, groups = pack_order(self._fit), pack_groups(self.session)
        self.gallery = {"clusters": clusters, "order": order, "groups": groups, "version": self.scene["version"]}

    def _explain(self, message: dict[str, Any]) -> None:
        session, view = self.session, message["view"]
        self._explained = message.get("point", self._explained)
        numbers = pack_point(session, message["point"], self._iteration) if view == "point" else pack_errors(session)
        self.why = {**numbers, "view": view, "key": message["key"]}

    def _browse(self, folder: str = "") -> None:
        self.send({"listing": list_folder(folder)})

    def _send_sweep(self) -> None:
        self.sweep = {**pack_sweep(self._sweep)}

    def _load(self, path: str | PathLike[str]) -> str:
        return self._loading.load(path, self.session)

    @property
    def back_label(self) -> str | None:
        """What :meth:`go_back` takes back; None when no file was loaded."""
        return self._loading.label

    def go_back(self) -> str:
        """Go back to the session before the last file was loaded."""
        return self._loading.go_back()

    def _export(self, session: Session, kind: str) -> str | None:
        if kind == "code":
            files: dict[str, str] = {}
            program = session.export.to_code(files)
            self.send({"show": {"title": "This model as a Python program", "text": program}})
            if not files:
                return None
            files["fit.py"] = program
            written = session.export.write("code", {name: text.encode() for name, text in files.items()})
            return f"The program reads {' and '.join(sorted(files)[:-1])}: all written to {written}"
        if kind == "link":
            query = write_address(session, self.hidden, self.view)
            left = session.state.n_answers and not carries_answers(session)
            title = "A link to these data and settings" + ("" if left else " and answers") * bool(session.log)
            self.send({"show": {"title": title, "query": query}})
            return "The link has no room for all the answers: Film of the answers carries them." if left else None
        if kind == "scene":
            view = ShownView(map=self._view["map"], truth=self._view["truth"])
            return f"Written to {save_scene(session, pair=self.pair, view=view)}"
        progress, rows = Written(self), self._card.selected
        return f"Written to {write_export(session, kind, self._pictures, progress, rows, self._seen)}"

    def _pictures(self) -> dict[str, Figure]:
        """Draw the picture and all panels."""
        panels = [panel for panel in PANELS if panel != "quality" or self.session.model.quality]
        shown = {panel: self._figure(panel) for panel in panels}
        return shown | figures(self.session, self._sweep, self._explained, self._iteration)

    def _figure(self, panel: str, *, items: bool = True) -> Figure:
        """Draw the picture or a panel as it is on the screen; without `items` at once, however large they are."""
        view = self._view
        return self.session.figure(
            panel,
            iteration=self._iteration,
            surface=None if view["map"] == "none" else view["map"],
            cluster=min(view["cluster"], self._fit.n_clusters - 1),
            answers=view["links"],
            truth=view["truth"],
            plane=self._seen,
            items=items and view["items"],
        )

    def _picture(self) -> tuple[Figure, float, str]:
        if self._compare is not None and self.second:
            return self._compare._picture()
        return self._figure("canvas", items=False), 100, f"The Explorer: {in_words(self.session)}"

    # Following the session --------------------------------------------------------------------------------------------

    def _attach(self, session: Session) -> None:
        self._detach()
        self.answering.stop()
        self.session = session
        self._sweep = sweep_epsilon(session, self._send_sweep)
        self._detach = session.observe(self._on_event)
        self._fits.watch(session)
        with self._one_message():
            self._n_answers = 0
            self._send_sweep()
            self._changed |= ~Change(0)
        for attach in self._followers:
            attach(session)

    def _refresh(self) -> None:
        session = self.session
        changed, self._changed = self._changed, Change(0)
        if changed == Change.ADVICE:  # the picture stays
            tell_better(self.tell, changed, session)
            if self.gallery:
                self._send_gallery()
            return
        with self.hold_sync():
            if Change.DATA in changed:
                self.points = {**pack_points(session)}
                self._card.begin()
                self._explained, self._seen, self._window, self._view["plane"] = -1, None, None, "pca"
                text, buttons = self._shelf.look(session, self._n_answers)
                self._keeping.saved, self._keeping.chosen = self._shelf.others, 0
                if text:
                    self.tell(text, buttons=buttons)
            tell_better(self.tell, changed, session)
            tell_trouble(self.tell, changed, session)
            self._n_answers = session.state.n_answers
            self._iteration = None
            self.busy = session.model.busy
            self._send_scene()

    def _go_on(self) -> None:
        if self._class.is_open:  # questions are for phones
            self.session.search.look()
        else:
            super()._go_on()

    def _groups(self) -> dict[str, Iterable[Control]]:
        top = self._top(teach=True)
        if not {"compare", "model"} & set(self.hidden):
            about = "Two models side by side, with these data and answers, for example soft and hard"
            compare = Control("compare", "button", "", "Compare", about, do=lambda *_: self.compare())
            top["view"] = [*top["view"], compare]
        if "people" not in self.hidden:
            top["view"] = [*top["view"], self._class.control()]
        if "model" not in self.hidden:  # in a lecture there are no tabs
            top["top"] = [*top["top"], hardness(self.session, self._soft)]
        exports = export_buttons(self._export, OF_A_PAGE if is_page() else OF_ONE)
        return {
            **top,
            "data": data_controls(self.session, self._own, self._features),
            "model": model_controls(self.session, self._soft),
            "ask": self._asking.controls(self.session),
            "clusters": self._sorting.controls(self.session),
            "session": self._keeping.controls(self.session, exports),
        }

    @property
    def _fit(self) -> Fit:
        return self.session.fit if self._iteration is None else self.session.model.trace.replay(self._iteration)

    def _story(self, points: FloatArray | None) -> str:
        """Say what the last change did; in a lesson, first what the truth says of the last answer."""
        session = self.session
        y, taught = session.dataset.y, ""
        if self._view["teach"] and y is not None and session.log and session.log[-1].by not in list_oracles():
            taught = lesson(session.log[-1].answer, session.log[-1].points, y)
        return " ".join(filter(None, [taught, session.model.story_in(points)]))

    def _send_scene(self) -> None:
        session, iteration = self.session, self._iteration
        began = time.perf_counter()
        # The data's own plane needs no words; another one stays as near to the last as it can.
        plane = self._view["plane"]
        self._seen = None if plane == "pca" else self._fit.view(plane, last=self._seen)
        picture = self._pack_picture(session, self._fit, self._seen)
        self._version += 1
        self.options = dict(self._view)
        self._send_answers()
        if self.sweep.get("current") != self._sweep.current:
            self._send_sweep()
        spent = session.model.timings | {"save": 1000 * session.file.seconds}
        spent |= {"scene": 1000 * (time.perf_counter() - began)}
        status = pack_status(session, self._version, spent, self._view["points"])
        # What the last change moved is shown once, not again whenever something else is.
        moved = np.empty(0) if session.model.trace is self._shown else session.model.moved
        self._shown = session.model.trace
        seen = self._seen or session.state.subject
        scene: ExplorerScene = {
            **picture,
            **status,
            "undo": status["undo"] or self.back_label,
            "story": self._story(seen.points if picture["regions"] is not None else None),
            "moved": packed(moved, "int32"),
            "iteration": iteration,
            "satisfied": None if iteration is None else float(session.model.trace.objective.satisfied[iteration]),
            "epsilon": session.settings.epsilon,
        }
        self.scene = {**scene}
        self._send_sharp()

    def _send_sharp(self) -> None:
        self.sharp = {**(pack_sharp([self._fit], self._view, self._window, [self._seen]) or {})}
