"""Reading and writing by the ending of a name; a file is whole or not there."""

from __future__ import annotations

import errno
import os
import subprocess
import sys

import pyarrow as pa
import pytest

from covey.errors import InvalidParameter, MissingExtra, SchemaError
from covey.sources import packages
from covey.sources.files import (
    FileProblem,
    check_target,
    read_file,
    read_table,
    write_table,
    write_whole,
)

SECRET = "Rumpelstilzchen"
WRITABLE = (
    *(".csv", ".txt", ".tsv", ".tab", ".parquet", ".arrow", ".feather", ".ipc"),
    *(".xlsx", ".sav", ".zsav", ".dta", ".xpt"),
)


def small() -> pa.Table:
    return pa.table({"a": [1, 2], "b": [0.5, None], "c": ["x", SECRET]})


@pytest.mark.parametrize("ending", [*WRITABLE, "", ".CSV", ".Parquet"])
def test_every_ending_is_written_and_read(tmp_path, ending):
    path = tmp_path / f"t{ending}"
    check_target(path, force=False)
    write_table(small(), path)
    assert read_table(path).to_pydict() == small().to_pydict()
    assert [found.name for found in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("ending", "format"),
    [
        *((".csv", "CSV"), (".tab", "TSV"), (".parquet", "Parquet"), (".feather", "Arrow")),
        *((".xlsx", "Excel"), (".zsav", "SPSS"), (".dta", "Stata"), (".xpt", "SAS transport")),
    ],
)
def test_the_format_is_named(tmp_path, ending, format):
    write_table(small(), tmp_path / f"t{ending}")
    assert read_file(tmp_path / f"t{ending}").format == format


def test_unknown_endings_name_the_known(tmp_path):
    path = tmp_path / "t.doc"
    path.write_text("a\n1\n")
    with pytest.raises(InvalidParameter, match=r"'.doc' is not known.*\.csv.*\.sas7bdat"):
        read_table(path)
    with pytest.raises(InvalidParameter, match=r"\.csv.*\.xpt; '.doc' cannot be written") as caught:
        check_target(path, force=True)
    assert ".sas7bdat" not in str(caught.value)
    with pytest.raises(InvalidParameter, match=r"\.parquet"):
        write_table(small(), path, force=True)


def test_sas_data_sets_are_written_as_transport_files(tmp_path):
    with pytest.raises(InvalidParameter, match=r"only be read.*\.xpt"):
        write_table(small(), tmp_path / "t.sas7bdat")


@pytest.mark.parametrize(("ending", "extra"), [(".xlsx", "excel"), (".sav", "stats")])
def test_an_absent_package_is_named_before_the_work(tmp_path, monkeypatch, ending, extra):
    def absent(name):
        raise ImportError(name)

    monkeypatch.setattr(packages, "import_module", absent)
    (tmp_path / f"t{ending}").write_bytes(b"x")
    with pytest.raises(MissingExtra, match=rf"covey\[{extra}\]"):
        check_target(tmp_path / f"new{ending}", force=False)
    with pytest.raises(MissingExtra, match=rf"covey\[{extra}\]"):
        read_table(tmp_path / f"t{ending}")


def test_progress_goes_from_nothing_to_everything(tmp_path):
    write_table(small(), tmp_path / "t.csv")
    calls = []
    read_file(tmp_path / "t.csv", progress=lambda *call: calls.append(call))
    size = (tmp_path / "t.csv").stat().st_size
    assert calls == [("reading", 0, size), ("reading", size, size)]


