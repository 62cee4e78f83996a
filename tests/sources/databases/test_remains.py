"""What is replaced is gone from the bytes of the closed file, or Covey says that it is not."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing

import pyarrow as pa
import pytest

import covey
from covey.errors import DisclosureWarning
from covey.sources import Table

N = 3000
IDS = [f"PERSON-{7919 * i:09d}" for i in range(N)]


def persons(ids=IDS) -> pa.Table:
    n = len(ids)
    ages = pa.array([20.0 + i % 50 for i in range(n)])
    return pa.table({"id": ids, "age": ages, "income": [1000.0 + 7 * i for i in range(n)]})


def put(path, table: pa.Table, name: str = "released", force: bool = False) -> None:
    Table(path, table=name).write(table.schema, table.to_batches(), force=force)


def found(folder) -> int:
    """How many identifiers are in the bytes of all files of a folder."""
    content = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    return sum(one.encode() in content for one in IDS)


def names(folder) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def release() -> covey.release.Release:
    return covey.protect(persons(), k=5, technique="iamat", identifiers=["id"])


@pytest.mark.parametrize("ending", ["duckdb", "sqlite"])
class TestATableThatIsReplaced:
    def test_alone_is_gone(self, tmp_path, ending):
        path = tmp_path / f"public.{ending}"
        put(path, persons())
        path.chmod(0o640)
        assert found(tmp_path) == N
        release().write(path, table="released", force=True)
        assert found(tmp_path) == 0
        assert names(tmp_path) == [path.name]
        assert path.stat().st_mode & 0o777 == 0o640
        assert Table(path, table="released").read().table.num_rows == N

    def test_by_a_streamed_release_is_gone(self, tmp_path, ending):
        path, original = tmp_path / f"public.{ending}", tmp_path.parent / f"original-{ending}.csv"
        put(path, persons())
        covey.sources.write_table(persons(), original, force=True)
        covey.protect(
            *(original, 5), technique="iamat", identifiers=["id"], block_size=1000,
            out=path, into="released", force=True,
        )  # fmt: skip
        assert found(tmp_path) == 0
        assert names(tmp_path) == [path.name]

    def test_through_a_link(self, tmp_path, ending):
        path, link = tmp_path / f"real.{ending}", tmp_path / f"link.{ending}"
        put(path, persons())
        link.symlink_to(path.name)
        release().write(link, table="released", force=True)
        assert link.is_symlink()
        assert found(tmp_path) == 0

    def test_stays_when_the_transaction_is_dropped(self, tmp_path, ending):
        path = tmp_path / f"public.{ending}"
        put(path, persons())
        new = pa.table({"a": [1.0]})
        staged = Table(path, table="released").stage(new.schema, new.to_batches(), force=True)
        staged.drop()
        assert names(tmp_path) == [path.name]
        assert Table(path, table="released").read().table.num_rows == N

    def test_a_new_file_has_nothing_of_the_original(self, tmp_path, ending):
        """Nor has the room that is not used in it: what was read was in the same memory."""
        (tmp_path / "private").mkdir()
        (tmp_path / "public").mkdir()
        put(tmp_path / "private" / f"original.{ending}", persons(), "persons")
        made = covey.protect(
            str(tmp_path / "private" / f"original.{ending}"),
            table="persons",
            k=5,
            technique="iamat",
            identifiers=["id"],
        )
        made.write(tmp_path / "public" / f"new.{ending}", table="released")
        assert found(tmp_path / "public") == 0
        assert found(tmp_path / "private") == N


# -- DuckDB ----------------------------------------------------------------------------------

OTHERS = [
    "create table other (a integer)",
    "create view other as select 1 as a",
    "create macro other() as 1",
    "create sequence other",
    "create type other as enum ('a')",
    "create schema other",
]


@pytest.mark.parametrize("other", OTHERS)
def test_what_duckdb_keeps_is_said_with_what_to_do(duckdb_file, monkeypatch, other):
    folder = duckdb_file.path.parent
    put(duckdb_file.path, persons())
    duckdb_file.run(other)
    with pytest.warns(DisclosureWarning, match="held stays in the bytes") as caught:
        release().write(duckdb_file.path, table="released", force=True)
    assert found(folder) == N, "else there is nothing to warn of"
    (said,) = [str(one.message) for one in caught]
    assert "PERSON" not in said
    monkeypatch.chdir(folder)
    _run(re.search("ATTACH.*", said)[0])
    duckdb_file.path.unlink()
    assert found(folder) == 0, "the advice works"
    assert Table(folder / "new.duckdb", table="released").read().table.num_rows == N


def _run(statements: str) -> None:
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(statements)


def test_a_warning_taken_for_an_error_changes_nothing(duckdb_file):
    duckdb_file.fill()
    put(duckdb_file.path, persons())
    with pytest.raises(DisclosureWarning):  # as this suite takes them
        release().write(duckdb_file.path, table="released", force=True)
    assert Table(duckdb_file.path, table="released").read().table["id"].to_pylist() == IDS


def test_a_new_table_beside_others_is_no_reason_to_warn(duckdb_file):
    duckdb_file.fill()
    release().write(duckdb_file.path, table="released")
    duckdb_file.run("create table empty (a integer)")
    put(duckdb_file.path, pa.table({"a": [1]}), "empty", force=True)


# -- SQLite ----------------------------------------------------------------------------------


def test_a_log_of_sqlite_is_emptied_and_used_again(sqlite_file):
    put(sqlite_file.path, persons())
    sqlite_file.fill()
    sqlite_file.run("pragma journal_mode = wal")
    release().write(sqlite_file.path, table="released", force=True)
    assert found(sqlite_file.path.parent) == 0
    assert names(sqlite_file.path.parent) == [sqlite_file.path.name]
    assert sqlite_file.rows("pragma journal_mode") == [("wal",)]
    assert sqlite_file.rows("select count(*) from persons") == [(120,)]


def test_a_log_that_another_program_holds_is_said(sqlite_file, monkeypatch):
    monkeypatch.setattr("covey.sources.databases.sqlite_tables.PATIENCE", 0.05)
    put(sqlite_file.path, persons())
    sqlite_file.run("pragma journal_mode = wal")
    with closing(sqlite3.connect(sqlite_file.path, isolation_level=None)) as other:
        other.execute("begin")
        other.execute("select count(*) from released").fetchall()
        with pytest.warns(DisclosureWarning, match=r"survey\.sqlite-wal until that program"):
            release().write(sqlite_file.path, table="released", force=True)
        other.execute("commit")
        assert other.execute("select count(*) from released").fetchall() == [(N,)]
    assert Table(sqlite_file.path, table="released").read().table.num_rows == N


# -- files -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["released.csv", "released.parquet"])
def test_a_file_that_is_replaced_is_gone(tmp_path, name):
    covey.sources.write_table(persons(), tmp_path / name)
    release().write(tmp_path / name, force=True)
    assert found(tmp_path) == 0
    assert names(tmp_path) == [name]
