"""What a place says that still lacks what it is about: an open file, or a release of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.app.pages.parts import button, empty, head
from covey.app.pages.places import NAMES

if TYPE_CHECKING:
    from covey.app.pages.frame import Frame

NEEDS_FILE = ("roles", "protect", "compare", "look", "release")
NEEDS_RUN = ("look", "release")


def nothing_yet(frame: Frame) -> bool:
    """Say what to do first; False if nothing is lacking."""
    opened = frame.workshop.state.opened
    if frame.place in NEEDS_FILE and (opened is None or not opened.is_ready):
        _say(frame, "file", "No file is open", "Open a file first, or try the example survey.")
        return True
    if frame.place in NEEDS_RUN and frame.workshop.run is None:
        about = "Choose how to protect, and start it."
        _say(frame, "shield", "Nothing is protected yet", about)
        return True
    return False


def _say(frame: Frame, picture: str, title: str, about: str) -> None:
    place, words = {
        "file": ("open", "Open a file"),
        "shield": ("protect", "Choose how to protect"),
    }[picture]
    head(NAMES[frame.place], "There is nothing to show yet.")
    with empty(picture, title, about):
        button(words, lambda: frame.go(place), id=f"to-{place}", look="main-action")
