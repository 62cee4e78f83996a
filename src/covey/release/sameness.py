"""Whether a run is the same as one before: the same records, settings and version."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, NamedTuple

from covey.release.settings import Settings
from covey.scale.parquet_folder import ParquetFolder
from covey.sources.databases.database import Database
from covey.sources.files_as_sources import FileParts, FileSource
from covey.sources.source import Records, Source


class Seen(NamedTuple):
    """What is seen of a source from outside.

    Files tell by size and time whether they are the same. Those of a database do not: what is
    written last may be elsewhere, and a query may read other files.
    """

    name: str
    is_in_files: bool
    files: tuple[tuple[str, int, int], ...]


def see(source: Source) -> Seen:
    is_in_files = isinstance(source, FileSource | FileParts)
    return Seen(source.name, is_in_files, tuple(_file(path, is_in_files) for path in source.files))


def _file(path: Path, with_state: bool) -> tuple[str, int, int]:
    state = path.stat()
    size, time = (state.st_size, state.st_mtime_ns) if with_state else (0, 0)
    return str(path.resolve()), size, time


def fingerprint(
    records: Records, settings: Settings, sizes: tuple[int | None, int], seen: Seen
) -> str:
    """A hash of what is done to what."""
    from covey import __version__

    parts: dict[str, Any] = {
        "settings": settings.to_dict(),
        "version": __version__,
        "sizes": sizes,
        "source": seen,
        "records": records.n_records,
        "schema": str(records.schema),
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


def folder_of(target: Source) -> Path:
    """The folder that a release will be in; the current one, if it goes to a server."""
    if isinstance(target, ParquetFolder):
        return target.path.parent
    if isinstance(target, FileSource):
        return target.file.parent
    if isinstance(target, Database) and target.path is not None:
        return target.path.parent
    return Path.cwd()
