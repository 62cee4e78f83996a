"""Fixtures: the databases, empty or with persons in them."""

from __future__ import annotations

import pytest

from .places import DuckDB, Place, Postgres, SQLite
from .servers import NEEDS_SERVER, SECRET, programs, running


@pytest.fixture(scope="session")
def server():
    """A real server, started once."""
    pytest.importorskip("adbc_driver_postgresql", reason="needs covey[postgres]")
    place = programs()
    if place is None:
        pytest.skip(NEEDS_SERVER)
    with running(place) as started:
        yield started


@pytest.fixture
def postgres(server, monkeypatch):
    """A database on the server, which is emptied after the test."""
    monkeypatch.setenv("PGPASSWORD", SECRET)
    made = Postgres(server, "postgres")
    yield made
    monkeypatch.setenv("PGPASSWORD", SECRET)
    made.database = "postgres"
    made.empty()


@pytest.fixture
def duckdb_file(tmp_path) -> DuckDB:
    pytest.importorskip("duckdb")
    return DuckDB(tmp_path / "survey.duckdb")


@pytest.fixture
def sqlite_file(tmp_path) -> SQLite:
    return SQLite(tmp_path / "survey.sqlite")


@pytest.fixture(params=["duckdb_file", "sqlite_file", "postgres"])
def place(request) -> Place:
    """Every database in turn, with a table of persons."""
    made = request.getfixturevalue(request.param)
    made.fill()
    return made
