"""The same tests for every database: what comes in, what goes out, what is refused."""

from __future__ import annotations

import datetime as dt
import pickle
import warnings

import pyarrow as pa
import pytest

import covey
from covey.errors import CoveyError, DisclosureWarning, InvalidParameter, SchemaError
from covey.sources import DatabaseProblem, Reading, Table, open_source

from .places import NAMES, SIZE, N, Place, records

# DuckDB keeps the bytes of what is replaced, and Covey says so: test_remains.py.
stays = pytest.mark.filterwarnings("ignore:What the table .* held stays")

MALICIOUS = 'x"; drop table persons; --'
ROLES = {
    "identifiers": ["id"],
    "quasi_identifiers": ["age", SIZE, "income", "score", "born", "seen"],
    "strata": ["region"],
    "keep": ["member"],
}
KEYS = f'age, "{SIZE}", income, score, born, seen, region'.replace('e "cm"', 'e ""cm""')


def read(place: Place, **asked) -> pa.Table:
    return Table(place.address, **asked).read().table


def release_of(place: Place, **asked) -> covey.release.Release:
    return covey.protect(place.address, k=3, **({"table": "persons"} | asked), **ROLES)


# -- reading ---------------------------------------------------------------------------------


def test_what_is_read(place):
    table = read(place, table="persons")
    assert table.column_names == NAMES
    assert table["id"].to_pylist() == list(range(1, N + 1))
    expected = list(zip(*records(), strict=True))
    for name in ("age", SIZE, "score", "region", "member"):
        assert table[name].to_pylist() == list(expected[NAMES.index(name)]), name
    income = [None if value is None else float(value) for value in table["income"].to_pylist()]
    assert income == list(expected[3])
    assert table["born"][0].as_py() == dt.date.fromisoformat(expected[7][0])
    assert table["seen"][0].as_py() == dt.datetime.fromisoformat(expected[8][0])


def test_schema_count_and_batches_come_without_reading_everything(place):
    with Table(place.address, table="persons").records() as opened:
        assert opened.n_records == N
        assert opened.schema.names == NAMES
        batches = list(opened.scan(50))
        again = list(opened.scan(50))
    assert max(batch.num_rows for batch in batches) <= 50
    assert sum(batch.num_rows for batch in batches) == N
    assert all(batch.schema.equals(opened.schema) for batch in batches)
    assert pa.Table.from_batches(batches).equals(pa.Table.from_batches(again))


@pytest.mark.parametrize("limit", [1, 7, 120, 500])
def test_the_first_records_are_those_of_all(place, limit):
    with Table(place.address, table="persons").records() as records:
        first = pa.Table.from_batches(records.scan(50, limit), schema=records.schema)
        everything = pa.Table.from_batches(records.scan(50), schema=records.schema)
    assert first.equals(everything.slice(0, limit))


def test_what_a_database_can_do(place):
    source = Table(place.address, table="persons")
    assert source.has_tables
    assert not source.has_own_bytes
    assert source.content_hash() is None
    assert "persons" in source.table_names()
    assert source.address in source.as_target
    assert source.ending is None


def test_errors_of_the_reader_stay_what_they_are(place):
    class Mine(OSError):
        pass

    def read_some() -> None:
        with Table(place.address, table="persons").records() as opened:
            next(iter(opened.scan(10)))
            raise Mine

    with pytest.raises(Mine):
        read_some()


def test_a_source_can_be_sent_to_another_process(place):
    source = Table(place.address, table="persons")
    table = source.read().table
    assert pickle.loads(pickle.dumps(source)).read().table.equals(table)


def test_a_query(place):
    table = read(place, query="select region, avg(age) as age from persons group by region;")
    assert sorted(table["region"].to_pylist()) == ["Süd-0", "Süd-1", "Süd-2"]


def test_a_query_may_end_in_a_comment(place):
    assert read(place, query="-- all\nselect id from persons -- of them").num_rows == N


def test_a_query_may_end_in_a_semicolon_and_a_comment(place):
    query = "select id, ';--' as a from persons; -- of them; 'all\n/* and no more; */ ;"
    table = read(place, query=query)
    assert table.num_rows == N
    assert set(table["a"].to_pylist()) == {";--"}


@pytest.mark.parametrize("name", ["covey_asked", "covey_batches", "asked"])
def test_no_name_is_taken(place, name):
    release_of(place).write(place.address, table=name)
    assert read(place, query=f"select * from {name}").num_rows == N


