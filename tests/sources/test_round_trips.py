"""What is written is read again, in every format that can hold it; equal tables, equal bytes."""

from __future__ import annotations

import datetime as dt
import time

import numpy as np
import pyarrow as pa
import pytest

from covey.errors import SchemaError
from covey.sources.files import read_table, write_table

TEXT = (".csv", ".tsv")
TYPED = (".parquet", ".arrow")
LABELLED = (".sav", ".zsav", ".dta")
ALL = (*TEXT, *TYPED, ".xlsx", *LABELLED, ".xpt")

COLUMNS = {
    "number": pa.array([0.1, None, -1e-30, 12345.678901]),
    "whole": pa.array([1, None, -999, 2_000_000_000]),
    "large": pa.array([10**12, None, 0, -(10**12)]),
    "text": pa.array(["Łódź", None, 'a "b", c;\td', "=1+1"]),
    "truth": pa.array([True, None, False, True]),
    "day": pa.array([dt.date(2024, 2, 29), None, dt.date(1969, 12, 31), dt.date(1900, 3, 1)]),
    "instant": pa.array(
        [
            *(dt.datetime(2024, 2, 29, 23, 59, 59, 123000), None),
            *(dt.datetime(1969, 12, 31, 1), dt.datetime(2000, 1, 1)),
        ],
        pa.timestamp("ms"),
    ),
}
LABELS = pa.DictionaryArray.from_arrays(
    pa.array([2, None, 0, 2], pa.int32()), ["Süd", "unused", "Nord"]
)


@pytest.mark.parametrize("ending", ALL)
@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_survives(tmp_path, ending, name):
    table = pa.table({name: COLUMNS[name], "other": [1, 2, 3, 4]})
    write_table(table, tmp_path / f"t{ending}")
    found = read_table(tmp_path / f"t{ending}")
    expected = table
    if ending == ".xpt" and name == "truth":  # it has no such type
        expected = table.set_column(0, name, table[name].cast(pa.int64()))
    assert found.column_names == table.column_names
    if name == "instant":
        found = found.set_column(0, name, found[name].cast(pa.timestamp("ms")))
    assert found.equals(expected), found.to_pydict()


@pytest.mark.parametrize("ending", [*TYPED, *LABELLED])
def test_labels_survive_with_their_order(tmp_path, ending):
    table = pa.table({"region": LABELS})
    write_table(table, tmp_path / f"t{ending}")
    assert read_table(tmp_path / f"t{ending}").equals(table)


@pytest.mark.parametrize("ending", [*TEXT, ".xlsx", ".xpt"])
def test_labels_become_text_where_there_are_none(tmp_path, ending):
    write_table(pa.table({"region": LABELS, "n": [1, 2, 3, 4]}), tmp_path / f"t{ending}")
    assert read_table(tmp_path / f"t{ending}")["region"].to_pylist() == [
        "Nord",
        None,
        "Süd",
        "Nord",
    ]


@pytest.mark.parametrize("ending", [*TYPED, *LABELLED, ".xpt"])
def test_descriptions_survive(tmp_path, ending):
    field = pa.field("a", pa.float64(), metadata={b"label": "Größe".encode()})
    write_table(pa.table([[0.5]], schema=pa.schema([field])), tmp_path / f"t{ending}")
    assert (
        read_table(tmp_path / f"t{ending}").schema.field("a").metadata[b"label"].decode() == "Größe"
    )


@pytest.mark.parametrize("ending", ALL)
def test_times_of_day_survive(tmp_path, ending):
    times = [dt.time(23, 59, 58), None, dt.time(0)]
    write_table(pa.table({"t": pa.array(times), "n": [1, 2, 3]}), tmp_path / f"t{ending}")
    assert read_table(tmp_path / f"t{ending}")["t"].to_pylist() == times


@pytest.mark.parametrize("ending", [".csv", ".xlsx", ".sav", ".dta", ".xpt"])
def test_not_a_number_is_missing(tmp_path, ending):
    table = pa.table({"a": pa.array([1.5, float("nan")]), "b": ["", "x"]})
    write_table(table, tmp_path / f"t{ending}")
    assert read_table(tmp_path / f"t{ending}").to_pydict() == {"a": [1.5, None], "b": [None, "x"]}


@pytest.mark.parametrize("ending", ALL)
def test_an_empty_column_stays_empty(tmp_path, ending):
    write_table(pa.table({"a": [1, 2], "e": pa.nulls(2)}), tmp_path / f"t{ending}")
    found = read_table(tmp_path / f"t{ending}")
    assert found.column("e").null_count == 2


