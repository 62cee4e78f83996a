"""How the columns of a text file are separated."""

from __future__ import annotations

import csv
import io
import re
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from covey.errors import SchemaError

SAMPLE = 1 << 18
SAMPLE_ROWS = 1000

# In the order in which they win a tie. The comma is last: it is also the decimal sign of many
# countries and stands in names and texts.
DELIMITERS = {"\t": "tabs", ";": "semicolons", "|": "vertical bars", ",": "commas"}
DECLARED = re.compile(r'"?sep=([\t;|,])"?\r?\n')


class Dialect(NamedTuple):
    """Encoding, delimiter and number of columns of a text file, and lines before the header.

    `given` tells whether the user named the encoding.
    """

    encoding: str
    delimiter: str
    columns: int
    skipped: int = 0
    given: bool = False


def find_dialect(path: Path, encoding: str, delimiter: str | None = None) -> Dialect:
    """Look at the beginning of the file; with a given delimiter another one is refused."""
    with path.open(encoding=encoding, newline="") as file:
        sample = file.read(SAMPLE)
        complete = not file.read(1)
    if not sample.strip():
        raise SchemaError(f"{path} could not be read as CSV: it is empty.")
    declared = DECLARED.match(sample)  # a first line by which Excel names the separator
    if declared:
        delimiter = declared[1]
        sample = sample[declared.end() :]
    likeliest = _likeliest(sample, complete)
    chosen = delimiter or likeliest
    columns = len(_rows(sample, chosen, True)[0])
    if columns == 1 < len(_rows(sample, likeliest, True)[0]):
        raise SchemaError(
            f"The columns of {path} seem to be separated by {DELIMITERS[likeliest]}, not by "
            f"{DELIMITERS[chosen]}. Give it the ending .csv."
        )
    return Dialect(encoding, chosen, columns, int(bool(declared)))


def _likeliest(sample: str, complete: bool) -> str:
    tried = {sign: _rows(sample, sign, complete) for sign in DELIMITERS}
    several = [sign for sign, rows in tried.items() if len(rows[0]) > 1]
    below_a_title = [sign for sign, rows in tried.items() if _is_wider_below(rows, sign)]
    # A title above the header is a mistake that the reader of the file then reports.
    candidates = several or below_a_title or list(DELIMITERS)
    return max(candidates, key=lambda sign: _merit(tried[sign]))


def _merit(rows: list[list[str]]) -> tuple[float, int]:
    """Rows as long as the header, then many columns."""
    width = len(rows[0])
    return sum(len(row) == width for row in rows) / len(rows), width


def _is_wider_below(rows: list[list[str]], sign: str) -> bool:
    """Whether all rows but the first have several columns, and not just a decimal comma."""
    widths = {len(row) for row in rows[1:]}
    decimals = sign == "," and all("".join(row).lstrip("+-").isdigit() for row in rows[1:])
    return len(widths) == 1 and widths != {1} and not decimals


def _rows(sample: str, delimiter: str, complete: bool) -> list[list[str]]:
    """Rows of the sample without blank lines; the last may be cut off and is left out."""
    reader = csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter)
    rows: list[list[str]] = []
    # A field of more than 128 kB ends the search; what came before it tells enough.
    with suppress(csv.Error):
        for row in islice(reader, SAMPLE_ROWS):
            rows += [row] if row else []
    if not complete and len(rows) > 1:
        rows.pop()
    return rows or [[""]]
