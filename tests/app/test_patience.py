"""Strangers who send endless headers, or none, or too slowly: nobody else has to wait for them."""

from __future__ import annotations

import http.client
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
import uvicorn

from covey.app.patience import HEADER_BYTES, ShortPatience

from .serving import Server

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and /proc are of Unix")
# What the two ends of a line may hold between them, whatever the server reads.
BUFFERS = 20e6
PIECE = b"x" * 100_000


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    started = Server(tmp_path_factory.mktemp("tmp"))
    started.enter()
    yield started
    started.end()


def line_to(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=20)


def start_of(server: Server) -> bytes:
    return f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n".encode()


def sent_until_cut(line: socket.socket, pieces: Iterator[bytes]) -> int:
    """How many bytes could be sent before the other end closed the line."""
    sent = 0
    try:
        for piece in pieces:
            line.sendall(piece)
            sent += len(piece)
    except (BrokenPipeError, ConnectionResetError):
        pass
    return sent


class TestHeaders:
    def test_one_line_of_46_megabytes_is_cut(self, server):
        before = server.memory()
        with line_to(server.port) as line:
            line.sendall(start_of(server) + b"X-Long: ")
            sent = sent_until_cut(line, (PIECE for _ in range(460)))
            assert server.ask("GET", "/").status == 200
        assert sent < BUFFERS
        assert server.memory() - before < 10e6

    def test_many_short_lines_are_cut(self, server):
        with line_to(server.port) as line:
            line.sendall(start_of(server))
            lines = (f"X-{i}: {'y' * 80}\r\n".encode() * 100 for i in range(5000))
            assert sent_until_cut(line, lines) < BUFFERS

    def test_a_long_address_is_cut(self, server):
        with line_to(server.port) as line:
            line.sendall(b"GET /")
            assert sent_until_cut(line, (PIECE for _ in range(460))) < BUFFERS

    def test_the_answer_says_that_it_was_no_request(self, server):
        answer = server.raw(start_of(server) + b"X-Long: " + b"x" * (HEADER_BYTES + 1))
        assert answer.startswith(b"HTTP/1.1 4")

    def test_while_one_is_half_sent_others_are_answered(self, server):
        with line_to(server.port) as line:
            line.sendall(start_of(server) + b"X-Long: " + b"x" * (HEADER_BYTES // 2))
            assert server.ask("GET", "/").status == 200

    def test_what_a_browser_may_send_passes(self, server):
        assert server.ask("GET", "/", X_Cookies="x" * 40_000).status == 200


class TestTheTurnedAway:
    @pytest.mark.parametrize("method", ["GET", "POST"])
    def test_have_no_open_line(self, server, method):
        request = f"{method} / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        with line_to(server.port) as line:
            line.sendall(f"{request}Content-Length: 5\r\n\r\nhello".encode())
            answer = b""
            while piece := line.recv(65536):
                answer += piece
        assert answer.startswith(b"HTTP/1.1 403")
        assert b"connection: close" in answer

    def test_are_not_heard_for_ever(self, server):
        """A body without an end: the answer comes all the same, and the line is closed."""
        request = f"POST / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 999999999"
        with line_to(server.port) as line:
            line.sendall(f"{request}\r\n\r\n".encode())
            assert sent_until_cut(line, (PIECE for _ in range(9000))) < BUFFERS

    def test_who_sends_nothing_more_is_answered_too(self, server):
        request = f"POST / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 9"
        assert server.raw(f"{request}\r\n\r\n".encode()).startswith(b"HTTP/1.1 403")

    def test_those_who_are_known_keep_their_line(self, server):
        line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        headers = {"Cookie": server.cookie}
        for _ in range(3):
            line.request("GET", "/nowhere", headers=headers)
            answer = line.getresponse()
            assert answer.status == 404
            answer.read()
            kept = line.sock
            assert kept is not None
        line.close()


# -- time and number, with a server that has very little patience --------------------------------


async def hello(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": [(b"a", b"b")]})
    await send({"type": "http.response.body", "body": b"hello"})


@contextmanager
def serving(seconds: float, at_once: int) -> Iterator[int]:
    """A server in a thread, which is told how much patience it has; its port."""
    patience = type("Patience", (ShortPatience,), {"seconds": seconds, "at_once": at_once})
    config = uvicorn.Config(hello, http=patience, log_config=None, lifespan="off", port=0)
    server = uvicorn.Server(config)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield listening.getsockname()[1]
        server.should_exit = True
        thread.join(timeout=20)


def is_closed(line: socket.socket) -> bool:
    """Wait until the other end closes a line, or 20 seconds."""
    try:
        return line.recv(1) == b""
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False


def answer_on(line: socket.socket) -> bytes:
    """All of the answer, which may come in pieces."""
    line.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    answer = b""
    while not answer.endswith(b"0\r\n\r\n"):
        piece = line.recv(65536)
        if not piece:
            break
        answer += piece
    return answer


def test_a_line_that_says_nothing_is_closed():
    with serving(0.3, 100) as port, line_to(port) as line:
        assert is_closed(line)


def test_a_line_that_drips_is_closed():
    """Each byte begins no new moment."""
    with serving(1.0, 100) as port, line_to(port) as line:
        began = time.monotonic()
        line.sendall(b"GET / HTTP/1.1\r\nX: ")
        sent_until_cut(line, _dripping(200))
        assert time.monotonic() - began < 20


def _dripping(count: int) -> Iterator[bytes]:
    for _ in range(count):
        time.sleep(0.1)
        yield b"x"


def test_the_second_request_of_a_line_has_no_more_time():
    with serving(0.5, 100) as port, line_to(port) as line:
        assert b"hello" in answer_on(line)
        line.sendall(b"GET / HTTP/1.1\r\n")
        assert is_closed(line)


def test_who_has_waited_longest_makes_room():
    with serving(60, 5) as port, ExitStack() as stack:
        first = [stack.enter_context(line_to(port)) for _ in range(8)]
        assert all(is_closed(line) for line in first[:3])
        assert b"hello" in answer_on(first[-1])
        with line_to(port) as line:
            assert b"hello" in answer_on(line)


def test_requests_that_are_complete_do_not_count():
    """Many good lines at once, each answered again and again."""
    with serving(60, 5) as port, ExitStack() as stack:
        lines = []
        for _ in range(5):
            lines.append(stack.enter_context(line_to(port)))
            assert b"hello" in answer_on(lines[-1])
        assert all(b"hello" in answer_on(line) for line in lines)
