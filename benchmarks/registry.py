"""Write tables of techniques and measures into the pages, and names of techniques for editors.

python -m benchmarks.registry
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from benchmarks.pages import ROOT, fill, table
from covey import measures
from covey.techniques import available

NAMES = ROOT / "src" / "covey" / "techniques" / "__init__.py"
PAGES = (
    ROOT / "README.md",
    ROOT / "docs" / "techniques.md",
    ROOT / "docs" / "measures.md",
)


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


def definitions(*kinds: str) -> str:
    """What the measures of some kinds are, say and do not say."""
    rows = [
        [f"`{one.name}`", _cell(one.definition), _cell(one.meaning), _cell(one.caveat)]
        for kind in kinds
        for one in measures.available(kind)
    ]
    return table(["in an evaluation", "definition", "says", "does not say"], rows)


def facts(*kinds: str) -> str:
    """What the measures of some kinds need, and what can be asked of them."""
    words = {True: "yes", False: "–"}
    rows = [
        [
            f"`{one.name}`",
            "higher" if not one.lower_is_better else "lower",
            words[one.before],
            words[one.sampled],
            words[one.limit],
            _needs(one),
        ]
        for kind in kinds
        for one in measures.available(kind)
    ]
    heads = ["in an evaluation", "better", "of the original too", "may be sampled", "limit"]
    return table([*heads, "needs"], rows)


def _needs(measure: measures.Measure) -> str:
    few = [] if measure.most_keys is None else [f"at most {measure.most_keys} keys"]
    words = [*(need.value for need in measure.needs), *few]
    return "; ".join(words) or "the measures it is made of"


def _cell(text: str) -> str:
    return text.rstrip(".").replace("|", "\\|")


RISKS = ("risk", "count")
TABLES: dict[str, Callable[[], str]] = {
    "techniques": techniques,
    "losses": partial(definitions, "loss"),
    "risks": partial(definitions, *RISKS),
    "facts-of-risks": partial(facts, *RISKS),
}

if __name__ == "__main__":
    NAMES.write_text(with_names(NAMES.read_text()))
    for page in PAGES:
        fill(page, TABLES)
