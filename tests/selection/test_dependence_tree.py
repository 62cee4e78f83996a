"""Dependence trees: weights, tree, choice, use by a technique, picture."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import mutual_info_score

from covey.datasets import make_dependence_tree
from covey.errors import InvalidParameter
from covey.selection import DependenceTree
from covey.selection.dependence import (
    binned_weights,
    cell_shares,
    chi2,
    correlation_weights,
    freedman_diaconis,
)
from covey.selection.dependence_tree import maximum_spanning_tree
from covey.selection.drawing import tree_layout
from covey.techniques import IAMAT


def test_emim_is_mutual_information(rng):
    X = rng.integers(0, 5, size=(200, 3)).astype(float)
    X[:, 1] += X[:, 0]
    weights = binned_weights(X, np.ones(3), "emim")
    for i, j in combinations(range(3), 2):
        assert weights[i, j] == pytest.approx(mutual_info_score(X[:, i], X[:, j]), abs=1e-12)


def test_chi2_is_over_all_cells(rng):
    a, b = rng.integers(0, 4, 100), rng.integers(0, 3, 100)
    joint = np.zeros((4, 3))
    np.add.at(joint, (a, b), 1 / 100)
    expected = joint.sum(axis=1)[:, None] * joint.sum(axis=0)[None]
    literal = (np.square(joint - expected) / expected).sum()
    assert chi2(cell_shares(a, b)) == pytest.approx(literal)


def test_codes_use_absolute_width(rng):
    """Bins of width 10 from the minimum: 0..9.99 is one bin, 10 the next."""
    X = np.array([[0.0, 1.0], [9.99, 1.0], [10.0, 2.0], [25.0, 2.0]])
    weights = binned_weights(X, np.array([10.0, 1.0]), "emim")
    codes = np.array([0, 0, 1, 2])
    assert weights[0, 1] == pytest.approx(mutual_info_score(codes, X[:, 1]))


def test_one_bin_means_weight_zero(rng):
    X = np.column_stack([rng.normal(size=50), rng.normal(size=50), np.full(50, 3.0)])
    assert (binned_weights(X, np.full(3, 100.0), "chi2") == 0.0).all()
    tree = DependenceTree(1, "correlation").fit(X).tree_
    assert [edge.weight for edge in tree.edges if 2 in (edge.first, edge.second)] == [0.0]


def brute_force_best(weights):
    d = weights.shape[0]
    pairs = list(combinations(range(d), 2))

    def spans(edges):
        reached = {0}
        for _ in range(d):
            reached |= {j for edge in edges if set(edge) & reached for j in edge}
        return len(reached) == d

    return max(
        sum(weights[e] for e in edges) for edges in combinations(pairs, d - 1) if spans(edges)
    )


def test_tree_is_the_heaviest(rng):
    for _ in range(10):
        weights = rng.random((5, 5))
        weights = weights + weights.T
        tree = maximum_spanning_tree(weights)
        assert tree.weight == pytest.approx(brute_force_best(weights))
        assert tree.degrees.sum() == 8


def test_equal_weights_go_in_order_of_the_variables():
    tree = maximum_spanning_tree(np.ones((4, 4)))
    assert [(e.first, e.second) for e in tree.edges] == [(0, 1), (0, 2), (0, 3)]


def test_automatic_width_recovers_a_tree():
    data = make_dependence_tree(5000, 6, 1)
    tree = DependenceTree(2).fit(data.X).tree_
    assert {(edge.first, edge.second) for edge in tree.edges} == data.edges


def test_automatic_width_survives_mostly_equal_values():
    X = np.zeros((100, 2))
    X[:5] = np.arange(10).reshape(5, 2)
    assert (freedman_diaconis(X) > 0).all()
    assert (freedman_diaconis(np.zeros((10, 1))) == 1.0).all()


def test_names_and_numbers(rng):
    X = rng.normal(size=(80, 4))
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    by_number = DependenceTree(2).fit(X).variables_
    assert DependenceTree(2).fit(frame).variables_ == ["abcd"[j] for j in by_number]


def test_a_technique_takes_a_selector(rng):
    X = rng.normal(size=(80, 5))
    chosen = DependenceTree(2).fit(X).variables_
    technique = IAMAT(variables=DependenceTree(2)).fit(X)
    assert technique.partition_ == IAMAT(variables=chosen).fit(X).partition_
    assert technique.selector_.variables_ == chosen
    frame = pd.DataFrame(X, columns=list("abcde"))
    assert IAMAT(variables=DependenceTree(2)).fit(frame).partition_ == technique.partition_


@pytest.mark.parametrize(
    "parameters",
    [
        {"n_variables": 0},
        {"n_variables": 9},
        {"weight": "mutual"},
        {"width": 0},
        {"width": "wide"},
        {"weight": "correlation", "width": 3},
    ],
)
def test_bad_parameters(parameters, rng):
    with pytest.raises(InvalidParameter):
        DependenceTree(**parameters).fit(rng.normal(size=(30, 4)))


def test_layout_has_no_two_variables_in_one_place():
    for seed in range(20):
        data = make_dependence_tree(300, 12, seed)
        places = tree_layout(DependenceTree(1).fit(data.X).tree_)
        assert len(places) == len(set(places.values())) == 12


def test_plot(rng):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    frame = pd.DataFrame(rng.normal(size=(50, 4)), columns=["age", "income", "rent", "hours"])
    selector = DependenceTree(2).fit(frame)
    ax = selector.plot()
    drawn = {text.get_text() for text in ax.texts}
    assert set(frame.columns) <= drawn
    assert len(ax.lines) == 3
    dark = {t.get_text() for t in ax.texts if t.get_color() == "white"}
    assert dark == set(selector.variables_)
    matplotlib.pyplot.close("all")


def test_automatic_width_is_freedman_and_diaconis(rng):
    X = rng.normal(size=(1000, 1))
    low, high = np.percentile(X, [25, 75])
    assert freedman_diaconis(X)[0] == pytest.approx(2 * (high - low) / 10)


@pytest.mark.parametrize("factor", [1e-200, 1e200])
def test_correlation_at_any_magnitude(factor, rng):
    X = rng.normal(size=(50, 3))
    np.testing.assert_allclose(correlation_weights(X * factor), correlation_weights(X), atol=1e-12)
