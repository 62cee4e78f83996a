"""Files that are not on this computer: an object store and files in memory."""

from __future__ import annotations

import logging
import pickle
import tempfile
import warnings

import numpy as np
import pyarrow as pa
import pytest
from typer.testing import CliRunner

import covey
from covey.cli.main import app
from covey.errors import GuaranteeViolated, InvalidParameter, SchemaError
from covey.sources import FileProblem, open_source, open_target, read_table, write_table
from covey.sources.file_systems import Location, _system, storage_problem
from covey.sources.source import Classes

from .stores import BUCKET, KEY, NEEDS_SERVER, SECRET, SURROUNDINGS, Store, is_there, running
from .wire import Wire

TABLE = pa.table({"a": range(100), "b": [f"x{i % 3}" for i in range(100)]})
ENDINGS = [".csv", ".parquet", ".arrow", ".xlsx", ".sav"]


@pytest.fixture(scope="session")
def server():
    if not is_there():
        warnings.warn(NEEDS_SERVER, stacklevel=1)
        pytest.skip(NEEDS_SERVER)
    with running() as store:
        yield store


@pytest.fixture
def s3(server, monkeypatch):
    for name, value in SURROUNDINGS.items():
        monkeypatch.setenv(name, value)
    yield server
    server.clear()


@pytest.fixture
def memory():
    pytest.importorskip("fsspec")
    made = Store("memory://surveys")
    yield made
    made.clear()


@pytest.fixture(params=["s3", "memory"])
def store(request):
    return request.getfixturevalue(request.param)


