"""The Explorer: click three points, answer, watch the clustering move."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import anywidget
import traitlets
from numpy.typing import ArrayLike

from dcrc_explore.annotators import FunctionAnnotator
from dcrc_explore.browser import script, style
from dcrc_explore.constraints import Log
from dcrc_explore.scenes import Performance, Scene, load_scene
from dcrc_explore.session import Change, Pair, Session
from dcrc_explore.settings import find
from dcrc_explore.widgets import files
from dcrc_explore.widgets.actions import LINKED, Actions, Browser, Links, Messages
from dcrc_explore.widgets.address import GROUPS, checked_view, open_address
from dcrc_explore.widgets.asking import AskControls, FunctionAnswers, QuestionCard
from dcrc_explore.widgets.classroom import ClassView, session_of
from dcrc_explore.widgets.controls import Board
from dcrc_explore.widgets.data import MODES, ByHand, list_folder
from dcrc_explore.widgets.groups import Groups
from dcrc_explore.widgets.hosts import STYLES, event_loop, is_page, new_session, refuse, small_png
from dcrc_explore.widgets.models import Screen
from dcrc_explore.widgets.protocol import Verb, Verbs
from dcrc_explore.widgets.scene import Look, pack_points, send_items, send_sheet
from dcrc_explore.widgets.scenes import Scenes
from dcrc_explore.widgets.tabs import IN_TABS, Proposals
from dcrc_explore.words import count

if TYPE_CHECKING:
    from dcrc_explore.plotting import Figure
    from dcrc_explore.room.classroom import Classroom


class Explorer(anywidget.AnyWidget):
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
    _css = style(*STYLES)
    _ipython_display_ = None  # with that of ipywidgets 7 a notebook would have no picture of the tool

    data = traitlets.Dict().tag(sync=True)  # points and palette, once per data set
    given = traitlets.Dict().tag(sync=True)  # the answers that are new
    scene = traitlets.Dict().tag(sync=True)  # once per refresh: labels, map, status
    sharp = traitlets.Dict().tag(sync=True)  # maps of the window that is in sight, unless that is the whole picture
    question = traitlets.Dict().tag(sync=True)
    options = traitlets.Dict().tag(sync=True)  # which map, which answers, truth or not
    controls = traitlets.Dict().tag(sync=True)  # groups of controls, and how they look
    values = traitlets.Dict().tag(sync=True)  # what each control shows
    notice = traitlets.Dict().tag(sync=True)
    playing = traitlets.Dict().tag(sync=True)  # the card of a scene that leads through the tool, while there is one
    busy = traitlets.Bool(False).tag(sync=True)
    doing = traitlets.Unicode("").tag(sync=True)  # what code has begun, as long as that lasts
    done = traitlets.Unicode("").tag(sync=True)
    door = traitlets.Unicode("").tag(sync=True)
    view = traitlets.Unicode("whole").tag(sync=True)  # or "lecture"; a person changes it in the browser
    hidden: traitlets.List[str] = traitlets.List().tag(sync=True)  # groups of controls that a teacher leaves out
    why = traitlets.Dict().tag(sync=True)  # sent when the browser asks: a point explained, or answers disbelieved
    panels = traitlets.Dict().tag(sync=True)  # sent when the browser asks, after the picture
    gallery = traitlets.Dict().tag(sync=True)  # sent when the browser asks: what is in each cluster
    people = traitlets.Dict().tag(sync=True)  # sent when the browser asks: how each person errs, and how they agree
    sweep = traitlets.Dict().tag(sync=True)
    methods = traitlets.Dict().tag(sync=True)  # what other methods make of the answers, beside two models
    information = traitlets.Dict().tag(sync=True)  # sent when the browser asks: the curves of two models
    classroom = traitlets.Dict().tag(sync=True)  # a class with phones, while it is open

    epsilon = traitlets.Float(find("epsilon").default).tag(sync=True)
    tau = traitlets.Float(find("tau").default).tag(sync=True)
    lam = traitlets.Float(find("lam").default).tag(sync=True)
    balance = traitlets.Bool(find("balance").default).tag(sync=True)
    n_clusters = traitlets.Int(find("n_clusters").default).tag(sync=True)
    soft = traitlets.Bool(True).tag(sync=True)  # whether epsilon is more than 0
    selection: traitlets.List[int] = traitlets.List(traitlets.Int()).tag(sync=True)  # rows; none are all
    answers = traitlets.Int(0, read_only=True).tag(sync=True)  # how many there are
    models = traitlets.Int(1, min=1, max=2).tag(sync=True)  # how many stand side by side
    draw = traitlets.Enum(MODES, "").tag(sync=True)  # whether points are drawn by hand, and whether the plane is empty
    points = traitlets.Any(read_only=True)  # those on the plane

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
        if models not in (1, 2):
            raise ValueError(f"models must be 1 or 2, got {models!r}")
        self.hidden, self.view = list(hide), checked_view(view)  # before the browser knows of the widget
        began_empty = draw and data is session is scene is None
        performance = None if scene is None else Performance(scene if isinstance(scene, Scene) else load_scene(scene))
        given = {"data": data, "y": y, "items": items}
        place: str | PathLike[str] | None = autosave
        if performance is not None:
            refuse(settings | given | {"session": session}, by="a scene")
            session = new_session(performance.dataset, None, None, autosave, asdict(performance.settings))
        elif session is None:
            session = new_session(data, y, items, autosave, settings)
        else:
            refuse(settings | given)
            place = session.file.path
        # The parts, each with what it needs of those before it.
        browser = self._browser = Browser(self)
        actions = self._actions = Actions(browser, self._refresh, self._show_controls, self._go_on)
        self.answering = FunctionAnswers(actions.act)
        asking = AskControls(self._choose_strategy, browser.send, self.answering)
        card = self._card = QuestionCard(browser.put, asking)
        self.loading: files.Loading = files.Loading(self._attach) if beside is None else beside.loading
        screen = self._screen = Screen(browser, actions, card, self.loading, Look(measured="truth" not in hide))
        self._by_hand = by_hand = ByHand(browser, card.begin, began_empty=began_empty)
        scenes = self.scenes = Scenes(browser, actions, card, screen, by_hand)
        self._class = ClassView(browser, actions, card)
        self._keeping = files.Keeping(place, self.loading, any_data=data is None)
        show = (scenes.leave_two, screen.compare)  # one model, or two
        does: Verbs = {"selection": card.select, "draw": by_hand.go, "models": lambda _, n: show[n - 1]()}
        links = self._links = Links(browser, actions, does)
        groups = Groups(browser, actions, screen, links, scenes, self._class, asking, by_hand, self._keeping)
        self._board = Board(groups, browser.put)
        self.observe(links.take, links.names)
        self.observe(lambda _: by_hand.follow(self.session), "draw")
        self._verbs = self._what_messages_do(browser)
        self._messages = Messages(browser, actions, self._verb, card.project)
        self.on_msg(lambda _, message, __: self._messages.receive(message))
        self._followers: list[Callable[[Session], object]] = []
        if beside is not None:
            self.answering.registered = beside.answering.registered
            beside.follow_with(self._attach)
        screen.second = second
        self._attach(session, two=models == 2)
        for name, annotator in (annotators or {}).items():
            self.register(name, annotator)
        if performance is not None:
            scenes.begin(performance)
        if draw:
            self._by_hand.go(session, "on")
        super().__init__()

    @classmethod
    def load(cls, path: str | PathLike[str], *, hide: Sequence[str] = ()) -> Self:
        """Continue the session in a file; further answers go there too."""
        return cls(session=Session.load(path, background=event_loop()), hide=hide)

    @classmethod
    def from_address(cls, query: str, *, autosave: str | PathLike[str] | None = ".") -> Self:
        """Open what the query of an address asks for, as ``data=moons&epsilon=0``; what is wrong in it is reported."""
        return open_address(cls, query, autosave)

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
        with self._actions.one_message():
            return self._class.open(file, host=host, port=port, names=tuple(names), language=language)

    def put_question(self, rows: Sequence[int]) -> None:
        """Show a question that phones answer; without rows none."""
        self._card.project(self.session, rows)

    def __repr__(self) -> str:
        session, pair = self.session, self.pair
        N, K, answers = len(session.dataset.X), session.settings.n_clusters, count(session.state.n_answers, "answer")
        about = f"{session.dataset.name}: {N} points, {K} clusters, {answers}"
        if pair is not None:
            differences = "; ".join(map(str, pair.differences)) or "same settings"
            about = f"{session.dataset.name}, {answers}; {differences}"
        return f"{type(self).__name__}({about})"

    @property
    def session(self) -> Session:
        """The session on show."""
        return self._actions.session

    @property
    def pair(self) -> Pair | None:
        """The two models that stand side by side; None while there is one."""
        return self._screen.pair

    # What a person does, and code in the place of one -----------------------------------------------------------------

    def act(self, action: Callable[[Session], object], doing: str = "Working…") -> None:
        """Do something with the session, and show the text that this returns; `doing` is shown meanwhile.

        Errors are shown in the interface, and the session stays as it was.
        """
        self._actions.act(action, doing)

    def notify(self, text: str, kind: str = "", buttons: Sequence[tuple[str, str]] = ()) -> None:
        """Show a line over the picture; a button is a label and the message that it sends."""
        self._actions.notify(text, kind, buttons)

    def show(self, **view: Any) -> None:
        """Choose what is drawn: `map`, `links`, `truth`."""
        self._screen.show(**view)

    def move(self, name: str, value: Any = None) -> None:
        """Do what a person does with a control; `controls` has their names, and a button takes no value.

        Examples
        --------
        >>> from dcrc_explore.widgets import Explorer
        >>> explorer = Explorer("moons", autosave=None)
        >>> explorer.move("kernel", "rbf")
        >>> explorer.session.settings.kernel
        'rbf'
        """
        self.act(lambda session: self._board.move(session, name, value), self._board.listed[name].doing)

    def register(self, name: str, annotator: Callable[..., Any] | FunctionAnnotator, **options: Any) -> None:
        """Offer an annotator in the menu "Answered by" of the tab Ask; nothing is called before a person asks.

        Parameters
        ----------
        name : str
            Under which the answers are recorded.
        annotator : callable or FunctionAnnotator
            Gets the items of A, B and C and answers: see :meth:`~dcrc_explore.session.Session.answer_by`.
        **options
            Of :class:`~dcrc_explore.annotators.FunctionAnnotator`, as ``max_questions=200`` or ``timeout=30``.

        Examples
        --------
        >>> from dcrc_explore.widgets import Explorer
        >>> explorer = Explorer("moons", autosave=None)
        >>> explorer.register("my model", lambda a, b, c: "yes" if abs(a - b).sum() < abs(a - c).sum() else "no")
        >>> explorer.move("oracle", "my model")
        >>> explorer.move("ask.10")
        >>> explorer.session.log.names
        ['my model']
        """
        with self._actions.one_message():
            self._actions.touched += 1
            self.answering.register(self.session, name, annotator, options)

    def compare(self, second: Mapping[str, Any] | None = None, answers: Log | None = None) -> None:
        """Show two models side by side, with these data and answers, in the place of one; `explore` comes back.

        `second` are the settings in which the second model differs; by default those that it had before.
        With `answers` it has answers of its own.
        """
        with self._actions.one_message():
            self._screen.compare(second, answers)

    def explore(self) -> None:
        """Come back from :meth:`compare`."""
        with self._actions.one_message():
            self.scenes.leave_two()

    def export(self, kind: str) -> None:
        """Write something beside the notebook, or show it, as the button of that name does.

        Pictures ("png", "svg") and a "page"; of one model also a "replay", the answers ("csv"), the "clusters", a
        "link" and the "code".
        """
        self.act(lambda session: self._screen.export(session, kind), "Writing…")

    def figure(self, **options: Any) -> Figure:
        """Return what is on the screen as a matplotlib figure: of the session, or of two models side by side.

        The options are those of :meth:`~dcrc_explore.session.Session.figure` and
        :meth:`~dcrc_explore.session.Pair.figure`.
        """
        return self._screen.shown.figure(**options)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the view and, for where no kernel runs, a picture of now; a page without code is never saved."""
        shown, about = super()._repr_mimebundle_(**kwargs) or ({}, {})
        if not is_page():
            try:
                figure, dpi, words = self._screen.shown.picture()
                shown |= {"image/png": small_png(figure, dpi)}
                about |= {"image/png": {"alt": words}}
            except Exception as error:  # the tool itself must open
                warnings.warn(f"no picture of the tool can be saved: {error!r}", RuntimeWarning, stacklevel=2)
        return shown, about

    def follow_with(self, attach: Callable[[Session], object]) -> None:
        """Call `attach` with every other session that this tool turns to, as after a file was loaded."""
        self._followers.append(attach)

    def _attach(self, session: Session, *, two: bool = False) -> None:
        """Turn to a session."""
        self.answering.stop()
        self._keeping.n_answers = 0
        self._screen.turn_to(session, two=two)
        for attach in self._followers:
            attach(session)

    def _choose_strategy(self, strategy: str) -> None:
        self.show(auto=bool(strategy))
        if strategy:
            self._actions.act(self._card.suggest)

    # Messages of the browser ------------------------------------------------------------------------------------------

    def _verb(self, name: str) -> Verb | None:
        return self._screen.shown.verbs.get(name) or self._verbs.get(name)

    def _what_messages_do(self, browser: Browser) -> Verbs:
        return {
            **self._screen.verbs,
            **self._card.verbs,
            **self._by_hand.verbs,
            **self._keeping.verbs,
            **self.scenes.verbs,
            **self._class.verbs,
            **Proposals(browser.send).verbs,
            **IN_TABS,
            "set": lambda s, m: self._board.move(s, m["name"], m["value"]),
            "press": lambda s, m: self._board.move(s, m["name"]),
            "undo": self._undo,
            "dismiss": lambda *_: self.notify(""),
            "items": lambda s, m: send_items(s.dataset, m, browser.send),
            "sheet": lambda s, m: send_sheet(s, m, browser.send),
            "export": lambda s, m: self._screen.export(s, m["kind"]),
            "browse": lambda _, m: browser.send({"listing": list_folder(m["folder"])}),
        }

    def _undo(self, session: Session, _: object) -> str | None:
        before = session.state
        if (self.pair or session.history).undo_label is None and self.loading.label:
            return self.loading.go_back(session)
        if self.draw == "cleared":
            self._by_hand.go(session, "on")
        else:
            (self.pair or session).undo()
        self._card.bring_back(session, before)
        return None

    # Following the session --------------------------------------------------------------------------------------------

    def _refresh(self, changed: Change) -> None:
        """Pack what has changed."""
        session, screen, is_new = self.session, self._screen, Change.DATA in changed
        if is_new:
            self._browser.put(data=pack_points(session))
            self._by_hand.follow(session)
            self._card.begin()
            screen.look.begin()
            if self.draw:
                self._by_hand.go(session, "on")
            else:
                text, buttons = self._keeping.look(session)
                if text and self.scenes.performance is None:  # a scene is read without interruption
                    self.notify(text, buttons=buttons)
        self._actions.report(changed, screen.shown.models)
        if changed == Change.ADVICE:  # the picture stays
            screen.one.follow_advice()
            return
        self._keeping.n_answers = session.state.n_answers
        screen.one.begin(new_data=is_new)
        screen.send()

    def _go_on(self) -> None:
        """Do what may wait until the picture is sent."""
        # Questions are for phones, or wait until the points are drawn or the scene wants one.
        scene = self.scenes.performance
        if self._class.room is None and not self.draw and (scene is None or scene.asks):
            self._card.go_on(self.session)
        if not self.answering.is_running:  # its answers come in one step
            for each in self._screen.shown.models:
                each.search.look()

    def _show_controls(self) -> None:
        """Let traits, the card of a scene and the controls show what is the case."""
        self._links.follow(self.session, self._card.selected)
        if self.scenes.performance is not None:
            self.scenes.show()
        self._board.show()

    @traitlets.default("points")
    def _make_points(self) -> Any:
        return self._by_hand.points(self.session)

    @traitlets.validate(*LINKED)
    def _check_setting(self, proposal: Any) -> Any:
        try:
            return find(proposal["trait"].name).checked(proposal["value"])
        except ValueError as error:
            raise traitlets.TraitError(str(error)) from error
