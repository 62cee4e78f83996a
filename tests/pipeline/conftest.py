"""Small parts, so that small tables have several."""

import pytest


@pytest.fixture(autouse=True)
def _small_parts():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("covey.release.run.PART_RECORDS", 1500)
        yield
