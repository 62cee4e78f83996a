"""The path without a mouse, and what screen readers are told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.app.browser.walking import PLACES, Walker, write_survey

MOST_TABS = 120
FOCUS_SHOWS = "getComputedStyle(document.activeElement).outlineStyle !== 'none'"


def tab_to(page: Any, id: str) -> None:
    """Press Tab until the element has the focus, which must show."""
    for _ in range(MOST_TABS):
        if page.evaluate("document.activeElement.id") == id:
            page.wait_for_function(FOCUS_SHOWS)  # the page may be drawn anew at this very moment
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {id}")


def press_on(page: Any, id: str, key: str = "Enter") -> None:
    tab_to(page, id)
    page.keyboard.press(key)


def test_the_path_with_the_keyboard_only(walker: Walker, tmp_path: Path) -> None:
    page = walker.page
    walker.open_file(write_survey(tmp_path / "survey.csv", 200))  # a chooser of the system's own
    press_on(page, "onward")
    page.wait_for_selector('#step-roles[aria-current="step"]')
    page.wait_for_function("document.activeElement.id === 'page-title'")
    tab_to(page, "role-5")
    with walker.new_step():
        page.keyboard.press("c")  # confidential
        page.keyboard.press("Tab")
    assert page.input_value("#role-5") == "confidential"
    press_on(page, "onward")
    page.wait_for_selector('#step-protect[aria-current="step"]')
    tab_to(page, "k-range")
    with walker.new_step():
        page.keyboard.press("ArrowRight")
    page.wait_for_function("document.querySelector('#k-number').value === '4'")
    tab_to(page, "technique-nearoptimal")
    with walker.new_step():
        page.keyboard.press("ArrowLeft")  # round the corner, to the last
    page.wait_for_selector('#technique-individualranking[aria-checked="true"]')
    for _ in range(2):
        with walker.new_step():
            page.keyboard.press("ArrowLeft")
    page.wait_for_selector('#technique-vmdav[aria-checked="true"]')
    press_on(page, "protect")
    page.wait_for_selector('#step-look[aria-current="step"]')
    assert walker.title() == "VMDAV, k = 4"
    press_on(page, "look-2")
    page.wait_for_selector(".map")
    press_on(page, "to-compare")
    page.wait_for_selector('#step-compare[aria-current="step"]')
    press_on(page, "spot-0")
    page.wait_for_selector('#step-look[aria-current="step"]')
    press_on(page, "step-release")
    page.wait_for_selector("#download-csv")
    tab_to(page, "download-csv")
    with page.expect_download() as waiting:
        page.keyboard.press("Enter")
    assert waiting.value.suggested_filename.endswith(".csv")


NAMELESS = """() => [...document.querySelectorAll('button, a, input, select, [role="button"], svg')]
    .filter(e => !e.closest('[aria-hidden="true"]') && e.getClientRects().length)
    .filter(e => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length))
    .map(e => e.outerHTML.slice(0, 120))"""
TWICE = """() => { const ids = [...document.querySelectorAll('#app [id]')].map(e => e.id);
    return ids.filter((id, at) => ids.indexOf(id) !== at); }"""
WIDER = "() => document.documentElement.scrollWidth - innerWidth"


@pytest.mark.parametrize("width", [1280, 820])
def test_every_page_has_names_and_fits(walker: Walker, tmp_path: Path, width: int) -> None:
    page = walker.page
    page.set_viewport_size({"width": width, "height": 900})
    walker.open_file(write_survey(tmp_path / "survey.csv", 60))
    walker.protect("mdav", 3)
    for place in PLACES:
        walker.go(place)
        page.wait_for_timeout(100)
        assert page.evaluate(NAMELESS) == [], place
        assert page.evaluate(TWICE) == [], place
        assert page.evaluate(WIDER) <= 0, place
        assert page.locator("h1").count() == 1
    walker.go("roles")
    below = page.locator(".roles .reason-below").first
    assert below.is_visible() is (width < 1000)
    assert page.locator(".roles td.reason").first.is_visible() is (width >= 1000)
