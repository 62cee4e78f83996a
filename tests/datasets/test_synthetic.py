"""Synthetic data: the survey adds up and looks real; trees are what they claim."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kurtosis

from covey.datasets import make_dependence_tree, make_survey
from covey.datasets.survey import EDUCATION, REGIONS
from covey.errors import InvalidParameter


@pytest.fixture(scope="module")
def survey():
    return make_survey(5000, random_state=1).to_pandas()


def test_sums_hold_exactly(survey):
    sources = ("wage", "self_employment", "pension", "capital", "transfer")
    parts = [f"{source}_income" for source in sources]
    assert (survey[parts].sum(axis=1) == survey.gross_income).all()
    assert (survey.gross_income - survey.income_tax == survey.net_income).all()
    assert (survey[[*parts, "income_tax"]] >= 0).all(axis=None)


def test_it_looks_like_a_survey(survey):
    assert survey.person_id.is_unique
    assert set(survey.region) == set(REGIONS)
    assert set(survey.education) == set(EDUCATION)
    assert survey.sex.value_counts(normalize=True).between(0.4, 0.6).all()
    assert survey.age.between(16, 94).all()
    assert kurtosis(survey.gross_income) > 3, "incomes have heavy tails"
    assert (survey.capital_income == 0).mean() > 0.5
    by_education = survey[survey.hours > 0].groupby("education").gross_income.median()
    assert by_education["primary"] < by_education["secondary"] < by_education["master"]


def test_same_seed_same_survey():
    assert make_survey(50, 3).equals(make_survey(50, 3))
    assert not make_survey(50, 3).equals(make_survey(50, 4))


def test_missing_on_request():
    table = make_survey(4000, missing=0.1)
    shares = {name: table[name].null_count / 4000 for name in table.column_names}
    assert all(shares[name] == 0 for name in ("person_id", "region", "weight"))
    assert all(0.07 < share < 0.13 for name, share in shares.items() if share)
    assert sum(share > 0 for share in shares.values()) == len(shares) - 3
    assert make_survey(100).to_pandas().notna().all(axis=None)


@pytest.mark.parametrize("parameters", [{"n": 0}, {"n": 2.5}, {"missing": -0.1}, {"missing": 1.0}])
def test_bad_requests(parameters):
    with pytest.raises(InvalidParameter):
        make_survey(**parameters)


def test_binary_probabilities():
    """Tables 2 and 3 of Oommen & Fayyoumi (2011): shares of zeros, given the parent."""
    X, edges = make_dependence_tree(200_000, "siblings related")
    assert edges == {(0, 1), (0, 2), (0, 3), (2, 4), (2, 5)}
    assert (X[:, 0] == 0).mean() == pytest.approx(0.40, abs=0.01)
    known = [(1, 0, 0.3, 0.1), (2, 0, 0.7, 0.9), (4, 2, 0.8, 0.4), (5, 2, 0.15, 0.76)]
    for j, parent, given_0, given_1 in known:
        for value, share in ((0, given_0), (1, given_1)):
            assert (X[X[:, parent] == value, j] == 0).mean() == pytest.approx(share, abs=0.01)


def test_values_lie_in_the_ten_intervals():
    X, _ = make_dependence_tree(5000, 4)
    assert X.min() >= 1
    assert X.max() <= 1000
    assert set(np.unique((X - 1) // 100)) == set(range(10))


@pytest.mark.parametrize("tree", ["pine", [0, 1], [None, 1], [None, None]])
def test_bad_trees(tree):
    with pytest.raises(InvalidParameter, match="tree must"):
        make_dependence_tree(10, tree)
