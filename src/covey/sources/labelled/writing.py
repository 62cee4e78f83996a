"""Writing files of the statistics packages."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

from covey.errors import SchemaError
from covey.sources.kinds import Kind, kind_of, refuse_kinds
from covey.sources.labelled.checks import check_values
from covey.sources.labelled.codebook import codebook_of
from covey.sources.labelled.products import Product
from covey.sources.labelled.stored import Stored, stored
from covey.sources.packages import STATS

NOT_WRITTEN = "Unable to write data"  # says the library when the system refuses


def write_labelled(table: Any, temporary: str, product: Product) -> None:
    """Write a table with its labels and descriptions."""
    product.naming.check(table.column_names, product.name)
    refuse_kinds(table, product.name, product.refused)
    check_values(table, product)
    entries = {
        field.name: stored(field.name, column, product, codebook_of(field))
        for field, column in zip(table.schema, table.columns, strict=True)
    }
    _write(entries, _descriptions(table, product), temporary, product)
    product.erase_stamps(Path(temporary))


def _write(
    entries: dict[str, Stored], descriptions: dict[str, str], temporary: str, product: Product
) -> None:
    pyreadstat, pandas = STATS.load()
    frame = pandas.DataFrame({name: _series(entry.column) for name, entry in entries.items()})
    options = {**product.options, **_said(entries, product), "column_labels": descriptions}
    try:
        getattr(pyreadstat, str(product.writer))(frame, temporary, **options)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError) as error:
        if str(error) == NOT_WRITTEN:
            raise OSError(errno.EIO, "the disk may be full") from None
        raise SchemaError(f"{product.name} cannot hold this table. Write Parquet.") from None


def _said(entries: dict[str, Stored], product: Product) -> dict[str, Any]:
    """What is said of the columns, as options of the library."""
    said: dict[str, Any] = {"variable_format": _each(entries, lambda entry: entry.format)}
    if product.labels:
        said["variable_value_labels"] = _each(entries, lambda entry: entry.labels)
    if product.family == "Stata":
        said["missing_user_values"] = _each(entries, _tags)
    if product.family == "SPSS":
        said["missing_ranges"] = _each(entries, _ranges)
        said["variable_measure"] = _each(entries, lambda entry: entry.measure)
        said["variable_display_width"] = _each(entries, lambda entry: entry.columns)
    return said


def _each(entries: dict[str, Stored], part: Callable[[Stored], Any]) -> dict[str, Any]:
    found = {name: part(entry) for name, entry in entries.items()}
    return {name: value for name, value in found.items() if value}


def _tags(entry: Stored) -> list[str]:
    """The missing values of Stata that have a label."""
    return [code for code in entry.labels or () if isinstance(code, str)]


def _ranges(entry: Stored) -> list[Any]:
    return [low if low == high else {"lo": low, "hi": high} for low, high in entry.missing]


def _series(column: Any) -> Any:
    """A pandas column in which a missing value is missing, not a number."""
    _, pandas = STATS.load()
    kind = kind_of(column.type)
    if kind is Kind.TEXT:
        return pandas.array(column.to_pylist(), dtype="string")
    if kind is Kind.WHOLE:
        return pandas.array(column.to_pylist(), dtype="Int32")
    return column.to_numpy(zero_copy_only=False)


def _descriptions(table: Any, product: Product) -> dict[str, str]:
    """Descriptions of the columns, cut to what the package holds."""
    found = {}
    for field in table.schema:
        text = (field.metadata or {}).get(b"label", b"").decode(errors="replace")
        if text:
            short = text.encode()[: product.longest_description]
            found[field.name] = short.decode(errors="ignore")
    return found
