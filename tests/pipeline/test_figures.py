"""Figures taken chunk by chunk say what the whole columns say."""

import numpy as np
import pyarrow as pa
import pytest

from covey.errors import InvalidParameter
from covey.pipeline.chunks import drawn, in_chunks
from covey.pipeline.memory_size import read_size
from covey.pipeline.reference import Survey
from covey.tables.embedding import embed_placed, placings_of
from covey.tables.kinds import Kinds
from covey.tables.roles import assign_roles
from covey.tables.variables import read_variable
from tests.pipeline.fixtures import mixed

KINDS = Kinds.read(["grade"], (), ["age"])
NAMES = ["income", "age", "born", "job", "grade"]


def survey(table, size):
    roles = assign_roles(table.column_names, quasi_identifiers=NAMES)
    found = Survey(roles, KINDS, table.schema)
    for chunk in in_chunks(table.to_batches(), table.schema, size):
        found.add(chunk)
    return found


@pytest.mark.parametrize("scaling", ["zscore", "range"])
@pytest.mark.parametrize("size", [100, 777, 10_000])
def test_coordinates_are_those_of_the_whole(scaling, size):
    table = mixed(2000)
    frame = survey(table, size).frame(scaling, {"income": 2.0})
    variables = [read_variable(name, table[name], KINDS) for name in NAMES]
    roots = np.sqrt([2.0, 1.0, 1.0, 1.0, 1.0])
    expected = embed_placed(variables, placings_of(variables, scaling), roots)
    found = frame.embedded(frame.read(table)).coordinates
    np.testing.assert_allclose(found, expected.coordinates, atol=1e-9)
    part = frame.embedded(frame.read(table.slice(100, 50))).coordinates
    np.testing.assert_array_equal(part, found[100:150])


def test_unscaled_numbers_keep_their_distances():
    table = mixed(500)
    frame = survey(table, 100).frame("none", {})
    variables = [read_variable(name, table[name], KINDS) for name in NAMES]
    found = frame.embedded(frame.read(table)).coordinates
    numbers = [0, 2, 3]  # the second coordinate says whether an income is missing
    widths = [np.nanmax(v.values) - np.nanmin(v.values) for v in variables[:3]]
    ratio = np.ptp(found[:, numbers], axis=0) / widths
    assert np.ptp(ratio) < 1e-9 * ratio[0]


def test_values_come_back():
    table = mixed(300)
    frame = survey(table, 64).frame("zscore", {})
    for variable in frame.read(table.slice(10, 100)):
        restored = variable.restore(variable.values).to_pylist()
        expected = table[variable.name].slice(10, 100).to_pylist()
        assert restored == pytest.approx(expected) if variable.kind == "number" else expected


def test_chunks_do_not_depend_on_batches():
    table = pa.table({"v": np.arange(1000)})
    for size in (1, 7, 300, 5000):
        chunks = list(in_chunks(table.to_batches(size), table.schema, 256))
        assert [chunk.num_rows for chunk in chunks] == [256, 256, 256, 232]
        assert pa.concat_tables(chunks).equals(table)


def test_a_sample_depends_on_the_number_alone():
    whole = drawn(0, 100_000, 0.1)
    assert 9_500 < whole.sum() < 10_500
    np.testing.assert_array_equal(drawn(1234, 500, 0.1), whole[1234:1734])
    assert drawn(0, 10, 1.0).all()


def test_sizes():
    assert read_size("2GB") == 2 * 10**9
    assert read_size(" 500 mb ") == 5 * 10**8
    assert read_size(10**9) == 10**9
    for wrong in ("lots", "2XB", "-1GB", True, "", "1e9"):
        with pytest.raises(InvalidParameter, match="such as '2GB'"):
            read_size(wrong)
    with pytest.raises(InvalidParameter, match="at least 256MB"):
        read_size("10MB")
