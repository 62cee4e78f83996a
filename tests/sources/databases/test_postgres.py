"""PostgreSQL: a real server, 200,000 records, roles, lost connections and passwords."""

from __future__ import annotations

import sys
import threading
import time
from decimal import Decimal

import pyarrow as pa
import pytest

import covey
from covey.cli.reading import original_files
from covey.errors import CoveyError, InvalidParameter, MissingExtra, SchemaError
from covey.pipeline.chunks import CHUNK
from covey.pipeline.parquet_folder import ParquetFolder
from covey.sources import DatabaseProblem, Table, open_target, read_file
from covey.sources.databases.addresses import require_no_secret
from covey.sources.databases.postgres_errors import reason
from covey.sources.databases.postgres_tables import PostgresSession

from ..wire import Wire
from .servers import SECRET, Server

PERSONS = """
create table "Personen 2024" as select i as id,
    (20 + i * 7919 % 60)::smallint as age,
    case when i % 7 = 0 then null else (i::bigint * 104729) % 1000003 end as "Vermögen",
    (((i::bigint * 15485863) % 10000019) / 100.0)::numeric(12, 2) as income,
    case when i % 11 = 0 then null else sqrt(i) end as score,
    'Süd-' || (i % 8) as region,
    case when i % 13 = 0 then null else i % 3 = 0 end as member,
    date '1950-01-01' + (i * 31 % 20000) as born,
    timestamp '2020-01-01' + (i * 37 % 10000019) * interval '1 second' as seen
from generate_series(1, 200000) as i
"""


def test_two_hundred_thousand_records(postgres):
    postgres.run(PERSONS, 'alter table "Personen 2024" add primary key (id)')
    release = covey.protect(
        postgres.address,
        table="Personen 2024",
        technique="mdav",
        k=5,
        identifiers=["id"],
        strata=["region"],
        keep=["member"],
        integers=["age", "Vermögen"],
    )
    release.write(postgres.address, table='x"; drop table persons; --')
    (least, n), *_ = postgres.rows(
        "select min(size), sum(size)::bigint from (select count(*) as size from "
        '"x""; drop table persons; --" '
        'group by age, "Vermögen", income, score, region, born, seen) as classes'
    )
    assert least >= 5
    assert n == 200_000
    types = dict(
        postgres.rows(
            "select column_name, data_type from information_schema.columns "
            "where table_name like 'x\"%'"
        )
    )
    assert types == {
        "age": "smallint",
        "Vermögen": "bigint",
        "income": "double precision",
        "score": "double precision",
        "region": "text",
        "member": "boolean",
        "born": "date",
        "seen": "timestamp without time zone",
    }


# -- a connection that is lost ---------------------------------------------------------------


def test_the_first_records_come_alone(postgres):
    """Whoever looks at the first records of a large table does not wait for all of them."""
    postgres.run(PERSONS)
    table = "Personen 2024"
    with Wire(postgres.server.port) as wire:
        far = Server(wire.port).address(postgres.database)
        with Table(far, table=table).records() as records:
            before = wire.received
            first = pa.Table.from_batches(records.scan(500, 1000))
            travelled = wire.received - before
            assert first.equals(pa.Table.from_batches(records.scan(65_536)).slice(0, 1000))
            assert wire.received - before > 100 * travelled
    assert first.num_rows == 1000


def test_a_run_by_batches_looks_at_its_first_records_alone(postgres, tmp_path, monkeypatch):
    postgres.run(PERSONS)
    asked = []
    scan = PostgresSession.scan

    def noted(session, sql, schema, size):
        asked.append(sql.rpartition(" nulls last")[2])
        return scan(session, sql, schema, size)

    monkeypatch.setattr(PostgresSession, "scan", noted)
    covey.protect(
        postgres.address,
        table="Personen 2024",
        technique="mdav",
        k=5,
        identifiers=["id"],
        out=tmp_path / "released.parquet",
        memory_limit="1GB",
    )
    assert asked[0] == f" limit {CHUNK}"
    assert set(asked[1:]) == {""}


def test_a_connection_killed_midway_leaves_the_old_table(postgres):
    postgres.run("create table released (a bigint)", "insert into released values (7)")
    table = pa.table({"a": list(range(200_000))})

    def cut_off():
        for i, batch in enumerate(table.to_batches(10_000)):
            if i == 10:
                postgres.run(
                    "select pg_terminate_backend(pid) from pg_stat_activity "
                    "where pid <> pg_backend_pid() and datname = current_database()"
                )
            yield batch

    with pytest.raises(DatabaseProblem, match="Nothing was changed"):
        Table(postgres.address, table="released").write(table.schema, cut_off(), force=True)
    assert postgres.rows("select * from released") == [(7,)]


