"""What pages take for granted: files that a reader has, and what has to be installed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from covey import datasets
from covey.sources import write_table
from tests.conftest import NEEDS_DATA


def provide(names: list[str]) -> None:
    """Put the files into the current folder, or skip what cannot be run here."""
    for name in names:
        FILES[name]()


def _survey(name: str, n: int = 160) -> Callable[[], None]:
    return lambda: write_table(datasets.make_survey(n, 1, missing=0.03), name)


def _needs_data() -> None:
    if not os.environ.get("COVEY_DATA"):
        pytest.skip(NEEDS_DATA)


def _census() -> None:
    _needs_data()
    write_table(datasets.load_census(), "census.csv")


def _semicolons() -> None:
    """A file as a spreadsheet in Vienna writes it."""
    rows = ["name;age;income", *(f"P{i};{20 + i % 50};{1000 + i},5" for i in range(60))]
    Path("survey.csv").write_text("\n".join(rows), "cp1250")


FILES: dict[str, Callable[[], None]] = {
    "survey.csv": _survey("survey.csv"),
    "survey.parquet": _survey("survey.parquet"),
    "census.csv": _census,
    "benchmark files": _needs_data,
    "a CSV file with semicolons": _semicolons,
    "PostgreSQL": lambda: None,  # the fixture of the same name
}
