"""compare and tune: several releases tried, none written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import covey as package

from .conftest import ROLES
from .running import covey, read_json, said

SMALL = ("--techniques", "mdav,iamat", "--k", "3,5", *ROLES)


class TestCompare:
    def test_table_and_verdict(self, survey, left):
        result = covey("compare", survey, *SMALL)
        assert result.code == 0, result.err
        assert result.out.count("mdav ") >= 2
        assert "best score" in result.out
        assert " k=" in result.out.split("\n\n")[-1]
        assert left() == []

    def test_map_and_search_are_kept(self, survey, left):
        result = covey("compare", survey, *SMALL, "--map", "map.svg", "--save", "tried.json")
        assert result.code == 0, result.err
        assert "written: map.svg" in result.out
        assert Path("map.svg").read_text(encoding="utf-8").startswith("<svg")
        assert len(read_json("tried.json")["candidates"]) == 4
        assert left() == ["map.svg", "tried.json"]
        assert covey("compare", survey, *SMALL, "--map", "map.png").code == 0
        assert Path("map.png").read_bytes()[:4] == b"\x89PNG"

    def test_json_equals_python(self, survey):
        found = json.loads(covey("compare", survey, *SMALL, "--json").out)
        expected = package.compare(
            survey, k=[3, 5], techniques=["mdav", "iamat"], identifiers=["person_id"],
            strata=["region"], weight="weight",
        )  # fmt: skip
        expected = json.loads(expected.to_json())
        for candidate in (*found["candidates"], *expected["candidates"]):
            candidate.pop("seconds")
        assert found == expected

    def test_quiet_prints_nothing(self, survey):
        assert covey("compare", survey, *SMALL, "--quiet") == (0, "", "")

    def test_roles_of_a_settings_file(self, survey):
        covey("inspect", survey, "--save-config", "run.toml")
        result = covey("compare", survey, "--config", "run.toml", *SMALL[:4])
        assert result.code == 0, result.err

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--k", "3,x"], "--k takes whole numbers"),
            (["--k", "1"], "at least 2"),
            (["--techniques", "mdva"], "Did you mean 'mdav'"),
            (["--risk", "linkage"], "risk must be one of"),
            (["--loss", "ill"], "loss must be one of"),
            (["--keys", "agee"], "Did you mean 'age'"),
            (["--map", "map.pdf"], "a picture is .svg or .png"),
            (["--loss-weight", "7"], "--loss-weight must be a number of at least 0 and at most 1"),
            (["--save", "none/tried.json"], "The folder none does not exist"),
        ],
    )
    def test_mistakes(self, survey, left, arguments, message):
        result = covey("compare", survey, *SMALL, *arguments)
        assert result.code == 2, result.err
        assert message in said(result.err)
        assert "Traceback" not in result.err
        assert left() == []


class TestTune:
    LIMIT = ("--risk", "distance_linkage", "--max-risk", 25)

    def test_the_search_and_what_it_found(self, survey, left):
        result = covey("tune", survey, *SMALL, *self.LIMIT, "--save-config", "final.toml",
                       "--save", "search.json")  # fmt: skip
        assert result.code == 0, result.err
        assert "(limit 25)" in said(result.out)
        assert left() == ["final.toml", "search.json"]
        made = covey("protect", survey, "--config", "final.toml", "--out", "r.csv", "--json")
        assert json.loads(made.out)["evaluation"]["distance_linkage"]["percent"] <= 25
        assert len(read_json("search.json")["candidates"]) >= 4

    def test_json(self, survey):
        found = json.loads(covey("tune", survey, *SMALL, *self.LIMIT, "--json").out)
        assert found["settings"]["technique"] in ("mdav", "iamat")
        assert found["chosen"]

    def test_quiet_prints_nothing(self, survey):
        assert covey("tune", survey, *SMALL, *self.LIMIT, "--quiet") == (0, "", "")

    def test_nothing_is_safe_enough(self, survey, left):
        result = covey("tune", survey, *SMALL, "--max-risk", 0.001, "--save-config", "final.toml")
        assert result.code == 3
        assert "No candidate has a risk of at most 0.001 %" in said(result.err)
        assert left() == []

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--max-risk", "low"], "--max-risk"),
            (["--max-risk", "-1"], "max_risk"),
            (["--max-risk", "20", "--driving", "three"], "--driving takes whole numbers"),
        ],
    )
    def test_mistakes(self, survey, left, arguments, message):
        result = covey("tune", survey, *SMALL, *arguments)
        assert result.code == 2, result.err
        assert message in said(result.err)
        assert left() == []

    def test_one_name_for_two_files(self, survey, left):
        result = covey("tune", survey, *SMALL, *self.LIMIT, "--save", "a.json",
                       "--save-config", "a.json")  # fmt: skip
        assert result.code == 2
        assert left() == []

    def test_lines_fit_the_terminal(self, survey):
        result = covey("tune", survey, *SMALL, *self.LIMIT)
        assert max(map(len, result.out.splitlines())) <= 80
