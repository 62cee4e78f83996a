"""CSV: delimiter, decimal comma, codes, missing values, dates, and what is wrong with a file."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from covey.errors import SchemaError
from covey.sources import open_source
from covey.sources.files import FileContents, FileProblem, read_file, read_table, write_table

SECRET = "Rumpelstilzchen"


@pytest.fixture(params=["whole", "in batches"])
def read(tmp_path, request):
    """Reads a text that is in a file, as a whole and in blocks of a few lines."""

    def reading(text: str, name: str = "t.csv"):
        (tmp_path / name).write_bytes(text.encode())
        if request.param == "whole":
            return read_file(tmp_path / name)
        longest = max(len(line.encode()) for line in text.splitlines(keepends=True) or [""])
        return read_batches(tmp_path / name, max(40, 3 * longest))

    return reading


def read_batches(path, block):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("covey.sources.delimited.reading.BLOCK", block)
        patch.setattr("covey.sources.files_as_sources.QUICKLY_READ", -1)
        with open_source(path).records() as records:
            batches = list(records.scan(3))
            assert all(batch.num_rows <= 3 for batch in batches)
            table = pa.Table.from_batches(batches, schema=records.schema)
            assert table.num_rows == records.n_records
            return FileContents(table, open_source(path).format, records.notes)


class TestDelimiter:
    @pytest.mark.parametrize(
        ("sign", "word"),
        [(",", "commas"), (";", "semicolons"), ("\t", "tabs"), ("|", "vertical bars")],
    )
    def test_each(self, read, sign, word):
        contents = read(f"a{sign}b\n1{sign}x\n2{sign}y\n")
        assert contents.table.to_pydict() == {"a": [1, 2], "b": ["x", "y"]}
        assert f"Columns are separated by {word}." in contents.notes

    @pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
    def test_others_in_quotation_marks(self, read, sign):
        rows = "\n".join(f'{i}{sign}"a,b;c\td|e\n""f"""' for i in range(9))
        table = read(f"n{sign}text\n{rows}\n").table
        assert table["text"].to_pylist() == ['a,b;c\td|e\n"f"'] * 9

    def test_semicolons_with_commas_in_the_header(self, read):
        table = read("turnover, EUR;age\n1,5;30\n2,5;40\n").table
        assert table.to_pydict() == {"turnover, EUR": [1.5, 2.5], "age": [30, 40]}

    def test_commas_with_semicolons_in_the_text(self, read):
        table = read("a,b,c\n1,x;y,2\n3,z,4\n").table
        assert table["b"].to_pylist() == ["x;y", "z"]

    def test_excel_may_declare_it(self, read):
        table = read("sep=;\r\na;b\r\n1;2\r\n").table
        assert table.to_pydict() == {"a": [1], "b": [2]}

    def test_tsv_has_tabs(self, read):
        contents = read("a,b\tc\n1,5\t2\n", "t.tsv")
        assert contents.format == "TSV"
        assert contents.table.to_pydict() == {"a,b": [1.5], "c": [2]}

    def test_tsv_without_tabs(self, read):
        with pytest.raises(SchemaError, match="separated by semicolons, not by tabs"):
            read("a;b\n1;2\n", "t.tsv")

    def test_a_very_long_text(self, read):
        text = "x" * 200_000
        assert read(f'a,b\n1,"{text}"\n2,y\n').table["b"].to_pylist() == [text, "y"]

    def test_one_column_of_texts_with_commas(self, read):
        assert read("name\nAnna\nBob, Jr.\n").table["name"].to_pylist() == ["Anna", "Bob, Jr."]

    def test_one_column_with_decimal_commas(self, read):
        assert read("a\n1,5\n-2,5\n").table["a"].to_pylist() == [1.5, -2.5]

    def test_one_column(self, read):
        contents = read("a\n1\n\n3\n")
        assert contents.table.to_pydict() == {"a": [1, None, 3]}
        assert contents.notes == ()


