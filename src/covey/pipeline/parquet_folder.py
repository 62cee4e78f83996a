"""A release as a folder of Parquet files, one for each part."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from covey.errors import InvalidParameter
from covey.pipeline.atomic_folder import STAGED, Held, place_new_folder, recover, replace_folder
from covey.sources.columnar import write_parts
from covey.sources.databases.addresses import require_no_secret
from covey.sources.files_as_sources import FileParts
from covey.sources.problems import FileProblem
from covey.sources.source import Records, Source, Staged
from covey.sources.whole import exists_already, explained, umask


class ParquetFolder(Source):
    """A folder with the files part-00000.parquet, part-00001.parquet …"""

    format = "Parquet"
    takes_files = True

    def __init__(self, path: str | Path) -> None:
        require_no_secret(str(path))
        self.path = Path(path)

    @property
    def name(self) -> str:
        return f"{self.path.name}/"

    @property
    def address(self) -> str:
        return f"{self.path}/"

    @property
    def as_target(self) -> str:
        """A name beside the script, as of files."""
        return repr("released/")

    @property
    def folder(self) -> Path:
        return self.path.parent

    @contextmanager
    def records(self) -> Iterator[Records]:
        with FileParts(str(self.path / "*.parquet")).records() as records:
            yield records

    def _place(self) -> Path:
        """Where the folder is: a link keeps pointing to the new one."""
        return Path(os.path.realpath(self.path))

    def check_target(self, *, force: bool, original: Source | None = None) -> None:
        parent = self._place().parent
        if not parent.is_dir():
            raise FileProblem(f"The folder {parent} does not exist.")
        if not os.access(parent, os.W_OK | os.X_OK):
            raise FileProblem(f"The folder {parent} is write-protected.")
        recover(self._place())
        if not self.path.exists():
            return
        if not self.path.is_dir() or not all(_is_part(one) for one in self.path.iterdir()):
            raise InvalidParameter(f"{self.path} is not a folder of Parquet files alone.")
        inside = {one.resolve() for one in (() if original is None else original.files)}
        if inside & {one.resolve() for one in self.path.iterdir()}:
            raise InvalidParameter(f"{self.path} holds the original; write the release elsewhere.")
        if not force:
            raise exists_already(self.path)

    def stage(
        self, schema: Any, batches: Iterable[Any], *, force: bool, original: Source | None = None
    ) -> Staged:
        return self._filled(lambda new: write_parts(new, schema, batches), force, original)

    def stage_files(
        self, files: Sequence[Path], *, force: bool, original: Source | None = None
    ) -> Staged:
        def fill(folder: Path) -> None:
            for number, file in enumerate(files):
                _linked(file, folder / f"part-{number:05d}.parquet")

        return self._filled(fill, force, original)

    def _filled(self, fill: Callable[[Path], None], force: bool, original: Source | None) -> Staged:
        self.check_target(force=force, original=original)
        place = self._place()
        with explained(self.path):
            staged = _StagedFolder(_new_beside(place), place, force=force)
            try:
                fill(staged.folder)
                staged.folder.chmod(0o777 & ~umask())
            except BaseException:
                staged.drop()
                raise
        return staged


def _linked(file: Path, place: Path) -> None:
    """The same file under another name, or a copy where it lies on another disk."""
    try:
        os.link(file, place)
    except OSError:
        shutil.copyfile(file, place)


def _new_beside(place: Path) -> Path:
    return Path(tempfile.mkdtemp(dir=place.parent, prefix=f".{place.name}.", suffix=STAGED))


class _StagedFolder(Staged):
    """A folder that still has a temporary name."""

    def __init__(self, folder: Path, place: Path, *, force: bool) -> None:
        self.folder = folder
        self._place = place
        self._force = force
        self._held = Held(folder)

    @property
    def paths(self) -> tuple[Path, ...]:
        return tuple(sorted(self.folder.glob("*.parquet")))

    def read_back(self) -> Any:
        return FileParts(str(self.folder / "*.parquet")).read().table

    def keep(self) -> None:
        with explained(self._place):
            self._move()
        self._held.release()

    def _move(self) -> None:
        """Only a forced folder takes the place of what appeared meanwhile."""
        if self._force:
            replace_folder(self.folder, self._place)
            return
        try:
            place_new_folder(self.folder, self._place)
        except FileExistsError:
            raise exists_already(self._place) from None

    def drop(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self._held.release()


def _is_part(path: Path) -> bool:
    return path.suffix == ".parquet" and path.is_file()
