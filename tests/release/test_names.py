"""Names of columns: one instead of a list, doubled ones, ones that are no text."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import covey
from covey.errors import CoveyError, SchemaError
from covey.release.measured_files import measure_tables
from covey.release.settings import Settings
from covey.tables.kinds import Kinds
from covey.tables.roles import assign_roles
from covey.techniques import MDAV

LISTS = ("identifiers", "quasi_identifiers", "confidential", "strata", "keep", "nominal")


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(1)
    return pa.table(
        {
            "id": [f"P{i}" for i in range(60)],
            "x": rng.normal(size=60),
            "y": rng.integers(0, 40, 60),
            "sex": rng.choice(["f", "m"], 60),
            "ill": rng.choice(["flu", "cold", "none"], 60),
        }
    )


class TestOneName:
    """Wherever a list of columns is taken, one name will do."""

    @pytest.mark.parametrize(
        "asked",
        [
            {"strata": "sex"},
            {"confidential": "ill"},
            {"keep": "ill"},
            {"nominal": "y"},
            {"integers": "y"},
            {"ordinal": "y"},
            {"rules": "x <= 100"},
            {"parameters": {"variables": "x"}},
        ],
        ids=lambda asked: next(iter(asked)),
    )
    def test_protect(self, people, asked):
        listed = {name: [value] for name, value in asked.items()}
        if "parameters" in asked:
            listed = {"parameters": {"variables": ["x"]}}
        one = covey.protect(people, 3, "mdav", identifiers="id", **asked)
        many = covey.protect(people, 3, "mdav", identifiers=["id"], **listed)
        assert one.table.equals(many.table)
        assert one.settings.identifiers == ("id",)

    def test_quasi_identifiers(self, people):
        assert covey.protect(people, 3, "mdav", quasi_identifiers="x").table.column_names == ["x"]

    def test_an_index_of_names(self, people):
        frame = people.to_pandas()
        release = covey.protect(frame, 3, "mdav", identifiers=frame.columns[:1])
        assert release.roles.identifiers == ("id",)

    @pytest.mark.parametrize("name", [*LISTS, "order_by", "integers"])
    def test_settings(self, name):
        toml = f'{name} = "region"'
        for settings in (
            Settings(**{name: "region"}),
            Settings.from_dict({name: "region"}),
            Settings().changed(**{name: "region"}),
            Settings.from_toml(toml),
        ):
            assert getattr(settings, name) == ("region",)
            assert settings.to_dict()[name] == ["region"]

    @pytest.mark.parametrize("given", [3, {"a": 1}, 2.5])
    def test_what_names_nothing_is_refused(self, given):
        with pytest.raises(CoveyError, match="identifiers must be a list of column names"):
            Settings.from_dict({"identifiers": given})

    def test_roles_and_kinds(self):
        roles = assign_roles(["a", "b", "c"], identifiers="a", strata="b")
        assert (roles.identifiers, roles.strata, roles.quasi_identifiers) == (
            ("a",),
            ("b",),
            ("c",),
        )
        assert Kinds.read("a", "b", "c") == Kinds.read(["a"], ["b"], ["c"])

    def test_variables_of_a_technique(self, people):
        numbers = people.select(["x", "y"]).to_pandas()
        one = MDAV(3, variables="x").fit(numbers)
        assert (one.labels_ == MDAV(3, variables=["x"]).fit(numbers).labels_).all()

    def test_driving_variables_of_a_comparison(self, people):
        asked = {"identifiers": "id", "keys": "x"}
        found = covey.compare(people, 3, MDAV(3, variables="x"), **asked)
        assert found.candidates[0].driving == ("x",)
        assert covey.compare(people, 3, "mdav", **asked).candidates[0].risk is not None
        assert covey.tune(people, 100.0, k=3, techniques="mdav", driving=(), **asked)

    def test_streamed(self, people, tmp_path):
        asked = {"identifiers": "id", "strata": "sex", "parameters": {"variables": "x"}}
        streamed = covey.protect(people, 3, "mdav", out=tmp_path / "out.parquet", **asked)
        assert streamed.dropped == {"id": "identifier"}

    def test_measures(self, people):
        release = covey.protect(people, 3, "mdav", identifiers="id", confidential="ill")
        one, many = release.evaluate(keys="x"), release.evaluate(keys=["x"])
        assert one.distance_linkage.percent == many.distance_linkage.percent
        before, after = people.drop_columns("id"), release.table
        covey.evaluate(before, after, keys="x", nominal="y", ordinal="x", confidential="ill")
        measure_tables(before, after, keys="x", confidential="ill")
        covey.measures.loss.il(before.select(["x"]), after.select(["x"]), "x")
        covey.measures.risk.achieved_k(after.select(["x", "y"]), "x")

    def test_the_order_of_a_table(self, tmp_path):
        import duckdb

        place = tmp_path / "people.duckdb"
        with duckdb.connect(str(place)) as connection:
            connection.execute("create table people as select range as age from range(10)")
        assert covey.inspect(place, table="people", order_by="age").n_records == 10
        asked = {"table": "people", "order_by": "age"}
        assert covey.protect(place, 3, "mdav", **asked).table.num_rows == 10


class TestStrangeNames:
    DOUBLED = (
        pd.DataFrame(np.zeros((4, 3)), columns=["age", "age", "b"]),
        pa.table([pa.array([1.0, 2.0, 3.0])] * 3, names=["age", "age", "b"]),
    )

    @pytest.mark.parametrize("data", DOUBLED, ids=["pandas", "pyarrow"])
    @pytest.mark.parametrize(
        "use",
        [
            lambda data: covey.protect(data, 2),
            covey.inspect,
            lambda data: covey.evaluate(data, data),
            MDAV(2).fit,
        ],
        ids=["protect", "inspect", "evaluate", "fit"],
    )
    def test_doubled(self, data, use):
        with pytest.raises(SchemaError, match=r"more than one column named 'age'\. Rename or drop"):
            use(data)

    def test_numbers(self):
        data = pd.DataFrame(np.zeros((4, 3)), columns=["age", 1, ("a", 2)])
        with pytest.raises(SchemaError, match=r"columns 1, \('a', 2\) .*Rename them .*df\.columns"):
            covey.protect(data, 2)
        with pytest.raises(SchemaError, match="names that are text"):
            covey.inspect(data)

    def test_values_of_several_kinds(self):
        data = pd.DataFrame({"x": [1.0, 2.0], "both": [1, "secret"]})
        with pytest.raises(SchemaError, match="'both' holds values of several kinds") as caught:
            covey.protect(data, 2)
        assert "secret" not in str(caught.value)


class TestTextInEvaluate:
    @pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
    def test_as_covey_measure_does(self, people, library):
        release = covey.protect(people, 3, "mdav", identifiers="id")
        before, after = (
            {"pandas": pa.Table.to_pandas, "polars": pl.from_arrow, "pyarrow": pa.table}[library](t)
            for t in (people.drop_columns("id"), release.table)
        )
        found = covey.evaluate(before, after)
        expected = measure_tables(before, after).evaluation
        assert found.to_dict() == expected.to_dict()
        assert set(found.categories.by_variable) == {"sex", "ill"}

    @pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
    def test_a_frame_comes_back_as_it_came(self, kind):
        data = kind({"x": [1.0, 2.0, 3.0, 4.0], "sex": ["f", "f", "m", "m"]})
        for found in (covey.evaluate(data, data), covey.protect(data, 2, "mdav").evaluation):
            assert type(found.to_frame()) is type(data)
            assert "backend" not in found.to_dict()
        assert type(measure_tables(data, data).evaluation.to_frame()) is type(data)

    def test_an_array_gives_a_table(self):
        found = covey.evaluate([[1.0], [2.0]], [[1.5], [1.5]])
        assert isinstance(found.to_frame(), pa.Table)

    def test_a_pandas_index_does_not_matter(self):
        data = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "sex": list("ffmm")}, index=[9, 3, 5, 1])
        assert covey.evaluate(data, data.reset_index(drop=True)).categories.percent == 0.0

    def test_an_unknown_confidential_column(self, people):
        with pytest.raises(SchemaError, match="There is no column 'ilk'"):
            covey.evaluate(people, people, confidential="ilk")


class TestTheOrderOfChecks:
    """What a user would do first is said first."""

    def test_an_identifier_with_more_values_than_categories_may_have(self, tmp_path):
        people = pa.table({"code": [f"P{i}" for i in range(2000)], "x": np.arange(2000.0) ** 2})
        for more in ({}, {"out": tmp_path / "out.parquet"}, {"nominal": "code"}):
            with pytest.raises(SchemaError, match=r"looks like an identifier.*--identifiers"):
                covey.protect(people, 3, "mdav", **more)

    def test_one_that_repeats(self, tmp_path):
        """Too many categories, but each several times: both remedies are named."""
        people = pa.table(
            {"household": [f"H{i % 1500}" for i in range(9000)], "x": np.arange(9000.0) ** 2}
        )
        for more in ({}, {"out": tmp_path / "out.parquet"}):
            with pytest.raises(SchemaError, match=r"1000 categories.*--identifiers.*put its cat"):
                covey.protect(people, 3, "mdav", **more)

    def test_numbers_with_a_few_words_are_no_identifier(self):
        text = [str(i * 1.5) for i in range(1500)] + ["n/a"] * 3
        with pytest.raises(SchemaError, match="3 of 1503 values are not numeric"):
            covey.protect(pa.table({"income": text}), 3, "mdav")

    def test_a_wrong_parameter_comes_before_the_data(self):
        with pytest.raises(CoveyError, match="no parameter 'speed'"):
            covey.protect("nowhere.csv", 3, "mdav", parameters={"speed": 1})
