"""Releases that are written batch by batch: the same for any batches, threads and engines."""

import itertools
import os
from importlib import import_module

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from covey import protect
from covey.errors import (
    CellFailed,
    DisclosureWarning,
    GuaranteeViolated,
    Infeasible,
    InvalidParameter,
    SchemaError,
)
from covey.pipeline.guarantee import smallest_class
from covey.release import Release
from covey.release.streamed import target_at
from covey.sources import FileProblem, Table, read_table, write_table
from covey.sources.databases.session import Session
from tests.pipeline.fixtures import ASKED, file, mixed, numbers

__all__ = ["file", "numbers"]
PLAIN = {"k": 3, "technique": "iamat", "block_size": 1000}
KEYS = ["income", "age", "born", "job", "grade", "region", "weight"]


def stream(place, out, **asked):
    release = protect(place, **asked, out=out)
    assert isinstance(release, Release)
    return release


def left(folder):
    return sorted(path.name for path in folder.iterdir())


class TestTheRelease:
    def test_is_what_was_promised(self, file, tmp_path):
        release = stream(file, tmp_path / "out.parquet", **ASKED)
        table = parquet.read_table(tmp_path / "out.parquet")
        assert table.column_names == mixed(5).column_names[1:]
        assert release.n_records == table.num_rows == 6000
        assert release.achieved_k == smallest_class(table, KEYS) >= 4
        assert release.n_parts > 4
        assert 0 < release.il_ < 100
        assert left(tmp_path) == ["original.parquet", "out.parquet"]

    def test_loss_is_that_of_the_release(self, numbers, tmp_path):
        release = stream(numbers, tmp_path / "out.parquet", **PLAIN)
        whole = protect(numbers, **PLAIN)
        assert release.il_ == pytest.approx(whole.technique.il_, rel=0.05)

    def test_means_are_kept(self, file, tmp_path):
        stream(file, tmp_path / "out.parquet", **ASKED)
        table = parquet.read_table(tmp_path / "out.parquet")
        weight, age = table["weight"].to_numpy(), table["age"].to_numpy()
        original = mixed()
        before = np.average(original["age"].to_numpy(), weights=original["weight"].to_numpy())
        assert np.average(age, weights=weight) == pytest.approx(before, abs=0.1)
        assert sorted(table["debt"].to_pylist()) == sorted(original["debt"].to_pylist())


class TestInMemory:
    """The same plan makes the same release, wherever the records are."""

    @pytest.fixture(autouse=True)
    def _one_part(self, _small_parts):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("covey.release.run.PART_RECORDS", 2**21)
            yield

    @pytest.mark.parametrize("block_size", [None, 1000])
    def test_numbers(self, numbers, tmp_path, block_size):
        asked = {**PLAIN, "block_size": block_size}
        streamed = stream(numbers, tmp_path / "one.parquet", **asked)
        whole = protect(numbers, **asked)
        whole.write(tmp_path / "two.parquet")
        assert streamed.n_parts == 1
        assert parquet.read_table(tmp_path / "one.parquet").equals(
            parquet.read_table(tmp_path / "two.parquet")
        )
        assert streamed.il_ == pytest.approx(whole.technique.il_, rel=1e-12)

    @pytest.mark.parametrize("missing", ["group", "pattern"])
    @pytest.mark.parametrize("block_size", [None, 1000])
    def test_everything(self, file, tmp_path, block_size, missing):
        asked = {**ASKED, "block_size": block_size, "missing": missing}
        stream(file, tmp_path / "one.parquet", **asked)
        whole = protect(file, **asked)
        whole.write(tmp_path / "two.parquet")
        assert parquet.read_table(tmp_path / "one.parquet").equals(
            parquet.read_table(tmp_path / "two.parquet")
        )

    def test_a_technique_that_works_variable_by_variable(self, numbers, tmp_path):
        asked = {"k": 3, "technique": "individualranking"}
        with pytest.warns(DisclosureWarning, match="on its own"):
            stream(numbers, tmp_path / "one.parquet", **asked)
        with pytest.warns(DisclosureWarning, match="on its own"):
            protect(numbers, **asked).write(tmp_path / "two.parquet")
        assert parquet.read_table(tmp_path / "one.parquet").equals(
            parquet.read_table(tmp_path / "two.parquet")
        )


