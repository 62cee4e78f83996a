"""CSV files in and out; a file is written whole or not at all."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from covey.errors import CoveyError, InvalidParameter, SchemaError


class FileProblem(CoveyError, OSError):
    """A file cannot be read or written."""


def read_table(path: str | Path) -> Any:
    """Read a comma-separated UTF-8 file with a header line into a pyarrow Table."""
    import pyarrow as pa
    from pyarrow import csv

    path = Path(path)
    if not path.is_file():
        raise FileProblem(f"{path} is a folder." if path.is_dir() else f"There is no file {path}.")
    try:
        table = csv.read_csv(path)
        names = list(table.column_names)
    except pa.ArrowInvalid as error:
        raise SchemaError(f"{path} could not be read as CSV: {_reason(str(error))}.") from None
    except UnicodeDecodeError:
        raise SchemaError(f"{path} is not in UTF-8. Save it as UTF-8 first.") from None
    except OSError as error:
        raise FileProblem(f"{path} could not be read: {error.strerror}.") from error
    _require_header(names, path)
    if table.num_rows == 0:
        raise SchemaError(f"{path} has a header line but no records.")
    return table


def _reason(message: str) -> str:
    """Arrow's message without the line it quotes: a message must not show data."""
    if "Empty" in message:
        return "it is empty"
    if "UTF8" in message:
        return "it is not in UTF-8; save it as UTF-8 first"
    found = re.search(r"(?:Row #(\d+): )?Expected (\d+) columns, got (\d+)", message)
    if found:
        line = f"line {found[1]}" if found[1] else "a line"
        return f"{line} has {found[3]} fields where the header has {found[2]}"
    return "its lines do not fit its header"


def _require_header(names: list[str], path: Path) -> None:
    if any(is_number(name) or not name.strip() for name in names):
        raise SchemaError(
            f"The first line of {path} looks like data, or has empty names. "
            "Give every column a name."
        )
    for separator, word in ((";", "semicolons"), ("\t", "tabs")):
        if len(names) == 1 and separator in names[0]:
            raise SchemaError(
                f"The columns of {path} seem to be separated by {word}. Save it with commas."
            )
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        raise SchemaError(f"{path} has more than one column named {', '.join(map(repr, doubled))}.")


def is_number(text: Any) -> bool:
    """Whether a text reads as a number."""
    try:
        float(text)
    except (TypeError, ValueError):
        return False
    return True


def write_table(table: Any, path: str | Path, *, force: bool = False) -> None:
    """Write a pyarrow Table as CSV under a temporary name, then move it into place."""
    from pyarrow import csv

    write_whole(Path(path), lambda temporary: csv.write_csv(table, temporary), force=force)


def check_target(path: Path, *, force: bool, original: Path | None = None) -> None:
    """Raise if `path` cannot be written, or would destroy the original or another file unasked."""
    if path.suffix.lower() not in ("", ".csv", ".txt"):
        raise InvalidParameter(f"{path}: releases are written as CSV; use a name ending in .csv.")
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
    check_target(path, force=force)
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
