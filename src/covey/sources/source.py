"""What every place of records can do, be it a file or a table of a database."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from covey.errors import InvalidParameter
from covey.progress import Stage
from covey.sources.asking import Reading
from covey.sources.contents import FileContents

if TYPE_CHECKING:
    from covey.types import Progress

# Records in a batch, unless whoever reads says otherwise.
BATCH = 65_536


class Scan(Protocol):
    """Arrow record batches of at most `size` records; of the first `limit` records, or of all."""

    def __call__(self, size: int, limit: int | None = None) -> Iterator[Any]: ...


class Records(NamedTuple):
    """Records in a fixed order, as they were when they were opened.

    `schema` and `n_records` are known before anything is read. `scan(size)` gives Arrow record
    batches of at most `size` records; each call begins anew, and one must end before the next
    begins. `scan(size, limit)` gives the first `limit` records, and no others are fetched. `notes`
    are sentences on what was detected.
    """

    schema: Any
    n_records: int
    scan: Scan
    notes: tuple[str, ...] = ()


def cut(batches: Iterable[Any], limit: int | None) -> Iterator[Any]:
    """The first `limit` records of some batches; what comes after them is not asked for."""
    left = limit
    for batch in batches:
        yield batch if left is None else batch.slice(0, left)
        if left is not None:
            left -= batch.num_rows
            if left <= 0:
                return


class Room(NamedTuple):
    """Bytes of memory that a count may use, and the folder for what does not fit."""

    memory: int
    folder: Path


class FileState(NamedTuple):
    """What a file is from outside: where, how large, and when it was changed (nanoseconds).

    Size and time are 0 for a file that does not tell by them whether its records are the same.
    """

    place: str
    size: int
    time: int


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

    def classes(self, columns: Sequence[str], room: Room) -> Classes:
        """Count the records that are equal in some columns, without reading them into memory.

        Here for Parquet files; a place of another kind counts in its own way.
        """
        from covey.sources.class_counts import are_parquet, classes_in_files, classes_in_table

        if are_parquet(self.paths):
            return classes_in_files(self.paths, columns, room)
        return classes_in_table(self.read_back(), columns)

    @abstractmethod
    def keep(self) -> None:
        """Let them appear, in one step."""

    @abstractmethod
    def drop(self) -> None:
        """Leave everything as it was before."""


class Source(ABC):
    """A place of records: what it is, what it can do, and the four methods that a back end writes.

    Attributes
    ----------
    format : str
        What the place is: "CSV", "DuckDB".
    files : tuple of Path
        The files on this computer that hold it.
    file : Path or None
        The file on this computer, where it is one that can be replaced as a whole.
    ending : str or None
        The ending of its name that tells the format, where it is a single file.
    reading : Reading
        What was asked for beside the place: an encoding, a table, a query, an order.
    has_tables : bool
        Whether it is a database, in which `reading` names a table or a query.
    has_own_bytes : bool
        Whether files hold these records and nothing else: then size and time of the files tell
        whether the records changed, and `content_hash` is a hash of the files.
    writes_batches : bool
        Whether `stage` needs no more memory than a few batches take.
    takes_files : bool
        Whether Parquet files that are written already can become its own (`stage_files`).
    is_named : bool
        Whether a script can name it (`address`); a data frame has no name.
    """

    format: str
    files: tuple[Path, ...] = ()
    file: Path | None = None
    ending: str | None = None
    reading: Reading = Reading()
    has_tables: bool = False
    has_own_bytes: bool = False
    writes_batches: bool = True
    takes_files: bool = False
    is_named: bool = True

    @property
    @abstractmethod
    def name(self) -> str:
        """The place in a few words, without host, user or password."""

    @property
    def shown(self) -> str:
        """The place as a person who named it knows it: a file with its folder."""
        return self.name

    @property
    def address(self) -> str:
        """What names the place to `covey.protect`; never a password."""
        raise InvalidParameter(f"A script cannot name {self.name}.")

    @property
    def as_target(self) -> str:
        """The arguments that name it to `Release.write`, as Python writes them."""
        return repr(self.address)

    @property
    def folder(self) -> Path:
        """The folder on this computer that it is in; the current one, if it is elsewhere."""
        return self.files[0].parent if self.files else Path.cwd()

    @property
    def bytes_read_whole(self) -> int:
        """Bytes of files that are read as a whole even where batches are asked for."""
        return 0

    def called(self, name: str) -> Source:
        """The same place under the name that its owner gave it, which need not be there."""
        return self

    def table_names(self) -> tuple[str, ...]:
        """The tables of a database."""
        return ()

    def states(self) -> tuple[FileState, ...]:
        """The files as they are now."""
        if self.has_own_bytes:
            found = ((path, path.stat()) for path in self.files)
            return tuple(FileState(str(p.resolve()), s.st_size, s.st_mtime_ns) for p, s in found)
        return tuple(FileState(str(path.resolve()), 0, 0) for path in self.files)

    def content_hash(self) -> str | None:
        """SHA-256 of the file, or of the hashes of several; None if no bytes are its own."""
        return None

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

    def stage_files(
        self, files: Sequence[Path], *, force: bool, original: Source | None = None
    ) -> Staged:
        """Stage Parquet files that are written already; for places with `takes_files`."""
        raise NotImplementedError

    def frame_at(self, target: Source) -> Any:
        """What was written to a place, as a frame of the kind these records came in; None if that
        has to be read into memory.
        """
        return None

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
