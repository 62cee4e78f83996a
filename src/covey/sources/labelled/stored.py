"""Columns as a statistics package stores them: numbers or text, and what is said of them."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from typing import Any, NamedTuple

from covey.errors import SchemaError
from covey.sources.kinds import Kind, kind_of
from covey.sources.labelled.categories import TRUTH
from covey.sources.labelled.codebook import Code, Codebook
from covey.sources.labelled.products import Product

SHORTEST_FORMAT = 8
LARGEST_INTEGER = 2_147_483_620  # of Stata; the numbers above it are its missing values
TAG = re.compile(r"[a-z]")  # a missing value of Stata


class Stored(NamedTuple):
    """A column as the package stores it: numbers, small integers or text, and how it is shown."""

    column: Any
    format: str | None = None
    labels: Mapping[Code, str] | None = None
    missing: tuple[tuple[Code, Code], ...] = ()
    measure: str | None = None
    columns: int | None = None


def stored(name: str, column: Any, product: Product, book: Codebook | None) -> Stored:
    """A column with what its codebook says, as far as the package can hold it."""
    kind = kind_of(column.type)
    if book is None:
        return _plain(column, product)
    if kind in (Kind.LABELS, Kind.TEXT) and book.known:
        if not _takes_codes(book, product):
            return _stored_text(column, product)
        entry = _coded(name, column, product, book)
    else:
        entry = _plain(column, product)
    if (kind_of(entry.column.type) is Kind.TEXT) != book.is_text:
        return entry  # the book was about another column
    entry = _labelled(name, entry, product, book)
    if book.family != product.family:
        return entry
    return _documented(name, entry, product, book, kind)


def _plain(column: Any, product: Product) -> Stored:
    """A column of which nothing is said."""
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


# -- what a codebook says ----------------------------------------------------------------------


def _takes_codes(book: Codebook, product: Product) -> bool:
    """Whether the package can label these codes: Stata labels whole numbers only."""
    if not book.known or not product.labels:
        return False
    return product.family == "SPSS" or all(_is_whole(code) for code in book.known)


def _is_whole(code: Code) -> bool:
    return not isinstance(code, str) and float(code).is_integer() and abs(code) <= LARGEST_INTEGER


def _coded(name: str, column: Any, product: Product, book: Codebook) -> Stored:
    """The codes that the categories had; missing for a category that has no code of its own."""
    import pyarrow as pa

    array = distinct_labels(column.cast(pa.string()).combine_chunks().dictionary_encode())
    codes = book.codes_of(array.dictionary.to_pylist())
    _warn_about_lost(name, array.indices, codes, product)
    if book.is_text:
        return _stored_text(pa.array(codes, pa.string()).take(array.indices), product)
    numbers = pa.array(codes, pa.float64()).take(array.indices)
    if product.integers and all(code is None or _is_whole(code) for code in codes):
        return Stored(numbers.cast(pa.int32()))
    return Stored(numbers)


def _warn_about_lost(name: str, places: Any, codes: list[Code | None], product: Product) -> None:
    """Warn of values that are missing in the file, because they have no code."""
    import pyarrow as pa
    import pyarrow.compute as pc

    without = pa.array([place for place, code in enumerate(codes) if code is None], pa.int64())
    lost = pc.sum(pc.is_in(places.cast(pa.int64()), value_set=without)).as_py() or 0
    if lost:
        warnings.warn(
            f"{lost} value(s) of {name!r} have no code of their own in its codebook (such as "
            f"strata that were merged), and are missing in the file of {product.name}. Write "
            "Parquet or CSV to keep them as text.",
            UserWarning,
            stacklevel=2,
        )


def _documented(name: str, entry: Stored, product: Product, book: Codebook, kind: Kind) -> Stored:
    """With format, missing values and measure of a file of the same package."""
    format = book.format
    if kind in product.calendar.written:
        format = product.calendar.format(kind, book.format)
    if product.family != "SPSS":
        return entry if book.is_text and product.family == "SAS" else entry._replace(format=format)
    width = book.text_width
    return Stored(
        _widened(entry.column, width) if width else entry.column,
        None if book.is_text else format,
        entry.labels,
        _missing(name, entry.column, book),
        book.measure,
        book.columns,
    )


def _labelled(name: str, entry: Stored, product: Product, book: Codebook) -> Stored:
    """With the labels that the package can hold, those of missing values among them."""
    import pyarrow as pa

    labels = {code: text for code, text in book.labels.items() if text and product.labels}
    if product.family == "Stata":
        labels = {
            int(code) if _is_whole(code) else code: text
            for code, text in labels.items()
            if _is_whole(code) or (book.family == "Stata" and TAG.fullmatch(str(code)))
        }
    elif not book.is_text:
        labels = {code: text for code, text in labels.items() if not isinstance(code, str)}
    if any(len(text.encode()) > product.longest_label for text in labels.values()):
        raise SchemaError(
            f"{product.name} cannot hold labels of over {product.longest_label} bytes. Leave out "
            f"or change {name!r}, or write Parquet."
        )
    labels |= entry.labels or {}
    whole = kind_of(entry.column.type) is Kind.WHOLE and not product.integers
    column = entry.column.cast(pa.float64()) if whole else entry.column
    return entry._replace(column=column, labels=labels)


def _missing(name: str, column: Any, book: Codebook) -> tuple[tuple[Code, Code], ...]:
    """The ranges that are declared as missing, save those that a value of the column is in.

    A mean may happen to be the number that stood for "refused": it must not vanish.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    values = column.cast(pa.string() if book.is_text else pa.float64())
    kept = [
        (low, high)
        for low, high in book.missing
        if not pc.any(pc.and_(pc.greater_equal(values, low), pc.less_equal(values, high))).as_py()
    ]
    if len(kept) < len(book.missing):
        warnings.warn(
            f"{name!r} has values that its file declared as missing (such as a mean that equals "
            "the code of a refusal). They are values, so the declaration is left out.",
            UserWarning,
            stacklevel=2,
        )
    return tuple(kept)


def _widened(column: Any, width: int) -> Any:
    """The texts with blanks, which SPSS does not count, after the first: it sets the width."""
    import pyarrow as pa

    texts = column.to_pylist()
    texts[0] = texts[0] + " " * max(0, width - len(texts[0].encode()))
    return pa.array(texts, pa.string())


# -- kinds of columns --------------------------------------------------------------------------


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
    labels: dict[Code, str] = dict(enumerate(encoded.dictionary.to_pylist(), start=1))
    return Stored(codes, None, labels)


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
