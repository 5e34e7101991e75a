"""The Explorer: click three points, answer, watch the clustering move."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import traitlets
from numpy.typing import ArrayLike

from dcrc_explore.browser import script
from dcrc_explore.scenes import Performance, Scene, SceneView, load_scene, playable_scenes, save_scene
from dcrc_explore.session import Change, Session, SessionError
from dcrc_explore.widgets import exports
from dcrc_explore.widgets.address import GROUPS, read_address
from dcrc_explore.widgets.classroom import ClassView, session_of
from dcrc_explore.widgets.controls import Control, Group, hardness, model_controls, view_controls
from dcrc_explore.widgets.data import (
    DataMenu,
    FeatureMenu,
    OwnData,
    data_controls,
    draw_stroke,
    drawing_controls,
    list_folder,
)
from dcrc_explore.widgets.exports import Sorting
from dcrc_explore.widgets.hosts import event_loop, is_page, new_session, refuse
from dcrc_explore.widgets.linking import Linked
from dcrc_explore.widgets.naming import Naming
from dcrc_explore.widgets.one import OneModel
from dcrc_explore.widgets.protocol.sent import CompareScene, ExplorerScene
from dcrc_explore.widgets.reports import report_better, report_second, report_trouble
from dcrc_explore.widgets.saved import Keeping, Loading, SessionFolder
from dcrc_explore.widgets.scene import pack_points, pack_status
from dcrc_explore.widgets.scenes import Scenes
from dcrc_explore.widgets.tabs import (
    Proposals,
    change_answers,
)
from dcrc_explore.widgets.two import TwoModels
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
    models : {1, 2}, default=1
        How many models stand side by side. A person changes it with the button *Compare*.
    second : mapping, optional
        Settings in which the second of two models differs; by default hard answers, or soft where the first's are hard.
    draw : bool, default=False
        Open with a brush, to draw points by hand: on `data`, or on an empty plane.
    beside : Explorer, optional
        Another Explorer, whose sessions and annotators this one shares.
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
    points : DataFrame or ndarray
        The points on the plane, as a trait that can be observed: a frame with the true classes where pandas is.

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
    methods = traitlets.Dict().tag(sync=True)  # what other methods make of the answers, beside two models
    information = traitlets.Dict().tag(sync=True)  # sent when the browser asks: the curves of two models
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
        models: int = 1,
        second: Mapping[str, Any] | None = None,
        draw: bool = False,
        beside: Explorer | None = None,
        **settings: Any,
    ) -> None:
        if isinstance(hide, str) or not set(hide) <= set(GROUPS):
            raise ValueError(f"hide must be a sequence of {', '.join(map(repr, GROUPS))}, got {hide!r}")
        performance, self._was_empty = None, draw and data is session is scene is None
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
        self._n_answers = 0
        self._folder_of_sessions = SessionFolder(place, any_data=data is None)
        self.loading: Loading = Loading(self._attach) if beside is None else beside.loading
        self._data = DataMenu()
        self._own = OwnData(lambda action: self.act(action, ""), self._browse)
        self._features = FeatureMenu(lambda action: self.act(action, ""))
        self._sorting = Sorting(lambda action: self.act(action, ""))
        self._keeping = Keeping(self._load)
        self._proposals = Proposals()
        self._prepare(hide, view)
        self._naming = Naming(lambda action: self.act(action, ""), self.answering, lambda *new: self._one.suggest(*new))
        self.scenes = Scenes(self)
        self._class = ClassView(self)
        if beside is not None:
            self.answering.registered = beside.answering.registered
            beside.follow_with(self._attach)
        if models not in (1, 2):
            raise ValueError(f"models must be 1 or 2, got {models!r}")
        self._second = second
        self._attach(session, two=models == 2)
        for name, annotator in (annotators or {}).items():
            self.register(name, annotator)
        if performance is not None:
            with self._one_message():
                self.scenes.begin(performance)
        if draw:
            self._draw_on(self.session, "on")
        super().__init__()

    @classmethod
    def load(cls, path: str | PathLike[str], *, hide: Sequence[str] = ()) -> Self:
        """Continue the session in a file; further answers go there too."""
        return cls(session=Session.load(path, background=event_loop()), hide=hide)

    @classmethod
    def from_address(cls, query: str, *, autosave: str | PathLike[str] | None = ".") -> Self:
        """Open what the query of an address asks for, as ``data=moons&epsilon=0``; what is wrong in it is reported."""
        data, hide, view, settings, problems, file, scene, answers, shown = read_address(query)
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
                explorer.session.add([points for points, _ in answers], [answer for _, answer in answers])
            except SessionError as error:
                problems += (str(error),)
        if shown:
            explorer.show(**{name: value for name, value in shown.items() if name not in hide})
        if problems:
            text, buttons = (explorer.notice.get(part, default) for part, default in (("text", ""), ("buttons", [])))
            explorer.notify(f"The address of this page: {'; '.join(problems)}. {text}".strip(), "error", buttons)
        return explorer

    @classmethod
    def for_class(
        cls, data: Any = "emoji", *, file: str | PathLike[str], autosave: str | PathLike[str] | None = ".", **door: Any
    ) -> Self:
        """Open the lecture view with a class whose file this is; one that exists is continued with its session.

        `door` are the `host`, the `port`, the `names` and the `language` of :meth:`open_class`.
        """
        known = session_of(Path(file))
        explorer = cls(data, autosave=autosave) if known is None else cls.load(known)
        try:
            explorer.open_class(file, **door)
        except (OSError, ValueError) as error:
            explorer.notify(f"The class cannot be opened: {error}", "error")
        return explorer

    def open_class(
        self,
        file: str | PathLike[str] | None = None,
        *,
        host: str = "127.0.0.1",
        port: int | None = None,
        names: Sequence[str] = (),
        language: str = "",
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
        language : str, default=""
            What phones say, such as "de"; by default each phone's browser decides.

        Returns
        -------
        Classroom
            The class. Everything that its buttons do can be done there in code.
        """
        with self._one_message():
            return self._class.open(file, host=host, port=port, names=tuple(names), language=language)

    def put_question(self, rows: Sequence[int]) -> None:
        """Show a question that phones answer; without rows none."""
        if rows:
            self._card.put(self.session, rows, suggested=True)
        else:
            self._card.begin()

    def __repr__(self) -> str:
        session = self.session
        N, K, answers = len(session.dataset.X), session.settings.n_clusters, count(session.state.n_answers, "answer")
        if self._two is not None:
            return f"{type(self).__name__}({session.dataset.name}, {answers}; {self._two.differences})"
        return f"{type(self).__name__}({session.dataset.name}: {N} points, {K} clusters, {answers})"

    # What the person does -------------------------------------------------------------------------------------------

    def _perform(self, session: Session, message: dict[str, Any]) -> str | None:
        two, history = self._two, session.history
        undoable = history.undo_label if two is None else two.pair.undo_label
        if message["do"] == "undo" and undoable is None and self.loading.label:
            return self.loading.go_back(session)
        if message["do"] == "undo" and self.draw == "cleared":
            self._draw_on(session, "on")
            return None
        if self._screen.perform(message):
            return None
        match message["do"]:
            case "draw":
                return draw_stroke(session, message)
            case "drawing":
                self._draw_on(session, message["to"])
            case "flip" | "delete" | "plant" | "apart":
                change_answers(session, message)
            case "replay":
                self._one.replay(message, self._send_scene)
            case "epsilon":
                session.set(epsilon=message["value"])
            case "cluster":
                self.show(map="probability", cluster=message["cluster"])
            case "propose":
                clusters, rows = message["clusters"], message["rows"]
                self.send({"proposal": self._proposals.propose(session, message["gesture"], clusters, rows)})
            case "confirm":
                return self._proposals.confirm(session, message)
            case "name":
                session.name_cluster(message["cluster"], message["name"])
            case "export":
                return self._export(session, message["kind"])
            case "class":
                return self._class.go(message)
            case "browse":
                self._browse(message["folder"])
            case "resume" if self._folder_of_sessions.offered:
                self._load(self._folder_of_sessions.offered[0].path)
            case _:
                return super()._perform(session, message)
        return None

    def _browse(self, folder: str = "") -> None:
        self.send({"listing": list_folder(folder)})

    def _load(self, path: str | PathLike[str]) -> str:
        return self.loading.load(path, self.session)

    def export(self, kind: str) -> None:
        """Write something beside the notebook, or show it, as the button of that name does.

        Pictures ("png", "svg") and a "page"; of one model also a "replay", the answers ("csv"), the "clusters", a
        "link" and the "code".
        """
        self.act(lambda session: self._export(session, kind), "Writing…")

    def _export(self, session: Session, kind: str) -> str | None:
        if kind in ("code", "link"):
            made = exports.export_code(session) if kind == "code" else None
            sheet, text = made or exports.export_link(session, self.hidden, self.view, self._look.options)
            self.send({"show": sheet})
            return text
        if kind == "scene":
            view = SceneView(map=self._look.options["map"], truth=self._look.options["truth"])
            return f"Written to {save_scene(session, pair=self.pair, view=view)}"
        progress = exports.ExportProgress(self.send)
        if self._two is not None and kind in exports.OF_TWO:
            return self._two.export(kind, progress)
        return self._one.export(kind, self._card.selected, progress)

    def _picture(self) -> tuple[Figure, float, str]:
        return self._screen.picture()

    # Following the session --------------------------------------------------------------------------------------------

    def figure(self, **options: Any) -> Figure:
        """Return what is on the screen as a matplotlib figure: of the session, or of two models side by side.

        The options are those of :meth:`~dcrc_explore.session.Session.figure` and
        :meth:`~dcrc_explore.session.Pair.figure`.
        """
        return self._screen.figure(**options)

    @property
    def _screen(self) -> OneModel | TwoModels:
        return self._one if self._two is None else self._two

    def _attach(self, session: Session, *, two: bool | None = None) -> None:
        """Turn to a session, with as many models as there were, or with two."""
        self.answering.stop()
        self.session = session
        self._one = OneModel(session, self._look, self.set_trait, truth="truth" not in self.hidden)
        with self._one_message():
            self._n_answers = 0
            if two or self._two is not None:
                self._open_two(self._second if self._two is None else self._two.pair.changes)
            else:
                self._follow_one()
            self._changed |= Change.DATA
        for attach in self._followers:
            attach(session)

    def _refresh(self) -> None:
        session = self.session
        changed, self._changed = self._changed, Change(0)
        if changed == Change.ADVICE:  # the picture stays
            report_better(self.notify, changed, session)
            self._one.follow_advice()
            return
        with self.hold_sync():
            if Change.DATA in changed:
                self.data = {**pack_points(session)}
                self._card.begin()
                self._look.begin()
                if self.draw:
                    self._draw_on(session, "on")
                else:
                    text, buttons = self._folder_of_sessions.look(session, self._n_answers)
                    self._keeping.saved, self._keeping.chosen = self._folder_of_sessions.others, 0
                    if text and self.scenes.performance is None:  # a scene is read without interruption
                        self.notify(text, buttons=buttons)
            report_better(self.notify, changed, session)
            report_trouble(self.notify, changed, session)
            if self._two is not None:
                report_second(self.notify, changed, self._two.pair.second)
            self._n_answers = session.state.n_answers
            self._one.begin(new_data=Change.DATA in changed)
            self.busy = session.model.busy if self._two is None else self._two.pair.busy
            self._send_scene()

    def _go_on(self) -> None:
        # Questions are for phones, or wait until the points are drawn or the scene wants one.
        scene = self.scenes.performance
        if self._class.room is not None or self.draw or (scene is not None and not scene.asks):
            self.session.search.look()
        else:
            super()._go_on()
        self._follow_points()
        if self._two is not None:
            self._two.pair.second.search.look()

    def _groups(self) -> dict[str, Group]:
        session, known, M = self.session, self._state_of_controls(), self.session.state.n_answers
        top = {
            "top": Group(known, self._top_controls),
            "scenes": Group(
                known, lambda: [] if {"data", "model", "truth"} & set(self.hidden) else [self.scenes.control()]
            ),
            "view": Group(known, self._ways_to_look),
            "ask": Group((*known, self._asking.just_added(session)), lambda: self._asking.controls(session)),
        }
        if self._two is not None:
            two, second = self._two, self._two.pair.second
            beside = len(second.log), second.settings, second.model.hint
            return top | {
                "first": Group((*known, M), lambda: two.model_controls("first")),
                "second": Group((*known, *beside), lambda: two.model_controls("second")),
            }
        return top | {
            "data": Group(known, lambda: self._data_controls(session)),
            "model": Group((*known, M, session.state.repeats), lambda: model_controls(session, self._soft)),
            "clusters": Group(known, lambda: [*self._naming.controls(), *self._sorting.controls(session)]),
            "session": Group((*known, M == 0), self._session_controls),
        }

    def _top_controls(self) -> Iterator[Control]:
        if self._two is not None and "compare" not in self.hidden:
            about = "Back to one model; every answer given here is there"
            yield Control("back", "button", "", "← One model", about, do=lambda *_: self.explore())
        if "data" not in self.hidden:
            yield from self._data.controls(self.session)
        if "model" not in self.hidden and self._two is None:  # in a lecture there are no tabs
            yield hardness(self.session, self._soft)

    def _ways_to_look(self) -> Iterator[Control]:
        shown = {"drawn": self._look.drawn, "truth": "truth" not in self.hidden, "teach": self._two is None}
        yield from view_controls(self.session, self._look.options, self.show, **shown)
        if self._two is not None:
            yield from exports.export_buttons(self._export, exports.OF_TWO)
            return
        if not {"compare", "model"} & set(self.hidden):
            about = "Two models side by side, with these data and answers, for example soft and hard"
            yield Control("compare", "button", "", "Compare", about, do=lambda *_: self.compare())
        if "people" not in self.hidden:
            yield self._class.control()

    def _data_controls(self, session: Session) -> Iterator[Control]:
        if not self._own.is_open:
            yield from drawing_controls(session, self.draw, self._draw_on)
        yield from data_controls(session, self._own, self._features)

    def _session_controls(self) -> Iterator[Control]:
        kinds = exports.OF_A_PAGE if is_page() else exports.OF_ONE
        if not exports.not_live(self.session):
            kinds = kinds | exports.OF_THE_PLANE
        return self._keeping.controls(self.session, exports.export_buttons(self._export, kinds))

    def _send_scene(self) -> None:
        session, two, look = self.session, self._two, self._look
        began = time.perf_counter()
        look.version += 1
        status = pack_status(session, look.version, look.options["points"])
        if two is None:
            status["undo"] = status["undo"] or self.loading.label
            scene: ExplorerScene | CompareScene = self._one.scene(status)
            spent = session.model.timings
        else:
            scene = two.scene(status, self.loading.label, silent=self.scenes.performance is not None)
            timings = [each.model.timings for each in two.pair.models]
            spent = {name: sum(each[name] for each in timings) for name in timings[0]}
        self.options = dict(look.options)
        self._send_answers()
        spent |= {"save": 1000 * session.file.seconds, "scene": 1000 * (time.perf_counter() - began)}
        self.scene = {**scene, "milliseconds": spent}
        self._send_sharp()

    def _send_sharp(self) -> None:
        self.sharp = {**(self._screen.sharp() or {})}
