"""The embedding: coordinates and distances that were computed by hand."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from covey.pipeline.reference import Survey
from covey.scaling import SCALINGS, standardize
from covey.tables.kinds import Kinds
from covey.tables.roles import assign_roles
from covey.tables.variables import read_variable


def variable(column, name="x", **kinds):
    return read_variable(name, pa.array(column), Kinds.read(**kinds))


def embed(variables, scaling="zscore", importance=None):
    """All records, surveyed and embedded as a release does it."""
    table = pa.table({v.name: v.restore(v.values) for v in variables})
    ordered = {v.name: v for v in variables if v.kind == "ordinal"}
    levels = {
        n: tuple(v.categories.to_pylist()) if v.is_category else () for n, v in ordered.items()
    }
    kinds = Kinds.read(ordinal=levels, nominal=[v.name for v in variables if v.kind == "nominal"])
    names = table.column_names
    survey = Survey(assign_roles(names, [], names, [], [], None, []), kinds, table.schema)
    survey.add(table)
    frame = survey.frame(scaling, importance or {})
    return frame.embedded(frame.read(table))


def distances(coordinates):
    return np.sqrt(np.square(coordinates[:, None] - coordinates[None]).sum(axis=2))


class TestNumbers:
    def test_z_scores(self):
        # mean 5, standard deviation 3
        assert_allclose(embed([variable([2.0, 8.0])]).coordinates, [[-1.0], [1.0]])

    def test_z_scores_are_taken_over_known_values(self):
        # known: 2 and 8; the missing one lies at their mean, and 1 away in its own coordinate
        found = embed([variable([2.0, None, 8.0])])
        assert_allclose(found.coordinates, [[-1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
        assert found.owners.tolist() == [0, 0]

    def test_two_records_that_miss_the_same_value_are_equal_in_it(self):
        found = distances(embed([variable([2.0, None, None, 8.0])]).coordinates)
        assert found[1, 2] == 0.0
        assert found[0, 1] == pytest.approx(np.sqrt(2.0))  # 1 in value, 1 in the indicator

    def test_range(self):
        assert_allclose(
            embed([variable([0.0, None, 5.0, 10.0])], "range").coordinates,
            [[-0.5, 0.0], [0.0, 1.0], [0.0, 0.0], [0.5, 0.0]],
            atol=1e-15,
        )

    @pytest.mark.parametrize("scaling", SCALINGS)
    def test_complete_numbers_are_embedded_as_by_standardize(self, scaling, rng):
        matrix = rng.lognormal(3, 2, size=(50, 4))
        found = embed([variable(matrix[:, j], f"v{j}") for j in range(4)], scaling)
        wanted = standardize(matrix, scaling)
        if scaling == "none":  # from the lowest value there, from the median here
            wanted = wanted - wanted.min(axis=0)
            ratio = found.coordinates.max() / wanted.max()
            assert ratio == pytest.approx(2.0 ** round(np.log2(ratio)))
            assert_allclose(found.coordinates, wanted * ratio, atol=1e-12)
        else:
            assert_array_equal(found.coordinates, wanted)
        assert found.owners.tolist() == [0, 1, 2, 3]
        assert found.names == ("v0", "v1", "v2", "v3")

    def test_raw_is_raw(self):
        assert_array_equal(embed([variable([3.0, 9.0])], "raw").coordinates, [[3.0], [9.0]])

    def test_a_constant_is_zero(self):
        assert_array_equal(embed([variable([7.3, 7.3, 7.3])]).coordinates, np.zeros((3, 1)))

    def test_a_constant_with_gaps_tells_only_the_gaps_apart(self):
        assert_array_equal(
            embed([variable([7.3, None, 7.3])]).coordinates, [[0.0, 0.0], [0.0, 1.0], [0.0, 0.0]]
        )

    def test_nothing_known(self):
        found = embed([variable(pa.nulls(3))])
        assert_array_equal(distances(found.coordinates), np.zeros((3, 3)))

    def test_dates_are_numbers(self):
        days = pa.array([0, 10, None], pa.int32()).cast(pa.date32())
        assert_allclose(embed([variable(days)]).coordinates[:2, 0], [-1.0, 1.0])

    def test_none_keeps_proportions_beside_categories(self):
        """Distances in numbers keep their ratio: 30 and 40 are 3:4 in any unit."""
        columns = [variable([0.0, 30.0], "a"), variable([0.0, 40.0], "b"), variable(["u", "v"])]
        found = embed(columns, "none")
        gaps = np.abs(found.coordinates[0] - found.coordinates[1])
        assert gaps[0] / gaps[1] == pytest.approx(0.75)
        assert gaps[2] == 1.0


class TestOrdinal:
    def test_middle_ranks(self):
        # low, low, mid, high: ranks 1 and 2 share 1.5, then 3 and 4; mean 2.5, variance 9/8
        column = variable(["low", "high", "low", "mid"], ordinal={"x": ["low", "mid", "high"]})
        spread = np.sqrt((1 + 1 + 0.25 + 2.25) / 4)
        assert_allclose(
            embed([column]).coordinates[:, 0], np.array([-1.0, 1.5, -1.0, 0.5]) / spread
        )

    def test_categories_that_no_record_has_change_nothing(self):
        few = variable(["a", "c", "a"], ordinal={"x": ["a", "c"]})
        many = variable(["a", "c", "a"], ordinal={"x": ["a", "b", "c", "d"]})
        assert_array_equal(embed([few]).coordinates, embed([many]).coordinates)

    def test_order_not_names_decides(self):
        order = {"x": ["c", "a", "b"]}
        found = distances(embed([variable(["c", "a", "b"], ordinal=order)]).coordinates)
        assert found[0, 2] == pytest.approx(2 * found[0, 1])

    @pytest.mark.parametrize("scaling", ["zscore", "range", "none", "raw"])
    def test_ranks_are_z_scores_whatever_numbers_are(self, scaling):
        found = embed([variable([1, 2, 3], ordinal=["x"])], scaling).coordinates
        assert_allclose(found[:, 0], np.array([-1, 0, 1]) * np.sqrt(1.5))

    def test_missing(self):
        found = embed([variable([1, None, 2], ordinal=["x"])]).coordinates
        assert_allclose(found, [[-1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])


class TestNominal:
    def test_a_simplex_with_edges_of_length_one(self):
        found = embed([variable(["a", "b", "c", "d"])])
        assert found.coordinates.shape == (4, 4)
        assert_allclose(distances(found.coordinates), 1.0 - np.eye(4))

    def test_two_categories_are_one_coordinate(self):
        found = embed([variable(["b", "a", "b"])])
        assert_array_equal(found.coordinates, [[1.0], [0.0], [1.0]])

    def test_true_and_false_are_one_coordinate(self):
        assert_array_equal(embed([variable([True, False])]).coordinates, [[1.0], [0.0]])

    def test_one_category_tells_nothing_apart(self):
        assert_array_equal(embed([variable(["a", "a"])]).coordinates, np.zeros((2, 1)))

    def test_categories_that_no_record_has_take_no_coordinate(self):
        column = pa.DictionaryArray.from_arrays(pa.array([0, 2]), pa.array(["a", "b", "c"]))
        assert_array_equal(embed([variable(column)]).coordinates, [[0.0], [1.0]])

    def test_missing_lies_at_the_mean_and_one_away(self):
        found = embed([variable(["a", "b", "b", "b", None])]).coordinates
        assert_allclose(found[-1], [0.75, 1.0])
        assert_array_equal(found[:4, 1], np.zeros(4))

    def test_missing_among_three_is_the_centre_of_the_simplex(self):
        found = embed([variable(["a", "b", "c", None])]).coordinates
        assert_allclose(found[-1], [np.sqrt(0.5) / 3] * 3 + [1.0])
        # From the centre to a corner: √(1 − 1/3) / √2; and 1 in the indicator.
        assert_allclose(distances(found)[-1, :3], np.sqrt(1 / 3 + 1))


class TestTogether:
    def test_owners_say_which_variable_a_coordinate_belongs_to(self):
        found = embed([variable(["a", "b", "c"]), variable([1.0, None, 2.0], "y")])
        assert found.owners.tolist() == [0, 0, 0, 1, 1]
        assert found.n_variables == 2
        assert_array_equal(found.of([1]), found.coordinates[:, 3:])
        assert_array_equal(found.of([1, 0]), found.coordinates[:, [3, 4, 0, 1, 2]])

    def test_importance_multiplies_squared_distances(self):
        columns = [variable([0.0, 2.0], "a"), variable([0.0, 2.0], "b")]
        plain = embed(columns).coordinates
        weighed = embed(columns, importance={"b": 4.0}).coordinates
        assert_allclose(weighed, plain * [1.0, 2.0])

    def test_importance_of_every_coordinate_of_a_variable(self):
        columns = [variable(["a", "b", "c", None])]
        assert_allclose(
            embed(columns, importance={"x": 9.0}).coordinates, 3 * embed(columns).coordinates
        )

    def test_no_importance_no_distance(self):
        columns = [variable(["a", "b", "c"]), variable([1.0, 2.0, 3.0], "y")]
        found = embed(columns, importance={"x": 0.0})
        assert_array_equal(found.of([0]), np.zeros((3, 3)))
        assert np.ptp(found.of([1])) > 0

    def test_the_distance_between_two_records_by_hand(self):
        # age: ±1; sex: 0/1; a missing education lies at the mean rank (0), 1 away
        columns = [
            variable([20, 60], "age"),
            variable(["f", "m"], "sex"),
            variable(["low", None], "education", ordinal={"education": ["low", "high"]}),
        ]
        found = distances(embed(columns).coordinates)
        assert found[0, 1] == pytest.approx(np.sqrt(2**2 + 1 + 0 + 1))
