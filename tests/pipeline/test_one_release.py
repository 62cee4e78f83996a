"""What is written part by part is a release like any other: figures, reports, every format."""

import json

import numpy as np
import pandas as pd
import pytest
from pyarrow import parquet

from covey import protect
from covey.cli.main import run
from covey.errors import DisclosureWarning, GuaranteeViolated
from covey.pipeline.guarantee import smallest_class
from covey.release.describing import external_content, internal_content
from covey.release.describing.summary_lines import release_figures, release_lines
from covey.sources import read_table
from tests.pipeline.fixtures import ASKED, file, mixed, numbers

__all__ = ["file", "numbers"]
KEYS = ["income", "age", "born", "job", "grade", "region", "weight"]
# What tells one run from another, whatever it released.
OWN = ("provenance", "sha256", "seconds", "started", "outputs", "input")


@pytest.fixture
def one_part(_small_parts):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("covey.release.run.PART_RECORDS", 2**21)
        yield


def plain(value):
    """Without what belongs to a run; numbers to nine digits, lists of points in no order."""
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items() if name not in OWN}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return float(f"{value:.9g}") if isinstance(value, float) else value


@pytest.mark.parametrize("missing", ["group", "pattern"])
def test_reports_say_the_same(one_part, file, tmp_path, missing):
    asked = {**ASKED, "missing": missing, "thresholds": {"distance_linkage": 90.0}}
    asked["rules"] = {"adult": "age >= 18"}
    streamed, whole = protect(file, **asked, out=tmp_path / "out.csv"), protect(file, **asked)
    assert not streamed.is_sampled
    for content in (internal_content, external_content):
        found, expected = plain(content(streamed)), plain(content(whole))
        # Which records lie on the map, and columns that were not read, are not in both.
        for one in (found, expected):
            one.pop("groups_map", None)
            one["columns"] = [c for c in one["columns"] if c["name"] != "person"]
        assert found == expected


def test_figures_are_the_same(one_part, file, tmp_path):
    streamed, whole = protect(file, **ASKED, out=tmp_path / "out.parquet"), protect(file, **ASKED)
    found, expected = (plain(release_figures(one)) for one in (streamed, whole))
    assert found == expected
    lines = release_lines(streamed, "original.parquet")
    assert lines == release_lines(whole, "original.parquet")
    assert "risk" in lines


@pytest.mark.parametrize("name", ["out.csv", "out.xlsx", "out.arrow", "out.parquet", "out.dta"])
def test_any_format(file, tmp_path, name):
    asked = {**ASKED, "strata": [], "quasi_identifiers": ["income", "age", "job"], "ordinal": []}
    release = protect(file, **asked, out=tmp_path / name)
    found = read_table(tmp_path / name)
    assert found.num_rows == release.n_records == 6000
    assert smallest_class(found, ["income", "age", "job", "weight"]) >= 4
    assert release.n_parts > 1
    assert list(release.provenance.outputs) == [name]


class TestASample:
    @pytest.fixture(autouse=True)
    def _few(self, monkeypatch):
        monkeypatch.setattr("covey.release.plan_request.SAMPLE", 900)

    def test_has_whole_groups(self, file, tmp_path):
        release = protect(file, **ASKED, out=tmp_path / "out.parquet")
        assert release.is_sampled
        assert 600 < release.masked.prepared.n_records < 1200
        assert release.partition.sizes.min() >= 4
        shared = smallest_class(release.masked.table, KEYS)
        assert shared >= 4

    def test_counts_are_of_all_records(self, file, tmp_path):
        release = protect(file, **ASKED, out=tmp_path / "out.parquet")
        written = parquet.read_table(tmp_path / "out.parquet")
        assert release.n_records == written.num_rows == 6000
        assert sum(size * n for size, n in release.group_sizes.items()) == 6000
        gaps = {name: after for name, (_, after) in release.gaps.items()}
        assert gaps == {name: written[name].null_count for name in written.column_names}
        content = internal_content(release)
        assert content["groups"]["records"] == external_content(release)["records"] == 6000

    def test_records_are_their_originals(self, file, tmp_path):
        release = protect(file, **ASKED, out=tmp_path / "out.parquet")
        original = parquet.read_table(file).take(release.masked.kept)
        kept = release.masked.prepared.table
        for name in kept.column_names:
            assert kept[name].to_pylist() == original[name].to_pylist()

    def test_loss_is_that_of_all(self, file, tmp_path, monkeypatch):
        sampled = protect(file, **ASKED, out=tmp_path / "out.parquet").evaluation
        monkeypatch.undo()
        whole = protect(file, **ASKED, out=tmp_path / "all.parquet").evaluation
        assert sampled.il.percent == pytest.approx(whole.il.percent, rel=1e-9)
        assert sampled.distance_linkage.percent != whole.distance_linkage.percent

    def test_is_said(self, file, tmp_path):
        release = protect(file, **ASKED, out=tmp_path / "out.parquet")
        text = release_lines(release, "original.parquet")["measured on"]
        assert f"{release.masked.prepared.n_records} records" in text
        assert any("drawn" in note for note in external_content(release)["notes"])
        assert any("drawn" in sentence for sentence in internal_content(release)["summary"])
        release.report(tmp_path / "internal.html")
        release.report(tmp_path / "external.html", "external")
        assert "drawn from all 6000" in (tmp_path / "internal.html").read_text()
        assert "drawn from all 6000" in (tmp_path / "external.html").read_text()


