"""Files as places of records: batches, and many files as one."""

from __future__ import annotations

import hashlib

import pyarrow as pa
import pytest
from pyarrow import parquet

import covey
from covey.errors import InvalidParameter, SchemaError
from covey.sources import FileProblem, Reading, open_source, open_target, write_table
from covey.sources.hashes import file_hash
from covey.sources.source import Room

TABLE = pa.table({"a": range(100), "b": [f"x{i % 3}" for i in range(100)]})


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".arrow", ".xlsx"])
def test_batches_of_a_file(tmp_path, ending):
    path = tmp_path / f"t{ending}"
    write_table(TABLE, path)
    source = open_source(path)
    with source.records() as records:
        assert records.n_records == 100
        batches = list(records.scan(30))
        assert max(batch.num_rows for batch in batches) <= 30
        assert pa.Table.from_batches(batches).equals(TABLE)
    assert source.name == path.name


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_batches_become_a_file(tmp_path, ending):
    path = tmp_path / f"t{ending}"
    target = open_target(path)
    target.write(TABLE.schema, TABLE.to_batches(30))
    assert target.read().table.equals(TABLE)
    with pytest.raises(InvalidParameter, match="exists already"):
        target.write(TABLE.schema, TABLE.to_batches(30))
    staged = target.stage(TABLE.schema, TABLE.slice(0, 5).to_batches(), force=True)
    assert staged.read_back().num_rows == 5
    staged.drop()
    assert target.read().table.equals(TABLE)
    assert [found.name for found in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_many_files_are_one(tmp_path, ending):
    for i in (2, 0, 1):
        write_table(TABLE.slice(40 * i, 40), tmp_path / f"part{i}{ending}")
    pattern = str(tmp_path / f"part*{ending}")
    contents = open_source(pattern).read()
    assert contents.table.equals(TABLE)
    assert contents.notes[0] == "3 files were read, by name."
    release = covey.protect(pattern, k=3, quasi_identifiers=["a", "b"])
    assert release.table.num_rows == 100
    assert pattern in release.script()


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".arrow"])
@pytest.mark.parametrize("limit", [1, 40, 45, 200])
def test_the_first_records_are_those_of_all(tmp_path, ending, limit):
    for i in (2, 0, 1):
        write_table(TABLE.slice(40 * i, 40), tmp_path / f"part{i}{ending}")
    for place in (tmp_path / f"part0{ending}", str(tmp_path / f"part*{ending}")):
        with open_source(place).records() as records:
            first = pa.Table.from_batches(records.scan(30, limit))
            assert first.equals(pa.Table.from_batches(records.scan(30)).slice(0, limit))


def test_what_files_can_do(tmp_path):
    for name in ("1.csv", "2.csv", "3.parquet", "4.arrow"):
        write_table(TABLE, tmp_path / name)
    one, many = open_source(tmp_path / "1.csv"), open_source(str(tmp_path / "*.csv"))
    assert one.has_own_bytes
    assert many.has_own_bytes
    assert not one.writes_batches
    assert open_source(tmp_path / "3.parquet").writes_batches
    assert one.file == tmp_path / "1.csv"
    assert many.file is None
    assert one.folder == many.folder == tmp_path
    assert one.content_hash() == file_hash(tmp_path / "1.csv")
    both = [file_hash(tmp_path / name).encode() for name in ("1.csv", "2.csv")]
    assert many.content_hash() == hashlib.sha256(b"".join(both)).hexdigest()
    assert one.bytes_read_whole == 0
    assert open_source(tmp_path / "4.arrow").bytes_read_whole > 0
    before = many.states()
    write_table(TABLE.slice(1), tmp_path / "2.csv", force=True)
    assert many.states() != before


def test_classes_are_counted_where_they_are_staged(tmp_path):
    staged = open_target(tmp_path / "t.parquet").stage(
        TABLE.schema, TABLE.to_batches(), force=False
    )
    assert staged.classes(["b"], Room(10**9, tmp_path)) == (33, 100)
    assert staged.classes(["a", "b"], Room(10**9, tmp_path)) == (1, 100)
    staged.drop()


def test_a_source_is_read_as_it_says(tmp_path):
    """What is asked for beside a source may only be what it says already."""
    write_table(TABLE, tmp_path / "t.csv")
    source = open_source(tmp_path / "t.csv", Reading(encoding="utf-8"))
    assert open_source(source, Reading(encoding="utf-8")) is source
    with pytest.raises(InvalidParameter, match="says itself"):
        open_source(source, Reading(encoding="cp1252"))


def test_whole_numbers_in_one_file_and_others_in_the_next(tmp_path):
    write_table(pa.table({"a": [1, 2]}), tmp_path / "1.csv")
    write_table(pa.table({"a": [0.5]}), tmp_path / "2.csv")
    assert open_source(str(tmp_path / "*.csv")).read().table["a"].to_pylist() == [1.0, 2.0, 0.5]


def test_files_that_do_not_belong_together(tmp_path):
    write_table(pa.table({"a": [1, 2]}), tmp_path / "1.csv")
    write_table(pa.table({"a": ["x"]}), tmp_path / "2.csv")
    with pytest.raises(SchemaError, match="different kinds"):
        open_source(str(tmp_path / "*.csv")).read()
    write_table(pa.table({"b": [1]}), tmp_path / "3.csv")
    with pytest.raises(SchemaError, match="other columns"):
        open_source(str(tmp_path / "*.csv")).read()


def test_no_file_like_that(tmp_path):
    with pytest.raises(FileProblem, match="There is no file like"):
        open_source(str(tmp_path / "*.csv"))


def test_a_pattern_is_no_target(tmp_path):
    write_table(TABLE, tmp_path / "1.csv")
    source = open_source(str(tmp_path / "*.csv"))
    with pytest.raises(InvalidParameter, match="many files"):
        source.write(TABLE.schema, TABLE.to_batches())


def test_a_damaged_file(tmp_path):
    path = tmp_path / "t.parquet"
    path.write_bytes(b"PAR1 nonsense")
    with pytest.raises(FileProblem, match="not a Parquet file"), open_source(path).records():
        pass


def test_a_name_with_a_star_that_is_there(tmp_path):
    path = tmp_path / "a[1].parquet"
    parquet.write_table(TABLE, path)
    assert open_source(path).read().table.num_rows == 100


def test_a_part_is_never_replaced(tmp_path):
    for i in range(2):
        write_table(TABLE, tmp_path / f"{i}.parquet")
    release = covey.protect(str(tmp_path / "*.parquet"), k=3)
    with pytest.raises(InvalidParameter, match="is the original file"):
        release.write(tmp_path / "1.parquet", force=True)