def test_order_by(place):
    table = read(place, table="persons", order_by=["region", "age"])
    pairs = list(zip(table["region"].to_pylist(), table["age"].to_pylist(), strict=True))
    assert pairs == sorted(pairs)


def test_without_a_key_all_columns_give_the_order(place):
    place.run("create table bag (b integer, a text)")
    place.run("insert into bag values (2, 'y'), (1, 'z'), (null, 'x'), (1, 'Ä'), (1, 'a')")
    contents = Table(place.address, table="bag").read()
    assert contents.table["b"].to_pylist() == [1, 1, 1, 2, None]
    assert contents.table["a"].to_pylist() == ["a", "z", "Ä", "y", "x"]
    assert contents.notes == ("Without a key, rows are ordered by all columns.",)


def test_a_view(place):
    place.run("create view adults as select id, age from persons where age > 40")
    assert min(read(place, table="adults")["age"].to_pylist()) > 40


# -- writing ---------------------------------------------------------------------------------


def test_the_release_is_k_anonymous_by_plain_sql(place):
    release = release_of(place)
    release.write(place.address, table="released")
    assert min(place.classes("released", KEYS)) >= 3
    assert place.rows("select count(*) from released") == [(N,)]
    found = read(place, table="released")
    assert found.column_names == NAMES[1:]
    assert "id" not in found.column_names
    assert "released in" in next(iter(release.provenance.outputs))


def test_whole_numbers_keep_their_type(place):
    release = release_of(place, integers=["age", SIZE])
    release.write(place.address, table="released")
    before, after = (read(place, table=name) for name in ("persons", "released"))
    for name in ("age", SIZE, "region", "member", "born", "seen"):
        assert after.schema.field(name).type == before.schema.field(name).type, name


def test_missing_values_survive(place):
    release = release_of(place)
    release.write(place.address, table="released")
    assert read(place, table="released")["member"].null_count == N // 13


def test_rows_do_not_stay_in_their_order(place):
    release_of(place).write(place.address, table="released")
    ages = [row[0] for row in place.rows("select age from released")]
    assert ages == sorted(ages)


@stays
def test_names_are_quoted(place):
    table = pa.table({'a"b; --': [1, 2], "größe %s ?": ["x", None]})
    target = Table(place.address, table=MALICIOUS)
    target.write(table.schema, table.to_batches())
    assert read(place, table=MALICIOUS).equals(table)
    assert place.rows("select count(*) from persons") == [(N,)]
    release = covey.protect(place.address, table=MALICIOUS, k=2, quasi_identifiers=['a"b; --'])
    with pytest.raises(InvalidParameter, match="is read from"):
        release.write(place.address, table=MALICIOUS, force=True)
    release.write(place.address, table="'; drop table persons; --")
    assert place.rows("select count(*) from persons") == [(N,)]


@stays
def test_an_existing_table_is_replaced_only_when_told(place):
    place.run("create table released (a integer)", "insert into released values (1)")
    release = release_of(place)
    with pytest.raises(InvalidParameter, match=r"exists already .*--force"):
        release.write(place.address, table="released")
    assert place.rows("select * from released") == [(1,)]
    release.write(place.address, table="released", force=True)
    assert place.rows("select count(*) from released") == [(N,)]


@pytest.mark.parametrize(
    "asked",
    [
        {"table": "persons"},
        {"table": "everybody"},
        {"table": None, "query": "select p.* from persons as p"},
    ],
    ids=["table", "view", "query"],
)
def test_the_original_is_never_replaced(place, asked):
    place.run("create view everybody as select * from persons")
    release = release_of(place, **asked)
    with pytest.raises(CoveyError, match=r"is read from|depend on it"):
        release.write(place.address, table="persons", force=True)
    assert place.rows("select count(*) from persons") == [(N,)]


@pytest.mark.parametrize(
    "asked",
    [
        {"table": "persons"},
        {"table": "everybody"},
        {"query": "select age from everybody as e where age < 0"},
    ],
    ids=["table", "view", "query"],
)
def test_the_original_is_refused_before_anything_is_read(place, asked):
    place.run("create view everybody as select * from persons as p")
    target, original = Table(place.address, table="persons"), Table(place.address, **asked)
    with pytest.raises(InvalidParameter, match="is read from"):
        target.check_target(force=True, original=original)
    place.run("create table other (a integer)")
    Table(place.address, table="other").check_target(force=True, original=original)


