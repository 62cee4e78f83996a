"""The gate: nothing behind it is reached without the key, from elsewhere, or by another name.

It stands around everything, pages, static files and websockets, and puts on every answer the
headers that keep a browser from fetching, framing, storing or passing on anything.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import parse_qs

from covey.app.keys import Keys
from covey.app.plain_pages import LOCKED, REFUSED, page
from covey.app.replies import Replies

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

READING = ("GET", "HEAD")
POLICY_VIOLATION = 1008


class Visit(NamedTuple):
    """What the headers of a request say; a header that is there twice is worse than none."""

    host: str | None
    origin: str | None
    site: str | None
    session: str | None
    is_doubtful: bool


class Gate:
    """ASGI middleware around the whole app.

    Parameters
    ----------
    app : ASGI app
    port : int
        The port that the browser sees; Host and Origin must name it.
    keys : Keys
    """

    def __init__(self, app: App, port: int, keys: Keys) -> None:
        self.app = app
        self.keys = keys
        self.cookie = f"covey-{port}"  # cookies are shared by all ports of a machine
        self.hosts = (f"127.0.0.1:{port}", f"localhost:{port}")
        self.last_asked = time.monotonic()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.last_asked = time.monotonic()
        visit = self._visit(scope)
        host = visit.host if visit.host in self.hosts else None
        replies = Replies(send, scope["path"], secrets.token_urlsafe(16), host)
        reading = scope["method"] in READING
        if not self._is_from_here(visit) or not (reading or visit.origin):
            await page(REFUSED, replies, 403)
        elif scope["path"] == "/" and reading and b"token=" in scope["query_string"]:
            await self._exchange(scope, visit, replies)
        elif self.keys.opens(visit.session):
            await self._pass_on(scope, receive, replies)
        else:
            await page(LOCKED, replies, 403)

    async def _pass_on(self, scope: Scope, receive: Receive, replies: Replies) -> None:
        """Let the app answer; what it raises is an answer too, but says nothing of the inside."""
        try:
            await self.app(scope, receive, replies)
        except Exception:
            await replies.fail()

    async def _exchange(self, scope: Scope, visit: Visit, replies: Replies) -> None:
        """A good token gives the session; the address that is then shown has none."""
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
        good = len(given) == 1 and scope["method"] == "GET" and self.keys.exchange(given[0])
        if not good and not self.keys.opens(visit.session):
            await page(LOCKED, replies, 403)
            return
        cookie = f"{self.cookie}={self.keys.session}; Path=/; HttpOnly; SameSite=Strict"
        headers = [(b"location", b"/"), *([(b"set-cookie", cookie.encode())] if good else [])]
        await replies({"type": "http.response.start", "status": 303, "headers": headers})
        await replies({"type": "http.response.body", "body": b""})

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        visit = self._visit(scope)
        known = visit.origin is not None and self.keys.opens(visit.session)
        if known and self._is_from_here(visit):
            await self.app(scope, receive, send)
            return
        await receive()
        await send({"type": "websocket.close", "code": POLICY_VIOLATION})

    def _is_from_here(self, visit: Visit) -> bool:
        """Asked for by its own name, and not by the page of somebody else."""
        return (
            not visit.is_doubtful
            and visit.host in self.hosts
            and visit.origin in (None, f"http://{visit.host}")
            and visit.site in (None, "none", "same-origin")
        )

    def _visit(self, scope: Scope) -> Visit:
        found: dict[bytes, list[str]] = {}
        for name, value in scope["headers"]:
            found.setdefault(name.lower(), []).append(value.decode("latin-1"))
        single = [found.get(name, []) for name in (b"host", b"origin", b"sec-fetch-site")]
        host, origin, site = (values[0] if values else None for values in single)
        doubled = any(len(values) > 1 for values in single)
        return Visit(host, origin, site, self._session(found.get(b"cookie", [])), doubled)

    def _session(self, cookies: list[str]) -> str | None:
        try:
            found = SimpleCookie("; ".join(cookies)).get(self.cookie)
        except CookieError:
            return None
        return None if found is None else found.value
