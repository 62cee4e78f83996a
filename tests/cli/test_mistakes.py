"""Mistakes: one sentence, the right exit code, no data, nothing left on disk."""

from __future__ import annotations

import os

import pytest

from .conftest import NUMBERS
from .running import covey, said

NAMES = ["--quasi-identifiers", NUMBERS, "--identifiers", "person_id"]


def assert_refused(result, code, message):
    assert result.code == code, result.out + result.err
    assert message in said(result.err)
    assert "Traceback" not in result.err
    assert result.out == ""


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--quasi-identifiers", "age,incom_tax"], 2, "Did you mean 'income_tax'"),
        ([*NAMES, "--strata", "regoin"], 2, "Did you mean 'region'"),
        ([*NAMES, "--nominal", "agee"], 2, "Did you mean 'age'"),
        ([*NAMES, "--importance", "agee=2"], 2, "Did you mean 'age'"),
        ([*NAMES, "--ordinal", "educatoin=a<b"], 2, "Did you mean 'education'"),
        ([*NAMES, "--k", 500], 3, "k=500"),
        ([*NAMES, "--strata", "region", "--k", 25], 3, "strata have fewer than k=25 records"),
        ([*NAMES, "--k", 1], 2, "k must be a whole number of at least 2"),
        ([*NAMES, "--k", "two"], 2, "--k"),
        ([*NAMES, "--technique", "imat"], 2, "Did you mean 'iamat'"),
        ([*NAMES, "--technique", "vmdav", "--set", "gama=1.1"], 2, "Did you mean 'gamma'"),
        ([*NAMES, "--technique", "vmdav", "--set", "gamma=high"], 2, "gamma must be a number"),
        ([*NAMES, "--set", "gamma"], 2, "--set takes NAME=VALUE"),
        ([*NAMES, "--set", "k=7"], 2, "k is given twice"),
        ([*NAMES, "--weight", "sex"], 2, "'sex' is a weight, but does not hold numbers"),
        ([*NAMES, "--strata", "person_id"], 2, "identifier or stratum, not both"),
        ([*NAMES, "--confidential", "age"], 2, "not both"),
        ([*NAMES, "--confidential", "sex,sex"], 2, "each once"),
        (
            ["--identifiers", "person_id", "--ordinal", "education=primary<secondary"],
            2,
            "none of the categories given. List every category",
        ),
        (["--identifiers", "person_id", "--ordinal", "education"], 2, "from low to high"),
        ([*NAMES, "--threshold", "linkage=3"], 2, "Did you mean 'record_linkage'"),
        ([*NAMES, "--threshold", "g_dr=low"], 2, "must be a number of at least 0 and at most 100"),
        ([*NAMES, "--threshold", "g_dr=120"], 2, "at most 100"),
        ([*NAMES, "--importance", "age=-1"], 2, "must be a number of at least 0"),
        ([*NAMES, "--importance", "age"], 2, "--importance takes NAME=VALUE"),
        (["--identifiers", "person_id", "--integers", "sex"], 2, "does not hold numbers"),
        ([*NAMES, "--integers", "sex"], 2, "it is not a quasi-identifier"),
        ([*NAMES, "--missing", "drop"], 2, "'group', 'pattern', 'error'"),
        ([*NAMES, "--missing", "error"], 2, "There are missing values in"),
        ([*NAMES, "--min-contributors", 9], 2, "at most 3"),
        (
            [*NAMES, "--strata", "region", "--small-strata", "drop"],
            2,
            "'error', 'merge', 'suppress'",
        ),
        ([], 2, "'person_id' has 120 different values in 120 records"),
        ([*NAMES, "--internal", "report.pdf"], 2, "use a name ending in .html"),
        ([*NAMES, "--internal", "a.html", "--external", "a.html"], 2, "two different things"),
        ([*NAMES, "--internal", "a.html", "--external", "a.htm"], 2, "two different things"),
        ([*NAMES, "--save-config", "none/run.toml"], 2, "The folder none does not exist"),
        ([*NAMES, "--identifer", "sex"], 2, "--identifiers"),
    ],
)
def test_of_protect(survey, left, arguments, code, message):
    assert_refused(covey("protect", survey, "--out", "r.csv", *arguments), code, message)
    assert left() == []


