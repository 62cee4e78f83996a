"""One running app for all tests, and a tab of its own for each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.app.browser.running import RunningApp
from tests.app.browser.walking import Walker

pytest.importorskip("nicegui", reason="NO NICEGUI, the app is not looked at: pip install it")


@pytest.fixture(scope="session")
def running_app(browser: Any) -> Iterator[RunningApp]:
    app = RunningApp()
    yield app
    app.stop()


@pytest.fixture
def walker(browser: Any, running_app: RunningApp) -> Iterator[Walker]:
    """A person in a tab; at the end it must not have complained, nor have asked other hosts."""
    address = running_app.address()
    context = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    made = Walker(context.new_page(), address)
    made.arrive(address)
    yield made
    for job in made.page.query_selector_all('[id^="cancel-"]'):
        job.click()
    context.close()
    assert made.complaints == []
    assert made.elsewhere == []
