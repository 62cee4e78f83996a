"""Nin & Torra 2008, projected microaggregation (PCP, z-scores, Sugeno). Its Table 1 does not
reproduce; its definitions are held to here.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from covey.errors import DisclosureWarning
from covey.projections import QUANTIFIERS, first_component, sugeno, sum_of_zscores
from covey.techniques import IndividualRanking, Projected


def test_component_has_the_largest_variance(census, rng):
    """Equation (1): no other unit vector gives a projection with more variance."""
    scores = (census - census.mean(axis=0)) / census.std(axis=0)
    largest = first_component(census).var()
    directions = rng.normal(size=(500, 13))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    assert largest >= (scores @ directions.T).var(axis=0).max()
    assert largest == pytest.approx(np.linalg.eigvalsh(scores.T @ scores / 1080)[-1])


def test_component_sign_is_fixed(census):
    scores = (census - census.mean(axis=0)) / census.std(axis=0)
    loadings = scores.T @ first_component(census)
    assert loadings[np.argmax(np.abs(loadings))] > 0


def test_zscores_as_printed_and_as_meant(census):
    deviations = census - census.mean(axis=0)
    meant = (deviations / census.std(axis=0)).sum(axis=1)
    printed = (deviations / census.var(axis=0)).sum(axis=1)
    np.testing.assert_allclose(sum_of_zscores(census), meant, atol=1e-9)
    np.testing.assert_allclose(sum_of_zscores(census, "variance"), printed, atol=1e-9)


def test_sugeno_is_definition_2(census):
    unit = (census - census.min(axis=0)) / np.ptp(census, axis=0)
    for record in range(0, 1080, 40):
        a = sorted(unit[record], reverse=True)
        expected = max(min((i + 1) / 13, a[i]) for i in range(13))
        assert sugeno(census, QUANTIFIERS["linear"])[record] == pytest.approx(expected)


@pytest.mark.parametrize("projection", ["pca", "zscores", "sugeno"])
@pytest.mark.parametrize(("v", "blocks"), [(2, 7), (3, 5), (4, 4)])
def test_blocks_of_the_experiments(census, projection, v, blocks):
    """Consecutive blocks of v of 13 variables; the last takes what remains."""
    technique = Projected(k=5, projection=projection, block_size=v)
    with pytest.warns(DisclosureWarning, match="whole released records may be unique"):
        technique.fit(census)
    assert len(technique.blocks_) == blocks
    assert technique.blocks_[-1].variables == (12,)
    assert [j for block in technique.blocks_ for j in block.variables] == list(range(13))
    assert min(block.partition.sizes.min() for block in technique.blocks_) >= 5
    assert technique.guarantee_ == "per block"


def test_blocks_do_not_protect_whole_records(census):
    """The reason for the warning: most released records are unique."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DisclosureWarning)
        released = Projected(k=5, block_size=4).fit_transform(census)
        ranked = IndividualRanking(k=5).fit_transform(census)
    for values in (released, ranked):
        counts = np.unique(values, axis=0, return_counts=True)[1]
        assert (counts == 1).sum() > 500
    joint = Projected(k=5).fit_transform(census)
    assert np.unique(joint, axis=0, return_counts=True)[1].min() >= 5


def test_individual_ranking_loses_least(eia10):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DisclosureWarning)
        losses = [
            IndividualRanking(k=5).fit(eia10).il_,
            Projected(k=5, block_size=2).fit(eia10).il_,
            Projected(k=5).fit(eia10).il_,
        ]
    assert losses == sorted(losses)


def test_two_variables_leave_no_choice_between_pca_and_zscores(census):
    """With v = 2 and a positive correlation both projections are x + y up to a factor, so the
    PCP and Zscores rows of Table 1 cannot differ as they do.
    """
    correlations = np.corrcoef(census.T)
    for j in range(0, 12, 2):
        pair = census[:, [j, j + 1]]
        if correlations[j, j + 1] > 0:
            np.testing.assert_allclose(
                first_component(pair) * np.sqrt(2), sum_of_zscores(pair), atol=1e-9
            )
