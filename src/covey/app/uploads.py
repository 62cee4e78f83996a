"""Files that come in: streamed to the private folder, counted, and refused when too large."""

from __future__ import annotations

import asyncio
import errno
import re
import shutil
from collections.abc import AsyncIterator
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO

from covey.app.failing import DISK
from covey.app.results import Upload
from covey.app.workshop import Workshop
from covey.sources.formats import FORMATS
from covey.sources.opening import EMBEDDED

ENDINGS = tuple(
    ending for ending in (*(e for format in FORMATS for e in format.endings), *EMBEDDED) if ending
)
PIECE = 1 << 20  # bytes that are written at a time
LONGEST_NAME, LONGEST_ENDING = 120, 20
ROOM = 100_000_000  # bytes that are left free on the disk
# Signs that are not seen, or that turn the direction of what follows.
UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


class Refused(Exception):
    """An upload that is not taken; the message is for the person, `status` for the browser."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def shown_name(given: str) -> str:
    """The last part of a name, as it can be shown; it is never the name of a file here."""
    last = PureWindowsPath(PurePosixPath(given).name).name
    shown = UNSEEN.sub("", last).strip()
    if len(shown) > LONGEST_NAME:  # the ending says how the file is read
        ending = Path(shown).suffix
        ending = ending if len(ending) <= LONGEST_ENDING else ""
        shown = shown[: LONGEST_NAME - len(ending)].strip() + ending
    return shown if shown.strip(".") else "file"


def ending_of(name: str) -> str:
    """The ending of a file, if Covey can read such files."""
    ending = Path(name).suffix.lower()
    if ending and ending not in ENDINGS:
        raise Refused(
            415,
            f"Covey cannot read files that end in {ending}. It reads {', '.join(ENDINGS)}.",
        )
    return ending


def too_large(limit: int) -> Refused:
    return Refused(
        413,
        f"This file is larger than {in_words(limit)}, the most that this page takes. Start covey "
        "app --max-size with more, or use the command line, which has no limit: covey protect FILE "
        "--out RELEASED --memory-limit 2GB.",
    )


def in_words(size: int) -> str:
    """A number of bytes as people say it.

    >>> in_words(500_000_000), in_words(2_500_000_000), in_words(900)
    ('500 MB', '2.5 GB', '900 bytes')
    """
    for unit, name in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if size >= unit:
            return f"{size / unit:.3g} {name}"
    return f"{size} bytes"


async def take_in(
    workshop: Workshop, name: str, announced: int | None, pieces: AsyncIterator[bytes]
) -> Upload:
    """Write what comes in to the private folder; on any failure nothing of it is left."""
    shown = shown_name(name)
    ending = ending_of(shown)
    if announced is not None and announced > workshop.limit:
        raise too_large(workshop.limit)
    _require_room(workshop.folder, announced or 0)
    upload = workshop.uploads.add(shown, ending)
    try:
        size = await _written(upload.path, pieces, workshop.limit)
        if size == 0:
            raise Refused(400, f"{shown} is empty. Choose a file with records.")
        if announced is not None and size != announced:
            raise Refused(400, f"{shown} did not arrive whole. Try again.")
    except BaseException:
        workshop.uploads.drop(upload.number)
        raise
    return workshop.uploads.note_size(upload.number, size)


async def _written(path: Path, pieces: AsyncIterator[bytes], limit: int) -> int:
    """Write in pieces of a megabyte, beside the event loop; the number of bytes."""
    size, waiting = 0, bytearray()
    try:
        with path.open("xb") as file:
            async for piece in pieces:
                size += len(piece)
                if size > limit:
                    raise too_large(limit)
                waiting += piece
                if len(waiting) >= PIECE:
                    await asyncio.to_thread(_write, file, waiting)
                    waiting = bytearray()
            await asyncio.to_thread(_write, file, waiting)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise Refused(507, DISK) from None
        raise
    return size


def _write(file: IO[bytes], piece: bytearray) -> None:
    _require_room(Path(file.name).parent, len(piece))
    file.write(piece)


def _require_room(folder: Path, size: int) -> None:
    """A full disk would hurt others, and the work needs room too."""
    if shutil.disk_usage(folder).free < size + ROOM:
        raise Refused(507, DISK)