def test_a_connection_lost_before_the_last_step(postgres):
    table = pa.table({"a": [1, 2, 3]})
    staged = Table(postgres.address, table="released").stage(
        table.schema, table.to_batches(), force=False
    )
    postgres.run(
        "select pg_terminate_backend(pid) from pg_stat_activity "
        "where pid <> pg_backend_pid() and datname = current_database()"
    )
    with pytest.raises(DatabaseProblem, match="look whether the table"):
        staged.keep()
    staged.drop()
    assert postgres.rows("select 1 from pg_class where relname = 'released'") == []


# -- roles and passwords ---------------------------------------------------------------------


def test_a_role_with_the_least_privileges(postgres):
    postgres.fill()
    address = postgres.role(
        "create schema public_use",
        "grant select on persons to {role}",
        "grant usage, create on schema public_use to {role}",
    )
    release = covey.protect(address, table="persons", k=3, identifiers=["id"])
    release.write(address, table="public_use.released")
    release.write(address, table="public_use.released", force=True)
    with pytest.raises(DatabaseProblem, match="must not make tables in the schema 'public'"):
        release.write(address, table="public.released")
    assert postgres.rows("select count(*) from public_use.released") == [(120,)]


def test_a_role_without_select(postgres):
    postgres.fill()
    address = postgres.role()
    with pytest.raises(DatabaseProblem, match=r"no permission\. It needs SELECT"):
        Table(address, table="persons").read()


def test_a_table_of_somebody_else_is_not_replaced(postgres):
    postgres.fill()
    postgres.run("create schema stats", "create table stats.released (a integer)")
    address = postgres.role(
        "grant select on persons to {role}",
        "grant usage, create on schema stats to {role}",
    )
    release = covey.protect(address, table="persons", k=3, identifiers=["id"])
    with pytest.raises(DatabaseProblem, match="replaced by its owner only"):
        release.write(address, table="stats.released", force=True)


def test_a_wrong_password_is_not_shown(postgres, monkeypatch):
    address = postgres.role()
    monkeypatch.setenv("PGPASSWORD", "wrong-and-secret")
    with pytest.raises(DatabaseProblem, match="the password was refused") as caught:
        Table(address, table="persons").read()
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://me:hush@localhost/survey",
        "postgresql://me:hu@sh@localhost/survey",
        "postgres://localhost/survey?user=me&password=hush",
        "postgresql://localhost/survey?sslpassword=hush",
        "postgresql://me:hush",
        "postgresql:me:hush@localhost",
        "postgresql://me:123#hush@localhost/survey",
        "postgresql://me:123?hush@localhost/survey",
        "postgresql://me:123/hush@localhost/survey",
        "postgresql://me:123%3Ahush@localhost/survey",
        "postgresql://me%3Ahush@localhost/survey",
        "postgresql://localhost/survey#?password=hush",
        "postgresql://localhost/survey?a=b&pass%77ord=hush",
        "postgresql://localhost/survey?a=b?password=hush",
        "postgresql://localhost:hush/survey",
        " postgresql://me:hush@localhost/survey",
        "postgresql://me:hush\t@localhost/survey",
        "POSTGRESQL://me:hush@localhost/survey",
        "postgresql+psycopg2://me:hush@localhost/survey",
        "jdbc:postgresql://localhost/survey?user=me&password=hush",
        "mysql://me:hush@localhost/survey",
        "mssql+pyodbc://me:hush@localhost/survey",
        "pg://me:hush@localhost/x.duckdb",
        "host=localhost password=hush",
        "host=localhost PassWord = hush",
        "me:hush@localhost/survey",
        "me:hu/hush@localhost/x.sqlite",
    ],
)
def test_a_password_in_the_address_is_refused_and_not_shown(address):
    with pytest.raises(InvalidParameter, match=r"without a password|must not hold a password") as e:
        Table(address, table="persons")
    assert "hush" not in str(e.value)
    assert "sh@" not in str(e.value)
    for used in (read_file, open_target, ParquetFolder, covey.protect, original_files):
        with pytest.raises(InvalidParameter, match="a password") as e:
            used(address)
        assert "hush" not in str(e.value)


@pytest.mark.parametrize(
    "address",
    [
        "postgresql:///survey",
        "postgresql://",
        "postgresql:///?service=survey",
        "postgresql://me@localhost:5432,other:5433/survey?application_name=a%40b",
        "postgres://me%40firm@[::1]:5432/sur%2Fvey?sslmode=require&passfile=/home/me/.pgpass",
        "postgresql:///survey?host=/var/run/postgresql",
    ],
)
def test_addresses_without_a_password(address):
    require_no_secret(address)


