"""Oommen & Fayyoumi 2011, variables chosen by dependence trees (EMAD)."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from covey.datasets import make_dependence_tree
from covey.selection import DependenceTree

from .published import ALL_SUBSETS, FILES, FOUR_VARIABLES, SELECTIONS, THREE_VARIABLES
from .reproduction import il_of_selection


@pytest.fixture
def files(tarragona, census):
    return {"tarragona": tarragona, "census": census}


@pytest.mark.parametrize(("file", "weight", "width", "sure", "tied"), SELECTIONS)
def test_selections(files, file, weight, width, sure, tied):
    selector = DependenceTree(3, weight, width).fit(files[file])
    found = {frozenset(j + 1 for j in choice) for choice in selector.possibilities_}
    expected = {frozenset(sure | set(rest)) for rest in combinations(tied, 3 - len(sure))}
    assert found == expected
    assert frozenset(j + 1 for j in selector.variables_) in expected


@pytest.mark.parametrize("file", FILES)
def test_three_variable_losses(files, file):
    for variables, published in THREE_VARIABLES[file].items():
        il = il_of_selection(files[file], variables, last_group=False)
        assert f"{il:.4f}" == f"{published:.4f}", variables


@pytest.mark.parametrize("file", FILES)
def test_four_variable_losses_used_the_three_lowest(files, file):
    """Table 6 gives, for four variables, the loss of the three with the lowest numbers.

    One row, Census {2,7,8,10}, repeats the value of {2,5,8,10} above it instead.
    """
    for variables, published in FOUR_VARIABLES[file].items():
        counted = (2, 5, 8) if variables == (2, 7, 8, 10) else variables[:3]
        il = il_of_selection(files[file], counted, last_group=False)
        assert f"{il:.4f}" == f"{published:.4f}", variables


# Census has many tied records; its means differ in the second decimal.
@pytest.mark.parametrize(("file", "tolerance"), [("tarragona", 5e-5), ("census", 0.012)])
def test_all_subsets(files, file, tolerance):
    """Table 4 for three, four and five of thirteen variables: only the three lowest counted."""
    low_at, low, high_at, high, means = ALL_SUBSETS[file]
    losses = {
        triple: il_of_selection(files[file], triple, last_group=False)
        for triple in combinations(range(1, 14), 3)
    }
    assert min(losses, key=losses.__getitem__) == low_at
    assert max(losses, key=losses.__getitem__) == high_at
    found = [min(losses.values()), max(losses.values())]
    assert [f"{il:.4f}" for il in found] == [f"{il:.4f}" for il in (low, high)]
    for size, published in zip((3, 4, 5), means, strict=True):
        mean = np.mean([losses[chosen[:3]] for chosen in combinations(range(1, 14), size)])
        assert mean == pytest.approx(published, abs=tolerance)


BEST_FOUR = [("tarragona", (2, 8, 11, 13), 19.2951), ("census", (1, 4, 8, 10), 11.8530)]


@pytest.mark.parametrize(("file", "four", "loss"), BEST_FOUR)
def test_a_fourth_variable_does_help(files, file, four, loss):
    """The paper saw no gain because it used three of the four."""
    assert f"{il_of_selection(files[file], four, last_group=True):.4f}" == f"{loss:.4f}"
    lowest_of_three = ALL_SUBSETS[file][1]
    assert loss < lowest_of_three


@pytest.mark.slow
@pytest.mark.parametrize(("file", "four", "loss"), BEST_FOUR)
def test_no_other_four_variables_lose_less(files, file, four, loss):
    losses = {
        chosen: il_of_selection(files[file], chosen, last_group=True)
        for chosen in combinations(range(1, 14), 4)
    }
    assert min(losses, key=losses.__getitem__) == four


class TestTreeRecovery:
    """Section 4.2.1: is the tree that generated the data found again?"""

    @staticmethod
    def recovered(n, tree, weight, width, draws):
        count = 0
        for seed in range(draws):
            data = make_dependence_tree(n, tree, seed)
            found = DependenceTree(1, weight, width).fit(data.X).tree_.edges
            count += {(edge.first, edge.second) for edge in found} == data.edges
        return count

    @pytest.mark.parametrize("weight", ["emim", "chi2"])
    @pytest.mark.parametrize("tree", ["siblings related", "siblings unrelated"])
    def test_binary_sets(self, tree, weight):
        assert self.recovered(5000, tree, weight, 1, draws=20) == 20

    def test_more_records_recover_more(self):
        counts = [self.recovered(n, "siblings unrelated", "emim", 1, 20) for n in (50, 500, 5000)]
        assert counts == sorted(counts)
        assert counts[0] < 5

    def test_related_siblings_are_learnt_faster(self):
        related = self.recovered(150, "siblings related", "emim", 1, 20)
        assert related > self.recovered(150, "siblings unrelated", "emim", 1, 20)

    @pytest.mark.parametrize(
        ("d", "n", "widths"),
        [(8, 5000, (50, 100, 150)), (16, 10_000, (70, 100, 120)), (22, 20_000, (90, 100, 110))],
    )
    def test_simulated_sets(self, d, n, widths):
        for width in widths:
            assert self.recovered(n, d, "emim", width, draws=3) == 3

    def test_correlation_does_not_recover(self):
        assert self.recovered(10_000, 16, "correlation", "auto", draws=5) < 5
