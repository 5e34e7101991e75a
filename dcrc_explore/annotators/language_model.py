"""A language model as an annotator, at any address that offers OpenAI's chat completions API.

What leaves the machine: the instruction and the three items of each question, as text or image, to the address given.
The key is read from an environment variable at each call, or held in memory if you pass it. It never appears in a text,
an error message or a file.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from email.message import Message
from email.utils import parsedate_to_datetime
from http.client import HTTPException, HTTPMessage
from time import time
from typing import IO, Any, NoReturn
from urllib.parse import urlsplit

import numpy as np

from dcrc_explore.annotators.function import CallFailed, within
from dcrc_explore.constraints import Answer

INSTRUCTION = (
    "You compare three items, A, B and C. Is A more similar to B than to C? "
    "Answer with one of these words and nothing else: yes, no, don't know."
)
# An answer is a word; more than this is no answer of the protocol.
_LARGEST_REPLY = 1_000_000
_LONGEST_DETAIL = 2000  # bytes of what a service says about an error
_IMAGES = {b"\x89PNG": "png", b"\xff\xd8\xff": "jpeg", b"GIF8": "gif", b"RIFF": "webp"}
_LOCAL = {"localhost", "127.0.0.1", "::1"}


class LanguageModel:
    """An async function of three items that asks a language model; for :class:`FunctionAnnotator`.

    Parameters
    ----------
    url : str
        Address of the service, such as "http://localhost:11434/v1"; "/chat/completions" is added.
    model : str
        Name of the model there.
    key : str, optional
        By default that of the environment variable `key_variable`; a local service may need none.
    key_variable : str, default="OPENAI_API_KEY"
    instruction : str, optional
        The instruction that the model gets before the items. It must ask for yes, no or don't know.
    timeout : float, default=60
        Seconds that a whole call may take, from the connection to the last byte.
    temperature : float, default=0

    Examples
    --------
    >>> model = LanguageModel("http://localhost:11434/v1", "small", key="secret")
    >>> model
    LanguageModel('http://localhost:11434/v1', 'small')
    >>> model.sends
    'The instruction and the three items of each question are sent to localhost:11434.'
    """

    wants_media = True  # a session gives it what a person sees: texts, and images as bytes

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key: str | None = None,
        key_variable: str = "OPENAI_API_KEY",
        instruction: str = INSTRUCTION,
        timeout: float = 60.0,
        temperature: float = 0.0,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"url must be an address that begins with http:// or https://, got {url!r}")
        if parts.username or parts.password or parts.query:
            raise ValueError("url must hold no user, password or query: pass the key by key or key_variable")
        self.url, self.model, self.instruction = url.rstrip("/"), model, instruction
        self.name = model
        self.timeout, self.temperature = timeout, temperature
        # In a function, so that no listing or copy of the attributes holds it.
        self._key: Callable[[], str] = lambda: (key or os.environ.get(key_variable) or "").strip()
        self._host = parts.netloc
        # Without encryption a proxy would read the key.
        proxies = {name: place for name, place in urllib.request.getproxies().items() if name == "https"}
        self._open = urllib.request.build_opener(_NoRedirects, urllib.request.ProxyHandler(proxies)).open
        self._checked_key()

    def __repr__(self) -> str:
        return f"LanguageModel({self.url!r}, {self.model!r})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a LanguageModel cannot be stored or copied to another process, because it may hold a key")

    @property
    def sends(self) -> str:
        """A sentence that says what leaves the machine."""
        return f"The instruction and the three items of each question are sent to {self._host}."

    async def __call__(self, a: Any, b: Any, c: Any) -> Answer:
        """Ask one question; raise :class:`CallFailed` unless the model answers yes, no or don't know."""
        return await asyncio.to_thread(self.answer, a, b, c)

    def answer(self, a: Any, b: Any, c: Any) -> Answer:
        """Ask one question, and wait for the answer."""
        return parsed(self.reply(self.instruction, [("A", a), ("B", b), ("C", c)]))

    def reply(self, instruction: str, items: Sequence[tuple[str, Any]]) -> str:
        """Return what the model says to an instruction and to items with what they are called; CallFailed otherwise."""
        body = {
            "model": self.model,
            "temperature": self.temperature,
            "messages": [{"role": "system", "content": instruction}, {"role": "user", "content": _content(items)}],
        }
        try:
            return within(self.timeout, self._post, json.dumps(body).encode())
        except TimeoutError:
            raise CallFailed(f"no answer within {self.timeout:g} seconds") from None

    def _checked_key(self) -> str:
        """Return the key as it is now, "" for none; ValueError when it cannot be sent, or would be read by others."""
        key, parts = self._key(), urlsplit(self.url)
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise ValueError("a key must be one word of ASCII characters, got others in it")
        if key and parts.scheme == "http" and parts.hostname not in _LOCAL:
            raise ValueError(f"a key is sent to another machine only over https, got {self.url!r}")
        return key

    def _post(self, body: bytes) -> str:
        try:
            key = self._checked_key()
        except ValueError as error:
            raise CallFailed(str(error), retry=False) from None
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        request = urllib.request.Request(f"{self.url}/chat/completions", body, headers, method="POST")
        try:
            with self._open(request, timeout=self.timeout) as response:
                raw = response.read(_LARGEST_REPLY + 1)
        except urllib.error.HTTPError as error:
            with error:
                raise _refused(error, key) from None
        except (OSError, HTTPException) as error:
            reason = getattr(error, "reason", error)
            if isinstance(reason, TimeoutError):
                raise reason from None
            # What breaks off may hold the next time; nobody at the address, or no such address, will not.
            passes = not isinstance(error, urllib.error.URLError) or isinstance(reason, ConnectionResetError)
            words = f"{self._host} cannot be reached: {_scrubbed(str(reason), key)}"
            raise CallFailed(words, retry=passes) from None
        if len(raw) > _LARGEST_REPLY:
            raise CallFailed(f"the reply must be shorter than {_LARGEST_REPLY} bytes, got more")
        try:
            text = json.loads(raw)["choices"][0]["message"]["content"]
        except (ValueError, LookupError, TypeError):
            raise CallFailed(
                f"the reply must be a chat completion, got {_scrubbed(raw.decode(errors='replace'), key)!r:.80}"
            ) from None
        if not isinstance(text, str):
            raise CallFailed(f"the reply must hold a text, got {_scrubbed(repr(text), key):.60}")
        return _scrubbed(text, key)


