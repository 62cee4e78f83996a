"""The two reports of a real release: figures, secrets, and a look in a real browser."""

from __future__ import annotations

import json
import re

import numpy as np
import pyarrow as pa
import pytest

import covey
from covey.datasets import make_survey
from covey.datasets.survey import EDUCATION
from covey.errors import DisclosureWarning, InvalidParameter
from covey.measures.risk import sampling
from covey.release.describing import external_content, internal_content
from covey.release.describing.summary_lines import release_lines
from covey.reports import render

SEED = 918273
SETTINGS = {
    "identifiers": ["person_id"],
    "strata": ["region"],
    "weight": "weight",
    "confidential": ["occupation"],
    "ordinal": {"education": EDUCATION},
    "rules": {"net": "gross_income - income_tax = net_income", "adults": "age >= 16"},
    "thresholds": {"distance_linkage": 90.0, "record_linkage": 0.5},
}


@pytest.fixture(scope="module")
def release():
    survey = make_survey(600, 3, missing=0.04)
    technique = covey.techniques.RGMAT(k=4, random_state=SEED)
    return covey.protect(survey, technique=technique, **SETTINGS)


@pytest.fixture(scope="module")
def comparison():
    survey = make_survey(300, 3).select(["age", "hours", "gross_income"])
    return covey.compare(survey, k=[3, 6], techniques=["mdav", "iamat"])


@pytest.fixture(scope="module")
def folder(release, comparison, tmp_path_factory):
    place = tmp_path_factory.mktemp("reports")
    release.write(place / "released.csv")
    release.report(place / "internal.html", alternatives=comparison, title="A survey")
    release.report(place / "external.html", "external", publisher="An office")
    return place


def content(folder, audience):
    return json.loads((folder / f"{audience}.json").read_text())


def text_of(page: str) -> str:
    """What a reader sees, without tags and charts."""
    return re.sub(
        r"<[^>]+>", " ", re.sub(r"<svg.*?</svg>|<style.*?</style>", " ", page, flags=re.S)
    )


def test_estimates_show_what_they_rest_on(tmp_path, monkeypatch):
    monkeypatch.setattr(sampling, "MOST_WORK", 1.0)
    monkeypatch.setattr(sampling, "FEWEST_SAMPLED", 100)
    survey = make_survey(600, 3)
    sampled, exact = (
        covey.protect(survey, k=4, technique="mdav", identifiers="person_id", exact=exact)
        for exact in (False, True)
    )
    sampled.report(tmp_path / "sampled.html")
    page = text_of((tmp_path / "sampled.html").read_text())
    assert "before: estimated from 100 of 600 records, ±" in page
    assert "after: estimated from 100 of 600 records, ±" in page
    assert "of the records rightly (estimated from 100 of 600 records, ±" in page
    assert "distance linkage from 100 of 600 records" in release_lines(sampled, "x")["estimated"]
    exact.report(tmp_path / "exact.html")
    assert "estimated from" not in text_of((tmp_path / "exact.html").read_text())
    assert exact.settings.to_dict()["exact"] is True
    assert "exact = true" in exact.settings.to_toml()


