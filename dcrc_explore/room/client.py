"""A phone without a screen: joins a room, asks and answers over HTTP, for rehearsals and tests."""

from __future__ import annotations

import http.client
import json
import time
from typing import Any
from urllib.parse import urlsplit

_PATIENCE = 60.0


class Phone:
    """A phone that joins a room by its address with the code; with a token it is a participant who returns.

    Examples
    --------
    >>> import numpy as np
    >>> from dcrc_explore.room import Cards, FixedQuestions, Room, Server
    >>> room = Room(FixedQuestions(Cards.of_points(np.eye(3)[:, :2]), [(0, 1, 2)]))
    >>> with Server(room, port=0) as server:
    ...     phone = Phone(server.address)
    ...     question = phone.steps()[0]
    ...     phone.answer(question["id"], "dnk", 1.0)["saved"]
    'new'
    """

    def __init__(self, address: str, nickname: str = "", token: str = "") -> None:
        parts = urlsplit(address)
        self._host, self._path = parts.netloc, parts.path.rstrip("/")
        self._connection = http.client.HTTPConnection(self._host, timeout=_PATIENCE)
        self.token = token
        joined = self.call("join", {"token": token, "nickname": nickname})
        self.token, self.number = joined["token"], int(joined["number"])

    def steps(self, seen: int = 0) -> list[dict[str, Any]]:
        """Return what to show now and next."""
        return self.call(f"steps?seen={seen}")["steps"]

    def answer(self, step: str, value: Any, seconds: float) -> dict[str, Any]:
        """Answer a step; the reply has the next ones."""
        return self.call("answer", {"step": step, "value": value, "seconds": seconds})

    def call(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Ask the server, again while it is too busy or cannot be reached; RuntimeError for what it refuses."""
        deadline = time.monotonic() + _PATIENCE
        headers = {"X-Participant": self.token, "Origin": f"http://{self._host}", "Content-Type": "application/json"}
        while True:
            try:
                method, content = ("GET", None) if body is None else ("POST", json.dumps(body))
                self._connection.request(method, f"{self._path}/{path}", content, headers)
                reply = self._connection.getresponse()
                status, text = reply.status, reply.read()
            except (OSError, http.client.HTTPException) as error:
                self._connection.close()
                status, text = 0, str(error).encode()
            if status == 200:
                return json.loads(text)
            if status not in (0, 429, 500, 503) or time.monotonic() > deadline:
                raise RuntimeError(f"{path}: {status} {text.decode(errors='replace')[:200]}")
            time.sleep(0.2)

    def close(self) -> None:
        """Hang up."""
        self._connection.close()

    def __del__(self) -> None:
        self.close()
