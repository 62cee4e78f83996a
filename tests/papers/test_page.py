"""docs/papers.md shows what the code gives."""

from __future__ import annotations

import pytest


@pytest.mark.slow
def test_the_page_is_current(census, tarragona):
    """Written anew by: python -m benchmarks.papers."""
    from benchmarks.pages import ROOT, filled
    from benchmarks.papers import TABLES

    page = (ROOT / "docs" / "papers.md").read_text()
    assert filled(page, TABLES) == page
