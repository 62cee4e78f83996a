"""Excel: the first sheet, mixed cells, and text that must not become a formula."""

from __future__ import annotations

import datetime as dt
import zipfile

import openpyxl
import pyarrow as pa
import pytest

from covey.errors import SchemaError
from covey.sources.files import read_file, read_table, write_table

SECRET = "Rumpelstilzchen"


@pytest.fixture
def read(tmp_path):
    def reading(*rows, more_sheets=()):
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append(row)
        for title in more_sheets:
            book.create_sheet(title)
        book.save(tmp_path / "t.xlsx")
        return read_file(tmp_path / "t.xlsx")

    return reading


def test_several_sheets_are_mentioned(read):
    contents = read(["a"], [1], more_sheets=["old", "notes"])
    assert contents.notes == ("The first of 3 sheets was read: 'Sheet'.",)
    assert read(["a"], [1]).notes == ()


def test_empty_rows_and_columns_at_the_end(read):
    table = read(["a", "b", None], [1, None, ""], [None, 2, None], [None, "", None]).table
    assert table.to_pydict() == {"a": [1, None], "b": [None, 2]}


def test_words_for_missing_among_numbers(read):
    table = read(["a", "b"], [1, "DE"], ["NA", "NA"], [".", None], [2.5, "FR"]).table
    assert table["a"].to_pylist() == [1.0, None, None, 2.5]
    assert table["b"].to_pylist() == ["DE", "NA", None, "FR"]


def test_cells_of_several_kinds_are_text(read):
    day = dt.datetime(2020, 1, 2)
    contents = read(["a", "b"], [1, 1], ["x", 2], [True, 3], [day, 4], [1.5, 5])
    assert contents.table["a"].to_pylist() == ["1", "x", "true", "2020-01-02T00:00:00", "1.5"]
    assert contents.notes == ("Read as text because their cells are of several kinds: 'a'.",)


def test_numbers_as_text_keep_their_digits(read):
    assert read(["zip"], ["01234"], ["00007"]).table["zip"].to_pylist() == ["01234", "00007"]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([], "the sheet is empty"),
        ([["a", "b"]], "no records"),
        ([["a", "a"], [1, 2]], "more than one column named 'a'"),
        ([["a", None], [1, SECRET]], "empty names"),
        ([[1, 2], [SECRET, 4]], "looks like data"),
        ([["1", "2"], [SECRET, 4]], "looks like data"),
        ([[dt.datetime(2020, 1, 1), "b"], [SECRET, 4]], "looks like data"),
    ],
)
def test_refused(read, rows, reason):
    with pytest.raises(SchemaError, match=reason) as caught:
        read(*rows)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "#N/A", "=HYPERLINK(1)"])
def test_text_is_never_a_formula(tmp_path, text):
    write_table(pa.table({"t": [text, "x"], "n": [1, 2]}), tmp_path / "t.xlsx")
    assert read_table(tmp_path / "t.xlsx")["t"].to_pylist() == [text, "x"]
    cell = openpyxl.load_workbook(tmp_path / "t.xlsx").active["A2"]
    assert (cell.value, cell.data_type) == (text, "s")
    with zipfile.ZipFile(tmp_path / "t.xlsx") as archive:
        assert b"<f>" not in archive.read("xl/worksheets/sheet1.xml")


def test_names_are_never_formulas(tmp_path):
    write_table(pa.table({"=a": [1]}), tmp_path / "t.xlsx")
    assert openpyxl.load_workbook(tmp_path / "t.xlsx").active["A1"].data_type == "s"


def test_too_many_records(tmp_path):
    with pytest.raises(SchemaError, match="at most 1,048,575 records"):
        write_table(pa.table({"a": pa.nulls(1_048_576)}), tmp_path / "t.xlsx")


def test_names_with_control_characters(tmp_path):
    with pytest.raises(SchemaError, match="Rename"):
        write_table(pa.table({"a\x02": [1]}), tmp_path / "t.xlsx")
