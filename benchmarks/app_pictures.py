"""Pictures of the app for docs/app.md, from the app itself.  python -m benchmarks.app_pictures

The command is started as a person starts it, walked through with the example survey in a real
browser, and looked at in light and in dark, and at the width of a tablet.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright
from tests.app.browser.running import RunningApp
from tests.app.browser.walking import Walker
from tests.browsing import QUIET, browser_path

from benchmarks.pages import ROOT

# Where the pictures go; another folder may be named, to look at them first.
FOLDER = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images" / "app"
DESK, TABLET = {"width": 1280, "height": 900}, {"width": 820, "height": 1100}
COLOURS = 256  # few, so that the files stay small
AT_LEISURE = 120_000  # milliseconds that a search may take

EDUCATION = ("primary", "secondary", "vocational", "bachelor", "master")


class Camera:
    """Takes pictures of what a walker sees."""

    def __init__(self, walker: Walker) -> None:
        self.walker = walker
        self.page: Any = walker.page

    def take(self, name: str, *, both: bool = False) -> None:
        """A picture in light and, if wanted, one in dark."""
        for theme in ("light", "dark") if both else ("light",):
            self.page.click(f"#theme-{theme}")
            self.page.mouse.move(2, 2)
            self._take(f"{name}-{theme}")
        self.page.click("#theme-light")

    def take_pointing(self, name: str, at: str) -> None:
        """A picture with the pointer on an element."""
        self.page.hover(at, force=True)
        self._take(name)

    def on_a_tablet(self, name: str) -> None:
        self.page.set_viewport_size(TABLET)
        self._take(f"{name}-tablet")
        self.page.set_viewport_size(DESK)

    def _take(self, name: str) -> None:
        self.page.wait_for_timeout(350)
        self.page.evaluate("document.activeElement.blur()")
        picture = Image.open(BytesIO(self.page.screenshot())).convert("RGB")
        few = picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, 1, dither=Image.Dither.NONE)
        few.save(FOLDER / f"{name}.png", optimize=True)
        print(name)


def walk(camera: Camera) -> None:
    """The whole path, with a stop for a picture at every step."""
    for act in (_open, _roles, _protect, _look, _compare, _release):
        act(camera)


def _open(camera: Camera) -> None:
    walker, page = camera.walker, camera.page
    camera.take("open", both=True)
    with walker.new_step():
        page.click("#open-example")
    page.wait_for_selector("#onward")
    camera.take("preview")


def _roles(camera: Camera) -> None:
    walker, page = camera.walker, camera.page
    walker.go("roles")
    walker.choose_role(5, "confidential")
    with walker.new_step():
        page.select_option("#treatment-4", "ordinal")
    _put_in_order(camera)
    with walker.new_step():
        page.select_option("#treatment-3", "integer")
    page.evaluate("scrollTo(0, 0)")
    camera.take("roles", both=True)
    camera.on_a_tablet("roles")


def _put_in_order(camera: Camera) -> None:
    """Move each level up until it is where it belongs."""
    page, walker = camera.page, camera.walker
    for place, level in enumerate(EDUCATION):
        while page.locator(".order li").nth(place).inner_text().split()[-1] != level:
            with walker.new_step():
                page.click(f"#order-4-{level}-up")


def _protect(camera: Camera) -> None:
    walker, page = camera.walker, camera.page
    walker.go("protect")
    walker.choose_k(5)
    camera.take("protect", both=True)
    camera.on_a_tablet("protect")
    page.click("#protect")
    page.wait_for_function(
        "document.querySelector('.job .how-far')?.textContent.includes('left')", timeout=AT_LEISURE
    )
    camera.take("protecting")
    page.wait_for_selector('#step-look[aria-current="step"]', timeout=AT_LEISURE)


def _look(camera: Camera) -> None:
    page = camera.page
    camera.take("look", both=True)
    for view, name in ((1, "variables"), (3, "correlations")):
        page.click(f"#look-{view}")
        page.wait_for_selector(f'#look-{view}[aria-selected="true"]')
        camera.take(name)
    page.click("#look-2")
    page.wait_for_selector(".map [data-group]")
    page.evaluate("scrollTo(0, 190)")
    camera.take_pointing("groups", '.map [data-group="30"][data-tip]')


def _compare(camera: Camera) -> None:
    walker, page = camera.walker, camera.page
    walker.go("compare")
    page.fill("#try-sizes", "3, 5, 7, 10")
    with walker.new_step():
        page.set_default_timeout(AT_LEISURE)
        page.click("#compare")
    page.wait_for_selector('[data-candidate="8"]')
    page.evaluate("scrollTo(0, 0)")
    camera.take("compare", both=True)
    page.click("#history-button")
    page.wait_for_selector(".history.shown")
    camera.take("history")
    page.click("#history-close")


def _release(camera: Camera) -> None:
    walker, page = camera.walker, camera.page
    walker.go("release")
    for name, text in (("title", "Household survey"), ("publisher", "Statistical Office")):
        page.fill(f"#about-{name}", text)
        with walker.new_step():
            page.press(f"#about-{name}", "Enter")
    page.wait_for_selector(".job", state="detached")
    page.evaluate("scrollTo(0, 0)")
    camera.take("release", both=True)


def with_the_app(use: Callable[[Camera], None]) -> None:
    """Start the app, open it in a browser, and end it whatever happens."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    app = RunningApp()
    try:
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=browser_path(), args=QUIET)
            address = app.address()
            walker = Walker(browser.new_page(viewport=DESK), address)
            walker.arrive(address)
            use(Camera(walker))
            browser.close()
    finally:
        app.stop()


if __name__ == "__main__":
    with_the_app(walk)
