"""Two files brought record to record and column to column."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pytest

from covey.errors import SchemaError
from covey.tables.aligning import align

ORIGINAL = pd.DataFrame(
    {"id": ["a", "b", "c"], "x": [1, 2, 3], "y": [4.0, 5.0, 6.0], "t": list("uvw")}
)
RELEASED = pl.DataFrame(
    {"id": ["c", "a", "b"], "y": [60, 40, 50], "x": [30, 10, 20], "z": [0, 0, 0]}
)


def test_join_on_an_identifier():
    aligned = align(ORIGINAL, RELEASED, "id")
    assert list(aligned.original.columns) == ["x", "y"]
    assert aligned.released.to_dict(as_series=False) == {"x": [10, 20, 30], "y": [40, 50, 60]}
    assert aligned.left_out == {
        "id": "identifier",
        "t": "only in the original",
        "z": "only in the release",
    }


def test_rows_in_order():
    aligned = align(ORIGINAL[["x", "t"]], ORIGINAL[["t", "x"]])
    assert list(aligned.released.columns) == ["x"]
    assert aligned.left_out == {"t": "not numeric"}


@pytest.mark.parametrize(
    ("original", "released", "identifier", "words"),
    [
        (ORIGINAL[["t"]], ORIGINAL[["t"]], None, "no numeric column in common"),
        (ORIGINAL, RELEASED, "ix", "In the original: There is no column 'ix'"),
        (ORIGINAL, RELEASED.drop("id"), "id", "In the release: There is no column 'id'"),
        (ORIGINAL, RELEASED[:2], "id", "1 are only in the original, 0 only in the release"),
        (ORIGINAL, RELEASED[[0, 0, 1]], "id", "does not tell all records of the release apart"),
    ],
)
def test_mistakes_show_no_values(original, released, identifier, words):
    with pytest.raises(SchemaError, match=words):
        align(original, released, identifier)
