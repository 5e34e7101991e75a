"""What is done with the session on show, by code, by messages of the browser and by traits; what the browser sees."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import anywidget

from dcrc_explore.session import Change, Event, Exploration, Session, SessionError
from dcrc_explore.settings import find
from dcrc_explore.widgets.hosts import open_door
from dcrc_explore.widgets.protocol import Verb, Verbs, check
from dcrc_explore.words import count

LINKED = ("epsilon", "tau", "lam", "balance", "n_clusters")  # settings that are traits too
EVERYTHING = ~Change(0) & ~Change.DATA
_NOTHING = Change(0)
_REMEMBERED = 1000  # requests that may come once more
# Seconds in which the thread that sends messages gets the interpreter: a thread that computes keeps it for 5 ms.
_BREATH = 0.001
# Messages after which controls look as before, unless the session says otherwise.
_ABOUT_ANSWERS = frozenset(
    ("answer", "skip", "preview", "suggest", "hello", "items", "sheet", "window", "why", "panels", "gallery", "people")
)


class Browser:
    """What the browser sees, as the parts of an Explorer know it: traits of the widget, and messages beside them."""

    def __init__(self, widget: anywidget.AnyWidget) -> None:
        self._widget = widget
        self._putting: list[str] = []  # names of traits; threads add and remove their own

    def hold(self) -> AbstractContextManager[None]:
        """Hold traits back until the context ends."""
        held: AbstractContextManager[None] = self._widget.hold_sync()
        return held

    def send(self, content: Mapping[str, Any], buffers: list[bytes] | None = None) -> None:
        """Send a message beside the traits."""
        self._widget.send(content, buffers)

    def __getitem__(self, name: str) -> Any:
        return getattr(self._widget, name)

    def put(self, **values: object) -> None:
        """Set traits that no person has set."""
        for name, value in values.items():
            self._putting.append(name)
            try:
                self._widget.set_trait(name, value)
            finally:
                self._putting.remove(name)

    def is_put(self, name: str) -> bool:
        """Whether a trait that is being set was set by :meth:`put`."""
        return name in self._putting

    def send_everything(self, session: Session) -> None:
        """Send the whole state, whatever was sent before."""
        with session.lock:  # else another thread's update may fall into it
            self._widget.send_state()


@dataclass
class Actions:
    """What is done with the session on show: errors are shown, and all that changes goes out as one message.

    `refresh` packs what has changed, `show_controls` follows with the controls, and `go_on` does what may wait.
    """

    browser: Browser
    refresh: Callable[[Change], object]
    show_controls: Callable[[], object]
    go_on: Callable[[], object]
    session: Session = field(init=False)
    changed: Change = _NOTHING  # what the browser does not know yet
    touched: int = 0  # how often a person or a part of the tool may have changed the state of controls
    _is_acting: bool = False

    def act(self, action: Callable[[Session], object], doing: str = "") -> None:
        """Do something with the session, and show the text that this returns; `doing` is shown meanwhile."""
        with self.session.lock:
            self.touched += 1
            try:
                self.browser.put(doing=doing)  # sent at once, unless this is a part of another action
                with self.one_message():
                    self.attempt(action, by_person=True)
                    self.browser.put(doing="")
            finally:
                self.browser.put(doing="")

    def attempt(self, action: Callable[[Session], object], *, by_person: bool) -> None:
        """Do something, and show the text that this returns, or the error."""
        before_this = self.browser["notice"]
        try:
            text = action(self.session)
        except Exception as error:  # the traceback of a comm handler is lost; the person must see what went wrong
            # What the browser asked for by itself may be about points that are gone by now: that is no news.
            if by_person or not isinstance(error, SessionError):
                self.notify(str(error) or repr(error), "error")
            return
        is_old = self.browser["notice"] is before_this
        if isinstance(text, str):
            self.notify(text)
        elif is_old and (self.changed or (by_person and before_this.get("kind") == "error")):
            self.notify("")  # it was about the state before, or about something that the person has left

    @contextmanager
    def one_message(self) -> Iterator[None]:
        """Send everything that an action changes in the picture as one message, at its end; a question may follow."""
        with self.session.lock:  # a cell may act on the session in another thread at the same time
            if self._is_acting:
                yield
                return
            self._is_acting = True
            try:
                with self.browser.hold():
                    yield
                    self._update()
                time.sleep(_BREATH)
                self.go_on()
            finally:
                self._is_acting = False

    def _update(self) -> None:
        changed, self.changed = self.changed, _NOTHING
        if changed:
            self.refresh(changed)
        self.show_controls()

    def update_everything(self) -> None:
        """Pack the picture and the controls again."""
        self.changed |= EVERYTHING
        with self.browser.hold():
            self._update()

    def follow(self, event: Event) -> None:
        """Take what a session says of itself."""
        self.changed |= event.changed
        if not self._is_acting:
            with self.one_message():
                pass

    # What is said -----------------------------------------------------------------------------------------------------

    def notify(self, text: str, kind: str = "", buttons: Sequence[tuple[str, str]] = ()) -> None:
        """Show a line over the picture; a button is a label and the message that it sends."""
        notice = {"text": text, "kind": kind, "buttons": [list(button) for button in buttons]} if text else {}
        self.browser.put(notice=notice)

    def forget_news(self) -> None:
        """Show no line any more, but for an offer: that stands until it is taken."""
        if not self.browser["notice"].get("buttons"):
            self.notify("")

    def report(self, changed: Change, models: Sequence[Exploration]) -> None:
        """Report what searches have found, what a session notes about its file, and fits that failed."""
        for each, whose in zip(models, ("", " for the second model"), strict=False):
            if Change.FIT in changed and each.model.trace.found:
                better = f"Found a better grouping{whose}, by the model's own measure"
                points = count(len(each.model.moved), "point")
                self.notify(f"{better}: {points} changed cluster. Undo (Z) goes back.")
        search, file = self.session.search, self.session.file
        if Change.ADVICE in changed and search.advice:
            K = search.suggested.get("n_clusters")
            follow = [(f"Use {K} groups", "follow"), ("Ask what decides", "decide")] if K else [("Try it", "follow")]
            self.notify(search.advice, buttons=[*follow, ("Not now", "dismiss")])
        if Change.SAVED in changed and file.error:
            self.notify(file.error, "error")
        elif Change.SAVED in changed and file.note:
            self.notify(file.note)
        for each in models:
            if Change.BUSY in changed and each.model.error:
                self.notify(each.model.error, "error")


@dataclass
class Messages:
    """The messages of the browser, each done once, however often it is sent.

    A message is ``{"do": verb, "request": id, ...}``; when `done` has that id, the browser may send the next one. Until
    then it sends the same again, also through the `door`, a comm target. `put_back` asks a question again whose answer
    was not taken.
    """

    browser: Browser
    actions: Actions
    verb: Callable[[str], Verb | None]
    put_back: Callable[[Session, Sequence[int]], object]

    def __post_init__(self) -> None:
        self._requests: dict[str, bool] = {}  # those that were begun, and whether they are done
        door = f"dcrc_explore {uuid4().hex}"
        self.browser.put(door=door)
        open_door(door, self.receive_at_the_door)

    def receive(self, message: dict[str, Any]) -> None:
        """Do what a message asks for, once."""
        request, actions = str(message.get("request", "")), self.actions
        if request in self._requests:
            if self._requests[request]:  # else it is at work still, and replies itself
                self.browser.put(done=request)
                self.browser.send_everything(actions.session)  # the reply was lost
            return
        self._requests[request] = False
        session, before = actions.session, actions.session.state
        try:
            with actions.one_message():
                actions.attempt(lambda session: self._perform(session, message), by_person=not message.get("passive"))
                self.browser.put(done=request)
        except BaseException as error:  # Stop in the menu, or a picture that can't be made
            what = "Stopped" if isinstance(error, KeyboardInterrupt) else f"{type(error).__name__}: {error}"
            if session.state is not before:
                actions.notify(f"{what}. Your action itself was completed.", "error")
            else:
                actions.notify(f"{what}. Nothing has changed.", "error")
                if message.get("do") == "answer":
                    self.put_back(session, message["triplet"])
            actions.update_everything()
        finally:
            self._requests[request] = True
            self._requests = dict(list(self._requests.items())[-_REMEMBERED:])
            self.browser.put(done=request)

    def receive_at_the_door(self, message: dict[str, Any]) -> None:
        """Take a message that did not arrive on the usual way, which leads to a page that is gone; repair that way."""
        self.browser.send_everything(self.actions.session)
        self.receive(message)

    def _perform(self, session: Session, message: dict[str, Any]) -> object:
        check(message)
        self.actions.touched += message["do"] not in _ABOUT_ANSWERS
        do = self.verb(message["do"])
        if do is None:
            raise ValueError(f"this tool cannot do {message['do']!r}")
        return do(session, message)


class Links:
    """Traits that follow the session, and change it when they are set in Python or in the browser.

    Those that are no settings come with what setting them `does`.
    """

    def __init__(self, browser: Browser, actions: Actions, does: Verbs) -> None:
        self._browser, self._actions = browser, actions
        self.soft: float = find("epsilon").default  # the last epsilon that was more than 0
        self._does = {"soft": lambda session, on: session.set(epsilon=self.soft if on else 0.0), **does}
        self.names = [*LINKED, *self._does]

    def take(self, change: Any) -> None:
        """Do what it means to set a trait."""
        name, value = change["name"], change["new"]
        if self._browser.is_put(name):
            return

        def take(session: Session) -> None:
            if name in self._does:
                self._does[name](session, value)
            else:
                session.set(merge=isinstance(value, float), **{name: value})

        self._actions.act(take)

    def follow(self, session: Session, selected: Sequence[int]) -> None:
        """Let the traits have what the session has."""
        settings, put = session.settings, self._browser.put
        self.soft = settings.epsilon or self.soft
        for name in LINKED:
            if self._browser[name] != getattr(settings, name):
                put(**{name: getattr(settings, name)})
        put(soft=settings.epsilon != 0, selection=list(selected), answers=session.state.n_answers)
