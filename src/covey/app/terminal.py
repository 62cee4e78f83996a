"""What the terminal shows and does while the app runs: the address, and a new one on Enter."""

from __future__ import annotations

import os
import select
import sys
import threading
import time
import webbrowser
from collections.abc import Callable
from html import escape
from pathlib import Path

from covey.app.keys import Keys

GLANCE = 0.2  # seconds
FORWARD = "open.html"
FORWARDS = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Covey</title>
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url={address}"></head>
<body><p><a href="{address}">Go on to Covey</a></p></body></html>
"""


class Terminal:
    """Prints the address, opens the browser, and waits for Enter.

    `folder` is the private one.
    """

    def __init__(self, keys: Keys, place: str, folder: Path, opens_browser: bool) -> None:
        self._keys = keys
        self._place = place
        self._folder = folder
        self._opens_browser = opens_browser

    def start(self, has_begun: Callable[[], bool], has_ended: Callable[[], bool]) -> None:
        """Begin once the server has, and stop when it does."""

        def talk() -> None:
            while not has_begun():
                if has_ended():
                    return
                time.sleep(GLANCE / 4)
            self._begin()
            self._listen(has_ended)

        threading.Thread(target=talk, name="terminal", daemon=True).start()

    def address(self) -> str:
        """An address that opens the app once."""
        return f"{self._place}?token={self._keys.new_token()}"

    def _begin(self) -> None:
        address = self.address()
        print(f"Covey runs on this computer only. Open it once at:\n  {address}")
        print("Press Enter for a new address, Ctrl-C to end. At the end, all files are removed.")
        sys.stdout.flush()
        if self._opens_browser and _has_screen():
            webbrowser.open(forwarding_file(self._folder, address).as_uri())

    def _listen(self, has_ended: Callable[[], bool]) -> None:
        while not has_ended():
            if _enter_was_pressed():
                print(f"  {self.address()}", flush=True)


def forwarding_file(folder: Path, address: str) -> Path:
    """A page that leads to the address, for this user only.

    The command that starts a browser is seen by everybody on the computer, and so would an address
    in it be.
    """
    path = folder / FORWARD
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(FORWARDS.format(address=escape(address)))
    return path


def _has_screen() -> bool:
    """Whether a browser would open in a window, and not in this terminal."""
    if sys.platform in ("win32", "darwin") or os.environ.get("BROWSER"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _enter_was_pressed() -> bool:
    """Look for a moment. It never waits for good, which would keep the process from ending."""
    if sys.platform == "win32":
        import msvcrt

        time.sleep(GLANCE)
        return bool(msvcrt.kbhit()) and msvcrt.getch() in (b"\r", b"\n")
    if not _may_read():
        time.sleep(GLANCE)
        return False
    ready, _, _ = select.select([0], [], [], GLANCE)
    if not ready:
        return False
    typed = os.read(0, 1024)
    if not typed:  # there is nobody to type
        time.sleep(GLANCE)
    return b"\n" in typed


def _may_read() -> bool:
    """In the background of a shell, reading from the terminal would stop the process."""
    try:
        return not os.isatty(0) or os.getpgrp() == os.tcgetpgrp(0)
    except OSError:
        return False
