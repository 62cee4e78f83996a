"""Figures in running text that no block prints: they agree with the file they come from."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from tests.cli.running import read_json

from .blocks import ROOT

# What the guide makes, step by step.
MADE = (
    *("demo", "run.toml", "map.svg", "final.toml", "search.json", "released.csv"),
    *("internal.html", "internal.json", "external.html", "external.json"),
)


def guide(text: str, folder: Path) -> list[str]:
    """What the guide says about its internal report, and that it makes all it names."""
    report = read_json(folder / "internal.json")
    (occupation,) = report["diversity"]
    checks = report["verdict"]["checks"]
    findings = [check["finding"] for check in checks if ", limit" in check["finding"]]
    promised = [
        *(
            f"| {rule['rule']} | {rule['violations_before']} | {rule['violations_after']} |"
            for rule in report["edit_rules"]
        ),
        f"{occupation['single_value_percent']:.1f} % of the records are in groups",
        *(finding.replace(", limit", " with a limit of") for finding in findings),
    ]
    return [
        *missing("guide.md", text, promised),
        *(f"guide.md: failed: {check['finding']}" for check in checks if not check["passed"]),
        *(f"guide.md: not made: {name}" for name in MADE if not (folder / name).exists()),
    ]


def readme(text: str, _: Path) -> list[str]:
    """Losses and times: those of docs/papers.md and benchmarks/RESULTS.md."""
    recipes = {row["technique"]: row for row in rows("docs/papers.md", "recipes")}
    bounds = {row["file"]: row for row in results("certificates") if row["k"] == "3"}
    files = ("census", "tarragona", "eia")
    found, proved = (
        [bounds[file][name] for file in files] for name in ("IL of NearOptimal", "lower bound")
    )
    scans = {row["k = 3"]: row for row in results("against-scan")}
    promised = [
        *(
            f"| {name} | {row['C3']} | {row['T3']} | {row['EIA11-3']} |"
            for name, row in recipes.items()
            if name in ("MDAV", "IAMAT")
        ),
        "| " + " | ".join(f"**{loss}**" for loss in found) + " |",
        "| " + " | ".join(proved) + " |",
        *(
            f"{name} {_seconds(row['index'], 1)} ({told}{_seconds(row['plain scan'], 0)})"
            for name, row, told in (
                ("IAMAT", scans["iamat, normal, 100,000 × 10"], "plain compiled scan "),
                ("MDAV", scans["mdav, normal, 100,000 × 10"], ""),
            )
        ),
    ]
    return missing("README.md", text, promised)


def near_optimal(text: str, _: Path) -> list[str]:
    """What the page says about risk and about gaps: benchmarks/RESULTS.md."""
    risks = {(row["file"], row["k"], row["technique"]): row for row in results("near-optimal-risk")}
    gaps = [float(row["gap, of the IL"].split()[0]) for row in results("certificates")]
    linked = {
        key: f"{float(row['distance linkage']):.1f} %"
        for key, row in risks.items()
        if key[2] in ("MDAV", "NearOptimal")
    }
    cases = [(file, k) for file in ("tarragona", "census", "eia11") for k in ("3", "5", "10")]
    best = [case for case in cases if _best(risks, case) == "NearOptimal"]
    promised = [
        f"Census, k = 3, {linked['census', '3', 'NearOptimal']} of the records instead of "
        f"{linked['census', '3', 'MDAV']} with MDAV; k = 10, "
        f"{linked['census', '10', 'NearOptimal']} instead of {linked['census', '10', 'MDAV']}",
        f"{linked['tarragona', '4', 'NearOptimal']} of the records are linked, instead of "
        f"{linked['tarragona', '3', 'MDAV']}",
        f"{linked['eia11', '4', 'NearOptimal']} are linked instead of "
        f"{linked['eia11', '3', 'MDAV']}",
        f"best for `NearOptimal` in {('no', 'one', 'two', 'three')[len(best)]} of the nine cases",
        f"the gap is {min(gaps):.1f} to {sorted(gaps)[-2]:.1f} % of the loss",
        f"{max(gaps):.1f} % (EIA, k = 3)",
    ]
    return missing("near-optimal.md", text, promised)


def _best(risks: dict[tuple[str, str, str], dict[str, str]], case: tuple[str, str]) -> str:
    """The technique with the best score for a file and k."""
    return min((float(row["score"]), key[2]) for key, row in risks.items() if key[:2] == case)[1]


def _seconds(cell: str, digits: int) -> str:
    return f"{float(cell.split()[0]):.{digits}f} s"


def missing(page: str, text: str, promised: list[str]) -> list[str]:
    """What the page does not say, whatever its line breaks."""
    words = " ".join(text.split())
    return [f"{page} should say: {figure}" for figure in promised if figure not in words]


def results(name: str) -> list[dict[str, str]]:
    return rows("benchmarks/RESULTS.md", name)


def rows(page: str, name: str) -> list[dict[str, str]]:
    """A computed table of a page, a dictionary for each row."""
    text = (ROOT / page).read_text("utf-8")
    table = re.search(rf"<!-- table: {name} -->\n(.*?)<!-- end -->", text, re.S)
    assert table, f"{page} has no table {name}"
    heads, _, *lines = (
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in table[1].splitlines()
        if line.startswith("|")
    )
    return [dict(zip(heads, line, strict=True)) for line in lines]


CHECKS: dict[str, Callable[[str, Path], list[str]]] = {
    "guide.md": guide,
    "README.md": readme,
    "near-optimal.md": near_optimal,
}
