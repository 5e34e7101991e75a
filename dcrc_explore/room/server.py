"""The door for phones: a small web server with a thread of its own."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property
from importlib.resources import files
from threading import Thread
from typing import Any, Self

from tornado.netutil import bind_sockets
from tornado.web import Application

from dcrc_explore.palette import root_variables
from dcrc_explore.room.handlers import NothingHandler, routes
from dcrc_explore.room.limits import Rate
from dcrc_explore.room.lines import LimitedServer, Lines, Listener, raise_open_files
from dcrc_explore.room.room import Refused, Room

LOOPBACK = "127.0.0.1"
FIRST_PORT = 8900
_IDLE = 20.0  # seconds after which a connection without a request ends
_WAIT = 25.0  # seconds after which a phone that waits gets an answer although nothing has changed
_FAREWELL = 3.0  # seconds that phones have to learn that the room is closed
_PAUSE = 10.0  # seconds from one request of a phone to the next, at most


class Server:
    """Serves a room to phones, from a thread of its own; `address` is what a phone opens.

    By default only this machine gets in, on the first free port from 8900 on. `names` are others under which phones
    reach it, as behind a proxy that speaks TLS.

    Examples
    --------
    >>> import numpy as np
    >>> from dcrc_explore.room import Cards, FixedQuestions
    >>> room = Room(FixedQuestions(Cards.of_points(np.eye(3)[:, :2]), [(0, 1, 2)]), code="kiwi-42-owl")
    >>> with Server(room, port=0) as server:
    ...     server.address.endswith("/kiwi-42-owl")
    True
    """

    def __init__(self, room: Room, *, host: str = LOOPBACK, port: int | None = None, names: Iterable[str] = ()) -> None:
        self.room, self.host, self.names = room, host, tuple(name.lower() for name in names)
        self._sockets = _listen(host, port)
        self.port = self._sockets[0].getsockname()[1]
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="room")
        self._loop = asyncio.new_event_loop()
        self._thread: Thread | None = None
        self._ended: asyncio.Event
        self._changed: asyncio.Event
        self._waiting: Counter[int] = Counter()
        self._asked: dict[int, float] = {}  # when each phone last asked what to show, until it knows of the end
        self.lines = Lines(room.limits, min(room.limits.connections, raise_open_files()))
        rates = ("wrong_codes_per_address", "joins_per_address", "requests_per_address", "requests_per_person")
        self._rates = {name: Rate(getattr(room.limits, name)) for name in rates}

    @property
    def is_open(self) -> bool:
        """Whether other machines get in."""
        return self.host not in (LOOPBACK, "localhost", "::1")

    @property
    def address(self) -> str:
        """What a phone opens: the address of the room with its code."""
        return f"{self.root}/{self.room.code}"

    @property
    def root(self) -> str:
        """The address without the code."""
        if self.names:
            return f"https://{self.names[0]}"
        host = own_address() if self.host in ("0.0.0.0", "::", "") else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    def start(self) -> Self:
        """Listen."""
        self._thread = Thread(target=self._run, name="room-server", daemon=True)
        self._thread.start()
        return self

    def stop(self) -> None:
        """End; what was accepted is saved."""
        if self._thread is not None and self._thread.is_alive():
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(lambda: self._ended.set())
            self._thread.join()
        for listener in self._sockets:
            listener.close()
        self._worker.shutdown()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()

    async def _serve(self) -> None:
        self._ended, self._changed = asyncio.Event(), asyncio.Event()
        self.room.observe(self._wake)
        server = LimitedServer(
            self._application(),
            max_body_size=self.room.limits.body,
            max_header_size=8192,
            idle_connection_timeout=_IDLE,
            body_timeout=20,
        )
        server.lines = self.lines
        server.add_sockets(self._sockets)
        await self._ended.wait()
        await self._say_that_it_is_closed()
        server.stop()
        await server.close_all_connections()

    async def _say_that_it_is_closed(self) -> None:
        """Wait a little for phones that are between two requests: they would only see that nobody is there."""
        until = time.monotonic() + _FAREWELL
        while self.room.state == "closed" and time.monotonic() < until:
            if not any(asked > until - _FAREWELL - _WAIT - _PAUSE for asked in self._asked.values()):
                return
            await asyncio.sleep(0.05)

    def note_request(self, number: int) -> None:
        """Remember that a phone asks what to show."""
        self._asked[number] = time.monotonic()

    def note_reply(self, number: int) -> None:
        """Remember that a phone knows of the end, if this is the end."""
        if self.room.state == "closed":
            self._asked.pop(number, None)

    def _wake(self) -> None:
        def wake() -> None:
            self._changed.set()
            self._changed = asyncio.Event()

        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(wake)

    @cached_property
    def pages(self) -> dict[str, tuple[str, bytes]]:
        """The parts of the page by name, each with its type."""
        static = files("dcrc_explore.room") / "static"
        css = root_variables() + (static / "room.css").read_text(encoding="utf-8")
        script = "text/javascript; charset=utf-8"
        return {
            "": ("text/html; charset=utf-8", (static / "room.html").read_bytes()),
            **{f"{name}.js": (script, (static / f"{name}.js").read_bytes()) for name in ("room", "views", "words")},
            "room.css": ("text/css; charset=utf-8", css.encode()),
        }

    def _application(self) -> Application:
        return Application(
            routes(self),
            default_handler_class=NothingHandler,
            default_handler_args={"server": self},
            log_function=lambda handler: None,  # addresses carry the code
            serve_traceback=False,
        )

    def allows(self, name: str, key: str, *, cost: float = 1.0) -> bool:
        """Whether a rate allows one more; a cost of 0 only asks."""
        return self._rates[name].allows(key, time.monotonic(), cost=cost)

    async def do(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Let the room work in its own thread, one request after the other, so that a slow disk stops no other one."""
        return await self._loop.run_in_executor(self._worker, work, *arguments)

    async def wait_for_change(self, seen: int, number: int) -> None:
        """Wait until the room has another version than a phone has seen, or for some seconds."""
        changed, limits = self._changed, self.room.limits
        if self.room.version != seen:
            return
        if self._waiting[number] >= limits.waiting_per_person:
            raise Refused(429, "Too many requests wait already.")
        self._waiting[number] += 1
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), _WAIT)
        finally:
            self._waiting -= Counter([number])  # leaves out those with none


def own_address() -> str:
    """Return this machine's address in its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(ipaddress.ip_address(probe.getsockname()[0]))
        except OSError:
            return LOOPBACK


def _listen(host: str, port: int | None) -> list[socket.socket]:
    for candidate in range(FIRST_PORT, FIRST_PORT + 100) if port is None else [port]:
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            return [Listener(fileno=each.detach()) for each in bind_sockets(candidate, host or None, family=family)]
        except (OSError, OverflowError) as error:
            problem = error
    raise OSError(f"port {port or FIRST_PORT} of {host!r} cannot be used: {problem}")
