"""Columns of every type, in every role: a release, or a message that names the column."""

from __future__ import annotations

import decimal
import warnings

import pandas as pd
import pyarrow as pa
import pytest

import covey
from covey.errors import CoveyError, NotEnoughMemory, SchemaError
from covey.sources.files import read_file, write_table
from tests.release.every_type import NUMBERS, SURROGATE, N, every_frame, text_from

FRAMES = every_frame()
ROLES = {
    "identifier": {"identifiers": ["odd"]},
    "not named": {"quasi_identifiers": ["age"]},
    "quasi-identifier": {},
    "nominal": {"nominal": ["odd"]},
    "ordinal": {"ordinal": ["odd"]},
    "confidential": {"quasi_identifiers": ["age"], "confidential": ["odd"]},
    "kept": {"quasi_identifiers": ["age"], "keep": ["odd"]},
    "stratum": {"strata": ["odd"], "small_strata": "merge"},
    "weight": {"weight": "odd"},
}
DROPPED = ("identifier", "not named")
IN_PARTS = ("identifier", "quasi-identifier", "kept", "stratum")
ENDINGS = (".parquet", ".arrow", ".csv", ".sav", ".dta", ".xlsx")


@pytest.fixture(autouse=True)
def _without_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def protected(data, role, **options):
    """The release, or None where it was refused with a message that names the column."""
    try:
        return covey.protect(data, k=3, technique="mdav", **ROLES[role], **options)
    except CoveyError as error:
        refused = str(error)
    assert role not in DROPPED, refused
    assert "'odd'" in refused
    assert SURROGATE not in refused
    return None


def written(release, path) -> str:
    """What was said when it could not be written."""
    try:
        release.write(path)
    except CoveyError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", FRAMES)
def test_in_memory(name, tmp_path):
    data = FRAMES[name]()
    for role in ROLES:
        release = protected(data, role)
        if release is None:
            continue
        assert len(release.data) == N
        assert ("odd" in release.table.column_names) == (role not in DROPPED)
        for ending in ENDINGS if role in ("kept", "quasi-identifier") else ():
            said = written(release, tmp_path / f"{role}{ending}")
            assert not said or "'odd'" in said or "Arrow file" in said


@pytest.mark.parametrize("name", FRAMES)
def test_streamed(name, tmp_path):
    data = FRAMES[name]()
    for role in IN_PARTS:
        whole = protected(data, role)
        streamed = protected(data, role, out=tmp_path / f"{role}.parquet")
        assert (whole is None) == (streamed is None)


@pytest.mark.parametrize("name", [name for name in FRAMES if name.startswith("pyarrow")])
@pytest.mark.parametrize("ending", [".parquet", ".arrow"])
def test_from_files(name, ending, tmp_path):
    path = tmp_path / f"t{ending}"
    try:
        write_table(FRAMES[name](), path)
    except (CoveyError, pa.ArrowInvalid, pa.ArrowNotImplementedError):
        pytest.skip("this format does not hold such a column")
    if ending == ".parquet" and name == "pyarrow bad utf-8 categories":
        with pytest.raises(CoveyError, match="not valid UTF-8"):  # Arrow cannot read it at all
            covey.protect(path, k=3, identifiers=["odd"])
        return
    for role in IN_PARTS:
        protected(path, role)


def test_inspect_looks_at_any_type():
    for name, make in FRAMES.items():
        found = {column.name: column for column in covey.inspect(make()).columns}
        assert set(found) == {"odd", "age"}, name


class TestWhatIsAccepted:
    @pytest.mark.parametrize(
        ("name", "values"),
        [
            ("pyarrow string_view", {"a", "b", None}),
            ("pyarrow bool8", {True, False, None}),
            ("pyarrow json", {'{"a": 1}', "2", None}),
            ("pyarrow uuid", {f"00000000-0000-0000-0000-00000000000{n}" for n in (1, 2, 3)}),
            ("pyarrow run ends of numbers", {1.5, 2.5, None}),
            ("pyarrow categories of truth", {True, False, None}),
            ("pandas cut", {"(-0.017, 5.667]", "(5.667, 11.333]", "(11.333, 17.0]"}),
            ("pandas categories of periods", {"2020-01", "2020-02", "2020-03"}),
            ("pandas sparse", {1, 2, 3}),
            ("polars Int128", {1, 2, 3}),
        ],
    )
    def test_kept_values_are_those_that_were(self, name, values):
        release = protected(FRAMES[name](), "kept")
        assert set(release.table["odd"].to_pylist()) == values

    @pytest.mark.parametrize("width", [32, 64, 128, 256])
    def test_decimals_are_averaged(self, width):
        kind = getattr(pa, f"decimal{width}")(5, 1)
        numbers = [decimal.Decimal(n) for n in (1, 1, 1, 4, 4, 4)]
        table = pa.table({"odd": pa.array(numbers, kind)})
        release = covey.protect(table, k=3, technique="mdav")
        assert sorted(release.table["odd"].to_pylist()) == [1.0] * 3 + [4.0] * 3

    def test_categories_of_intervals_keep_their_order(self):
        release = protected(FRAMES["pandas cut"](), "quasi-identifier")
        assert release.table["odd"].type.ordered


