"""What every place of records can do, be it a file or a table of a database."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from covey.progress import Stage
from covey.sources.contents import FileContents

if TYPE_CHECKING:
    from covey.types import Progress

# Records in a batch, unless whoever reads says otherwise.
BATCH = 65_536


class Records(NamedTuple):
    """Records in a fixed order, as they were when they were opened.

    `schema` and `n_records` are known before anything is read. `scan(size)` gives Arrow record
    batches of at most `size` records; each call begins anew, and one must end before the next
    begins. `notes` are sentences on what was detected.
    """

    schema: Any
    n_records: int
    scan: Callable[[int], Iterator[Any]]
    notes: tuple[str, ...] = ()


class Classes(NamedTuple):
    """Records that are equal in some columns: how many are in the smallest class, and in all."""

    smallest: int
    total: int


class Staged(ABC):
    """Records that were written and that nobody sees yet."""

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files they are in now, if they are in files of their own."""
        return ()

    @abstractmethod
    def read_back(self) -> Any:
        """What was written, as a pyarrow Table."""

    def classes(self, columns: Sequence[str]) -> Classes:
        """Count the classes where the records are; for those that are in no files of their own."""
        raise NotImplementedError

    @abstractmethod
    def keep(self) -> None:
        """Let them appear, in one step."""

    @abstractmethod
    def drop(self) -> None:
        """Leave everything as it was before."""


class Source(ABC):
    """A place of records. A back end writes the four methods below.

    Attributes
    ----------
    format : str
        What the place is: "CSV", "DuckDB".
    files : tuple of Path
        The files that hold it.
    """

    format: str
    files: tuple[Path, ...] = ()

    @property
    @abstractmethod
    def name(self) -> str:
        """The place in a few words, without host, user or password."""

    @abstractmethod
    def records(self) -> AbstractContextManager[Records]:
        """Open the records for reading: one state of them, which is never changed."""

    @abstractmethod
    def check_target(self, *, force: bool, original: Source | None = None) -> None:
        """Raise if nothing could be written here, or something would be lost unasked."""

    @abstractmethod
    def stage(
        self, schema: Any, batches: Iterable[Any], *, force: bool, original: Source | None = None
    ) -> Staged:
        """Write batches so that nobody sees them yet; the records of `original` stay."""

    def read(self, progress: Progress | None = None) -> FileContents:
        """Read everything into one table."""
        import pyarrow as pa

        with self.records() as records:
            batches, done = [], 0
            for batch in records.scan(BATCH):
                if progress:
                    progress(Stage.READING, done, records.n_records)
                batches.append(batch)
                done += batch.num_rows
            if progress:
                progress(Stage.READING, records.n_records, records.n_records)
            table = pa.Table.from_batches(batches, schema=records.schema)
            return FileContents(table, self.format, records.notes)

    def write(self, schema: Any, batches: Iterable[Any], *, force: bool = False) -> None:
        """Write batches, whole or not at all."""
        staged = self.stage(schema, batches, force=force)
        try:
            staged.keep()
        except BaseException:
            staged.drop()
            raise
