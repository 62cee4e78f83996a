"""What can be downloaded of a run, as files in a folder of its own."""

from __future__ import annotations

import pickle
import re
from pathlib import Path
from typing import Any

from covey.errors import CoveyError, GuaranteeViolated
from covey.release.describing import external_content
from covey.release.release import Release
from covey.reports.content_types import InternalContent
from covey.reports.pages import render
from covey.sources.formats import BY_ENDING
from covey.sources.whole import write_text

# In every case these; beside them the format that came in, if Covey can write it.
ALWAYS = (".csv", ".parquet")
CONTENTS = "contents.pickle"


def own_ending(name: str) -> str:
    """The ending for a release of a file of this name: the same, if it can be written."""
    ending = Path(name).suffix.lower()
    known = BY_ENDING.get(ending)
    return ending if ending and known is not None and known.write is not None else ALWAYS[0]


def safe_stem(name: str) -> str:
    """A name without its ending, of letters, digits and signs that no system minds."""
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", Path(name).stem).strip("-_")
    return stem[:60] or "data"


def write_release(
    release: Release, folder: Path, name: str, number: int, ending: str
) -> dict[str, str]:
    """Write data, settings and script; what can be downloaded, and under which name."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    stem = f"{safe_stem(name)}-released-{number}"
    written: dict[str, str] = {}
    for suffix in dict.fromkeys((ending, *ALWAYS)):
        path = folder / f"{stem}{suffix}"
        try:
            release.write(path)
        except GuaranteeViolated:
            raise
        except CoveyError:
            continue  # the format cannot hold it; another one can
        written.setdefault("data", path.name)
        written[suffix.lstrip(".")] = path.name
    for what, suffix, text in (
        ("settings", ".toml", release.settings.to_toml()),
        ("script", ".py", release.script()),
    ):
        path = folder / f"{safe_stem(name)}-{what}-{number}{suffix}"
        write_text(path, text)
        written[what] = path.name
    return written


def write_reports(
    release: Release, content: InternalContent, pictures: dict[str, Any], folder: Path
) -> dict[str, str]:
    """Write both reports, and what is needed to write them again with another title."""
    outside = external_content(release)
    (folder / CONTENTS).write_bytes(pickle.dumps((content, outside)))
    write_text(folder / "internal.html", render(content, "internal"))
    write_text(folder / "external.html", render(outside, "external"))
    return {"internal": "internal.html", "external": "external.html"}
