"""protect: roles, techniques, frames in and out, and requests that are refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import covey
from covey.errors import (
    DisclosureWarning,
    Infeasible,
    InvalidParameter,
    SchemaError,
)
from covey.refining.improving import default_effort
from covey.release import protect
from covey.techniques import MDAV
from tests.release.independent import smallest_class

AMOUNTS = ["age", "hours", "gross_income", "net_income"]


@pytest.fixture(scope="module")
def survey():
    return covey.datasets.make_survey(300, 2).to_pandas()


@pytest.mark.parametrize("technique", ["mdav", "vmdav", "iamat", "rgmat", "egmmat", "projected"])
@pytest.mark.parametrize("k", [2, 5])
def test_release_is_k_anonymous(survey, technique, k):
    release = protect(survey, k, technique, quasi_identifiers=AMOUNTS)
    assert list(release.data.columns) == AMOUNTS
    assert len(release.data) == len(survey)
    assert smallest_class(release.data) == release.achieved_k >= k


def test_means_are_kept(survey):
    release = covey.protect(survey, 4, quasi_identifiers=AMOUNTS)
    np.testing.assert_allclose(release.data.mean(), survey[AMOUNTS].mean())


def test_columns_keep_their_order_whatever_their_role(survey):
    roles = {"identifiers": ["person_id"], "strata": ["region"], "weight": "weight"}
    release = protect(survey, 3, **roles, confidential=["transfer_income"], keep=["hours"])
    assert list(release.data.columns) == [name for name in survey if name != "person_id"]


class TestRoles:
    def test_identifiers_are_dropped_and_said(self, survey):
        numbers = survey[["person_id", *AMOUNTS]]
        release = protect(numbers, identifiers=["person_id"])
        assert list(release.data.columns) == AMOUNTS
        assert release.dropped == {"person_id": "identifier"}

    def test_unnamed_columns_are_dropped_and_said(self, survey):
        release = protect(survey, identifiers=["person_id"], quasi_identifiers=["age", "hours"])
        assert list(release.data.columns) == ["age", "hours"]
        assert release.dropped["person_id"] == "identifier"
        assert release.dropped["region"] == "not named"

    def test_text_is_never_dropped_silently(self, survey):
        release = protect(survey.drop(columns="person_id"), 3)
        assert {"region", "sex", "education", "occupation"} <= set(release.data.columns)
        assert release.dropped == {}

    def test_text_that_looks_like_an_identifier_is_refused(self, survey):
        with pytest.raises(SchemaError, match=r"'person_id' has 300 different values.*identifier"):
            protect(survey)

    def test_unless_it_is_named_as_a_category(self, survey):
        release = protect(survey[["person_id", "age"]], 3, nominal=["person_id"])
        assert smallest_class(release.data) >= 3

    def test_confidential_and_kept_columns_are_released_as_they_are(self, survey):
        release = protect(
            survey, 3, quasi_identifiers=["age"], confidential=["sex"], keep=["hours"]
        )
        pd.testing.assert_series_equal(release.data["sex"], survey["sex"])
        pd.testing.assert_series_equal(release.data["hours"], survey["hours"])

    def test_a_kept_column_that_may_name_people_warns(self, survey):
        with pytest.warns(DisclosureWarning, match="'person_id' is released as it is"):
            protect(survey, 3, quasi_identifiers=AMOUNTS, keep=["person_id"])

    def test_a_kept_category_that_may_name_people_warns_too(self, survey):
        coded = survey.astype({"person_id": "category"})
        with pytest.warns(DisclosureWarning, match="'person_id' is released as it is"):
            protect(coded, 3, quasi_identifiers=AMOUNTS, keep=["person_id"])

    @pytest.mark.parametrize("role", ["confidential", "keep"])
    def test_nested_columns_may_be_released_as_they_are(self, role):
        nested = [[1, 2], [], None, [3]] * 3
        release = protect(pa.table({"x": range(12), "c": nested}), 3, **{role: ["c"]})
        assert release.table["c"].to_pylist() == nested

    def test_strata_are_never_crossed(self, survey):
        release = protect(survey, 4, quasi_identifiers=AMOUNTS, strata=["region", "sex"])
        pd.testing.assert_frame_equal(release.data[["region", "sex"]], survey[["region", "sex"]])
        assert smallest_class(release.data) >= 4

    def test_typo(self, survey):
        with pytest.raises(SchemaError, match="Did you mean 'person_id'"):
            protect(survey, identifiers=["person_di"])

    def test_one_column_two_roles(self, survey):
        with pytest.raises(SchemaError, match="not both"):
            protect(survey, identifiers=["age"], quasi_identifiers=["age", "hours"])

    def test_nothing_left(self):
        with pytest.raises(SchemaError, match="No column is left"):
            protect(pd.DataFrame({"id": [1, 2, 3]}), identifiers=["id"])

    @pytest.mark.parametrize("words", [{"nominal": ["sex"]}, {"importance": {"sex": 2.0}}])
    def test_a_kind_or_importance_for_what_is_not_grouped(self, survey, words):
        with pytest.raises(SchemaError, match=r"'sex'.*not a quasi-identifier"):
            protect(survey, quasi_identifiers=AMOUNTS, **words)


class TestTechniques:
    def test_unknown_technique(self, survey):
        with pytest.raises(InvalidParameter, match="Did you mean 'mdav'"):
            protect(survey, technique="mdva", quasi_identifiers=AMOUNTS)

    def test_an_instance_keeps_its_parameters(self, survey):
        release = protect(pl.from_pandas(survey), technique=MDAV(k=7), quasi_identifiers=AMOUNTS)
        assert release.technique.k == 7
        assert isinstance(release.data, pl.DataFrame)

    def test_auto_is_near_optimal(self, survey):
        auto = protect(survey, 3, quasi_identifiers=AMOUNTS)
        same = protect(survey, 3, "nearoptimal", quasi_identifiers=AMOUNTS)
        assert auto.table.equals(same.table)
        iamat = protect(survey, 3, "iamat", quasi_identifiers=AMOUNTS)
        assert auto.technique.il_ < iamat.technique.il_

    @pytest.mark.full_effort
    def test_the_effort_is_that_of_the_whole_file(self, survey):
        """Many strata shall not take many times as long."""
        release = protect(survey, 3, quasi_identifiers=AMOUNTS, strata=["region"])
        assert release.technique.effort_ == default_effort(len(survey), len(AMOUNTS))

    def test_parameters_by_name(self, survey):
        release = protect(
            survey, 3, "mdav", quasi_identifiers=AMOUNTS, parameters={"standardize": "range"}
        )
        assert release.technique.standardize == "range"

    def test_a_parameter_that_the_technique_does_not_have(self, survey):
        with pytest.raises(InvalidParameter, match="gamma"):
            protect(survey, 3, "mdav", quasi_identifiers=AMOUNTS, parameters={"gamma": 1.0})

    def test_per_block_says_so(self, survey):
        with pytest.warns(DisclosureWarning, match="whole released records may be unique"):
            release = protect(survey, 3, "individualranking", quasi_identifiers=AMOUNTS)
        assert release.block_k >= 3
        assert release.technique.guarantee_ == "per block"

    def test_the_same_as_the_technique_alone(self, survey):
        release = protect(survey, 3, "mdav", quasi_identifiers=AMOUNTS)
        alone = MDAV(k=3).fit_transform(survey[AMOUNTS])
        pd.testing.assert_frame_equal(release.data, alone)


class TestFrames:
    def test_table_and_data_are_the_same(self, survey):
        roles = {"identifiers": ["person_id"], "strata": ["region"], "weight": "weight"}
        for native in (survey, pl.from_pandas(survey), pa.Table.from_pandas(survey)):
            release = protect(native, 3, **roles)
            assert type(release.data) is type(native)
            same = pa.Table.from_pydict(
                {name: release.table[name].to_pylist() for name in release.table.column_names}
            )
            found = release.data if isinstance(native, pa.Table) else pa.table(release.data)
            assert found.to_pydict() == same.to_pydict()

    def test_the_frame_of_the_caller_stays_as_it_is(self, survey):
        before = survey.copy()
        protect(survey, 3, quasi_identifiers=AMOUNTS)
        pd.testing.assert_frame_equal(survey, before)

    def test_categories_stay_categories(self, survey):
        survey = survey[[*AMOUNTS, "sex"]].astype({"sex": "category"})
        released = protect(survey, 3).data
        assert isinstance(released["sex"].dtype, pd.CategoricalDtype)

    def test_dates_stay_dates(self):
        dates = pd.date_range("2020-01-01", periods=9)
        released = protect(pd.DataFrame({"d": dates}), 3).data
        assert list(released["d"].unique()) == list(dates[[1, 4, 7]])

    def test_arrays_have_no_named_columns(self):
        with pytest.raises(SchemaError, match="Expected a data frame"):
            protect(np.ones((9, 2)))
        with pytest.raises(SchemaError, match="names that are text"):
            protect(pd.DataFrame(np.ones((9, 2))))

    def test_no_records(self):
        with pytest.raises(SchemaError, match="no records"):
            protect(pd.DataFrame({"x": pd.Series([], dtype=float)}))

    def test_fewer_records_than_k(self):
        with pytest.raises(Infeasible, match="k=3"):
            protect(pd.DataFrame({"x": [1.0, 2.0]}), 3)


@pytest.mark.parametrize(
    "wrong",
    [
        {"quasi_identifiers": []},
        {"quasi_identifiers": ["age", "age"]},
        {"identifiers": 5},
        {"technique": MDAV(k=3), "k": 5},
        {"technique": 5},
        {"technique": MDAV},
        {"k": 1},
        {"k": 2.5},
        {"k": True},
        {"missing": "drop"},
        {"small_strata": "ignore"},
        {"min_contributors": 0},
        {"min_contributors": 4, "k": 3},
        {"importance": {"age": -1}},
        {"importance": {"age": "much"}},
        {"thresholds": {"g_dr": 101}},
        {"thresholds": {"gdr": 5}},
        {"parameters": {"k": 7}},
        {"nominal": 5},
        {"integers": 5},
        {"ordinal": 5},
        {"rules": 5},
        {"importance": 5},
        {"weight": ["weight", "weight"]},
    ],
    ids=str,
)
def test_requests_that_could_be_misread(survey, wrong):
    with pytest.raises(InvalidParameter):
        protect(survey, **{"quasi_identifiers": AMOUNTS} | wrong)


def test_progress_is_told(survey):
    told = []
    protect(survey, 3, quasi_identifiers=AMOUNTS, progress=lambda *news: told.append(news))
    assert {"embedding", "grouping", "aggregating", "checking"} <= {stage for stage, _, _ in told}
    assert all(0 <= done <= total for _, done, total in told)
