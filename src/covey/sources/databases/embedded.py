"""Databases that are files: a release counts as written once it is read from the closed file.

A file that is still to be made is filled under a temporary name, so that nobody sees it half-made
and two runs cannot both make it. Where a database does not overwrite what it drops, one that holds
nothing but the table that is replaced is made anew in the same way; otherwise Covey warns.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import warnings
from abc import abstractmethod
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from covey.errors import DisclosureWarning, InvalidParameter
from covey.sources.databases.database import Database, make_room
from covey.sources.databases.names import TableName
from covey.sources.databases.session import Session
from covey.sources.databases.staging import Explained, StagedTable
from covey.sources.problems import DatabaseProblem, FileProblem
from covey.sources.source import Source, Staged
from covey.sources.whole import explained, place_new, umask

# What a driver may leave beside its file.
BESIDE = (".wal", ".wal.checkpoint", ".wal.recovery", "-journal", "-wal", "-shm")


class FileSession(Session):
    """A session with a database that is a file."""

    @abstractmethod
    def fingerprint(self, table: TableName) -> tuple[Any, ...]:
        """What tells whether a table holds what was written, whatever the order of its rows."""

    @abstractmethod
    def logs(self) -> list[Path]:
        """Files beside the database that must hold nothing once it is closed."""

    def leaves_behind(self, table: TableName) -> bool:
        """Whether the rows of a table that is dropped can still be read from the file."""
        return False

    def holds_only(self, table: TableName) -> bool:
        """Whether the database has nothing but this table."""
        return False


class FileDatabase(Database):
    """A table or a query of a database that is a file."""

    @abstractmethod
    def open_file(self, path: Path, *, write: bool) -> FileSession:
        """Connect to a file of this kind, wherever it is."""

    def is_new(self) -> bool:
        return self.path is not None and not self.path.exists()

    def stage(
        self, schema: Any, batches: Iterable[Any], *, force: bool, original: Source | None = None
    ) -> Staged:
        target, path = self._target(), self._file()
        self._require_writable()
        with self.explained():
            if self.is_new():
                return self._anew(path, target, schema, batches)
            session = self.open_file(path, write=True)
            try:
                replaced = self._replaced(session, target, force)
                if replaced is not None and self._emptied(session, replaced, original):
                    return self._anew(path, replaced, schema, batches, session)
                table = replaced or session.place_for(target)
                session.create(table, schema, batches)
                return StagedInFile(self.explained, session, table, partial(self.reopened, path))
            except BaseException:
                session.close()
                raise

    def _file(self) -> Path:
        """The file itself: a link keeps pointing to it."""
        if self.path is None:
            raise DatabaseProblem("A query on files has no database to write into. Name one.")
        return self.path.resolve()

    def _emptied(self, session: FileSession, table: TableName, original: Source | None) -> bool:
        """Make room for a table; True if the file is to be made anew to get rid of its rows."""
        stays, alone = session.leaves_behind(table), session.holds_only(table)
        make_room(session, table, original)
        if stays and not alone:
            warnings.warn(_stays(table, self.database), DisclosureWarning, stacklevel=5)
        return stays and alone

    def _anew(
        self,
        path: Path,
        target: TableName,
        schema: Any,
        batches: Iterable[Any],
        old: FileSession | None = None,
    ) -> Staged:
        """Fill a file beside the place; a session with the old one keeps others out of it."""
        temporary = _beside(path)
        session = None
        try:
            session = self.open_file(temporary, write=True)
            table = session.place_for(target)
            session.create(table, schema, batches)
            moved = _Move(temporary, path, old)
            return StagedFile(
                self.explained, session, table, partial(self.reopened, temporary), moved
            )
        except BaseException:
            if session is not None:
                session.close()
            remove_database(temporary)
            raise

    def reopened(self, path: Path) -> FileSession:
        """Connect to a file that was written, to see whether it holds what it should."""
        return self.open_file(path, write=False)


def _stays(table: TableName, database: str) -> str:
    return (
        f"What the table {str(table)!r} held stays in the bytes of {database}: the database frees "
        "the room of a table that is replaced, and does not overwrite it. Before you pass the file "
        "on, copy what it holds into a new one and remove the old one: "
        f"ATTACH '{database}' AS old; ATTACH 'new.duckdb' AS new; COPY FROM DATABASE old TO new;"
    )


def _beside(path: Path) -> Path:
    """A name for a file that is still to be made, in the folder of another."""
    if not path.parent.is_dir():
        raise FileProblem(f"The folder {path.parent} does not exist.")
    with explained(path):
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        os.close(handle)
        os.unlink(name)  # the driver makes it
    return Path(name)


def remove_database(path: Path) -> None:
    """Remove a file and what its driver left beside it."""
    for ending in ("", *BESIDE):
        beside = path.with_name(path.name + ending)
        if beside.exists():  # a write-protected disk refuses to remove even what is not there
            beside.unlink()


class _Move:
    """The last step of a file that was made under another name."""

    def __init__(self, temporary: Path, path: Path, old: FileSession | None) -> None:
        self.temporary = temporary
        self._path = path
        self._old = old

    def take(self) -> None:
        with explained(self._path):
            if self._old is None:
                os.chmod(self.temporary, 0o666 & ~umask())
                self._place_new()
            else:
                shutil.copymode(self._path, self.temporary)
                self._replace()
        self.end()

    def _place_new(self) -> None:
        try:
            place_new(self.temporary, self._path)
        except FileExistsError:
            raise InvalidParameter(
                f"{self._path} was made by somebody else meanwhile. Choose another name, or run "
                "again to add the table to it."
            ) from None

    def _replace(self) -> None:
        found = self._path.stat()
        if hasattr(os, "chown"):
            with suppress(OSError):
                os.chown(self.temporary, found.st_uid, found.st_gid)
        if os.name == "nt":  # where an open file cannot be replaced
            self.end()
        os.replace(self.temporary, self._path)

    def end(self) -> None:
        """Let others at the old file."""
        if self._old is not None:
            self._old.close()
            self._old = None


class StagedInFile(StagedTable):
    """A table in a transaction on a database that is a file."""

    def __init__(
        self,
        explained: Explained,
        session: FileSession,
        table: TableName,
        reopen: Callable[[], FileSession],
    ) -> None:
        super().__init__(explained, session, table)
        self._file_session = session
        self._reopen = reopen

    def keep(self) -> None:
        with self._explained():
            written = self._file_session.fingerprint(self._table)
        failure = None
        try:
            with self._explained():
                self._session.commit()
        except DatabaseProblem as error:
            failure = error
        self._session.close()
        self._require_written(written, failure)

    def _require_written(self, written: tuple[Any, ...], failure: DatabaseProblem | None) -> None:
        """Raise unless the closed file itself holds the table."""
        left = [log.name for log in self._file_session.logs() if _holds_something(log)]
        if left:
            raise DatabaseProblem(
                f"{failure or 'The disk may be full.'} The table {str(self._table)!r} is in "
                f"{left[0]}, not in the database itself: make room on the disk and open the "
                "database once, or drop the table there."
            )
        if not self._is_there(written, in_doubt=failure is None):
            raise failure or DatabaseProblem(
                f"The table {str(self._table)!r} cannot be read from the closed file. Nothing was "
                "released; the disk may be full or damaged."
            )

    def _is_there(self, written: tuple[Any, ...], *, in_doubt: bool) -> bool:
        """Whether the closed file holds the table; in doubt if somebody else opened it first."""
        try:
            with self._explained():
                session = self._reopen()
        except DatabaseProblem:
            return in_doubt
        try:
            with self._explained():
                found = session.find(self._table)
                return found is not None and session.fingerprint(found) == written
        finally:
            session.close()

    def drop(self) -> None:
        self._session.close()


def _holds_something(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


class StagedFile(StagedInFile):
    """A table in a file that still has a temporary name."""

    def __init__(
        self,
        explained: Explained,
        session: FileSession,
        table: TableName,
        reopen: Callable[[], FileSession],
        move: _Move,
    ) -> None:
        super().__init__(explained, session, table, reopen)
        self._move = move

    def keep(self) -> None:
        super().keep()
        self._move.take()

    def drop(self) -> None:
        super().drop()
        self._move.end()
        remove_database(self._move.temporary)
