"""What random tables found, with the smallest data that showed it."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from covey import protect
from covey.errors import InvalidParameter, SchemaError
from covey.pipeline.chunks import in_chunks
from covey.pipeline.reference import Survey
from covey.release.settings import Settings
from covey.settings.treatment import BLOCK
from covey.sources import write_table
from covey.tables.embedding import embed_placed, placings_of
from covey.tables.kinds import Kinds
from covey.tables.roles import assign_roles
from covey.tables.variables import read_variable
from tests.release.independent import smallest_class


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks and chunks of a few records."""
    monkeypatch.setitem(vars(BLOCK), "minimum", 2)
    monkeypatch.setattr("covey.release.run.READ", 4)
    monkeypatch.setattr(in_chunks, "__defaults__", (4,))


CODES = pa.array([0.0, -0.0, 1.0, 1.0] * 3)


class TestZeroWithASign:
    """0.0 and −0.0 are one category, wherever they are."""

    @pytest.mark.parametrize("codes", [CODES, CODES.cast(pa.float16()), CODES.dictionary_encode()])
    def test_they_are_read_as_one(self, codes):
        found = read_variable("x", codes, Kinds.read(nominal=["x"]))
        assert found.categories.to_pylist() == [0.0, 1.0]
        assert not np.signbit(found.categories[0].as_py())

    def test_in_a_dictionary_that_lists_both(self):
        codes = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2] * 4), [0.0, -0.0, 2.0])
        released = protect(pa.table({"x": codes}), 3, "mdav", nominal=["x"]).table["x"]
        assert smallest_class(pd.DataFrame({"x": [repr(x) for x in released.to_pylist()]})) >= 3

    @pytest.mark.parametrize("streamed", [False, True])
    @pytest.mark.parametrize("other", [-0.0, float("nan")])
    def test_strata_that_are_one_are_released_as_one(self, streamed, other, tmp_path):
        """A sign, or a NaN beside a null, told groups of one stratum apart: k was broken."""
        first = None if np.isnan(other) else 0.0
        strata = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2] * 4), [first, other, 2.0])
        table = pa.table({"x": np.arange(12.0), "s": strata})
        out = {"out": tmp_path / "out.parquet"} if streamed else {}
        release = protect(table, 4, "mdav", strata=["s"], **out)
        found = parquet.read_table(out["out"]) if streamed else release.table
        written = pd.DataFrame({n: map(repr, found[n].to_pylist()) for n in ("x", "s")})
        assert smallest_class(written) >= 4

    def test_the_records_did_not_change_while_they_were_read(self, small_blocks, tmp_path):
        """That is what a streamed release said."""
        out = tmp_path / "out.parquet"
        asked = {"nominal": ["x"], "block_size": 4, "out": out}
        protect(pa.table({"x": CODES}), 2, "mdav", **asked)
        assert set(parquet.read_table(out)["x"].to_pylist()) == {0.0, 1.0}


@pytest.mark.parametrize("size", [1e300, 1e-310, 5e-324, 1e-160])
@pytest.mark.parametrize("scaling", ["zscore", "range"])
def test_figures_of_huge_and_tiny_numbers_are_those_of_the_whole(size, scaling):
    """Squares left the floats: a warning and a refusal, or a variable that counted for nothing."""
    table = pa.table({"x": np.array([0, 0, 1, -1, 1, 0, 1, 1, -1, 0]) * size})
    kinds = Kinds.read()
    survey = Survey(assign_roles(["x"]), kinds, table.schema)
    for chunk in in_chunks(table.to_batches(), table.schema, 2):
        survey.add(chunk)
    frame = survey.frame(scaling, {})
    variables = [read_variable("x", table["x"], kinds)]
    expected = embed_placed(variables, placings_of(variables, scaling), np.ones(1))
    found = frame.embedded(frame.read(table))
    np.testing.assert_allclose(found.coordinates, expected.coordinates, atol=1e-9)


@pytest.mark.parametrize("size", [1e300, 1e-310])
@pytest.mark.parametrize("streamed", [False, True])
def test_seams_of_huge_and_tiny_numbers(small_blocks, size, streamed, tmp_path):
    """OptimalUnivariate does not scale, and the squares of its seams left the floats."""
    table = pa.table({"x": np.arange(40) * (size / 40), "y": np.arange(40.0)})
    asked = {"parameters": {"variables": ["x"]}, "block_size": 8}
    if streamed:
        out = tmp_path / "out.parquet"
        protect(table, 2, "optimalunivariate", **asked, out=out)
        found = parquet.read_table(out)
    else:
        found = protect(table, 2, "optimalunivariate", **asked).table
    assert smallest_class(found.to_pandas()) >= 2
    assert len(found["x"].unique()) > 10


def test_a_category_that_only_suppressed_records_have(small_blocks, tmp_path):
    """A streamed release said that the records changed while they were read."""
    words = pa.array(["a", "b"] * 6 + ["only here"])
    table = pa.table({"word": words, "x": np.arange(13.0), "s": ["large"] * 12 + ["small"]})
    out = tmp_path / "out.parquet"
    asked = {"strata": ["s"], "small_strata": "suppress", "block_size": 4}
    release = protect(table, 2, "mdav", **asked, out=out)
    assert release.suppressed == 1
    assert set(parquet.read_table(out)["word"].to_pylist()) <= {"a", "b", None}


