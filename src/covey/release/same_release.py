"""Is a file the release that these settings make?"""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path

from covey.errors import DisclosureWarning, SchemaError
from covey.release.provenance import table_hash
from covey.release.release import Release
from covey.sources.files import read_table
from covey.sources.opening import open_source
from covey.sources.source import Source
from covey.tables.categories import in_released_order


def require_same_release(release: Release, place: str | Path | Source) -> None:
    """Raise `SchemaError` unless a file or a table holds this release."""
    source = open_source(place)
    if source.ending is not None:
        _require_same_file(release, source, source.ending)
    else:
        _require_same_table(release, source)


def _require_same_table(release: Release, source: Source) -> None:
    """A table has no order, and may have been declared with smaller types."""
    import pyarrow as pa

    found = source.read().table
    expected = release.table
    try:
        same = found.column_names == expected.column_names and in_released_order(
            found.cast(expected.schema)
        ).equals(in_released_order(expected))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        same = False
    if not same:
        raise _another(release, source.name)
    release.provenance.outputs[source.name] = table_hash(in_released_order(found))
    release.provenance.written.append(source.as_target)


def _require_same_file(release: Release, source: Source, ending: str) -> None:
    """In either order of the rows.

    The release is written anew in the same format and read back, so that what a format cannot
    hold counts on neither side.
    """
    found = source.read().table
    hashes, written = dict(release.provenance.outputs), list(release.provenance.written)
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", DisclosureWarning)  # the copy goes nowhere
        for order in ("released", "original"):
            copy = Path(folder) / f"{order}{ending}"
            release.write(copy, order=order)
            release.provenance.outputs.clear()
            release.provenance.outputs.update(hashes)
            release.provenance.written[:] = written or release.provenance.written[-1:]
            if read_table(copy).equals(found):
                release.provenance.outputs[source.name] = str(source.content_hash())
                return
    raise _another(release, source.shown)


def _another(release: Release, name: str) -> SchemaError:
    return SchemaError(
        f"{name} is not the release that these settings make of {release.provenance.input_name}. "
        "The original, the settings or the release was changed."
    )