@pytest.fixture
def scratch(tmp_path, monkeypatch):
    """The folder for temporary files, to see that nothing is left there."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def filled(store: Store, name: str, table: pa.Table = TABLE) -> str:
    address = store.address(name)
    open_target(address).write(table.schema, table.to_batches())
    return address


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_format_goes_there_and_comes_back(store, scratch, ending):
    target = open_target(store.address(f"folder/t{ending}"))
    target.write(TABLE.schema, TABLE.to_batches(30))
    local = open_target(scratch / f"t{ending}")
    local.write(TABLE.schema, TABLE.to_batches(30))
    assert target.content_hash() == local.content_hash()
    local.file.unlink()
    contents = target.read()
    assert contents.table.column_names == ["a", "b"]
    assert contents.table["a"].cast(pa.int64()).equals(TABLE["a"])
    with target.records() as records:
        assert records.n_records == 100
        assert sum(batch.num_rows for batch in records.scan(30)) == 100
        assert [batch.num_rows for batch in records.scan(30, 40)] == [30, 10]
    assert store.names() == [f"folder/t{ending}"]
    assert list(scratch.iterdir()) == []


def test_what_is_there_is_replaced_only_when_told(store):
    target = open_target(filled(store, "t.parquet"))
    with pytest.raises(InvalidParameter, match="exists already"):
        target.write(TABLE.schema, TABLE.to_batches())
    target.write(TABLE.schema, TABLE.slice(0, 5).to_batches(), force=True)
    assert target.read().table.num_rows == 5


def test_what_somebody_else_made_meanwhile_stays(store):
    target = open_target(store.address("t.parquet"))
    staged = target.stage(TABLE.schema, TABLE.to_batches(), force=False)
    filled(store, "t.parquet", TABLE.slice(0, 7))
    with pytest.raises(InvalidParameter, match="exists already"):
        staged.keep()
    staged.drop()
    assert target.read().table.num_rows == 7


def test_what_is_dropped_was_never_there(store, scratch):
    staged = open_target(store.address("t.csv")).stage(
        TABLE.schema, TABLE.to_batches(), force=False
    )
    assert staged.read_back().num_rows == 100
    assert store.names() == []
    staged.drop()
    assert store.names() == []
    assert list(scratch.iterdir()) == []


@pytest.mark.parametrize(
    ("ending", "asked"), [(".csv", "*.csv"), (".parquet", "*.parquet"), (".parquet", "")]
)
def test_many_files_are_one(store, ending, asked):
    for i in (2, 0, 1):
        filled(store, f"parts/part{i}{ending}", TABLE.slice(40 * i, 40))
    source = open_source(store.address(f"parts/{asked}"))
    assert source.read().table.equals(TABLE)
    assert len(source.states()) == 3


def test_a_pattern_stays_within_one_name(store):
    filled(store, "a/1.parquet", TABLE.slice(0, 1))
    filled(store, "a/b/2.parquet", TABLE.slice(0, 2))
    for pattern, count in (("a/*.parquet", 1), ("a/*/*.parquet", 2), ("*/1.parquet", 1)):
        assert open_source(store.address(pattern)).read().table.num_rows == count
    with pytest.raises(FileProblem, match="There is no file like"):
        open_source(store.address("a/x*.parquet"))


def test_a_folder_of_other_things_is_not_read_in_part(store):
    filled(store, "a/1.parquet")
    filled(store, "a/2.csv")
    with pytest.raises(FileProblem, match="other things than Parquet files"):
        open_source(store.address("a/"))


def test_a_folder_is_written_with_its_mark(store, monkeypatch):
    monkeypatch.setattr("covey.sources.columnar.PART", 30)
    target = open_target(store.address("out/"))
    target.write(TABLE.schema, TABLE.to_batches(30))
    parts = [f"out/part-0000{i}.parquet" for i in range(4)]
    assert store.names() == ["out/_SUCCESS", *parts]
    assert open_source(store.address("out/")).read().table.equals(TABLE)
    with pytest.raises(InvalidParameter, match="exists already"):
        target.write(TABLE.schema, TABLE.to_batches(30))
    target.write(TABLE.schema, TABLE.slice(0, 40).to_batches(30), force=True)
    assert store.names() == ["out/_SUCCESS", *parts[:2]]


def test_the_mark_comes_last(store, monkeypatch):
    """A folder whose upload failed has no mark."""
    from covey.sources import remote_folders

    upload, done = remote_folders.upload, []

    def fail_at_the_second(file, location):
        if done:
            raise FileProblem("lost")
        done.append(location)
        upload(file, location)

    monkeypatch.setattr("covey.sources.columnar.PART", 30)
    monkeypatch.setattr(remote_folders, "upload", fail_at_the_second)
    with pytest.raises(FileProblem, match="lost"):
        open_target(store.address("out/")).write(TABLE.schema, TABLE.to_batches(30))
    assert store.names() == ["out/part-00000.parquet"]


def test_a_folder_of_something_else_is_not_replaced(store):
    filled(store, "out/1.csv")
    with pytest.raises(FileProblem, match="other things"):
        open_target(store.address("out/")).write(TABLE.schema, TABLE.to_batches(), force=True)
    assert store.names() == ["out/1.csv"]


def test_a_release_from_end_to_end(store, tmp_path):
    original = filled(store, "survey.csv")
    release = covey.protect(original, k=3, quasi_identifiers=["a"])
    release.write(store.address("released.parquet"))
    assert release.table.equals(read_back_of(store, "released.parquet"))
    assert original in release.script()
    assert store.address("released.parquet") in release.script()
    assert release.provenance.input_name == "survey.csv"
    assert release.provenance.input_hash == open_source(original).content_hash()
    written = open_source(store.address("released.parquet"))
    assert release.provenance.outputs == {"released.parquet": written.content_hash()}
    with pytest.raises(InvalidParameter, match="is the original"):
        release.write(original, force=True)


def read_back_of(store: Store, name: str) -> pa.Table:
    from covey.tables.categories import in_released_order

    return in_released_order(open_source(store.address(name)).read().table)


@pytest.mark.parametrize("out", ["released.parquet", "released/"])
def test_batch_by_batch(store, tmp_path, rng, out):
    table = pa.table({"a": rng.normal(size=3000), "b": rng.normal(size=3000)})
    original = filled(store, "original.parquet", table)
    place = store.address(out)
    covey.protect(
        original, k=3, quasi_identifiers=["a", "b"], out=place, memory_limit="1GB",
        work_dir=tmp_path / "work", block_size=1000, technique="mdav",
    )  # fmt: skip
    found = open_source(place).read().table
    classes = found.group_by(["a", "b"]).aggregate([([], "count_all")])
    assert found.num_rows == 3000
    assert min(classes["count_all"].to_pylist()) >= 3
    with pytest.raises(InvalidParameter, match="exists already"):
        covey.protect(original, k=3, quasi_identifiers=["a"], out=place, memory_limit="1GB")


def test_a_release_that_is_not_safe_never_goes_there(store, tmp_path, monkeypatch, rng):
    monkeypatch.setattr("covey.sources.class_counts._counted", lambda *_: Classes(1, 3000))
    write_table(pa.table({"a": rng.normal(size=3000)}), tmp_path / "t.parquet")
    with pytest.raises(GuaranteeViolated):
        covey.protect(
            tmp_path / "t.parquet", k=3, quasi_identifiers=["a"], out=store.address("r.parquet"),
            memory_limit="1GB", work_dir=tmp_path / "work", technique="mdav",
        )  # fmt: skip
    assert store.names() == []


def test_on_the_command_line(s3, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    filled(s3, "survey.csv")
    asked = ["protect", s3.address("survey.csv"), "--k", "3", "--quasi-identifiers", "a"]
    shown = CliRunner().invoke(app, [*asked, "--out", s3.address("released.csv")])
    assert shown.exit_code == 0, shown.output
    assert "s3://surveys/released.csv" in shown.output
    assert "endpoint" not in shown.output
    assert set(s3.names()) == {"survey.csv", "released.csv"}
    again = CliRunner().invoke(app, [*asked, "--out", s3.address("released.csv"), "--quiet"])
    assert again.exit_code != 0
    assert "exists already" in str(again.exception)


def test_messages_name_the_place_and_not_the_copy(store, scratch):
    target = Location.read(store.address("t.csv"))
    with target.system.open_output_stream(target.path) as file:
        file.write(b"a,b\n1,2\n3\n")
    with pytest.raises(SchemaError, match=rf"{target} could not be read as CSV: line 3") as raised:
        open_source(store.address("t.csv")).read()
    assert str(scratch) not in str(raised.value)


def test_a_damaged_file(store):
    target = Location.read(store.address("t.parquet"))
    with target.system.open_output_stream(target.path) as file:
        file.write(b"PAR1 nonsense")
    with pytest.raises(FileProblem, match=f"{target} is not a Parquet file"):
        open_source(store.address("t.parquet")).read()


def test_what_is_not_there(s3):
    for ending in (".csv", ".parquet"):
        with pytest.raises(FileProblem, match="There is no file s3://surveys/none"):
            open_source(s3.address(f"none{ending}")).read()
    elsewhere = s3._replace(start="s3://elsewhere")
    with pytest.raises(FileProblem, match="There is no bucket s3://elsewhere"):
        filled(elsewhere, "t.csv")


def test_a_source_can_be_sent_to_another_process_without_keys(s3):
    source = open_source(filled(s3, "t.parquet"))
    source.read()
    sent = pickle.dumps(source)
    assert SECRET.encode() not in sent
    assert pickle.loads(sent).read().table.equals(TABLE)


@pytest.mark.parametrize(
    "address",
    [
        "s3://key:hush@bucket/t.csv",
        "s3://hush@bucket/t.csv",
        "s3://bucket/t.csv?access_key=hush",
        "s3://bucket/t.csv?region=x&secret_key=hush",
        "S3://bucket/t.csv?X-Amz-Signature=hush",
        "s3://bucket/t.csv?session_token=hush",
        "memory://a/t.csv?password=hush",
    ],
)
def test_an_address_with_a_key_is_refused_and_not_shown(address):
    for used in (open_source, open_target, covey.protect):
        with pytest.raises(InvalidParameter, match="must not hold a password or a key") as raised:
            used(address)
        assert "hush" not in str(raised.value)


def test_what_is_for_this_computer_says_so():
    for used in (read_table, lambda place: write_table(TABLE, place)):
        with pytest.raises(InvalidParameter, match="files of this computer"):
            used("s3://bucket/t.csv")


@pytest.mark.parametrize("address", ["s3://", "s3:///t.csv#", "memory://a/../b.csv"])
def test_an_address_that_cannot_be_read(address):
    with pytest.raises(InvalidParameter, match="could not be read"):
        open_source(address)


def test_no_key_in_what_is_said_or_kept(s3, tmp_path, caplog):
    with caplog.at_level(logging.DEBUG):
        release = covey.protect(filled(s3, "survey.csv"), k=3, quasi_identifiers=["a"])
        release.write(s3.address("released.csv"))
    kept = repr(release.provenance) + release.script() + release.settings.to_toml() + caplog.text
    assert KEY not in kept
    assert SECRET not in kept


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (f"AWS Error ACCESS_DENIED: key {KEY}", "access is refused"),
        (f"AWS Error NETWORK_CONNECTION {SECRET}", "cannot be reached"),
        (f"AWS Error UNKNOWN {SECRET}", "the storage refused"),
    ],
)
def test_what_the_storage_says_is_not_passed_on(said, told):
    text = str(storage_problem("s3://a/b", OSError(said)))
    assert told in text
    assert KEY not in text
    assert SECRET not in text


@pytest.mark.slow  # the storage is tried again and again for some seconds
def test_an_upload_that_is_cut_leaves_nothing(s3, scratch):
    noise = np.random.default_rng(1).normal(size=3_000_000)
    table = pa.table({"a": noise})
    with Wire(s3.port, limit=8_000_000) as wire:
        target = open_target(s3.through(wire.port).address("t.parquet"))
        with pytest.raises(FileProblem, match="s3://surveys/t"):
            target.write(table.schema, table.to_batches())
        assert wire.sent > 8_000_000
    assert s3.names() == []
    assert list(scratch.iterdir()) == []
    _system.cache_clear()


class TestOnThisComputer:
    """The same ways of naming places."""

    def test_an_address_of_a_file(self, tmp_path):
        path = tmp_path / "with a blank.csv"
        target = open_target(path.as_uri())
        target.write(TABLE.schema, TABLE.to_batches())
        assert read_table(path).equals(TABLE)
        assert open_source(path.as_uri()).read().table.equals(TABLE)
        with pytest.raises(InvalidParameter, match="not known"):
            open_source("file://host/t.csv")

    def test_a_folder_of_parquet(self, tmp_path):
        for i in (1, 0):
            write_table(TABLE.slice(50 * i, 50), tmp_path / f"{i}.parquet")
        (tmp_path / "_SUCCESS").touch()
        for place in (str(tmp_path), f"{tmp_path}/", tmp_path.as_uri()):
            assert open_source(place).read().table.equals(TABLE)
        release = covey.protect(tmp_path, k=3, quasi_identifiers=["a"])
        assert release.table.num_rows == 100
        with pytest.raises(InvalidParameter, match="is the original file"):
            release.write(tmp_path / "1.parquet", force=True)

    @pytest.mark.parametrize("name", ["more.csv", "inner/2.parquet"])
    def test_a_folder_of_other_things_is_not_read_in_part(self, tmp_path, name):
        write_table(TABLE, tmp_path / "1.parquet")
        (tmp_path / name).parent.mkdir(exist_ok=True)
        write_table(TABLE, tmp_path / name)
        with pytest.raises(FileProblem, match="other things than Parquet files"):
            open_source(tmp_path)

    def test_an_empty_folder(self, tmp_path):
        with pytest.raises(FileProblem, match="is a folder, and no Parquet files"):
            open_source(tmp_path)


def test_options_are_in_no_message():
    assert Location.read(f"s3://{BUCKET}/a/b.csv?region=x").name == "b.csv"
    assert str(Location.read(f"s3://{BUCKET}/a/b.csv?region=x")) == f"s3://{BUCKET}/a/b.csv"