@pytest.mark.parametrize("empty", ["", ",", " , "])
def test_an_empty_list_of_columns_releases_nothing(survey, left, empty):
    """As from an unset shell variable: it must not mean every column."""
    result = covey("protect", survey, "--out", "r.csv", "--quasi-identifiers", empty)
    assert_refused(result, 2, "names no column")
    assert left() == []


def test_a_large_k_is_infeasible_and_not_a_wrong_role(survey, left):
    """Five levels of education are no identifier, however large k is."""
    result = covey("protect", survey, "--out", "r.csv", "--identifiers", "person_id", "--k", 500)
    assert_refused(result, 3, "k=500")
    assert "120 records" in said(result.err)
    assert left() == []


def test_few_records_and_a_category(folder):
    """Three sexes among 24 records, eight each, with k = 10."""
    rows = "".join(f"{sex},{age}\n" for age in range(30, 38) for sex in "mfd")
    (folder / "in.csv").write_text(f"sex,age\n{rows}")
    result = covey("protect", "in.csv", "--out", "r.csv", "--k", 10)
    assert result.code == 0, result.err


def test_without_strata_no_strata_are_spoken_of(protect):
    """Whoever named no strata should not be told that 1 of 1 is too small."""
    result = protect("--k", 500)
    assert_refused(result, 3, "120")
    assert "strata" not in result.err


@pytest.mark.parametrize(
    "rule", ["gross_income - incme_tax = net_income", "gross_income - = net_income", "sex > 3"]
)
@pytest.mark.parametrize("report", [[], ["--internal", "internal.html"]])
def test_a_rule_that_cannot_be_counted(protect, left, rule, report):
    """It is refused at once, whether or not a report is asked for, and nothing is written."""
    assert_refused(protect("--rule", rule, *report), 2, "rule")
    assert left() == []


def test_categories_that_are_numbers_can_be_ordered(folder):
    (folder / "in.csv").write_text("level,x\n" + "1,2\n2,3\n3,4\n" * 3)
    result = covey("protect", "in.csv", "--out", "r.csv", "--ordinal", "level=1<2<3")
    assert result.code == 0, result.err


def test_what_to_do_is_said_in_words_of_the_command_line(survey):
    """A data protector does not write Python."""
    result = covey("protect", survey, "--out", "r.csv", "--identifiers", "person_id",
                   "--ordinal", "education")  # fmt: skip
    assert_refused(result, 2, "education=low<middle<high")


class TestSettingsFiles:
    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("k = [", "not valid TOML"),
            ("kk = 3", "Did you mean 'k'"),
            ("k = 'three'", "k must be a whole number"),
            ("identifiers = 3", "identifiers must be a list of column names"),
            ("identifiers = [3]", "identifiers must be a list of column names"),
            ("weight = ['weight', 'weight']", "weight must be a column name, or a list of them"),
            ("parameters = 3", "parameters must be a table"),
            ("ordinal = 3", "ordinal must be"),
            ("missing = ['group']", "missing must be one of"),
            ("[thresholds]\nlinkage = 3", "Did you mean 'record_linkage'"),
            ("[importance]\nage = 'much'", "must be a number"),
            ("technique = 3", "technique"),
            ("[ordinal]\neducation = 3", "education"),
            ("[rules]\nwages = 3", "wages"),
        ],
    )
    def test_that_are_wrong(self, survey, folder, left, text, message):
        if "identifiers" not in text:
            text = f"identifiers = ['person_id']\n{text}"
        (folder / "run.toml").write_text(text)
        result = covey("protect", survey, "--out", "r.csv", "--config", "run.toml")
        assert_refused(result, 2, message)
        assert left() == ["run.toml"]

    @pytest.mark.parametrize("text", ["k = [", "kk = 3"])
    def test_the_file_is_named(self, protect, folder, text):
        (folder / "run.toml").write_text(text)
        assert "run.toml" in protect("--config", "run.toml").err

    def test_that_are_no_settings_files(self, protect, survey):
        assert_refused(protect("--config", "none.toml"), 2, "none.toml could not be read")
        survey.write_bytes(b"\xff\xfe\x00")
        assert_refused(protect("--config", survey), 2, "is not a text file in UTF-8")


