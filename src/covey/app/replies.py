"""What every answer carries, and what becomes of answers that nobody should see as they are."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from covey.app.plain_pages import BROKEN, NOWHERE, page

Message = MutableMapping[str, Any]
STATIC = "/_nicegui/"
SHOWN = "/show/"
HEADERS = {
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"permissions-policy": b"camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
# Scripts of the page itself carry a number that is used once; text of the data that should ever
# become HTML does not know it and stays dead. NiceGUI compiles its templates in the browser, which
# is what 'unsafe-eval' is for.
PAGE_POLICY = (
    "default-src 'none'; script-src 'self' 'nonce-{nonce}' 'unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self'{line}; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
# A report has its styles and pictures in it and runs nothing.
REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; "
    "base-uri 'none'; frame-ancestors 'none'; sandbox"
)


class Replies:
    """Passes on the answer to one request, with the headers it must have."""

    def __init__(
        self, send: Callable[[Message], Awaitable[None]], path: str, nonce: str, host: str | None
    ) -> None:
        self._send = send
        self._path = path
        self._nonce = nonce
        # Not every browser takes a websocket to the same place for 'self'.
        self._line = "" if host is None else f" ws://{host}"
        self._held: Message | None = None  # the start of a page whose scripts are to be marked
        self._body = b""
        self._started = False
        self._replaced = False

    async def __call__(self, message: Message) -> None:
        if self._replaced:
            return  # the rest of an answer that is not shown
        if message["type"] == "http.response.start":
            await self._start(message)
        elif message["type"] == "http.response.body" and self._held is not None:
            await self._hold(message)
        else:
            await self._send(message)

    async def fail(self) -> None:
        """Answer that something went wrong, unless an answer has begun."""
        if not self._started:
            self._held = None
            await page(BROKEN, self, 500)

    async def _start(self, message: Message) -> None:
        status, kind = message["status"], _header(message, b"content-type")
        if not kind.startswith(b"application/json") and not message.pop("is_ours", False):
            words = BROKEN if status >= 500 else NOWHERE if status == 404 else None
            if words is not None:
                await page(words, self, status)
                self._replaced = True
                return
        message["headers"] = self._dressed(message["headers"])
        if kind.startswith(b"text/html") and not self._path.startswith(SHOWN):
            self._held = message
        else:
            self._started = True
            await self._send(message)

    async def _hold(self, message: Message) -> None:
        self._body += message.get("body", b"")
        if message.get("more_body", False) or self._held is None:
            return
        body = self._body.replace(b"<script", b'<script nonce="' + self._nonce.encode() + b'"')
        start, self._held, self._started = self._held, None, True
        kept = [(name, value) for name, value in start["headers"] if name != b"content-length"]
        start["headers"] = [*kept, (b"content-length", str(len(body)).encode())]
        await self._send(start)
        await self._send({"type": "http.response.body", "body": body})

    def _dressed(self, headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        policy = PAGE_POLICY.format(nonce=self._nonce, line=self._line)
        if self._path.startswith(SHOWN):
            policy = REPORT_POLICY
        ours = {**HEADERS, b"content-security-policy": policy.encode()}
        if not self._path.startswith(STATIC):
            ours[b"cache-control"] = b"no-store"
        theirs = [(name.lower(), value) for name, value in headers if name.lower() not in ours]
        return [*theirs, *ours.items()]


def _header(message: Message, wanted: bytes) -> bytes:
    found = [value for name, value in message["headers"] if name.lower() == wanted]
    return bytes(found[0]) if found else b""
