"""Pages with computed tables: text stays, what stands between the marks is replaced."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]


def table(headings: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table."""
    names = list(headings)
    lines = [names, ["---"] * len(names), *([str(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def filled(page: str, tables: Mapping[str, Callable[[], str]]) -> str:
    """The page with each block `<!-- table: name -->` … `<!-- end -->` computed anew.

    Blocks that are not among the `tables` stay as they are.
    """

    def replace(match: re.Match[str]) -> str:
        if match[1] not in tables:
            return match[0]
        return f"<!-- table: {match[1]} -->\n{tables[match[1]]()}\n<!-- end -->"

    return re.sub(r"<!-- table: ([\w-]+) -->\n.*?<!-- end -->", replace, page, flags=re.DOTALL)


def fill(path: Path, tables: Mapping[str, Callable[[], str]]) -> None:
    path.write_text(filled(path.read_text(), tables))
    print(f"wrote {path.relative_to(ROOT)}")
