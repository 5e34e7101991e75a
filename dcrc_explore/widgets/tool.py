"""What the tools share: actions that tell what goes wrong, one message per action, questions and answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets as ipw
import traitlets

from dcrc_explore.session import Change, Event, Session
from dcrc_explore.widgets.groups import AskControls

_STATIC = Path(__file__).parent / "static"


def static(*names: str) -> str:
    """Join files of the browser's half into one text; there is no bundler."""
    return "\n".join((_STATIC / name).read_text(encoding="utf-8") for name in names)


class BaseStage(anywidget.AnyWidget):
    """What the browser draws. Python sets the traits; actions come back as custom messages.

    Arrays travel as bytes. A message is ``{"do": action, "request": number, ...}``; setting `done` to that number
    tells the browser that the action is complete and that the next one may come.
    """

    points = traitlets.Dict().tag(sync=True)  # once per data set
    scene = traitlets.Dict().tag(sync=True)  # once per refresh: labels, map, answers, status
    question = traitlets.Dict().tag(sync=True)
    options = traitlets.Dict().tag(sync=True)  # which map, which answers, truth or not
    notice = traitlets.Dict().tag(sync=True)
    busy = traitlets.Bool(False).tag(sync=True)
    done = traitlets.Int(0).tag(sync=True)

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class Tool(ipw.VBox):
    """A view of a session that a person acts on.

    Attributes
    ----------
    session : Session
        The state behind the picture. Everything that a click does can be done there in code, and the picture follows.
    """

    session: Session
    stage: BaseStage
    ask: AskControls

    def __init__(self, children: Sequence[ipw.Widget], classes: tuple[str, ...]) -> None:
        self._acting = False
        self._changed = Change(0)
        self._view = {"map": "entropy", "cluster": 0, "links": "last + violated", "truth": False, "auto": False}
        self._version = 0
        super().__init__([ipw.Box(children, _dom_classes=("dcrc-grid",))], _dom_classes=classes)
        self.stage.on_msg(self._receive)

    # What the person does ---------------------------------------------------------------------------------------------

    def act(self, action: Callable[[Session], object]) -> None:
        """Do something with the session; what goes wrong is told in the interface, and the session stays as it was."""
        with self._one_message():
            told = self.stage.notice
            try:
                action(self.session)
            except Exception as error:  # the traceback of a comm handler is lost; the person must see what went wrong
                self.tell(str(error) or repr(error), "error")
                self._changed |= Change.SETTINGS  # controls go back to what is the case
            else:
                if self._changed and self.stage.notice is told:
                    self.tell("")  # it was about the state before

    def tell(self, text: str, kind: str = "", buttons: Sequence[tuple[str, str]] = ()) -> None:
        """Show a line over the picture; a button is a label and the message that it sends."""
        self.stage.notice = (
            {"text": text, "kind": kind, "buttons": [list(button) for button in buttons]} if text else {}
        )

    def show(self, **view: Any) -> None:
        """Choose what is drawn: `map`, `links`, `truth`."""
        self._view |= view
        with self.stage.hold_sync():
            self._send_scene()

    def _receive(self, _: object, message: dict[str, Any], __: object) -> None:
        with self._one_message():
            self.act(lambda session: self._perform(session, message))
            self.stage.done = message["request"]

    def _perform(self, session: Session, message: dict[str, Any]) -> None:
        match message["do"]:
            case "answer":
                self.stage.question = {}
                session.answer(message["triplet"], message["answer"])
            case "preview":
                self._ask(message["triplet"], suggested=False)
            case "suggest":
                self._ask(session.suggest(self.ask.strategy.value or "informative"), suggested=True)
            case "skip":
                self.stage.question = {}
                session.skip(message["triplet"])
            case "undo":
                session.undo()
            case "redo":
                session.redo()
            case "dismiss":
                self.tell("")

    def _ask(self, triplet: Sequence[int], *, suggested: bool) -> None:
        expected = self.session.expected(triplet)
        self._version += 1
        self.stage.question = {
            "triplet": [int(i) for i in triplet],
            "probabilities": [expected.yes, expected.no, expected.dnk],
            "worth": expected.bits,
            "suggested": suggested,
            "version": self._version,
        }

    def _choose_strategy(self, strategy: str) -> None:
        self.show(auto=bool(strategy))
        if strategy:
            self.act(lambda session: self._ask(session.suggest(strategy), suggested=True))

    # Following the session --------------------------------------------------------------------------------------------

    def _on_event(self, event: Event) -> None:
        self._changed |= event.changed
        if not self._acting:
            self._refresh()

    @contextmanager
    def _one_message(self) -> Iterator[None]:
        """Send everything that an action changes in the picture as one message, at its end."""
        if self._acting:
            yield
            return
        self._acting = True
        try:
            with self.stage.hold_sync():
                yield
                if self._changed:
                    self._refresh()
        finally:
            self._acting = False

    def _refresh(self) -> None:
        raise NotImplementedError

    def _send_scene(self) -> None:
        raise NotImplementedError


def count(n_answers: int) -> str:
    """Write a number of answers.

    Examples
    --------
    >>> count(1), count(2)
    ('1 answer', '2 answers')
    """
    return f"{n_answers} answer{'' if n_answers == 1 else 's'}"


def event_loop() -> Callable[[Callable[[], None]], object] | None:
    """Where a long fit hands its result over: the kernel's event loop, when there is one."""
    try:
        return asyncio.get_running_loop().call_soon_threadsafe
    except RuntimeError:
        return None
