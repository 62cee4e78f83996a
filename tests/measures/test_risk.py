"""Risks against n × n oracles, the papers' numbers, and the bound that no release exceeds."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from covey import Partition
from covey.errors import InvalidParameter, SchemaError
from covey.measures import (
    achieved_k,
    distance_linkage,
    dominance,
    evaluate,
    interval_disclosure,
    l_diversity,
    outlier_linkage,
    probabilistic_linkage,
    record_linkage,
)
from covey.measures.pairs import read_pair
from covey.measures.risk.distance_linkage import distance_links
from covey.measures.risk.fellegi_sunter import fit_model
from covey.techniques import IAMAT, MDAV

from . import oracles

pytestmark = pytest.mark.filterwarnings("ignore::covey.errors.DisclosureWarning")
ONE = {"groups_per_round": 1}
LINKAGES = [record_linkage, distance_linkage, probabilistic_linkage, outlier_linkage]


class TestPublishedNumbers:
    def test_interval_census_mdav(self, census):
        assert self.counts(census, MDAV, ONE) == [214, 79, 29]

    def test_interval_census_iamat(self, census):
        assert self.counts(census, IAMAT, {}) == [202, 93, 60]

    def test_interval_tarragona_mdav(self, tarragona):
        assert self.counts(tarragona, MDAV, ONE) == [63, 32, 34]

    @staticmethod
    def counts(data, technique, parameters):
        """Disclosed records, summed over p = 1..10."""
        risks = [
            interval_disclosure(data, technique(k=k, **parameters).fit_transform(data))
            for k in (3, 4, 5)
        ]
        for risk in risks:
            assert risk.percent == pytest.approx(10 * sum(risk.counts.values()) / len(data))
        return [sum(risk.counts.values()) for risk in risks]

    @pytest.mark.parametrize(
        ("k", "all_seven", "mean"), [(3, 44.074, 22.278), (4, 30.185, 15.309), (5, 25.278, 12.385)]
    )
    def test_record_linkage_census(self, census, k, all_seven, mean):
        """The literal text: ties count as links.

        The spec prints 12.386 for k=5, where this definition gives 12.38549.
        """
        released = MDAV(k=k, **ONE).fit_transform(census)
        risk = record_linkage(census, released, keys=range(7), ties="linked")
        assert len(risk.by_subset) == 127
        assert f"{risk.by_size[7]:.3f}" == f"{all_seven:.3f}"
        assert f"{risk.percent:.3f}" == f"{mean:.3f}"
        shared = record_linkage(census, released, keys=range(7))
        assert shared.percent == pytest.approx(risk.percent, abs=0.002)
        assert shared.percent <= risk.percent

    def test_published_linkage_is_impossible(self, census):
        """K records share a released row, so no subset links more than 2 of k. The published means
        over all subsets (60.71, 49.71, 42.10) exceed twice what the text gives, and at k=4 and 5
        come within a percent of, or exceed, the bound itself.
        """
        for k, published in ((3, 60.71), (4, 49.71), (5, 42.10)):
            risk = record_linkage(census, MDAV(k=k, **ONE).fit_transform(census), keys=range(7))
            assert max(risk.by_subset.values()) <= 200 / k
            assert risk.percent < 0.5 * published


class TestOracles:
    def test_intervals(self, complete_pair):
        X, Y = complete_pair
        assert interval_disclosure(X, Y).counts == oracles.interval_counts(X, Y, range(1, 11))

    @pytest.mark.parametrize("nearest", [1, 2, 3])
    @pytest.mark.parametrize("ties", ["shared", "linked"])
    def test_record_linkage(self, any_pair, nearest, ties):
        X, Y = any_pair
        risk = record_linkage(X, Y, nearest=nearest, ties=ties)
        for names, percent in risk.by_subset.items():
            columns = [int(name) for name in names]
            links = oracles.record_links(X[:, columns], Y[:, columns], nearest, ties == "shared")
            assert percent == pytest.approx(100 * links.mean(), abs=1e-9), names

    def test_distance_linkage(self, any_pair):
        X, Y = any_pair
        np.testing.assert_allclose(distance_links(read_pair(X, Y)), oracles.distance_links(X, Y))

    def test_mahalanobis(self, rng):
        X = rng.normal(size=(50, 3)) @ rng.normal(size=(3, 3))
        Y = MDAV(k=3).fit_transform(X)
        inverse = np.linalg.inv(np.cov(X.T, ddof=0))
        delta = X[:, None] - Y[None]
        D = np.einsum("abi,ij,abj->ab", delta, inverse, delta)
        own = np.diag(D)[:, None]
        tied = (own * (1 + 1e-9) >= D).sum(axis=1)
        links = np.where((own * (1 - 1e-9) > D).any(axis=1), 0, 1 / tied)
        found = distance_linkage(X, Y, metric="mahalanobis").percent
        assert found == pytest.approx(100 * links.mean())

    def test_mahalanobis_of_dependent_variables(self, rng):
        x = rng.normal(size=(30, 1))
        X = np.hstack([x, 2 * x, np.full((30, 1), 5.0)])
        Y = MDAV(k=3).fit_transform(X)
        assert distance_linkage(X, Y, metric="mahalanobis").percent == pytest.approx(
            distance_linkage(x, Y[:, :1]).percent
        )

    @pytest.mark.parametrize("tolerance", [0.01, 0.1])
    def test_probabilistic_linkage(self, any_pair, tolerance):
        X, Y = any_pair
        risk = probabilistic_linkage(X, Y, tolerance=tolerance)
        m, u = (np.array(list(part.values())) for part in (risk.m, risk.u))
        links = oracles.probabilistic_links(X, Y, tolerance, m, u)
        assert risk.percent == pytest.approx(100 * links.mean())

    def test_outliers(self, any_pair):
        X, Y = any_pair
        distances = np.square(oracles.points(X, Y)[0]).sum(axis=1)
        cut = np.sort(distances)[-4]
        links = oracles.distance_links(X, Y)[distances >= cut]
        assert outlier_linkage(X, Y, extreme=10).percent == pytest.approx(100 * links.mean())

    def test_values_and_deviations(self, complete_pair):
        X, Y = complete_pair
        risk = interval_disclosure(X, Y, method="sd", width=0.3)
        inside = (np.abs(X - Y) <= 0.3 * np.where(np.ptp(X, axis=0) > 0, X.std(axis=0), 0)).all(
            axis=1
        )
        assert risk.percent == pytest.approx(100 * inside.mean())
        by_value = interval_disclosure(X, Y, method="value")
        assert by_value.total == X.size
        assert by_value.percent >= interval_disclosure(X, Y).percent - 1e-9


def test_em_finds_the_chances_that_made_the_patterns():
    rng = np.random.default_rng(0)
    m, u, p = np.array([0.95, 0.9, 0.8, 0.7]), np.array([0.1, 0.05, 0.2, 0.02]), 0.05
    match = rng.random(400_000) < p
    agrees = rng.random((400_000, 4)) < np.where(match[:, None], m, u)
    counts = np.bincount(agrees @ (1 << np.arange(4)), minlength=16).astype(float)
    model = fit_model(counts, 20)
    np.testing.assert_allclose(model.m, m, atol=0.02)
    np.testing.assert_allclose(model.u, u, atol=0.01)
    assert model.p == pytest.approx(p, abs=0.005)


@given(
    arrays(np.float64, (24, 3), elements=st.integers(-3, 3).map(float)),
    st.sampled_from([2, 3, 4, 6]),
    st.randoms(use_true_random=False),
)
@settings(max_examples=60, deadline=None)
def test_no_release_links_more_than_two_of_k(X, k, random):
    """RLD ≤ 200/k percent, whatever the groups, ties and duplicates included."""
    labels = list(np.arange(24) // k)
    random.shuffle(labels)
    released = Partition(np.array(labels)).aggregate(X)
    sizes = achieved_k(released)
    assert sizes.k >= k
    risk = record_linkage(X, released)
    assert max(risk.by_subset.values()) <= 200 / k + 1e-9


@pytest.mark.parametrize("measure", LINKAGES)
class TestEveryLinkage:
    def test_order_of_records_does_not_matter(self, measure, any_pair, rng):
        X, Y = any_pair
        order = rng.permutation(len(X))
        assert measure(X[order], Y[order]).percent == pytest.approx(measure(X, Y).percent)

    def test_units_do_not_matter(self, measure, complete_pair):
        X, Y = complete_pair
        moved = measure(X * 1000 - 3, Y * 1000 - 3).percent
        assert moved == pytest.approx(measure(X, Y).percent, abs=1e-6)

    def test_identical_files_without_ties_are_linked(self, measure, rng):
        X = rng.normal(size=(50, 2))
        assert measure(X, X).percent == pytest.approx(100.0)

    def test_constant_release_is_chance(self, measure, rng):
        X = rng.normal(size=(50, 2))
        Y = np.tile(X.mean(axis=0), (50, 1))
        assert measure(X, Y).percent <= 100 * 2 / 50 + 1e-9

    def test_keys(self, measure, rng):
        X = rng.normal(size=(40, 3))
        Y = MDAV(k=3).fit_transform(X)
        chosen = measure(X, Y, keys=[0, 2]).percent
        assert chosen == pytest.approx(measure(X[:, [0, 2]], Y[:, [0, 2]]).percent)

    def test_nothing_but_gaps_in_the_release(self, measure, rng):
        X = rng.normal(size=(20, 2))
        assert measure(X, np.full((20, 2), np.nan)).percent <= 10.0 + 1e-9


class TestScenarios:
    @pytest.fixture
    def pair(self, rng):
        X = rng.normal(size=(30, 4))
        return X, MDAV(k=3).fit_transform(X)

    def test_all_subsets(self, pair):
        risk = distance_linkage(*pair, subsets="all")
        assert list(risk.by_size) == [1, 2, 3, 4]
        assert len(risk.by_subset) == 15
        assert risk.percent == pytest.approx(np.mean(list(risk.by_size.values())))

    def test_sizes_and_lists(self, pair):
        assert len(distance_linkage(*pair, subsets=[2]).by_subset) == 6
        risk = distance_linkage(*pair, subsets=[[0, 1], [0, 1, 2, 3]])
        assert list(risk.by_subset) == [("0", "1"), ("0", "1", "2", "3")]

    def test_probabilistic_subsets(self, pair):
        risk = probabilistic_linkage(*pair, subsets=[2])
        for names, percent in risk.by_subset.items():
            alone = probabilistic_linkage(*pair, keys=[int(name) for name in names])
            assert percent == pytest.approx(alone.percent)
        assert set(risk.m) == {"0", "1", "2", "3"}

    @pytest.mark.parametrize("subsets", ["some", [0], [5], [[]], [], [["x"]], 2])
    def test_mistakes(self, pair, subsets):
        with pytest.raises((InvalidParameter, SchemaError)):
            distance_linkage(*pair, subsets=subsets)

    def test_progress_is_reported(self, pair):
        seen = []
        record_linkage(*pair, progress=lambda *step: seen.append(step))
        assert seen[0] == ("record linkage", 0, 15)
        assert seen[-1] == ("record linkage", 15, 15)


def warnings_of(measure, X, Y, **parameters):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        measure(X, Y, **parameters)
    return [str(warning.message) for warning in caught]


class TestMisalignedRows:
    @pytest.mark.parametrize("n", [20, 50, 200])
    @pytest.mark.parametrize("d", [1, 3, 8])
    def test_shuffled_rows_warn(self, n, d):
        silent = 0
        for seed in range(20):
            rng = np.random.default_rng(seed)
            X = rng.normal(size=(n, d))
            Y = MDAV(k=3).fit_transform(X)[rng.permutation(n)]
            silent += not warnings_of(distance_linkage, X, Y)
        assert silent <= 1

    @pytest.mark.parametrize("measure", LINKAGES)
    def test_every_linkage_warns(self, measure, rng):
        X = rng.normal(size=(200, 3))
        found = warnings_of(measure, X, MDAV(k=3).fit_transform(X)[::-1])
        assert len(found) == 1
        assert "not in the same order" in found[0]

    @pytest.mark.parametrize("n", [6, 12, 30, 200])
    @pytest.mark.parametrize("k", [2, 3, 5])
    def test_aligned_rows_do_not(self, n, k, rng):
        for d in (1, 3, 8):
            X = rng.normal(size=(n, d))
            assert not warnings_of(distance_linkage, X, MDAV(k=k).fit_transform(X))

    def test_two_waves_of_a_panel_do_not(self, rng):
        wave = rng.normal(size=(100, 3))
        X = np.vstack([wave, wave + 0.05 * rng.normal(size=(100, 3))])
        assert not warnings_of(record_linkage, X, MDAV(k=4).fit_transform(X))

    def test_gaps_do_not(self, rng):
        X = rng.normal(size=(60, 2))
        Y = MDAV(k=3).fit_transform(X)
        Y[10:] = np.nan
        assert not warnings_of(distance_linkage, X, Y)

    def test_evaluate_says_it_once(self, rng):
        X = rng.normal(size=(100, 3))
        assert len(warnings_of(evaluate, X, MDAV(k=3).fit_transform(X)[::-1])) == 1


def test_a_last_digit_does_not_decide():
    """Group means by NumPy are often one digit off where all members are equal."""
    x = np.repeat([0.1, 0.5, 0.7], 3)[:, None]
    by_sum = np.array([[x[g * 3 : g * 3 + 3].sum() / 3] * 3 for g in range(3)]).reshape(9, 1)
    assert (by_sum != x).any()
    assert interval_disclosure(x, by_sum).counts == interval_disclosure(10 * x, 10 * x).counts
    assert probabilistic_linkage(x, by_sum).percent == probabilistic_linkage(x, x).percent


class TestDominanceAndDiversity:
    def test_order_of_records_does_not_matter(self, any_pair, rng):
        X, Y = any_pair
        order = rng.permutation(len(X))
        assert dominance(X[order], Y[order]) == dominance(X, Y)
        secrets = rng.integers(0, 3, (len(X), 1))
        assert l_diversity(Y[order], secrets[order])[:2] == l_diversity(Y, secrets)[:2]

    def test_rounding_does_not_dominate(self):
        for values in ([1, 0.8, 0.1, 0], [0.8, 0.1, 1, 0]):
            assert dominance(np.array(values)[:, None], np.ones((4, 1))).by_p_rule == 0

    def test_oracle(self, complete_pair):
        X, Y = complete_pair
        nk = p = 0
        for row in np.unique(Y, axis=0):
            members = (row == Y).all(axis=1)
            for j in range(X.shape[1]):
                x = [*sorted(np.abs(X[members, j]), reverse=True), 0.0]
                nk += x[0] > 0.6 * sum(x) * (1 + 1e-9)
                p += sum(x) > 0 and sum(x[2:]) * (1 + 1e-9) < 0.2 * x[0]
        result = dominance(X, Y, share=60, p=20)
        assert (result.by_nk_rule, result.by_p_rule) == (nk, p)


class TestIntervals:
    def test_gaps_in_the_original_are_passed_over(self):
        X, Y = np.array([[1.0, np.nan], [np.nan, np.nan], [3.0, 5.0]]), np.ones((3, 2)) * [2.0, 5.0]
        risk = interval_disclosure(X, Y + np.array([[0], [0], [1.0]]) * [1, 0], percents=[100])
        assert risk.counts == {100: 1}

    def test_gaps_in_the_release_protect(self):
        X = np.array([[1.0], [2.0]])
        assert interval_disclosure(X, np.array([[1.0], [np.nan]]), percents=[100]).counts == {
            100: 1
        }

    @pytest.mark.parametrize(
        "parameters",
        [
            {"method": "rank"},
            {"percents": []},
            {"percents": [101]},
            {"percents": [5, 5]},
            {"percents": 5},
            {"method": "sd", "width": -1},
            {"method": "sd", "percents": [1]},
            {"width": 0.1},
            {"keys": []},
            {"keys": [0, 0]},
            {"keys": 0},
        ],
    )
    def test_mistakes(self, parameters):
        with pytest.raises(InvalidParameter):
            interval_disclosure([[1.0]], [[1.0]], **parameters)


class TestGroups:
    def test_achieved_k_is_counted_on_the_release(self):
        released = [[1.0, 2.0], [1.0, 2.0], [1.0, 3.0], [-0.0, 0.0], [0.0, 0.0]]
        result = achieved_k(released)
        assert (result.k, result.n_classes, result.unique) == (1, 3, 1)
        assert result.sizes == {1: 1, 2: 2}
        assert achieved_k(released, keys=[0]).k == 2

    def test_missing_equals_missing(self):
        assert achieved_k([[np.nan], [np.nan], [np.nan]]).k == 3

    def test_dominance_by_hand(self):
        """Group 1: 90 of 100 exceed 85 %, and the second, who has 5, is only 5 off.
        Group 2: whoever has 46 is 4 off the 50 of the first, under 10 %. Group 3: even.
        """
        X = np.array([90, 5, 5, 50, 46, 4, 30, 30, 40.0])[:, None]
        Y = np.repeat([[1.0], [2.0], [3.0]], 3, axis=0)
        result = dominance(X, Y)
        assert (result.by_nk_rule, result.by_p_rule, result.n_cells) == (1, 2, 3)
        assert result.percent == pytest.approx(100 * 2 / 3)

    def test_only_released_values_count(self):
        original = [[95.0, 1.0], [3.0, 1.0], [2.0, 1.0], [99.0, 2.0], [np.nan, 2.0], [np.nan, 2.0]]
        released = [[100 / 3, 1.0]] * 3 + [[np.nan, 2.0]] * 3
        result = dominance(original, released)
        assert (result.n_cells, result.by_nk_rule) == (3, 1)
        assert result.by_variable == {"0": 1, "1": 0}
        assert result.cells_by_variable == {"0": 1, "1": 2}
        assert result.percent == pytest.approx(100 / 3)

    def test_zeros_are_not_dominated(self):
        assert dominance(np.zeros((4, 1)), np.zeros((4, 1))).percent == 0.0

    def test_diversity_by_hand(self):
        released = [[1.0]] * 3 + [[2.0]] * 3
        result = l_diversity(released, np.array(["a", "b", "c", "a", "a", "a"])[:, None])
        assert (result.l, result.percent) == (1, 50.0)
        assert result.entropy_l == pytest.approx(1.0)

    def test_diversity_needs_all_records(self):
        with pytest.raises(SchemaError, match="2 records"):
            l_diversity([[1.0], [1.0]], [["a"], ["b"], ["c"]])


def test_too_many_keys():
    with pytest.raises(InvalidParameter, match="at most 20 keys; got 21"):
        probabilistic_linkage(np.ones((3, 21)), np.ones((3, 21)))


@pytest.mark.parametrize("kind", ["plain", "ties"])
def test_larger_files_agree_with_the_oracles(kind):
    """Enough records for trees and rank windows to matter."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(400, 4)) if kind == "plain" else rng.integers(0, 6, (400, 4)).astype(float)
    Y = MDAV(k=3).fit_transform(X)
    expected = oracles.record_links(X, Y, 2, shared=True).mean()
    assert record_linkage(X, Y, subsets=None).percent == pytest.approx(100 * expected)
    assert distance_linkage(X, Y).percent == pytest.approx(
        100 * oracles.distance_links(X, Y).mean()
    )
    risk = probabilistic_linkage(X, Y, tolerance=0.03)
    m, u = (np.array(list(part.values())) for part in (risk.m, risk.u))
    links = oracles.probabilistic_links(X, Y, 0.03, m, u)
    assert risk.percent == pytest.approx(100 * links.mean())
