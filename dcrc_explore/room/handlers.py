"""What the server does with each request; before anything else it checks that the request may come in."""

from __future__ import annotations

import json
import re
from asyncio import Future
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from tornado.iostream import StreamClosedError
from tornado.log import app_log
from tornado.web import HTTPError, RequestHandler

from dcrc_explore.room.door import DOOR_PAGE, HEADERS, is_own_host, is_own_origin
from dcrc_explore.room.names import same_code
from dcrc_explore.room.room import Refused
from dcrc_explore.room.wording import filled, in_language, say, wished

if TYPE_CHECKING:
    from dcrc_explore.room.server import Server


_COOKIE = "participant"


class Handler(RequestHandler):
    """Checks, before anything else: how much, under which name, from where, with which code."""

    number: int | None = None  # of the participant

    def initialize(self, server: Server) -> None:
        """Know the server."""
        self.server = server

    def set_default_headers(self) -> None:
        """Set the headers of every reply."""
        self.clear_header("Server")
        for name, value in HEADERS.items():
            self.set_header(name, value)

    def prepare(self) -> Awaitable[None] | None:
        """Refuse what may not come in; nothing that others do outside refuses a participant."""
        request, server = self.request, self.server
        self.number = server.room.number(self.token)
        if self.number is not None:
            allowed = server.allows("requests_per_person", str(self.number))
            for line in server.lines.enter(request.connection.stream, self.number):  # type: ignore[union-attr]
                line.close()
        else:
            allowed = server.allows("requests_per_address", self.address)
        if self.number is None or server.lines.crowded:
            self.set_header("Connection", "close")
        if not allowed:
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
        """Refuse a wrong code, and after too many of them from an address every code that comes without a token."""
        room, server = self.server.room, self.server
        if "." in code:  # no code has one: what browsers fetch by themselves, such as favicon.ico, is no guess
            raise Refused(404, "There is no such page.")
        if self.number is None and not server.allows("wrong_codes_per_address", self.address, cost=0):
            raise Refused(429, say("wrong_codes"))
        if not same_code(code, room.code):
            server.allows("wrong_codes_per_address", self.address)
            raise Refused(404, "There is no such room. Please check the code.")

    @property
    def token(self) -> str:
        """What shows who the participant is; pictures, scripts and the page itself come with the cookie."""
        header = self.request.headers.get("X-Participant")
        if header is not None or self.request.method != "GET":
            return header or ""
        return self.get_cookie(_COOKIE) or ""

    @property
    def language(self) -> str:
        """What the participant reads: the language of the study or class, else that of the browser."""
        return self.server.room.source.language or wished(self.request.headers.get("Accept-Language", ""))

    def reply(self, content: Any) -> Future[None]:
        """Send a JSON object in the participant's language."""
        return self.finish(in_language(content, self.language))

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
            self.reply({"error": error.why})
        else:
            self.finish({"error": "This cannot be done." if status_code < 500 else "The server has a problem."})

    def log_exception(self, kind: Any, value: Any, trace: Any) -> None:
        """Log what is our fault only: no refused or malformed request, and nobody who hangs up."""
        if not isinstance(value, Refused | HTTPError | StreamClosedError):  # without the address: it has the code in it
            app_log.error("Uncaught exception in %s", type(self).__name__, exc_info=(kind, value, trace))


class NothingHandler(Handler):
    """Every other address; without the code, the reply does not even say that it is unknown."""

    def prepare(self) -> None:
        """Refuse."""
        super().prepare()
        self.check_code(self.request.path.split("/")[1][:100])
        raise Refused(404, "There is no such page.")


class DoorHandler(Handler):
    """Where people type the code if they cannot scan it."""

    def get(self) -> None:
        """Reply."""
        given, problem = self.get_query_argument("code", "")[:100], ""
        if given:
            try:
                self.check_code(given)
                return self.redirect(f"/{self.server.room.code}/", status=303)
            except Refused as refused:
                self.set_status(refused.status)
                problem = refused.why if refused.status == 429 else say("wrong_code")
        self.set_header("Content-Type", "text/html; charset=utf-8")
        language = self.language
        self.finish(filled(DOOR_PAGE, language, problem=in_language(problem, language)))
        return None


