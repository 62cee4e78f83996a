"""The server: binds the port, puts gate, pages and doors together, and cleans up at the end."""

from __future__ import annotations

import errno
import logging
import os
import signal
import socket
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

from covey.app.failing import TALKATIVE
from covey.app.gate import Gate
from covey.app.keys import Keys
from covey.app.private_folder import private_folder
from covey.app.terminal import Terminal
from covey.app.tidying import tidy_when_idle
from covey.app.workshop import Workshop
from covey.errors import InvalidParameter, missing_extra

HOST = "127.0.0.1"
LAST_WORDS = 2  # seconds that open connections have at the end


def serve(port: int | None, *, limit: int, opens_browser: bool) -> None:
    """Serve the app until somebody ends it."""
    require_extra()
    os.umask(0o077)
    with bound(port) as listening, private_folder() as folder:
        os.environ["NICEGUI_STORAGE_PATH"] = str(folder / "storage")  # nothing beside the data
        keys, number = Keys(), listening.getsockname()[1]
        workshop = Workshop(folder, limit)
        workshop.start()
        try:
            gate = Gate(_pages_and_doors(workshop), number, keys)
            server = _server(gate)
            terminal = Terminal(keys, f"http://{HOST}:{number}/", folder, opens_browser)
            tidy_when_idle(lambda: gate.last_asked, lambda: bool(server.should_exit))
            with _signals(server), _silence():
                terminal.start(lambda: bool(server.started), lambda: bool(server.should_exit))
                server.run(sockets=[listening])
        finally:
            workshop.stop()


def require_extra() -> None:
    """Raise `MissingExtra` if the package that serves pages is not there."""
    if find_spec("nicegui") is None:
        raise missing_extra("The app", "nicegui", "app")


@contextmanager
def bound(port: int | None) -> Iterator[socket.socket]:
    """A socket that listens on this machine only; on a free port, if none is given."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if sys.platform == "win32":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((HOST, port or 0))
        except OSError as error:
            raise InvalidParameter(_why_not(port, error)) from None
        yield listening
    finally:
        listening.close()


def _why_not(port: int | None, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"The port {port} is in use by another program. Choose another, or leave --port out."
    if error.errno == errno.EACCES:
        return f"You have no permission to use the port {port}. Choose one above 1023."
    return f"The port {port or ''} cannot be used on this computer: {error.strerror}."


def _pages_and_doors(workshop: Workshop) -> Any:
    """The app behind the gate."""
    from fastapi import FastAPI
    from nicegui import ui

    from covey.app.doors import doors
    from covey.app.pages import build

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    app.router.routes.extend(doors(workshop))
    build(workshop)
    ui.run_with(
        app,
        title="Covey",
        dark=False,
        language="en-US",
        tailwind=False,
        reconnect_timeout=30.0,
        binding_refresh_interval=None,
        gzip_middleware_factory=None,  # nothing goes over a network
        show_welcome_message=False,
    )
    return app


def _server(gate: Gate) -> Any:
    import uvicorn

    from covey.app.patience import HEADER_BYTES, ShortPatience

    config = uvicorn.Config(
        gate,
        http=ShortPatience,
        h11_max_incomplete_event_size=HEADER_BYTES,
        ws="websockets-sansio",
        ws_max_size=1 << 20,
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=LAST_WORDS,
    )
    return uvicorn.Server(config)


@contextmanager
def _signals(server: Any) -> Iterator[None]:
    """Any wish to end is the same wish, and is no failure.

    The server takes SIGINT and SIGTERM for itself while it runs, and raises them again afterwards.
    """
    before = {
        wish: signal.signal(wish, lambda *_: None) for wish in (signal.SIGINT, signal.SIGTERM)
    }
    if hasattr(signal, "SIGHUP"):  # the terminal was closed
        signal.signal(signal.SIGHUP, lambda *_: server.handle_exit(signal.SIGTERM, None))
    try:
        yield
    finally:
        for wish, handler in before.items():
            signal.signal(wish, handler)


@contextmanager
def _silence() -> Iterator[None]:
    """Log nothing: a line about a request or an error can hold a value."""
    if os.environ.get(TALKATIVE):
        yield
        return
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(logging.NOTSET)
