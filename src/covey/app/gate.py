"""The gate: nothing behind it is reached without the key, from elsewhere, or by another name.

It stands around everything, pages, static files and websockets, and puts on every answer the
headers that keep a browser from fetching, framing, storing or passing on anything.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import parse_qs

from covey.app.keys import Keys
from covey.app.plain_pages import ENTERED, LOCKED, REFUSED, Words, page
from covey.app.replies import Replies

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

READING = ("GET", "HEAD")
OWN_SITES = (None, "none", "same-origin")
FILE = "cross-site"  # what browsers say of a file on the disk, which forwards to the address
PORT_OF_HTTP = 80
POLICY_VIOLATION = 1008
HEARD_BYTES, HEARD_SECONDS = 1 << 17, 1.0  # of what comes from somebody who is turned away


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
        self.hosts: tuple[str, ...] = (f"127.0.0.1:{port}", f"localhost:{port}")
        if port == PORT_OF_HTTP:  # browsers leave it out
            self.hosts += ("127.0.0.1", "localhost")
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
        if _brings_token(scope) and self._is_from_here(visit, (*OWN_SITES, FILE)):
            await self._exchange(scope, visit, receive, replies)
        elif not self._is_from_here(visit) or not (reading or visit.origin):
            await _turn_away(REFUSED, receive, replies)
        elif self.keys.opens(visit.session):
            await self._pass_on(scope, receive, replies)
        else:
            await _turn_away(LOCKED, receive, replies)

    async def _pass_on(self, scope: Scope, receive: Receive, replies: Replies) -> None:
        """Let the app answer; what it raises is an answer too, but says nothing of the inside."""
        try:
            await self.app(scope, receive, replies)
        except Exception:
            await replies.fail()

    async def _exchange(
        self, scope: Scope, visit: Visit, receive: Receive, replies: Replies
    ) -> None:
        """A good token gives a session, and a page that goes on to the address without a token.

        It must go on by itself: a browser that was sent here by a file does not show the cookie
        if it is merely told to look elsewhere.
        """
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
        session = self.keys.exchange(given[0]) if len(given) == 1 else None
        if session is not None:
            cookie = f"{self.cookie}={session}; Path=/; HttpOnly; SameSite=Strict"
            await page(ENTERED, replies, 200, [(b"set-cookie", cookie.encode())])
        elif self.keys.opens(visit.session) and visit.site in OWN_SITES:
            await page(ENTERED, replies, 200)
        else:
            await _turn_away(LOCKED, receive, replies)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        visit = self._visit(scope)
        known = visit.origin is not None and self.keys.opens(visit.session)
        if known and self._is_from_here(visit):
            line = Line(receive, send, lambda: self.keys.opens(visit.session))
            await self.app(scope, line.receive, line.send)
            return
        await receive()
        await send({"type": "websocket.close", "code": POLICY_VIOLATION})

    def _is_from_here(self, visit: Visit, sites: tuple[str | None, ...] = OWN_SITES) -> bool:
        """Asked for by its own name, and not by the page of somebody else."""
        return (
            not visit.is_doubtful
            and visit.host in self.hosts
            and visit.origin in (None, f"http://{visit.host}")
            and visit.site in sites
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
        """Our cookie, whatever stands around it; one that is there twice is none."""
        pairs = [part.partition("=") for line in cookies for part in line.split(";")]
        found = [value.strip() for name, _, value in pairs if name.strip() == self.cookie]
        return found[0] if len(found) == 1 else None


class Line:
    """A websocket that ends with the session it was opened in."""

    def __init__(self, receive: Receive, send: Send, is_known: Callable[[], bool]) -> None:
        self._receive = receive
        self._send = send
        self._is_known = is_known
        self._is_closed = False

    async def receive(self) -> Message:
        message = await self._receive()
        if self._is_known():
            return message
        await self._close()
        return {"type": "websocket.disconnect", "code": POLICY_VIOLATION}

    async def send(self, message: Message) -> None:
        if self._is_known():
            await self._send(message)
        else:
            await self._close()

    async def _close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            await self._send({"type": "websocket.close", "code": POLICY_VIOLATION})


async def _turn_away(words: Words, receive: Receive, replies: Replies) -> None:
    """Say no, and close the line: whoever is not known keeps none open.

    A little of what still comes is read first, since a browser that is cut off while it sends does
    not show the answer.
    """
    with suppress(asyncio.TimeoutError):
        await asyncio.wait_for(_hear_out(receive), HEARD_SECONDS)
    await page(words, replies, 403, [(b"connection", b"close")])


async def _hear_out(receive: Receive) -> None:
    heard = 0
    while heard < HEARD_BYTES:
        message = await receive()
        heard += len(message.get("body", b""))
        if not message.get("more_body", False):
            return


def _brings_token(scope: Scope) -> bool:
    given = scope["path"] == "/" and b"token=" in scope["query_string"]
    return given and scope["method"] == "GET"
