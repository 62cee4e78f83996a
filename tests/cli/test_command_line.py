"""The command as a user runs it: real processes, real files, exit codes."""

from __future__ import annotations

import json
import subprocess
import sys

import pandas as pd
import pytest
from pyarrow import csv

from covey.cli.exits import exit_code
from covey.datasets import make_survey
from covey.errors import CoveyError, GuaranteeViolated, Infeasible
from covey.techniques import available


def covey(*arguments: object, cwd=None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from covey.cli.main import run; run()", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        check=False,
    )


@pytest.fixture
def survey(tmp_path):
    path = tmp_path / "survey.csv"
    csv.write_csv(make_survey(120, 1), path)
    return path


NUMBERS = "age,hours,wage_income,gross_income,income_tax,net_income"


def protect(survey, out, *arguments: object) -> subprocess.CompletedProcess[str]:
    return covey("protect", survey, "--out", out, "--quasi-identifiers", NUMBERS, *arguments)


def test_protect(survey, tmp_path):
    out = tmp_path / "released.csv"
    result = covey(
        "protect", survey, "--k", 5, "--technique", "mdav", "--out", out,
        "--identifiers", "person_id", "--quasi-identifiers", NUMBERS,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert "5 asked for" in result.stdout
    assert "MDAV, guarantee: joint" in result.stdout
    assert "identifier: person_id" in result.stdout
    released = pd.read_csv(out)
    assert ",".join(released.columns) == NUMBERS
    assert len(released) == 120
    assert released.groupby(list(released.columns)).size().min() >= 5
    assert not list(tmp_path.glob(".*")), "no temporary file is left"


def test_same_command_same_bytes(survey, tmp_path):
    for name in ("one.csv", "two.csv"):
        assert protect(survey, tmp_path / name, "--technique", "rgmat").returncode == 0
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()


def test_keep_order_warns(survey, tmp_path):
    result = protect(survey, tmp_path / "r.csv", "--keep-order")
    assert result.returncode == 0
    assert "Warning: The order of the rows is released too" in result.stderr


def test_per_block_warns(survey, tmp_path):
    result = protect(survey, tmp_path / "r.csv", "--technique", "individualranking")
    assert result.returncode == 0
    assert "whole released records may be unique" in result.stderr
    assert "guarantee: per block" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--quasi-identifiers", "age,incom_tax"], 2, "Did you mean 'income_tax'"),
        (["--quasi-identifiers", NUMBERS, "--k", 500], 3, "120 record"),
        (["--quasi-identifiers", NUMBERS, "--k", 1], 2, "k must be a whole number of at least 2"),
        (["--quasi-identifiers", NUMBERS, "--k", "two"], 2, "--k"),
        (["--quasi-identifiers", NUMBERS, "--technique", "imat"], 2, "Did you mean 'iamat'"),
        ([], 2, "Not numeric: 'person_id'"),
    ],
)
def test_mistakes(survey, tmp_path, arguments, code, message):
    result = covey("protect", survey, "--out", tmp_path / "r.csv", *arguments)
    assert result.returncode == code
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["survey.csv"]


def test_missing_and_empty_files(tmp_path):
    (tmp_path / "empty.csv").write_text("")
    for name, message in (("none.csv", "There is no file"), ("empty.csv", "it is empty")):
        result = covey("protect", tmp_path / name, "--out", tmp_path / "r.csv")
        assert result.returncode == 2
        assert message in result.stderr


def test_missing_values_are_named(tmp_path):
    (tmp_path / "gaps.csv").write_text("age,income\n1,2\n3,\n5,6\n7,8\n")
    result = covey("protect", tmp_path / "gaps.csv", "--out", tmp_path / "r.csv")
    assert result.returncode == 2
    assert "missing values (NaN) in: columns income (1)" in result.stderr


def test_no_overwriting(survey, tmp_path):
    arguments = ["protect", survey, "--quasi-identifiers", NUMBERS]
    before = survey.read_bytes()
    result = covey(*arguments, "--out", survey, "--force")
    assert result.returncode == 2
    assert "is the original file" in result.stderr
    assert survey.read_bytes() == before
    (tmp_path / "old.csv").write_text("old")
    assert "--force" in covey(*arguments, "--out", tmp_path / "old.csv").stderr
    assert (tmp_path / "old.csv").read_text() == "old"
    assert covey(*arguments, "--out", tmp_path / "old.csv", "--force").returncode == 0


def test_techniques():
    shown = covey("techniques").stdout
    assert all(info.name in shown for info in available())
    listed = json.loads(covey("techniques", "--json").stdout)
    assert [entry["name"] for entry in listed] == [info.name for info in available()]


def test_help_and_version():
    assert "protect" in covey("--help").stdout
    assert covey("--version").stdout.startswith("covey ")


def test_exit_codes():
    assert exit_code(GuaranteeViolated()) == 4
    assert exit_code(Infeasible()) == 3
    assert exit_code(CoveyError()) == 2
