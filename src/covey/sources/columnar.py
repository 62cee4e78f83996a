"""Parquet and Arrow files, which hold a table as it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from covey.errors import SchemaError
from covey.sources.contents import FileContents
from covey.sources.problems import FileProblem


def read_parquet(path: Path) -> FileContents:
    """Read a Parquet file."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        # Not `read_table`: that takes folders named like "year=2020" for a column.
        with path.open("rb") as file:
            return FileContents(parquet.ParquetFile(file).read(), "Parquet")
    except pa.ArrowException:
        raise _damaged(path, "a Parquet file") from None
    except OSError as error:
        if error.strerror:
            raise
        raise _damaged(path, "a Parquet file") from None  # Arrow's, for pages it cannot decode


def read_arrow(path: Path) -> FileContents:
    """Read an Arrow (Feather) file, in the file or the stream layout."""
    import pyarrow as pa

    try:
        return FileContents(_opened(path), "Arrow")
    except pa.ArrowException:
        raise _damaged(path, "an Arrow file") from None
    except OSError as error:
        if error.strerror:
            raise
        raise _damaged(path, "an Arrow file") from None


def _opened(path: Path) -> Any:
    import pyarrow as pa
    from pyarrow import ipc

    with path.open("rb") as file:
        try:
            return ipc.open_file(file).read_all()
        except pa.ArrowInvalid:
            file.seek(0)
            return ipc.open_stream(file).read_all()


def _damaged(path: Path, what: str) -> FileProblem:
    return FileProblem(f"{path} is not {what}, or it is damaged.")


def write_parquet(table: Any, temporary: str) -> None:
    """Write a Parquet file."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        parquet.write_table(table, temporary)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise SchemaError(
            "Parquet cannot hold a column of this table. Write an Arrow file (.arrow)."
        ) from None


def write_arrow(table: Any, temporary: str) -> None:
    """Write an Arrow file."""
    from pyarrow import ipc

    with ipc.new_file(temporary, table.schema) as file:
        file.write_table(table)