class TestNumbers:
    def test_decimal_comma(self, read):
        contents = read("a;b;c\n1,5;x;NA\n-2;y;,25\n.;z;1,5e3\n")
        assert contents.table["a"].to_pylist() == [1.5, -2.0, None]
        assert contents.table["c"].to_pylist() == [None, 0.25, 1500.0]
        assert "Decimal comma." in contents.notes

    def test_no_decimal_comma_between_commas(self, read):
        contents = read('a,b\n"1,5",2\n"2,5",3\n')
        assert contents.table["a"].to_pylist() == ["1,5", "2,5"]
        assert "Decimal comma." not in contents.notes

    @pytest.mark.parametrize("values", ["1.234,5;2.000,5", "1,234,567;12,000", "1 234,5;2 000,5"])
    def test_thousands_stay_text(self, read, values):
        first, second = values.split(";")
        table = read(f"a;b\n{first};1\n{second};2\n").table
        assert table["a"].to_pylist() == [first, second]

    @pytest.mark.parametrize("sign", [",", "."])
    def test_thousands_or_decimals_stay_text(self, read, sign):
        contents = read(f"a;b\n1{sign}234;1\n12{sign}500;2\n")
        assert contents.table["a"].to_pylist() == [f"1{sign}234", f"12{sign}500"]
        assert any("separated thousands: 'a'" in note for note in contents.notes)

    def test_another_column_tells(self, read):
        table = read("a;b;c\n1,234;1,5;1.234\n12,500;2,5;2.345\n").table
        assert table["a"].to_pylist() == [1.234, 12.5]
        assert table["c"].to_pylist() == ["1.234", "2.345"]

    def test_three_decimals_between_commas_are_numbers(self, read):
        assert read("a,b\n1.234,1\n2.345,2\n").table["a"].to_pylist() == [1.234, 2.345]

    @pytest.mark.parametrize("code", ["007", "-01", "00.5", "0x10", "01,5"])
    def test_leading_zeros_are_codes(self, read, code):
        contents = read(f"a;b\n1;1\n{code};2\n;3\n")
        assert contents.table["a"].to_pylist() == ["1", code, None]

    def test_codes_are_reported(self, read):
        contents = read("zip,b\n01234,1\n54321,2\n")
        assert "Read as text to keep every digit: 'zip'." in contents.notes

    @pytest.mark.parametrize("value", ["0", "0.5", "-0.25", "0e0"])
    def test_a_zero_is_a_number(self, read, value):
        assert read(f"a,b\n{value},1\n").table["a"].to_pylist() == [float(value)]

    def test_codes_of_a_later_block(self, read):
        rows = "".join(f"{i + 1}\n" for i in range(60_000))
        assert pa.types.is_string(read(f"a\n{rows}007\n").table["a"].type)

    def test_more_digits_than_a_number_holds(self, read):
        table = read("a,b\n12345678901234567890,1\n1,2\n").table
        assert table["a"].to_pylist() == ["12345678901234567890", "1"]
        assert read("a,b\n1234567890123456789,1\n").table["a"].to_pylist() == [1234567890123456789]

    def test_no_number_stands_for_a_missing_value(self, read):
        assert read("a,b\n-999,1\n9,2\n").table["a"].to_pylist() == [-999, 9]


class TestMissing:
    @pytest.mark.parametrize("word", ["NA", "NaN", "null", ".", "", '""', "N/A"])
    def test_words_among_numbers(self, read, word):
        assert read(f"a,b\n1,x\n{word},y\n").table["a"].to_pylist() == [1, None]

    @pytest.mark.parametrize("word", ["NA", "NaN", "null", "."])
    def test_words_among_texts(self, read, word):
        assert read(f"a,b\nDE,1\n{word},2\n,3\n").table["a"].to_pylist() == ["DE", word, None]

    def test_an_empty_column(self, read):
        assert pa.types.is_null(read("a,b\n1,\n2,\n").table["b"].type)


class TestDatesAndTruth:
    def test_iso_dates(self, read):
        table = read("d,t\n2024-02-29,2024-02-29T10:00:00\nNA,\n").table
        assert table["d"].to_pylist() == [dt.date(2024, 2, 29), None]
        assert table["t"].to_pylist() == [dt.datetime(2024, 2, 29, 10), None]

    def test_truth(self, read):
        assert read("a,b\ntrue,1\nFalse,2\n,3\n").table["a"].to_pylist() == [True, False, None]
        assert read("a,b\n1,1\n0,2\n").table["a"].to_pylist() == [1, 0]


class TestProblems:
    def refusal(self, read, text, error=SchemaError):
        with pytest.raises(error) as caught:
            read(text)
        message = str(caught.value)
        assert SECRET not in message
        assert "Traceback" not in message
        return message

    @pytest.mark.parametrize("text", ["", "\n", "  \n\n"])
    def test_empty(self, read, text):
        assert "it is empty" in self.refusal(read, text)

    def test_header_only(self, read):
        assert "no records" in self.refusal(read, "a,b\n")

    def test_a_line_too_long(self, read):
        message = self.refusal(read, f'a,b\n"1\n1",2\n{SECRET},4,5\n')
        assert "line 4 has 3 fields where the header has 2" in message

    def test_a_line_too_short(self, read):
        message = self.refusal(read, f"a;b;c\n1;2;3\n\n4;5;6\n{SECRET}\n")
        assert "line 5 has 1 field where the header has 3" in message

    def test_a_title_above_the_header(self, read):
        message = self.refusal(read, f"{SECRET}\na,b\n1,2\n3,4\n")
        assert "line 2 has 2 fields where the header has 1" in message

    def test_row_names_without_a_header(self, read):
        message = self.refusal(read, f'"a","b"\n"{SECRET}",2,3\n"2",4,5\n')
        assert "line 2 has 3 fields where the header has 2" in message

    def test_an_open_quotation_mark(self, read):
        message = self.refusal(read, f'a,b\n1,x\n2,"{SECRET}\n3,y\n4,z\n')
        assert "quotation mark in the record at line 3 is never closed" in message

    def test_an_inch_sign_is_no_open_quotation_mark(self, read):
        assert read('a,b\n5",x\n6,y\n').table["a"].to_pylist() == ['5"', "6"]

    def test_doubled_names(self, read):
        assert "more than one column named 'a'" in self.refusal(read, "a,a\n1,2\n")

    @pytest.mark.parametrize("header", ["1,2", "a,", "3.5,b", "1;2", "1,5;2,5"])
    def test_no_header(self, read, header):
        assert "looks like data" in self.refusal(read, f"{header}\n{header}\n")

    def test_a_binary_file(self, read):
        message = self.refusal(read, f"PK\x03\x04\0\0{SECRET}", FileProblem)
        assert "not a text file" in message


