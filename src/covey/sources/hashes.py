"""Hashes of files."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import IO

AT_ONCE = 1 << 20


def file_hash(path: Path) -> str:
    """SHA-256 of a file."""
    with path.open("rb") as file:
        return stream_hash(file)


def stream_hash(file: IO[bytes]) -> str:
    """SHA-256 of what is still to be read."""
    digest = hashlib.sha256()
    while chunk := file.read(AT_ONCE):
        digest.update(chunk)
    return digest.hexdigest()


def joint_hash(hashes: Sequence[str]) -> str:
    """The hash of the only file; of several, SHA-256 of their hashes one after the other."""
    return hashes[0] if len(hashes) == 1 else hashlib.sha256("".join(hashes).encode()).hexdigest()
