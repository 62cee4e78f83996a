"""A real server, asked over HTTP and websockets by people who mean well and people who do not."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from websockets.sync.client import connect

from covey.errors import install_command

from .serving import COMMAND, Server

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and /proc are of Unix")
SECRET = "Mrs-Miller-4711"
TABLE = "name,age,income\n" + "".join(
    f"{SECRET}-{i},{20 + i % 30},{1000 + i % 17}\n" for i in range(50)
)


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    """A server that somebody has entered; its token is used."""
    started = Server(tmp_path_factory.mktemp("tmp"), "--max-size", "20MB")
    started.enter()
    yield started
    started.end()


@pytest.fixture
def stranger(server) -> Iterator[Server]:
    """The same server, asked without the cookie."""
    cookie, server.cookie = server.cookie, None
    yield server
    server.cookie = cookie


def until(holds, seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.05)


class TestTheGate:
    @pytest.mark.parametrize("path", ["/", "/roles", "/_nicegui/x", "/download/1/data", "/upload"])
    def test_nothing_without_a_token(self, stranger, path):
        answer = stranger.ask("GET", path)
        assert answer.status == 403
        assert b"covey app" in answer.body
        assert b"_nicegui" not in answer.body

    def test_a_token_that_was_used(self, stranger):
        answer = stranger.ask("GET", f"/?token={stranger.token}")
        assert answer.status == 403
        assert "set-cookie" not in answer.headers

    def test_a_new_address_on_enter(self, server):
        address = server.new_address()
        assert address != server.address
        other = server.ask("GET", address.removeprefix(server.here), Cookie="")
        assert other.status == 200
        assert server.ask("GET", "/").status == 403, "the old session goes on"
        server.cookie = other.headers["set-cookie"].partition(";")[0]
        assert server.ask("GET", "/").status == 200

    def test_with_the_cookie(self, server):
        answer = server.ask("GET", "/")
        assert answer.status == 200
        assert b"Covey" in answer.body
        assert answer.headers["cache-control"] == "no-store"
        assert "server" not in answer.headers

    @pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1:1", "[::1]"])
    def test_another_host(self, server, host):
        assert server.ask("GET", "/", host=host).status == 403

    @pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
    def test_another_origin(self, server, origin):
        assert server.ask("GET", "/", Origin=origin).status == 403
        assert server.ask("POST", "/upload?name=a.csv", TABLE, Origin=origin).status == 403

    def test_a_post_without_an_origin(self, server):
        assert server.ask("POST", "/upload?name=a.csv", TABLE, Origin="").status == 403

    def test_no_documentation_of_the_inside(self, server):
        for path in ("/docs", "/redoc", "/openapi.json"):
            assert server.ask("GET", path).status == 404

    @pytest.mark.parametrize(
        "path",
        [
            *("/download/../../../etc/passwd", "/download/1/..%2f..%2fetc%2fpasswd"),
            *("/show/1/%2e%2e", "/download/1/data", "/download/-1/data", "/download/1e9/data"),
            *("//etc/passwd", "/%2e%2e/%2e%2e/etc/passwd"),
            "/_nicegui/3/static/..%2f..%2f..%2fetc%2fpasswd",
        ],
    )
    def test_paths_lead_nowhere(self, server, path):
        answer = server.ask("GET", path)
        assert answer.status in (400, 404)
        assert b"root:" not in answer.body

    def test_the_server_is_not_reached_from_other_machines(self, server):
        listening = Path("/proc/net/tcp").read_text()
        assert f"0100007F:{server.port:04X}" in listening  # 127.0.0.1
        assert f"00000000:{server.port:04X}" not in listening


class TestWebsockets:
    def test_with_cookie_and_origin(self, server):
        headers = {"Cookie": server.cookie}
        address = f"ws://127.0.0.1:{server.port}/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
        with connect(address, origin=server.here, additional_headers=headers) as line:
            assert line.recv(timeout=5).startswith("0{")

    def test_as_a_browser_shakes_hands(self, server):
        assert server.shake_hands(Origin=server.here, Cookie=server.cookie) == 101

    @pytest.mark.parametrize("origin", ["", "http://evil.example", "null", "http://127.0.0.1:1"])
    def test_another_origin_or_none(self, server, origin):
        assert server.shake_hands(Origin=origin, Cookie=server.cookie) == 403

    @pytest.mark.parametrize("cookie", ["", "covey-{port}=wrong", "covey-1={session}"])
    def test_without_the_cookie(self, server, cookie):
        session = server.cookie.partition("=")[2]
        given = cookie.format(port=server.port, session=session)
        assert server.shake_hands(Origin=server.here, Cookie=given) == 403

    def test_another_host(self, server):
        given = {"Host": "evil.example", "Origin": "http://evil.example", "Cookie": server.cookie}
        assert server.shake_hands(**given) == 403


class TestUploads:
    def test_a_file_is_opened(self, server):
        answer = server.ask("POST", "/upload?name=people.csv", TABLE)
        assert answer.status == 200, answer
        assert set(answer.json) == {"upload", "job"}
        (folder,) = server.folders()
        assert folder.stat().st_mode & 0o077 == 0
        for file in folder.glob("upload-*"):
            assert file.stat().st_mode & 0o077 == 0

    def test_a_name_leads_nowhere(self, server, tmp_path):
        name = "..%2F..%2F..%2F" + str(tmp_path / "outside.csv").replace("/", "%2F")
        assert server.ask("POST", f"/upload?name={name}", TABLE).status == 200
        assert not (tmp_path / "outside.csv").exists()
        (folder,) = server.folders()
        assert {re.sub(r"\d+", "N", file.name) for file in folder.glob("*.csv")} == {"upload-N.csv"}

    def test_an_ending_that_nobody_knows(self, server):
        answer = server.ask("POST", "/upload?name=virus.exe", b"MZ")
        assert answer.status == 415
        assert "It reads .csv" in answer.json["message"]

    def test_an_empty_file(self, server):
        answer = server.ask("POST", "/upload?name=a.csv", b"")
        assert (answer.status, answer.json["message"][:14]) == (400, "a.csv is empty")

    def test_two_gigabytes_are_refused_unread(self, server):
        """By what is announced: the answer comes before any of it was sent."""
        before = server.memory()
        request = (
            f"POST /upload?name=a.csv HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            f"Origin: {server.here}\r\nCookie: {server.cookie}\r\n"
            f"Content-Length: {2 * 10**9}\r\n\r\n"
        )
        answer = server.raw(request.encode())
        assert b" 413 " in answer.split(b"\r\n")[0]
        assert b"larger than 20 MB" in answer
        assert b"covey protect" in answer
        assert server.memory() - before < 20e6
        self.nothing_is_left(server)

    def test_two_gigabytes_without_a_length_are_refused_at_the_limit(self, server):
        before, sent, most = server.memory(), 0, 0

        def endless() -> Iterable[bytes]:
            nonlocal sent, most
            piece = b"x" * 1_000_000
            for _ in range(2000):
                sent += len(piece)
                most = max(most, *self.sizes(server), 0)
                yield piece

        try:
            answer = server.ask("POST", "/upload?name=a.csv", endless())
            assert answer.status == 413
        except (BrokenPipeError, ConnectionResetError):
            pass  # it was cut off in mid-sentence, which is a refusal too
        assert sent < 200e6
        assert most <= 20e6
        assert server.memory() - before < 40e6
        until(lambda: self.nothing_is_left(server))
        assert server.ask("GET", "/").status == 200

    def test_a_line_that_breaks_leaves_nothing(self, server):
        count = len(self.uploads(server))
        request = (
            f"POST /upload?name=a.csv HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            f"Origin: {server.here}\r\nCookie: {server.cookie}\r\nContent-Length: 9000000\r\n\r\n"
        )
        with closing(socket.create_connection(("127.0.0.1", server.port))) as line:
            line.sendall(request.encode() + b"x" * 3_000_000)
            until(lambda: len(self.uploads(server)) > count)
        until(lambda: len(self.uploads(server)) == count)

    @staticmethod
    def uploads(server: Server) -> list[Path]:
        return [file for folder in server.folders() for file in folder.glob("upload-*")]

    def sizes(self, server: Server) -> Iterator[int]:
        """Of the uploads that are still there when they are looked at."""
        for file in self.uploads(server):
            with suppress(FileNotFoundError):
                yield file.stat().st_size

    def nothing_is_left(self, server: Server) -> bool:
        return all(size < 1e6 for size in self.sizes(server))


class TestTheEnd:
    def test_nothing_is_said(self, tmp_path):
        """Uploads, refusals, errors, the end: the terminal shows the address and nothing else."""
        server = Server(tmp_path)
        server.enter()
        server.ask("POST", f"/upload?name={SECRET}.csv", TABLE)
        server.ask("POST", f"/upload?name={SECRET}.csv", f"{SECRET},{SECRET}\n1,2,3\n")
        server.ask("GET", f"/{SECRET}")
        server.ask("GET", f"/?x={SECRET}", host=f"{SECRET}.example")
        server.raw(f"{SECRET} nonsense\r\n\r\n".encode())
        server.shake_hands(Origin=f"http://{SECRET}")
        time.sleep(2)
        workers = server.children()
        assert list(server.folders()[0].glob("upload-*"))
        assert server.end(signal.SIGTERM) == 0
        said = server.said.read_text()
        assert SECRET not in said
        assert len(said.splitlines()) == 3, said
        assert server.folders() == []
        until(lambda: not any(is_alive(pid) for pid in workers), 10)

    def test_the_folder_is_gone_when_the_terminal_is_closed(self, tmp_path):
        server = Server(tmp_path)
        assert server.folders()
        workers = server.children()
        assert server.end(signal.SIGHUP) == 0
        assert server.folders() == []
        until(lambda: not any(is_alive(pid) for pid in workers), 10)

    def test_the_folder_is_gone_after_a_kill_and_the_next_start(self, tmp_path):
        server = Server(tmp_path)
        server.enter()
        server.ask("POST", "/upload?name=a.csv", TABLE)
        workers = server.children()
        server.end(signal.SIGKILL)
        (left,) = server.folders()
        assert list(left.glob("upload-*"))
        until(lambda: not any(is_alive(pid) for pid in workers), 10)
        other = Server(tmp_path)
        assert left not in other.folders()
        assert len(other.folders()) == 1
        other.end()
        assert other.folders() == []

    def test_with_a_page_open_it_ends_soon(self, tmp_path):
        server = Server(tmp_path)
        server.enter()
        address = f"ws://127.0.0.1:{server.port}/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
        headers = {"Cookie": server.cookie}
        with connect(address, origin=server.here, additional_headers=headers) as line:
            line.recv(timeout=5)
            started = time.monotonic()
            assert server.end(signal.SIGINT) == 0
            assert time.monotonic() - started < 8
        assert server.folders() == []


class TestTheCommand:
    def test_two_servers_do_not_know_each_other(self, tmp_path, server):
        other = Server(tmp_path)
        other.enter()
        assert other.port != server.port
        assert other.ask("GET", "/", Cookie=server.cookie).status == 403
        assert server.ask("GET", "/", Cookie=other.cookie).status == 403
        assert other.ask("GET", "/", Cookie=f"{other.cookie}; {server.cookie}").status == 200
        other.end()
        assert server.ask("GET", "/").status == 200

    def test_a_port_that_is_taken(self, server):
        done = run("--port", str(server.port))
        assert done.returncode == 2
        assert f"The port {server.port} is in use by another program." in done.stderr
        assert "Traceback" not in done.stderr

    @pytest.mark.parametrize("size", ["much", "-1MB", "0"])
    def test_a_size_that_is_none(self, size):
        done = run("--max-size", size)
        assert done.returncode == 2
        assert "--max-size must be" in done.stderr

    def test_help_loads_nothing_heavy(self):
        code = (
            "import sys; sys.argv = ['covey', 'app', '--help']\n"
            "from covey.cli.main import app\n"
            "try: app()\n"
            "except SystemExit: print(*sys.modules)"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        assert "--max-size" in done.stdout
        loaded = {name.split(".")[0] for name in done.stdout.split()}
        assert not {"numpy", "nicegui", "fastapi", "uvicorn", "starlette"} & loaded

    def test_without_the_extra(self):
        code = (
            "import importlib.util as u; find = u.find_spec;"
            "u.find_spec = lambda name, *a: None if name == 'nicegui' else find(name, *a);"
            "from covey.cli.main import run; run()"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, "app"], capture_output=True, text=True, check=False
        )
        assert done.returncode == 2
        assert install_command("app") in done.stderr


def run(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *options], capture_output=True, text=True, check=False, timeout=60
    )


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A process that ended and that nobody has asked for yet is not alive.
    return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
