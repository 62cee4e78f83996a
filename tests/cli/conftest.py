"""A small survey as a file, as a data protector has it."""

from __future__ import annotations

import shutil

import pytest
from pyarrow import csv

from covey.datasets import make_survey

from .running import covey

NUMBERS = "age,hours,wage_income,gross_income,income_tax,net_income"
ROLES = ("--identifiers", "person_id", "--strata", "region", "--weight", "weight")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder in which commands are run."""
    place = tmp_path / "work"
    place.mkdir()
    monkeypatch.chdir(place)
    return place


@pytest.fixture(scope="session")
def survey_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("survey") / "survey.csv"
    csv.write_csv(make_survey(120, 1, missing=0.05), path)
    return path


@pytest.fixture
def survey(survey_file, folder):
    """survey.csv in the folder: 120 persons, 5 % of the values missing."""
    return shutil.copy(survey_file, folder / "survey.csv")


@pytest.fixture
def protect(survey):
    """Protect the numbers of the survey and write released.csv."""

    def run(*arguments, out="released.csv"):
        names = ("--quasi-identifiers", NUMBERS, "--identifiers", "person_id")
        return covey("protect", survey, "--out", out, *names, *arguments)

    return run


@pytest.fixture
def left(folder):
    """Names of the files that a command left beside the survey."""
    return lambda: sorted(path.name for path in folder.iterdir() if path.name != "survey.csv")
