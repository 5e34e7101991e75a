"""The tool as a page of its own: Voila, with a token on every route and without kernels that nobody looks at."""

from __future__ import annotations

import html
from contextlib import suppress
from typing import Any
from uuid import uuid4

from jupyter_server.base.call_context import CallContext
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from tornado.ioloop import IOLoop
from tornado.web import HTTPError, StaticFileHandler, authenticated
from traitlets import Integer
from voila.app import Voila
from voila.static_file_handler import AllowListFileHandler
from voila.tornado.handler import TornadoVoilaHandler

from dcrc_explore.app.kernels import SafeKernelSpecs
from dcrc_explore.app.login import SignedOutHandler, TokenHandler
from dcrc_explore.app.notices import notice
from dcrc_explore.app.server import headers

FORGOTTEN = 600  # seconds after which a kernel ends that has no page any more, as after a browser's crash
LOOK_EVERY = 60  # seconds between two looks for such kernels


class PageHandler(TornadoVoilaHandler):
    """Gives a page with a kernel of its own. When the browser leaves, or never connects, the kernel ends too."""

    gone = False
    kernel_id: str | None = None

    def on_finish(self) -> None:
        """Expect the page, which is sent, to connect."""
        super().on_finish()
        if self.kernel_id is not None:
            self.kernel_manager.expect_page(self.kernel_id)

    def write_error(self, status_code: int, **details: Any) -> None:
        """Say in a page of ours what went wrong."""
        error = details["exc_info"][1] if "exc_info" in details else None
        title, words = f"Error {status_code}", "Something went wrong in the server. Please reload the page."
        if isinstance(error, HTTPError) and error.log_message:
            title, words = error.reason or title, error.log_message % error.args
        self.set_header("Content-Type", "text/html; charset=UTF-8")
        self.finish(notice(title, html.escape(words)))

    def on_connection_close(self) -> None:
        """Remember that nobody waits for the page any more."""
        super().on_connection_close()
        self.gone = True
        if self.kernel_id is not None:
            IOLoop.current().add_callback(self.kernel_manager.end, self.kernel_id)

    def redirect_to_file(self, path: str) -> None:
        """There is one page, and no files beside it."""
        raise HTTPError(404, f"there is no {path!r} here")


class PageKernels(AsyncMappingKernelManager):
    """The kernels, each of one page."""

    most_pages = Integer(8, config=True, help="how many pages may be open at once; each has a kernel of about 200 MB")
    connect_within = Integer(20, config=True, help="seconds that a page has to connect to its kernel")

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._shown: set[str] = set()  # those that had a page at some time
        self._starting: set[str] = set()
        for name, value in (("cull_idle_timeout", FORGOTTEN), ("cull_interval", LOOK_EVERY)):
            if name not in self.config.MappingKernelManager:
                setattr(self, name, value)

    async def start_kernel(self, **settings: Any) -> str:  # type: ignore[override]
        """Start the kernel of the page that is being asked for."""
        page = CallContext.get(CallContext.JUPYTER_HANDLER)
        if page.gone:
            raise HTTPError(400, "the browser has left")
        # A browser that crashed leaves a kernel that holds its file; whoever comes back wants to continue with that.
        for kernel_id in self._shown.intersection(self.list_kernel_ids()):
            # One may have gone by itself while another was being ended.
            if kernel_id in self and not self.kernel_model(kernel_id)["connections"]:
                await self.end(kernel_id)
        if len(self._starting.union(self.list_kernel_ids())) >= self.most_pages:
            words = f"The limit is {self.most_pages} open pages of the tool. Close one of them, then reload this page."
            raise HTTPError(503, words, reason="Too many pages are open")
        kernel_id = str(uuid4())
        self._starting.add(kernel_id)
        try:
            page.kernel_id = await super().start_kernel(kernel_id=kernel_id, **settings)
        finally:
            self._starting.remove(kernel_id)
        if page.gone:
            IOLoop.current().add_callback(self.end, kernel_id)
        return kernel_id

    def notify_connect(self, kernel_id: str) -> None:
        """Remember that a page has found its kernel."""
        super().notify_connect(kernel_id)
        self._shown.add(kernel_id)

    def expect_page(self, kernel_id: str) -> None:
        """End a kernel unless its page, which was sent, connects in time."""

        async def look() -> None:
            if kernel_id not in self._shown:
                await self.end(kernel_id)

        IOLoop.current().call_later(self.connect_within, look)

    async def end(self, kernel_id: str) -> None:
        """End a kernel, unless it is at its end already."""
        with suppress(KeyError, HTTPError):
            await self.shutdown_kernel(kernel_id, now=True)


class Page(Voila):
    """Voila on one notebook."""

    def init_settings(self) -> dict[str, Any]:
        """Take our kernels, headers and pages."""
        self.tornado_settings = {"headers": headers("app", self.port)}
        self.voila_configuration.multi_kernel_manager_class = PageKernels
        self.voila_configuration.kernel_spec_manager_class = SafeKernelSpecs
        settings = super().init_settings()
        self.identity_provider.login_handler_class = TokenHandler
        self.identity_provider.logout_handler_class = SignedOutHandler
        # A page ends its kernel when it goes, by a request that proves where it comes from.
        allowed = self.kernel_manager.allowed_message_types
        self.kernel_manager.allowed_message_types = [kind for kind in allowed if kind != "shutdown_request"]
        # Voila answers under whatever name it is called by, which lets a foreign page call itself this machine.
        return {**settings, "allow_remote_access": False}

    def init_handlers(self) -> list[Any]:
        """Serve no files of any folder, and nothing at all without the token."""
        return [
            (pattern, _with_token(handler), *rest)
            for pattern, handler, *rest in super().init_handlers()
            if handler is not AllowListFileHandler
        ]


def _with_token(handler: type[Any]) -> type[Any]:
    """Return a handler that asks for the token; Voila and Jupyter give their own files to everybody."""
    if handler is TornadoVoilaHandler:
        return PageHandler
    if not issubclass(handler, StaticFileHandler):
        return handler
    bases = (handler,) if issubclass(handler, JupyterHandler) else (JupyterHandler, handler)
    return type(handler.__name__, bases, {name: authenticated(getattr(handler, name)) for name in ("get", "head")})
