"""What only DuckDB or only SQLite has: files, locks, types of values."""

from __future__ import annotations

import datetime as dt
import errno
import os
import sqlite3
import subprocess
import sys
from contextlib import closing

import pyarrow as pa
import pytest
from pyarrow import parquet

import covey
from covey.errors import InvalidParameter, SchemaError
from covey.sources import DatabaseProblem, FileProblem, Table
from covey.sources.databases.embedded import remove_database

NAMED = {
    "DuckDB": "select table_name from duckdb_tables()",
    "SQLite": "select name from sqlite_master where type = 'table'",
}
HOLDS = """
import sys, duckdb
connection = duckdb.connect(sys.argv[1])
print("open", flush=True)
sys.stdin.read()
"""


@pytest.fixture(params=["duckdb_file", "sqlite_file"])
def file(request):
    made = request.getfixturevalue(request.param)
    made.fill()
    return made


def test_no_such_file(tmp_path):
    for ending in ("duckdb", "sqlite"):
        with pytest.raises(FileProblem, match=rf"There is no database .*nowhere\.{ending}"):
            Table(tmp_path / f"nowhere.{ending}", table="persons").read()
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_database(tmp_path):
    for ending in ("duckdb", "sqlite"):
        path = tmp_path / f"text.{ending}"
        path.write_text("id,age\n1,2\n" * 1000)
        with pytest.raises(DatabaseProblem, match=r"is not an? .* database"):
            Table(path, table="persons").read()


def test_reading_changes_nothing(file):
    before = file.path.read_bytes()
    covey.protect(file.address, table="persons", k=3, identifiers=["id"])
    assert file.path.read_bytes() == before


def test_a_new_file_is_made_whole_or_not_at_all(file, tmp_path):
    release = covey.protect(file.address, table="persons", k=3, identifiers=["id"])
    for ending in ("duckdb", "sqlite"):
        release.write(tmp_path / f"new.{ending}", table="released")
        assert Table(tmp_path / f"new.{ending}", table="released").read().table.num_rows == 120
        table = pa.table({"a": pa.array([[1]])})
        target = Table(tmp_path / f"failed.{ending}", table="released")
        with pytest.raises(SchemaError):
            target.write(table.schema, table.to_batches())
    assert not list(tmp_path.glob("failed*"))


def test_a_folder_that_is_not_there(file, tmp_path):
    release = covey.protect(file.address, table="persons", k=3, identifiers=["id"])
    with pytest.raises(FileProblem, match="does not exist"):
        release.write(tmp_path / "nowhere" / "new.duckdb", table="released")


def test_the_ending_db_is_looked_into(file, tmp_path):
    moved = tmp_path / "survey.db"
    file.path.rename(moved)
    assert Table(moved, table="persons").read().format == file.kind


def test_text_is_ordered_byte_by_byte_whatever_its_column_says(file):
    file.run("create table t (a text collate nocase)")
    file.run("insert into t values ('b'), ('Z'), ('a'), ('B'), ('é')")
    for asked in ({"table": "t"}, {"query": "select a from t"}):
        found = Table(file.address, **asked, order_by="a").read().table["a"]
        assert found.to_pylist() == ["B", "Z", "a", "b", "é"]


def test_capitals_beyond_a_to_z_are_told_apart(file):
    table = pa.table({"Ünï": [1], "ünï": [2]})
    for name in ("Größe", "GRÖßE"):
        Table(file.address, table=name).write(table.schema, table.to_batches())
    assert Table(file.address, table="größe").read().table.equals(table)
    assert sorted(name for (name,) in file.rows(NAMED[file.kind])) == ["GRÖßE", "Größe", "persons"]
    same = pa.table({"Age": [1], "aGE": [2]})
    with pytest.raises(SchemaError, match="does not tell capitals"):
        Table(file.address, table="same").write(same.schema, same.to_batches())


def test_a_full_disk(file, monkeypatch):
    import duckdb

    def full(*_args):
        if file.kind == "DuckDB":
            raise duckdb.IOException("IO Error: Could not write file: No space left on device")
        raise sqlite3.OperationalError("database or disk is full")

    module = f"covey.sources.databases.{file.kind.lower()}_tables.{file.kind}Session.create"
    monkeypatch.setattr(module, full)
    table = pa.table({"a": [1]})
    with pytest.raises(DatabaseProblem, match="the disk is full"):
        Table(file.address, table="released").write(table.schema, table.to_batches())


# -- DuckDB ----------------------------------------------------------------------------------


def test_a_database_that_another_program_holds(duckdb_file):
    duckdb_file.fill()
    command = [sys.executable, "-c", HOLDS, duckdb_file.address]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline() == b"open\n"
        with pytest.raises(DatabaseProblem, match="in use by another program"):
            Table(duckdb_file.address, table="persons").read()
        holder.communicate()