class TestWhatIsSaid:
    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("pandas 10**30", "whole numbers of over 64 bits"),
            ("pandas surrogates", "not valid UTF-8"),
            ("pandas categories of surrogates", "not valid UTF-8"),
            ("pyarrow bad utf-8", "not valid UTF-8"),
            ("pyarrow bad utf-8 categories", "not valid UTF-8"),
            ("pandas mixed", "several kinds"),
            ("pyarrow opaque", "does not know"),
        ],
    )
    def test_column_and_remedy(self, name, words):
        with pytest.raises(SchemaError, match=words) as caught:
            covey.protect(FRAMES[name](), k=3, technique="mdav")
        assert str(caught.value).startswith("'odd' ")
        assert "--identifiers" in str(caught.value)

    def test_bad_bytes_late_in_a_file(self, tmp_path):
        texts = text_from([b"a", b"b"] * 40_000 + [b"\xff"], pa.string())
        table = pa.table({"age": range(80_001), "odd": texts})
        write_table(table, tmp_path / "t.parquet")
        with pytest.raises(SchemaError, match="'odd' holds text that is not valid UTF-8"):
            covey.protect(tmp_path / "t.parquet", k=3, out=tmp_path / "out.parquet")
        assert [path.name for path in tmp_path.iterdir()] == ["t.parquet"]

    @pytest.mark.parametrize("content", [b"age,odd\n1,a\n2,\x81\n", b"age,odd\n1,a\n2,\xff\xff\n"])
    def test_csv_of_any_bytes(self, tmp_path, content):
        (tmp_path / "t.csv").write_bytes(content)
        with pytest.raises(CoveyError, match="encoding"):
            read_file(tmp_path / "t.csv", encoding="utf-8")


class TestMemory:
    def raising(self, *_, **__):
        raise MemoryError("Unable to allocate 3.5 TiB")

    def test_memory_runs_out(self, monkeypatch, tmp_path):
        monkeypatch.setattr("covey.release.protecting.mask", self.raising)
        with pytest.raises(NotEnoughMemory, match="memory_limit"):
            covey.protect(pd.DataFrame({"x": NUMBERS}), k=3, technique="mdav")

    def test_memory_runs_out_while_a_cell_is_grouped(self, monkeypatch, tmp_path):
        monkeypatch.setattr("covey.pipeline.part._assembled", self.raising)
        with pytest.raises(NotEnoughMemory, match="memory_limit"):
            covey.protect(
                pd.DataFrame({"x": NUMBERS}), k=3, technique="mdav", out=tmp_path / "o.parquet"
            )

    def test_a_file_too_large_for_memory_is_not_called_damaged(self, monkeypatch, tmp_path):
        write_table(pa.table({"x": NUMBERS}), tmp_path / "t.parquet")

        def broken(*_, **__):
            raise pa.ArrowMemoryError("malloc of size 123 failed")

        monkeypatch.setattr("pyarrow.parquet.ParquetFile.read", broken)
        with pytest.raises(NotEnoughMemory):
            covey.protect(tmp_path / "t.parquet", k=3)


def test_a_failing_cell_does_not_show_what_it_failed_on(monkeypatch, tmp_path):
    def raising(*_, **__):
        raise ValueError("cannot convert 'Rumpelstilzchen'")

    monkeypatch.setattr("covey.pipeline.part._assembled", raising)
    with pytest.raises(CoveyError, match="ValueError") as caught:
        covey.protect(
            pd.DataFrame({"x": NUMBERS}), k=3, technique="mdav", out=tmp_path / "o.parquet"
        )
    assert "Rumpelstilzchen" not in str(caught.value)
