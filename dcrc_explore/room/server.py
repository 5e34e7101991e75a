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
from importlib.resources import files
from threading import Thread
from typing import Any, Self

from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application

from dcrc_explore.palette import root_variables
from dcrc_explore.room.handlers import Answer, Back, Door, Item, Join, Nothing, Plane, Slash, Static, Steps
from dcrc_explore.room.limits import Rate
from dcrc_explore.room.room import Refused, Room

LOOPBACK = "127.0.0.1"
FIRST_PORT = 8900
_WAIT = 25.0  # seconds after which a phone that waits gets an answer although nothing has changed


class Server:
    """Serves a room to phones, from a thread of its own.

    Parameters
    ----------
    room : Room
    host : str, default="127.0.0.1"
        Address to listen on. By default only this machine gets in.
    port : int, optional
        By default the first free one from 8900 on.
    names : iterable of str, default=()
        Other names under which phones reach it, as behind a proxy that speaks TLS.

    Attributes
    ----------
    address : str
        What a phone opens.

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
        self._waiting: Counter[str] = Counter()
        limits = room.limits
        self._rates = {
            name: Rate(getattr(limits, name))
            for name in ("wrong_codes", "wrong_codes_per_address", "joins", "joins_per_address", "requests",
                         "requests_per_address")
        }  # fmt: skip

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
        server = HTTPServer(
            self._application(),
            max_body_size=self.room.limits.body,
            max_header_size=8192,
            idle_connection_timeout=75,
            body_timeout=20,
        )
        server.add_sockets(self._sockets)
        await self._ended.wait()
        server.stop()
        await server.close_all_connections()

    def _wake(self) -> None:
        def wake() -> None:
            self._changed.set()
            self._changed = asyncio.Event()

        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(wake)

    def _application(self) -> Application:
        room, inside = self.room, {"server": self}
        static = files("dcrc_explore.room") / "static"
        css = root_variables() + (static / "room.css").read_text(encoding="utf-8")
        pages = {
            "": ("text/html; charset=utf-8", (static / "room.html").read_bytes()),
            "views.js": ("text/javascript; charset=utf-8", (static / "views.js").read_bytes()),
            "room.js": ("text/javascript; charset=utf-8", (static / "room.js").read_bytes()),
            "room.css": ("text/css; charset=utf-8", css.encode()),
        }
        code = r"/([^/]{1,100})"
        return Application(
            [
                (r"/", Door, inside),
                (code, Slash, inside),
                (rf"{code}/(|room\.js|views\.js|room\.css)", Static, {**inside, "pages": pages}),
                (rf"{code}/join", Join, inside),
                (rf"{code}/steps", Steps, inside),
                (rf"{code}/answer", Answer, inside),
                (rf"{code}/back", Back, inside),
                (rf"{code}/plane", Plane, inside),
                (rf"{code}/item/([0-9a-f]{{20}})", Item, inside),
            ],
            default_handler_class=Nothing,
            default_handler_args=inside,
            log_function=lambda handler: None,  # addresses carry the code
            serve_traceback=False,
            room=room,
        )

    def allows(self, name: str, address: str, *, cost: float = 1.0) -> bool:
        """Whether a rate of an address, and the same rate in all, allow one more."""
        now = time.monotonic()
        return self._rates[f"{name}_per_address"].allows(address, now, cost=cost) and self._rates[name].allows(
            "", now, cost=cost
        )

    async def do(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Let the room work in its own thread, one request after the other, so that a slow disk stops no other one."""
        return await self._loop.run_in_executor(self._worker, work, *arguments)

    async def wait_for_change(self, seen: int, address: str) -> None:
        """Wait until the room has another version than a phone has seen, or for some seconds."""
        changed, limits = self._changed, self.room.limits
        if self.room.version != seen:
            return
        if self._waiting[address] >= limits.waiting_per_address or self._waiting.total() >= limits.waiting:
            raise Refused(429, "Too many requests wait already.")
        self._waiting[address] += 1
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), _WAIT)
        finally:
            self._waiting -= Counter([address])  # leaves out those with none


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
            return bind_sockets(candidate, host or None, family=socket.AF_INET6 if ":" in host else socket.AF_INET)
        except (OSError, OverflowError) as error:
            problem = error
    raise OSError(f"port {port or FIRST_PORT} of {host!r} cannot be used: {problem}")
