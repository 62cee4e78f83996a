"""From a file to a file: the survey with everything, every joint technique, every format.

The check is plain pandas on the file that was written; no Covey code is in it.
"""

from __future__ import annotations

import pandas as pd
import pyarrow.csv
import pyarrow.parquet
import pytest

import covey
from tests.release.independent import read_back, smallest_class

EDUCATION = ["primary", "secondary", "vocational", "bachelor", "master"]
ROLES = {
    "identifiers": ["person_id"],
    "confidential": ["capital_income"],
    "strata": ["region"],
    "weight": "weight",
    "ordinal": {"education": EDUCATION},
}
AMOUNTS = [
    *("age", "hours", "wage_income", "self_employment_income", "pension_income"),
    *("transfer_income", "gross_income", "income_tax", "net_income"),
]
KEYS = ["region", "sex", "education", "occupation", *AMOUNTS]
QUICK = {"patience": 5, "max_epochs": 40}
TECHNIQUES = {
    "mdav": {},
    "vmdav": {},
    "iamat": {},
    "rgmat": QUICK,
    "egmmat": QUICK,
    "projected": {},
    "optimalunivariate": {"variables": ["gross_income"]},
}
SIZES = [2, 3, 5, 10]
ENDINGS = [".csv", ".parquet", ".dta"]


def written_as(table, path):
    """The survey as a file that no Covey code wrote."""
    if path.suffix == ".csv":
        pyarrow.csv.write_csv(table, path)
    elif path.suffix == ".parquet":
        pyarrow.parquet.write_table(table, path)
    else:
        frame = table.to_pandas()
        text = frame.select_dtypes(exclude="number").columns
        frame[text] = frame[text].astype(object).fillna("")  # Stata's missing text
        frame.to_stata(path, write_index=False)
    return path


# With k = 2 one of two members may have most of the weight.
pytestmark = pytest.mark.filterwarnings("ignore::covey.errors.DisclosureWarning")


@pytest.fixture(scope="module")
def survey():
    return covey.datasets.make_survey(2_000, 1, missing=0.05)


@pytest.fixture(scope="module")
def large_survey():
    return covey.datasets.make_survey(20_000, 1, missing=0.05)


@pytest.fixture(scope="module")
def files(survey, tmp_path_factory):
    folder = tmp_path_factory.mktemp("survey")
    return {ending: written_as(survey, folder / f"survey{ending}") for ending in ENDINGS}


@pytest.fixture(scope="module")
def large_files(large_survey, tmp_path_factory):
    folder = tmp_path_factory.mktemp("large")
    return {ending: written_as(large_survey, folder / f"survey{ending}") for ending in ENDINGS}


def require_protected(original, path, k):
    """The promises, looked up in the file that was written."""
    written = read_back(path).replace("", None)
    assert list(written.columns) == [name for name in original if name != "person_id"]
    assert len(written) == len(original)
    assert smallest_class(written, KEYS) >= k
    assert smallest_class(written, [*KEYS, "weight"]) >= k
    pd.testing.assert_series_equal(
        written["region"].astype(str).value_counts(), original["region"].value_counts()
    )
    for name in AMOUNTS:
        assert written[name].min() >= original[name].min()
        assert written[name].max() <= original[name].max()
    for name in ("sex", "education", "occupation"):
        assert set(written[name].dropna()) <= set(original[name].dropna())
    assert written["capital_income"].sum() == original["capital_income"].sum()
    assert written["weight"].sum() == pytest.approx(original["weight"].sum())


def protect_and_check(source, original, technique, k, target):
    release = covey.protect(source, k, technique, parameters=TECHNIQUES[technique], **ROLES)
    release.write(target)
    require_protected(original.to_pandas(), target, k)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("k", SIZES)
@pytest.mark.parametrize("technique", TECHNIQUES)
def test_two_thousand_records(files, survey, technique, k, ending, tmp_path):
    target = tmp_path / f"released{ending}"
    protect_and_check(files[ending], survey, technique, k, target)


@pytest.mark.parametrize(
    ("technique", "k", "ending"),
    [
        ("mdav", 3, ".csv"),
        ("iamat", 5, ".parquet"),
        ("projected", 10, ".dta"),
        ("optimalunivariate", 2, ".csv"),
        ("vmdav", 10, ".dta"),
        ("rgmat", 5, ".parquet"),
        ("egmmat", 3, ".csv"),
    ],
)
def test_twenty_thousand_records(large_files, large_survey, technique, k, ending, tmp_path):
    target = tmp_path / f"released{ending}"
    protect_and_check(large_files[ending], large_survey, technique, k, target)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("k", SIZES)
@pytest.mark.parametrize("technique", TECHNIQUES)
def test_twenty_thousand_records_in_full(large_files, large_survey, technique, k, ending, tmp_path):
    target = tmp_path / f"released{ending}"
    protect_and_check(large_files[ending], large_survey, technique, k, target)


@pytest.mark.parametrize("options", [{"missing": "group"}, {"small_strata": "merge"}], ids=str)
def test_the_same_release_from_every_format(files, options, tmp_path):
    """What a file is called does not change what is released."""
    tables = []
    for ending in ENDINGS:
        release = covey.protect(files[ending], 3, "mdav", **ROLES, **options)
        target = tmp_path / f"from{ending[1:]}.csv"
        release.write(target)
        tables.append(read_back(target))
    for other in tables[1:]:
        pd.testing.assert_frame_equal(tables[0], other, check_dtype=False)


def test_the_check_itself_finds_a_record_that_is_alone(files, survey, tmp_path):
    target = tmp_path / "released.csv"
    protect_and_check(files[".csv"], survey, "mdav", 3, target)
    changed = pd.read_csv(target)
    changed.loc[7, "age"] += 0.25
    changed.to_csv(target, index=False)
    with pytest.raises(AssertionError):
        require_protected(survey.to_pandas(), target, 3)
