"""A file is written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from covey.errors import InvalidParameter
from covey.sources.problems import FileProblem


def check_place(path: Path, *, force: bool, original: Path | None = None) -> None:
    """Raise if nothing can be written at `path`, or the original or another file would be lost."""
    if not path.parent.is_dir():
        raise FileProblem(f"The folder {path.parent} does not exist.")
    if not path.exists():
        return
    if not path.is_file():
        raise FileProblem(f"{path} is not a file that can be replaced.")
    if original is not None and original.exists() and path.samefile(original):
        raise InvalidParameter(f"{path} is the original file; write the release elsewhere.")
    if not force:
        raise InvalidParameter(
            f"{path} exists already. Choose another name, or force it (--force)."
        )
    if not os.access(path, os.W_OK):
        raise FileProblem(f"{path} is write-protected.")


def write_whole(path: Path, write: Callable[[str], None], *, force: bool = False) -> None:
    """Let `write` fill a temporary file and move it to `path`; on any failure leave nothing."""
    check_place(path, force=force)
    path = path.resolve()  # a link keeps pointing to the new file
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        os.close(handle)
        try:
            write(temporary)
            os.chmod(temporary, 0o666 & ~_umask())
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        reason = error.strerror or "the system refused"
        raise FileProblem(f"{path} could not be written: {reason}.") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_text(path: Path, text: str, *, force: bool = False) -> None:
    """Write a text in UTF-8, whole or not at all."""
    write_whole(path, lambda place: _fill(place, text.encode()), force=force)


def write_bytes(path: Path, content: bytes, *, force: bool = False) -> None:
    """Write bytes, whole or not at all."""
    write_whole(path, lambda place: _fill(place, content), force=force)


def _fill(place: str, content: bytes) -> None:
    Path(place).write_bytes(content)
