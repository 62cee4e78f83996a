"""Two files brought record to record and column to column."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pyarrow as pa
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
    assert aligned.original.to_pydict() == {"x": [1, 2, 3], "y": [4.0, 5.0, 6.0]}
    assert aligned.released.to_pydict() == {"x": [10, 20, 30], "y": [40, 50, 60]}
    assert aligned.nominal == ()
    assert aligned.left_out == {
        "id": "identifier",
        "t": "only in the original",
        "z": "only in the release",
    }


def test_rows_in_order():
    aligned = align(ORIGINAL[["x", "t"]], ORIGINAL[["t", "x"]])
    assert aligned.released.column_names == ["x", "t"]
    assert aligned.left_out == {}


def test_text_is_compared_as_categories():
    aligned = align(pa.table({"t": ["u", "v", None]}), pa.table({"t": ["v", "v", None]}))
    first, second = aligned.original["t"].to_pylist(), aligned.released["t"].to_pylist()
    assert aligned.nominal == ("t",)
    assert first[1] == second[0] == second[1]
    assert first[0] not in second
    assert first[2] == second[2]


def test_categories_are_joined_too():
    aligned = align(
        ORIGINAL[["id", "t"]], pl.DataFrame({"id": list("cab"), "t": list("wuv")}), "id"
    )
    assert aligned.original["t"].to_pylist() == aligned.released["t"].to_pylist()


FRAMES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "categorical": lambda columns: pd.DataFrame(columns).astype("category"),
}


@pytest.mark.parametrize("second", FRAMES)
@pytest.mark.parametrize("first", FRAMES)
@pytest.mark.parametrize("values", [["u", "v", "u"], [True, False, True]], ids=["text", "truth"])
def test_equal_categories_are_equal_in_every_library(first, second, values):
    aligned = align(FRAMES[first]({"t": values}), FRAMES[second]({"t": values}))
    assert aligned.original["t"].to_pylist() == aligned.released["t"].to_pylist()
    assert aligned.nominal == ("t",)


def test_text_that_names_records_is_no_category():
    names = [f"n{i}" for i in range(1001)]
    table = pa.table({"t": names, "x": range(1001)})
    assert align(table, table).left_out == {"t": "cannot be compared"}


def test_numbers_in_one_file_and_text_in_the_other():
    aligned = align(pa.table({"x": [1], "y": [1]}), pa.table({"x": [1], "y": ["1"]}))
    assert aligned.left_out == {"y": "cannot be compared"}


@pytest.mark.parametrize(
    ("original", "released", "identifier", "words"),
    [
        (ORIGINAL[["t"]], ORIGINAL[["x"]], None, "no column in common that can be compared"),
        (ORIGINAL, RELEASED, "ix", "In the original: There is no column 'ix'"),
        (ORIGINAL, RELEASED.drop("id"), "id", "In the release: There is no column 'id'"),
        (ORIGINAL, RELEASED[:2], "id", "1 are only in the original, 0 only in the release"),
        (ORIGINAL, RELEASED[[0, 0, 1]], "id", "does not tell all records of the release apart"),
    ],
)
def test_mistakes_show_no_values(original, released, identifier, words):
    with pytest.raises(SchemaError, match=words):
        align(original, released, identifier)
