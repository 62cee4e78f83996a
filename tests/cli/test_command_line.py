"""The command as a user runs it: real processes, real files, exit codes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pandas as pd
import pytest
from pyarrow import csv

from covey.cli.exits import exit_code
from covey.datasets import make_survey
from covey.errors import CoveyError, GuaranteeViolated, Infeasible
from covey.measures import evaluate
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


def test_parameters_of_the_technique(survey, tmp_path):
    good = protect(survey, tmp_path / "a.csv", "--technique", "vmdav", "--set", "gamma=1.1")
    assert good.returncode == 0
    plain = protect(survey, tmp_path / "b.csv", "--technique", "vmdav")
    assert good.stdout != plain.stdout
    typo = protect(survey, tmp_path / "c.csv", "--technique", "vmdav", "--set", "gama=1.1")
    assert typo.returncode == 2
    assert "Did you mean 'gamma'" in typo.stderr
    no_value = protect(survey, tmp_path / "c.csv", "--set", "gamma")
    assert "NAME=VALUE" in no_value.stderr
    wrong = protect(survey, tmp_path / "c.csv", "--technique", "vmdav", "--set", "gamma=high")
    assert "gamma must be a number" in wrong.stderr


def test_per_block_says_what_whole_records_have(survey, tmp_path):
    result = protect(survey, tmp_path / "r.csv", "--technique", "individualranking")
    assert "3 achieved in each block; whole records: 1" in result.stdout


@pytest.mark.parametrize("empty", ["", ",", " , "])
def test_an_empty_list_of_columns_releases_nothing(survey, tmp_path, empty):
    """As from an unset shell variable: it must not mean every column."""
    result = covey("protect", survey, "--out", tmp_path / "r.csv", "--quasi-identifiers", empty)
    assert result.returncode == 2
    assert "names no column" in result.stderr
    assert not (tmp_path / "r.csv").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"31,50000\n42,61000\n33,50500\n", "looks like data"),
        (b"age,income,\n1,2,3\n", "empty names"),
        (b"age,income\n", "no records"),
        (b"age;income\n1;2\n3;4\n", "separated by semicolons"),
        ("größe,b\n1,2\n".encode("latin-1"), "not in UTF-8"),
        (b"a,b\n1,2\n1,2,3\n", "line has 3 fields where the header has 2"),
        (b"age,income\n1,2\n3,many\n4,5\n6,7\n", "'income' (1 of 4 values are no numbers)"),
        (b"age,income\n1,\n3,\n4,\n", "'income' (empty)"),
        (b"age,account\n1,1152921504606846976\n3,1152921504606846977\n4,5\n", "like identifiers"),
    ],
)
def test_files_that_are_not_tables_of_numbers(tmp_path, content, message):
    (tmp_path / "in.csv").write_bytes(content)
    result = covey("protect", tmp_path / "in.csv", "--out", tmp_path / "r.csv", "--k", 2)
    assert result.returncode == 2, result.stderr
    assert message in result.stderr
    assert "many" not in result.stderr
    assert "1152921504606846976" not in result.stderr
    assert "50000" not in result.stderr
    assert not (tmp_path / "r.csv").exists()


def test_only_files_are_replaced(survey, tmp_path):
    assert "not a file" in protect(survey, "/dev/null", "--force").stderr
    assert "is not a file" in protect(survey, tmp_path, "--force").stderr
    assert "does not exist" in protect(survey, tmp_path / "none" / "r.csv").stderr
    assert "ending in .csv" in protect(survey, tmp_path / "r.xlsx").stderr


def test_a_link_keeps_pointing_to_the_release(survey, tmp_path):
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to(tmp_path / "real.csv")
    assert protect(survey, tmp_path / "link.csv", "--force").returncode == 0
    assert (tmp_path / "link.csv").is_symlink()
    assert len(pd.read_csv(tmp_path / "real.csv")) == 120


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_ends_a_long_run_and_writes_nothing(tmp_path):
    """EGMMAT on 30,000 records runs for a minute; a kernel cannot be interrupted."""
    csv.write_csv(make_survey(30_000).select(NUMBERS.split(",")), tmp_path / "in.csv")
    process = subprocess.Popen(
        [sys.executable, "-c", "from covey.cli.main import run; run()", "protect",
         str(tmp_path / "in.csv"), "--out", str(tmp_path / "r.csv"), "--technique", "egmmat"],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    time.sleep(12)
    assert process.poll() is None, "the run ended before it could be interrupted"
    process.send_signal(signal.SIGINT)
    sent = time.monotonic()
    _, errors = process.communicate(timeout=30)
    assert time.monotonic() - sent < 10
    assert process.returncode == 130
    assert "Cancelled; nothing was written." in errors
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


class TestMeasure:
    @pytest.fixture
    def pair(self, survey, tmp_path):
        out = tmp_path / "released.csv"
        assert protect(survey, out, "--keep-order", "--k", 4).returncode == 0
        return survey, out

    def test_files_of_any_tool(self, pair):
        result = covey("measure", *pair, "--keys", "age,gross_income")
        assert result.returncode == 0, result.stderr
        assert "information loss (IL)" in result.stdout
        assert "k achieved" in result.stdout
        assert "only in the original: person_id" in result.stdout

    def test_json_equals_python(self, pair):
        result = covey(
            "measure", *pair, "--keys", "age,gross_income", "--confidential", "sex", "--json"
        )
        found = json.loads(result.stdout)
        names = NUMBERS.split(",")
        original, released = (pd.read_csv(path) for path in pair)
        expected = evaluate(
            original[names], released[names], keys=["age", "gross_income"],
            confidential=original[["sex"]],
        )  # fmt: skip
        left_out = found.pop("left_out")
        assert left_out["person_id"] == "only in the original"
        expected = json.loads(expected.to_json())
        assert found.keys() == expected.keys()
        for part in ("il", "g_il", "record_linkage", "score", "l_diversity"):
            assert found[part] == expected[part]

    def test_join_on_an_identifier(self, pair, tmp_path):
        original, released = (pd.read_csv(path) for path in pair)
        released["person_id"] = original.person_id
        released.sample(frac=1, random_state=1).to_csv(tmp_path / "shuffled.csv", index=False)
        joined = covey("measure", pair[0], tmp_path / "shuffled.csv", "--id", "person_id", "--json")
        assert json.loads(joined.stdout)["il"] == pytest.approx(
            json.loads(covey("measure", *pair, "--json").stdout)["il"]
        )

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--keys", "agee"], "Did you mean 'age'"),
            (["--id", "person_id"], "In the release: There is no column 'person_id'"),
            (["--keys", "sex"], "'sex' cannot be a key: only in the original"),
            (["--keys", "age,age"], "each once"),
            (["--id", "age"], "does not tell all records of the original apart"),
            (["--confidential", "sx"], "Did you mean 'sex'"),
            (["--weight", "2"], "weight must be"),
        ],
    )
    def test_mistakes(self, pair, arguments, message):
        result = covey("measure", *pair, *arguments)
        assert result.returncode == 2
        assert message in result.stderr
        assert "Traceback" not in result.stderr

    def test_different_records(self, pair, tmp_path):
        pd.read_csv(pair[1]).iloc[:-1].to_csv(tmp_path / "short.csv", index=False)
        assert (
            "120 records and the release 119"
            in covey("measure", pair[0], tmp_path / "short.csv").stderr
        )
