"""Streamed releases are what releases in memory are: figures, categories, types, refusals."""

import datetime as dt
import sqlite3
from zoneinfo import ZoneInfo

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from covey import protect
from covey.errors import DisclosureWarning, GuaranteeViolated, InvalidParameter, SchemaError
from covey.pipeline.work_folder import WorkFolder
from covey.release.written_classes import require_streamed_guarantee
from covey.sources import Table, read_table
from covey.sources.source import Room, Staged
from covey.tables.roles import assign_roles
from tests.pipeline.fixtures import ASKED, file, mixed

__all__ = ["file"]
PLAIN = {"k": 3, "technique": "iamat", "block_size": 1000}


class TestSuppressedRecords:
    """They are not released, so nothing of them may show in what is."""

    def test_do_not_stretch_the_scale(self, rng, tmp_path):
        values = rng.normal(size=(3000, 2))
        values[-1, 0] = 1e9
        strata = ["a"] * 2999 + ["b"]
        data = pa.table({"x": values[:, 0], "y": values[:, 1], "s": strata})
        asked = {**PLAIN, "strata": ["s"], "small_strata": "suppress"}
        release = protect(data, **asked, out=tmp_path / "out.parquet")
        whole = protect(data, **asked)
        assert release.il_ == pytest.approx(whole.technique.il_, rel=0.05)
        x = parquet.read_table(tmp_path / "out.parquet")["x"].to_numpy()
        assert x.var() == pytest.approx(values[:-1, 0].var(), rel=0.05)

    def test_do_not_stand_behind_a_category(self, rng, tmp_path):
        n = 900
        grade = np.array(["lo", "hi"] * (n // 2))
        grade[[0, 1, 2]] = "mi"
        strata = np.array(["a"] * n)
        strata[[0, 1]] = "b"  # two of the three are suppressed
        data = pa.table(
            {"x": np.r_[1e3, 1e3, 1e3, rng.normal(size=n - 3)], "g": grade, "s": strata}
        )
        asked = {**PLAIN, "strata": ["s"], "small_strata": "suppress"}
        asked["ordinal"] = {"g": ["lo", "mi", "hi"]}
        protect(data, **asked, out=tmp_path / "out.parquet")
        found = set(parquet.read_table(tmp_path / "out.parquet")["g"].to_pylist())
        assert "mi" not in found
        assert found == set(protect(data, **asked).table["g"].to_pylist())

    def test_may_have_values_of_their_own(self, rng, tmp_path):
        """A category that only suppressed records have stopped the run."""
        n = 900
        data = pa.table(
            {
                "x": rng.normal(size=n),
                "job": np.r_[rng.choice(["a", "b"], n - 1), ["alone"]],
                "rank": np.r_[rng.integers(0, 5, n - 1), [77]],
                "s": ["a"] * (n - 1) + ["b"],
            }
        )
        asked = {**PLAIN, "strata": ["s"], "small_strata": "suppress", "ordinal": ["rank"]}
        release = protect(data, **asked, out=tmp_path / "out.parquet")
        assert release.suppressed == 1
        found = parquet.read_table(tmp_path / "out.parquet")
        assert set(found["job"].to_pylist()) == {"a", "b"}
        assert found["rank"].to_numpy().max() <= 4


class TestCategories:
    LEVELS = ("low", "mid", "high", "top", "never")

    def data(self, rng, n=6000):
        codes = rng.integers(0, 4, n)
        codes[:40] = 3  # the first to appear is the last in order
        levels = pa.DictionaryArray.from_arrays(
            pa.array(codes, pa.int8()), list(self.LEVELS), ordered=True
        )
        values = {f"v{j}": rng.normal(size=n) for j in range(2)}
        return pa.table({**values, "stratum": levels, "kept": levels, "grouped": levels})

    @pytest.mark.filterwarnings("ignore:.*nearly a copy:covey.errors.DisclosureWarning")
    @pytest.mark.parametrize("out", ["out.parquet", "parts/"])
    def test_keep_their_order(self, rng, tmp_path, out):
        asked = {**PLAIN, "strata": ["stratum"], "keep": ["kept"], "ordinal": ["grouped"]}
        protect(self.data(rng), **asked, out=f"{tmp_path}/{out}")
        for path in tmp_path.glob("**/*.parquet"):
            table = parquet.read_table(path)
            for name in ("stratum", "kept", "grouped"):
                assert table[name].type.ordered
                column = table[name].unify_dictionaries().combine_chunks()
                assert column.dictionary.to_pylist() == list(self.LEVELS[:4])

    def test_of_parts_that_number_them_with_a_byte(self, rng, tmp_path):
        for part in range(3):
            names = [f"c{part}-{i}" for i in range(100)]
            codes = pa.array(np.arange(1000) % 100, pa.int8())
            kept = pa.DictionaryArray.from_arrays(codes, names)
            table = pa.table({"v": rng.normal(size=1000), "w": rng.normal(size=1000), "c": kept})
            parquet.write_table(table, tmp_path / f"p{part}.parquet")
        protect(f"{tmp_path}/p*.parquet", **PLAIN, nominal=["c"], out=tmp_path / "out.parquet")
        assert read_table(tmp_path / "out.parquet").num_rows == 3000


class TestColumns:
    def test_views_of_text(self, rng, tmp_path):
        words = pa.array(rng.choice(["a", "b"], 3000)).cast(pa.string_view())
        data = pa.table({"v": rng.normal(size=3000), "t": words})
        protect(data, **PLAIN, out=tmp_path / "out.parquet")
        assert set(read_table(tmp_path / "out.parquet")["t"].to_pylist()) == {"a", "b"}

    def test_an_hour_that_a_clock_has_twice(self, rng, tmp_path):
        zone = ZoneInfo("Europe/Vienna")
        twice = [dt.datetime(2023, 10, 29, 2, 30, tzinfo=zone, fold=fold) for fold in (0, 1)]
        strata = pa.array([twice[i % 2] for i in range(3000)], pa.timestamp("s", "Europe/Vienna"))
        data = pa.table({"v": rng.normal(size=3000), "w": rng.normal(size=3000), "s": strata})
        protect(data, **PLAIN, strata=["s"], out=tmp_path / "out.parquet")
        found = read_table(tmp_path / "out.parquet")["s"].cast(pa.int64()).to_numpy()
        assert np.unique(found, return_counts=True)[1].tolist() == [1500, 1500]

    def test_doubled_names(self, tmp_path):
        doubled = pa.table([pa.array([1.0] * 9), pa.array([2.0] * 9)], names=["a", "a"])
        parquet.write_table(doubled, tmp_path / "t.parquet")
        with pytest.raises(SchemaError, match="more than one column named 'a'"):
            protect(tmp_path / "t.parquet", **PLAIN, out=tmp_path / "out.parquet")

    @pytest.mark.filterwarnings("ignore:.*nearly a copy:covey.errors.DisclosureWarning")
    def test_declared_types(self, tmp_path):
        with duckdb.connect(str(tmp_path / "d.duckdb")) as connection:
            connection.execute("create table t (n bigint, c varchar, d decimal(9,2), v double)")
            connection.execute(
                "insert into t select i % 9, 'c' || (i % 3), i % 40, random() from range(2000) t(i)"
            )
        place = Table(tmp_path / "d.duckdb", "t", order_by=["n", "v"])
        asked = {**PLAIN, "keep": ["n", "d"]}
        protect(place, **asked, out=tmp_path / "d.duckdb", into="released")
        with duckdb.connect(str(tmp_path / "d.duckdb")) as connection:
            rows = connection.execute("describe released").fetchall()
        assert {row[0]: row[1] for row in rows if row[0] in "nd"} == {
            "n": "BIGINT",
            "d": "DECIMAL(9,2)",
        }


def sqlite(tmp_path, n=3000):
    table = mixed(n).drop_columns(["born"])
    with sqlite3.connect(tmp_path / "s.sqlite") as connection:
        names = ", ".join(table.column_names)
        connection.execute("pragma journal_mode=wal")
        connection.execute(f"create table persons ({names})")
        marks = ", ".join("?" * table.num_columns)
        rows = zip(*table.to_pydict().values(), strict=True)
        connection.executemany(f"insert into persons values ({marks})", rows)
    connection.close()
    return Table(tmp_path / "s.sqlite", "persons", order_by=["person"])


class TestDatabases:
    @pytest.mark.parametrize("kind", ["duckdb", "sqlite"])
    def test_from_and_into_the_same(self, file, tmp_path, kind):
        place = sqlite(tmp_path)
        if kind == "duckdb":
            with duckdb.connect(str(tmp_path / "s.duckdb")) as connection:
                connection.execute(f"create table persons as from '{file}'")
            place = Table(tmp_path / "s.duckdb", "persons", order_by=["person"])
        path = tmp_path / f"s.{kind}"
        release = protect(place, **ASKED, out=path, into="released")
        assert Table(path, "released").read().table.num_rows == release.n_records
        assert Table(path, "persons").read().table.num_rows == release.n_records
        assert release.provenance.input_hash

    def test_others_may_write_while_cells_are_grouped(self, tmp_path):
        place, written = sqlite(tmp_path), []

        def write(stage, done, total):
            if stage == "grouping" and not written:
                written.append(stage)
                with sqlite3.connect(tmp_path / "s.sqlite", timeout=0.1) as connection:
                    connection.execute("create table other (a)")
                connection.close()

        protect(place, **ASKED, out=tmp_path / "out.parquet", progress=write)
        assert written

    def test_records_that_changed_are_not_mixed(self, tmp_path):
        """The file of a database need not change when its records do."""
        place = sqlite(tmp_path)

        def stop(stage, done, total):
            if stage == "grouping":
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            protect(place, **ASKED, out=tmp_path / "out.parquet", progress=stop)
        with sqlite3.connect(tmp_path / "s.sqlite") as connection:
            connection.execute("update persons set job = 'pilot', income = income * 1000")
        connection.close()
        with pytest.raises(InvalidParameter, match="changed since the run"):
            protect(place, **ASKED, out=tmp_path / "out.parquet")
        protect(place, **ASKED, out=tmp_path / "out.parquet")
        assert set(read_table(tmp_path / "out.parquet")["job"].to_pylist()) == {"pilot"}


class TestTheWorkFolder:
    def test_has_no_identifiers(self, file, tmp_path):
        seen = []

        def look(stage, done, total):
            if stage == "grouping" and not seen:
                seen.extend((tmp_path / "work").iterdir())
                assert not any(b"p1234" in path.read_bytes() for path in seen)

        protect(
            file, **ASKED, out=tmp_path / "out.parquet", work_dir=tmp_path / "work", progress=look
        )
        assert seen

    def test_is_removed_when_the_release_is_there(self, file, tmp_path, monkeypatch):
        """A run that was killed in the last moment, called again."""
        monkeypatch.setattr(WorkFolder, "remove", lambda self: None)
        protect(file, **ASKED, out=tmp_path / "out.parquet")
        monkeypatch.undo()
        left = list(tmp_path.glob(".covey-work-*"))
        assert len(left) == 1
        with pytest.raises(InvalidParameter, match="exists already"):
            protect(file, **ASKED, out=tmp_path / "out.parquet")
        assert not left[0].exists()

    def test_stays_when_only_writing_failed(self, file, tmp_path, monkeypatch):
        def refuse(self, *_args, **_named):
            raise SchemaError("cannot be held")

        monkeypatch.setattr("covey.sources.files_as_sources.FileSource.stage", refuse)
        with pytest.raises(SchemaError, match="cannot be held"):
            protect(file, **ASKED, out=tmp_path / "out.parquet")
        assert list(tmp_path.glob(".covey-work-*"))

    def test_a_file_that_is_replaced_meanwhile(self, file, tmp_path):
        def replace(stage, done, total):
            if stage == "dividing":
                parquet.write_table(mixed(6000, seed=6), file)

        with pytest.raises(SchemaError, match="changed while they were read"):
            protect(file, **ASKED, out=tmp_path / "out.parquet", progress=replace)
        assert not (tmp_path / "out.parquet").exists()


class Written(Staged):
    def __init__(self, path):
        self.path = path

    @property
    def paths(self):
        return (self.path,)

    def read_back(self): ...
    def keep(self): ...
    def drop(self): ...


class TestTheCount:
    def count(self, tmp_path, folder, table):
        path = tmp_path / folder / "t.parquet"
        path.parent.mkdir()
        parquet.write_table(table, path)
        names = table.column_names
        roles = assign_roles([*names, "id"], ["id"], names, [], [], None, [])
        return require_streamed_guarantee(
            Written(path), names, roles, 3, table.num_rows, Room(10**9, tmp_path)
        )

    @pytest.mark.parametrize("folder", ["age=1", "plain", "id=5"])
    def test_whatever_the_folder_is_called(self, tmp_path, folder):
        assert self.count(tmp_path, folder, pa.table({"age": [1.0] * 3 + [2.0] * 4})) == 3
        tmp_path = tmp_path / "again"
        tmp_path.mkdir()
        with pytest.raises(GuaranteeViolated, match="is shared by 1 "):
            self.count(tmp_path, folder, pa.table({"age": np.arange(10.0)}))

    def test_names_that_differ_in_capitals(self, tmp_path):
        with pytest.raises(GuaranteeViolated, match="is shared by 1 "):
            self.count(tmp_path, "t", pa.table({"Age": [1.0] * 10, "age": np.arange(10.0)}))


def test_a_sample_does_not_tell_how_many_values_differ(rng, tmp_path, monkeypatch, recwarn):
    monkeypatch.setattr("covey.pipeline.survey.LEAST_SAMPLE", 2000)
    codes = pa.array([f"c{i}" for i in rng.integers(0, 1500, 20_000)])
    data = pa.table({"v": rng.normal(size=20_000), "w": rng.normal(size=20_000), "c": codes})
    protect(data, **PLAIN, confidential=["c"], out=tmp_path / "out.parquet")
    assert not [one for one in recwarn if one.category is DisclosureWarning]
