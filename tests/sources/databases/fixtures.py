"""Fixtures: the databases, empty or with persons in them."""

from __future__ import annotations

from itertools import count

import pytest

from .places import DuckDB, Place, Postgres, SQLite
from .servers import ADMIN, NEEDS_SERVER, SECRET, programs, running

NUMBERS = count(1)


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
def postgres(server, monkeypatch) -> Postgres:
    """An empty database of its own on the server."""
    monkeypatch.setenv("PGPASSWORD", SECRET)
    made = Postgres(server, f"survey_{next(NUMBERS)}")
    made.run(f"create database {made.database} owner {ADMIN}", database="postgres")
    return made


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
