"""Whatever the core is given, it works, or refuses with a ValueError or TypeError."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.core.border import CASES, names_of
from tests.core.builds import BUILDS

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("core", BUILDS, ids=lambda core: core.__name__)
def test_every_function_of_the_core_has_a_case(core):
    assert names_of(core) == set(CASES)


@pytest.mark.parametrize("build", [core.__name__.rpartition(".")[2] for core in BUILDS])
@pytest.mark.parametrize("name", CASES)
def test_wrong_arguments_are_refused(name, build):
    ended = subprocess.run(
        [sys.executable, "-m", "tests.core.border", build, name],
        cwd=ROOT,
        capture_output=True,
        text=True,
        errors="replace",
    )
    last = ended.stdout.splitlines()[-1] if ended.stdout else "nothing was called"
    assert ended.returncode == 0, f"{name}, {last}\n{ended.stderr[-3000:]}"
    assert last.startswith("END ")
