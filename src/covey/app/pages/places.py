"""The six places of the path: their names, addresses and pages."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

NAMES = {
    "open": "Open",
    "roles": "Roles",
    "protect": "Protect",
    "look": "Look",
    "compare": "Compare",
    "release": "Release",
}
PATHS = {place: "/" if place == "open" else f"/{place}" for place in NAMES}
_FILES = {
    "open": "opening",
    "roles": "roles",
    "protect": "protecting",
    "look": "looking",
    "compare": "comparing",
    "release": "releasing",
}


def at(path: str) -> str:
    """The place at an address; the first one for an unknown address.

    >>> at("/roles"), at("/nowhere")
    ('roles', 'open')
    """
    return next((place for place, known in PATHS.items() if known == path), "open")


def page_of(place: str) -> Callable[[Any], None]:
    """What builds a page; it is given the frame."""
    build: Callable[[Any], None] = import_module(f"covey.app.pages.{_FILES[place]}").page
    return build


def megabytes(size: int) -> str:
    """
    >>> megabytes(500_000_000)
    '500 MB'
    """
    return f"{size / 1e6:,.0f} MB" if size >= 10_000_000 else f"{size / 1e6:.1f} MB"


def too_large(name: str, size: int, limit: int) -> str:
    return (
        f"{name} has {megabytes(size)}; this page takes files of up to {megabytes(limit)}. The "
        "command line has no such limit: covey protect FILE --out RELEASED --memory-limit 2GB"
    )
