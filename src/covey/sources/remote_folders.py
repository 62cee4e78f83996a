"""A release as a folder of Parquet files on another file system."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from covey.errors import InvalidParameter
from covey.sources.columnar import write_parts
from covey.sources.file_systems import Location
from covey.sources.files_as_sources import FileParts
from covey.sources.remote_files import RemoteParts, only_parquet, upload
from covey.sources.source import Records, Source, Staged
from covey.sources.whole import exists_already

# Written last: a folder without it is not complete. Spark and others look for it.
COMPLETE = "_SUCCESS"


class RemoteFolder(Source):
    """A folder with the files part-00000.parquet, part-00001.parquet …, and `COMPLETE`."""

    format = "Parquet"

    def __init__(self, address: str) -> None:
        self.location = Location.read(address)

    @property
    def name(self) -> str:
        return f"{self.location.name}/"

    @property
    def shown(self) -> str:
        return str(self.location)

    @property
    def address(self) -> str:
        return self.location.address

    @contextmanager
    def records(self) -> Iterator[Records]:
        with RemoteParts(self.address).records() as records:
            yield records

    def check_target(self, *, force: bool, original: Source | None = None) -> None:
        self.location.require_bucket()
        inside = self.location.inside()
        if not inside:
            return
        only_parquet(self.location, inside)
        read = set() if original is None else {state.place for state in original.states()}
        if read & set(map(str, inside)):
            raise InvalidParameter(f"{self.shown} holds the original; write the release elsewhere.")
        if not force:
            raise exists_already(self.shown)

    def stage(
        self, schema: Any, batches: Iterable[Any], *, force: bool, original: Source | None = None
    ) -> Staged:
        self.check_target(force=force, original=original)
        return _StagedFolder(self, schema, batches, force=force)


class _StagedFolder(Staged):
    """A folder on this computer that is to be uploaded."""

    def __init__(
        self, target: RemoteFolder, schema: Any, batches: Iterable[Any], *, force: bool
    ) -> None:
        self._target = target
        self._force = force
        self._folder = tempfile.TemporaryDirectory(prefix="covey-")
        try:
            write_parts(Path(self._folder.name), schema, batches)
        except BaseException:
            self.drop()
            raise

    @property
    def paths(self) -> tuple[Path, ...]:
        return tuple(sorted(Path(self._folder.name).glob("*.parquet")))

    def read_back(self) -> Any:
        return FileParts(f"{self._folder.name}/*.parquet").read().table

    def keep(self) -> None:
        """Let the parts appear, and last the mark; an old release goes first."""
        self._target.check_target(force=self._force)
        self._remove_old()
        place = self._target.location
        for path in self.paths:
            upload(path, place.at(place.path + path.name))
        mark = Path(self._folder.name) / COMPLETE
        mark.touch()
        upload(mark, place.at(place.path + COMPLETE))
        self.drop()

    def _remove_old(self) -> None:
        """First the mark, so that nobody takes what is left for a release."""
        place = self._target.location
        marks_first = sorted(place.inside(), key=lambda one: one.name != COMPLETE)
        for old in marks_first:
            with old.explained():
                place.system.delete_file(old.path)

    def drop(self) -> None:
        self._folder.cleanup()
