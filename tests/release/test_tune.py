"""tune: the least loss under a limit on risk, held to the whole grid."""

from __future__ import annotations

import itertools

import pytest

import covey
from covey.datasets import load_census
from covey.errors import CoveyError, Infeasible, InvalidParameter
from covey.measures.registry import comparable
from covey.release import tune
from covey.release.candidates import figure
from covey.release.describing.internal import internal_content
from covey.release.tuning import loss_of
from covey.selection import DependenceTree

AMOUNTS = ["age", "hours", "gross_income", "net_income"]


@pytest.fixture(scope="module")
def survey():
    return covey.datasets.make_survey(150, 5).select(AMOUNTS)


def grid(data, techniques, sizes, driving):
    """Loss and risk of every combination, each released and measured on its own."""
    found = {}
    for technique, k, count in itertools.product(techniques, sizes, (None, *driving)):
        parameters = {} if count is None else {"variables": DependenceTree(n_variables=count)}
        evaluation = covey.protect(data, k, technique, parameters=parameters).evaluation
        found[technique, k, count] = evaluation.il.percent, evaluation.g_dr
    return found


@pytest.mark.usefixtures("census")
def test_the_grid_optimum_on_census():
    data = load_census().slice(0, 540)
    techniques, sizes, driving = ["mdav", "projected"], [3, 8], (2,)
    everything = grid(data, techniques, sizes, driving)
    risks = sorted(risk for _, risk in everything.values())
    for limit in (risks[0], risks[3], 100.0):
        found = tune(data, limit, k=sizes, techniques=techniques, driving=driving)
        allowed = [(loss, risk) for loss, risk in everything.values() if risk <= limit]
        assert found.chosen.loss == pytest.approx(min(allowed)[0])
        assert found.chosen.risk <= limit
        assert len(found.search.candidates) == len(everything)
        assert found.release.evaluation.il.percent == pytest.approx(found.chosen.loss)
        assert found.release.evaluation.g_dr == pytest.approx(found.chosen.risk)
    with pytest.raises(Infeasible, match=f"the safest of {len(everything)} is .* with"):
        tune(data, risks[0] / 2, k=sizes, techniques=techniques, driving=driving)


@pytest.fixture(scope="module")
def found(survey):
    return tune(survey, 60.0, k=[2, 3, 5, 8], techniques=["mdav", "iamat"], driving=(2,))


class TestTheSearch:
    def test_is_shown(self, found):
        assert len(found.search.candidates) == 4 * 2 * 2
        assert found.search.max_risk == found.max_risk == 60.0
        assert found.chosen in found.search.candidates
        assert found.chosen.name in str(found)
        assert "16 candidates" in str(found)

    def test_a_risk_that_was_not_measured_did_not_matter(self, found):
        skipped = [one for one in found.search.candidates if one.risk is None]
        assert skipped
        assert all(one.loss >= found.chosen.loss for one in skipped)
        assert all(one.score is None for one in skipped)

    def test_nor_is_it_ever_better(self, found):
        skipped = next(one for one in found.search.candidates if one.risk is None)
        assert found.search.best.risk is not None
        assert all(one.risk is not None for one in found.search.front)
        words = found.search.which_is_better(found.chosen, skipped)
        assert f"prefers {skipped.name}" not in words

    def test_nothing_measured_and_allowed_loses_less(self, found):
        allowed = [one for one in found.search.candidates if one.risk is not None]
        allowed = [one for one in allowed if one.risk <= 60.0]
        assert min(one.loss for one in allowed) == found.chosen.loss

    def test_what_drives_is_named(self, found):
        driven = [one for one in found.search.candidates if one.driving is not None]
        assert len(driven) == 8
        assert all(len(one.driving) == 2 and set(one.driving) <= set(AMOUNTS) for one in driven)

    def test_the_release_can_be_made_again(self, found, survey):
        again = covey.protect(survey, settings=found.release.settings)
        assert again.table.equals(found.release.table)


