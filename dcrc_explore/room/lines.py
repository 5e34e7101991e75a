"""The connections of a server: how many are open, whose they are, and which ends when there are too many."""

from __future__ import annotations

import errno
import os
import socket
import sys
import time
from collections import OrderedDict
from contextlib import suppress
from logging import getLogger
from typing import Any, cast

from tornado.http1connection import HTTP1ServerConnection
from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream, StreamClosedError

from dcrc_explore.room.limits import Limits

_LOG = getLogger(__name__)
_QUIET = 30.0  # seconds between two lines of the log about the same
_BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nBusy. Try again soon.\n"
)
_RAISED = 16_384  # open files, where the system allows them
_NEEDED = 2  # connections of a phone: one waits for news, one sends answers


class Lines:
    """Open connections, by whose they are: an address outside, or a participant.

    Too many of one address or of one participant end the oldest of them. Too many outside end the oldest of these, so
    that idle connections of strangers cost nobody a place. Too many in all end the oldest of whoever has most.

    Examples
    --------
    >>> lines = Lines(Limits(connections_per_address=1), 100)
    >>> [lines.open(name, "192.0.2.7") for name in ("first", "second")]
    [[], ['first']]
    """

    def __init__(self, limits: Limits, most: int) -> None:
        self._limits, self.most = limits, most  # open in all
        self._owners: dict[Any, str | int] = {}
        self._of: dict[str | int, OrderedDict[Any, None]] = {}
        self._outside: OrderedDict[Any, None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._owners)

    @property
    def crowded(self) -> bool:
        """Whether connections should not be left open for later."""
        return len(self) > self.most // 2

    def open(self, line: Any, address: str) -> list[Any]:
        """Note a new connection; return those that must end for it, maybe this one."""
        ended = self._give(line, address, self._limits.connections_per_address)
        self._outside[line] = None
        if len(self._outside) > self._limits.connections_outside:
            ended.append(self._end_oldest(self._outside))
        if len(self) > self.most:
            crowd = max(self._of.values(), key=len)
            ended.append(self._end_oldest(crowd if len(crowd) > _NEEDED else self._outside))
        return ended

    def enter(self, line: Any, number: int) -> list[Any]:
        """Note that a connection is a participant's; return those of the same one that must end."""
        if line not in self._owners or self._owners[line] == number:
            return []
        self.close(line)
        return self._give(line, number, self._limits.connections_per_person)

    def close(self, line: Any) -> None:
        """Note that a connection has ended."""
        owner = self._owners.pop(line, None)
        self._outside.pop(line, None)
        if owner is not None:
            self._of[owner].pop(line, None)
            if not self._of[owner]:
                del self._of[owner]

    def _give(self, line: Any, owner: str | int, most: int) -> list[Any]:
        self._owners[line] = owner
        own = self._of.setdefault(owner, OrderedDict())
        own[line] = None
        return [self._end_oldest(own)] if len(own) > most else []

    def _end_oldest(self, lines: OrderedDict[Any, None]) -> Any:
        oldest = next(iter(lines))
        self.close(oldest)
        return oldest


class LimitedServer(HTTPServer):
    """An HTTP server with so many connections at most."""

    lines: Lines

    def handle_stream(self, stream: IOStream, address: tuple[Any, ...]) -> None:
        """Serve a new connection, unless there are too many."""
        ended = self.lines.open(stream, str(address[0]))
        for each in ended:
            if each is stream:
                with suppress(StreamClosedError):
                    stream.write(_BUSY)
            each.close()
        if stream not in ended:
            super().handle_stream(stream, address)

    def on_close(self, server_conn: object) -> None:
        """Note that a connection has ended."""
        super().on_close(server_conn)
        self.lines.close(cast(HTTP1ServerConnection, server_conn).stream)


class Listener(socket.socket):
    """A socket that listens also when no more files can be opened: it lets the next one go, and says so once."""

    _warned = 0.0

    def accept(self) -> tuple[socket.socket, Any]:
        """Return a new connection; BlockingIOError when there is none."""
        try:
            return super().accept()
        except OSError as error:
            if error.errno not in (errno.EMFILE, errno.ENFILE):
                raise
            if time.monotonic() - self._warned > _QUIET:
                self._warned = time.monotonic()
                _LOG.warning("Too many open files: a connection waits.")
            time.sleep(0.01)  # it is asked again at once
            raise BlockingIOError from None


def raise_open_files() -> int:
    """Let this process open more files, as far as the system allows; return how many connections may be among them."""
    if sys.platform == "win32":
        return _RAISED
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wished = _RAISED if hard == resource.RLIM_INFINITY else min(_RAISED, hard)
    if soft != resource.RLIM_INFINITY and soft < wished:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wished, hard))
            soft = wished
    used = 0
    with suppress(OSError):
        used = len(os.listdir("/proc/self/fd" if sys.platform == "linux" else "/dev/fd"))
    most = _RAISED if soft == resource.RLIM_INFINITY else soft
    return max(16, (most - used) * 3 // 4)