@pytest.mark.parametrize(
    "place", ["C:/data/me@firm/a.csv", "a/b:c@d.csv", ":memory:", "../12:30.csv", "me@firm.csv"]
)
def test_names_of_files_are_no_passwords(place):
    require_no_secret(place)


def test_a_file_that_is_there_may_have_any_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "password=me:you@home.csv").write_text("a\n1\n")
    assert read_file("password=me:you@home.csv").table.num_rows == 1


def test_a_password_file(postgres, monkeypatch, tmp_path):
    postgres.fill()
    address = postgres.role("grant select on persons to {role}")
    monkeypatch.delenv("PGPASSWORD")
    with pytest.raises(DatabaseProblem, match="password"):
        Table(address, table="persons").read()
    secrets = tmp_path / "pgpass"
    secrets.write_text(f"*:*:*:*:{SECRET}\n")
    secrets.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(secrets))
    release = covey.protect(address, table="persons", k=3, identifiers=["id"])
    assert SECRET not in release.settings.to_toml() + release.script()


def test_a_service_file(postgres, monkeypatch, tmp_path):
    postgres.fill()
    postgres.role("grant select on persons to {role}")
    monkeypatch.delenv("PGPASSWORD")
    services = tmp_path / "services.conf"
    services.write_text(
        f"[survey]\nhost=127.0.0.1\nport={postgres.server.port}\n"
        f"user=steward_{postgres.database}\n"
        f"dbname={postgres.database}\npassword={SECRET}\n"
    )
    monkeypatch.setenv("PGSERVICEFILE", str(services))
    source = Table("postgresql:///?service=survey", table="persons")
    assert source.read().table.num_rows == 120
    assert source.name == "persons in a PostgreSQL database"


def test_a_server_that_is_not_there():
    pytest.importorskip("adbc_driver_postgresql", reason="needs covey[postgres]")
    with pytest.raises(DatabaseProblem, match=r"no connection: .*refused"):
        Table("postgresql://me@127.0.0.1:1/survey", table="persons").read()


def test_a_database_that_is_not_there(postgres):
    address = postgres.server.address("nowhere")
    with pytest.raises(DatabaseProblem, match='database "nowhere" does not exist'):
        Table(address, table="persons").read()


def test_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "adbc_driver_postgresql.dbapi", None)
    with pytest.raises(MissingExtra, match=r"covey\[postgres\]"):
        Table("postgresql://me@localhost/survey", table="persons")


# -- types -----------------------------------------------------------------------------------


def test_types_that_are_read(postgres):
    postgres.run("create type mood as enum ('sad', 'happy')")
    postgres.run(
        "create table odd (n numeric, w numeric(10, 3), u uuid, j jsonb, m mood, c char(3), "
        "t time, z timestamptz, r real)"
    )
    postgres.run(
        "insert into odd values (1.25, 2.5, '00000000-0000-0000-0000-000000000001', '{\"a\": 1}', "
        "'happy', 'ab', '10:30', '2020-01-01 00:00+00', 0.5), "
        "('NaN', 'NaN', null, null, 'sad', null, null, null, null), "
        "(123456, -1, null, null, null, 'c', null, null, null)"
    )
    table = Table(postgres.address, table="odd", order_by=["w"]).read().table
    assert table.schema.field("n").type == pa.decimal128(8, 2)
    assert table["n"].to_pylist() == [Decimal(123456), Decimal("1.25"), None]
    assert table.schema.field("w").type == pa.decimal128(10, 3)
    assert table["m"].to_pylist() == [None, "happy", "sad"]
    assert table["j"].to_pylist()[1] == '{"a": 1}'
    assert table.schema.field("z").type == pa.timestamp("us", "UTC")


def test_numbers_beyond_decimals_are_floats(postgres):
    postgres.run("create table wide (n numeric)", "insert into wide values (1e40), (1e-30)")
    assert Table(postgres.address, table="wide").read().table["n"].to_pylist() == [1e-30, 1e40]


def test_comments_and_lengths_survive(postgres):
    postgres.fill()
    postgres.run(
        "comment on column persons.age is 'Age in years, it''s known'",
        'comment on column persons."Größe ""cm""" is \'Größe\'',
    )
    release = covey.protect(
        postgres.address, table="persons", k=3, identifiers=["id"], strata=["region"]
    )
    release.write(postgres.address, table="released")
    found = postgres.rows(
        "select attname, col_description(attrelid, attnum), format_type(atttypid, atttypmod) "
        "from pg_attribute where attrelid = 'released'::regclass and attnum > 0 order by attnum"
    )
    assert found[0][:2] == ("age", "Age in years, it's known")
    assert found[1][:2] == ('Größe "cm"', "Größe")
    assert ("region", None, "character varying(20)") in found


