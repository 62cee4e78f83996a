"""Files, and files that belong together, as places of records."""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.errors import InvalidParameter, SchemaError
from covey.sources.asking import Reading
from covey.sources.contents import FileContents
from covey.sources.files import check_target, read_back, read_file, table_writer
from covey.sources.formats import format_to_read, reader_for
from covey.sources.hashes import file_hash, joint_hash
from covey.sources.labelled.codebook import CODEBOOK, codebook_of, combined
from covey.sources.problems import FileProblem
from covey.sources.source import FileState, Records, Source, Staged, cut
from covey.sources.whole import Together

if TYPE_CHECKING:
    from covey.types import Progress


# Bytes of a text file that is read as a whole even where batches are asked for.
QUICKLY_READ = 1 << 25


class FileSource(Source):
    """A file. Parquet and large text files are read batch by batch, other formats as a whole."""

    file: Path
    ending: str
    has_own_bytes = True

    def __init__(self, path: str | Path, encoding: str | None = None) -> None:
        self.file = Path(path)
        self.files = (self.file,)
        self.ending = self.file.suffix
        self.reading = Reading(encoding)
        self.format = self.ending.lstrip(".").upper() or "CSV"
        self.writes_batches = self.ending.lower() == ".parquet"

    @property
    def name(self) -> str:
        return self.file.name

    @property
    def shown(self) -> str:
        return str(self.file)

    @property
    def address(self) -> str:
        return str(self.file)

    @property
    def as_target(self) -> str:
        """A name beside the script: where the file lies says something of the computer."""
        return repr(f"released{self.ending or '.csv'}")

    @property
    def bytes_read_whole(self) -> int:
        whole = format_to_read(self.file).scan is None and self.file.is_file()
        return self.file.stat().st_size if whole else 0

    def called(self, name: str) -> Source:
        return FileSource(name, self.reading.encoding)

    def content_hash(self) -> str:
        return file_hash(self.file)

    @contextmanager
    def records(self) -> Iterator[Records]:
        reader_for(self.file, self.reading.encoding)  # refuses an encoding that says nothing
        scan = format_to_read(self.file).scan
        if scan is None or not self.file.is_file() or self._is_quickly_read():
            contents = self.read()
            yield records_of(contents.table, contents.notes)
        else:
            encoding = self.reading.encoding
            given = {} if encoding is None else {"encoding": encoding}
            with scan(self.file, **given) as records:
                yield records

    def _is_quickly_read(self) -> bool:
        """A small text file, which is parsed once instead of several times."""
        return format_to_read(self.file).encoded and self.file.stat().st_size <= QUICKLY_READ

    def read(self, progress: Progress | None = None) -> FileContents:
        return read_file(self.file, progress, self.reading.encoding)

    def check_target(self, *, force: bool, original: Source | None = None) -> None:
        check_target(self.file, force=force, original=() if original is None else original.files)

    def stage(
        self, schema: Any, batches: Iterable[Any], *, force: bool, original: Source | None = None
    ) -> Staged:
        files = Together(force=force, original=() if original is None else original.files)
        try:
            staged = files.add(self.file, self._writer(schema, batches))
        except BaseException as error:
            files.__exit__(type(error), error, None)
            raise
        return _StagedFile(files, staged, self.file)

    def _writer(self, schema: Any, batches: Iterable[Any]) -> Callable[[str], None]:
        """What fills the file; Parquet batch by batch."""
        import pyarrow as pa
        from pyarrow import parquet

        if not self.writes_batches:
            return table_writer(pa.Table.from_batches(batches, schema=schema), self.file)

        def fill(temporary: str) -> None:
            with parquet.ParquetWriter(temporary, schema) as file:
                for batch in batches:
                    file.write_batch(batch)

        return fill


def records_of(table: Any, notes: tuple[str, ...] = ()) -> Records:
    """A table that is in memory, as records."""
    whole = table.combine_chunks()

    def scan(size: int, limit: int | None = None) -> Iterator[Any]:
        return cut(whole.to_batches(size), limit)

    return Records(table.schema, table.num_rows, scan, notes)


class _StagedFile(Staged):
    """A file that still has a temporary name."""

    def __init__(self, files: Together, staged: Path, path: Path) -> None:
        self._files = files
        self._staged = staged
        self._path = path

    @property
    def paths(self) -> tuple[Path, ...]:
        return (self._staged,)

    def read_back(self) -> Any:
        return read_back(self._staged, self._path)

    def keep(self) -> None:
        self._files.__exit__(None, None, None)

    def drop(self) -> None:
        self._files.__exit__(BaseException, None, None)