class TestTheSame:
    @pytest.mark.parametrize("batch", [311, 4096])
    def test_for_any_batches(self, file, tmp_path, monkeypatch, batch):
        stream(file, tmp_path / "one.parquet", **ASKED)
        monkeypatch.setattr("covey.release.run.READ", batch)
        stream(file, tmp_path / "two.parquet", **ASKED)
        assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()

    def test_for_any_number_of_threads_and_runs(self, file, tmp_path, monkeypatch):
        stream(file, tmp_path / "one.parquet", **ASKED)
        monkeypatch.setenv("COVEY_THREADS", "1")
        monkeypatch.setattr("covey.pipeline.routed_files.Spill.add", _flushing)
        stream(file, tmp_path / "two.parquet", **ASKED)
        assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()

    def test_for_a_large_text_file(self, file, tmp_path, monkeypatch):
        """A CSV file whose types are known at its end only."""
        monkeypatch.setattr("covey.sources.files_as_sources.QUICKLY_READ", 1000)
        monkeypatch.setattr("covey.sources.delimited.reading.BLOCK", 5000)
        write_table(parquet.read_table(file), tmp_path / "t.csv")
        write_table(read_table(tmp_path / "t.csv"), tmp_path / "t.parquet")
        stream(tmp_path / "t.csv", tmp_path / "one.parquet", **ASKED, memory_limit="256MB")
        stream(tmp_path / "t.parquet", tmp_path / "two.parquet", **ASKED)
        assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()

    def test_for_a_frame_a_file_and_a_database(self, file, tmp_path):
        import duckdb

        with duckdb.connect(str(tmp_path / "d.duckdb")) as connection:
            connection.execute(f"create table t as select * from '{file}'")
        stream(file, tmp_path / "one.parquet", **PLAIN, identifiers=["person"])
        stream(mixed(), tmp_path / "two.parquet", **PLAIN, identifiers=["person"])
        place = Table(tmp_path / "d.duckdb", "t", order_by=["person"])
        release = stream(place, tmp_path / "three.parquet", **PLAIN, identifiers=["person"])
        one, two = (parquet.read_table(tmp_path / f"{n}.parquet") for n in ("one", "two"))
        assert one.equals(two)
        assert release.achieved_k >= 3

    def test_a_folder_of_parts(self, file, tmp_path, monkeypatch):
        """The files are those that the tasks wrote and counted: nothing is written again."""
        stream(file, tmp_path / "one.parquet", **ASKED)
        monkeypatch.setattr("covey.pipeline.parquet_folder.write_parts", None)
        release = stream(file, f"{tmp_path}/parts/", **ASKED)
        files = sorted((tmp_path / "parts").iterdir())
        assert len(files) == release.n_parts > 1
        assert min(smallest_class(parquet.read_table(path), KEYS) for path in files) >= 4
        whole = pa.concat_tables([parquet.read_table(path) for path in files])
        assert whole.equals(parquet.read_table(tmp_path / "one.parquet"))
        with pytest.raises(InvalidParameter, match="exists already"):
            stream(file, f"{tmp_path}/parts/", **ASKED)
        stream(file, f"{tmp_path}/parts/", **ASKED, force=True)
        assert left(tmp_path) == ["one.parquet", "original.parquet", "parts"]

    def test_a_table_of_a_database(self, numbers, tmp_path):
        release = stream(numbers, tmp_path / "r.duckdb", **PLAIN, into="released")
        assert release.written == "released in r.duckdb"
        assert Table(tmp_path / "r.duckdb", "released").read().table.num_rows == 9000


def _flushing(self, table, leaves):
    """A spill that writes a run for every batch."""
    self.counts += np.bincount(leaves, minlength=self.counts.size)
    self._tables.append(table)
    self._leaves.append(leaves)
    self.flush()


def _without_last(batches):
    *first, last = batches
    return [*first, last.slice(0, last.num_rows - 1)]


def _with_one_changed(batches):
    *first, last = batches
    changed = pa.array([1e6, *last["v0"].to_pylist()[1:]])
    return [*first, last.set_column(0, "v0", changed)]


