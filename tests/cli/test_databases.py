"""Commands on databases: a table in, a table out, nothing shown that should not be."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from covey.errors import install_command
from tests.sources.databases.places import N
from tests.sources.databases.servers import SECRET

from .running import covey, in_a_process, read_json, said

ROLES = ("--identifiers", "id", "--strata", "region", "--keep", "member")
KEYS = 'age, "Größe ""cm""", income, score, born, seen, region'


@pytest.fixture
def protect(place, folder):
    """Protect the table of persons."""

    def run(*arguments):
        return covey("protect", place.address, "--table", "persons", *ROLES, *arguments)

    return run


def test_from_a_table_into_a_table(place, protect):
    result = protect("--into", "released")
    assert result.code == 0, result.err
    assert "persons in" in said(result.out)
    assert "released in" in said(result.out)
    assert min(place.classes("released", KEYS)) >= 3
    assert place.rows("select count(*) from released") == [(N,)]


def test_from_a_query_into_a_file(place, folder):
    query = "select age, income from persons where income is not null"
    result = covey("protect", place.address, "--query", query, "--out", "released.csv")
    assert result.code == 0, result.err
    assert "a query on" in said(result.out)
    assert len(Path("released.csv").read_text().splitlines()) == 1 + N - N // 7


def test_into_another_database(place, protect):
    result = protect("--out", "new.duckdb", "--into", "released")
    assert result.code == 0, result.err
    again = protect("--out", "new.duckdb", "--into", "released")
    assert again.code == 2
    assert "exists already in new.duckdb" in said(again.err)
    assert protect("--out", "new.duckdb", "--into", "released", "--force").code == 0


def test_reports_settings_and_script(place, protect, monkeypatch):
    pytest.importorskip("vl_convert")
    files = ("--internal", "in.html", "--external", "ex.html")
    saved = ("--save-config", "run.toml", "--save-script", "run.py")
    result = protect("--into", "released", *files, *saved)
    assert result.code == 0, result.err
    internal, external = read_json("in.json"), Path("ex.html").read_text("utf-8")
    names = [file["name"] for file in internal["provenance"]["files"]]
    assert names[0].startswith("persons in ")
    assert names[1].startswith("released in ")
    assert place.address not in external
    for file in Path().iterdir():
        assert SECRET.encode() not in file.read_bytes(), file
    checked = ("--released-table", "released", "--internal", "again.html")
    result = covey("report", place.address, "--config", "run.toml", *checked)
    assert result.code == 0, result.err
    assert "is what these settings make" in said(result.out)
    exec(Path("run.py").read_text("utf-8").replace("'released'", "'second'"), {})
    assert place.rows("select count(*) from second") == [(N,)]


def test_a_changed_release_is_noticed(place, protect):
    assert protect("--into", "released", "--save-config", "run.toml").code == 0
    place.run("update released set score = score + 1")
    checked = ("--released-table", "released", "--internal", "again.html")
    result = covey("report", place.address, "--config", "run.toml", *checked)
    assert result.code == 2
    assert "is not the release that these settings make" in said(result.err)


def test_nothing_is_written_when_a_file_cannot_be(place, protect):
    Path("run.toml").write_text("mine")
    result = protect("--into", "released", "--save-config", "run.toml")
    assert result.code == 2
    tables = covey("inspect", place.address, "--table", "released")
    assert tables.code == 2
    assert "There is no table" in said(tables.err)


def test_an_existing_table(place, protect):
    place.run("create table released (a integer)")
    result = protect("--into", "released")
    assert result.code == 2
    assert "exists already" in said(result.err)
    assert protect("--into", "released", "--force").code == 0


def test_the_original_is_never_replaced(place, protect):
    result = protect("--into", "persons", "--force")
    assert result.code == 2
    assert "is read from the table" in said(result.err)
    assert place.rows("select count(*) from persons") == [(N,)]


def test_the_other_commands(place, folder):
    asked = ("--table", "persons")
    inspected = covey("inspect", place.address, *asked, "--save-config", "run.toml")
    assert inspected.code == 0, inspected.err
    assert f"{N} records, 9 columns" in said(inspected.out)
    assert 'table = "persons"' in Path("run.toml").read_text("utf-8")
    compared = covey("compare", place.address, *asked, *ROLES, "--k", "3", "--techniques", "mdav")
    assert compared.code == 0, compared.err
    tuned = covey(
        "tune", place.address, *asked, *ROLES, "--k", "5", "--techniques", "mdav",
        "--max-risk", "100", "--driving", "",
    )  # fmt: skip
    assert tuned.code == 0, tuned.err
    pair = (place.address, place.address, *asked, "--released-table", "persons", "--id", "id")
    measured = covey("measure", *pair)
    assert measured.code == 0, measured.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--table", "person", "--into", "r"), "Did you mean 'persons'?"),
        (("--into", "r"), "has these tables: 'persons'. Say which"),
        (("--table", "persons"), "Say where the release goes"),
        (("--query", "delete from persons", "--into", "r"), "A query only reads"),
        (("--query", "select age, age from persons", "--into", "r"), "more than one column named"),
        (("--table", "persons", "--query", "select 1", "--into", "r"), "not both"),
        (("--table", "persons", "--order-by", "agee", "--into", "r"), "Did you mean 'age'?"),
        (("--table", "persons", "--out", "r.csv", "--into", "r"), "--into is for databases"),
        (("--table", "persons", "--into", ""), "no name of a table"),
    ],
)
def test_mistakes(place, folder, arguments, message):
    result = covey("protect", place.address, *arguments)
    assert result.code == 2
    assert message in said(result.err)
    assert "Traceback" not in result.err


def test_a_file_that_is_not_there(folder):
    result = covey("protect", "nowhere.duckdb", "--table", "persons", "--into", "released")
    assert result.code == 2
    assert "There is no database nowhere.duckdb" in said(result.err)
    assert list(folder.iterdir()) == []


def test_parts_of_a_file(folder):
    for i in range(3):
        rows = "\n".join(f"{10 * i + j},{j}" for j in range(10))
        Path(f"part{i}.csv").write_text(f"a,b\n{rows}\n")
    result = covey("protect", "part*.csv", "--out", "released.csv")
    assert result.code == 0, result.err
    assert "3 files were read" in said(result.out)


@pytest.mark.parametrize("command", ["protect", "inspect", "compare"])
def test_a_password_in_the_address(folder, command):
    more = ("--into", "released") if command == "protect" else ()
    address = "postgresql://me:hush@127.0.0.1:1/survey"
    result = covey(command, address, "--table", "persons", *more)
    assert result.code == 2
    assert "PGPASSWORD" in result.err
    assert "hush" not in result.out + result.err


def test_a_wrong_password(postgres, folder, monkeypatch):
    address = postgres.role()
    monkeypatch.setenv("PGPASSWORD", "wrong-and-secret")
    asked = ("protect", address, "--table", "persons", "--into", "released")
    result = in_a_process(*asked)
    assert result.code == 2
    assert "the password was refused" in said(result.err)
    assert "secret" not in result.out + result.err
    assert "Traceback" not in result.err


def test_the_extra_is_named(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "adbc_driver_postgresql.dbapi", None)
    result = covey("inspect", "postgresql://me@127.0.0.1:1/survey", "--table", "persons")
    assert result.code == 2
    assert install_command("postgres") in result.err