class Parts(Source):
    """Files with the same columns, one after the other by name, wherever they are."""

    def __init__(self, pattern: str, parts: Sequence[Source], encoding: str | None) -> None:
        for part in parts:
            format_to_read(Path(part.name))
        self.pattern = pattern
        self.parts = parts
        self.files = tuple(file for part in parts for file in part.files)
        self.has_own_bytes = all(part.has_own_bytes for part in parts)
        self.reading = Reading(encoding)
        self.format = parts[0].format

    @property
    def name(self) -> str:
        return Path(self.pattern).name

    @property
    def address(self) -> str:
        return self.pattern

    def states(self) -> tuple[FileState, ...]:
        return tuple(state for part in self.parts for state in part.states())

    @property
    def bytes_read_whole(self) -> int:
        return sum(part.bytes_read_whole for part in self.parts)

    def content_hash(self) -> str:
        return joint_hash([str(part.content_hash()) for part in self.parts])

    @contextmanager
    def records(self) -> Iterator[Records]:
        with ExitStack() as stack:
            parts = [stack.enter_context(part.records()) for part in self.parts]
            schema = self._shared([part.schema for part in parts])
            n_records = sum(part.n_records for part in parts)
            notes = tuple(dict.fromkeys(note for part in parts for note in part.notes))
            count = f"{len(parts)} files were read, by name."

            def scan(size: int, limit: int | None = None) -> Iterator[Any]:
                batches = chain.from_iterable(part.scan(size) for part in parts)
                return cut((batch.cast(schema) for batch in batches), limit)

            yield Records(schema, n_records, scan, (count, *notes))

    def _shared(self, schemas: list[Any]) -> Any:
        """One schema for all files; whole numbers and others become numbers."""
        import pyarrow as pa

        for part, schema in zip(self.parts, schemas, strict=True):
            if schema.names != schemas[0].names:
                raise SchemaError(
                    f"{part.shown} has other columns than {self.parts[0].shown}, or in another "
                    "order."
                )
        try:
            plain = [schema.remove_metadata() for schema in schemas]
            shared = pa.unify_schemas(plain, promote_options="permissive")
            return pa.schema(
                [
                    part.with_metadata(self._said([schema.field(j) for schema in schemas]))
                    for j, part in enumerate(shared)
                ]
            )
        except pa.ArrowException:
            raise SchemaError(
                f"The files like {self.pattern} have columns of different kinds."
            ) from None

    def _said(self, fields: list[Any]) -> dict[bytes, bytes] | None:
        """What all files say of a column, and a codebook for all of them."""
        found = [field.metadata or {} for field in fields]
        shared = {
            key: text
            for key, text in found[0].items()
            if all(other.get(key) == text for other in found)
        }
        try:
            book = combined([codebook_of(field) for field in fields])
        except ValueError:
            raise SchemaError(
                f"The files like {self.pattern} label or declare the codes of "
                f"{fields[0].name!r} differently. Give it the same codes in all of them."
            ) from None
        if book is not None:
            shared[CODEBOOK] = book.to_metadata()
        return shared or None

    def check_target(self, *, force: bool, original: Source | None = None) -> None:
        raise InvalidParameter(f"{self.pattern} stands for many files; write one.")

    def stage(
        self, schema: Any, batches: Iterable[Any], *, force: bool, original: Source | None = None
    ) -> Staged:
        raise InvalidParameter(f"{self.pattern} stands for many files; write one.")


class FileParts(Parts):
    """Files of this computer with the same columns: a pattern, or a folder of Parquet files."""

    def __init__(self, pattern: str, encoding: str | None = None) -> None:
        found = (
            _of_folder(Path(pattern)) if Path(pattern).is_dir() else map(Path, glob.glob(pattern))
        )
        parts = [FileSource(path, encoding) for path in sorted(found)]
        if not parts:
            raise FileProblem(f"There is no file like {pattern}.")
        super().__init__(pattern, parts, encoding)


def _of_folder(folder: Path) -> list[Path]:
    """The Parquet files of a folder; raise if it holds records that would be left out."""
    seen = [path for path in folder.iterdir() if not path.name.startswith((".", "_"))]
    if not seen:
        raise FileProblem(f"{folder} is a folder, and no Parquet files are in it. Name a file.")
    require_only_parquet(folder, [path.name + "/" * path.is_dir() for path in seen])
    return seen


def require_only_parquet(folder: object, names: Iterable[str]) -> None:
    """Raise if a folder that is read as one table holds other things than Parquet files."""
    if not all(name.lower().endswith(".parquet") for name in names):
        raise FileProblem(
            f"{folder} holds other things than Parquet files. Say which of them are meant by a "
            "pattern, such as FOLDER/*.parquet."
        )
