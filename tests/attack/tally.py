"""Outcomes counted, in one process and across those of pytest-xdist."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # whatever pytest runs loads this file
    from tests.attack.outcome import Outcome

PROPERTY = "random tables"


def counted(outcomes: Iterable[Outcome]) -> Counter[str]:
    return Counter(outcome.word for outcome in outcomes)


def sentence(counts: Counter[str]) -> str:
    """The counts in one line."""
    return (
        f"{sum(counts.values()):,} random tables: {counts['release']:,} releases, "
        f"{counts['refusal']:,} refusals, {counts['exception']:,} raw exceptions, "
        f"{counts['violation']:,} violated promises"
    )


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Add up what the tests noted, wherever they ran."""
    total: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", "") == "call":
                noted = dict(getattr(report, "user_properties", ()))
                total.update(noted.get(PROPERTY, {}))
    if total:
        terminalreporter.write_line(sentence(total))