def test_a_view_is_no_target(place):
    place.run("create view released as select 1 as a")
    with pytest.raises(InvalidParameter, match="is a view"):
        release_of(place).write(place.address, table="released", force=True)


@stays
def test_what_fails_midway_leaves_the_old_table(place):
    place.run("create table released (a integer)", "insert into released values (7)")
    table = pa.table({"a": list(range(1000))})

    def broken():
        yield from table.to_batches(100)
        raise RuntimeError("broken")

    target = Table(place.address, table="released")
    with pytest.raises(RuntimeError, match="broken"):
        target.write(table.schema, broken(), force=True)
    assert place.rows("select * from released") == [(7,)]


@stays
def test_a_staged_table_can_be_dropped(place):
    place.run("create table released (a integer)", "insert into released values (7)")
    table = pa.table({"a": [1, 2, 3]})
    target = Table(place.address, table="released")
    staged = target.stage(table.schema, table.to_batches(), force=True)
    assert staged.read_back().num_rows == 3
    staged.drop()
    assert place.rows("select * from released") == [(7,)]


def _refuse(staged: object) -> None:
    raise RuntimeError("refused")


def test_files_and_table_appear_together(place, tmp_path, monkeypatch):
    """When a file cannot be placed, no table appears; when the table fails, no file does."""
    release = release_of(place)
    target = Table(place.address, table="released")
    (tmp_path / "there.txt").write_text("mine")

    def write_both(name: str) -> None:
        with release.together() as files:
            release.write_into(files, target)
            files.add(tmp_path / name, lambda temporary: None)

    with pytest.raises(InvalidParameter, match="exists already"):
        write_both("there.txt")
    with pytest.raises(SchemaError, match="released"):
        read(place, table="released")
    with monkeypatch.context() as patch:
        for staged in ("staging.StagedTable", "embedded.StagedInFile"):
            patch.setattr(f"covey.sources.databases.{staged}.keep", _refuse)
        with pytest.raises(RuntimeError, match="refused"):
            write_both("new.txt")
    assert not (tmp_path / "new.txt").exists()
    write_both("new.txt")
    assert (tmp_path / "new.txt").exists()
    assert read(place, table="released").num_rows == N


def test_the_guarantee_is_counted_in_the_table(place, monkeypatch):
    """What the database gives back is counted before anything can be seen."""
    release = release_of(place)

    def cut(written, table, keys, k):
        raise covey.errors.GuaranteeViolated("cut")

    monkeypatch.setattr("covey.release.release.require_same_classes", cut)
    with pytest.raises(covey.errors.GuaranteeViolated):
        release.write(place.address, table="released")
    with pytest.raises(SchemaError):
        read(place, table="released")


def test_settings_and_script_make_it_again(place, tmp_path, monkeypatch):
    release = release_of(place, order_by=["id"])
    release.settings.write(tmp_path / "run.toml")
    assert 'table = "persons"' in (tmp_path / "run.toml").read_text("utf-8")
    again = covey.protect(place.address, settings=tmp_path / "run.toml")
    assert again.table.equals(release.table)
    release.write(place.address, table="first")
    script = release.script().replace("'first'", "'second'")
    exec(script, {})
    assert read(place, table="second").equals(read(place, table="first"))


def test_inspect_compare_and_tune_read_databases_too(place):
    found = covey.inspect(place.address, table="persons")
    assert found.n_records == N
    assert found.settings().table == "persons"
    asked = {"table": "persons", **ROLES}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DisclosureWarning)
        comparison = covey.compare(place.address, [3], ["mdav"], **asked)
    assert comparison.best.achieved_k >= 3


# -- what is refused -------------------------------------------------------------------------


def test_no_such_table(place):
    with pytest.raises(SchemaError, match="Did you mean 'persons'"):
        read(place, table="person")


def test_no_table_said(place):
    with pytest.raises(InvalidParameter, match=r"these tables: 'persons'\. Say which"):
        read(place)


def test_table_and_query(place):
    with pytest.raises(InvalidParameter, match="not both"):
        read(place, table="persons", query="select 1")