class TestInternal:
    def test_risks_are_those_of_the_evaluation(self, folder, release):
        found = {risk["measure"]: risk for risk in content(folder, "internal")["risks"]}
        evaluation = release.evaluation
        linkage = found["distance linkage (DLD)"]
        assert linkage["after"] == evaluation.distance_linkage.percent
        assert linkage["threshold"] == 90.0
        assert linkage["passed"] is True
        assert linkage["before"] > linkage["after"]
        assert found["general disclosure risk (G_DR)"]["after"] == evaluation.g_dr
        assert found["record linkage (RLD)"]["passed"] is False

    def test_losses_are_those_of_the_evaluation(self, folder, release):
        losses = content(folder, "internal")["overall_losses"]
        assert losses[0]["percent"] == release.evaluation.il.percent
        by_name = {loss["name"]: loss for loss in content(folder, "internal")["numeric_losses"]}
        variance = release.evaluation.per_variable.by_variable["age"].variance
        assert by_name["age"]["sd_ratio"] == pytest.approx((1 - variance / 100) ** 0.5)

    def test_a_limit_that_is_broken_is_in_the_verdict(self, folder):
        checks = {c["name"]: c["passed"] for c in content(folder, "internal")["verdict"]["checks"]}
        assert checks["record linkage (RLD) within its limit"] is False
        assert checks["Every record is shared by at least 4"] is True

    def test_everything_to_repeat_it(self, folder, release):
        page = (folder / "internal.html").read_text()
        stored = content(folder, "internal")["provenance"]
        assert stored["seed"] == SEED
        assert str(SEED) in page
        assert covey.release.Settings.from_toml(stored["settings_toml"]) == release.settings
        assert {file["role"] for file in stored["files"]} == {"original", "released"}

    def test_edit_rules_are_counted(self, folder):
        rules = {rule["rule"]: rule for rule in content(folder, "internal")["edit_rules"]}
        net = rules["net: gross_income - income_tax = net_income"]
        assert net["violations_before"] == 0
        assert 400 < net["applies_before"] <= net["applies_after"]
        assert rules["adults: age >= 16"]["violations_after"] == 0

    def test_records_at_risk_are_rows_of_the_original(self, folder):
        rows = [record["row"] for record in content(folder, "internal")["records_at_risk"]]
        assert rows
        assert all(1 <= row <= 600 for row in rows)

    def test_alternatives(self, folder, comparison):
        shown = content(folder, "internal")["alternatives"]["candidates"]
        assert {(c["technique"], c["k"]) for c in shown} == {
            ("MDAV", 3), ("MDAV", 6), ("IAMAT", 3), ("IAMAT", 6)
        }  # fmt: skip


class TestExternal:
    def test_no_seed_and_no_risk(self, folder, release):
        page = (folder / "external.html").read_text()
        stored = (folder / "external.json").read_text()
        seen = text_of(page)
        for secret in (str(SEED), release.provenance.input_hash, "random_state", "RGMAT"):
            assert secret not in page
            assert secret not in stored
        for word in ("linkage", "disclosure risk", "dominance", "seed", "threshold"):
            assert word not in seen.lower()
            assert word not in stored.lower()

    def test_no_risk_figure_occurs(self, folder, release):
        stored = json.dumps(content(folder, "external"))
        for name in ("distance_linkage", "record_linkage", "interval", "outlier_linkage"):
            percent = getattr(release.evaluation, name).percent
            assert repr(percent) not in stored
            assert f"{percent:.2f}" not in text_of((folder / "external.html").read_text())

    def test_preserved_figures(self, folder, release):
        numeric = {part["name"]: part for part in content(folder, "external")["numeric"]}
        loss = release.evaluation.per_variable.by_variable["age"]
        assert numeric["age"]["sd_ratio"] == pytest.approx(
            (1 - loss.variance / 100) ** 0.5, abs=0.005
        )

    def test_original_values_are_not_in_it(self, folder, release):
        """Bars are of the released file alone."""
        stored = content(folder, "external")["distributions"]
        assert stored
        assert all("original" not in part for part in stored)

    def test_alternatives_are_refused(self, release, comparison, tmp_path):
        with pytest.raises(InvalidParameter, match="does not show alternatives"):
            release.report(tmp_path / "e.html", "external", alternatives=comparison)
        assert list(tmp_path.iterdir()) == []


