"""A wire between a program and a server, which counts what travels and can be cut."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress


class Wire:
    """Passes on what comes to `port`, until `limit` bytes have gone to the server."""

    def __init__(self, server: int, limit: int | None = None) -> None:
        self._server = server
        self.limit = limit
        self.sent = self.received = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()

    def cut(self) -> None:
        """Nothing goes through any more."""
        for one in (self._listener, *self._open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._server))
                self._open += [near, far]
                for ends in ((near, far, True), (far, near, False)):
                    threading.Thread(target=self._pass_on, args=ends, daemon=True).start()

    def _pass_on(self, here: socket.socket, there: socket.socket, to_server: bool) -> None:
        with suppress(OSError):
            while piece := here.recv(1 << 16):
                self.sent += len(piece) * to_server
                self.received += len(piece) * (not to_server)
                if self.limit is not None and self.sent > self.limit:
                    self.cut()
                    return
                there.sendall(piece)
        with suppress(OSError):
            there.shutdown(socket.SHUT_WR)