class SlashHandler(Handler):
    """The address as people type it."""

    def get(self, code: str) -> None:
        """Reply."""
        self.redirect(f"/{self.server.room.code}/", status=303)


class StaticHandler(Handler):
    """The page itself."""

    def get(self, code: str, name: str) -> None:
        """Reply."""
        mime, content = self.server.pages[name]
        self.set_header("Content-Type", mime)
        self.finish(content if name else filled(content.decode(), self.language))


class JoinHandler(Handler):
    """A participant joins, or returns."""

    async def post(self, code: str) -> None:
        """Reply."""
        body, room = self.body(), self.server.room
        if room.number(body.get("token", "")) is None:
            body["token"] = None
            if not self.server.allows("joins_per_address", self.address):
                raise Refused(429, "Too many people join at once. Please try again.")
            if room.source.nicknames and "nickname" not in body:
                self.reply({"title": room.source.title, "nicknames": True})
                return
        joined = await self.server.do(room.join, body["token"], body.get("nickname"), self.address)
        path, secure = f"/{room.code}/", bool(self.server.names)
        self.set_cookie(_COOKIE, joined["token"], path=path, httponly=True, samesite="Strict", secure=secure)
        self.reply({"title": room.source.title, "nicknames": room.source.nicknames, **joined})


class StepsHandler(Handler):
    """What to show; waits until there is something new."""

    async def get(self, code: str) -> None:
        """Reply."""
        if self.number is None:
            raise Refused(401, "Please join again.")
        seen = self.get_query_argument("seen", "0")
        is_number = seen.isascii() and seen.isdigit() and len(seen) < 12
        self.server.note_request(self.number)
        await self.server.wait_for_change(int(seen) if is_number else 0, self.number)
        try:
            await self.reply(await self.server.do(self.server.room.steps, self.token))
        finally:
            self.server.note_reply(self.number)


class AnswerHandler(Handler):
    """An answer."""

    async def post(self, code: str) -> None:
        """Reply."""
        body = self.body()
        arguments = self.token, body.get("step"), body.get("value"), body.get("seconds")
        self.reply(await self.server.do(self.server.room.answer, *arguments))


class BackHandler(Handler):
    """One step back."""

    async def post(self, code: str) -> None:
        """Reply."""
        self.body()
        self.reply(await self.server.do(self.server.room.back, self.token))


class PlaneHandler(Handler):
    """The points behind a question."""

    async def get(self, code: str) -> None:
        """Reply."""
        cards = self.server.room.source.cards
        if cards.points is None:
            raise Refused(404, "There is no plane.")
        self.finish({"points": cards.plane()})


class ItemHandler(Handler):
    """A picture or a sound that was handed out."""

    async def get(self, code: str, number: str, name: str) -> None:
        """Reply."""
        room = self.server.room
        try:
            media = await self.server.do(lambda: room.source.cards.media(room.row(int(number), name)))
        except ValueError as error:  # too much for a phone
            raise Refused(413, str(error)) from None
        self.set_header("Content-Type", media.mime)
        self.set_header("Cache-Control", "private, max-age=86400, immutable")
        self.finish(media.data)


def routes(server: Server) -> list[tuple[str, type[Handler], dict[str, Any]]]:
    """Return every address with what answers it."""
    code, names = r"/([^/]{1,100})", "|".join(map(re.escape, server.pages))
    handlers: dict[str, type[Handler]] = {
        r"/": DoorHandler,
        code: SlashHandler,
        rf"{code}/({names})": StaticHandler,
        rf"{code}/join": JoinHandler,
        rf"{code}/steps": StepsHandler,
        rf"{code}/answer": AnswerHandler,
        rf"{code}/back": BackHandler,
        rf"{code}/plane": PlaneHandler,
        rf"{code}/item/(\d{{1,7}})/([0-9a-f]{{20}})": ItemHandler,
    }
    return [(address, each, {"server": server}) for address, each in handlers.items()]