def test_names_and_existing_files(release, tmp_path):
    with pytest.raises(InvalidParameter, match=r"ending in \.html"):
        release.report(tmp_path / "report.pdf")
    (tmp_path / "report.html").write_text("old")
    with pytest.raises(InvalidParameter, match="exists already"):
        release.report(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text() == "old"


def test_per_block_release_says_so(tmp_path):
    numbers = make_survey(200, 1).select(["age", "hours", "gross_income", "net_income"])
    with pytest.warns(DisclosureWarning, match="on its own"):
        release = covey.protect(numbers, 3, "individualranking")
    release.report(tmp_path / "internal.html")
    verdict = content(tmp_path, "internal")["verdict"]
    assert verdict["guarantee"] == "per block"
    assert content(tmp_path, "internal")["groups_map"] is None
    assert "whole records may be unique" in (tmp_path / "internal.html").read_text()
    assert content(tmp_path, "internal")["warnings"]


@pytest.mark.parametrize("kind", ["nominal only", "one number", "dates"])
def test_unusual_tables_have_reports_too(kind, tmp_path):
    survey = make_survey(120, 5)
    columns = {"nominal only": ["sex", "occupation"], "one number": ["age"], "dates": ["born"]}
    if kind == "dates":
        days = np.datetime64("1950-01-01") + survey["age"].to_numpy() * 300
        survey = survey.append_column("born", pa.array(days))
    release = covey.protect(survey.select(columns[kind]), 3)
    for audience in ("internal", "external"):
        release.report(tmp_path / f"{audience}.html", audience)
        assert columns[kind][0] in (tmp_path / f"{audience}.html").read_text()


@pytest.mark.parametrize("audience", ["internal", "external"])
def test_in_a_browser(folder, browser, release, audience):
    """Nothing is asked of the network, nothing is said on the console, the figures are there."""
    page = browser.new_page()
    console, requests = [], []
    page.on("console", lambda message: console.append(message.text))
    page.on("pageerror", lambda error: console.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    address = (folder / f"{audience}.html").as_uri()
    page.goto(address)
    seen = page.inner_text("body")
    assert console == []
    assert requests == [address]
    assert "600" in seen
    linked = f"{release.evaluation.distance_linkage.percent:.2f}"
    assert (linked in seen) == (audience == "internal")
    assert page.locator("svg").count() > 5
    page.close()


class TestStrataPutTogether:
    """A region of two records joins another one; its records get a label for both."""

    @pytest.fixture(scope="class")
    @classmethod
    def merged(cls):
        survey = make_survey(200, 4)
        regions = ["Islands"] * 2 + survey["region"].to_pylist()[2:]
        survey = survey.set_column(
            survey.column_names.index("region"), "region", pa.array(regions)
        ).select(["region", "sex", "age", "hours"])
        return covey.protect(survey, 4, strata=["region"], small_strata="merge")

    def test_external(self, merged):
        content = external_content(merged)
        (region,) = (c for c in content["columns"] if c["name"] == "region")
        assert region["treatment"] == "merged"
        (label,) = (x for x in set(merged.table["region"].to_pylist()) if "Islands" in x)
        assert any(label in note for note in content["notes"])
        shifts = {part["name"]: part["distribution_shift"] for part in content["categorical"]}
        assert shifts["region"] is None
        assert shifts["sex"] is not None
        assert "shows its own value" not in text_of(render(content, "external"))

    def test_internal(self, merged):
        content = internal_content(merged)
        rows = {row["name"]: row for row in content["categorical_losses"]}
        assert rows["region"]["share_changed"] is None
        assert "put together" in rows["region"]["note"]
        overall = {loss["measure"]: loss["percent"] for loss in content["overall_losses"]}
        assert overall["categories changed"] == rows["sex"]["share_changed"]
        (column,) = (c for c in content["columns"] if c["name"] == "region")
        assert column["kind"] == "text"
        assert "put together" in column["note"]


class TestMeans:
    def test_known_cells_of_each_file_weighted(self, release):
        numeric = {part["name"]: part for part in external_content(release)["numeric"]}
        prepared = release.masked.prepared
        before = prepared.table["net_income"].to_numpy().astype(float)
        after = release.table["net_income"].to_numpy().astype(float)
        before = np.where(np.isnan(after), np.nan, before)  # emptied cells count in neither
        old, new = (t["weight"].to_numpy() for t in (prepared.table, release.table))
        means = [
            np.average(values[~np.isnan(values)], weights=weights[~np.isnan(values)])
            for values, weights in ((before, old), (after, new))
        ]
        expected = 100 * (means[1] - means[0]) / means[0]
        assert numeric["net_income"]["mean_change"] == round(expected, 2)

    def test_it_says_which(self, release):
        assert "weighted by the weight of that file" in external_content(release)["mean_basis"]
        plain = covey.protect(make_survey(60, 1).select(["age"]), 3)
        assert "weighted" not in external_content(plain)["mean_basis"]

    def test_dates_move_by_days(self):
        days = np.datetime64("1950-01-01") + np.arange(7) ** 2 * 10
        table = pa.table({"born": pa.array(days), "age": np.arange(7.0)})
        content = external_content(covey.protect(table, 3))
        born, age = content["numeric"]
        assert born["mean_change"] is None
        assert isinstance(born["mean_days"], int)
        assert age["mean_days"] is None
        assert "days" in text_of(render(content, "external"))

    @pytest.mark.parametrize("gaps", [False, True])
    def test_totals_stay_only_without_gaps(self, gaps):
        survey = make_survey(200, 3, missing=0.05 if gaps else 0.0)
        survey = survey.select(["weight", "hours", "net_income"])
        release = covey.protect(survey, 4, weight="weight")
        before, after = (
            sum(
                w * x
                for w, x in zip(t["weight"].to_pylist(), t["net_income"].to_pylist(), strict=True)
                if x is not None
            )
            for t in (survey, release.table)
        )
        said = external_content(release)["weight"]["treatment"]
        assert ("stay what they were" in said) == (not gaps)
        assert (after == pytest.approx(before)) == (not gaps)


def test_columns_released_as_they_are_are_exceptions(release):
    text = " ".join(text_of(render(external_content(release), "external")).split())
    exceptions = text.split("shows its own value: ")[1].split(".")[0]
    assert set(exceptions.split(", ")) == {"region", "occupation"}
    assert "says nothing about its record" not in text


class TestOwnValues:
    DATA = pa.table(
        {
            "sex": ["f", "m", "f", "f"] * 10,
            "income": np.arange(40.0),
            "weight": np.arange(40.0) % 3 + 1,
        }
    )

    def external(self, *names, **asked):
        release = covey.protect(self.DATA.select(names), 4, "mdav", **asked)
        content = external_content(release)
        return content, " ".join(text_of(render(content, "external")).split())

    def test_modes_may_be_own_values(self):
        _, text = self.external("sex", "income")
        assert "A mean is in general not that member’s own value." in text
        assert "is often the own value of members, many or most of the group: sex." in text

    def test_means_alone(self):
        _, text = self.external("income")
        assert "A mean is in general not that member’s own value." in text
        assert "most frequent value or a median" not in text

    def test_modes_alone(self):
        _, text = self.external("sex")
        assert "not that member’s own value" not in text

    def test_what_is_weighted(self):
        content, _ = self.external("sex", "income", "weight", weight="weight")
        said = content["weight"]["treatment"]
        assert "the mean and the most frequent value of a group are weighted by weight." in said


def test_years_have_no_thousands_separator():
    years = pa.table({"birth_year": np.arange(1930, 2000), "age": np.arange(70.0)})
    release = covey.protect(years, 3, quasi_identifiers=["birth_year", "age"])
    for content, audience in ((external_content, "external"), (internal_content, "internal")):
        page = render(content(release), audience)
        assert ">1,9" not in page
        assert ">1960<" in page


class TestJudgement:
    def test_nothing_to_judge(self):
        calm = covey.protect(pa.table({"a": np.arange(40.0) % 8 + 100}), 5)
        content = internal_content(calm)
        assert content["judgement"] == []
        assert "Needs your judgement" not in render(content, "internal")

    def test_findings(self):
        rng = np.random.default_rng(8)
        ages = np.round(rng.uniform(16, 90, 90))
        wealth = rng.pareto(0.3, 90)
        gaps = rng.random(90) < 0.5
        table = pa.table(
            {
                "age": ages,
                "wealth": wealth,
                "sum": pa.array(ages + wealth, mask=gaps),
                "job": ["clerk"] * 40 + ["nurse"] * 46 + ["diver"] * 4,
                "secret": ["x"] * 80 + ["y"] * 10,
            }
        )
        settings = {"confidential": ["secret"], "rules": {"sum": "age + wealth = sum"}}
        # Gaps must not keep records apart, or no group has known and missing values.
        release = covey.protect(table, 4, "mdav", importance={"sum": 1e-3}, **settings)
        found = internal_content(release)
        said = " ".join(found["judgement"])
        (rule,) = found["edit_rules"]
        assert rule["applies_before"] == 90 - gaps.sum()
        assert rule["applies_after"] == 90 - release.table["sum"].null_count
        assert f"{rule['violations_after']} of the {rule['applies_after']} released" in said
        assert f"before, 0 of {rule['applies_before']} broke it" in said
        assert "wealth: " in said
        assert "secret: " in said
        lost = set(table["job"].to_pylist()) - set(release.table["job"].to_pylist())
        assert all(level in said for level in lost)
        assert bool(lost) == ("not occur in the release any more" in said)
        emptied = np.sum(~gaps & np.array([x is None for x in release.table["sum"].to_pylist()]))
        assert emptied > 0
        assert f"{emptied} cells that had a value" in said

    def test_a_level_that_is_gone(self):
        jobs = ["clerk", "clerk", "clerk", "diver"] * 6
        table = pa.table({"age": np.repeat(np.arange(6.0), 4), "job": jobs})
        release = covey.protect(table, 4, "mdav", importance={"age": 100.0})
        assert set(release.table["job"].to_pylist()) == {"clerk"}
        said = " ".join(internal_content(release)["judgement"])
        assert "job: 1 category does not occur in the release any more: diver." in said

    def test_warnings_are_in_it(self):
        with pytest.warns(DisclosureWarning, match="weights identify"):
            kept = covey.protect(
                make_survey(80, 1).select(["age", "weight"]), 4, weight="weight", keep=["weight"]
            )
        assert any("weights identify" in text for text in internal_content(kept)["judgement"])


def test_the_heading_says_whether_a_file_was_checked(folder):
    assert "Checks on the released file" in (folder / "internal.html").read_text()
    plain = covey.protect(make_survey(60, 1).select(["age"]), 3)
    page = render(internal_content(plain), "internal")
    assert "Checks on the release (no file was given)" in page
    assert "Checks on the released file" not in page


def test_bounds_of_the_two_linkages(release):
    content = internal_content(release)
    k = release.achieved_k
    assert f"2/k = {200 / k:.4g} %" in content["linkage_note"]
    assert f"1/k = {100 / k:.4g} %" in content["linkage_note"]
    assert release.evaluation.record_linkage.percent <= 200 / k
    assert release.evaluation.distance_linkage.percent <= 100 / k


def test_extreme_columns_of_the_records_at_risk():
    values = np.tile([1.0, 2.0, 3.0], 10)
    table = pa.table(
        {
            "income": [*values, 900.0, 950.0, 990.0],
            "hours": [*values, 2.0, 2.0, 2.0],
            "job": [*["clerk"] * 30, *["diver"] * 3],
        }
    )
    records = internal_content(covey.protect(table, 3, "mdav"))["records_at_risk"]
    found = {record["row"]: record["extreme_in"] for record in records}
    assert all(set(found[row]) == {"income", "job"} for row in (31, 32, 33) if row in found)
    assert set(found) & {31, 32, 33}


def test_words_for_types_and_losses(release):
    content = internal_content(release)
    kinds = {column["name"]: column["kind"] for column in content["columns"]}
    assert kinds["region"] == kinds["occupation"] == "text"
    assert kinds["weight"] == "number"
    assert kinds["education"] == "ordered category"
    measures = [loss["measure"] for loss in content["overall_losses"]]
    assert "general information loss (G_IL)" in measures
    assert not any("Domingo" in measure for measure in measures)
