"""Memory is tidied up when nobody waits, and not never."""

from __future__ import annotations

import gc
import time

import pytest

from covey.app import tidying
from covey.app.tidying import is_due, tidy_when_idle


@pytest.mark.parametrize(
    ("since_tidied", "since_asked", "due"),
    [(5, 100, False), (11, 1, False), (11, 3, True), (299, 0.1, False), (301, 0.1, True)],
)
def test_when_it_is_time(since_tidied, since_asked, due):
    assert is_due(since_tidied, since_asked) is due


def test_thorough_looks_are_left_to_the_thread(monkeypatch):
    before, looked, ended = gc.get_threshold(), [], []
    monkeypatch.setattr(tidying, "GLANCE", 0.01)
    monkeypatch.setattr(tidying, "is_due", lambda *_: True)
    monkeypatch.setattr(tidying.gc, "collect", lambda: looked.append(True))
    try:
        tidy_when_idle(time.monotonic, lambda: bool(ended))
        assert gc.get_threshold() == (*before[:2], tidying.NEVER)
        deadline = time.monotonic() + 10
        while len(looked) < 3 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert len(looked) >= 3
    finally:
        ended.append(True)
        gc.set_threshold(*before)
        gc.unfreeze()
