"""Dates as people write them become dates, unless they can be read in two ways."""

from __future__ import annotations

import datetime as dt

import pyarrow as pa
import pytest

from covey.sources.delimited.dates import Evidence, Reading
from covey.sources.files import read_file

NEW_YEAR, LAST, MAY = dt.date(1971, 1, 1), dt.date(1970, 12, 31), dt.date(1985, 5, 4)


def read(tmp_path, cells, name="t.csv"):
    text = "born;n\n" + "".join(f"{cell};{i}\n" for i, cell in enumerate(cells))
    if name.endswith(".tsv"):
        text = text.replace(";", "\t")
    (tmp_path / name).write_text(text)
    return read_file(tmp_path / name)


def values(contents):
    return contents.table["born"].to_pylist()


@pytest.mark.parametrize("sign", [".", "/", "-"])
@pytest.mark.parametrize("name", ["t.csv", "t.tsv"])
def test_day_first(tmp_path, sign, name):
    cells = [f"31{sign}12{sign}1970", "", f"04{sign}05{sign}1985", f"1{sign}1{sign}1971"]
    contents = read(tmp_path, cells, name)
    assert contents.table["born"].type == pa.date32()
    assert values(contents) == [LAST, None, MAY, NEW_YEAR]
    assert "Read as dates, the day first: 'born'." in contents.notes


@pytest.mark.parametrize("sign", ["/", "-"])
def test_month_first(tmp_path, sign):
    contents = read(tmp_path, [f"05{sign}04{sign}1985", f"12{sign}31{sign}1970", ""])
    assert values(contents) == [MAY, LAST, None]
    assert "Read as dates, the month first: 'born'." in contents.notes


def test_full_stops_are_day_first_without_proof(tmp_path):
    assert values(read(tmp_path, ["04.05.1985", "01.01.1971"])) == [MAY, NEW_YEAR]


@pytest.mark.parametrize(
    "cells",
    [
        ["04/05/1985", "01/01/1971"],
        ["04-05-1985", "12-12-1971"],
        ["31.12.70", "04.05.85"],
        ["31/12/70"],
        ["12-31-70"],
    ],
)
def test_unclear_dates_stay_text(tmp_path, cells):
    contents = read(tmp_path, cells)
    assert values(contents) == cells
    (note,) = (note for note in contents.notes if "dates" in note)
    assert "text" in note
    assert "'born'" in note
    assert "1970-12-31" in note
    assert not any(cell in note for cell in cells)


@pytest.mark.parametrize(
    "cells",
    [
        ["30.02.1970", "31.12.1970"],
        ["29.02.1900", "31.12.1970"],
        ["31/12/1970", "12/31/1970"],
        ["12.31.1970"],
    ],
)
def test_days_that_never_were_stay_text(tmp_path, cells):
    contents = read(tmp_path, cells)
    assert values(contents) == cells
    assert any("not all are dates" in note and "'born'" in note for note in contents.notes)


@pytest.mark.parametrize(
    "cells",
    [
        ["31.12.1970", "31/12/1970"],
        ["31.12.1970", "unknown"],
        ["31.12/1970", "30.12/1970"],
        ["31.12.1970 10:00", "31.12.1970 11:00"],
        ["99.99.1970", "32.01.1970"],
        ["40-47-84", "20-00-00"],
        ["31.12.19700", "31.12.19701"],
        ["192.168.1.1", "10.0.0.1"],
    ],
)
def test_other_shapes_stay_text_without_a_word(tmp_path, cells):
    contents = read(tmp_path, cells)
    assert values(contents) == cells
    assert not any("dates" in note for note in contents.notes)


def test_words_for_a_missing_value(tmp_path):
    assert values(read(tmp_path, ["NA", "31.12.1970", "."])) == [None, LAST, None]


def test_blanks_around(tmp_path):
    assert values(read(tmp_path, [" 31.12.1970", "04.05.1985 "])) == [LAST, MAY]


def test_leap_days(tmp_path):
    found = values(read(tmp_path, ["29.02.2000", "29.02.2024"]))
    assert found == [dt.date(2000, 2, 29), dt.date(2024, 2, 29)]


def test_each_column_on_its_own(tmp_path):
    (tmp_path / "t.csv").write_text(
        "b,a,us,short,iso\n31.12.1970,1.1.1971,12/31/1970,1/2/03,1970-12-31\n"
    )
    contents = read_file(tmp_path / "t.csv")
    assert contents.table.to_pylist() == [
        {"b": LAST, "a": NEW_YEAR, "us": LAST, "short": "1/2/03", "iso": LAST}
    ]
    assert "Read as dates, the day first: 'a', 'b'." in contents.notes
    assert "Read as dates, the month first: 'us'." in contents.notes
    assert not any("iso" in note for note in contents.notes)


def test_the_proof_may_come_late(tmp_path):
    cells = ["04/05/1985"] * 1000 + ["12/31/1970"]
    assert values(read(tmp_path, cells))[-1] == LAST


def test_nothing_known():
    assert form_of(["", None]).reading is Reading.NO_DATES


def test_the_proof_may_come_in_another_piece():
    assert form_of(["04/05/1985"], ["12/31/1970"]).reading is Reading.MONTH_FIRST
    assert form_of(["31/12/1970"], ["12/31/1970"]).reading is Reading.INVALID
    assert form_of(["12/31/1970"], ["31/12/1970"]).reading is Reading.INVALID
    assert form_of(["04.05.1985"], ["x"]).reading is Reading.NO_DATES
    assert form_of(["04.05.1985"], ["04.05.85"]).reading is Reading.NO_DATES


def form_of(*pieces):
    evidence = Evidence()
    for piece in pieces:
        evidence.add(pa.chunked_array([pa.array(piece, pa.string())]))
    return evidence.form()