@pytest.mark.parametrize(
    ("ending", "column", "reason"),
    [
        (".csv", pa.array([[1], [2]]), "values of another kind"),
        (".xlsx", pa.array([[1], [2]]), "values of another kind"),
        (".xlsx", pa.array([1, None], pa.timestamp("s", "UTC")), "time zone"),
        (".sav", pa.array([1, None], pa.timestamp("s", "UTC")), "time zone"),
        (".xlsx", pa.array([1, None], pa.timestamp("us")), "finer than a millisecond"),
        (".dta", pa.array([1, None], pa.timestamp("us")), "finer than a millisecond"),
        (".xlsx", pa.array([float("inf"), 0]), "infinite"),
        (".sav", pa.array([float("-inf"), 0]), "infinite"),
        (".xpt", pa.array([1e80, 0]), "numbers this size"),
        (".xpt", pa.array([1e-80, 0]), "numbers this size"),
        (".dta", pa.array([8.99e307, 0]), "numbers this size"),
        (".xlsx", pa.array([10**15, 0]), "over 15 digits"),
        (".sav", pa.array([2**53 + 1, 0]), "over 15 digits"),
        (".xlsx", pa.array(["secret\x01", ""]), "control characters"),
        (".xlsx", pa.array(["secret" * 6000, ""]), "32,767"),
        (".dta", pa.array(["secret\0", ""]), "the character 0"),
        (".sav", pa.array(["secret" * 6000, ""]), "32,767"),
        (".sav", pa.array(["secret" * 21, "b"]).dictionary_encode(), "over 120 bytes"),
        (".xlsx", pa.array([dt.date(1900, 2, 28), None]), "before 1 March 1900"),
        (".sav", pa.array([dt.date(1582, 10, 14), None]), "before 15 October 1582"),
    ],
)
def test_what_a_format_cannot_hold_is_refused(tmp_path, ending, column, reason):
    table = pa.table({"fine": [1, 2], "offending": column})
    with pytest.raises(SchemaError, match=reason) as caught:
        write_table(table, tmp_path / f"t{ending}")
    assert "'offending'" in str(caught.value)
    assert "'fine'" not in str(caught.value)
    assert "secret" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", ALL)
def test_equal_tables_give_equal_bytes(tmp_path, ending, monkeypatch):
    table = pa.table({**COLUMNS, "region": LABELS})
    pieces = pa.concat_tables([table.slice(0, 1), table.slice(1, 2), table.slice(3)])
    write_table(table, tmp_path / f"one{ending}")
    # Somewhere else in time: openpyxl and zipfile ask Python, the others the C library.
    monkeypatch.setattr(time, "localtime", lambda *_: time.gmtime(10**9))
    time.sleep(1.01 if ending in (".xlsx", ".sav", ".xpt") else 0)
    write_table(pieces, tmp_path / f"two{ending}")
    assert (tmp_path / f"one{ending}").read_bytes() == (tmp_path / f"two{ending}").read_bytes()


def test_what_lies_beneath_a_missing_value_does_not_show(tmp_path):
    hidden = pa.array(np.array([1.0, 777.0]), mask=np.array([False, True]))
    write_table(pa.table({"a": hidden}), tmp_path / "one.arrow")
    write_table(pa.table({"a": [1.0, None]}), tmp_path / "two.arrow")
    assert (tmp_path / "one.arrow").read_bytes() == (tmp_path / "two.arrow").read_bytes()


def test_stata_files_have_a_constant_time(tmp_path):
    """Its stamp counts minutes, too long to wait for."""
    write_table(pa.table({"a": [1]}), tmp_path / "t.dta")
    assert b"<timestamp>\x1101 Jan 1980 00:00</timestamp>" in (tmp_path / "t.dta").read_bytes()


def test_an_arrow_stream_is_read(tmp_path):
    table = pa.table({"a": [1, None]})
    with pa.ipc.new_stream(str(tmp_path / "t.arrow"), table.schema) as stream:
        stream.write_table(table)
    assert read_table(tmp_path / "t.arrow").equals(table)


def test_a_folder_named_like_a_partition_is_no_column(tmp_path):
    (tmp_path / "year=2020").mkdir()
    write_table(pa.table({"a": [1]}), tmp_path / "year=2020" / "t.parquet")
    assert read_table(tmp_path / "year=2020" / "t.parquet").column_names == ["a"]
