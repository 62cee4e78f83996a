"""Small strata that are put together in a column that cannot name them: the reason is true."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from covey import protect
from covey.errors import DisclosureWarning
from covey.release.describing.external import external_content
from covey.release.describing.internal import internal_content
from covey.release.describing.summary_lines import release_lines

RNG = np.random.default_rng(3)
REGION = np.array([1] * 50 + [2] * 47 + [3] * 3)
NUMBERS = pa.table({"x": RNG.normal(size=100), "y": RNG.normal(size=100), "region": REGION})
TEXT = NUMBERS.set_column(2, "region", NUMBERS["region"].cast(pa.string()))
ASKED = {"k": 5, "technique": "mdav", "strata": ["region"], "small_strata": "merge"}
REMEDY = "'region' is left empty for .* Turn 'region' into text"


def test_the_reason_and_the_remedy():
    with pytest.warns(DisclosureWarning, match=REMEDY):
        release = protect(NUMBERS, **ASKED)
    gone = release.table["region"].null_count
    assert release.emptied == {"region": gone}
    assert release.provenance.warnings[0].startswith(f"'region' is left empty for {gone} record(s)")
    line = release_lines(release, "file")["emptied"]
    assert line.startswith(f"{gone} cells (region {gone}): small strata put together")
    assert "too few records" not in line
    assert any("region" in said and "true for all" in said for said in _judged(release))
    notes = " ".join(external_content(release)["notes"])
    assert "too few records" not in notes
    assert "the cells of these records are empty" in notes


def test_streamed(tmp_path):
    with pytest.warns(DisclosureWarning, match=REMEDY):
        whole = protect(NUMBERS, **ASKED)
    with pytest.warns(DisclosureWarning, match=REMEDY):
        release = protect(NUMBERS, **ASKED, out=tmp_path / "out.parquet")
    assert release.provenance.warnings == whole.provenance.warnings
    assert release_lines(release, "file")["emptied"] == release_lines(whole, "file")["emptied"]


def test_text_names_them_all(tmp_path):
    release = protect(TEXT, **ASKED)
    streamed = protect(TEXT, **ASKED, out=tmp_path / "out.parquet")
    assert release.emptied == streamed.emptied == {}
    assert {" or " in name for name in release.table["region"].unique().to_pylist()} == {
        True,
        False,
    }


def _judged(release):
    return internal_content(release)["judgement"]
