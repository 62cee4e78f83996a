"""Memory is tidied up when nobody waits, and not never."""

from __future__ import annotations

import pytest

from covey.app.tidying import is_due


@pytest.mark.parametrize(
    ("since_tidied", "since_asked", "due"),
    [(5, 100, False), (11, 1, False), (11, 3, True), (299, 0.1, False), (301, 0.1, True)],
)
def test_when_it_is_time(since_tidied, since_asked, due):
    assert is_due(since_tidied, since_asked) is due
