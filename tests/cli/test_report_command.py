"""report: both reports of a release that was made before."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from .conftest import ROLES
from .running import covey, read_json, said


@pytest.fixture
def made(survey):
    """A release and its settings."""
    result = covey("protect", survey, "--out", "released.csv", "--k", 4, *ROLES,
                   "--rule", "net: gross_income - income_tax = net_income",
                   "--threshold", "record_linkage=50", "--save-config", "run.toml",
                   "--no-measures")  # fmt: skip
    assert result.code == 0, result.err
    return survey


BOTH = ("--internal", "internal.html", "--external", "external.html")


def test_both_reports(made, left):
    result = covey("report", made, "--config", "run.toml", "--released", "released.csv", *BOTH,
                   "--title", "Household survey", "--publisher", "Office")  # fmt: skip
    assert result.code == 0, result.err
    assert "released.csv is what these settings make" in said(result.out)
    assert left() == ["external.html", "external.json", "internal.html", "internal.json",
                      "released.csv", "run.toml"]  # fmt: skip
    inside = read_json("internal.json")
    assert inside["verdict"]["k_achieved"] == 4
    assert inside["edit_rules"][0]["violations_before"] == 0
    assert inside["title"] == read_json("external.json")["title"] == "Household survey"


def test_the_same_reports_as_protect_writes(made):
    once = covey("protect", made, "--config", "run.toml", "--out", "released.csv", *BOTH, "--force")
    assert once.code == 0, once.err
    first = read_json("internal.json"), Path("external.html").read_bytes()
    covey("report", made, "--config", "run.toml", "--released", "released.csv", *BOTH, "--force")
    second = read_json("internal.json"), Path("external.html").read_bytes()
    for report in (first[0], second[0]):
        del report["provenance"]  # it has the time
    assert first == second


def test_rows_in_the_original_order_are_the_same_release(made):
    covey("protect", made, "--config", "run.toml", "--out", "kept.csv", "--keep-order")
    result = covey("report", made, "--config", "run.toml", "--released", "kept.csv", *BOTH)
    assert result.code == 0, result.err


def test_a_changed_release_is_noticed(made, left):
    released = pd.read_csv("released.csv")
    released.loc[0, "age"] += 1
    released.to_csv("changed.csv", index=False)
    result = covey("report", made, "--config", "run.toml", "--released", "changed.csv", *BOTH)
    assert result.code == 2
    assert "changed.csv is not the release that these settings make" in said(result.err)
    assert left() == ["changed.csv", "released.csv", "run.toml"]


def test_alternatives(made):
    covey("compare", made, "--config", "run.toml", "--techniques", "mdav", "--k", "3,4",
          "--save", "tried.json", "--quiet")  # fmt: skip
    result = covey("report", made, "--config", "run.toml", "--alternatives", "tried.json", *BOTH)
    assert result.code == 0, result.err
    candidates = read_json("internal.json")["alternatives"]["candidates"]
    assert [candidate["k"] for candidate in candidates if candidate["technique"] == "MDAV"]
    assert "alternatives" not in read_json("external.json")


def test_the_release_is_marked_and_not_the_winner(made):
    """The file of a search with k=6 and k=8 beside a release with k=4."""
    covey("tune", made, "--config", "run.toml", "--techniques", "mdav", "--k", "6,8", "--driving",
          "", "--max-risk", "100", "--save", "tried.json", "--quiet")  # fmt: skip
    asked = ("report", made, "--config", "run.toml", "--alternatives", "tried.json")
    result = covey(*asked, *BOTH)
    assert result.code == 0, result.err
    assert "The release is not among these alternatives" in said(result.out)
    shown = read_json("internal.json")["alternatives"]
    assert not any(candidate["chosen"] for candidate in shown["candidates"])
    assert shown["note"] in " ".join(Path("internal.html").read_text("utf-8").split())


def test_quiet_prints_nothing(made):
    assert covey("report", made, "--config", "run.toml", *BOTH, "--quiet") == (0, "", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--internal, --external or both"),
        (["--internal", "report.pdf"], "use a name ending in .html"),
        (["--internal", "a.html", "--alternatives", "survey.csv"], "not a comparison"),
        (["--internal", "a.html", "--alternatives", "none.json"], "none.json"),
        (["--internal", "a.html", "--released", "none.csv"], "There is no file none.csv"),
        (["--internal", "none/a.html"], "The folder none does not exist"),
    ],
)
def test_mistakes(made, left, arguments, message):
    result = covey("report", made, "--config", "run.toml", *arguments)
    assert result.code == 2, result.err
    assert message in said(result.err)
    assert "Traceback" not in result.err
    assert left() == ["released.csv", "run.toml"]
