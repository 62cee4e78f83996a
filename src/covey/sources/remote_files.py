"""Files on other file systems as places of records.

Parquet is read where it is. Files of other formats are copied to this computer first, so that one
code reads them wherever they are. What is written is made on this computer, checked there, and
comes to its place in one upload, which is seen when it is complete.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.errors import CoveyError, InvalidParameter
from covey.sources.asking import Reading
from covey.sources.columnar import parquet_contents, parquet_records
from covey.sources.contents import FileContents, require_records
from covey.sources.file_systems import STORES, Location
from covey.sources.files import read_back
from covey.sources.files_as_sources import FileSource, Parts, require_only_parquet
from covey.sources.formats import format_to_read, reader_for, writer_for
from covey.sources.hashes import stream_hash
from covey.sources.problems import FileProblem
from covey.sources.source import FileState, Records, Source, Staged
from covey.sources.whole import exists_already

if TYPE_CHECKING:
    from covey.types import Progress

# Bytes of a column that are fetched at a time: a request takes longer than a look at a disk.
FETCHED = 1 << 21
PARQUET = ".parquet"


class RemoteFile(Source):
    """A file on another file system."""

    ending: str

    def __init__(self, address: str, encoding: str | None = None) -> None:
        self.location = Location.read(address)
        self.ending = Path(self.location.name).suffix
        self.reading = Reading(encoding)
        self.format = self.ending.lstrip(".").upper() or "CSV"
        self.writes_batches = self.ending.lower() == PARQUET
        self.has_own_bytes = self.location.scheme in STORES  # others do not tell of a change

    @property
    def name(self) -> str:
        return self.location.name

    @property
    def shown(self) -> str:
        return str(self.location)

    @property
    def address(self) -> str:
        return self.location.address

    @property
    def bytes_read_whole(self) -> int:
        return 0 if format_to_read(Path(self.name)).scan is not None else self._size()

    def states(self) -> tuple[FileState, ...]:
        info = self._found()
        return (FileState(self.shown, info.size, info.mtime_ns or 0),)

    def content_hash(self) -> str:
        location = self.location
        with location.explained(), location.system.open_input_stream(location.path) as file:
            return stream_hash(file)

    def _size(self) -> int:
        return int(self._found().size)

    def _found(self) -> Any:
        info = self.location.info()
        if info.type.name != "File":
            raise FileProblem(f"There is no file {self.shown}.")
        return info

    # -- reading -----------------------------------------------------------------------------

    @contextmanager
    def records(self) -> Iterator[Records]:
        reader_for(Path(self.name), self.reading.encoding)  # refuses what no reader takes
        if self.ending.lower() != PARQUET:
            with self._copied() as copy, copy.records() as records:
                yield records
            return
        with self._opened() as file, parquet_records(file, self.shown, FETCHED) as records:
            yield records

    def read(self, progress: Progress | None = None) -> FileContents:
        reader_for(Path(self.name), self.reading.encoding)
        if self.ending.lower() != PARQUET:
            with self._copied() as copy:
                return copy.read(progress)
        if progress:
            progress("reading", 0, 1)
        with self._opened() as file:
            contents = parquet_contents(file, self.shown)
        require_records(contents.table, self.shown)
        if progress:
            progress("reading", 1, 1)
        return contents

    @contextmanager
    def _opened(self) -> Iterator[Any]:
        self._found()
        with self.location.explained():
            file = self.location.system.open_input_file(self.location.path)
        with file:
            yield file

    @contextmanager
    def _copied(self) -> Iterator[FileSource]:
        """The file on this computer, while the block lasts; messages name the place it is from."""
        self._found()
        with tempfile.TemporaryDirectory(prefix="covey-") as folder:
            copy = Path(folder) / self.name
            with self.location.explained():
                _copy(self.location, copy)
            try:
                yield FileSource(copy, self.reading.encoding)
            except CoveyError as error:
                error.args = tuple(_renamed(part, str(copy), self.shown) for part in error.args)
                raise

    # -- writing -----------------------------------------------------------------------------

    def check_target(self, *, force: bool, original: Source | None = None) -> None:
        writer_for(Path(self.name))
        self.location.require_bucket()
        info = self.location.info()
        if info.type.name == "NotFound":
            return
        if info.type.name != "File":
            raise FileProblem(f"{self.shown} is not a file that can be replaced.")
        if original is not None and self.shown in _places(original):
            raise InvalidParameter(f"{self.shown} is the original file; write it elsewhere.")
        if not force:
            raise exists_already(self.shown)

    def stage(
        self, schema: Any, batches: Iterable[Any], *, force: bool, original: Source | None = None
    ) -> Staged:
        self.check_target(force=force, original=original)
        return _StagedFile(self, schema, batches, force=force)


class RemoteParts(Parts):
    """Files with the same columns on another file system: a pattern, or a folder of Parquet."""

    def __init__(self, address: str, encoding: str | None = None) -> None:
        self.location = Location.read(address)
        found = (
            self.location.matching()
            if self.location.is_pattern
            else only_parquet(self.location, self.location.inside())
        )
        if not found:
            raise FileProblem(f"There is no file like {self.location}.")
        parts = [RemoteFile(one.address, encoding) for one in found]
        super().__init__(str(self.location), parts, encoding)

    @property
    def name(self) -> str:
        return self.location.name + "/" * self.location.is_folder

    @property
    def address(self) -> str:
        return self.location.address


def only_parquet(folder: Location, inside: list[Location]) -> list[Location]:
    """The Parquet files of a folder; raise if it holds records that would be left out."""
    seen = [one for one in inside if not one.name.startswith((".", "_"))]
    require_only_parquet(folder, [one.path for one in seen])
    return seen


class _StagedFile(Staged):
    """A file on this computer that is to be uploaded."""

    def __init__(
        self, target: RemoteFile, schema: Any, batches: Iterable[Any], *, force: bool
    ) -> None:
        self._target = target
        self._force = force
        self._folder = tempfile.TemporaryDirectory(prefix="covey-")
        self._file = Path(self._folder.name) / target.name
        try:
            FileSource(self._file).write(schema, batches)
        except BaseException:
            self.drop()
            raise

    @property
    def paths(self) -> tuple[Path, ...]:
        return (self._file,)

    def read_back(self) -> Any:
        return read_back(self._file, self._file)

    def keep(self) -> None:
        location = self._target.location
        if not self._force and location.exists():  # made by somebody else meanwhile
            raise exists_already(location)
        upload(self._file, location)
        self.drop()

    def drop(self) -> None:
        self._folder.cleanup()


def upload(file: Path, location: Location) -> None:
    """Bring a file to its place; it is seen there once it is complete."""
    from pyarrow import fs

    with location.explained():
        fs.copy_files(
            str(file),
            location.path,
            source_filesystem=fs.LocalFileSystem(),
            destination_filesystem=location.system,
        )
        if location.info().size == file.stat().st_size:
            return
        location.system.delete_file(location.path)
    raise FileProblem(f"{location} could not be written whole, and was removed.")


def _copy(location: Location, file: Path) -> None:
    from pyarrow import fs

    fs.copy_files(
        location.path,
        str(file),
        source_filesystem=location.system,
        destination_filesystem=fs.LocalFileSystem(),
    )


def _places(source: Source) -> set[str]:
    return {state.place for state in source.states()}


def _renamed(part: Any, old: str, new: str) -> Any:
    return part.replace(old, new) if isinstance(part, str) else part
