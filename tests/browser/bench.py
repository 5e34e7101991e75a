"""A plain page with widgets of this process: no JupyterLab, no kernel, and as long as it takes to load one script."""

from __future__ import annotations

import asyncio
import builtins
import hashlib
import io
import json
import struct
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import comm
import pytest
from comm.base_comm import BaseComm
from ipywidgets.widgets import widget as ipywidget
from live import Tool
from playwright.sync_api import Page
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, HTTPError, RequestHandler
from tornado.websocket import WebSocketClosedError, WebSocketHandler

T = TypeVar("T")
LONGEST = 120  # seconds that code may take
PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Bench</title><link rel="icon" href="data:,">
<script type="module" src="/bench.js"></script>
<style>body { margin: 8px; background: var(--dcrc-paper); }</style>
<body data-jp-theme-light="true"><main></main></body></html>"""
# The same for every widget of a class, and large: the page loads them by their address.
LOADED = {"_esm": "text/javascript", "_css": "text/css"}


class Loop:
    """A thread with an event loop that does what other threads ask for."""

    def __init__(self, name: str) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()
        self.loop.close()

    def do(self, function: Callable[[], T]) -> T:
        """Call a function there, and return what it returns."""
        future: Future[T] = Future()

        def call() -> None:
            try:
                future.set_result(function())
            except BaseException as error:
                future.set_exception(error)

        self.loop.call_soon_threadsafe(call)
        return future.result(LONGEST)

    def end(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(LONGEST)


class Line(BaseComm):
    """What connects a widget with its model in the page."""

    bench: Bench

    def publish_msg(self, kind: str, data: Any = None, metadata: Any = None, buffers: Any = None, **_: object) -> None:
        if kind == "comm_open":
            data = self.bench.opened(self, data)
        self.bench.publish(kind, self.comm_id, data or {}, buffers or [])


def _write(socket: WebSocketHandler, message: bytes) -> None:
    with suppress(WebSocketClosedError):  # the page has gone
        socket.write_message(message, binary=True)


class Bench:
    """Widgets in one thread, as in a kernel, and in another one the server of the page that shows them."""

    def __init__(self) -> None:
        self._server = Loop("bench server")
        self._texts: dict[str, tuple[str, str]] = {}
        self._lock = threading.RLock()  # a page that comes has every widget as it is, and then every change
        self._sockets: set[WebSocketHandler] = set()
        self._lines: dict[str, Line] = {}
        self._shown: list[str] = []
        self._kernel: Loop | None = None
        self._names: dict[str, Any] = {}
        self.address = self._server.do(self._listen)

    def _listen(self) -> str:
        bench = self

        class Text(RequestHandler):
            def get(self, name: str) -> None:
                if name not in bench._texts:
                    raise HTTPError(404)
                kind, text = bench._texts[name]
                self.set_header("Content-Type", f"{kind}; charset=utf-8")
                self.set_header("Cache-Control", "no-store" if name in ("", "bench.js") else "max-age=3600")
                self.finish(text)

        class Socket(WebSocketHandler):
            def open(self, *_: str) -> None:
                bench._meet(self)

            def on_message(self, message: str | bytes) -> None:
                bench._receive(json.loads(message))

            def on_close(self) -> None:
                bench._sockets.discard(self)

        self._texts |= {
            "": ("text/html", PAGE),
            "bench.js": ("text/javascript", (Path(__file__).parent / "bench.js").read_text(encoding="utf-8")),
        }
        (listener,) = bind_sockets(0, "127.0.0.1")
        self._http = HTTPServer(Application([("/socket", Socket), ("/(.*)", Text)]))
        self._http.add_socket(listener)
        return f"http://127.0.0.1:{listener.getsockname()[1]}"

    # What a test does

    @contextmanager
    def kernel(self) -> Iterator[None]:
        """Have a thread for widgets until the block ends; those that are made meanwhile are in the page."""
        self._kernel, self._names = Loop("bench kernel"), {"__name__": "__main__"}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(comm, "create_comm", type("Line", (Line,), {"bench": self}))
            try:
                yield
            finally:
                widgets = [ipywidget._instances[key] for key in self._lines if key in ipywidget._instances]
                self._kernel.do(lambda: [widget.close() for widget in widgets])
                self._kernel.end()
                self._names, self._shown, self._lines = {}, [], {}

    def run(self, code: str) -> str:
        """Run code as a cell would, and return what it printed."""
        printed = io.StringIO()
        names = self._names

        def run() -> None:
            names["print"] = lambda *values, **options: builtins.print(*values, **({"file": printed} | options))
            exec(compile(code, "<cell>", "exec"), names)

        self._kernel.do(run)
        return printed.getvalue().strip()

    def show(self, name: str) -> None:
        """Show the widget that has this name in the code, in every page from now on."""
        self._shown.append(self._names[name].model_id)
        self.publish("show", self._shown[-1], {})

    def close(self) -> None:
        """End the server."""
        self._server.do(self._http.stop)
        self._server.end()

    # Between the widgets and the page

    def publish(self, kind: str, key: str, data: dict[str, Any], buffers: Sequence[Any] = ()) -> None:
        """Tell every page something about a widget, from whatever thread."""
        with self._lock:
            self._send(self._sockets, kind, key, data, buffers)

    def opened(self, line: Line, data: dict[str, Any]) -> dict[str, Any]:
        """Remember how a widget is reached, and return what the page must know of it."""
        self._lines[line.comm_id] = line
        return {**data, "state": self._slim(data["state"])}

    def _send(
        self, sockets: Iterable[WebSocketHandler], kind: str, key: str, data: dict[str, Any], buffers: Sequence[Any]
    ) -> None:
        message = {"kind": kind, "id": key, "data": data, "sizes": [memoryview(each).nbytes for each in buffers]}
        text = json.dumps(message).encode()
        whole = b"".join([struct.pack(">I", len(text)), text, *buffers])
        for socket in list(sockets):
            self._server.loop.call_soon_threadsafe(_write, socket, whole)

    def _meet(self, socket: WebSocketHandler) -> None:
        """Give a page that has come everything."""

        def give() -> None:
            with self._lock:
                for key in self._lines:
                    state, paths, buffers = ipywidget._remove_buffers(self._slim(ipywidget._instances[key].get_state()))
                    self._send([socket], "comm_open", key, {"state": state, "buffer_paths": paths}, buffers)
                for key in self._shown:
                    self._send([socket], "show", key, {}, ())
                self._sockets.add(socket)

        if self._kernel is not None:
            self._kernel.loop.call_soon_threadsafe(give)

    def _slim(self, state: dict[str, Any]) -> dict[str, Any]:
        for name, kind in LOADED.items():
            if name in state:
                address = hashlib.sha256(state[name].encode()).hexdigest()[:16]
                self._texts[address] = (kind, state[name])
                state[name] = f"/{address}"
        return state

    def _receive(self, message: dict[str, Any]) -> None:
        line = self._lines.get(message["id"])
        if line is not None:
            self._kernel.loop.call_soon_threadsafe(line.handle_msg, {"content": message, "buffers": []})


class BenchTool(Tool):
    """The Explorer on the bench: what a person does is the same as elsewhere."""

    def __init__(self, page: Page, name: str, bench: Bench) -> None:
        super().__init__(page, name)
        self.bench = bench

    def open(self, cell: str, name: str) -> None:
        """Run the code of a cell, and show the widget that has this name there."""
        self.bench.run(cell)
        self.bench.show(name)
        self.page.goto(self.bench.address)

    def python(self, code: str) -> str:
        """Run code in the thread of the widget, and return what it printed."""
        return self.bench.run(code)

    def save(self) -> None:
        """A page of the bench that is loaded again has its widgets, as a saved notebook has."""

    def theme(self, name: str) -> None:
        """Choose the theme of the page, Light or Dark."""
        self.page.evaluate("(light) => (document.body.dataset.jpThemeLight = light)", name == "Light")
