"""CSV files in and out."""

from __future__ import annotations

import os

import pyarrow as pa
import pytest

from covey.errors import SchemaError
from covey.sources.files import FileProblem, read_table, write_table


def test_round_trip(tmp_path):
    table = pa.table({"a": [1, 2], "b": [0.1, 1e-300], 'ü, "x"': ["x", "y"]})
    write_table(table, tmp_path / "t.csv")
    assert read_table(tmp_path / "t.csv").equals(table)


def test_permissions_follow_the_umask(tmp_path):
    write_table(pa.table({"a": [1]}), tmp_path / "t.csv")
    mask = os.umask(0)
    os.umask(mask)
    assert (tmp_path / "t.csv").stat().st_mode & 0o777 == 0o666 & ~mask


def test_no_file(tmp_path):
    with pytest.raises(FileProblem, match="no file"):
        read_table(tmp_path / "none.csv")


def test_empty_file(tmp_path):
    (tmp_path / "e.csv").write_text("")
    with pytest.raises(SchemaError, match="it is empty"):
        read_table(tmp_path / "e.csv")


def test_ragged_file_shows_no_data(tmp_path):
    (tmp_path / "r.csv").write_text("a,b\n1,2\nsecret,4,5\n")
    with pytest.raises(SchemaError, match="has 3 fields where the header has 2") as caught:
        read_table(tmp_path / "r.csv")
    assert "secret" not in str(caught.value)


def test_doubled_columns(tmp_path):
    (tmp_path / "d.csv").write_text("a,a\n1,2\n")
    with pytest.raises(SchemaError, match="more than one column named 'a'"):
        read_table(tmp_path / "d.csv")


def test_no_folder(tmp_path):
    with pytest.raises(FileProblem, match="does not exist"):
        write_table(pa.table({"a": [1]}), tmp_path / "none" / "t.csv")
