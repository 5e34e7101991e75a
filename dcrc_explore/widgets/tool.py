"""What the tools share: actions that tell what goes wrong, one message per action, questions and answers."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

import ipywidgets as ipw
import numpy as np
from comm import get_comm_manager

from dcrc_explore.plane import View
from dcrc_explore.session import Change, Event, Exploration, Fit, Session, SessionError
from dcrc_explore.widgets.address import is_page
from dcrc_explore.widgets.card import Card
from dcrc_explore.widgets.controls import Controls
from dcrc_explore.widgets.fitting import Fits
from dcrc_explore.widgets.items import pack_items
from dcrc_explore.widgets.picture import small_png
from dcrc_explore.widgets.protocol.messages import check
from dcrc_explore.widgets.protocol.sent import Options, Picture
from dcrc_explore.widgets.scene import Table, pack_answers, pack_picture
from dcrc_explore.widgets.stage import BaseStage

if TYPE_CHECKING:
    from dcrc_explore.plotting import Figure

_REMEMBERED = 1000  # requests that may come once more
# Seconds in which the thread that sends messages gets the interpreter: a thread that computes keeps it for 5 ms.
_BREATH = 0.001
# What controls show.
_SHOWN = Change.DATA | Change.SETTINGS | Change.SAVED | Change.FIT


class Tool(ipw.VBox):
    """A view of a session that a person acts on.

    Attributes
    ----------
    session : Session
        The state behind the picture. Everything that a click does can be done there in code, and the picture follows.
    window : VBox
        What is on show of this tool; another tool may stand in its place.
    """

    session: Session
    stage: BaseStage
    controls: Controls

    def __init__(self, classes: tuple[str, ...]) -> None:
        self._acting = False
        self._changed = Change(0)
        self._unfollowed = Change(0)  # what the controls do not show yet
        self._view: Options = {
            "map": "entropy",
            "cluster": 0,
            "links": "last + violated",
            "truth": False,
            "plane": "pca",
            "auto": True,
            "teach": False,
            "points": 3,
        }
        self._window: list[float] | None = None  # the part of the picture that is in sight, None for all of it
        self._version = 0
        self._sent: Table = np.empty((0, 5), dtype=np.int32)  # the answers that the browser has
        self._requests: dict[str, bool] = {}  # those of the browser that were begun, and whether they are done
        self._fits = Fits(self.stage)
        self._card = Card(self.stage, self.controls.ask)
        children = [self.controls.top, self.stage, self.controls.beside()]
        self._followers: list[Callable[[Session], object]] = []
        self.window = ipw.VBox([ipw.Box(children, _dom_classes=("dcrc-grid",))], _dom_classes=classes)
        super().__init__([self.window], _dom_classes=("dcrc-tool",))
        self.stage.on_msg(lambda _, message, __: self._receive(message))
        self.stage.door = f"dcrc_explore {self.stage.model_id}"
        get_comm_manager().register_target(self.stage.door, self._receive_at_the_door)

    # What the person does ---------------------------------------------------------------------------------------------

    def act(self, action: Callable[[Session], object], doing: str = "Working…") -> None:
        """Do something with the session, and tell the text that this returns; `doing` is said while it lasts.

        What goes wrong is told in the interface, and the session stays as it was.
        """
        with self.session.lock:
            try:
                self.stage.doing = doing  # sent at once, unless this is a part of another action
                with self._one_message():
                    self._try(action, by_person=True)
                    self.stage.doing = ""
            finally:
                self.stage.doing = ""

    def _try(self, action: Callable[[Session], object], *, by_person: bool) -> None:
        told = self.stage.notice
        try:
            text = action(self.session)
        except Exception as error:  # the traceback of a comm handler is lost; the person must see what went wrong
            self.tell(str(error) or repr(error), "error")
            self._changed |= Change.SETTINGS  # controls go back to what is the case
            return
        if isinstance(text, str):
            self.tell(text)
        elif self.stage.notice is told and (self._changed or (by_person and told.get("kind") == "error")):
            self.tell("")  # it was about the state before, or about something that the person has left

    def tell(self, text: str, kind: str = "", buttons: Sequence[tuple[str, str]] = ()) -> None:
        """Show a line over the picture; a button is a label and the message that it sends."""
        self.stage.notice = (
            {"text": text, "kind": kind, "buttons": [list(button) for button in buttons]} if text else {}
        )

    def show(self, **view: Any) -> None:
        """Choose what is drawn: `map`, `links`, `truth`."""
        with self.session.lock, self.stage.hold_sync():
            self._view = cast(Options, {**self._view, **view})
            self._send_scene()

    def _pack_picture(self, session: Exploration, fit: Fit, seen: View | None = None) -> Picture:
        """Pack a picture, and offer what can be drawn in its plane."""
        picture = pack_picture(session, fit, self._view, seen)
        drawn = picture["regions"] is not None
        if not drawn and self._view["map"] == "regions":
            self._view["map"] = "entropy"
            picture = pack_picture(session, fit, self._view, seen)
        self.controls.top.offer_maps(drawn=drawn, chosen=self._view["map"])
        return picture

    def export(self, kind: str) -> None:
        """Write something beside the notebook, or show it, as the button of that name does.

        Pictures ("png", "svg") and a "page"; in the Explorer also a "replay", the answers ("csv"), the "clusters", a
        "link" and the "code".
        """
        try:
            self.act(lambda session: self._export(session, kind), "Writing…")
        finally:
            self.stage.send({"exported": kind})  # its buttons may be pressed again

    def _export(self, session: Session, kind: str) -> str | None:
        """Write it, and return what is to be told."""
        raise NotImplementedError

    def _receive(self, message: dict[str, Any]) -> None:
        request = str(message.get("request", ""))
        if request in self._requests:
            if self._requests[request]:  # else it is at work still, and replies itself
                self.stage.done = request
                self._send_everything()  # the reply was lost
            return
        self._requests[request] = False
        session, before = self.session, self.session.state
        try:
            with self._one_message():
                self._try(lambda session: self._checked(session, message), by_person=not message.get("passive"))
                self.stage.done = request
        except BaseException as error:  # Stop in the menu, or a picture that can't be made
            what = "Stopped" if isinstance(error, KeyboardInterrupt) else f"{type(error).__name__}: {error}"
            if session.state is not before:
                self.tell(f"{what}. What you asked for was done before.", "error")
            else:
                self.tell(f"{what}. Nothing has changed.", "error")
                if message.get("do") == "answer":
                    self._card.put(session, message["triplet"], suggested=True)
            self._changed |= ~Change(0) & ~Change.DATA
            self._refresh()
            self._follow()
        finally:
            self._requests[request] = True
            self._requests = dict(list(self._requests.items())[-_REMEMBERED:])
            self.stage.done = request

    def _receive_at_the_door(self, _: object, message: dict[str, Any]) -> None:
        """Take a message that did not arrive on the usual way, which leads to a page that is gone; mend that way."""
        self._send_everything()
        self._receive(message["content"]["data"])

    def _send_everything(self) -> None:
        """Send the state of all widgets, whatever was sent before."""
        widgets: list[ipw.Widget] = [self]
        with self.session.lock:  # else another thread's update may fall between two messages
            while widgets:
                widget = widgets.pop()
                widgets += getattr(widget, "children", ())
                widget.send_state()

    def _checked(self, session: Session, message: dict[str, Any]) -> str | None:
        check(message)
        before = session.state
        text = self._perform(session, message)
        if message["do"] == "undo" and session is self.session:
            self._card.bring_back(session, before)
        return text

    def _perform(self, session: Session, message: dict[str, Any]) -> str | None:
        """Do what a message asks for, and return what is to be told."""
        match message["do"]:
            case "hello":  # a new page, or one that has missed something
                self._sent = self._sent[:0]
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
                self._card.ask_what_others_were_asked(session)
            case "auto":
                self.controls.ask.ask_by_itself(message["on"])
            case "skip":
                self._card.skip(session, message["triplet"])
            case "undo":
                session.undo()
            case "redo":
                session.redo()
            case "curves":
                session.set(**session.suggested)
            case "dismiss":
                self.tell("")
            case "stop":
                return self._fits.stop()
            case "window":
                self._window = message["window"] if message["window"] != [0, 1, 0, 1] else None
                self._send_sharp()
            case "select":
                self._card.select(session, message["rows"])
            case "items":
                items, data = pack_items(session.dataset, message["rows"], detail=message["detail"])
                self.stage.send({"items": items, "key": message["key"], "detail": message["detail"]}, data)
            case other:
                raise ValueError(f"this tool can't do {other!r}")
        return None

    def _send_answers(self) -> None:
        """Send the answers that the browser does not have."""
        sent, self._sent = pack_answers(self.session, self._sent)
        self.stage.answers = {**sent}

    def _choose_strategy(self, strategy: str) -> None:
        self.show(auto=bool(strategy))
        if strategy:
            self.act(self._card.suggest)

    # Other sessions -------------------------------------------------------------------------------------------------

    def follow_with(self, attach: Callable[[Session], object]) -> None:
        """Call `attach` with every other session that this tool goes on with, as after a file was loaded."""
        self._followers.append(attach)

    @property
    def back_label(self) -> str | None:
        """What :meth:`go_back` takes back; None when there is no session before this one."""
        return None

    def go_back(self) -> str:
        """Go back to the session before this one, and tell so."""
        raise SessionError("there is nothing to undo")

    # Following the session --------------------------------------------------------------------------------------------

    def _on_event(self, event: Event) -> None:
        self._changed |= event.changed
        if not self._acting:
            self._refresh()
            self._go_on()

    @contextmanager
    def _one_message(self) -> Iterator[None]:
        """Send everything that an action changes in the picture as one message, at its end; a question may follow."""
        with self.session.lock:  # a cell may act on the session in another thread at the same time
            if self._acting:
                yield
                return
            self._acting = True
            try:
                with self.stage.hold_sync():
                    yield
                    if self._changed:
                        self._refresh()
                self._go_on()
            finally:
                self._acting = False

    def _go_on(self) -> None:
        """Do what may wait until the picture is sent."""
        time.sleep(_BREATH)
        self._follow()
        self._card.go_on(self.session)
        self.session.look_further()

    def _follow(self) -> None:
        """Let the controls show what the picture does."""
        changed, self._unfollowed = self._unfollowed, Change(0)
        if changed & _SHOWN:
            self._show_controls()

    def _refresh(self) -> None:
        raise NotImplementedError

    def _show_controls(self) -> None:
        raise NotImplementedError

    def _send_scene(self) -> None:
        raise NotImplementedError

    def _send_sharp(self) -> None:
        raise NotImplementedError

    # Where no kernel runs ---------------------------------------------------------------------------------------------

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the view and, for where no kernel runs, a picture of now; a page without code is never kept."""
        shown, about = super()._repr_mimebundle_(**kwargs), {}
        if not is_page():
            try:
                figure, dpi, words = self._picture()
                shown["image/png"], about["image/png"] = small_png(figure, dpi), {"alt": words}
            except Exception as error:  # the tool itself must open
                warnings.warn(f"no picture of the tool can be kept: {error!r}", RuntimeWarning, stacklevel=2)
        return shown, about

    def _picture(self) -> tuple[Figure, float, str]:
        """Return what the tool shows now, dots per inch, and what is to be seen, in words."""
        raise NotImplementedError