class TestNaNInText:
    """A missing value is an empty cell: the word nan makes a column of numbers text in R."""

    @pytest.mark.parametrize("kind", [pa.float16(), pa.float32(), pa.float64()])
    @pytest.mark.parametrize("ending", [".csv", ".tsv"])
    def test_it_is_an_empty_cell(self, kind, ending, tmp_path):
        column = pa.array([1.5, np.nan, None, 2.0]).cast(kind)
        write_table(pa.table({"x": column, "y": [1, 2, 3, 4]}), tmp_path / f"t{ending}")
        assert "nan" not in (tmp_path / f"t{ending}").read_text()

    def test_a_kept_column(self, tmp_path):
        frame = pa.table({"x": np.arange(6.0), "kept": [1.5, np.nan, None, 2.0, np.nan, 3.0]})
        protect(frame, 2, "mdav", keep=["kept"]).write(tmp_path / "out.csv")
        found = pd.read_csv(tmp_path / "out.csv", keep_default_na=False)["kept"]
        assert sorted(found) == ["", "", "", "1.5", "2", "3"]


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".xlsx"])
def test_a_name_that_is_a_number_is_refused_by_its_name(ending, tmp_path):
    """The message was about a hidden file whose first line looked like data."""
    release = protect(pa.table({"2019": np.arange(6.0)}), 2, "mdav")
    with pytest.raises(SchemaError, match=r"'2019'.*Rename"):
        release.write(tmp_path / f"out{ending}")
    assert list(tmp_path.iterdir()) == []


def test_times_that_pandas_has_in_arrow_types_only():
    """They came in as such, and asking for the data showed one of them in a raw error."""
    times = pd.array([1, 1, 3, 3], dtype=pd.ArrowDtype(pa.time64("ns")))
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "at": times})
    release = protect(frame, 2, "mdav", keep=["at"])
    assert release.data["at"].dtype == frame["at"].dtype
    assert (release.data["at"] == frame["at"]).all()


def test_pandas_is_as_before_otherwise():
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "at": [dt.time(1)] * 4})
    data = protect(frame, 2, "mdav", keep=["at"]).data
    assert data["at"].tolist() == [dt.time(1)] * 4
    assert data["x"].dtype == np.float64


class TestImportance:
    """Squares of distances left the floats, and RGMAT left its memory: Python crashed."""

    table = pa.table({"x": [*map(float, range(12))], "y": [0.0, 5.0, 1.0] * 4})

    def test_what_no_float_can_be_multiplied_by_is_refused(self):
        with pytest.raises(InvalidParameter, match=r"importance of .x.*at most 1e\+09"):
            protect(self.table, 3, "mdav", importance={"x": 1e308})

    @pytest.mark.parametrize("technique", ["mdav", "rgmat", "egmmat", "projected", "auto"])
    @pytest.mark.parametrize("importance", [1e9, 1e-300, 5e-324])
    def test_what_is_allowed_works(self, technique, importance):
        release = protect(self.table, 3, technique, importance={"x": importance})
        assert release.achieved_k >= 3

    @pytest.mark.parametrize("technique", ["mdav", "optimalunivariate", "projected"])
    def test_of_huge_numbers_that_are_not_scaled(self, technique):
        """Multiplying by the root of the importance left the floats."""
        table = pa.table({"x": [*np.linspace(-1e300, 1e300, 11), None], "y": ["a", "b"] * 6})
        parameters = {
            "mdav": {"standardize": "none"},
            "optimalunivariate": {"variables": ["x"]},
            "projected": {},
        }
        asked = {"importance": {"x": 1e9}, "parameters": parameters[technique]}
        assert protect(table, 3, technique, **asked).achieved_k >= 3


@pytest.mark.parametrize("streamed", [False, True])
def test_categories_that_are_durations(streamed, tmp_path):
    """Parquet gave them back as bare numbers."""
    lengths = pa.DictionaryArray.from_arrays(
        pa.array([0, 1] * 6), pa.array([60, 90], pa.duration("s"))
    )
    table = pa.table({"x": np.arange(12.0), "kept": lengths})
    out = tmp_path / "out.parquet"
    if streamed:
        protect(table, 3, "mdav", keep=["kept"], out=out)
    else:
        protect(table, 3, "mdav", keep=["kept"]).write(out)
    found = parquet.read_table(out)["kept"].to_pylist()
    assert sorted(found) == [dt.timedelta(seconds=60)] * 6 + [dt.timedelta(seconds=90)] * 6


class TestParametersThatAreNone:
    def test_as_they_are_anyway(self):
        """They were called a function or an object."""
        table = pa.table({"x": np.arange(6.0), "y": np.arange(6.0)})
        release = protect(table, 2, "mdav", parameters={"refine": None, "variables": None})
        again = Settings.from_toml(release.settings.to_toml())
        assert again.parameters == {}
        assert protect(table, settings=again).table.equals(release.table)

    def test_another_seed_every_time_cannot_be_written(self):
        settings = Settings(technique="rgmat", parameters={"random_state": None})
        with pytest.raises(InvalidParameter, match="None where that is not the default"):
            settings.to_toml()
