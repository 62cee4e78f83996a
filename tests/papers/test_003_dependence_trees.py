"""Paper 003: Oommen & Fayyoumi 2011, variables chosen by dependence trees (EMAD)."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from covey.datasets import make_dependence_tree
from covey.selection import DependenceTree

from .reproduction import il_of_selection

# Tables 5, 7 and 8: variables that are always chosen, those tied at the cut; 1-based.
SELECTIONS = [
    ("tarragona", "emim", 50_000, {4, 7}, {1, 2, 6, 10, 12}),
    ("tarragona", "emim", 100_000, {4, 7}, {1, 2, 12}),
    ("tarragona", "emim", 150_000, {4, 7}, {2, 12}),
    ("census", "emim", 1_000, {1, 10}, {7, 12}),
    ("census", "emim", 5_000, {2, 10}, {1, 5, 7, 8, 12, 13}),
    ("census", "emim", 10_000, {1, 2, 12}, set()),
    ("tarragona", "chi2", 50_000, {2, 7, 12}, set()),
    ("tarragona", "chi2", 100_000, {1, 7, 12}, set()),
    ("tarragona", "chi2", 150_000, {4, 7, 12}, set()),
    ("census", "chi2", 1_000, {1, 10}, {7, 12}),
    ("census", "chi2", 5_000, set(), {2, 5, 8, 10}),
    ("census", "chi2", 10_000, set(), {1, 5, 8, 12}),
    ("tarragona", "correlation", "auto", {2, 4}, {1, 6, 7, 10, 12}),
    ("census", "correlation", "auto", {4, 10}, {5, 6, 7, 9, 12}),
]

# Three-variable ILs of Tables 5, 7 and 8. Table 5 prints 16.2332 for {2,8,10}; Tables 6 and 7
# print 16.2322 for the same set, which is what it gives.
THREE_VARIABLES = {
    "tarragona": {
        (1, 4, 7): 24.1333, (4, 7, 10): 24.1881, (2, 4, 7): 25.0465, (4, 7, 12): 25.6574,
        (4, 6, 7): 25.6826, (2, 7, 12): 25.0923, (1, 7, 12): 24.8137, (2, 4, 10): 23.1068,
        (1, 2, 4): 24.9648, (2, 4, 12): 25.9818, (2, 4, 6): 26.0992, (2, 3, 10): 20.7141,
        (5, 6, 11): 34.1569,
    },
    "census": {
        (1, 7, 10): 17.4700, (1, 10, 12): 25.3632, (2, 8, 10): 16.2322, (2, 5, 10): 17.3421,
        (1, 2, 10): 17.7012, (2, 10, 13): 21.0694, (2, 7, 10): 21.1128, (2, 10, 12): 21.5828,
        (1, 2, 12): 18.2996, (2, 5, 8): 17.0012, (5, 8, 10): 22.5430, (1, 5, 8): 18.1627,
        (1, 8, 12): 18.8725, (1, 5, 12): 20.2778, (5, 8, 12): 21.9324, (4, 5, 10): 16.3416,
        (4, 9, 10): 16.8352, (4, 6, 10): 19.6712, (4, 7, 10): 20.2959, (4, 10, 12): 20.9725,
        (7, 8, 10): 15.6043, (1, 8, 9): 45.815,
    },
}  # fmt: skip

# Table 6, four variables.
FOUR_VARIABLES = {
    "tarragona": {
        (1, 4, 7, 10): 24.1333, (1, 4, 7, 12): 24.1333, (4, 7, 10, 12): 24.1881,
        (1, 4, 6, 7): 24.2114, (1, 2, 4, 7): 24.9648, (2, 4, 7, 10): 25.0465,
        (2, 4, 7, 12): 25.0465, (4, 6, 7, 10): 25.6826, (4, 6, 7, 12): 25.6826,
        (2, 4, 6, 7): 26.0992,
    },
    "census": {
        (1, 7, 10, 12): 17.4700, (2, 8, 10, 12): 16.2322, (2, 8, 10, 13): 16.2322,
        (2, 5, 8, 10): 17.0012, (2, 5, 10, 12): 17.3421, (2, 5, 10, 13): 17.3421,
        (1, 2, 10, 12): 17.7012, (1, 2, 10, 13): 17.7012, (1, 2, 5, 10): 19.4846,
        (2, 7, 10, 12): 21.1128, (2, 7, 10, 13): 21.1128, (2, 10, 12, 13): 21.5828,
        (1, 2, 8, 10): 21.9116, (2, 5, 7, 10): 23.0105, (1, 2, 7, 10): 26.4757,
        (1, 2, 5, 12): 19.4846, (1, 2, 8, 12): 21.9116, (1, 2, 7, 12): 26.4757,
    },
}  # fmt: skip


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


@pytest.mark.parametrize("file", ["tarragona", "census"])
def test_three_variable_losses(files, file):
    for variables, published in THREE_VARIABLES[file].items():
        il = il_of_selection(files[file], variables, last_group=False)
        assert f"{il:.4f}" == f"{published:.4f}", variables


@pytest.mark.parametrize("file", ["tarragona", "census"])
def test_four_variable_losses_used_the_three_lowest(files, file):
    """Table 6 gives, for four variables, the loss of the three with the lowest numbers.

    Left out: its row {2,7,8,10}, which repeats the value of the row {2,5,8,10} above it.
    """
    for variables, published in FOUR_VARIABLES[file].items():
        il = il_of_selection(files[file], variables[:3], last_group=False)
        assert f"{il:.4f}" == f"{published:.4f}", variables


@pytest.mark.parametrize(
    ("file", "low", "low_at", "high", "high_at", "means", "tolerance"),
    [
        ("tarragona", 20.7141, (2, 3, 10), 34.1569, (5, 6, 11), (25.1587, 25.4997, 25.6141), 5e-5),
        # Census has many tied records; the means differ in the second decimal.
        ("census", 15.6043, (7, 8, 10), 45.815, (1, 8, 9), (21.2046, 22.0308, 22.8299), 0.012),
    ],
)
def test_all_subsets(files, file, low, low_at, high, high_at, means, tolerance):
    """Table 4 for three, four and five of thirteen variables: only the three lowest counted."""
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


@pytest.mark.parametrize(("file", "true_minimum"), [("tarragona", 19.2951), ("census", 11.8530)])
def test_a_fourth_variable_does_help(files, file, true_minimum):
    """The paper saw no gain because it used three of the four."""
    losses = [
        il_of_selection(files[file], four, last_group=True)
        for four in combinations(range(1, 14), 4)
    ]
    assert f"{min(losses):.4f}" == f"{true_minimum:.4f}"


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
