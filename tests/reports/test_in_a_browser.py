"""The pages as a browser shows and prints them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from covey.reports import render

from .samples import external_content, internal_content
from .test_pages import hostile

AUDIENCES = ["internal", "external"]

HEADINGS = "[...document.querySelectorAll('h1,h2,h3,h4')].map(h => +h.tagName[1])"
WIDTH = "document.documentElement.scrollWidth"
BACKGROUND = "getComputedStyle(document.body).backgroundColor"
CHART_TEXT = "getComputedStyle(document.querySelector('.chart text')).fill"
SMALLEST_TEXT = """() => Math.min(...[...document.querySelectorAll('.chart text')].map(text => {
    const to_screen = text.getScreenCTM();
    return parseFloat(getComputedStyle(text).fontSize) * Math.hypot(to_screen.a, to_screen.b);
}))"""


SCROLLING = """[...document.querySelectorAll('.scroll')]
    .filter(box => box.scrollWidth > box.clientWidth)
    .map(box => getComputedStyle(box).backgroundImage)"""
SIGNATURE = """[...document.querySelectorAll('.signatures tbody tr:first-child > *')]
    .map(cell => cell.getBoundingClientRect()).map(box => [box.left, box.right, box.top])"""


class Visit(NamedTuple):
    page: Any
    requests: list[str]
    messages: list[str]


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("reports")
    contents = {"internal": internal_content(), "external": external_content()}
    for audience, content in contents.items():
        (folder / f"{audience}.html").write_text(render(content, audience), encoding="utf-8")
    keep = {"kind", "treatment", "guarantee"}
    nasty = render(hostile(contents["internal"], keep), "internal")
    (folder / "hostile.html").write_text(nasty, encoding="utf-8")
    return {path.stem: path for path in folder.iterdir()}


@pytest.fixture
def visit(browser, files) -> Iterator[Any]:
    contexts = []

    def open_page(name: str, width: int = 1280, scheme: str = "light") -> Visit:
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        seen = Visit(page, [], [])
        page.on("request", lambda request: seen.requests.append(request.url))
        page.on("console", lambda message: seen.messages.append(message.text))
        page.on("pageerror", lambda error: seen.messages.append(str(error)))
        page.on("dialog", lambda dialog: seen.messages.append(dialog.message))
        page.goto(files[name].as_uri())
        return seen

    yield open_page
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", [*AUDIENCES, "hostile"])
def test_quiet_and_alone(visit, files, name):
    seen = visit(name)
    assert seen.messages == []
    assert [url for url in seen.requests if url != "data:,"] == [files[name].as_uri()]


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", [*AUDIENCES, "hostile"])
def test_no_page_scrolls_sideways(visit, name, width):
    assert visit(name, width).page.evaluate(WIDTH) <= width


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", AUDIENCES)
def test_text_in_charts_can_be_read(visit, name, width):
    assert visit(name, width).page.evaluate(SMALLEST_TEXT) >= 9


@pytest.mark.parametrize("name", AUDIENCES)
def test_headings_are_in_order(visit, name):
    levels = visit(name).page.evaluate(HEADINGS)
    assert levels[0] == 1
    assert levels.count(1) == 1
    steps = [after - before for before, after in pairwise(levels)]
    assert max(steps) == 1


@pytest.mark.parametrize("name", AUDIENCES)
def test_prints_on_several_pages(visit, name):
    pdf = visit(name, scheme="dark").page.pdf(prefer_css_page_size=True)
    assert pdf.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) > 1


@pytest.mark.parametrize("name", AUDIENCES)
def test_dark_mode_turns_page_and_charts(visit, name):
    light, dark = (visit(name, scheme=scheme).page for scheme in ("light", "dark"))
    assert light.evaluate(BACKGROUND) == "rgb(255, 255, 255)"
    assert dark.evaluate(BACKGROUND) == "rgb(23, 33, 42)"
    assert light.evaluate(CHART_TEXT) != dark.evaluate(CHART_TEXT)


def test_paper_is_light_even_in_dark_mode(visit):
    page = visit("internal", scheme="dark").page
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(BACKGROUND) == "rgb(255, 255, 255)"
    assert page.evaluate(CHART_TEXT) == "rgb(86, 101, 115)"


def test_narrow_tables_show_that_they_scroll(visit):
    shades = visit("internal", 390).page.evaluate(SCROLLING)
    assert shades
    assert all(shade.count("linear-gradient") == 4 for shade in shades)


def test_lines_to_sign_stand_under_each_other_on_a_phone(visit):
    wide, narrow = (visit("internal", width).page.evaluate(SIGNATURE) for width in (1280, 390))
    assert len({top for _, _, top in wide}) == 1
    assert len({top for _, _, top in narrow}) == 4
    assert all(left >= 0 and right <= 390 for left, right, _ in narrow)