def parsed(text: str) -> Answer:
    """Read yes, no or don't know; any other text raises :class:`CallFailed`.

    Examples
    --------
    >>> parsed("Yes."), parsed('"don\N{RIGHT SINGLE QUOTATION MARK}t know"')
    (<Answer.YES: 1>, <Answer.DNK: 0>)
    >>> parsed("Yes, because both are birds")
    Traceback (most recent call last):
    dcrc_explore.annotators.function.CallFailed: the answer must be yes, no or don't know, got 'Yes, because both ...
    """
    word = text.strip().strip("\"'`*.! \n").replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").lower()
    if word not in {"yes", "no", "don't know", "dont know", "dnk"}:
        raise CallFailed(f"the answer must be yes, no or don't know, got {text!r:.60}")
    return Answer(word)  # type: ignore[arg-type]


def _content(items: Sequence[tuple[str, Any]]) -> str | list[dict[str, Any]]:
    """Write the items as one text or, where there is an image, as parts."""
    parts: list[dict[str, Any]] = []
    for called, item in items:
        if isinstance(item, bytes):
            parts += [{"type": "text", "text": f"{called}:"}, _image(item)]
        else:
            parts.append({"type": "text", "text": f"{called}: {_written(item)}"})
    if any(part["type"] != "text" for part in parts):
        return parts
    return "\n\n".join(part["text"] for part in parts)


def _written(item: Any) -> str:
    if isinstance(item, str):
        return item
    if isinstance(item, dict):
        return ", ".join(f"{name} = {value}" for name, value in item.items())
    return ", ".join(f"{value}" for value in np.ravel(np.asarray(item, dtype=object)))


def _image(data: bytes) -> dict[str, Any]:
    kind = next((kind for start, kind in _IMAGES.items() if data.startswith(start)), None)
    if kind is None:
        raise CallFailed(f"an item of bytes must be a PNG, JPEG, GIF or WebP image, got {data[:8]!r}", retry=False)
    encoded = base64.b64encode(data).decode()
    return {"type": "image_url", "image_url": {"url": f"data:image/{kind};base64,{encoded}"}}


def _refused(error: urllib.error.HTTPError, key: str) -> CallFailed:
    try:
        raw = error.read(_LONGEST_DETAIL)
        detail = _scrubbed(raw.decode(errors="replace"), key)
        if len(raw) == _LONGEST_DETAIL:  # what is cut may end with a part of the key
            detail = detail[: len(detail) - len(key)]
    except (OSError, HTTPException):
        detail = ""
    # Too many requests, a time-out and trouble of the server pass; a wrong key or address does not.
    passes = error.code in (408, 409, 429) or error.code >= 500
    reason = _scrubbed(str(error.reason), key)
    message = f"the service answered {error.code} {reason}: {' '.join(detail.split())[:200]}"
    return CallFailed(message, retry=passes, retry_after=_retry_after(error.headers))


def _retry_after(headers: Message) -> float | None:
    """Read the header, which is a number of seconds or a date."""
    value = headers.get("Retry-After")
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        try:
            return max(0.0, parsedate_to_datetime(value).timestamp() - time())
        except ValueError:
            return None


def _scrubbed(text: str, key: str) -> str:
    """Leave the key out, which services repeat in their messages."""
    return text.replace(key, "***") if key else text


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would take the key to another address."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> None:
        return None
