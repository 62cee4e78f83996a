"""A real browser for pages, once per session: a fixture that tests/conftest.py shares."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

FINDER = Path(__file__).parents[1] / "script" / "browser"
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def browser_path() -> str:
    """The Chromium that script/browser finds; a test looks for one but never installs it."""
    search = subprocess.run([FINDER, "--find"], capture_output=True, text=True, check=False)
    if search.returncode != 0:
        pytest.skip(f"NO BROWSER, pages are not looked at: {search.stderr.strip()}")
    return search.stdout.strip()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="NO PLAYWRIGHT, pages are not looked at: pip install it"
    )
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=browser_path(), args=QUIET)
        yield chromium
        chromium.close()
