"""Nothing is lost: reload in mid-run, undo and redo, two tabs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.app.browser.running import RunningApp
from tests.app.browser.walking import Walker, write_survey


@pytest.fixture
def at_work(walker: Walker, tmp_path: Path) -> Walker:
    walker.open_file(write_survey(tmp_path / "survey.csv", 1500))
    return walker


def test_reload_in_mid_run(at_work: Walker) -> None:
    page = at_work.page
    at_work.go("protect")
    at_work.choose_technique("nearoptimal")
    page.click("#fold-parameters")
    page.fill("#parameter-effort", "4000")
    with at_work.new_step():
        page.press("#parameter-effort", "Enter")
    page.click("#protect")
    page.wait_for_selector(".job")
    page.reload()
    page.wait_for_selector(".job")  # it goes on, and the page knows
    assert "Protect" in page.inner_text("#page-title") or "protect" in page.inner_text(
        "#page-title"
    )
    assert page.input_value("#parameter-effort") == "4000.0"
    page.wait_for_selector('#step-look[aria-current="step"]', timeout=90_000)
    assert at_work.title() == "NearOptimal, k = 3"
    page.reload()
    page.wait_for_selector("[data-line]")
    assert at_work.title() == "NearOptimal, k = 3"


def test_undo_three_steps_and_redo_them(at_work: Walker) -> None:
    page = at_work.page
    at_work.go("roles")
    at_work.choose_role(5, "confidential")
    at_work.go("protect")
    at_work.choose_k(7)
    at_work.choose_technique("vmdav")
    for _ in range(2):
        page.click("#undo")
    page.wait_for_function("document.querySelector('#k-number').value === '3'")
    page.keyboard.press("Control+z")
    page.wait_for_selector("#role-5")
    assert page.input_value("#role-5") == "quasi-identifier"

    for _ in range(3):
        page.keyboard.press("Control+Shift+z")
    page.wait_for_selector('#technique-vmdav[aria-checked="true"]')
    assert page.input_value("#k-number") == "7"
    at_work.go("roles")
    assert page.input_value("#role-5") == "confidential"


def test_steps_that_were_left_stay_in_the_list(at_work: Walker) -> None:
    page = at_work.page
    at_work.go("protect")
    at_work.choose_k(9)
    left = page.get_attribute('.past[aria-current="step"]', "id")
    page.click("#undo")
    page.wait_for_function("document.querySelector('#k-number').value === '3'")
    at_work.choose_k(5)
    page.click("#history-button")
    page.click(f"#{left}")
    page.wait_for_function("document.querySelector('#k-number').value === '9'")


def test_two_tabs_follow_each_other(at_work: Walker, running_app: RunningApp) -> None:
    other = at_work.page.context.new_page()
    other.goto(f"{at_work.place}/protect")
    other.wait_for_selector("#k-number")
    at_work.go("protect")
    at_work.choose_k(11)
    other.wait_for_function("document.querySelector('#k-number').value === '11'")
    other.keyboard.press("Control+z")
    at_work.page.wait_for_function("document.querySelector('#k-number').value === '3'")
    other.close()


def test_two_jobs_queue(at_work: Walker) -> None:
    page = at_work.page
    at_work.go("protect")
    at_work.choose_technique("nearoptimal")
    page.click("#protect")
    page.wait_for_selector("#protect:disabled")
    at_work.choose_technique("mdav")
    page.click("#protect")
    page.wait_for_function("document.querySelectorAll('.job').length === 2")
    assert "Waiting" in page.locator(".job").nth(1).inner_text()
    page.locator('[id^="cancel-"]').nth(0).click()
    page.wait_for_selector('#step-look[aria-current="step"]')
    assert at_work.title() == "MDAV, k = 3"


def test_what_is_typed_survives_what_others_do(at_work: Walker) -> None:
    """A page that shows progress is drawn again and again; a half-written line stays."""
    page = at_work.page
    at_work.go("compare")
    page.click("#try-sizes")
    page.fill("#try-sizes", "4, 1")
    at_work.go("protect")
    at_work.choose_technique("nearoptimal")
    page.click("#fold-limits")
    page.click("#protect")
    page.wait_for_selector(".job")
    page.type("#rule", "age >= 16", delay=120)
    assert page.input_value("#rule") == "age >= 16"


def test_the_focus_stays(at_work: Walker) -> None:
    page = at_work.page
    at_work.go("roles")
    page.focus("#role-6")
    at_work.choose_role(6, "kept")
    page.wait_for_function("document.activeElement.id === 'role-6'")


def test_the_browser_goes_back_too(at_work: Walker) -> None:
    page = at_work.page
    at_work.go("roles")
    at_work.go("protect")
    page.go_back()
    page.wait_for_selector('#step-roles[aria-current="step"]')
    assert page.title() == "Roles – Covey"
    page.go_forward()
    page.wait_for_selector('#step-protect[aria-current="step"]')


def test_light_and_dark(at_work: Walker, browser: Any) -> None:
    page = at_work.page
    colour = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(colour) == "rgb(255, 255, 255)"
    page.click("#theme-dark")
    assert page.evaluate(colour) == "rgb(23, 33, 42)"
    page.reload()
    page.wait_for_selector("#page-title")
    assert page.evaluate(colour) == "rgb(23, 33, 42)"
    page.emulate_media(color_scheme="dark")
    page.click("#theme-light")
    assert page.evaluate(colour) == "rgb(255, 255, 255)"
    page.click("#theme-system")
    assert page.evaluate(colour) == "rgb(23, 33, 42)"
