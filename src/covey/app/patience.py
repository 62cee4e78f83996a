"""How much, and how long, the server listens to somebody who has not yet said what they want.

Nobody is known before the headers of a request are complete. So a connection has a moment to send
them and a bound on their size, and only so many may be at it at once. Those who are then refused
are cut off by the gate.
"""

from __future__ import annotations

import asyncio
from itertools import count
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_BYTES = 1 << 16
SECONDS = 10.0
AT_ONCE = 64
_turns = count()


class ShortPatience(H11Protocol):
    """HTTP/1.1; a connection that does not get to the end of its headers is closed."""

    seconds = SECONDS
    at_once = AT_ONCE

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._turn: int | None = None  # in the order of those who wait
        self._end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._begin_to_wait()
        self._make_room()

    def handle_events(self) -> None:
        super().handle_events()
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self._turn is None:
            self._begin_to_wait()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._stop_waiting()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _begin_to_wait(self) -> None:
        self._turn = next(_turns)
        self._end = self.loop.call_later(self.seconds, self.transport.abort)

    def _stop_waiting(self) -> None:
        self._turn = None
        if self._end is not None:
            self._end.cancel()
            self._end = None

    def _make_room(self) -> None:
        """Give up whoever has waited longest; those who mean well are done in a moment."""
        waiting = [
            (one._turn, one)
            for one in self.connections
            if isinstance(one, ShortPatience) and one._turn is not None
        ]
        if len(waiting) > self.at_once:
            _, longest = min(waiting, key=lambda pair: pair[0])
            longest._stop_waiting()
            longest.transport.abort()
