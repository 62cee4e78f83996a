"""What comes out of a file, and what every file must have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from covey.errors import SchemaError
from covey.sources.problems import quoted

# Words that stand for a missing value in a column of numbers: the usual list of Arrow, and the
# full stop of SAS and Stata. In a column of text only the empty cell is missing.
MISSING_WORDS = (
    *("", ".", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND"),
    *("1.#QNAN", "N/A", "NA", "NULL", "NaN", "n/a", "nan", "null"),
)


class FileContents(NamedTuple):
    """A pyarrow Table, the format it was in and, in sentences, what was detected."""

    table: Any
    format: str
    notes: tuple[str, ...] = ()


def is_number(text: Any) -> bool:
    """Whether a text reads as a number."""
    try:
        float(text)
    except (TypeError, ValueError):
        return False
    return True


def require_header(names: list[str], path: Path) -> None:
    """Refuse a first line that seems to be a record: a name would then be a data value."""
    if any(_like_data(name) for name in names):
        raise SchemaError(
            f"The first line of {path} looks like data, or has empty names. "
            "Give every column a name."
        )


def refuse_names(names: list[str], format: str) -> None:
    """Refuse to write a first line of names that would be taken for a record."""
    found = [name for name in names if _like_data(name)]
    if found:
        raise SchemaError(
            f"{format} has the names in its first line, and whoever reads {quoted(found)} there "
            "takes it for data. Rename these columns, or write Parquet."
        )


def _like_data(name: str) -> bool:
    return is_number(name.replace(",", ".")) or not name.strip()


def require_columns(names: Sequence[str], place: object, advice: str = "") -> None:
    """Refuse a table without columns, and names that are empty or doubled."""
    if not names:
        raise SchemaError(f"{place} has no columns.")
    if not all(name.strip() for name in names):
        raise SchemaError(f"{place} has a column without a name. Give every column a name.")
    doubled = [name for name, count in Counter(names).items() if count > 1]
    if doubled:
        words = f"{place} has more than one column named {quoted(sorted(doubled))}."
        raise SchemaError(f"{words} {advice}".strip())


def require_records(table: Any, place: object) -> None:
    """Refuse a table without columns or records, and names that are empty or doubled."""
    require_columns(table.column_names, place)
    if table.num_rows == 0:
        raise SchemaError(f"{place} has a header line but no records.")