class TestProblems:
    def test_no_file(self, tmp_path):
        with pytest.raises(FileProblem, match="no file"):
            read_table(tmp_path / "none.csv")

    def test_a_folder(self, tmp_path):
        with pytest.raises(FileProblem, match="is a folder"):
            read_table(tmp_path)

    def test_no_permission(self, tmp_path, monkeypatch):
        write_table(small(), tmp_path / "t.csv")
        monkeypatch.setattr(os, "access", lambda *_: False)
        with pytest.raises(FileProblem, match="permission"):
            read_table(tmp_path / "t.csv")

    def test_the_system_refuses_to_read(self, tmp_path, monkeypatch):
        write_table(small(), tmp_path / "t.parquet")

        def refuse(*_):
            raise OSError(errno.EIO, "Input/output error")

        monkeypatch.setattr("pyarrow.parquet.ParquetFile", refuse)
        with pytest.raises(FileProblem, match=r"could not be read: Input/output error\.$"):
            read_table(tmp_path / "t.parquet")

    @pytest.mark.parametrize("ending", WRITABLE[4:])
    @pytest.mark.parametrize("content", [b"", f"a,b\n1,{SECRET}\n".encode() * 400])
    def test_another_format_under_this_name(self, tmp_path, ending, content):
        (tmp_path / f"t{ending}").write_bytes(content)
        with pytest.raises(FileProblem, match=r"is not (a|an) .*damaged") as caught:
            read_table(tmp_path / f"t{ending}")
        assert SECRET not in str(caught.value)

    def test_a_sas_data_set_that_is_none(self, tmp_path):
        (tmp_path / "t.sas7bdat").write_text(SECRET)
        with pytest.raises(FileProblem, match="not a file of SAS"):
            read_table(tmp_path / "t.sas7bdat")

    @pytest.mark.parametrize("ending", WRITABLE[4:-1])  # a transport file has no count
    def test_a_file_cut_in_half(self, tmp_path, ending):
        path = tmp_path / f"t{ending}"
        write_table(pa.table({"a": [SECRET + str(i) for i in range(5000)]}), path)
        content = path.read_bytes()
        path.write_bytes(content[: len(content) // 2])
        with pytest.raises(FileProblem) as caught:
            read_table(path)
        assert SECRET not in str(caught.value)

    @pytest.mark.parametrize("ending", [".parquet", ".arrow"])
    def test_no_columns(self, tmp_path, ending):
        write_table(pa.table({}), tmp_path / f"t{ending}")
        with pytest.raises(SchemaError, match="no columns"):
            read_table(tmp_path / f"t{ending}")

    @pytest.mark.parametrize("ending", WRITABLE)
    def test_no_records(self, tmp_path, ending):
        write_table(small().slice(0, 0), tmp_path / f"t{ending}")
        with pytest.raises(SchemaError, match="no records"):
            read_table(tmp_path / f"t{ending}")

    def test_doubled_and_empty_names(self, tmp_path):
        column = pa.array([1])
        write_table(pa.table([column, column], names=["a", "a"]), tmp_path / "d.arrow")
        with pytest.raises(SchemaError, match="more than one column named 'a'"):
            read_table(tmp_path / "d.arrow")
        write_table(pa.table([column], names=[" "]), tmp_path / "e.arrow")
        with pytest.raises(SchemaError, match="without a name"):
            read_table(tmp_path / "e.arrow")


class TestWritingWhole:
    @pytest.mark.parametrize(
        ("ending", "writer"),
        [
            (".csv", "pyarrow.csv.write_csv"),
            (".tsv", "pyarrow.csv.write_csv"),
            (".parquet", "pyarrow.parquet.write_table"),
            (".arrow", "pyarrow.ipc.new_file"),
            (".xlsx", "openpyxl.Workbook.save"),
            (".sav", "pyreadstat.write_sav"),
            (".dta", "pyreadstat.write_dta"),
            (".xpt", "pyreadstat.write_xport"),
        ],
    )
    def test_a_full_disk_leaves_nothing(self, tmp_path, monkeypatch, ending, writer):
        def full(*_, **__):
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(writer, full)
        with pytest.raises(FileProblem, match="No space left on device"):
            write_table(small(), tmp_path / f"t{ending}")
        assert list(tmp_path.iterdir()) == []

    def test_a_full_disk_within_the_library(self, tmp_path, monkeypatch):
        import pyreadstat

        def full(frame, path, **_):
            with open(path, "w") as file:
                file.write("half")
            raise pyreadstat.ReadstatError("Unable to write data")

        monkeypatch.setattr(pyreadstat, "write_sav", full)
        with pytest.raises(FileProblem, match="could not be written: the disk may be full"):
            write_table(small(), tmp_path / "t.sav")
        assert list(tmp_path.iterdir()) == []

    def test_the_old_file_stays(self, tmp_path):
        path = tmp_path / "t.csv"
        path.write_text("old")

        def interrupted(_):
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            write_whole(path, interrupted, force=True)
        assert path.read_text() == "old"
        assert [found.name for found in tmp_path.iterdir()] == ["t.csv"]

    def test_any_ending_can_be_written_whole(self, tmp_path):
        def page(temporary):
            with open(temporary, "w") as file:
                file.write("<p>")

        write_whole(tmp_path / "r.html", page)
        assert (tmp_path / "r.html").read_text() == "<p>"

    def test_permissions_follow_the_umask(self, tmp_path):
        write_table(small(), tmp_path / "t.csv")
        mask = os.umask(0)
        os.umask(mask)
        assert (tmp_path / "t.csv").stat().st_mode & 0o777 == 0o666 & ~mask

    def test_no_folder(self, tmp_path):
        with pytest.raises(FileProblem, match="does not exist"):
            write_table(small(), tmp_path / "none" / "t.csv")

    def test_other_files_and_the_original_are_safe(self, tmp_path):
        path = tmp_path / "t.csv"
        write_table(small(), path)
        with pytest.raises(InvalidParameter, match="exists already"):
            write_table(small(), path)
        with pytest.raises(InvalidParameter, match="is the original file"):
            check_target(path, force=True, original=path)
        write_table(small(), path, force=True)


def test_importing_the_room_is_light():
    code = "import sys, covey.sources; print(*sorted(m.split('.')[0] for m in sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    heavy = {"numpy", "pyarrow", "pandas", "pyreadstat", "openpyxl", "polars"}
    assert not heavy & set(loaded)


@pytest.mark.parametrize("values", [[1.5, None, 3.0], ["a", None, "b"], [True, None, False]])
def test_a_single_column_with_gaps_keeps_its_records(values, tmp_path):
    """Readers pass over blank lines; a gap is written as empty quotes instead."""
    import pandas as pd
    import pyarrow as pa

    write_table(pa.table({"x": values}), tmp_path / "one.csv")
    assert len(pd.read_csv(tmp_path / "one.csv")) == 3
    assert read_table(tmp_path / "one.csv")["x"].to_pylist() == values
