"""Is a file the release that these settings make?"""

from __future__ import annotations

import pandas as pd
import pytest

import covey
from covey.errors import DisclosureWarning, SchemaError
from covey.release.same_release import require_same_release

ROLES = {"identifiers": ["person_id"], "strata": ["region"], "weight": "weight"}


@pytest.fixture(scope="module")
def release():
    return covey.protect(covey.datasets.make_survey(150, 4, missing=0.05), 3, **ROLES)


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".arrow", ".xlsx", ".dta"])
def test_the_file_it_wrote(release, ending, tmp_path):
    path = tmp_path / f"out{ending}"
    release.write(path)
    require_same_release(release, path)
    assert path.name in release.provenance.outputs
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_in_the_original_order_too(release, tmp_path):
    with pytest.warns(DisclosureWarning, match="order"):
        release.write(tmp_path / "out.csv", order="original")
    require_same_release(release, tmp_path / "out.csv")


def test_one_value_that_was_changed(release, tmp_path):
    path = tmp_path / "out.csv"
    release.write(path)
    frame = pd.read_csv(path)
    frame.loc[3, "age"] += 1
    frame.to_csv(path, index=False)
    with pytest.raises(SchemaError, match="is not the release"):
        require_same_release(release, path)


def test_a_record_that_is_gone(release, tmp_path):
    path = tmp_path / "out.csv"
    release.write(path)
    pd.read_csv(path)[1:].to_csv(path, index=False)
    with pytest.raises(SchemaError, match="is not the release"):
        require_same_release(release, path)


def test_a_file_of_the_same_name_elsewhere_keeps_its_hash(release, tmp_path):
    """The copies that are made for the comparison leave no trace in the provenance."""
    release.write(tmp_path / "released.csv")
    before = dict(release.provenance.outputs)
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / "mine.csv"
    release.write(other)
    require_same_release(release, other)
    assert release.provenance.outputs["released.csv"] == before["released.csv"]
