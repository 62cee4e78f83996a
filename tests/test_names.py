"""What users read names authors and years, never a number in somebody's own list of papers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
READ_BY_USERS = [
    *(ROOT / "src").rglob("*.py"),
    *(ROOT / "src").rglob("*.html"),
    *(ROOT / "src").rglob("*.js"),
    *ROOT.glob("*.md"),
    *(ROOT / "docs").rglob("*.md"),
    *(ROOT / "benchmarks").glob("*.md"),
]
# "paper 004", "papers 001 and 002", "(001, 002)", "## 003: trees", dr_004, projections-004.
NUMBERED = re.compile(
    r"\bpapers? 00\d|[(|#] ?00[0-4]\b(?!\d)|\b(of|and) 00[0-4]\b|\b[a-z]+[_-]00[0-4]\b|il_five",
    re.I,
)


@pytest.mark.parametrize("path", READ_BY_USERS, ids=lambda path: str(path.relative_to(ROOT)))
def test_papers_have_authors(path):
    assert [match[0] for match in NUMBERED.finditer(path.read_text("utf-8"))] == []


@pytest.mark.parametrize(
    "text",
    [
        "disclosure risk of paper 004",
        "papers 001 and 002",
        "`dr_004`",
        "(001, 002): all values",
        "## 003: dependence trees",
        "| 001 | an author |",
        "<!-- table: projections-004 -->",
        "the SI of 001 uses",
    ],
)
def test_numbers_are_seen(text):
    assert NUMBERED.search(text)


@pytest.mark.parametrize("text", ["a code such as `007`", "500_000_000", "-0.001", "1,004 records"])
def test_other_numbers_are_not(text):
    assert not NUMBERED.search(text)
