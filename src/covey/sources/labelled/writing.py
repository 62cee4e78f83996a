"""Writing files of the statistics packages."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any, NamedTuple

from covey.errors import SchemaError
from covey.sources.kinds import Kind, kind_of, refuse_kinds
from covey.sources.labelled.categories import TRUTH
from covey.sources.labelled.checks import check_values
from covey.sources.labelled.products import Product
from covey.sources.packages import STATS

NOT_WRITTEN = "Unable to write data"  # says the library when the system refuses
SHORTEST_FORMAT = 8
LARGEST_INTEGER = 2_147_483_620  # of Stata; the numbers above it are its missing values


class Stored(NamedTuple):
    """A column as the package stores it: numbers, small integers or text, and how it is shown."""

    column: Any
    format: str | None = None
    labels: dict[int, str] | None = None


def write_labelled(table: Any, temporary: str, product: Product) -> None:
    """Write a table with its labels and descriptions."""
    product.naming.check(table.column_names, product.name)
    refuse_kinds(table, product.name, product.refused)
    check_values(table, product)
    stored = {
        name: _stored(column, product)
        for name, column in zip(table.column_names, table.columns, strict=True)
    }
    _write(stored, _descriptions(table, product), temporary, product)
    product.erase_stamps(Path(temporary))


def _write(
    stored: dict[str, Stored], descriptions: dict[str, str], temporary: str, product: Product
) -> None:
    pyreadstat, pandas = STATS.load()
    options: dict[str, Any] = dict(product.options)
    labels = {name: entry.labels for name, entry in stored.items() if entry.labels}
    if product.labels:
        options["variable_value_labels"] = labels
    frame = pandas.DataFrame({name: _series(entry.column) for name, entry in stored.items()})
    formats = {name: entry.format for name, entry in stored.items() if entry.format}
    writer = getattr(pyreadstat, str(product.writer))
    try:
        writer(frame, temporary, column_labels=descriptions, variable_format=formats, **options)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError) as error:
        if str(error) == NOT_WRITTEN:
            raise OSError(errno.EIO, "the disk may be full") from None
        raise SchemaError(f"{product.name} cannot hold this table. Write Parquet.") from None


def _series(column: Any) -> Any:
    """A pandas column in which a missing value is missing, not a number."""
    _, pandas = STATS.load()
    kind = kind_of(column.type)
    if kind is Kind.TEXT:
        return pandas.array(column.to_pylist(), dtype="string")
    if kind is Kind.WHOLE:
        return pandas.array(column.to_pylist(), dtype="Int32")
    return column.to_numpy()


def _stored(column: Any, product: Product) -> Stored:
    kind = kind_of(column.type)
    if kind in product.calendar.written:
        return Stored(product.calendar.write(column, kind), product.calendar.written[kind])
    ways = {
        Kind.WHOLE: _stored_whole,
        Kind.TRUTH: _stored_truth,
        Kind.LABELS: _stored_labels,
        Kind.TEXT: _stored_text,
    }
    return ways.get(kind, _stored_number)(column, product)


def _stored_number(column: Any, product: Product) -> Stored:
    import pyarrow as pa
    import pyarrow.compute as pc

    numbers = column.cast(pa.float64())
    return Stored(pc.if_else(pc.is_nan(numbers), pa.scalar(None, pa.float64()), numbers))


def _stored_whole(column: Any, product: Product) -> Stored:
    """Integers if the package has them, else numbers whose format says that they are whole."""
    import pyarrow as pa
    import pyarrow.compute as pc

    bounds = [abs(bound) for bound in pc.min_max(column).as_py().values() if bound is not None]
    largest = max(bounds, default=0)
    if product.integers and largest <= LARGEST_INTEGER:
        return Stored(column.cast(pa.int32()))
    width = max(SHORTEST_FORMAT, len(str(largest)) + 1)
    return Stored(column.cast(pa.float64()), product.whole_format.format(width))


def _stored_truth(column: Any, product: Product) -> Stored:
    import pyarrow as pa

    numbers = column.cast(pa.int32())
    if product.labels:
        return Stored(numbers, None, dict(TRUTH))
    return _stored_whole(numbers, product)


def _stored_labels(column: Any, product: Product) -> Stored:
    """Codes from 1 in the order of the categories, or the text if the format has no labels."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not product.labels:
        return _stored_text(column, product)
    encoded = distinct_labels(column)
    codes = pc.add(encoded.indices.cast(pa.int32()), pa.scalar(1, pa.int32()))
    return Stored(codes, None, dict(enumerate(encoded.dictionary.to_pylist(), start=1)))


def distinct_labels(column: Any) -> Any:
    """A dictionary array whose labels are texts, each once and none of them empty."""
    import pyarrow as pa
    import pyarrow.compute as pc

    array = column.combine_chunks() if hasattr(column, "combine_chunks") else column
    texts = array.dictionary.cast(pa.string())
    unfit = texts.null_count or len(texts.unique()) < len(texts) or "" in texts.to_pylist()
    if not unfit:
        return pa.DictionaryArray.from_arrays(array.indices, texts)
    values = texts.take(array.indices)
    return pc.if_else(
        pc.equal(values, ""), pa.scalar(None, pa.string()), values
    ).dictionary_encode()


def _stored_text(column: Any, product: Product) -> Stored:
    """Text; the packages have no missing text, only the empty one."""
    import pyarrow as pa
    import pyarrow.compute as pc

    return Stored(pc.fill_null(column.cast(pa.string()), ""))


def _descriptions(table: Any, product: Product) -> dict[str, str]:
    """Descriptions of the columns, cut to what the package holds."""
    found = {}
    for field in table.schema:
        text = (field.metadata or {}).get(b"label", b"").decode(errors="replace")
        if text:
            short = text.encode()[: product.longest_description]
            found[field.name] = short.decode(errors="ignore")
    return found
