"""Finding benchmark files: a named folder, a per-user cache, a checksummed download."""

from __future__ import annotations

import hashlib
import os
import tempfile
import urllib.error
import urllib.request
from pathlib import Path

from covey.errors import CoveyError, missing_extra

# The R package sdcMicro distributes the reference files. Some of them were stored again over
# the years, so several revisions are tried; only the checksum decides.
SOURCE = "https://raw.githubusercontent.com/sdcTools/sdcMicro/{revision}/data/{name}"
REVISIONS = (
    "master",
    "8f8298c8c203d2f4b90d2881c9cfe47ba4ec1767",
    "966f7ef32e0009649dedd1ce60dcec9aa53c5748",
    "ea3a1048e7f811f9afc806f2e85906cd974ce0ac",
)


class DatasetUnavailable(CoveyError, OSError):
    """A benchmark file is neither on this machine nor to be had."""


def locate(name: str, source: str, sha256: str) -> Path:
    """Path of the CSV file `name`, downloading and converting `source` if need be."""
    folder = os.environ.get("COVEY_DATA")
    if folder:
        path = Path(folder) / name
        if not path.is_file():
            raise DatasetUnavailable(
                f"COVEY_DATA names the folder {folder}, but there is no {name} in it."
            )
        return path
    path = cache_folder() / name
    if not path.is_file():
        _convert(download(source, sha256), path)
    return path


def cache_folder() -> Path:
    """Per-user cache folder of this system; ``COVEY_CACHE`` names another."""
    if "COVEY_CACHE" in os.environ:
        return Path(os.environ["COVEY_CACHE"])
    try:
        from platformdirs import user_cache_path
    except ImportError:
        raise missing_extra("Keeping benchmark files", "platformdirs", "datasets") from None
    return user_cache_path("covey")


def download(source: str, sha256: str) -> bytes:
    """Content of `source` from the first revision whose checksum is right."""
    reasons = []
    for revision in REVISIONS:
        url = SOURCE.format(revision=revision, name=source)
        try:
            with urllib.request.urlopen(url, timeout=30) as response:
                content: bytes = response.read()
        except (urllib.error.URLError, OSError) as error:
            reasons.append(str(getattr(error, "reason", error)))
            continue
        if hashlib.sha256(content).hexdigest() == sha256:
            return content
        reasons.append("the checksum does not match")
    raise DatasetUnavailable(
        f"{source} could not be downloaded ({reasons[-1]}). If this machine is offline, put the "
        "file's CSV in a folder and name that folder in the environment variable COVEY_DATA; "
        "docs/datasets.md says how."
    )


def _convert(content: bytes, path: Path) -> None:
    """Write the data frame in an .rda file as CSV, whole or not at all."""
    try:
        import rdata
    except ImportError:
        raise missing_extra("Reading .rda files", "rdata", "datasets") from None
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        original, converted = Path(folder) / "original.rda", Path(folder) / path.name
        original.write_bytes(content)
        (frame,) = rdata.read_rda(original).values()
        frame.to_csv(converted, index=False)
        os.replace(converted, path)
