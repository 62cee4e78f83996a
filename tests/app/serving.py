"""A real server in a process of its own, and somebody who asks it, politely or not."""

from __future__ import annotations

import base64
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

COMMAND = [sys.executable, "-c", "from covey.cli.main import run; run()", "app", "--no-browser"]


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Server:
    """The command `covey app`, with a folder for temporary files of its own."""

    def __init__(self, temporary: Path, *options: str) -> None:
        self.temporary = temporary
        # Whatever it says is kept; only the first lines are expected.
        self.said = temporary / "said.txt"
        self._output = self.said.open("w+")
        self.process = subprocess.Popen(
            [*COMMAND, *options],
            stdin=subprocess.PIPE,
            stdout=self._output,
            stderr=subprocess.STDOUT,
            env={**os.environ, "TMPDIR": str(temporary), "COVEY_APP_ERRORS": ""},
            text=True,
        )
        self.address = self._address(0)
        self.port = int(re.search(r":(\d+)/", self.address)[1])
        self.here = f"http://127.0.0.1:{self.port}"
        self.cookie: str | None = None

    def _address(self, number: int) -> str:
        deadline = time.monotonic() + 60
        while len(found := re.findall(r"http://\S+", self.said.read_text())) <= number:
            assert self.process.poll() is None, self.said.read_text()
            assert time.monotonic() < deadline, "the server does not start"
            time.sleep(0.05)
        return found[number]

    def new_address(self) -> str:
        """Press Enter in the terminal."""
        known = len(re.findall(r"http://\S+", self.said.read_text()))
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return self._address(known)

    @property
    def token(self) -> str:
        return self.address.partition("token=")[2]

    def enter(self) -> None:
        """Exchange the token for the cookie."""
        answer = self.ask("GET", f"/?token={self.token}")
        assert answer.status == 200, answer
        self.cookie = answer.headers["set-cookie"].partition(";")[0]

    def ask(
        self, method: str, path: str, body: Any = None, /, *, host: str | None = None, **more: str
    ) -> Answer:
        """Ask as the page would; `more` are headers, in place of those or beside them."""
        headers = {"Host": host or f"127.0.0.1:{self.port}"}
        if self.cookie is not None:
            headers["Cookie"] = self.cookie
        if method != "GET":
            headers["Origin"] = self.here
        headers |= {name.replace("_", "-"): value for name, value in more.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, body, {k: v for k, v in headers.items() if v})
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, found, answer.read())
        finally:
            connection.close()

    def raw(self, request: bytes) -> bytes:
        """Send bytes, and read what comes back until the line is closed or silent."""
        found = b""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as line:
            line.sendall(request)
            with suppress(TimeoutError):
                while piece := line.recv(65536):
                    found += piece
                    line.settimeout(0.5)
        return found

    def shake_hands(self, **headers: str) -> int:
        """Ask for a websocket as a browser does; the status of the answer."""
        lines = {
            "Host": f"127.0.0.1:{self.port}",
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
            "Sec-WebSocket-Version": "13",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        path = "/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
        text = "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value)
        return int(self.raw(f"GET {path} HTTP/1.1\r\n{text}\r\n".encode()).split()[1])

    def memory(self) -> int:
        """Bytes of memory that the server holds."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) * 1024

    def children(self) -> list[int]:
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(pid) for pid in listed.split()]

    def folders(self) -> list[Path]:
        return list(self.temporary.glob("covey-app-*"))

    def end(self, wish: int = signal.SIGTERM) -> int:
        """End it, and the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(wish)
        code = self.process.wait(timeout=20)
        self.process.stdin.close()
        self._output.close()
        return code
