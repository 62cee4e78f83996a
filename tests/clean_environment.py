"""Environments that have only a wheel of Covey, built from here, and what was installed before."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]
# What would lead from the new environment back to this one.
NOT_PASSED_ON = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "COVEY_CORE")


def missing_builder() -> str | None:
    """Why no wheel can be built here; nothing if one can."""
    for module in ("pip", "scikit_build_core", "nanobind"):
        if find_spec(module) is None:
            return f"{module} is not installed: run script/setup"
    for program in ("cmake", "ninja"):
        if shutil.which(program) is None and find_spec(program) is None:
            return f"there is no {program}: run script/setup"
    compilers = [os.environ.get("CXX"), "c++", "g++", "clang++"]
    if not any(shutil.which(name) for name in compilers if name):
        return "there is no C++ compiler: install one, or name it in CXX"
    return None


def run(*command: str | Path, cwd: Path = ROOT, **environment: str) -> str:
    """What a command prints; an AssertionError with all of it when it fails."""
    kept = {name: value for name, value in os.environ.items() if name not in NOT_PASSED_ON}
    ended = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=kept | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    assert ended.returncode == 0, f"{command} ended with {ended.returncode}:\n{ended.stdout}"
    return ended.stdout


def build_wheel(folder: Path, **settings: str) -> Path:
    """A wheel in `folder`, built there too, with settings of scikit-build-core."""
    folder.mkdir(exist_ok=True)
    chosen = {"build-dir": str(folder / "build"), **settings}
    options = [f"--config-settings={name}={value}" for name, value in chosen.items()]
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, *options, ROOT)
    (wheel,) = folder.glob("*.whl")
    return wheel


def install_alone(wheel: Path, place: Path) -> Path:
    """The Python of a new environment at `place`: the wheel, and all that is installed here.

    That is found by a path alone: the link to the sources of an editable installation is a hook,
    which a path does not run. What the new environment has itself comes first.
    """
    run(sys.executable, "-m", "venv", "--without-pip", place)
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python)
    run(*pip, "install", "--no-deps", "--no-index", wheel)
    paths = {"base": str(place), "platbase": str(place)}
    scheme = "nt" if os.name == "nt" else "posix_prefix"
    own = Path(sysconfig.get_path("purelib", scheme, vars=paths))
    others = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    (own / "others.pth").write_text("\n".join(others))
    return python
