"""The app as a person starts it: the command in a process of its own."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from pathlib import Path
from queue import Empty, Queue

ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/\?token=\S+")
SOON = 60  # seconds


class RunningApp:
    """`covey app` while it runs; `address` opens it once, Enter gives a new one."""

    def __init__(self, *options: str) -> None:
        command = [sys.executable, "-c", "from covey.cli.main import run; run()", "app"]
        self.process = subprocess.Popen(
            [*command, "--no-browser", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.said: list[str] = []
        self._addresses: Queue[str] = Queue()
        self._listener = threading.Thread(target=self._hear, daemon=True)
        self._listener.start()
        self._first: str | None = self._next()

    def _hear(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line)
            for address in ADDRESS.findall(line):
                self._addresses.put(address)

    def _next(self) -> str:
        try:
            return self._addresses.get(timeout=SOON)
        except Empty:
            raise AssertionError(f"the app gave no address: {''.join(self.said)}") from None

    def address(self) -> str:
        """An address that was not used yet."""
        first, self._first = self._first, None
        if first is not None:
            return first
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return self._next()

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=SOON)
        self._listener.join(timeout=SOON)
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()


def covey(*arguments: str | Path, folder: Path) -> str:
    """What the command line prints."""
    command = [sys.executable, "-c", "from covey.cli.main import run; run()"]
    done = subprocess.run(
        [*command, *map(str, arguments)], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout
