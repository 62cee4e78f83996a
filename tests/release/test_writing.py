"""Writing a release: order, whole files only, nothing else in them, and where it came from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import covey
from covey.errors import (
    DisclosureWarning,
    InvalidParameter,
)
from covey.release import protect
from covey.sources.files import FileProblem, read_table
from covey.techniques import MDAV
from tests.release.independent import smallest_class

AMOUNTS = ["age", "hours", "gross_income", "net_income"]


@pytest.fixture(scope="module")
def survey():
    return covey.datasets.make_survey(300, 2).to_pandas()


class TestWrite:
    @pytest.fixture
    def release(self, survey):
        return protect(survey, 5, quasi_identifiers=AMOUNTS)

    def test_rows_are_ordered_by_released_values(self, release, tmp_path):
        release.write(tmp_path / "out.csv")
        written = pd.read_csv(tmp_path / "out.csv")
        assert smallest_class(written) >= 5
        ordered = release.data.sort_values(AMOUNTS).reset_index(drop=True)
        pd.testing.assert_frame_equal(written, ordered, check_dtype=False)

    def test_the_order_of_the_original_leaves_no_trace(self, survey, tmp_path):
        roles = {"identifiers": ["person_id"], "strata": ["region"], "confidential": ["sex"]}
        release = protect(survey, 3, "mdav", **roles)
        release.write(tmp_path / "one.csv")
        order = np.random.default_rng(5).permutation(300)
        shuffled = replace(release, masked=replace(release.masked, table=release.table.take(order)))
        shuffled.write(tmp_path / "two.csv")
        assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()

    def test_original_order_warns(self, release, tmp_path):
        with pytest.warns(DisclosureWarning, match="order of the rows"):
            release.write(tmp_path / "out.csv", order="original")
        written = pd.read_csv(tmp_path / "out.csv")
        pd.testing.assert_frame_equal(written, release.data, check_dtype=False)

    def test_unknown_order(self, release, tmp_path):
        with pytest.raises(InvalidParameter, match="order must be"):
            release.write(tmp_path / "out.csv", order="random")

    def test_no_overwriting_unasked(self, release, tmp_path):
        path = tmp_path / "out.csv"
        path.write_text("precious")
        with pytest.raises(InvalidParameter, match="exists already"):
            release.write(path)
        assert path.read_text() == "precious"
        release.write(path, force=True)
        assert len(read_table(path)) == 300

    def test_the_original_is_never_overwritten(self, survey, tmp_path):
        path = tmp_path / "survey.csv"
        survey[AMOUNTS].to_csv(path, index=False)
        before = path.read_bytes()
        with pytest.raises(InvalidParameter, match="original"):
            protect(path, 3).write(path, force=True)
        assert path.read_bytes() == before

    def test_a_full_disk_leaves_nothing(self, release, tmp_path, monkeypatch):
        def full(table, path, *options):
            with open(path, "w") as handle:
                handle.write("half a fi")
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("pyarrow.csv.write_csv", full)
        with pytest.raises(FileProblem, match="No space left on device"):
            release.write(tmp_path / "out.csv")
        assert list(tmp_path.iterdir()) == []
        assert release.provenance.outputs == {}

    def test_ctrl_c_leaves_the_old_file(self, release, tmp_path, monkeypatch):
        def interrupted(table, path, *options):
            raise KeyboardInterrupt

        path = tmp_path / "out.csv"
        path.write_text("old")
        monkeypatch.setattr("pyarrow.csv.write_csv", interrupted)
        with pytest.raises(KeyboardInterrupt):
            release.write(path, force=True)
        assert path.read_text() == "old"
        assert [p.name for p in tmp_path.iterdir()] == ["out.csv"]


class TestNothingElseLeaks:
    def test_the_index_is_dropped(self, survey):
        indexed = survey.set_index("person_id")[AMOUNTS]
        release = protect(indexed, 4)
        assert list(release.data.index) == list(range(300))
        assert "P0" not in release.data.to_csv()

    def test_arrow_metadata_is_dropped(self):
        table = covey.datasets.make_survey(30).select(AMOUNTS)
        marked = table.replace_schema_metadata({"owner": "Anne"})
        assert protect(marked).data.schema.metadata is None

    def test_metadata_of_columns_is_dropped_but_labels_are_kept(self):
        fields = [pa.field("x", pa.int64(), metadata={"label": "Age", "owner": "Anne"})]
        table = pa.table([[1, 2, 3]], schema=pa.schema(fields))
        assert protect(table).table.schema.field("x").metadata == {b"label": b"Age"}

    def test_categories_of_suppressed_records_are_gone(self, tmp_path):
        """A stratum that was left out must not be named by the file."""
        strata = pd.Categorical(["a"] * 4 + ["b"] * 4 + ["the only one"])
        frame = pd.DataFrame({"x": range(9), "s": strata})
        release = protect(frame, 3, strata=["s"], small_strata="suppress")
        release.write(tmp_path / "out.parquet")
        assert list(pd.read_parquet(tmp_path / "out.parquet")["s"].cat.categories) == ["a", "b"]

    def test_the_callers_technique_stays_as_it_is(self, survey):
        technique = MDAV(k=5)
        first = protect(survey, technique=technique, quasi_identifiers=AMOUNTS)
        protect(survey[:50], technique=technique, quasi_identifiers=AMOUNTS)
        assert not hasattr(technique, "blocks_")
        assert first.technique.partition_.n_records == 300


class TestProvenance:
    def test_of_a_file(self, survey, tmp_path):
        import hashlib

        path = tmp_path / "survey.csv"
        survey[AMOUNTS].to_csv(path, index=False)
        release = protect(path, 3)
        release.write(tmp_path / "out.csv")
        traced = release.provenance
        assert traced.input_name == "survey.csv"
        assert traced.input_hash == hashlib.sha256(path.read_bytes()).hexdigest()
        written = hashlib.sha256((tmp_path / "out.csv").read_bytes()).hexdigest()
        assert traced.outputs == {"out.csv": written}
        assert traced.versions["covey"] == covey.__version__
        assert (traced.input_records, traced.input_columns) == (300, 4)

    def test_of_a_frame_however_it_is_cut(self):
        table = pa.table({"x": [1.0, 2.0, 3.0, 4.0]})
        cut = pa.concat_tables([table.slice(0, 1), table.slice(1)])
        other = pa.table({"x": [1.0, 2.0, 3.0, 5.0]})
        hashes = [protect(data, 2).provenance.input_hash for data in (table, cut, other)]
        assert hashes[0] == hashes[1] != hashes[2]

    def test_warnings_are_kept(self, survey):
        with pytest.warns(DisclosureWarning):
            release = protect(survey, 3, quasi_identifiers=AMOUNTS, min_contributors=1)
        assert any("stand behind" in text for text in release.provenance.warnings)
