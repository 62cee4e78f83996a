"""What the figures were measured on, and the file in which they are kept."""

from __future__ import annotations

import json
import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchmarks.pages import ROOT

RESULTS = ROOT / "benchmarks" / "results.json"
PACKAGES = ("covey", "numpy", "scipy")


def model() -> str:
    """The processor, as the system calls it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def version_of(package: str) -> str | None:
    """The installed version, or None."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def described() -> dict[str, Any]:
    return {
        "model": model(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        **{name: version_of(name) for name in PACKAGES},
    }


def machine() -> str:
    found = described()
    versions = ", ".join(f"{name} {found[name]}" for name in PACKAGES)
    return (
        f"{found['model']}, {found['cores']} cores, {found['system']}; "
        f"Python {found['python']}, {versions}."
    )


def keep(section: str, rows: list[dict[str, Any]]) -> None:
    """Write what was measured into results.json; other sections stay as they are."""
    kept = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    kept[section] = {"machine": described(), "rows": rows}
    RESULTS.write_text(json.dumps(dict(sorted(kept.items())), indent=1, ensure_ascii=False) + "\n")
    print(f"wrote {RESULTS.relative_to(ROOT)}: {section}")
