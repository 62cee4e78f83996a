"""Take the time of writing out of a file: equal tables, equal bytes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

Stamp = tuple[int, bytes]  # where, and what to put there


def erase_spss(path: Path) -> None:
    """Date and time in the header of a system file."""
    _overwrite(path, [(92, b"01 Jan 80"), (101, b"00:00:00")])


def erase_sas(path: Path) -> None:
    """Created and modified, of the library and of the data set, in records of 80 bytes."""
    _overwrite(path, [(place, b"01JAN80:00:00:00") for place in (144, 160, 464, 480)])


def erase_stata(path: Path) -> None:
    """The element of the header that has date and time, after a byte for its length."""
    with path.open("rb") as file:
        place = file.read(2000).find(b"<timestamp>")
    if place >= 0:
        _overwrite(path, [(place + len(b"<timestamp>") + 1, b"01 Jan 1980 00:00")])


def _overwrite(path: Path, stamps: Iterable[Stamp]) -> None:
    with path.open("r+b") as file:
        for place, text in stamps:
            file.seek(place)
            file.write(text)