def test_merged_strata_may_be_longer_than_their_column(postgres):
    postgres.run("create table few (a integer, region varchar(4))")
    postgres.run("insert into few values (1, 'East'), (2, 'West'), (3, 'East'), (4, 'West')")
    release = covey.protect(
        postgres.address, table="few", k=3, strata=["region"], small_strata="merge"
    )
    release.write(postgres.address, table="released")
    assert postgres.rows("select distinct region from released") == [("East or West",)]


def test_a_table_of_another_schema(postgres):
    postgres.run('create schema "Stat.Amt"')
    postgres.fill(table='"Stat.Amt".persons')
    assert Table(postgres.address, table='"Stat.Amt".persons').read().table.num_rows == 120
    with pytest.raises(SchemaError, match=r"Did you mean 'Stat.Amt.persons'"):
        Table(postgres.address, table="Amt.persons").read()


def test_an_error_on_data_shows_no_data(postgres):
    postgres.fill()
    with pytest.raises(DatabaseProblem, match="could not be run on all records") as caught:
        Table(postgres.address, query="select region::integer as r from persons").read()
    assert "Süd" not in str(caught.value)


def test_a_table_that_others_depend_on(postgres):
    postgres.fill()
    postgres.run("create table released (a integer)", "create view v as select a from released")
    release = covey.protect(postgres.address, table="persons", k=3, identifiers=["id"])
    with pytest.raises(DatabaseProblem, match="depend on it"):
        release.write(postgres.address, table="released", force=True)


@pytest.mark.parametrize(
    "asked",
    [
        {"table": "persons"},
        {"query": "select * from listed()"},
        {"query": "select * from executed()"},
    ],
    ids=["table", "function", "procedure"],
)
def test_the_original_is_not_replaced_while_it_is_read(postgres, asked):
    """Without a word, the server would make the two sessions wait for each other."""
    postgres.fill()
    postgres.run(
        "create function listed() returns setof persons language sql as 'select * from persons'",
        "create function executed() returns setof persons language plpgsql as "
        "$$ begin return query execute 'select * from persons'; end $$",
        "alter function listed() stable",
    )
    source, target = Table(postgres.address, **asked), Table(postgres.address, table="persons")
    with source.records() as opened, pytest.raises(InvalidParameter, match="is read from"):
        target.stage(opened.schema, opened.scan(50), force=True, original=source)
    with pytest.raises(InvalidParameter, match="is read from"):
        target.stage(opened.schema, [], force=True, original=source)
    assert postgres.rows("select count(*) from persons") == [(120,)]


def test_a_table_that_somebody_uses_is_not_waited_for(postgres, monkeypatch):
    from adbc_driver_postgresql import dbapi

    monkeypatch.setattr("covey.sources.databases.postgres_tables.PATIENCE", 200)
    postgres.run("create table released (a integer)")
    table = pa.table({"a": [1]})
    with dbapi.connect(postgres.address) as link, link.cursor() as cursor:
        cursor.execute("select * from released")
        cursor.fetchall()
        with pytest.raises(DatabaseProblem, match="in use by somebody else"):
            Table(postgres.address, table="released").write(
                table.schema, table.to_batches(), force=True
            )


def test_a_full_disk_is_told():
    class Full(Exception):
        sqlstate = "53100"

    assert "disk" in reason(Full("ERROR: could not extend file"))


@pytest.mark.parametrize("value", ["infinity", "-infinity", "0044-03-15 BC", "12000-01-01"])
def test_dates_that_cannot_be_held(postgres, value):
    postgres.run("create table t (a integer, until timestamp)")
    postgres.run(f"insert into t values (1, '2020-01-01'), (2, '{value}')")
    with pytest.raises(SchemaError, match=r"'until' holds 1 date\(s\) outside the years"):
        Table(postgres.address, table="t").read()
    assert Table(postgres.address, query="select a from t").read().table.num_rows == 2


def test_of_two_runs_at_once_one_is_refused(postgres):
    """Both find the place free; the second waits for the first, and is then told that it exists."""
    table = pa.table({"who": [1]})
    target = Table(postgres.address, table="released")
    first = target.stage(table.schema, table.to_batches(), force=False)
    said = []

    def second() -> None:
        try:
            target.write(table.schema, table.to_batches())
        except CoveyError as error:
            said.append(str(error))

    other = threading.Thread(target=second)
    other.start()
    waits = "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
    while other.is_alive() and postgres.rows(waits) == [(0,)]:
        time.sleep(0.02)
    first.keep()
    other.join(timeout=30)
    assert len(said) == 1
    assert "exists already" in said[0]
    assert postgres.rows("select who from released") == [(1,)]
