"""What the tools share: actions that report errors, one message per action, questions and answers."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast
from uuid import uuid4

import anywidget
import traitlets

from dcrc_explore.annotators import FunctionAnnotator
from dcrc_explore.browser import style
from dcrc_explore.session import Change, Event, Session, SessionError
from dcrc_explore.widgets.address import checked_view
from dcrc_explore.widgets.asking import AskControls, FunctionAnswers, QuestionCard
from dcrc_explore.widgets.controls import Control, Described, Group, describe, pack_controls
from dcrc_explore.widgets.hosts import is_page, open_door, small_png
from dcrc_explore.widgets.protocol.messages import check
from dcrc_explore.widgets.protocol.sent import Options
from dcrc_explore.widgets.reports import Fits
from dcrc_explore.widgets.scene import Look, pack_items, send_sheet
from dcrc_explore.widgets.scenes import Scenes

if TYPE_CHECKING:
    from dcrc_explore.plotting import Figure


_REMEMBERED = 1000  # requests that may come once more
# Seconds in which the thread that sends messages gets the interpreter: a thread that computes keeps it for 5 ms.
_BREATH = 0.001
# Messages after which controls look as before, unless the session says otherwise.
_ABOUT_ANSWERS = frozenset(
    ("answer", "skip", "preview", "suggest", "hello", "items", "sheet", "window", "why", "panels", "gallery", "people")
)
STYLES = (
    *(
        "theme.css",
        "parts.css",
        "controls.css",
        "panels.css",
        "inspection.css",
        "layout.css",
        "items.css",
        "people.css",
        "playing.css",
    ),
    *(
        "gallery.css",
        "compare.css",
        "zoom.css",
        "gestures.css",
        "lecture.css",
        "classroom.css",
        "columns.css",
        "draw.css",
    ),
)


class Tool(anywidget.AnyWidget):
    """A view of a session that a person acts on: one widget.

    Python sets the traits; actions come back as custom messages. Arrays travel as bytes. A message is
    ``{"do": action, "request": id, ...}``; setting `done` to that id shows the browser that the action is complete and
    that the next one may come. Until then the browser sends it again, also through the `door`, a comm target.

    Attributes
    ----------
    session : Session
        The state behind the picture. Everything that a click does can be done there in code, and the picture follows.
    """

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

    session: Session
    scenes: Scenes

    def _prepare(self, hide: Sequence[str], view: str) -> None:
        """Begin, before the browser knows of the widget: its first message has the whole state."""
        self.hidden, self.view = list(hide), checked_view(view)
        self._acting = False
        self._changed = Change(0)
        self._look = Look()
        self._requests: dict[str, bool] = {}  # those of the browser that were begun, and whether they are done
        self._touched = 0  # how often a person or a part of the tool may have changed the state of controls
        self._described: Described = {}
        self._listed: dict[str, Control] = {}
        self.answering = FunctionAnswers(lambda action: self.act(action, ""))
        self._asking = AskControls(self._choose_strategy, lambda share: self.send({"share": share}), self.answering)
        self._fits = Fits(self.send)
        self._card = QuestionCard(lambda question: self.set_trait("question", question), self._asking)
        self._followers: list[Callable[[Session], object]] = []
        self.on_msg(lambda _, message, __: self._receive(message))
        self.door = f"dcrc_explore {uuid4().hex}"
        open_door(self.door, self._receive_at_the_door)

    # What the person does ---------------------------------------------------------------------------------------------

    def act(self, action: Callable[[Session], object], doing: str = "Working…") -> None:
        """Do something with the session, and show the text that this returns; `doing` is shown meanwhile.

        Errors are shown in the interface, and the session stays as it was.
        """
        with self.session.lock:
            self._touched += 1
            try:
                self.doing = doing  # sent at once, unless this is a part of another action
                with self._one_message():
                    self._try(action, by_person=True)
                    self.doing = ""
            finally:
                self.doing = ""

    def _try(self, action: Callable[[Session], object], *, by_person: bool) -> None:
        before_this = self.notice
        try:
            text = action(self.session)
        except Exception as error:  # the traceback of a comm handler is lost; the person must see what went wrong
            # What the browser asked for by itself may be about points that are gone by now: that is no news.
            if by_person or not isinstance(error, SessionError):
                self.notify(str(error) or repr(error), "error")
            return
        if isinstance(text, str):
            self.notify(text)
        elif self.notice is before_this and (self._changed or (by_person and before_this.get("kind") == "error")):
            self.notify("")  # it was about the state before, or about something that the person has left

    def notify(self, text: str, kind: str = "", buttons: Sequence[tuple[str, str]] = ()) -> None:
        """Show a line over the picture; a button is a label and the message that it sends."""
        self.notice = {"text": text, "kind": kind, "buttons": [list(button) for button in buttons]} if text else {}

    def show(self, **view: Any) -> None:
        """Choose what is drawn: `map`, `links`, `truth`."""
        with self._one_message():
            self._look.options = cast(Options, {**self._look.options, **view})
            self._send_scene()

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
        self.act(lambda session: self._move(session, name, value), self._listed[name].doing)

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
        with self._one_message():
            self._touched += 1
            self.answering.register(self.session, name, annotator, options)

    def _move(self, session: Session, name: str, value: Any) -> str | None:
        if name not in self._listed:
            raise ValueError(f"there is no control {name!r} now")
        control = self._listed[name]
        text = control.do(session, control.checked(value))
        return text if isinstance(text, str) else None

    def _receive(self, message: dict[str, Any]) -> None:
        request = str(message.get("request", ""))
        if request in self._requests:
            if self._requests[request]:  # else it is at work still, and replies itself
                self.done = request
                self._send_everything()  # the reply was lost
            return
        self._requests[request] = False
        session, before = self.session, self.session.state
        try:
            with self._one_message():
                self._try(lambda session: self._checked(session, message), by_person=not message.get("passive"))
                self.done = request
        except BaseException as error:  # Stop in the menu, or a picture that can't be made
            what = "Stopped" if isinstance(error, KeyboardInterrupt) else f"{type(error).__name__}: {error}"
            if session.state is not before:
                self.notify(f"{what}. Your action itself was completed.", "error")
            else:
                self.notify(f"{what}. Nothing has changed.", "error")
                if message.get("do") == "answer":
                    self._card.put(session, message["triplet"], suggested=True)
            self._changed |= ~Change(0) & ~Change.DATA
            self._refresh()
            self._show_controls()
        finally:
            self._requests[request] = True
            self._requests = dict(list(self._requests.items())[-_REMEMBERED:])
            self.done = request

    def _receive_at_the_door(self, message: dict[str, Any]) -> None:
        """Take a message that did not arrive on the usual way, which leads to a page that is gone; repair that way."""
        self._send_everything()
        self._receive(message)

    def _send_everything(self) -> None:
        """Send the whole state, whatever was sent before."""
        with self.session.lock:  # else another thread's update may fall into it
            self.send_state()

    def _checked(self, session: Session, message: dict[str, Any]) -> str | None:
        check(message)
        self._touched += message["do"] not in _ABOUT_ANSWERS
        before = session.state
        text = self._perform(session, message)
        if message["do"] == "undo" and session is self.session:
            self._card.bring_back(session, before)
        return text

    def _perform(self, session: Session, message: dict[str, Any]) -> str | None:
        """Do what a message asks for, and return the message to show."""
        match message["do"]:
            case "set" | "press":
                return self._move(session, message["name"], message.get("value"))
            case "hello":  # a new page, or one that has missed something
                self._look.sent = self._look.sent[:0]
                self._send_answers()
            case "answer":
                self._card.answer(session, message["triplet"], message["answer"], message.get("by"))
            case "preview":
                self._card.put(session, message["triplet"])
            case "suggest":
                self._card.suggest(session)
            case "person":
                session.person = message["name"]
            case "points":
                self.show(points=message["points"])
                self._card.ask_about(session, message["points"])
            case "shared":
                self._asking.ask_what_others_were_asked(message["on"])
            case "auto":
                self._asking.ask_by_itself(message["on"])
            case "skip":
                self._card.skip(session, message["triplet"])
            case "undo":
                session.undo()
            case "redo":
                session.redo()
            case "follow":  # the advice
                session.set(**session.search.suggested)
            case "decide":
                self._card.decide(session)
            case "dismiss":
                self.notify("")
            case "scene":
                self.scenes.go(message["to"])
            case "stop":
                return self._fits.stop()
            case "window":
                self._look.window = message["window"] if message["window"] != [0, 1, 0, 1] else None
                self._send_sharp()
            case "select":
                self._card.select(session, message["rows"])
            case "items":
                items, data = pack_items(session.dataset, message["rows"], detail=message["detail"])
                self.send({"items": items, "key": message["key"], "detail": message["detail"]}, data)
            case "sheet":
                send_sheet(
                    session, message["rows"], message["key"], lambda sheet, data: self.send({"sheet": sheet}, data)
                )
            case other:
                raise ValueError(f"this tool cannot do {other!r}")
        return None

    def _send_answers(self) -> None:
        """Send the answers that the browser does not have."""
        self.given = {**self._look.answers(self.session)}

    def _choose_strategy(self, strategy: str) -> None:
        self.show(auto=bool(strategy))
        if strategy:
            self.act(self._card.suggest, "")

    # Other sessions -------------------------------------------------------------------------------------------------

    def follow_with(self, attach: Callable[[Session], object]) -> None:
        """Call `attach` with every other session that this tool turns to, as after a file was loaded."""
        self._followers.append(attach)

    # Following the session --------------------------------------------------------------------------------------------

    def _on_event(self, event: Event) -> None:
        self._changed |= event.changed
        if not self._acting:
            with self._one_message():
                pass

    @contextmanager
    def _one_message(self) -> Iterator[None]:
        """Send everything that an action changes in the picture as one message, at its end; a question may follow."""
        with self.session.lock:  # a cell may act on the session in another thread at the same time
            if self._acting:
                yield
                return
            self._acting = True
            try:
                with self.hold_sync():
                    yield
                    if self._changed:
                        self._refresh()
                    self._show_controls()
                self._go_on()
            finally:
                self._acting = False

    def _go_on(self) -> None:
        """Do what may wait until the picture is sent."""
        time.sleep(_BREATH)
        self._card.go_on(self.session)
        if not self.answering.is_running:  # its answers come in one step
            self.session.search.look()

    def _show_controls(self) -> None:
        """Let the controls show what is the case. A group is described again when what it depends on has changed."""
        if self.scenes.performance is not None:
            self.scenes.show()
        described = describe(self._groups(), self._described)
        if described == self._described:
            return
        self._described = described
        self._listed = {control.name: control for _, controls in described.values() for control in controls}
        self.controls = pack_controls(described)
        self.values = {name: control.value for name, control in self._listed.items()}

    def _groups(self) -> dict[str, Group]:
        """Return the groups of controls: those above the picture, and those of each tab."""
        raise NotImplementedError

    def _state_of_controls(self) -> tuple[Hashable, ...]:
        """Return what every group depends on: nothing that an answer alone would change."""
        session, state, file = self.session, self.session.state, self.session.file
        own = self._touched, self._look.drawn, *self._look.options.values(), *self.hidden, self.draw
        saved = file.path, file.error, file.is_active
        return (*own, *saved, state.subject, state.settings, state.names, len(session.log.names), session.model.hint)

    def _refresh(self) -> None:
        raise NotImplementedError

    def _send_scene(self) -> None:
        raise NotImplementedError

    def _send_sharp(self) -> None:
        raise NotImplementedError

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the view and, for where no kernel runs, a picture of now; a page without code is never saved."""
        shown, about = super()._repr_mimebundle_(**kwargs) or ({}, {})
        if not is_page():
            try:
                figure, dpi, words = self._picture()
                shown |= {"image/png": small_png(figure, dpi)}
                about |= {"image/png": {"alt": words}}
            except Exception as error:  # the tool itself must open
                warnings.warn(f"no picture of the tool can be saved: {error!r}", RuntimeWarning, stacklevel=2)
        return shown, about

    def _picture(self) -> tuple[Figure, float, str]:
        """Return what the tool shows now, dots per inch, and what is to be seen, in words."""
        raise NotImplementedError