class TestInputs:
    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"", "it is empty"),
            (b"age,income\n", "no records"),
            (b"31,50000\n42,61000\n33,50500\n", "looks like data"),
            (b"age,income,\n1,2,3\n", "empty names"),
            (b"a,b\n1,2\n1,2,3\n", "3"),
            (b"age,account\n1,1152921504606846976\n3,1152921504606846977\n4,5\n", "identifier"),
        ],
    )
    def test_that_are_no_tables(self, folder, left, content, message):
        (folder / "in.csv").write_bytes(content)
        for command in (["protect", "--out", "r.csv", "--k", 2], ["inspect"]):
            if command == ["inspect"] and message == "identifier":
                continue
            result = covey(command[0], "in.csv", *command[1:])
            assert_refused(result, 2, message)
            assert "1152921504606846976" not in result.err
            assert "50000" not in result.err
        assert left() == ["in.csv"]

    @pytest.mark.parametrize(
        "command",
        [
            ["protect", "--out", "r.csv"],
            ["inspect"],
            ["compare"],
            ["tune", "--max-risk", "10"],
            ["measure", "survey.csv"],
        ],
    )
    def test_that_are_not_there(self, survey, left, command):
        assert_refused(covey(command[0], "none.csv", *command[1:]), 2, "There is no file none.csv")
        assert left() == []

    def test_a_folder(self, folder):
        assert_refused(covey("inspect", "."), 2, "is a folder")


class TestTargets:
    def test_the_original_is_never_replaced(self, protect, survey):
        before = survey.read_bytes()
        assert_refused(protect("--force", out=survey), 2, "is the original file")
        assert survey.read_bytes() == before

    @pytest.mark.parametrize(
        "command",
        [
            ["inspect", "--save-config"],
            ["tune", "--max-risk", "50", "--techniques", "mdav", "--k", "3", "--save-config"],
            ["compare", "--techniques", "mdav", "--k", "3", "--save"],
        ],
    )
    def test_not_by_other_commands_either(self, survey, command):
        before = survey.read_bytes()
        result = covey(command[0], survey, *command[1:], survey, "--force")
        assert survey.read_bytes() == before
        assert_refused(result, 2, "is the original file")

    def test_other_files_only_when_forced(self, protect, folder):
        (folder / "old.csv").write_text("old")
        assert_refused(protect(out="old.csv"), 2, "--force")
        assert (folder / "old.csv").read_text() == "old"
        assert protect("--force", out="old.csv").code == 0

    @pytest.mark.parametrize("beside", ["internal.html", "internal.json"])
    def test_reports_and_what_lies_beside_them(self, protect, folder, left, beside):
        (folder / beside).write_text("old")
        assert_refused(protect("--internal", "internal.html"), 2, f"{beside} exists already")
        assert left() == [beside]

    def test_only_files_are_replaced(self, protect, folder):
        assert_refused(protect("--force", out=folder), 2, "is not a folder of Parquet files")
        assert_refused(protect(out="none/r.csv"), 2, "The folder none does not exist")
        (folder / "f.csv").mkdir()
        assert_refused(protect("--force", out="f.csv"), 2, "is not a file")

    def test_formats_that_cannot_be_written(self, protect, left):
        assert_refused(protect(out="r.docx"), 2, "use a name that ends in one of .csv")
        assert left() == []

    @pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
    def test_a_folder_that_may_not_be_written(self, protect, folder, left):
        (folder / "locked").mkdir()
        (folder / "locked").chmod(0o500)
        assert_refused(protect(out="locked/r.csv"), 2, "locked")
        assert left() == ["locked"]
