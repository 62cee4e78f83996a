"""CSV files in and out; a file is written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from covey.errors import CoveyError, InvalidParameter, SchemaError


class FileProblem(CoveyError, OSError):
    """A file cannot be read or written."""


def read_table(path: str | Path) -> Any:
    """Read a CSV file with a header line into a pyarrow Table."""
    import pyarrow as pa
    from pyarrow import csv

    path = Path(path)
    if not path.is_file():
        raise FileProblem(f"There is no file {path}.")
    try:
        table = csv.read_csv(path)
    except pa.ArrowInvalid as error:
        # Arrow quotes the offending line; a message must not show data.
        reason = "it is empty" if "Empty" in str(error) else "its lines do not fit its header"
        raise SchemaError(f"{path} could not be read as CSV: {reason}.") from None
    except OSError as error:
        raise FileProblem(f"{path} could not be read: {error.strerror}.") from error
    _require_distinct(table.column_names, path)
    return table


def write_table(table: Any, path: str | Path, *, force: bool = False) -> None:
    """Write a pyarrow Table as CSV under a temporary name, then move it into place."""
    from pyarrow import csv

    write_whole(Path(path), lambda temporary: csv.write_csv(table, temporary), force=force)


def refuse_overwrite(path: Path, *, force: bool, original: Path | None = None) -> None:
    """Raise if writing to `path` would destroy the original, or another file unasked."""
    if original is not None and path.exists() and path.samefile(original):
        raise InvalidParameter(f"{path} is the original file; write the release elsewhere.")
    if path.exists() and not force:
        raise InvalidParameter(f"{path} exists already. Choose another name or use --force.")


def write_whole(path: Path, write: Callable[[str], None], *, force: bool = False) -> None:
    """Let `write` fill a temporary file and move it to `path`; on any failure leave nothing."""
    refuse_overwrite(path, force=force)
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


def _require_distinct(names: list[str], path: Path) -> None:
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        raise SchemaError(f"{path} has more than one column named {', '.join(map(repr, doubled))}.")
