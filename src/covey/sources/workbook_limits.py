"""How much a workbook may hold: a file of some kilobytes can unfold to more than any memory."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import IO, Any, NamedTuple

from covey.sources.problems import FileProblem

MOST_ROWS = 1_048_576  # of a sheet of Excel
MOST_CELLS = 20_000_000
# What a cell takes: <c>, <v>, </v>, </c>, and some room for <row> and text.
MOST_TAGS = 5 * MOST_CELLS
# Parts of a row, or of what stands before and after the rows, which are held in memory together.
MOST_TAGS_AT_ONCE = 2_000_000
# Bytes without a tag. A cell of Excel holds 32,767 letters, of up to 7 bytes as Excel escapes them.
LONGEST_TEXT = 1 << 18
LARGEST_SHEET = 1 << 30  # bytes when unpacked
LARGEST_TEXTS = 1 << 28  # bytes of the texts of all cells, which memory holds at up to four times
LARGEST_OTHER = 1 << 25  # bytes of other parts, which are held in memory whole
ADVICE = "Save it as CSV or Parquet, which have no such limit."


class Units(NamedTuple):
    """What a part is made of, by its closing tag, how many there may be, and of how many bytes."""

    end: re.Pattern[bytes]
    most: int
    largest: int


class BoundedArchive(zipfile.ZipFile):
    """The archive of a workbook, of which no part is unpacked beyond what a sheet may hold.

    The sizes in its directory are kept to: zipfile never gives more bytes than they say. First
    the texts of all cells are read, then, after `expect_rows`, a sheet.
    """

    def __init__(self, file: IO[bytes], path: Path) -> None:
        super().__init__(file)
        self._path = path
        self._units = Units(re.compile(rb"</(?:\w+:)?si>"), MOST_CELLS, LARGEST_TEXTS)

    def expect_rows(self) -> None:
        """From now on sheets are read."""
        self._units = Units(re.compile(rb"</(?:\w+:)?row>"), MOST_ROWS, LARGEST_SHEET)

    def read(self, name: Any, pwd: bytes | None = None) -> bytes:
        """A part as a whole."""
        self._require_size(name, LARGEST_OTHER)
        return super().read(name, pwd)

    def open(self, name: Any, mode: Any = "r", *arguments: Any, **options: Any) -> Any:
        """A part that is read piece by piece: a sheet, or the texts of all cells."""
        self._require_size(name, LARGEST_SHEET)
        part = super().open(name, mode, *arguments, **options)
        return _Counted(part, self._path, self._units)

    def _require_size(self, name: Any, largest: int) -> None:
        entry = name if isinstance(name, zipfile.ZipInfo) else self.getinfo(name)
        if entry.file_size > largest:
            raise too_large(self._path, largest)


class _Counted:
    """A part of the archive that counts the tags that go by."""

    def __init__(self, file: IO[bytes], path: Path, units: Units) -> None:
        self._file = file
        self._path = path
        self._of = units
        self._bytes = self._units = self._tags = self._at_once = self._without = 0

    def __enter__(self) -> _Counted:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._file.close()

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self._bytes += len(data)
        if self._bytes > self._of.largest:
            raise too_large(self._path, self._of.largest)
        tags = data.count(b"<")
        ends = [found.end() for found in self._of.end.finditer(data)]
        self._tags += tags
        self._units += len(ends)
        self._at_once = data.count(b"<", ends[-1]) if ends else self._at_once + tags
        self._without = 0 if tags else self._without + len(data)
        all_in_all = self._tags > MOST_TAGS or self._units > self._of.most
        if all_in_all or self._at_once > MOST_TAGS_AT_ONCE:
            raise too_many_cells(self._path)
        if self._without > LONGEST_TEXT:
            raise too_much(self._path, "a text longer than the 32,767 letters of a cell")
        return data


def too_many_cells(path: Path) -> FileProblem:
    return FileProblem(
        f"{path} has more cells than can be read from Excel ({MOST_CELLS:,}), counting empty ones. "
        "Remove stray and formatted cells far from the others, or save it as CSV or Parquet."
    )


def too_large(path: Path, largest: int) -> FileProblem:
    return too_much(path, f"a part of over {largest >> 20:,} MB when unpacked")


def too_much(path: Path, what: str) -> FileProblem:
    return FileProblem(f"{path} has {what}, more than can be read from Excel. {ADVICE}")