class TestRequests:
    @pytest.mark.parametrize(
        "wrong",
        [
            {"max_risk": -1},
            {"max_risk": 101},
            {"max_risk": None},
            {"max_risk": float("nan")},
            {"driving": [0]},
            {"driving": 3},
            {"driving": ["age"]},
            {"loss": "lost"},
            {"risk": "risky"},
            {"weight_of_loss": 2},
            {"technique": "mdav"},
        ],
        ids=str,
    )
    def test_that_could_be_misread(self, survey, wrong):
        asked = {"max_risk": 50, "k": [3], "techniques": ["mdav"]} | wrong
        with pytest.raises(InvalidParameter):
            tune(survey, **asked)

    def test_more_driving_variables_than_there_are_is_not_tried(self, survey):
        found = tune(survey, 100, k=[3], techniques=["mdav"], driving=(4, 9))
        assert len(found.search.candidates) == 1

    def test_a_table_with_few_ordered_variables(self):
        """Four variables, two of them with an order: no three can be chosen from."""
        survey = covey.datasets.make_survey(150, 5).select(["age", "hours", "sex", "occupation"])
        found = tune(survey, 100, k=[3], techniques=["mdav"])
        assert found.chosen.driving is None

    def test_a_table_of_categories(self):
        survey = covey.datasets.make_survey(300, 5).select(
            ["sex", "occupation", "region", "education"]
        )
        found = tune(survey, 100, k=[3], techniques=["mdav"])
        assert found.search.loss == "categories"

    def test_an_instance_that_names_its_variables(self, survey):
        from covey.techniques import MDAV

        found = tune(survey, 100, k=[3], techniques=[MDAV(variables=["age"])], driving=())
        assert found.chosen.driving == ("age",)


@pytest.mark.parametrize("loss", comparable("loss"))
@pytest.mark.parametrize("kinds", ["numbers", "mixed", "categories"])
def test_the_loss_of_the_search_is_that_of_the_evaluation(loss, kinds):
    columns = {
        "numbers": AMOUNTS,
        "mixed": [*AMOUNTS, "sex", "education"],
        "categories": ["sex", "occupation", "region"],
    }[kinds]
    survey = covey.datasets.make_survey(150, 5, missing=0.05 if kinds == "mixed" else 0.0)
    order = ["primary", "secondary", "vocational", "bachelor", "master"]
    ordinal = {"education": order} if "education" in columns else {}
    release = covey.protect(survey.select(columns), 3, "mdav", ordinal=ordinal)
    try:
        expected = figure(release.evaluation, loss)
    except CoveyError:
        with pytest.raises(CoveyError):
            loss_of(release, loss)
        return
    assert loss_of(release, loss) == pytest.approx(expected)


ONE = {"k": [3, 6], "techniques": ["mdav"], "driving": ()}


class TestLimit:
    """The limit of the search is among the settings that won, so that reports show it."""

    def test_is_kept_and_shown(self, survey):
        tuned = tune(survey, 20, risk="distance_linkage", **ONE)
        assert tuned.release.settings.thresholds == {"distance_linkage": 20}
        assert "distance_linkage = 20" in tuned.release.settings.to_toml()
        again = covey.protect(survey, settings=tuned.release.settings)
        assert again.table.equals(tuned.release.table)
        checks = internal_content(again)["verdict"]["checks"]
        (limit,) = (one for one in checks if "within its limit" in one["name"])
        assert limit["passed"]
        assert limit["finding"].endswith("limit 20 %")

    def test_a_lower_one_stays(self, survey):
        limits = {"g_dr": 40.0, "distance_linkage": 5.0}
        tuned = tune(survey, 90, risk="g_dr", thresholds=limits, **ONE)
        assert tuned.release.settings.thresholds == limits
        tuned = tune(survey, 90, risk="record_linkage", thresholds=limits, **ONE)
        assert tuned.release.settings.thresholds == {**limits, "record_linkage": 90}

    def test_one_for_some_keys_is_no_threshold(self, survey):
        tuned = tune(survey, 90, risk="g_dr", keys=["age"], **ONE)
        assert tuned.release.settings.thresholds == {}