def test_queries_on_files(tmp_path, monkeypatch):
    (tmp_path / "parts").mkdir()
    for i in range(3):
        part = pa.table({"i": range(10 * i, 10 * i + 10), "x": [float(i)] * 10})
        parquet.write_table(part, tmp_path / "parts" / f"{i}.parquet")
    monkeypatch.chdir(tmp_path)
    release = covey.protect(":memory:", query="select * from 'parts/*.parquet' where i < 25", k=3)
    assert release.table.num_rows == 25
    assert release.provenance.input_name == "a query on files"
    release.write("new.duckdb", table="released")
    with pytest.raises(DatabaseProblem, match="no database to write into"):
        release.write(":memory:", table="released")
    with pytest.raises(DatabaseProblem, match="not there"):
        Table(":memory:", query="select * from 'parts/*.csv'").read()


def test_comments_survive(duckdb_file):
    duckdb_file.fill()
    duckdb_file.run("comment on column persons.age is 'Age, it''s known'")
    release = covey.protect(duckdb_file.address, table="persons", k=3, identifiers=["id"])
    release.write(duckdb_file.address, table="released")
    found = duckdb_file.rows(
        "select comment from duckdb_columns() where table_name = 'released' and column_name = 'age'"
    )
    assert found == [("Age, it's known",)]


def test_categories_are_ordered_as_text(duckdb_file):
    duckdb_file.run("create table t (e enum('z', 'a'))", "insert into t values ('z'), ('a')")
    assert Table(duckdb_file.address, table="t").read().table["e"].to_pylist() == ["a", "z"]


def test_a_macro_over_the_original(duckdb_file):
    duckdb_file.fill()
    duckdb_file.run("create macro everybody() as table select * from persons")
    target = Table(duckdb_file.address, table="persons")
    with pytest.raises(InvalidParameter, match="is read from"):
        target.check_target(
            force=True, original=Table(duckdb_file.address, query="select * from everybody()")
        )


def test_a_table_of_the_same_name_in_another_schema(duckdb_file):
    duckdb_file.fill()
    duckdb_file.run("create schema public_use", "create table public_use.persons (a integer)")
    target = Table(duckdb_file.address, table="public_use.persons")
    target.check_target(force=True, original=Table(duckdb_file.address, table="persons"))


def test_categories_become_text_without_those_that_are_not_released(duckdb_file):
    duckdb_file.run("create table t (a integer, e enum('x', 'y', 'secret'))")
    duckdb_file.run("insert into t select i, case when i % 2 = 0 then 'x' else 'y' end "
                    "from range(12) as r(i)")  # fmt: skip
    release = covey.protect(duckdb_file.address, table="t", k=3, keep=["e"])
    release.write(duckdb_file.address, table="released")
    (declared,) = duckdb_file.rows(
        "select data_type from duckdb_columns() where table_name = 'released' and column_name = 'e'"
    )
    assert declared == ("VARCHAR",)
    assert "secret" not in str(release.table.schema)


def test_instants_are_in_utc(duckdb_file):
    duckdb_file.run(
        "create table t (z timestamptz)", "insert into t values ('2020-01-01 10:00+02')"
    )
    table = Table(duckdb_file.address, table="t").read().table
    assert table.schema.field("z").type == pa.timestamp("us", "UTC")
    assert table["z"][0].as_py() == dt.datetime(2020, 1, 1, 8, tzinfo=dt.timezone.utc)


def test_variables_of_python_are_not_read(duckdb_file):
    duckdb_file.fill()
    hidden = pa.table({"a": [1, 2, 3]})
    with pytest.raises(DatabaseProblem, match="could not be run"):
        Table(duckdb_file.address, query="select * from hidden").read()
    assert hidden.num_rows == 3


def test_an_error_on_data_shows_no_data(duckdb_file):
    duckdb_file.fill()
    with pytest.raises(DatabaseProblem, match="refused") as caught:
        Table(duckdb_file.address, query="select region::integer as r from persons").read()
    assert "Süd" not in str(caught.value)


def test_dates_that_cannot_be_held(duckdb_file):
    duckdb_file.run("create table t (until date)", "insert into t values ('infinity')")
    with pytest.raises(SchemaError, match=r"'until' holds 1 date\(s\) outside the years"):
        Table(duckdb_file.address, table="t").read()


# -- SQLite ----------------------------------------------------------------------------------


def test_text_among_numbers(sqlite_file):
    sqlite_file.run("create table t (income real)")
    sqlite_file.run("insert into t values (1.5), (2), ('about 3000')")
    with pytest.raises(SchemaError, match=r"'income' is declared REAL, but 1 of 3") as caught:
        Table(sqlite_file.address, table="t").read()
    assert "3000" not in str(caught.value)


def test_text_where_dates_are_declared(sqlite_file):
    sqlite_file.run("create table t (born date)", "insert into t values ('1970-01-01'), ('in May')")
    with pytest.raises(SchemaError, match="'born' holds text that is not in the form") as caught:
        Table(sqlite_file.address, table="t").read()
    assert "May" not in str(caught.value)


