"""Codes that are averaged as numbers are released with a word about it."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from covey import protect
from covey.release.describing.external import external_content
from covey.release.describing.internal import internal_content
from covey.release.describing.summary_lines import release_figures, release_lines

RNG = np.random.default_rng(4)
PEOPLE = pa.table(
    {
        "SEX": RNG.integers(1, 3, 400).astype(float),
        "children": RNG.integers(0, 5, 400),
        "income": np.round(RNG.lognormal(9.0, 0.6, 400)),
    }
)
ASKED = {"k": 5, "technique": "mdav"}
SAID = "SEX: few whole numbers, released as means. If they are codes, name them as nominal"


def test_every_word_about_it(tmp_path):
    release = protect(PEOPLE, **ASKED)
    assert release.averaged_codes == ("SEX",)
    assert release_lines(release, "file")["averaged"].startswith(SAID)
    assert release_figures(release)["averaged_codes"] == ["SEX"]
    assert any("SEX: few whole" in said for said in internal_content(release)["judgement"])
    notes = external_content(release)["notes"]
    assert "Values of SEX are means of groups and cannot be read as codes." in notes


def test_streamed(tmp_path):
    release = protect(PEOPLE, **ASKED, out=tmp_path / "out.parquet")
    assert release.averaged_codes == ("SEX",)
    assert release_lines(release, "file")["averaged"].startswith(SAID)
    assert release_figures(release)["averaged_codes"] == ["SEX"]


def test_nothing_where_every_mean_is_a_code(tmp_path):
    table = pa.table({"SEX": np.repeat([1.0, 2.0], 20)})
    release = protect(table, **ASKED)
    assert set(release.table["SEX"].to_pylist()) == {1.0, 2.0}
    assert release.averaged_codes == ()
    streamed = protect(table, **ASKED, out=tmp_path / "out.parquet")
    assert streamed.averaged_codes == ()
    assert "averaged" not in release_lines(streamed, "file")


def test_a_mean_that_is_a_whole_number_but_no_code(tmp_path):
    table = pa.table({"SEX": [1.0, 3.0] * 20})
    asked = {"k": 40, "technique": "mdav", "out": tmp_path / "out.parquet"}
    assert protect(table, **asked).averaged_codes == ("SEX",)


@pytest.mark.parametrize(
    "declared", [{"nominal": ["SEX"]}, {"ordinal": {"SEX": [1.0, 2.0]}}, {"integers": ["SEX"]}]
)
def test_nothing_where_it_was_declared(declared):
    release = protect(PEOPLE, **ASKED, **declared)
    assert release.averaged_codes == ()
    assert "averaged" not in release_lines(release, "file")
    assert not external_content(release)["notes"]


CODES = pa.table(
    {
        "pe041": RNG.choice([0, 100, 200, 300, 344, 400, 500], 400),
        "income": np.round(RNG.lognormal(9.0, 0.6, 400)),
    }
)


def test_codes_that_are_ordinal_without_a_list(tmp_path):
    release = protect(CODES, **ASKED, ordinal=["pe041"])
    new = set(release.table["pe041"].to_pylist()) - set(CODES["pe041"].to_pylist())
    assert new
    assert release.averaged_codes == ("pe041",)
    assert "list the codes from low to high" in release_lines(release, "file")["averaged"]
    assert any("pe041: few whole" in said for said in internal_content(release)["judgement"])
    streamed = protect(CODES, **ASKED, ordinal=["pe041"], out=tmp_path / "out.parquet")
    assert streamed.averaged_codes == ("pe041",)


def test_codes_that_are_listed_in_their_order():
    listed = [0, 100, 200, 300, 344, 400, 500]
    release = protect(CODES, **ASKED, ordinal={"pe041": listed})
    assert set(release.table["pe041"].to_pylist()) <= set(listed)
    assert release.averaged_codes == ()