def _is_session(one, place):
    return isinstance(one, type) and issubclass(one, Session) and one.__module__ == place


class TestStrataAndGaps:
    def small(self, n=3000):
        region = ["a"] * 2000 + ["b"] * (n - 2003) + ["c"] * 3
        return mixed(n).set_column(6, "region", pa.array(region))

    def test_small_strata_are_refused(self, tmp_path):
        with pytest.raises(Infeasible, match=r"region='c' \(3\)"):
            stream(self.small(), tmp_path / "out.parquet", **ASKED)
        assert left(tmp_path) == []

    def test_small_strata_are_suppressed(self, tmp_path):
        release = stream(self.small(), tmp_path / "out.parquet", **ASKED, small_strata="suppress")
        assert (release.suppressed, release.n_records) == (3, 2997)

    def test_small_strata_are_merged(self, tmp_path):
        release = stream(self.small(), tmp_path / "out.parquet", **ASKED, small_strata="merge")
        whole = protect(self.small(), **ASKED, small_strata="merge")
        assert release.merged == whole.merged
        found = set(parquet.read_table(tmp_path / "out.parquet")["region"].to_pylist())
        assert found == set(whole.table["region"].to_pylist())

    def test_many_strata_share_a_part(self, tmp_path):
        data = mixed(3000).set_column(6, "region", pa.array([str(i % 100) for i in range(3000)]))
        release = stream(data, tmp_path / "out.parquet", **ASKED)
        assert release.n_parts == 2
        table = parquet.read_table(tmp_path / "out.parquet")
        assert len(set(table["region"].to_pylist())) == 100

    def test_patterns(self, tmp_path):
        release = stream(mixed(), tmp_path / "out.parquet", **ASKED, missing="pattern")
        found = parquet.read_table(tmp_path / "out.parquet")["income"].null_count
        assert found == mixed()["income"].null_count
        assert release.achieved_k >= 4

    def test_gaps_are_refused(self, file, tmp_path):
        with pytest.raises(SchemaError, match=r"missing values in: .*income"):
            stream(file, tmp_path / "out.parquet", **ASKED, missing="error")

    @pytest.mark.parametrize("scaling", ["range", "none"])
    def test_other_ways_of_scaling(self, file, tmp_path, scaling):
        asked = {**ASKED, "parameters": {"standardize": scaling}}
        assert stream(file, tmp_path / "out.parquet", **asked).achieved_k >= 4

    def test_driving_variables(self, file, tmp_path):
        asked = {**ASKED, "parameters": {"variables": ["income", "age"]}}
        assert stream(file, tmp_path / "out.parquet", **asked).achieved_k >= 4

    def test_parts_are_cut_where_groups_are_formed(self, numbers, tmp_path):
        """By the driving variables: each part has an interval of the only one."""
        asked = {**PLAIN, "parameters": {"variables": ["v2"]}}
        stream(numbers, f"{tmp_path}/parts/", **asked)
        ends = []
        for path in (tmp_path / "parts").iterdir():
            values = parquet.read_table(path)["v2"].to_numpy()
            ends.append((values.min(), values.max()))
        ends.sort()
        assert len(ends) > 3
        assert all(high <= low for (_, high), (low, _) in itertools.pairwise(ends))

    def test_auto(self, file, tmp_path):
        asked = {**ASKED, "technique": "auto"}
        assert stream(file, tmp_path / "out.parquet", **asked).achieved_k >= 4


