"""Is a file the release that these settings make?"""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path

from covey.errors import DisclosureWarning, SchemaError
from covey.release.provenance import file_hash
from covey.release.release import Release
from covey.sources.files import read_table


def require_same_release(release: Release, path: Path) -> None:
    """Raise `SchemaError` unless the file holds this release, in either order of the rows.

    The release is written anew in the same format and read back, so that what a format cannot
    hold counts on neither side.
    """
    found = read_table(path)
    hashes = dict(release.provenance.outputs)
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", DisclosureWarning)  # the copy goes nowhere
        for order in ("released", "original"):
            copy = Path(folder) / f"{order}{path.suffix}"
            release.write(copy, order=order)
            release.provenance.outputs.clear()
            release.provenance.outputs.update(hashes)
            if read_table(copy).equals(found):
                release.provenance.outputs[path.name] = file_hash(path)
                return
    raise SchemaError(
        f"{path} is not the release that these settings make of {release.provenance.input_name}. "
        "The original, the settings or the release was changed."
    )
