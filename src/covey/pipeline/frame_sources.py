"""Data frames, of Dask or in memory, as places of records that are read.

Of Dask the partitions are read in order, and the rows in order inside them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from typing import Any

import narwhals as nw

from covey.errors import InvalidParameter, SchemaError
from covey.sources.source import Records, Source, Staged, cut
from covey.tables.frames import require_frame
from covey.tables.storage import stored_table


def is_dask_frame(data: Any) -> bool:
    """Whether this is something of Dask, which need not be installed."""
    return type(data).__module__.split(".")[0] == "dask" and hasattr(data, "npartitions")


class _ReadOnly(Source):
    """Records that are in no file."""

    is_named = False

    def check_target(self, *, force: bool, original: Source | None = None) -> None:
        raise _read_only()

    def stage(
        self, schema: Any, batches: Iterable[Any], *, force: bool, original: Source | None = None
    ) -> Staged:
        raise _read_only()


class InMemory(_ReadOnly):
    """A table that is in memory already."""

    format = "data frame"

    def __init__(self, table: Any, backend: Any = nw.Implementation.PYARROW) -> None:
        self.table = table
        self.backend = backend

    @property
    def name(self) -> str:
        return "data frame"

    @contextmanager
    def records(self) -> Iterator[Records]:
        if self.table.num_rows == 0:
            raise SchemaError("The table has no records.")
        whole = self.table.unify_dictionaries()
        yield Records(whole.schema, whole.num_rows, partial(_batches, whole))


class DaskFrame(_ReadOnly):
    """Records that a cluster holds; they are only read."""

    format = "Dask"

    def __init__(self, frame: Any) -> None:
        import dask.dataframe as dd

        if not isinstance(frame, dd.DataFrame):
            raise InvalidParameter(
                f"A {type(frame).__name__} of Dask is no data frame. Make it one first "
                "(to_frame(), to_dask_dataframe() or to_dataframe())."
            )
        self.frame = frame

    @property
    def name(self) -> str:
        return "a Dask data frame"

    @contextmanager
    def records(self) -> Iterator[Records]:
        sizes = [int(size) for size in self.frame.map_partitions(len).compute()]
        if sum(sizes) == 0:
            raise SchemaError("The Dask data frame has no records.")
        filled = [i for i, size in enumerate(sizes) if size]
        schema = self._partition(filled[0]).schema

        def scan(size: int, limit: int | None = None) -> Iterator[Any]:
            parts = (_cast(self._partition(i), schema).to_batches(size) for i in filled)
            return cut(chain.from_iterable(parts), limit)

        yield Records(schema, sum(sizes), scan)

    def frame_at(self, target: Source) -> Any:
        """A frame of Dask that reads Parquet files when it is computed."""
        import dask.dataframe as dd

        return dd.read_parquet(target.address) if target.format.upper() == "PARQUET" else None

    def _partition(self, number: int) -> Any:
        part = self.frame.partitions[number].compute()
        return stored_table(require_frame(part))


def _batches(table: Any, size: int, limit: int | None = None) -> Iterator[Any]:
    return cut(table.to_batches(size), limit)


def _cast(table: Any, schema: Any) -> Any:
    import pyarrow as pa

    try:
        return table.cast(schema)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError):
        raise SchemaError(
            "The partitions of the Dask data frame have columns of different kinds. Give every "
            "column one type first (astype)."
        ) from None


def _read_only() -> InvalidParameter:
    return InvalidParameter("A data frame cannot be written to; name a folder or a file.")
