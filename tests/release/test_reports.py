"""The two reports of a real release: figures, secrets, and a look in a real browser."""

from __future__ import annotations

import json
import re

import pytest

import covey
from covey.datasets import make_survey
from covey.datasets.survey import EDUCATION
from covey.errors import DisclosureWarning, InvalidParameter

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
        assert net["applies_to"] > 400
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
        assert numeric["age"]["sd_ratio"] == pytest.approx((1 - loss.variance / 100) ** 0.5)

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
        import numpy as np
        import pyarrow as pa

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
