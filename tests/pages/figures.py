"""Figures in running text that are not printed but stand in a file that a page makes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.cli.running import read_json


def guide(text: str, folder: Path) -> list[str]:
    """What the guide says about its internal report, and that it makes all it names."""
    words = " ".join(text.split())
    report = read_json(folder / "internal.json")
    (occupation,) = report["diversity"]
    promised = [
        *(
            f"| {rule['rule']} | {rule['violations_before']} | {rule['violations_after']} |"
            for rule in report["edit_rules"]
        ),
        f"{occupation['single_value_percent']:.1f} % of the records are in groups",
        *(check["finding"].replace(", limit", " with a limit of")
          for check in report["verdict"]["checks"] if ", limit" in check["finding"]),
    ]  # fmt: skip
    failed = [check["finding"] for check in report["verdict"]["checks"] if not check["passed"]]
    missing = [name for name in MADE if not (folder / name).exists()]
    return [
        *(f"guide.md should say: {figure}" for figure in promised if figure not in words),
        *(f"guide.md: a check of the report fails: {finding}" for finding in failed),
        *(f"guide.md: not made: {name}" for name in missing),
    ]


MADE = (
    *("demo", "run.toml", "map.svg", "final.toml", "search.json", "released.csv"),
    *("internal.html", "internal.json", "external.html", "external.json"),
)
CHECKS: dict[str, Callable[[str, Path], list[str]]] = {"guide.md": guide}