class TestWriting:
    def test_the_text_of_the_file(self, tmp_path):
        table = pa.table({"a": [1, None], "b": ["x", None], "c": [0.1, 1e-300]})
        write_table(table, tmp_path / "t.csv")
        assert (tmp_path / "t.csv").read_text() == '"a","b","c"\n1,"x",0.1\n,,1e-300\n'
        write_table(table, tmp_path / "t.tsv")
        assert (tmp_path / "t.tsv").read_text() == '"a"\t"b"\t"c"\n1\t"x"\t0.1\n\t\t1e-300\n'

    def test_dates_of_another_width(self, tmp_path):
        write_table(pa.table({"d": pa.array([dt.date(2020, 1, 2)], pa.date64())}), tmp_path / "t")
        assert read_table(tmp_path / "t")["d"].to_pylist() == [dt.date(2020, 1, 2)]


TEXTS = st.text(
    st.one_of(st.sampled_from("\",;\t|\n\r'= ä"), st.characters(codec="utf-8", min_codepoint=1)),
    max_size=12,
)
ROWS = st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=8)


@given(ROWS, st.sampled_from([".csv", ".tsv"]))
@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_text_survives(tmp_path, rows, ending):
    """A letter in front keeps a text from looking like a number, a date or a missing value."""
    first = ["x" + row[0] for row in rows]
    second = ["x" + row[1] if row[1] else None for row in rows]
    table = pa.table({"a": pa.array(first), "b": pa.array(second, pa.string())})
    write_table(table, tmp_path / f"t{ending}", force=True)
    found = read_table(tmp_path / f"t{ending}")
    assert found["a"].to_pylist() == first
    assert found["b"].to_pylist() == second


@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=20))
@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_number_survives(tmp_path, numbers):
    write_table(pa.table({"a": numbers}), tmp_path / "t.csv", force=True)
    assert read_table(tmp_path / "t.csv")["a"].to_pylist() == numbers


CELLS = {
    "whole": ["1", "-20", " 3 ", "9007199254740993", "0"],
    "fractions": ["0.5", "1e300", "-2.", "1.234", "nan"],
    "commas": ["1,5", "2,25", "1,234", "-,5"],
    "codes": ["007", "12345678901234567890"],
    "days": ["31.12.1970", "1.2.1971", "30.02.1970"],
    "slashes": ["04/05/1985", "12/31/1970", "31/12/1970", "4/5/70"],
    "iso": ["2020-01-31", "2020-02-30"],
    "instants": ["2020-01-31 10:11", "2020-01-31T10:11:12.5", "2020-01-31T10:11:12Z"],
    "zones": ["2020-01-31T10:11:12Z", "2020-01-31T10:11:12.25+02:00"],
    "times": ["10:11", "10:11:12"],
    "truth": ["true", "FALSE"],
    "words": ["x", "yes", '"a; b"', "ä"],
    "missing": ["", "NA", ".", "null"],
}
KINDS = st.lists(st.sampled_from(sorted(CELLS)), min_size=1, max_size=3)
COLUMN = KINDS.flatmap(
    lambda kinds: st.lists(
        st.sampled_from([cell for kind in kinds for cell in CELLS[kind]]), min_size=6, max_size=6
    )
)


@given(st.lists(COLUMN, min_size=2, max_size=4), st.sampled_from(";\t"))
@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_batches_say_what_the_whole_says(tmp_path, columns, sign):
    """Types that depend on the last cell, in blocks of one or two lines."""
    names = sign.join(f"c{i}" for i in range(len(columns)))
    lines = [names, *(sign.join(cells) for cells in zip(*columns, strict=True))]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(lines) + "\n")
    whole = read_file(path)
    longest = max(len(line.encode()) for line in lines)
    found = read_batches(path, 2 * longest + 4)
    assert found.table.schema == whole.table.schema
    assert found.table.equals(whole.table) or "nan" in path.read_text()
    assert found.notes == whole.notes


def test_many_blocks(tmp_path):
    rng = np.random.default_rng(0)
    table = pa.table({f"v{i}": rng.normal(size=100_000) for i in range(15)})
    write_table(table, tmp_path / "t.csv")
    assert read_table(tmp_path / "t.csv").equals(table)
