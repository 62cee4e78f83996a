"""How much Covey takes on a disk: a new environment, and what each package weighs in it.

    python -m benchmarks.installed_size          printed only
    python -m benchmarks.installed_size --full   the table into benchmarks/RESULTS.md

A new environment gets `covey[report]` by pip, as a user would install it from these sources. pip
builds the core in a place of its own, so no compiler is left behind; pip itself is not counted.
Sizes are those of the files, bytecode among them, in millions of bytes.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import Counter
from importlib.metadata import Distribution, distributions
from pathlib import Path

from benchmarks.pages import ROOT, fill, table

NOT_COUNTED = ("pip", "setuptools", "wheel")
SHOWN = 8


def install(place: Path, extra: str) -> Path:
    """The packages' folder of a new environment with Covey in it."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
    python = place / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--quiet", "--python", str(python))
    own = f"--config-settings=build-dir={place / 'build'}"
    subprocess.run([*pip, "install", own, f"{ROOT}[{extra}]"], check=True)
    asked = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    return Path(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip())


def weight(package: Distribution) -> int:
    """Bytes of all files that a package brought."""
    places = (Path(str(file.locate())) for file in package.files or ())
    return sum(place.stat().st_size for place in places if place.is_file())


def weights(folder: Path) -> Counter[str]:
    found = distributions(path=[str(folder)])
    return Counter({p.name: weight(p) for p in found if p.name not in NOT_COUNTED})


def figures(extra: str = "report") -> str:
    with tempfile.TemporaryDirectory() as place:
        found = weights(install(Path(place), extra))
    rows = [[name, f"{size / 1e6:.0f} MB"] for name, size in found.most_common(SHOWN)]
    others = found.total() - sum(size for _, size in found.most_common(SHOWN))
    rows.append([f"{len(found) - SHOWN} others", f"{others / 1e6:.0f} MB"])
    return table(["package", "size"], [*rows, ["all", f"**{found.total() / 1e6:.0f} MB**"]])


def main(arguments: list[str]) -> None:
    found = figures()
    print(found)
    if "--full" in arguments:
        fill(ROOT / "benchmarks" / "RESULTS.md", {"installed-size": lambda: found})


if __name__ == "__main__":
    main(sys.argv[1:])
