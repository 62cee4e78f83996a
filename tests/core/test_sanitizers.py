"""The core built with the sanitizers of the compiler, under the tests of this folder.

AddressSanitizer and UndefinedBehaviorSanitizer end a test that reads or writes where it must not;
ThreadSanitizer one in which two threads use the same memory unordered.
"""

from __future__ import annotations

import os
import platform
import shutil
from pathlib import Path

import pytest

from tests.clean_environment import ROOT, build_wheel, install_alone, missing_builder, run

pytestmark = pytest.mark.slow

HERE = "tests/core"
# What is sanitized, the libraries that must be loaded first, and the tests that are run.
CHECKS = {
    "address,undefined": ("libasan.so", [HERE]),
    "thread": ("libtsan.so", [f"{HERE}/test_threads.py", f"{HERE}/test_builds.py"]),
}
OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0",  # Python itself leaves much behind at its end
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "TSAN_OPTIONS": "halt_on_error=1",
}


def _library(compiler: str, name: str) -> Path | None:
    """Where a compiler has one of its libraries; what it does not have it only repeats."""
    place = Path(run(compiler, f"-print-file-name={name}").strip())
    return place if place.is_absolute() else None


@pytest.mark.parametrize("sanitizers", CHECKS)
def test_sanitizers_find_nothing(sanitizers, tmp_path):
    library, tests = CHECKS[sanitizers]
    compiler = os.environ.get("CXX") or shutil.which("g++") or ""
    reason = missing_builder()
    if platform.system() != "Linux" or not shutil.which(compiler):
        reason = reason or "this check is for GCC on Linux"
    # Errors are caught in the library of C++, which Python would otherwise load too late.
    places = [] if reason else [_library(compiler, name) for name in (library, "libstdc++.so")]
    if None in places:
        reason = f"{compiler} came without {library}"
    if reason:
        pytest.skip(f"THE CORE IS NOT CHECKED WITH {sanitizers}: {reason}")
    wheel = build_wheel(
        tmp_path,
        **{
            "cmake.define.COVEY_SANITIZE": sanitizers,
            "cmake.build-type": "RelWithDebInfo",
            "install.strip": "false",
        },
    )
    python = install_alone(wheel, tmp_path / "venv")
    preloaded = {"LD_PRELOAD": " ".join(str(place) for place in places), **OPTIONS}
    # -s: what a sanitizer says before it ends the process must not be held back.
    pytest_options = ("-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist")
    said = run(python, "-m", "pytest", *pytest_options, *tests, cwd=ROOT, **preloaded)
    assert " passed" in said
    assert "Sanitizer" not in said
