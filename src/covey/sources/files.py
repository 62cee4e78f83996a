"""Files in and out, in the format that the ending of their name tells."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.errors import InvalidParameter
from covey.progress import Stage
from covey.sources.contents import FileContents, is_number, require_records
from covey.sources.databases.addresses import is_remote, require_no_secret
from covey.sources.formats import format_to_read, reader_for, writer_for
from covey.sources.kinds import settled
from covey.sources.problems import FileProblem
from covey.sources.whole import check_place, write_whole

if TYPE_CHECKING:  # it brings numpy, which this room needs only when it works
    from covey.types import Progress

__all__ = [
    "FileContents",
    "FileProblem",
    "check_target",
    "is_number",
    "read_file",
    "read_table",
    "write_table",
    "write_whole",
]


def read_file(
    path: str | Path, progress: Progress | None = None, encoding: str | None = None
) -> FileContents:
    """Read a file.

    Parameters
    ----------
    path : str or Path
        Its ending tells the format; a name without one is read as CSV.
    progress : callable, optional
        Called with (stage, done, total), in bytes, before and after.
    encoding : str, optional
        Of a CSV or TSV file, by any name that Python knows; without it, it is recognised.

    Returns
    -------
    FileContents
        `table`, a pyarrow Table; `format`; and `notes`, sentences on what was detected.
    """
    path = Path(path)
    _require_readable(path)
    read = reader_for(path, encoding)
    size = path.stat().st_size
    if progress:
        progress(Stage.READING, 0, size)
    try:
        contents = read(path)
    except OSError as error:
        if isinstance(error, FileProblem):
            raise
        reason = error.strerror or "the system refused"
        raise FileProblem(f"{path} could not be read: {reason}.") from error
    require_records(contents.table, path)
    if progress:
        progress(Stage.READING, size, size)
    return contents


def read_table(path: str | Path) -> Any:
    """Read a file into a pyarrow Table; `read_file` also tells what was detected."""
    return read_file(path).table


def _require_readable(path: Path) -> None:
    _require_here(path)
    require_no_secret(str(path))
    if path.is_dir():
        raise FileProblem(f"{path} is a folder.")
    if not path.is_file():
        raise FileProblem(f"There is no file {path}.")
    if not os.access(path, os.R_OK):
        raise FileProblem(f"{path} could not be read: you have no permission.")


def _require_here(path: Path) -> None:
    """Raise for a place on another file system, whose address a Path would change."""
    if is_remote(str(path).replace(":/", "://", 1)):
        raise InvalidParameter(
            "Files of other file systems are read and written by open_source(…).read() and "
            "open_target(…).write(…); this is for files of this computer."
        )


def write_table(table: Any, path: str | Path, *, force: bool = False) -> None:
    """Write a pyarrow Table in the format of the ending; the file is whole or not there.

    Equal tables give equal bytes, whatever their chunks.
    """
    _require_here(Path(path))
    write_whole(Path(path), table_writer(table, Path(path)), force=force)


def table_writer(table: Any, path: Path) -> Callable[[str], None]:
    """What fills a file with `table`, in the format of the ending of `path`."""
    write = writer_for(path)
    return lambda temporary: write(settled(table), temporary)


def read_back(staged: Path, path: Path) -> Any:
    """The table in a file that will be called `path` and still has a temporary name."""
    return format_to_read(path).read(staged).table


def check_target(path: Path, *, force: bool, original: Path | Sequence[Path] = ()) -> None:
    """Raise if `path` cannot be written, or would destroy the original or another file unasked."""
    require_no_secret(str(path))
    writer_for(path)
    check_place(path, force=force, original=original)
