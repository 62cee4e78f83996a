"""Small files that unfold to more than any memory are refused, with a remedy, before they do."""

from __future__ import annotations

import time
import zipfile
from itertools import chain, repeat

import pyarrow as pa
import pytest
from pyarrow import parquet

from covey.errors import CoveyError, NotEnoughMemory, SchemaError
from covey.sources import workbook_limits, workbooks
from covey.sources.files import FileProblem, read_file, read_table, write_table

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{SHEET}.sheet.main+xml"/>'
    f'<Override PartName="/xl/strings.xml" ContentType="{SHEET}.sharedStrings+xml"/></Types>',
    "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>'
    '<sheet name="s" sheetId="1" r:id="a"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="a" Type="{OFFICE}/worksheet" Target="sheet.xml"/></Relationships>',
}
OPEN = f'<worksheet xmlns="{MAIN}"><sheetData>'.encode()
CLOSE = b"</sheetData></worksheet>"
HEADER = b'<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c></row>'
CELL = b"<c><v>1</v></c>"


def workbook(path, rows=(), strings=()):
    """A workbook of raw XML, written piece by piece."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in PARTS.items():
            archive.writestr(name, text)
        for name, pieces in {
            "xl/sheet.xml": chain([OPEN, HEADER], rows, [CLOSE]),
            "xl/strings.xml": chain([f'<sst xmlns="{MAIN}">'.encode()], strings, [b"</sst>"]),
        }.items():
            with archive.open(name, "w", force_zip64=True) as part:
                for piece in pieces:
                    part.write(piece)
    return path


def test_the_workbook_is_one(tmp_path):
    path = workbook(tmp_path / "t.xlsx", [b"<row>" + CELL + b"</row>"])
    assert read_table(path).to_pydict() == {"a": [1]}


@pytest.mark.parametrize(
    ("rows", "strings", "reason"),
    [
        pytest.param(
            [b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'],
            (),
            "more cells than",
            id="one cell at the far end",
        ),
        pytest.param(
            [b'<row r="999999999">', CELL, b"</row>"],
            (),
            "more cells than",
            id="a row beyond Excel",
        ),
        pytest.param(
            chain([b"<row>"], repeat(CELL * 100_000, 30), [b"</row>"]),
            (),
            "more cells than",
            id="a row without end",
        ),
        pytest.param(
            chain([b'<row><c t="inlineStr"><is><t>'], repeat(b"x" * (1 << 20), 8)),
            (),
            "32,767 letters",
            id="a text without end",
        ),
        pytest.param(
            (), repeat(b"<si><r><t>x</t></r>" * 100_000, 5), "more cells than", id="texts in texts"
        ),
        pytest.param(
            repeat(b" " * (1 << 24), 65), (), "1,024 MB when unpacked", id="a sheet of blanks"
        ),
    ],
)
def test_a_workbook_that_unfolds(tmp_path, rows, strings, reason):
    path = workbook(tmp_path / "t.xlsx", rows, strings)
    assert path.stat().st_size < 2_000_000
    with pytest.raises(FileProblem, match=reason) as caught:
        read_file(path)
    assert "CSV or Parquet" in str(caught.value)


def test_cells_far_apart_count_as_what_lies_between(tmp_path, monkeypatch):
    monkeypatch.setattr(workbooks, "MOST_CELLS", 100)
    far = b"".join(b'<row r="%d"><c r="J%d"><v>1</v></c></row>' % (n, n) for n in range(2, 12))
    with pytest.raises(FileProblem, match="Remove stray and formatted"):
        read_file(workbook(tmp_path / "t.xlsx", [far]))
    empty = b"".join(b'<row r="%d"><c r="J%d" s="0"/></row>' % (n, n) for n in range(2, 11))
    with pytest.raises(CoveyError, match="no records"):  # cells that are only formatted
        read_file(workbook(tmp_path / "t.xlsx", [empty]))


def test_empty_cells_are_counted_before_they_are_left_out(tmp_path):
    wide = repeat(b'<row><c r="XFD1"/></row>' * 1_000, 15)
    path = workbook(tmp_path / "t.xlsx", wide)
    start = time.perf_counter()
    with pytest.raises(FileProblem, match="counting empty ones"):
        read_file(path)
    assert time.perf_counter() - start < 15  # all 245 million of them took half a minute and more


def test_texts_longer_than_a_cell_holds(tmp_path):
    text = b"<si><t>" + b"a" * 900_000 + "\U0001f600</t></si>".encode()
    path = workbook(tmp_path / "t.xlsx", [b"<row>" + CELL + b"</row>"], repeat(text, 150))
    with pytest.raises(FileProblem, match=r"32,767 letters.*CSV or Parquet"):
        read_file(path)


def test_the_longest_texts_of_excel_are_read(tmp_path):
    for letter in ("x", "\U0001f600", "&quot;"):
        cell = f'<row><c t="inlineStr"><is><t>{letter * 32_767}</t></is></c></row>'.encode()
        table = read_table(workbook(tmp_path / "t.xlsx", [cell]))
        assert len(table["a"][0].as_py()) == 32_767


def test_all_texts_together_are_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(workbook_limits, "LARGEST_TEXTS", 1_000)
    path = workbook(tmp_path / "t.xlsx", (), repeat(b"<si><t>text</t></si>", 100))
    with pytest.raises(FileProblem, match=r"when unpacked.*CSV or Parquet"):
        read_file(path)


def test_all_tags_are_counted(tmp_path, monkeypatch):
    monkeypatch.setattr(workbook_limits, "MOST_TAGS", 1_000)
    path = workbook(tmp_path / "t.xlsx", repeat(b"<row>" + CELL + b"</row>", 400))
    with pytest.raises(FileProblem, match="more cells than"):
        read_file(path)


def test_parts_that_are_held_whole_are_small(tmp_path, monkeypatch):
    monkeypatch.setattr(workbook_limits, "LARGEST_OTHER", 100)
    with pytest.raises(FileProblem, match="when unpacked"):
        read_file(workbook(tmp_path / "t.xlsx"))


class TestLines:
    @pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
    def test_a_line_without_end(self, tmp_path, end):
        path = tmp_path / "t.csv"
        path.write_bytes(b"a,b" + end + b"1,2" + end + b"secret" * 2_000_000)
        with pytest.raises(SchemaError, match="line 3 is over 8 MB long") as caught:
            read_file(path)
        assert "secret" not in str(caught.value)

    def test_a_file_without_line_breaks(self, tmp_path):
        (tmp_path / "t.csv").write_bytes(b"1," * 5_000_000)
        with pytest.raises(SchemaError, match="line 1 is over 8 MB long"):
            read_file(tmp_path / "t.csv")

    def test_long_lines_that_are_not_too_long(self, tmp_path):
        text = "x" * 3_000_000
        (tmp_path / "t.csv").write_text(f"a,b\n1,{text}\n2,{text}\n3,y\n4,{text}\n")
        assert read_table(tmp_path / "t.csv")["b"].to_pylist() == [text, text, "y", text]


def test_a_parquet_file_larger_than_memory(tmp_path, monkeypatch):
    write_table(pa.table({"a": [1.5] * 100_000, "b": ["x"] * 100_000}), tmp_path / "t.parquet")
    assert parquet.read_metadata(tmp_path / "t.parquet").num_rows == 100_000
    monkeypatch.setattr("covey.sources.columnar.memory_size", lambda: 1_000_000)
    with pytest.raises(NotEnoughMemory, match=r"100,000 records.*--memory-limit"):
        read_file(tmp_path / "t.parquet")
