"""What the server does with each request; before anything else it checks that the request may come in."""

from __future__ import annotations

import json
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from tornado.web import RequestHandler

from dcrc_explore.room.door import DOOR_PAGE, HEADERS, is_own_host, is_own_origin
from dcrc_explore.room.names import same_code
from dcrc_explore.room.room import Refused

if TYPE_CHECKING:
    from dcrc_explore.room.server import Server


class Handler(RequestHandler):
    """Checks, before anything else: how much, under which name, from where, with which code."""

    def initialize(self, server: Server) -> None:
        """Know the server."""
        self.server = server

    def set_default_headers(self) -> None:
        """Set the headers of every reply."""
        self.clear_header("Server")
        for name, value in HEADERS.items():
            self.set_header(name, value)

    def prepare(self) -> Awaitable[None] | None:
        """Refuse what may not come in."""
        request, server = self.request, self.server
        if not server.allows("requests", self.address):
            raise Refused(429, "Too many requests.")
        if not is_own_host(request.host, server.port, server.names, anywhere=server.is_open):
            raise Refused(421, "This address is not served here.")
        if not is_own_origin(request.method or "", request.headers, request.host, server.names):
            raise Refused(403, "Requests from other pages are refused.")
        if self.path_args and self.path_args[0] is not None:
            self.check_code(self.path_args[0])
        return None

    @property
    def address(self) -> str:
        """Where the request comes from."""
        return str(self.request.remote_ip)

    def check_code(self, code: str) -> None:
        """Refuse a wrong code, and after too many of them every code."""
        # With a token that the room has signed nobody guesses codes any more.
        room = self.server.room
        guessing = not room.knows(self.token)
        if guessing and not self.server.allows("wrong_codes", self.address, cost=0):
            raise Refused(429, "Too many wrong codes. Please wait a minute.")
        if not same_code(code, room.code):
            self.server.allows("wrong_codes", self.address)
            raise Refused(404, "There is no such room. Please check the code.")

    @property
    def token(self) -> str:
        """What shows who the participant is."""
        return self.request.headers.get("X-Participant", "")

    def body(self) -> dict[str, Any]:
        """Return the JSON object that was sent."""
        if self.request.headers.get("Content-Type", "").partition(";")[0].strip() != "application/json":
            raise Refused(415, "Requests must be JSON.")
        try:
            body = json.loads(self.request.body)
        except (ValueError, RecursionError):
            body = None
        if not isinstance(body, dict):
            raise Refused(400, "Requests must be a JSON object.")
        return body

    def write_error(self, status_code: int, **details: Any) -> None:
        """Say in a sentence what is wrong."""
        error = details.get("exc_info", (None, None))[1]
        if isinstance(error, Refused):
            self.set_status(error.status)
            if error.status == 429:
                self.set_header("Retry-After", "2")
            self.finish({"error": error.why})
        else:
            self.finish({"error": "This cannot be done." if status_code < 500 else "The server has a problem."})

    def log_exception(self, kind: Any, value: Any, trace: Any) -> None:
        """Log what is our fault only."""
        if not isinstance(value, Refused):
            super().log_exception(kind, value, trace)


class Nothing(Handler):
    """Every other address; without the code, the reply does not even say that it is unknown."""

    def prepare(self) -> None:
        """Refuse."""
        super().prepare()
        self.check_code(self.request.path.split("/")[1][:100])
        raise Refused(404, "There is no such page.")


class Door(Handler):
    """Where people type the code if they cannot scan it."""

    def get(self) -> None:
        """Reply."""
        given = self.get_query_argument("code", "")[:100]
        if given:
            try:
                self.check_code(given)
                return self.redirect(f"/{self.server.room.code}/", status=303)
            except Refused as refused:
                self.set_status(refused.status)
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish(DOOR_PAGE.replace("{problem}", "There is no room with this code." if given else ""))
        return None


class Slash(Handler):
    """The address as people type it."""

    def get(self, code: str) -> None:
        """Reply."""
        self.redirect(f"/{self.server.room.code}/", status=303)


class Static(Handler):
    """The page itself."""

    def initialize(self, server: Server, pages: dict[str, tuple[str, bytes]]) -> None:  # type: ignore[override]
        """Know the server."""
        super().initialize(server)
        self.pages = pages

    def get(self, code: str, name: str) -> None:
        """Reply."""
        mime, content = self.pages[name]
        self.set_header("Content-Type", mime)
        self.finish(content)


class Join(Handler):
    """A participant joins, or returns."""

    async def post(self, code: str) -> None:
        """Reply."""
        body, room = self.body(), self.server.room
        if not room.knows(str(body.get("token", ""))):
            body["token"] = None
            if not self.server.allows("joins", self.address):
                raise Refused(429, "Too many people join at once. Please try again.")
            if room.source.nicknames and "nickname" not in body:
                self.finish({"title": room.source.title, "nicknames": True})
                return
        joined = await self.server.do(room.join, body["token"], body.get("nickname"))
        self.finish({"title": room.source.title, "nicknames": room.source.nicknames, **joined})


class Steps(Handler):
    """What to show; waits until there is something new."""

    async def get(self, code: str) -> None:
        """Reply."""
        if not self.server.room.knows(self.token):
            raise Refused(401, "Please join again.")
        seen = self.get_query_argument("seen", "0")
        is_number = seen.isascii() and seen.isdigit() and len(seen) < 12
        await self.server.wait_for_change(int(seen) if is_number else 0, self.address)
        self.finish(await self.server.do(self.server.room.steps, self.token))


class Answer(Handler):
    """An answer."""

    async def post(self, code: str) -> None:
        """Reply."""
        body = self.body()
        arguments = self.token, body.get("step"), body.get("value"), body.get("seconds")
        self.finish(await self.server.do(self.server.room.answer, *arguments))


class Back(Handler):
    """One step back."""

    async def post(self, code: str) -> None:
        """Reply."""
        self.body()
        self.finish(await self.server.do(self.server.room.back, self.token))


class Plane(Handler):
    """The points behind a question."""

    async def get(self, code: str) -> None:
        """Reply."""
        cards = self.server.room.source.cards
        if cards.points is None:
            raise Refused(404, "There is no plane.")
        self.finish({"points": cards.plane()})


class Item(Handler):
    """A picture or a sound that was handed out."""

    async def get(self, code: str, name: str) -> None:
        """Reply."""
        room = self.server.room
        media = await self.server.do(lambda: room.source.cards.media(room.row(name)))
        self.set_header("Content-Type", media.mime)
        self.set_header("Cache-Control", "private, max-age=86400, immutable")
        self.finish(media.data)
