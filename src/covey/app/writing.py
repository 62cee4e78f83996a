"""What can be downloaded of a run, as files in a folder of its own."""

from __future__ import annotations

import pickle
import re
import unicodedata
from pathlib import Path
from typing import NamedTuple

from covey.errors import CoveyError, GuaranteeViolated
from covey.release.candidates import Candidate
from covey.release.comparing import Comparison
from covey.release.describing.alternatives import marked_alternatives
from covey.release.describing.external import with_title
from covey.release.release import Release
from covey.reports.content_types import ExternalContent, InternalContent
from covey.reports.content_types.pictures import Alternatives
from covey.reports.figures import Drawn, risk_utility_picture
from covey.reports.pages import render
from covey.sources.files import FileProblem
from covey.sources.formats import BY_ENDING
from covey.sources.whole import write_text

# In every case these; beside them the format that came in, if Covey can write it.
ALWAYS = (".csv", ".parquet")
CONTENTS = "contents.pickle"
LONGEST_STEM = 120  # bytes; with all that is added, a name may have 255


def own_ending(name: str) -> str:
    """The ending for a release of a file of this name: the same, if it can be written."""
    ending = Path(name).suffix.lower()
    known = BY_ENDING.get(ending)
    return ending if ending and known is not None and known.write is not None else ALWAYS[0]


def safe_stem(name: str) -> str:
    """A name without its ending, of letters and digits of any script and signs no system minds.

    >>> safe_stem("Überprüfung 2024.csv"), safe_stem("a/b: <c>?.csv")
    ('Überprüfung-2024', 'b-c')
    """
    plain = unicodedata.normalize("NFC", Path(name).stem)
    stem = re.sub("-+", "-", "".join(s if _is_harmless(s) else "-" for s in plain)).strip("-_")
    return stem.encode()[:LONGEST_STEM].decode(errors="ignore") or "data"


def _is_harmless(sign: str) -> bool:
    """Letters, the marks on them, and digits."""
    return sign in "-_" or unicodedata.category(sign)[0] in "LMN"


class Written(NamedTuple):
    """Names of files by what they hold, and sentences on formats that could not hold the data."""

    files: dict[str, str]
    notes: tuple[str, ...]


def write_release(release: Release, folder: Path, name: str, number: int) -> Written:
    """Write data, settings and script; what can be downloaded, and under which name."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    written, notes = _write_data(release, folder, f"{safe_stem(name)}-released-{number}", name)
    for what, suffix, text in (
        ("settings", ".toml", release.settings.to_toml()),
        ("script", ".py", release.script()),
    ):
        path = folder / f"{safe_stem(name)}-{what}-{number}{suffix}"
        write_text(path, text)
        written[what] = path.name
    return Written(written, notes)


def _write_data(release: Release, folder: Path, stem: str, name: str) -> Written:
    """Write the data in every format that can hold them; the first is the one to offer."""
    files: dict[str, str] = {}
    refused: dict[str, CoveyError] = {}
    for suffix in dict.fromkeys((own_ending(name), *ALWAYS)):
        path = folder / f"{stem}{suffix}"
        try:
            release.write(path)
        except (GuaranteeViolated, FileProblem):
            raise
        except CoveyError as error:
            refused[suffix] = error
        else:
            files.setdefault("data", path.name)
            files[suffix.lstrip(".")] = path.name
    if not files:
        raise next(iter(refused.values()))
    return Written(files, tuple(f"Not written as {ending}: {e}" for ending, e in refused.items()))


class About(NamedTuple):
    """What the reports are called, and who publishes the data; texts may be empty."""

    title: str = ""
    publisher: str = ""
    contact: str = ""


class Contents(NamedTuple):
    """What the reports say, kept so that they can be written again under another title."""

    internal: InternalContent
    external: ExternalContent
    pictures: Drawn
    external_pictures: Drawn

    def keep(self, folder: Path) -> None:
        (folder / CONTENTS).write_bytes(pickle.dumps(tuple(self)))

    @classmethod
    def kept(cls, folder: Path) -> Contents:
        """Only this program writes into the private folder, so that it can be trusted."""
        return cls(*pickle.loads((folder / CONTENTS).read_bytes()))


def alternatives_to(chosen: Candidate, together: Comparison) -> Alternatives | None:
    """What was tried beside a run, with the run itself as the one that was chosen."""
    if len(together.candidates) < 2:
        return None
    return marked_alternatives(together, chosen)


def write_reports(
    contents: Contents, folder: Path, about: About, tried: Alternatives | None = None
) -> dict[str, str]:
    """Write both reports, in place of those that were there."""
    inside, pictures = contents.internal.copy(), contents.pictures
    if about.title:
        inside["title"] = about.title
    if tried is not None:
        inside["alternatives"] = tried
        pictures = {**pictures, "risk_utility": risk_utility_picture(tried)}
    outside = with_title(contents.external, *(text or None for text in about))
    pages = {
        "internal": render(inside, "internal", pictures),
        "external": render(outside, "external", contents.external_pictures),
    }
    for audience, text in pages.items():
        write_text(folder / f"{audience}.html", text, force=True)
    return {audience: f"{audience}.html" for audience in pages}