def test_values_decide_where_nothing_is_declared(sqlite_file):
    sqlite_file.run("create table t (a, b, c, d, e numeric, f boolean, g time, h blob)")
    sqlite_file.run(
        "insert into t values (1, 1, 'x', null, 1, 5, '10:30', x'00'), "
        "(2, 2.5, 3, null, 2, 0, null, null)"
    )
    types = [field.type for field in Table(sqlite_file.address, table="t").read().table.schema]
    expected = ["int64", "double", "string", "null", "int64", "int64", "time64[us]", "binary"]
    assert list(map(str, types)) == expected


def test_generated_columns_are_read(sqlite_file):
    sqlite_file.run("create table t (a integer, b integer generated always as (2 * a))")
    sqlite_file.run("insert into t values (3)")
    assert Table(sqlite_file.address, table="t").read().table["b"].to_pylist() == [6]


def test_binary_values_among_others(sqlite_file):
    sqlite_file.run("create table t (a text)", "insert into t values ('x'), (x'00')")
    with pytest.raises(SchemaError, match="holds binary values beside others: 1 of 2"):
        Table(sqlite_file.address, table="t").read()


def test_text_that_is_not_utf8(sqlite_file):
    sqlite_file.run("create table t (a text)", "insert into t values (cast(x'53fc64' as text))")
    with pytest.raises(DatabaseProblem, match="not in UTF-8"):
        Table(sqlite_file.address, table="t").read()


def test_declared_types_survive(sqlite_file):
    sqlite_file.run("create table t (a integer, v varchar(20), d date, z timestamptz, o boolean)")
    instant = "'2020-01-01 10:00:00Z'"
    for i in range(6):
        row = f"{i}, 'v{i % 2}', '1970-01-0{i + 1}', {instant}, {i % 2}"
        sqlite_file.run(f"insert into t values ({row})")
    release = covey.protect(sqlite_file.address, table="t", k=3, integers=["a"], keep=["v", "z"])
    release.write(sqlite_file.address, table="released")
    info = sqlite_file.rows("pragma table_info(released)")
    declared = ["INTEGER", "VARCHAR(20)", "DATE", "TIMESTAMPTZ", "BOOLEAN"]
    assert [row[2].upper() for row in info] == declared
    found = Table(sqlite_file.address, table="released").read().table
    assert found["z"][0].as_py() == dt.datetime(2020, 1, 1, 10, tzinfo=dt.timezone.utc)


def test_a_locked_database(sqlite_file, monkeypatch):
    monkeypatch.setattr("covey.sources.databases.sqlite_tables.PATIENCE", 0.05)
    sqlite_file.fill()
    with closing(sqlite3.connect(sqlite_file.address, isolation_level=None)) as connection:
        connection.execute("begin exclusive")
        with pytest.raises(DatabaseProblem, match="in use by another program"):
            Table(sqlite_file.address, table="persons").read()


def test_text_that_is_no_json(sqlite_file):
    sqlite_file.run("create table t (a text)", "insert into t values ('{')")
    with pytest.raises(DatabaseProblem, match=r"the query could not be run \(malformed JSON\)"):
        Table(sqlite_file.address, query="select json_extract(a, '$.b') as b from t").read()


def test_sqlite_has_no_schemas(sqlite_file):
    sqlite_file.fill()
    assert Table(sqlite_file.address, table="main.persons").read().table.num_rows == 120
    release = covey.protect(sqlite_file.address, table="persons", k=3, identifiers=["id"])
    with pytest.raises(DatabaseProblem, match="has no schemas"):
        release.write(sqlite_file.address, table="stats.released")


def test_table_is_for_databases(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InvalidParameter, match="table is for databases"):
        covey.protect(tmp_path / "a.csv", table="a")
    with pytest.raises(InvalidParameter, match="order_by is for databases; a data frame"):
        covey.protect(pa.table({"a": [1, 2, 3]}), order_by=["a"])


@pytest.mark.parametrize("ending", ["sqlite", "duckdb"])
@pytest.mark.parametrize("exists", [True, False])
def test_a_write_protected_disk(tmp_path, monkeypatch, ending, exists):
    """As on a disk that is mounted read-only, where nothing can be made or even removed."""
    path = tmp_path / f"t.{ending}"
    table = pa.table({"x": [1, 2, 3]})
    if exists:
        Table(path, table="t").write(table.schema, table.to_batches())
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    allowed = os.access
    monkeypatch.setattr(
        os, "access", lambda place, mode: not mode & os.W_OK and allowed(place, mode)
    )
    with pytest.raises(DatabaseProblem, match=r"write-protected\. Write"):
        Table(path, table="other").write(table.schema, table.to_batches())
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_nothing_to_remove_on_a_write_protected_disk(tmp_path, monkeypatch):
    def refusing(*_, **__):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("pathlib.Path.unlink", refusing)
    remove_database(tmp_path / "never.sqlite")