@pytest.mark.parametrize(
    "query", ["delete from persons", "drop table persons", "  /* x */ update persons set age = 1"]
)
def test_a_query_that_does_not_read(place, query):
    with pytest.raises(InvalidParameter, match="A query only reads"):
        read(place, query=query)
    assert place.rows("select count(*) from persons") == [(N,)]


@pytest.mark.parametrize(
    "query",
    [
        "select * from persons; delete from persons",
        "select 1) as asked; delete from persons; --",
        "with gone as (delete from persons returning *) select * from gone",
    ],
)
def test_a_query_that_hides_a_change(place, query):
    with pytest.raises(DatabaseProblem):
        read(place, query=query)
    assert place.rows("select count(*) from persons") == [(N,)]


@pytest.mark.parametrize(
    "query",
    [
        "select * from postgres_scan('host=h password=hush', 'public', 'persons')",
        "select * from x('postgresql://me:hush@host/survey')",
        "select * from x('postgresql://me:hu/hush@host/survey')",
        "select * from x('host=h passwd=hush')",
        "select * from x('host=h PWD = hush')",
        "select * from x(password := 'hush')",
        "select * from x({'password': 'hush'})",
        "select * from x(s3_secret_access_key='hush')",
        "select * from 'https://files.example/a.parquet?sv=1&sig=hush'",
        "select * from 'https://files.example/a.parquet?X-Amz-Signature=hush'",
    ],
)
def test_a_query_with_a_password(place, query):
    with pytest.raises(InvalidParameter, match="seems to hold a password") as caught:
        read(place, query=query)
    assert "hush" not in str(caught.value)


@pytest.mark.parametrize("query", ["select 5 as sig where 1 = 1", "select 'x' as password"])
def test_a_query_without_a_password(place, query):
    assert read(place, query=query).num_rows == 1


def test_a_query_with_a_mistake(place):
    with pytest.raises(DatabaseProblem, match="could not be run"):
        read(place, query="select nonsense from persons")


def test_an_empty_table(place):
    place.run("create table nobody (a integer)")
    with pytest.raises(SchemaError, match=r"'(\w+\.)?nobody' has no records"):
        read(place, table="nobody")


def test_doubled_columns(place):
    with pytest.raises(SchemaError, match="more than one column named 'age'"):
        read(place, query="select age, age from persons")


def test_unknown_column_to_order_by(place):
    with pytest.raises(SchemaError, match="Did you mean 'age'"):
        read(place, table="persons", order_by=["agee"])


def test_an_encoding_is_for_files(place):
    with pytest.raises(InvalidParameter, match="is a database"):
        open_source(place.address, Reading(encoding="cp1252", table="persons"))


def test_no_table_to_write_into(place):
    with pytest.raises(InvalidParameter, match="Say which table"):
        release_of(place).write(place.address)


def test_a_schema_that_is_not_there(place):
    with pytest.raises(DatabaseProblem, match="schema"):
        release_of(place).write(place.address, table="nowhere.released")


def test_values_that_a_database_cannot_hold(place):
    table = pa.table({"a": pa.array([[1], [2]])})
    with pytest.raises(SchemaError, match=r"cannot hold the values of 'a'"):
        Table(place.address, table="lists").write(table.schema, table.to_batches())


def test_a_value_that_does_not_fit_is_refused_midway(place):
    """A batch that breaks the type of its column is named, not turned into a driver's error."""
    schema = pa.schema([pa.field("a", pa.uint64())])
    batches = [pa.record_batch([pa.array([1], pa.uint64())], schema=schema)]
    table = pa.schema([pa.field("a", pa.int64())])
    broken = [*batches, pa.record_batch([pa.array([2**63], pa.uint64())], schema=schema)]
    with pytest.raises(SchemaError, match="The values of 'a' do not fit"):
        Table(place.address, table="wide").write(table, iter(broken))
    with pytest.raises(SchemaError, match="wide"):
        read(place, table="wide")


@stays
def test_names_that_a_database_would_change(place):
    long = pa.table({"x" * 64: [1]})
    capitals = pa.table({"Age": [1], "age": [2]})
    for table in (long, capitals):
        target = Table(place.address, table="names")
        if (table is long) == (place.kind == "PostgreSQL"):
            with pytest.raises(SchemaError, match=r"63 bytes|capitals"):
                target.write(table.schema, table.to_batches(), force=True)
        else:
            target.write(table.schema, table.to_batches(), force=True)
            assert target.read().table.column_names == table.column_names
