"""`--refresh` writes what is printed into the pages, in place of what they show."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--refresh", action="store_true", help="write what the blocks of the pages print into them"
    )


@pytest.fixture
def refresh(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--refresh", default=False))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The empty folder in which a page is followed, on a terminal of eighty columns."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERMINAL_WIDTH", "80")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    return tmp_path
