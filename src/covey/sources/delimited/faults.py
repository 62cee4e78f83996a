"""What is wrong with a text file, said without showing any of it."""

from __future__ import annotations

import csv as text_csv
from pathlib import Path

from covey.errors import SchemaError
from covey.sources.delimited.dialects import Dialect

BLOCK = 1 << 23


def require_short_lines(path: Path) -> None:
    """Refuse a line that is longer than what is parsed at a time."""
    line, length = 1, 0
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            ends = [place for sign in (b"\n", b"\r") if (place := block.find(sign)) >= 0]
            length += min(ends, default=len(block))
            if length > BLOCK:
                raise SchemaError(
                    f"{path} could not be read as CSV: line {line} is over {BLOCK >> 20} MB long. "
                    "Put each record on a line of its own, or save the file in another format."
                )
            if ends:
                length = len(block) - 1 - max(block.rfind(b"\n"), block.rfind(b"\r"))
                line += block.count(b"\n") or block.count(b"\r")


def require_closed_quotes(path: Path, dialect: Dialect) -> None:
    """Refuse a quotation mark that is never closed: it would swallow the records after it."""
    with path.open(encoding=dialect.encoding, newline="") as file:
        marks = sum(block.count('"') for block in iter(lambda: file.read(BLOCK), ""))
    if marks % 2 and (found := _open_quote(path, dialect)):
        raise SchemaError(f"{path} could not be read as CSV: {found}.")


def _open_quote(path: Path, dialect: Dialect) -> str | None:
    line = 1
    with path.open(encoding=dialect.encoding, newline="") as file:
        reader = text_csv.reader(file, delimiter=dialect.delimiter, strict=True)
        try:
            for _ in reader:
                line = reader.line_num + 1
        except text_csv.Error as error:
            if "unexpected end" in str(error) or "field limit" in str(error):
                return f"a quotation mark in the record at line {line} is never closed"
    return None


def fault(path: Path, dialect: Dialect) -> str:
    """What is wrong with the lines, without showing any."""
    line = 1
    with path.open(encoding=dialect.encoding, newline="") as file:
        reader = text_csv.reader(file, delimiter=dialect.delimiter)
        try:
            for row in reader:
                if row and len(row) != dialect.columns and line > dialect.skipped:
                    fields = f"{len(row)} field{'s' if len(row) > 1 else ''}"
                    return f"line {line} has {fields} where the header has {dialect.columns}"
                line = reader.line_num + 1
        except text_csv.Error as error:
            if "field limit" in str(error):
                return f"the record at line {line} is too long, or has a quotation mark too many"
            return f"a quotation mark in the record at line {line} is never closed"
    return "its lines do not fit its header"
