"""A release as a folder of Parquet files, one for each part."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from covey.errors import InvalidParameter
from covey.scale.folder import explained
from covey.sources.files_as_sources import FileParts
from covey.sources.problems import FileProblem
from covey.sources.source import Records, Source, Staged

# Records in a file, about.
PART = 1_000_000


class ParquetFolder(Source):
    """A folder with the files part-00000.parquet, part-00001.parquet …"""

    format = "Parquet"

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    @property
    def name(self) -> str:
        return f"{self.path.name}/"

    @contextmanager
    def records(self) -> Iterator[Records]:
        with FileParts(str(self.path / "*.parquet")).records() as records:
            yield records

    def check_target(self, *, force: bool, original: Source | None = None) -> None:
        if not self.path.parent.is_dir():
            raise FileProblem(f"The folder {self.path.parent} does not exist.")
        if not self.path.exists():
            return
        if not self.path.is_dir() or not all(_is_part(one) for one in self.path.iterdir()):
            raise InvalidParameter(f"{self.path} is not a folder of Parquet files alone.")
        inside = {one.resolve() for one in (() if original is None else original.files)}
        if inside & {one.resolve() for one in self.path.iterdir()}:
            raise InvalidParameter(f"{self.path} holds the original; write the release elsewhere.")
        if not force:
            raise InvalidParameter(
                f"{self.path} exists already. Choose another name, or force it (--force)."
            )

    def stage(
        self, schema: Any, batches: Iterable[Any], *, force: bool, original: Source | None = None
    ) -> Staged:
        self.check_target(force=force, original=original)
        with explained(self.path):
            staged = Path(tempfile.mkdtemp(dir=self.path.parent, prefix=f".{self.path.name}."))
            try:
                _write_parts(staged, schema, batches)
                staged.chmod(0o777 & ~_umask())
            except BaseException:
                shutil.rmtree(staged, ignore_errors=True)
                raise
        return _StagedFolder(staged, self.path)


def _write_parts(folder: Path, schema: Any, batches: Iterable[Any]) -> None:
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


class _StagedFolder(Staged):
    """A folder that still has a temporary name."""

    def __init__(self, staged: Path, path: Path) -> None:
        self._staged = staged
        self._path = path

    @property
    def paths(self) -> tuple[Path, ...]:
        return tuple(sorted(self._staged.glob("*.parquet")))

    def read_back(self) -> Any:
        return FileParts(str(self._staged / "*.parquet")).read().table

    def keep(self) -> None:
        with explained(self._path):
            old = self._staged.with_name(f"{self._staged.name}.old")
            if self._path.exists():
                os.replace(self._path, old)
            os.replace(self._staged, self._path)
            shutil.rmtree(old, ignore_errors=True)

    def drop(self) -> None:
        shutil.rmtree(self._staged, ignore_errors=True)


def _is_part(path: Path) -> bool:
    return path.suffix == ".parquet" and path.is_file()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
