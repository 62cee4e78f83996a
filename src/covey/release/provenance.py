"""Where a release came from: hashes, versions, times."""

from __future__ import annotations

import hashlib
import platform
from dataclasses import dataclass, field
from datetime import datetime, timezone
from functools import cache
from importlib.metadata import version
from typing import Any

from covey.release.prepared import Original
from covey.sources.source import Records

PACKAGES = ("numpy", "scipy", "scikit-learn", "pyarrow", "narwhals")


@dataclass(frozen=True)
class Provenance:
    """What went in, with what it was made, and what came out (hashes by name of file or table).

    `written` are the arguments of `Release.write` as Python writes them.
    """

    input_name: str
    input_hash: str
    input_records: int
    input_columns: int
    notes: tuple[str, ...]
    started: str
    seconds: float
    versions: dict[str, str]
    platform: str
    warnings: tuple[str, ...] = ()
    outputs: dict[str, str] = field(default_factory=dict)
    written: list[str] = field(default_factory=list)


def trace(original: Original, started: datetime, warnings: tuple[str, ...] = ()) -> Provenance:
    """The provenance of a release that was started at `started` and is ready now."""
    source = original.source
    return _traced(
        started,
        input_name="data frame" if source is None else source.name,
        input_hash=_input_hash(original),
        input_records=original.n_records,
        input_columns=int(original.table.num_columns),
        notes=original.notes,
        warnings=warnings,
    )


def trace_streamed(
    name: str,
    digest: str,
    records: Records,
    n_columns: int,
    started: datetime,
    warnings: tuple[str, ...],
) -> Provenance:
    """The same for records that were never in memory as a whole."""
    return _traced(
        started,
        input_name=name,
        input_hash=digest,
        input_records=records.n_records,
        input_columns=n_columns,
        notes=records.notes,
        warnings=warnings,
    )


def _traced(started: datetime, **what: Any) -> Provenance:
    """What is known of the input, and when, how long and by which versions it was worked on."""
    return Provenance(
        started=started.isoformat(timespec="seconds"),
        seconds=(now() - started).total_seconds(),
        versions=_versions(),
        platform=platform.platform(terse=True),
        **what,
    )


def _input_hash(original: Original) -> str:
    """Of the file; of the records where they were in no file of their own."""
    source = original.source
    known = None if source is None else source.content_hash()
    return table_hash(original.table) if known is None else known


def now() -> datetime:
    return datetime.now(timezone.utc)


def table_hash(table: Any) -> str:
    """SHA-256 of the names, types and values of a table, however it is cut into chunks."""
    import pyarrow as pa

    class Sink:
        """A file that only remembers its digest."""

        closed = False

        def __init__(self) -> None:
            self.digest = hashlib.sha256()

        def write(self, data: Any) -> int:
            self.digest.update(data)
            return len(data)

        def flush(self) -> None: ...

    sink = Sink()
    whole = table.combine_chunks()
    with pa.ipc.new_stream(pa.PythonFile(sink, mode="w"), whole.schema) as writer:
        writer.write_table(whole)
    return sink.digest.hexdigest()


def _versions() -> dict[str, str]:
    from covey import __version__

    python = {"covey": __version__, "python": platform.python_version()}
    return python | {name: _installed(name) for name in PACKAGES}


# Looking a version up takes longer than protecting a small table.
_installed = cache(version)
