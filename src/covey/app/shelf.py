"""The shelf: the files that were given, by number, in the private folder."""

from __future__ import annotations

import threading
from pathlib import Path

from covey.app.results import Upload


class Shelf:
    """Files under names of our own; what their owner calls them is only shown."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[int, Upload] = {}
        self._given = 0
        self._lock = threading.Lock()

    def __getitem__(self, number: int) -> Upload:
        return self._files[number]

    def __len__(self) -> int:
        return len(self._files)

    def add(self, name: str, ending: str) -> Upload:
        """A place for a file, which `ending` tells the format of."""
        with self._lock:
            self._given += 1
            path = self._folder / f"upload-{self._given:04d}{ending}"
            self._files[self._given] = Upload(self._given, path, name, 0)
            return self._files[self._given]

    def note_size(self, number: int, size: int) -> Upload:
        """The file is there as a whole."""
        with self._lock:
            self._files[number] = self._files[number]._replace(size=size)
            return self._files[number]

    def drop(self, number: int) -> None:
        """The file did not come; nothing of it is left."""
        with self._lock:
            self._files.pop(number).path.unlink(missing_ok=True)