class TestFailures:
    @pytest.mark.parametrize("kind", ["duckdb", "sqlite"])
    @pytest.mark.parametrize(
        ("spoil", "reason"),
        [(_without_last, "8999 records were written"), (_with_one_changed, "is shared by 1 ")],
    )
    def test_a_table_is_counted_where_it_is(
        self, numbers, tmp_path, monkeypatch, kind, spoil, reason
    ):
        """What a database made of the batches counts, not what it was given."""
        place = f"covey.sources.databases.{kind}_tables"
        session = next(
            one for one in vars(import_module(place)).values() if _is_session(one, place)
        )
        create = session.create

        def spoilt(self, table, schema, batches):
            create(self, table, schema, spoil(batches))

        monkeypatch.setattr(session, "create", spoilt)
        with pytest.raises(GuaranteeViolated, match=reason):
            stream(numbers, tmp_path / f"r.{kind}", **PLAIN, into="released")
        assert not (tmp_path / f"r.{kind}").exists()

    def test_a_cell_that_fails(self, numbers, tmp_path, monkeypatch):
        def broken(plan, table):
            raise ZeroDivisionError("no reason")

        monkeypatch.setattr("covey.pipeline.tasks.protect_part", broken)
        with pytest.raises(CellFailed, match=r"failed \(ZeroDivisionError\)"):
            stream(numbers, tmp_path / "out.parquet", **PLAIN)
        assert not (tmp_path / "out.parquet").exists()
        monkeypatch.undo()
        stream(numbers, tmp_path / "out.parquet", **PLAIN)  # goes on from there
        assert left(tmp_path) == ["numbers.parquet", "out.parquet"]

    def test_a_disk_that_is_full(self, numbers, tmp_path, monkeypatch):
        def full(*_args, **_named):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("pyarrow.parquet.write_table", full)
        with pytest.raises(FileProblem, match="No space left"):
            stream(numbers, tmp_path / "out.parquet", **PLAIN)
        assert not (tmp_path / "out.parquet").exists()

    def test_a_group_that_is_too_small(self, numbers, tmp_path, monkeypatch):
        def torn(plan, table, *_rest):
            return table.select(["v0", "v1", "v2"])

        monkeypatch.setattr("covey.pipeline.part._assembled", torn)
        with pytest.raises(GuaranteeViolated, match="shared by 1 where k=3"):
            stream(numbers, tmp_path / "out.parquet", **PLAIN)
        assert not (tmp_path / "out.parquet").exists()

    def test_ctrl_c_leaves_no_release(self, numbers, tmp_path):
        def stop(stage, done, total):
            if stage == "checking":
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            protect(numbers, **PLAIN, out=tmp_path / "out.parquet", progress=stop)
        (work,) = tmp_path.glob(".covey-work-*")
        assert work.stat().st_mode & 0o777 == 0o700
        assert left(tmp_path) == [work.name, "numbers.parquet"]

    def test_a_folder_of_another_run(self, numbers, tmp_path):
        def stop(stage, done, total):
            raise KeyboardInterrupt

        where = {"out": tmp_path / "out.parquet", "work_dir": tmp_path / "work"}
        with pytest.raises(KeyboardInterrupt):
            protect(numbers, **PLAIN, **where, progress=stop)
        with pytest.raises(InvalidParameter, match="other data or settings"):
            protect(numbers, **{**PLAIN, "k": 5}, **where)
        os.utime(numbers, ns=(1, 1))
        with pytest.raises(InvalidParameter, match="other data or settings"):
            protect(numbers, **PLAIN, **where)

    def test_a_folder_of_something_else(self, numbers, tmp_path):
        with pytest.raises(InvalidParameter, match="not empty"):
            protect(numbers, **PLAIN, out=tmp_path / "out.parquet", work_dir=tmp_path)

    def test_two_runs_at_once(self, numbers, tmp_path):
        where = {"out": tmp_path / "out.parquet", "work_dir": tmp_path / "work"}
        told = []

        def again(stage, done, total):
            if not told:
                told.append(stage)
                with pytest.raises(InvalidParameter, match="Another run is at work"):
                    protect(numbers, **PLAIN, **where)

        protect(numbers, **PLAIN, **where, progress=again)
        assert told

    @pytest.mark.parametrize("name", ["out.parquet", "out.duckdb", "out.sqlite", "out/"])
    def test_a_place_that_is_taken_at_the_last_moment(self, numbers, tmp_path, name):
        """By another run, say: theirs stays, and ours is refused and can be forced."""
        out = f"{tmp_path}/{name}"
        where = {"out": out} | ({} if "." not in name or "parq" in name else {"into": "t"})
        theirs = {"k": 5, "technique": "iamat", "block_size": 1000}

        def meanwhile(stage, done, total):
            if (stage, done) == ("checking", 1):
                protect(numbers, **theirs, **where)

        with pytest.raises(InvalidParameter, match=r"(exists already|meanwhile).*goes on from"):
            protect(numbers, **PLAIN, **where, progress=meanwhile)
        source = target_at(out, where.get("into"))
        before = source.read().table
        assert smallest_class(before, before.column_names) >= 5
        (left,) = tmp_path.glob(".covey-work-*")
        stages = []
        protect(numbers, **PLAIN, **where, force=True, progress=lambda *said: stages.append(said))
        assert stages[0][0] == "going on where a run before ended"
        assert not left.exists()
        assert {one.name for one in tmp_path.iterdir()} == {numbers.name, name.rstrip("/")}

    def test_records_that_changed(self, tmp_path, monkeypatch):
        def stop(stage, done, total):
            if stage == "dividing":
                raise KeyboardInterrupt

        monkeypatch.chdir(tmp_path)
        with pytest.raises(KeyboardInterrupt):
            protect(mixed(), **ASKED, out=tmp_path / "out.parquet", progress=stop)
        with pytest.raises(InvalidParameter, match="records changed"):
            protect(mixed(seed=6), **ASKED, out=tmp_path / "out.parquet")


