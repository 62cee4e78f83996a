"""Parquet and Arrow files, which hold a table as it is."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from covey.errors import NotEnoughMemory, SchemaError
from covey.sources.contents import FileContents
from covey.sources.file_systems import is_of_storage, storage_problem
from covey.sources.problems import FileProblem
from covey.sources.source import Records, cut

MOST_OF_MEMORY = 0.9
PART = 1_000_000  # records in a file of a folder, about
BUFFER = 1 << 20  # bytes of a column that are read at a time


def read_parquet(path: Path) -> FileContents:
    """Read a Parquet file."""
    with path.open("rb") as file:
        return parquet_contents(file, path)


def parquet_contents(file: Any, place: object) -> FileContents:
    """Read a Parquet file that is open; `place` names it in messages."""
    from pyarrow import parquet

    # Not `read_table`: that takes folders named like "year=2020" for a column.
    with _undamaged(place, "a Parquet file"):
        opened = parquet.ParquetFile(file)
        _require_fits(place, opened.schema_arrow, opened.metadata.num_rows)
        return FileContents(opened.read(), "Parquet")


def _require_fits(place: object, schema: Any, n_records: int) -> None:
    """Refuse what is surely larger than the memory: equal values take no room in the file."""
    needed = n_records * sum(_width(field.type) for field in schema)
    if needed > MOST_OF_MEMORY * memory_size():
        raise NotEnoughMemory(
            f"{place} has {n_records:,} records, which take at least {needed / 1e9:,.0f} GB: more "
            "than this computer has. Work in parts: out= and memory_limit= in Python, "
            "--memory-limit on the command line."
        )


def _width(type: Any) -> float:
    """Bytes that a value takes at least."""
    try:
        return float(type.bit_width) / 8
    except ValueError:  # text and lists: where each begins
        return 4.0


def memory_size() -> int:
    """Bytes of memory that the computer has; a great deal where it does not say."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 1 << 60


@contextmanager
def scan_parquet(path: Path) -> Iterator[Records]:
    """The records of a Parquet file, batch by batch."""
    with path.open("rb") as opened, parquet_records(opened, path, BUFFER) as records:
        yield records


@contextmanager
def parquet_records(opened: Any, place: object, buffer: int) -> Iterator[Records]:
    """The records of a Parquet file that is open; `place` names it in messages."""
    from pyarrow import parquet

    with ExitStack() as stack:
        with _undamaged(place, "a Parquet file"):
            # Without a buffer of its size Arrow keeps a whole row group, and what it read before.
            file = stack.enter_context(
                parquet.ParquetFile(opened, pre_buffer=False, buffer_size=buffer)
            )

        def scan(size: int, limit: int | None = None) -> Iterator[Any]:
            with _undamaged(place, "a Parquet file"):
                yield from cut(file.iter_batches(size), limit)

        yield Records(file.schema_arrow, file.metadata.num_rows, scan)


def read_arrow(path: Path) -> FileContents:
    """Read an Arrow (Feather) file, in the file or the stream layout."""
    with _undamaged(path, "an Arrow file"):
        return FileContents(_opened(path), "Arrow")


@contextmanager
def _undamaged(place: object, what: str) -> Iterator[None]:
    import pyarrow as pa

    damaged = FileProblem(f"{place} is not {what}, or it is damaged.")
    try:
        yield
    except MemoryError:
        raise  # Arrow's, which is an error of Arrow too
    except pa.ArrowException as error:
        if "UTF8" in str(error):
            raise FileProblem(
                f"{place} holds text that is not valid UTF-8. Save it anew."
            ) from None
        raise damaged from None
    except OSError as error:
        if error.strerror:
            raise
        if is_of_storage(error):
            raise storage_problem(place, error) from None
        raise damaged from None  # Arrow's, for pages it cannot decode


def _opened(path: Path) -> Any:
    import pyarrow as pa
    from pyarrow import ipc

    with path.open("rb") as file:
        try:
            return ipc.open_file(file).read_all()
        except pa.ArrowInvalid:
            file.seek(0)
            return ipc.open_stream(file).read_all()


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


def write_parts(folder: Path, schema: Any, batches: Iterable[Any]) -> None:
    """Write batches to the files part-00000.parquet, part-00001.parquet … of a folder."""
    from pyarrow import parquet

    writer, number, count = None, 0, 0
    try:
        for batch in batches:
            if writer is None:
                path = folder / f"part-{number:05d}.parquet"
                writer, number, count = parquet.ParquetWriter(path, schema), number + 1, 0
            writer.write_batch(batch)
            count += batch.num_rows
            if count >= PART:
                writer.close()
                writer = None
    finally:
        if writer is not None:
            writer.close()


def write_arrow(table: Any, temporary: str) -> None:
    """Write an Arrow file."""
    from pyarrow import ipc

    with ipc.new_file(temporary, table.schema) as file:
        file.write_table(table)
