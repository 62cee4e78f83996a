"""Values that a statistics package cannot hold."""

from __future__ import annotations

import datetime as dt
from typing import Any

from covey.sources.kinds import Kind
from covey.sources.labelled.products import Product
from covey.sources.limits import (
    has_infinite,
    has_match,
    is_before,
    is_beyond,
    longest,
    refuse_columns,
    refuse_fine_times,
)

LARGEST_WHOLE = 2**53
LONGEST_TEXT = 32_767
FIRST_DAY_OF_SPSS = dt.date(1582, 10, 15)


def check_values(table: Any, product: Product) -> None:
    """Raise if a column has a value that would be lost or changed."""
    refuse_fine_times(table, product.name)
    for kinds, is_unfit, reason in (
        ([Kind.NUMBER], has_infinite, "infinite numbers"),
        ([Kind.NUMBER], lambda column: _is_out_of_range(column, product), "numbers this size"),
        ([Kind.WHOLE], _is_too_large, "whole numbers with over 15 digits"),
        ([Kind.TEXT, Kind.LABELS], _has_null_character, "the character 0"),
        ([Kind.TEXT], _is_too_long, f"text of over {LONGEST_TEXT:,} bytes"),
    ):
        refuse_columns(table, kinds, is_unfit, f"{product.name} cannot hold {reason}")
    if product.labels:
        refuse_columns(
            table,
            [Kind.LABELS],
            lambda column: _has_long_label(column, product),
            f"{product.name} cannot hold labels of over {product.longest_label} bytes",
        )
    if product.name == "SPSS":
        refuse_columns(
            table,
            [Kind.DATE, Kind.INSTANT],
            lambda column: is_before(column, FIRST_DAY_OF_SPSS),
            "SPSS cannot hold dates before 15 October 1582",
        )


def _is_out_of_range(column: Any, product: Product) -> bool:
    import pyarrow as pa
    import pyarrow.compute as pc

    sizes = pc.abs(column.cast(pa.float64()))
    tiny = pc.and_(pc.greater(sizes, 0.0), pc.less(sizes, product.smallest))
    return is_beyond(sizes, product.largest) or bool(pc.any(tiny).as_py())


def _is_too_large(column: Any) -> bool:
    return is_beyond(column, LARGEST_WHOLE)


def _has_null_character(column: Any) -> bool:
    return has_match(column, r"\x00")


def _is_too_long(column: Any) -> bool:
    return longest(column) > LONGEST_TEXT


def _has_long_label(column: Any, product: Product) -> bool:
    array = column.combine_chunks() if hasattr(column, "combine_chunks") else column
    return longest(array.dictionary) > product.longest_label