class TestData:
    def test_come_from_where_they_were_written(self, numbers, tmp_path):
        frame = parquet.read_table(numbers).to_pandas()
        release = protect(frame, k=3, technique="iamat", out=tmp_path / "out.parquet")
        assert isinstance(release.data, pd.DataFrame)
        assert len(release.data) == 9000
        pd.testing.assert_frame_equal(release.data, pd.read_parquet(tmp_path / "out.parquet"))

    def test_can_be_written_elsewhere(self, numbers, tmp_path):
        release = protect(numbers, k=3, technique="iamat", out=tmp_path / "out.parquet")
        release.write(tmp_path / "again.csv")
        found = read_table(tmp_path / "again.csv")
        assert found.num_rows == 9000
        np.testing.assert_allclose(np.sort(found["v0"]), np.sort(release.table["v0"]))


def test_the_script_writes_the_same_format(file, tmp_path):
    release = protect(file, **ASKED, out=tmp_path / "out.xlsx")
    assert release.script().endswith("release.write('released.xlsx')\n")


def test_of_a_data_frame_has_a_script_and_a_report(tmp_path):
    release = protect(mixed(3000).to_pandas(), **ASKED, out=tmp_path / "out.csv")
    assert "# data: the data frame that was protected" in release.script()
    release.report(tmp_path / "internal.html")
    assert (tmp_path / "internal.html").exists()


class TestOriginalsOnDisk:
    def test_are_named_when_a_callback_fails(self, numbers, tmp_path):
        def fail(stage, done, total):
            if stage == "grouping":
                raise ValueError("no reason")

        asked = {"k": 3, "technique": "iamat", "out": tmp_path / "out.parquet"}
        with (
            pytest.warns(DisclosureWarning, match="with original values"),
            pytest.raises(ValueError, match="no reason"),
        ):
            protect(numbers, **asked, progress=fail)
        protect(numbers, **asked)  # goes on from there
        assert not list(tmp_path.glob(".covey-work-*"))

    def test_go_where_the_guarantee_is_broken(self, numbers, tmp_path, monkeypatch):
        def broken(*_given):
            raise GuaranteeViolated("a class of one record")

        monkeypatch.setattr("covey.release.run.require_streamed_guarantee", broken)
        with pytest.raises(GuaranteeViolated):
            protect(numbers, k=3, technique="iamat", out=tmp_path / "out.parquet")
        assert [path.name for path in tmp_path.iterdir()] == [numbers.name]


def test_text_on_another_file_system(numbers):
    pytest.importorskip("fsspec", reason="memory:// needs fsspec")
    release = protect(numbers, k=3, technique="iamat", out="memory://releases/out.csv")
    assert release.table.num_rows == 9000


def test_of_memory_has_the_same_attributes(numbers):
    release = protect(numbers, k=3, technique="iamat")
    assert (release.n_records, release.n_parts, release.written) == (9000, 1, "")
    assert release.il_ == pytest.approx(release.technique.il_)
    assert release.n_groups == release.partition.n_groups
    assert not release.is_sampled


def test_the_command_line_writes_reports_too(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    data = mixed(3000)
    parquet.write_table(data, "in.parquet")
    command = "protect in.parquet --out out.csv --k 4 --technique iamat --identifiers person"
    command += " --memory-limit 300MB --internal i.html --external e.html --save-config run.toml"
    monkeypatch.setattr("sys.argv", ["covey", *command.split(), "--json"])
    with pytest.raises(SystemExit) as ended:
        run()
    assert ended.value.code in (0, None)
    figures = json.loads(capsys.readouterr().out)
    assert figures["records"] == 3000
    assert figures["evaluation"]["distance_linkage"]
    assert {path.name for path in tmp_path.iterdir()} >= {"out.csv", "i.html", "e.html", "run.toml"}
