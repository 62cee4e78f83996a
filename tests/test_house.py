"""The house stays in order: arrows run one way, imports stay light, docs follow the code."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "covey"

FOUNDATION = {"errors", "types", "parameters", "progress"}
# Each room may import the rooms named here, and the foundation. Nothing else.
MAY_IMPORT = {
    "errors": set(),
    "types": set(),
    "parameters": set(),
    "docstrings": set(),
    "progress": set(),
    "settings": {"tables"},
    "estimator": set(),
    "capabilities": {"docstrings", "estimator", "tables"},
    "scaling": set(),
    "chance": set(),
    "threads": set(),
    "watching": set(),
    "core": {"scaling"},
    "tables": {"scaling"},
    "projections": {"scaling"},
    "partition": {"core", "scaling", "tables", "threads"},
    "technique": {"capabilities", "chance", "partition", "scaling", "tables", "watching"},
    "techniques": {
        "capabilities",
        "core",
        "chance",
        "docstrings",
        "partition",
        "projections",
        "refining",
        "scaling",
        "technique",
        "threads",
        "watching",
    },
    "refining": {
        "chance",
        "core",
        "partition",
        "scaling",
        "tables",
        "threads",
        "watching",
    },
    "selection": {"estimator", "scaling", "tables"},
    "measures": {"core", "partition", "scaling", "tables", "threads", "watching"},
    "bounds": {"core", "partition", "scaling", "tables", "threads", "watching"},
    "datasets": {"sources"},
    "sources": {"threads"},
    "reports": set(),
    "pipeline": {
        "core",
        "measures",
        "partition",
        "refining",
        "scaling",
        "sources",
        "tables",
        "technique",
        "techniques",
        "threads",
        "watching",
    },
    "release": {
        "measures",
        "partition",
        "reports",
        "pipeline",
        "selection",
        "settings",
        "sources",
        "tables",
        "technique",
        "techniques",
        "threads",
    },
    "app": {
        "datasets",
        "measures",
        "release",
        "reports",
        "settings",
        "sources",
        "tables",
        "techniques",
    },
    "cli": {
        "app",
        "datasets",
        "release",
        "reports",
        "pipeline",
        "settings",
        "sources",
        "techniques",
    },
}


def rooms_imported_by(path: Path) -> set[str]:
    rooms: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("covey."):
            rooms.add(node.module.split(".")[1])
        elif isinstance(node, ast.ImportFrom) and node.module == "covey":
            rooms |= {alias.name for alias in node.names if alias.name != "__version__"}
    return rooms


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_arrows_run_one_way(room):
    place = SOURCE / room
    files = place.rglob("*.py") if place.is_dir() else [SOURCE / f"{room}.py"]
    allowed = MAY_IMPORT[room] | FOUNDATION | {room}
    for path in files:
        assert rooms_imported_by(path) <= allowed, path.name


def test_every_room_is_on_the_plan():
    found = {p.stem for p in SOURCE.glob("*.py")} | {
        p.parent.name for p in SOURCE.glob("*/__init__.py")
    }
    assert found - {"__init__"} == set(MAY_IMPORT)


def test_every_room_is_on_the_floor_plan():
    """CONTRIBUTING.md names each, and none that is not there."""
    plan = re.search(
        r"```\nsrc/covey/\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL
    )
    named = re.findall(r"^  (\w+)(?:/|\.py) ", plan[1], re.MULTILINE)
    assert sorted(named) == sorted(MAY_IMPORT)


def test_import_is_light():
    """`import covey` brings in nothing that is slow to load."""
    code = "import sys, covey; print(*sorted(m.split('.')[0] for m in sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"numpy", "sklearn", "pyarrow", "narwhals", "typer"} & set(loaded)


def test_public_names():
    import covey

    assert set(covey.__all__) <= set(dir(covey))
    for name in covey.__all__:
        assert getattr(covey, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = covey.nonsense


def test_the_table_of_techniques_is_current():
    """README and docs show what the registry says: python -m benchmarks.registry."""
    from benchmarks.pages import filled
    from benchmarks.registry import PAGES, TABLES

    for page in PAGES:
        assert filled(page.read_text(), TABLES) == page.read_text(), page.name


def test_editors_know_every_technique():
    """`covey.techniques` names what its folder has: python -m benchmarks.registry."""
    from benchmarks.registry import NAMES, with_names

    assert with_names(NAMES.read_text()) == NAMES.read_text()


def test_readme_is_short():
    """Prose: the table of techniques is generated and grows with them."""
    text = (ROOT / "README.md").read_text()
    generated = re.findall(r"<!-- table: .*?<!-- end -->", text, re.DOTALL)
    assert len(text.splitlines()) - sum(part.count("\n") for part in generated) <= 150


def test_links_in_the_docs_lead_somewhere():
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)", page.read_text()):
            if not target.startswith("http"):
                assert (page.parent / target).exists(), f"{page.name}: {target}"
