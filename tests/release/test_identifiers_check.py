"""The internal report must not call a release free of identifiers that nobody looked for."""

import numpy as np
import pandas as pd
import pytest

import covey
from covey.errors import DisclosureWarning
from covey.release.describing.internal import internal_content

DATA = pd.DataFrame(
    {
        "person_id": np.arange(30) * 7 + 100,
        "age": np.arange(30) % 11 + 20,
        "note": [f"n{i}" for i in range(30)],
    }
)


def check_of(release):
    checks = internal_content(release)["verdict"]["checks"]
    return next(one for one in checks if one["name"] == "No identifier is released")


def test_likely_identifier_that_nobody_named():
    with pytest.warns(DisclosureWarning, match="'person_id' looks like an identifier"):
        release = covey.protect(DATA[["person_id", "age"]], 3)
    found = check_of(release)
    assert not found["passed"]
    assert found["finding"] == "no identifier was named; person_id looks like one and is released"


def test_likely_identifier_that_is_kept():
    with pytest.warns(DisclosureWarning, match="'note' is released as it is"):
        release = covey.protect(DATA, 3, identifiers=["person_id"], keep=["note"])
    found = check_of(release)
    assert not found["passed"]
    assert found["finding"] == "1 identifier(s) removed; note looks like one and is released"


def test_nobody_named_one_and_none_is_there():
    found = check_of(covey.protect(DATA[["age"]], 3))
    assert found["passed"]
    assert found["finding"] == "no identifier was named"


def test_columns_that_were_named_quasi_identifiers_on_purpose():
    release = covey.protect(DATA, 3, quasi_identifiers=["person_id", "age"])
    assert check_of(release)["passed"]


def test_identifiers_that_were_removed():
    found = check_of(covey.protect(DATA, 3, identifiers=["person_id", "note"]))
    assert found["passed"]
    assert found["finding"] == "2 identifier(s) removed"
