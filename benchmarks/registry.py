"""Write the techniques into README.md and docs/techniques.md, and their names into the package.

python -m benchmarks.registry
"""

from __future__ import annotations

import re

from benchmarks.pages import ROOT, fill, table
from covey.techniques import available

NAMES = ROOT / "src" / "covey" / "techniques" / "__init__.py"
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


def with_names(source: str) -> str:
    """The source of `covey.techniques` with the classes that its folder has, for type checkers."""
    classes = sorted((info.cls for info in available()), key=lambda cls: cls.__module__)
    imports = [f"    from {cls.__module__} import {cls.__name__}" for cls in classes]
    # Acronyms first, as ruff sorts them.
    names = sorted((cls.__name__ for cls in classes), key=lambda name: (not name.isupper(), name))
    lines = [
        "if TYPE_CHECKING:",
        *imports,
        "",
        "__all__ = [",
        *(f'    "{name}",' for name in names),
        "]",
    ]
    marked = r"(# <techniques>\n).*?(\n# </techniques>)"
    return re.sub(marked, lambda m: m[1] + "\n".join(lines) + m[2], source, flags=re.DOTALL)


TABLES = {"techniques": techniques}

if __name__ == "__main__":
    NAMES.write_text(with_names(NAMES.read_text()))
    for page in PAGES:
        fill(page, TABLES)
