"""protect: what it writes and what it says."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pandas as pd
import pytest

from covey.datasets import make_survey
from covey.datasets.survey import EDUCATION

from .conftest import NUMBERS, ROLES
from .running import covey, said

# Every column of the survey with a role, as in a real release.
ORDER = f"education={'<'.join(EDUCATION)}"


def smallest_class(frame, columns):
    return frame.groupby(columns, dropna=False).size().min()


def test_numbers(protect, left):
    result = protect("--k", 5, "--technique", "mdav")
    assert result.code == 0, result.err
    assert "5 asked for" in result.out
    assert "MDAV, guarantee: joint" in result.out
    assert "identifier: person_id" in result.out
    released = pd.read_csv("released.csv")
    assert ",".join(released.columns) == NUMBERS
    assert len(released) == 120
    assert smallest_class(released, list(released.columns)) >= 5
    assert left() == ["released.csv"], "no temporary file is left"


def test_every_kind_of_column(survey):
    result = covey("protect", survey, "--out", "r.csv", "--k", 4, *ROLES, "--ordinal", ORDER,
                   "--confidential", "occupation", "--integers", "age,hours")  # fmt: skip
    assert result.code == 0, result.err
    released = pd.read_csv("r.csv")
    key = [name for name in released.columns if name not in ("occupation", "weight")]
    assert "person_id" not in released.columns
    assert smallest_class(released, key) >= 4
    assert set(released.education.dropna()) <= set(EDUCATION)
    assert (released.age.dropna() % 1 == 0).all()


@pytest.mark.parametrize("name", ["survey.parquet", "survey.xlsx", "survey.dta", "survey.sav"])
def test_formats_in_and_out(folder, name):
    from covey.sources.files import write_table

    write_table(make_survey(60, 1, missing=0.05), folder / name)
    released = folder / f"released-{name}"
    result = covey("protect", name, "--out", released, "--k", 4, *ROLES, "--no-measures")
    assert result.code == 0, result.err
    assert "60 records, 15 columns" in result.out
    again = covey("inspect", released)
    assert again.code == 0, again.err


def test_a_german_file(folder):
    """Semicolons, decimal commas and Windows letters are detected, and said."""
    survey = make_survey(60, 1).to_pandas()
    survey["region"] = survey.region.replace({"North": "Nördlich", "South": "Süd"})
    survey.to_csv("umfrage.csv", sep=";", decimal=",", encoding="cp1252", index=False)
    result = covey("protect", "umfrage.csv", "--out", "r.csv", *ROLES, "--k", 3)
    assert result.code == 0, result.err
    for words in ("semicolons", "cp1252", "Decimal comma"):
        assert words in said(result.out)
    released = pd.read_csv("r.csv")
    assert "Süd" in set(released.region)
    assert released.weight.dtype == float


def test_a_column_of_text_is_nominal(folder):
    pd.DataFrame({"town": ["a", "b"] * 6, "age": range(12)}).to_csv("in.csv", index=False)
    assert covey("protect", "in.csv", "--out", "r.csv", "--k", 3).code == 0
    released = pd.read_csv("r.csv")
    assert set(released.town) <= {"a", "b"}
    assert smallest_class(released, ["town", "age"]) >= 3


def test_missing_values_become_their_group_s(folder):
    pd.DataFrame({"age": [20, 21, 22, 60, 61, 62], "income": [1, 2, 3, 9, 8, None]}).to_csv(
        "gaps.csv", index=False
    )
    assert covey("protect", "gaps.csv", "--out", "r.csv", "--min-contributors", 2).code == 0
    released = pd.read_csv("r.csv")
    assert sorted(released.income) == [2, 2, 2, 8.5, 8.5, 8.5]


def test_a_lone_value_is_withheld(folder):
    pd.DataFrame({"age": [20, 21, 22, 60, 61, 62], "income": [1, 2, 3, 9, None, None]}).to_csv(
        "gaps.csv", index=False
    )
    assert covey("protect", "gaps.csv", "--out", "r.csv").code == 0
    assert pd.read_csv("r.csv").income.isna().sum() == 3


def test_parameters_of_the_technique(protect):
    good = protect("--technique", "vmdav", "--set", "gamma=1.1", out="a.csv")
    assert good.code == 0, good.err
    plain = protect("--technique", "vmdav", out="b.csv")
    assert good.out != plain.out


def test_per_block_says_what_whole_records_have(protect):
    result = protect("--technique", "individualranking")
    assert result.code == 0
    assert "whole released records may be unique" in result.err
    assert "guarantee: per block" in result.out
    assert "3 achieved in each block; whole records: 1" in said(result.out)


def test_small_strata(survey):
    names = ("--quasi-identifiers", "age,hours", "--strata", "region", "--k", 24)
    merged = covey("protect", survey, "--out", "m.csv", *names, "--small-strata", "merge")
    assert merged.code == 0, merged.err
    assert "merged" in merged.out
    dropped = covey("protect", survey, "--out", "s.csv", *names, "--small-strata", "suppress")
    assert dropped.code == 0, dropped.err
    assert "suppressed" in dropped.out
    assert len(pd.read_csv("m.csv")) == 120 > len(pd.read_csv("s.csv"))
    for name in ("m.csv", "s.csv"):
        assert smallest_class(pd.read_csv(name), ["age", "hours", "region"]) >= 24


@pytest.mark.parametrize(
    ("arguments", "warning"),
    [
        (["--keep-order"], "Warning: The order of the rows is released too"),
        (["--weight", "weight", "--keep", "weight"], "weights identify people"),
        (["--min-contributors", 1], "may be the values of those members"),
    ],
)
def test_what_is_risky_is_said(protect, arguments, warning):
    result = protect(*arguments)
    assert result.code == 0, result.err
    assert warning in result.err


def test_limits(protect):
    result = protect("--threshold", "record_linkage=100", "--threshold", "distance_linkage=0")
    assert result.code == 0
    assert "within 100 %" in said(result.out)
    assert "ABOVE 0 %" in said(result.out)


def test_quiet_prints_nothing(protect):
    assert protect("--quiet") == (0, "", "")


def test_json(protect):
    result = protect("--json", "--save-config", "run.toml")
    found = json.loads(result.out)
    assert found["records"] == 120
    assert found["achieved_k"] == 3
    assert found["columns"] == NUMBERS.split(",")
    assert found["dropped"]["person_id"] == "identifier"
    assert found["files"] == {"release": "released.csv", "settings": "run.toml"}
    digest = hashlib.sha256(Path("released.csv").read_bytes()).hexdigest()
    assert found["outputs"]["released.csv"] == digest
    assert found["evaluation"]["achieved_k"]["k"] == 3
    assert "evaluation" not in json.loads(protect("--json", "--no-measures", out="b.csv").out)


def test_lines_fit_the_terminal(protect):
    result = protect()
    assert max(map(len, result.out.splitlines())) <= 80


def test_a_link_keeps_pointing_to_the_release(protect, folder):
    (folder / "real.csv").write_text("old")
    (folder / "link.csv").symlink_to(folder / "real.csv")
    assert protect("--force", out="link.csv").code == 0
    assert (folder / "link.csv").is_symlink()
    assert len(pd.read_csv("real.csv")) == 120


def test_reports_in_one_go(protect, left):
    result = protect("--internal", "internal.html", "--external", "external.html",
                     "--title", "Household survey", "--publisher", "Office")  # fmt: skip
    assert result.code == 0, result.err
    assert left() == ["external.html", "external.json", "internal.html", "internal.json",
                      "released.csv"]  # fmt: skip
    digest = hashlib.sha256(Path("released.csv").read_bytes()).hexdigest()
    assert digest in Path("internal.html").read_text(encoding="utf-8")
    outside = Path("external.html").read_text(encoding="utf-8")
    assert "Household survey" in outside
    assert "Office" in outside
