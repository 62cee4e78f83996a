"""Write the table of techniques into README.md and docs/techniques.md.

python -m benchmarks.registry
"""

from __future__ import annotations

from benchmarks.pages import ROOT, fill, table
from covey.techniques import available

PAGES = (ROOT / "README.md", ROOT / "docs" / "techniques.md")


def techniques() -> str:
    """Name, summary (first line of the docstring), guarantee and paper of each."""
    rows = [
        [
            f"`{info.cls.__name__}`",
            info.summary.rstrip("."),
            info.guarantee,
            info.paper,
        ]
        for info in available()
    ]
    return table(["technique", "what it does", "guarantee", "paper"], rows)


TABLES = {"techniques": techniques}

if __name__ == "__main__":
    for page in PAGES:
        fill(page, TABLES)
