"""A wheel has all that Covey needs and nothing else, and works where there are no sources."""

from __future__ import annotations

import platform
import zipfile
from pathlib import Path

import pytest

from tests.clean_environment import ROOT, build_wheel, install_alone, missing_builder, run

FITS = """
import numpy as np, covey
from covey.core import _baseline
from covey.techniques import available
X = np.random.default_rng(1).normal(size=(60, 3))
for info in available():
    if info.name in ("mdav", "iamat", "rgmat"):
        assert info.cls(k=3).fit(X).labels_.shape == (60,)
print(covey.__file__)
print(_baseline.__file__)
"""


# What script/setup compiled is there: only what has changed since is compiled again.
COMPILED = {"build-dir": str(ROOT / "build" / "{wheel_tag}")}


# One test, so that one worker builds one wheel.
def test_a_wheel_works_where_there_are_no_sources(tmp_path):
    reason = missing_builder()
    if reason:
        pytest.skip(f"THE WHEEL IS NOT TRIED: {reason}")
    wheel = build_wheel(tmp_path / "wheel", **COMPILED)
    check_what_is_inside(wheel)
    python = install_alone(wheel, tmp_path / "venv")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    check_fits(python, elsewhere)
    check_commands(python, elsewhere)


def check_what_is_inside(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        contents = {name: archive.read(name) for name in names}
    builds = ["_baseline", "_avx2"] if platform.machine() in ("x86_64", "AMD64") else ["_baseline"]
    for build in builds:
        endings = (".so", ".pyd")
        assert [n for n in names if n.startswith(f"covey/core/{build}.") and n.endswith(endings)]
    assert {"covey/core/_baseline.pyi", "covey/cli/main.py"} <= set(names)
    # Only the package, and what is known about it.
    (about,) = {name.split("/")[0] for name in names} - {"covey"}
    assert about.endswith(".dist-info")
    sources = {
        f"covey/{path.relative_to(ROOT / 'src' / 'covey').as_posix()}"
        for path in (ROOT / "src" / "covey").rglob("*.py")
    }
    assert sources <= set(names)
    for name, content in contents.items():
        assert not name.endswith((".cpp", ".hpp", ".h", ".o", ".a", ".pyc")), name
        assert not {"tests", "data", "benchmarks"} & set(name.split("/")), name
        # Where it was built is nobody's business.
        for place in {ROOT, wheel.parent, Path.home()} - {Path("/")}:
            assert f"{place}/".encode() not in content, f"{name} names {place}"


def check_commands(python: Path, folder: Path) -> None:
    covey = python.with_name("covey")
    version = run(covey, "--version", cwd=folder)
    assert version.split()[-1] in run(python, "-c", "import covey; print(covey.__version__)")
    rows = "\n".join(f"{i % 17},{i * 7 % 23}" for i in range(60))
    (folder / "people.csv").write_text(f"age,income\n{rows}\n")
    options = ("--quasi-identifiers", "age,income", "--k", "3", "--out", "released.csv")
    run(covey, "protect", "people.csv", *options, cwd=folder)
    released = (folder / "released.csv").read_text().split()
    assert released[0].replace('"', "") == "age,income"
    assert len(released) == 61
    assert min(released[1:].count(row) for row in released[1:]) >= 3


def check_fits(python: Path, folder: Path) -> None:
    *_, package, core = run(python, "-c", FITS, cwd=folder).split("\n")[:-1]
    place = python.parents[1].resolve()
    assert place in Path(package).resolve().parents
    assert place in Path(core).resolve().parents
