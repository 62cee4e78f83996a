"""inspect, measure, techniques: they look, and change nothing."""

from __future__ import annotations

import json
import re

import pandas as pd
import pytest
from pyarrow import parquet

from covey.measures import evaluate
from covey.measures.risk import sampling
from covey.release import Settings
from covey.techniques import available
from tests.tables.real_surveys import eu_silc

from .conftest import NUMBERS
from .running import covey, said


class TestInspect:
    def test_guesses_with_reasons(self, survey, left):
        result = covey("inspect", survey)
        assert result.code == 0, result.err
        assert "120 records, 16 columns" in said(result.out)
        assert "identifier (name)" in result.out
        assert "stratum (name, few values)" in result.out
        assert "weight (name)" in result.out
        assert "These are guesses, and nothing was changed" in result.out
        assert max(map(len, result.out.splitlines())) <= 80
        assert left() == []

    def test_json(self, survey):
        found = json.loads(covey("inspect", survey, "--json").out)
        assert found["records"] == 120
        assert found["columns"][0]["name"] == "person_id"
        assert found["columns"][0]["role"] == "identifier"

    def test_the_guesses_make_a_release(self, survey, left):
        result = covey("inspect", survey, "--save-config", "run.toml")
        assert "Settings to start from: run.toml" in said(result.out)
        assert covey("protect", survey, "--config", "run.toml", "--out", "r.csv").code == 0
        assert left() == ["r.csv", "run.toml"]
        again = covey("inspect", survey, "--save-config", "run.toml")
        assert again.code == 2
        assert "run.toml exists already" in again.err


class TestInspectASurvey:
    """A household survey as offices have them: ids that repeat, three weights, codes as floats."""

    @pytest.fixture
    def silc(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        parquet.write_table(eu_silc(), "silc.parquet")
        return "silc.parquet"

    def test_the_hints_are_printed(self, silc):
        shown = said(covey("inspect", silc).out)
        assert "db030: Its values repeat: it names a household of several records" in shown
        assert "db090, rb050, pb040: Which weight fits your estimates?" in shown
        assert "rb090, pl031: Few whole numbers, taken as codes (nominal)" in shown
        assert re.search(r"rb090 codes 0 2 quasi-identifier", shown)

    def test_json(self, silc):
        found = json.loads(covey("inspect", silc, "--json").out)
        columns = {column["name"]: column for column in found["columns"]}
        assert columns["rb090"]["treatment"] == "nominal"
        assert "k counts records" in columns["db030"]["note"]

    def test_the_saved_settings_run_as_they_are(self, silc):
        assert covey("inspect", silc, "--save-config", "run.toml").code == 0
        saved = Settings.read("run.toml")
        assert saved.weight == ("rb050", "db090", "pb040")
        named = {*saved.identifiers, *saved.quasi_identifiers, *saved.strata, *saved.weight}
        assert named | set(saved.keep) == set(eu_silc().column_names)
        asked = ("--config", "run.toml", "--technique", "mdav", "--out", "r.parquet")
        result = covey("protect", silc, *asked, "--no-measures")
        assert result.code == 0, result.err
        assert set(parquet.read_table("r.parquet")["rb090"].to_pylist()) == {1.0, 2.0}


class TestTechniques:
    def test_all_are_listed(self):
        shown = covey("techniques").out
        assert all(info.name in shown for info in available())

    def test_json(self):
        listed = json.loads(covey("techniques", "--json").out)
        assert [entry["name"] for entry in listed] == [info.name for info in available()]


class TestMeasure:
    @pytest.fixture
    def pair(self, protect, survey):
        assert protect("--keep-order", "--k", 4, "--no-measures").code == 0
        return survey, "released.csv"

    def test_files_of_any_tool(self, pair):
        result = covey("measure", *pair, "--keys", "age,gross_income")
        assert result.code == 0, result.err
        assert "information loss (IL)" in result.out
        assert "k achieved" in result.out
        assert "only in the original: person_id" in result.out

    def test_json_equals_python(self, pair):
        result = covey(
            "measure", *pair, "--keys", "age,gross_income", "--confidential", "sex", "--json"
        )
        found = json.loads(result.out)
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

    def test_estimates_show_their_margin(self, pair, monkeypatch):
        monkeypatch.setattr(sampling, "MOST_WORK", 1.0)
        monkeypatch.setattr(sampling, "FEWEST_SAMPLED", 50)
        asked = ("measure", *pair, "--keys", "age,gross_income")
        shown = covey(*asked).out
        assert re.search(r"distance linkage.*\n    estimated from 50 of \d+ records, ±", shown)
        assert json.loads(covey(*asked, "--json").out)["record_linkage"]["sampled"]["records"] == 50
        assert "estimated" not in covey(*asked, "--exact").out
        assert (
            json.loads(covey(*asked, "--exact", "--json").out)["record_linkage"]["sampled"] is None
        )

    def test_join_on_an_identifier(self, pair):
        original, released = (pd.read_csv(path) for path in pair)
        released["person_id"] = original.person_id
        released.sample(frac=1, random_state=1).to_csv("shuffled.csv", index=False)
        joined = covey("measure", pair[0], "shuffled.csv", "--id", "person_id", "--json")
        assert json.loads(joined.out)["il"] == pytest.approx(
            json.loads(covey("measure", *pair, "--json").out)["il"]
        )

    def test_rows_in_another_order_are_noticed(self, pair, protect):
        assert protect("--k", 4, "--no-measures", out="ordered.csv").code == 0
        assert "not in the same order" in covey("measure", pair[0], "ordered.csv").err

    def test_quiet_prints_nothing(self, pair):
        assert covey("measure", *pair, "--quiet") == (0, "", "")

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--keys", "agee"], "Did you mean 'age'"),
            (["--id", "person_id"], "In the release: There is no column 'person_id'"),
            (["--keys", "sex"], "'sex' cannot be a key: only in the original"),
            (["--keys", "age,age"], "each once"),
            (["--id", "age"], "does not tell all records of the original apart"),
            (["--confidential", "sx"], "Did you mean 'sex'"),
            (["--loss-weight", "2"], "--loss-weight must be a number"),
        ],
    )
    def test_mistakes(self, pair, arguments, message):
        result = covey("measure", *pair, *arguments)
        assert result.code == 2
        assert message in result.err
        assert "Traceback" not in result.err

    def test_different_records(self, pair):
        pd.read_csv(pair[1]).iloc[:-1].to_csv("short.csv", index=False)
        result = covey("measure", pair[0], "short.csv")
        assert result.code == 2
        assert "120 records and the release 119" in result.err
