"""Losses against plain NumPy, the papers' numbers and degenerate input."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

from covey.errors import InvalidParameter, SchemaError
from covey.measures import (
    distance_linkage,
    eigenvalues,
    g_il,
    il,
    il1s,
    il_domingo_torra,
    per_variable,
    record_linkage,
)
from covey.techniques import IAMAT, MDAV

from . import oracles
from .conftest import make_pair

MEASURES = [il, g_il, il_domingo_torra, il1s, eigenvalues, per_variable]
ONE = {"groups_per_round": 1}


class TestPublishedNumbers:
    @pytest.mark.parametrize(("k", "value"), [(3, 28.60868), (4, 33.25434), (5, 38.67247)])
    def test_census_mdav(self, census, k, value):
        found = g_il(census, MDAV(k=k, **ONE).fit_transform(census)).percent
        assert f"{found:.5f}" == f"{value:.5f}"

    @pytest.mark.parametrize(("k", "value"), [(3, 75.98084), (4, 52.36571), (5, 66.47549)])
    def test_tarragona_mdav(self, tarragona, k, value):
        found = g_il(tarragona, MDAV(k=k, **ONE).fit_transform(tarragona)).percent
        assert f"{found:.5f}" == f"{value:.5f}"

    @pytest.mark.parametrize(("k", "value"), [(3, 22.1508), (4, 30.3127), (5, 34.9605)])
    def test_census_iamat(self, census, k, value):
        found = g_il(census, IAMAT(k=k).fit_transform(census)).percent
        assert f"{found:.4f}" == f"{value:.4f}"


class TestOracles:
    def test_g_il(self, complete_pair):
        X, Y = complete_pair
        found = g_il(X, Y)
        np.testing.assert_allclose(found[2:], oracles.g_il_parts(X, Y), rtol=1e-9, atol=1e-12)
        assert found.percent == pytest.approx(20 * sum(found[2:]))

    def test_il_domingo_torra_has_the_same_parts_in_another_order(self, complete_pair):
        ours, theirs = il_domingo_torra(*complete_pair), g_il(*complete_pair)
        assert ours[2:] == (theirs.m1, theirs.m2, theirs.m4, theirs.m3, theirs.m5)
        assert ours.percent == pytest.approx(theirs.percent)

    def test_relative_correlations(self, complete_pair):
        X, Y = complete_pair
        if X.shape[1] == 1:
            assert il_domingo_torra(X, Y, correlations="relative").il5 == 0
            return
        r, s = oracles.correlations(X), oracles.correlations(Y)
        above = np.triu_indices(X.shape[1], 1)
        expected = [oracles.variation(a, b) for a, b in zip(r[above], s[above], strict=True)]
        found = il_domingo_torra(X, Y, correlations="relative").il5
        assert found == pytest.approx(np.mean(expected), abs=1e-9)

    def test_il_is_the_partitions(self, rng):
        X = rng.normal(size=(60, 4))
        technique = MDAV(k=4)
        assert il(X, technique.fit_transform(X)).percent == pytest.approx(technique.il_)

    def test_il1s(self, complete_pair):
        X, Y = complete_pair
        deviation = X.std(axis=0, ddof=1)
        moving = np.ptp(X, axis=0) > 0
        terms = np.abs(X - Y)[:, moving] / (np.sqrt(2) * deviation[moving])
        assert il1s(X, Y).percent == pytest.approx(100 * terms.sum() / X.size)

    def test_eigenvalues(self, rng):
        X = rng.normal(size=(50, 3)) @ rng.normal(size=(3, 3))
        Y = MDAV(k=3).fit_transform(X)
        before = np.linalg.eigvalsh(np.corrcoef(X.T))[::-1]
        scaled = (Y - X.mean(axis=0)) / X.std(axis=0)
        after = np.linalg.eigvalsh(np.cov(scaled.T, ddof=0))[::-1]
        result = eigenvalues(X, Y)
        np.testing.assert_allclose(result.original, before)
        np.testing.assert_allclose(result.released, after)
        assert result.percent == pytest.approx(100 * np.mean(np.abs(before - after) / before))

    def test_per_variable(self, rng):
        X = rng.normal(size=(80, 3)) * 10
        Y = MDAV(k=4).fit_transform(X) + 1.0
        losses = per_variable(X, Y).by_variable
        for j in range(3):
            loss = losses[str(j)]
            assert loss.mean == pytest.approx(
                100 * (Y[:, j].mean() - X[:, j].mean()) / X[:, j].std()
            )
            assert loss.variance == pytest.approx(100 * (1 - Y[:, j].var() / X[:, j].var()))
            shift = np.quantile(Y[:, j], 0.95) - np.quantile(X[:, j], 0.95)
            assert loss.quantiles[-1] == pytest.approx(100 * shift / X[:, j].std())
            change = np.abs(np.corrcoef(X.T) - np.corrcoef(Y.T))[j]
            assert loss.correlation == pytest.approx(100 * change.sum() / 2)


@pytest.mark.parametrize("measure", MEASURES)
class TestEveryLoss:
    def test_identical_files_lose_nothing(self, measure, any_pair):
        X, _ = any_pair
        result = measure(X, X)
        assert result.percent == result.bounded == 0.0

    def test_bounded_is_bounded(self, measure, any_pair):
        X, Y = any_pair
        for released in (Y, Y + 1e9, 1e6 * Y):
            assert 0.0 <= measure(X, released).bounded <= 100.0

    def test_order_of_records_does_not_matter(self, measure, any_pair, rng):
        X, Y = any_pair
        order = rng.permutation(len(X))
        assert measure(X[order], Y[order]).percent == pytest.approx(measure(X, Y).percent)

    def test_gaps_equal_what_is_left(self, measure, rng):
        """Records missing altogether in one file might as well not be there."""
        X = rng.normal(size=(30, 2))
        Y = MDAV(k=3).fit_transform(X)
        with_gaps = Y.copy()
        with_gaps[[3, 17]] = np.nan
        if measure in (g_il, il_domingo_torra):
            kept = np.delete(np.arange(30), [3, 17])
            assert measure(X, with_gaps).percent == pytest.approx(measure(X[kept], Y[kept]).percent)
        assert np.isfinite(measure(X, with_gaps).percent)

    def test_everything_missing(self, measure):
        X = np.arange(6.0).reshape(3, 2)
        lost = 100.0 if measure is il else 0.0  # il counts what was taken away
        assert measure(X, np.full((3, 2), np.nan)).percent == pytest.approx(lost)

    def test_nothing_varies(self, measure):
        assert measure(np.full((4, 2), 3.0), np.full((4, 2), 3.0)).percent == 0.0

    def test_frames_match_columns_by_name(self, measure, rng):
        X = rng.normal(size=(20, 2))
        Y = MDAV(k=3).fit_transform(X)
        original = pd.DataFrame(X, columns=["a", "b"])
        released = pl.DataFrame({"b": Y[:, 1], "a": Y[:, 0]})
        assert measure(original, released).percent == pytest.approx(measure(X, Y).percent)

    @pytest.mark.parametrize(
        ("original", "released", "words"),
        [
            (np.ones((4, 2)), np.ones((5, 2)), "4 records and the release 5"),
            (np.ones((4, 2)), np.ones((4, 3)), "2 columns and the release 3"),
            (
                pd.DataFrame({"a": [1.0], "b": [1.0]}),
                pd.DataFrame({"a": [1.0], "c": [1.0]}),
                "only in the original: 'b'; only in the release: 'c'",
            ),
        ],
    )
    def test_misaligned_files_are_refused(self, measure, original, released, words):
        with pytest.raises(SchemaError, match=words):
            measure(original, released)

    def test_columns_can_be_chosen(self, measure, rng):
        X = rng.normal(size=(20, 3))
        Y = MDAV(k=3).fit_transform(X)
        assert measure(X, Y, [2, 0]).percent == pytest.approx(
            measure(X[:, [2, 0]], Y[:, [2, 0]]).percent
        )


@pytest.mark.parametrize("factor", [1e-200, 1e-170, 1e160, 1e290])
@pytest.mark.parametrize("measure", [*MEASURES, distance_linkage, record_linkage])
def test_units_never_matter(measure, factor, rng):
    X = rng.normal(size=(40, 3))
    Y = MDAV(k=3).fit_transform(X)
    assert measure(X * factor, Y * factor).percent == pytest.approx(measure(X, Y).percent)


def pairwise(X, Y):
    """Correlations over the records that both files know in both variables."""
    d = X.shape[1]
    found = np.zeros((2, d, d))
    for i in range(d):
        for j in range(d):
            rows = ~np.isnan(X[:, [i, j]] + Y[:, [i, j]]).any(axis=1)
            for f, Z in enumerate((X, Y)):
                if np.ptp(Z[rows, i]) > 0 and np.ptp(Z[rows, j]) > 0:
                    found[f, i, j] = np.corrcoef(Z[rows, i], Z[rows, j])[0, 1]
    return found


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_correlations_with_gaps(seed):
    X, Y = make_pair("gaps", seed)
    r, s = pairwise(X, Y)
    above = np.triu_indices(3, 1)
    assert g_il(X, Y).m5 == pytest.approx(np.abs(r - s)[above].mean())


def test_gaps_never_give_correlations_beyond_one():
    X = np.array([[10, 10], [-10, -10], *([[0, np.nan]] * 20), *([[np.nan, 0]] * 20)], dtype=float)
    Y = X.copy()
    Y[:2, 1] *= -1
    assert g_il(X, Y).m5 == pytest.approx(2.0)
    assert g_il(X, Y).bounded <= 100
    assert (eigenvalues(X, Y).released >= 0).all()


def test_unknown_option():
    with pytest.raises(InvalidParameter, match="correlations must be"):
        il_domingo_torra([[1.0]], [[1.0]], correlations="squared")