class TestRefused:
    def test_places_that_cannot_be_streamed_to(self, numbers, tmp_path):
        with pytest.raises(InvalidParameter, match="can only be read"):
            stream(numbers, tmp_path / "out.sas7bdat", **PLAIN)
        with pytest.raises(InvalidParameter, match=r"Say where the release goes \(out=\)"):
            protect(numbers, **PLAIN, memory_limit="2GB")
        with pytest.raises(InvalidParameter, match="original"):
            protect(numbers, **PLAIN, out=numbers, force=True)

    def test_a_file_that_does_not_fit(self, tmp_path):
        path = tmp_path / "large.sav"
        with path.open("wb") as opened:
            opened.truncate(10**9)
        with pytest.raises(InvalidParameter, match="only Parquet and CSV files and databases"):
            stream(path, tmp_path / "out.parquet", **PLAIN)

    def test_too_few_records(self, tmp_path):
        with pytest.raises(Infeasible, match="2 records are too few"):
            stream(mixed(2), tmp_path / "out.parquet", **PLAIN)

    def test_names_of_our_own(self, tmp_path):
        data = pa.table({"covey:key": [1.0, 2.0, 3.0]})
        with pytest.raises(SchemaError, match="rename it"):
            stream(data, tmp_path / "out.parquet", **PLAIN)

    def test_too_many_categories(self, tmp_path):
        data = pa.table({"v": np.arange(3000) % 1500})
        with pytest.raises(SchemaError, match="categories"):
            stream(data, tmp_path / "out.parquet", **PLAIN, nominal=["v"])

    def test_bad_weights(self, tmp_path):
        data = mixed().set_column(7, "weight", pa.array(np.zeros(6000)))
        with pytest.raises(SchemaError, match="weight"):
            stream(data, tmp_path / "out.parquet", **ASKED)


def test_labels_stay_and_other_metadata_goes(tmp_path):
    labelled = pa.field("v", pa.float64(), metadata={"label": "income", "owner": "secret"})
    data = pa.table([np.arange(100.0) / 8], schema=pa.schema([labelled], metadata={"a": "b"}))
    parquet.write_table(data, tmp_path / "in.parquet")
    release = stream(tmp_path / "in.parquet", tmp_path / "out.parquet", **PLAIN)
    schema = parquet.read_schema(tmp_path / "out.parquet")
    assert schema.metadata is None
    assert schema.field("v").metadata[b"label"] == b"income"
    assert b"owner" not in schema.field("v").metadata
    assert list(release.provenance.outputs) == ["out.parquet"]


def test_heavy_weights_are_told(tmp_path):
    weight = np.where(np.arange(6000) % 7 == 0, 1e6, 1.0)
    data = mixed().set_column(7, "weight", pa.array(weight))
    with pytest.warns(DisclosureWarning, match="of the weight"):
        release = stream(data, tmp_path / "out.parquet", **ASKED)
    assert release.provenance.warnings


def test_a_folder_that_is_there(numbers, tmp_path):
    """A Path forgets the slash at its end."""
    (tmp_path / "parts").mkdir()
    release = stream(numbers, tmp_path / "parts", **PLAIN, force=True)
    assert release.written == "parts/"
    assert {path.suffix for path in (tmp_path / "parts").iterdir()} == {".parquet"}
