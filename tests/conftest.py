"""Shared fixtures: the benchmark files, and small tables to try techniques on."""

from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np
import pytest

from covey import datasets
from tests.attack.tally import pytest_terminal_summary
from tests.browsing import browser
from tests.sources.databases.fixtures import duckdb_file, place, postgres, server, sqlite_file

__all__ = ["browser", "duckdb_file", "place", "postgres", "server", "sqlite_file"]
__all__ += ["pytest_terminal_summary"]

NEEDS_DATA = "needs the benchmark files: set COVEY_DATA to the folder that holds them"


@pytest.fixture(scope="session", autouse=True)
def _one_terminal() -> Iterator[None]:
    """Eighty columns without colours, wherever the tests are started from."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "80")
        for name in ("TERMINAL_WIDTH", "FORCE_COLOR", "PY_COLORS", "GITHUB_ACTIONS", "NO_COLOR"):
            patch.delenv(name, raising=False)
        yield


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that would download something fails instead."""

    def refuse(*_args: object, **_kwargs: object) -> None:
        raise AssertionError("a test tried to download something")

    monkeypatch.setattr("urllib.request.urlopen", refuse)


@pytest.fixture(autouse=True)
def _short_searches(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches end soon, unless a test asks for what a user would get."""
    if "full_effort" not in request.keywords:
        monkeypatch.setattr("covey.refining.improving.DEFAULT_EFFORT", 50.0)


def _matrix(table: object) -> np.ndarray:
    return np.column_stack([column.to_numpy() for column in table.columns]).astype(float)


@pytest.fixture(scope="session")
def benchmark_files() -> None:
    """Skip, loudly, what needs benchmark files that are not here. No test downloads them."""
    if not os.environ.get("COVEY_DATA"):
        pytest.skip(NEEDS_DATA)


@pytest.fixture(scope="session")
def census(benchmark_files: None) -> np.ndarray:
    return _matrix(datasets.load_census())


@pytest.fixture(scope="session")
def tarragona(benchmark_files: None) -> np.ndarray:
    return _matrix(datasets.load_tarragona())


@pytest.fixture(scope="session")
def eia10(benchmark_files: None) -> np.ndarray:
    return _matrix(datasets.load_eia("eia10"))


@pytest.fixture(scope="session")
def eia11(benchmark_files: None) -> np.ndarray:
    return _matrix(datasets.load_eia("eia11"))


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20)
