"""Projected microaggregation: projections, parameters, blocks."""

from __future__ import annotations

import numpy as np
import pytest

from covey.errors import InvalidParameter
from covey.techniques import OptimalUnivariate, Projected


@pytest.mark.parametrize(
    "projection", ["pca", "zscores", "sugeno", "choquet", "owa", "wowa", "variable"]
)
def test_records_are_cut_along_the_projection(projection, rng):
    """Groups are intervals of the projection, and the best ones."""
    X = rng.lognormal(size=(80, 4))
    technique = Projected(k=3, projection=projection).fit(X)
    position = technique._project(X)
    assert technique.partition_.sse(position[:, None]) == pytest.approx(
        OptimalUnivariate(k=3).fit(position[:, None]).partition_.sse(position[:, None])
    )


def test_a_function_can_project(rng):
    X = rng.normal(size=(40, 3))
    by_function = Projected(projection=lambda values: values[:, 1]).fit(X)
    assert (
        by_function.partition_ == Projected(projection="variable", variables=[1]).fit(X).partition_
    )


@pytest.mark.parametrize(
    "function", [lambda values: values, lambda values: values[:, 0] * np.nan, lambda values: 3.0]
)
def test_a_function_must_give_one_finite_number_each(function):
    with pytest.raises(InvalidParameter, match="one finite number"):
        Projected(projection=function).fit(np.arange(20.0).reshape(10, 2))


@pytest.mark.parametrize(
    "parameters",
    [
        {"projection": "pca", "scale": "variance"},
        {"projection": "zscores", "quantifier": "square"},
        {"projection": "sugeno", "weights": [0.5, 0.5]},
        {"block_size": 1, "variables": [0]},
        {"projection": "owa", "weights": [1.0]},
        {"projection": "wowa", "weights": [-1.0, 2.0]},
        {"projection": "wowa", "weights": [0.0, 0.0]},
        {"projection": "sugeno", "quantifier": lambda share: 1 - share},
        {"projection": "sugeno", "quantifier": lambda share: share * 0.5},
        {"projection": "nonsense"},
        {"block_size": 0},
    ],
)
def test_no_parameter_is_ignored(parameters):
    with pytest.raises(InvalidParameter):
        Projected(**parameters).fit(np.arange(20.0).reshape(10, 2))


@pytest.mark.filterwarnings("ignore::covey.errors.DisclosureWarning")
def test_weights_must_fit_every_block(rng):
    X = rng.normal(size=(30, 5))
    with pytest.raises(InvalidParameter, match="1 numbers"):
        Projected(projection="owa", weights=[0.7, 0.3], block_size=2).fit(X)
    Projected(projection="owa", weights=[0.7, 0.3], block_size=2).fit(X[:, :4])
