"""Whether a run is the same as one before: the same records, settings and version."""

from __future__ import annotations

import hashlib
import json
from typing import Any, NamedTuple

from covey.release.settings import Settings
from covey.sources.source import FileState, Records, Source


class Seen(NamedTuple):
    """What is seen of a source from outside.

    Files tell by size and time whether they are the same. Those of a database do not: what is
    written last may be elsewhere, and a query may read other files.
    """

    name: str
    is_in_files: bool
    files: tuple[FileState, ...]


def see(source: Source) -> Seen:
    return Seen(source.name, source.has_own_bytes, source.states())


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
