"""Columns that no step can work with are refused by name, and never shown."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import covey
from covey.errors import CoveyError, InvalidParameter, SchemaError

N = 30
X = np.random.default_rng(1).normal(size=N)
HALF = "\ud800"


def protected(data, **options):
    return covey.protect(data, k=3, technique="mdav", **options)


def half_texts() -> pd.DataFrame:
    return pd.DataFrame({"a": pd.Series([HALF] * N, dtype=object), "x": X})


def half_name() -> pd.DataFrame:
    return pd.DataFrame(np.c_[X, X], columns=pd.Index([HALF, "x"], dtype=object))


def test_objects_of_polars_are_not_released_as_places_in_memory():
    objects = pl.Series([object() for _ in range(N)], dtype=pl.Object)
    with pytest.raises(SchemaError, match="'a' holds values of several kinds"):
        protected(pl.DataFrame({"a": objects, "x": X}), keep="a")
    dropped = protected(pl.DataFrame({"a": objects, "x": X}), identifiers="a")
    assert dropped.data.columns == ["x"]


@pytest.mark.parametrize("streamed", [False, True])
def test_a_table_of_unusable_columns_has_records(tmp_path, streamed):
    options = {"out": tmp_path / "out.parquet"} if streamed else {}
    with pytest.raises(SchemaError, match="'a' holds values of several kinds"):
        protected(pd.DataFrame({"a": [object()] * N}), **options)


@pytest.mark.parametrize(
    "use",
    [protected, covey.inspect, lambda data: covey.evaluate(data, data)],
    ids=["protect", "inspect", "evaluate"],
)
def test_a_name_that_is_no_text(use):
    with pytest.raises(SchemaError, match=r"The name of column 1 .* Rename") as caught:
        use(half_name())
    assert HALF not in str(caught.value)


def test_text_that_is_no_text_cannot_be_compared():
    with pytest.raises(SchemaError, match="'a' holds text that is not valid UTF-8") as caught:
        covey.evaluate(half_texts(), half_texts())
    assert HALF not in str(caught.value)
    assert covey.evaluate(half_texts(), half_texts(), confidential="a").l_diversity is not None


@pytest.mark.parametrize(
    ("column", "order"),
    [
        (["a", "b", "c"] * 10, ["a", "b", HALF]),
        ([1, 2, 3] * 10, [1, 2, 10**30]),
        ([None] * N, [1, "a"]),
        ([None] * N, [1, 10**30]),
    ],
)
def test_categories_that_no_column_can_hold(column, order):
    with pytest.raises(InvalidParameter, match="given for 'c' are not of the kind") as caught:
        protected(pa.table({"c": column, "x": X}), ordinal={"c": order})
    assert isinstance(caught.value, CoveyError)


def test_runs_of_categories_are_read():
    runs = pa.RunEndEncodedArray.from_arrays([10, 40], pa.array(["u", "v"]).dictionary_encode())
    for part in (runs.slice(0, N), runs.slice(7, N)):
        kept = protected(pa.table({"a": part, "x": X}), keep="a").data["a"].to_pylist()
        firsts = 10 if part.offset == 0 else 3
        assert kept == ["u"] * firsts + ["v"] * (N - firsts)


@pytest.mark.parametrize("make", [pa.list_, pa.large_list])
def test_lists_of_views_are_kept(make):
    texts = [["k", None], None, []] * 10
    kept = protected(pa.table({"a": pa.array(texts, make(pa.string_view())), "x": X}), keep="a")
    assert kept.data["a"].to_pylist() == texts
    nested = pa.array([[one] for one in texts], make(make(pa.string_view())))
    assert protected(pa.table({"a": nested, "x": X}), keep="a").data["a"].to_pylist() == [
        [one] for one in texts
    ]
