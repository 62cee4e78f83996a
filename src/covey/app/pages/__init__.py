"""The pages of the app: one file for each step of the path."""

from __future__ import annotations

from nicegui import ui

from covey.app.looks.theme import FAVICON
from covey.app.pages.frame import Frame
from covey.app.pages.places import PATHS
from covey.app.workshop import Workshop

__all__ = ["build"]


def build(workshop: Workshop) -> None:
    """Put the pages of a workshop at their addresses."""
    for place, path in PATHS.items():
        _put(workshop, place, path)


def _put(workshop: Workshop, place: str, path: str) -> None:
    @ui.page(path, title="Covey", favicon=FAVICON, response_timeout=10)
    def page() -> None:
        Frame(workshop, place).build()
