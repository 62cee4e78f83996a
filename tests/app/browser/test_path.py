"""The whole path, from a file with missing values to the files that are taken away."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
import tomllib

from tests.app.browser.running import covey
from tests.app.browser.walking import Walker, write_survey

K = 4


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    return write_survey(tmp_path / "survey.csv")


def smallest_class(released: pd.DataFrame, keys: list[str]) -> int:
    """The least number of equal records, counted without Covey."""
    return int(released.groupby(keys, dropna=False).size().min())


def test_from_the_file_to_the_release(walker: Walker, survey: Path, tmp_path: Path) -> None:
    page = walker.page
    walker.open_file(survey)
    assert walker.title() == "survey.csv"
    assert "400 records and 16 columns" in page.inner_text(".lead")
    assert "separated by commas" in page.inner_text(".facts")

    walker.go("roles")
    walker.choose_role(5, "confidential")
    with walker.new_step():
        page.select_option("#treatment-4", "ordinal")
    with walker.new_step():
        page.click("#order-4-bachelor-down")
    assert "1 confidential" in page.inner_text(".tallies")

    walker.protect("mdav", K)
    assert walker.title() == f"MDAV, k = {K}"
    assert f"{K} asked for, {K} achieved" in page.inner_text('[data-line="k"]')
    for view in range(1, 5):
        page.click(f"#look-{view}")
        page.wait_for_selector(f'#look-{view}[aria-selected="true"]')
    assert page.locator("table.figures tbody tr").count() > 10

    walker.go("release")
    assert f"at least {K - 1} others" in page.inner_text("#k-check")
    settings = tomllib.loads(walker.download("settings", tmp_path).read_text())
    keys = [*settings["quasi_identifiers"], *settings["strata"]]
    assert settings["ordinal"]["education"][:2] == ["master", "bachelor"]
    for released in (
        pd.read_csv(walker.download("csv", tmp_path)),
        pd.read_parquet(walker.download("parquet", tmp_path)),
    ):
        assert len(released) == 400
        assert "person_id" not in released
        assert smallest_class(released, keys) >= K
    original = pd.read_csv(survey)
    assert smallest_class(original, keys) == 1  # the check can fail
    script = walker.download("script", tmp_path).read_text()
    compile(script, "script", "exec")


def test_the_page_says_what_the_command_line_says(
    walker: Walker, survey: Path, tmp_path: Path
) -> None:
    page = walker.page
    walker.open_file(survey)
    walker.protect("vmdav", 5)
    shown = {
        line.get_attribute("data-line"): line.inner_text()
        for line in page.query_selector_all("[data-line]")
    }
    tiles = {
        tile.get_attribute("data-figure"): tile.query_selector(".figure").inner_text()
        for tile in page.query_selector_all("[data-figure]")
    }
    walker.go("release")
    settings = walker.download("settings", tmp_path)
    printed = covey(
        *("protect", "survey.csv", "--config", settings.name, "--out", "cli.csv"), folder=tmp_path
    )
    for name, text in shown.items():
        assert f"{name} {text}" in " ".join(printed.split()), name
    figures = json.loads(
        covey(
            *("protect", "survey.csv", "--config", settings.name, "--out", "cli.csv"),
            *("--force", "--json"),
            folder=tmp_path,
        )
    )
    assert set(tiles) == {"il", "categories", "distance_linkage", "interval", "g_dr"}
    for name, text in tiles.items():
        part = figures["evaluation"][name]
        percent = part["percent"] if isinstance(part, dict) else part
        assert text.replace("\xa0", " ") == f"{percent:.2f} %"
    released = walker.download("csv", tmp_path)
    assert released.read_bytes() == (tmp_path / "cli.csv").read_bytes()


def test_reports_get_their_title(walker: Walker, survey: Path, tmp_path: Path) -> None:
    page = walker.page
    walker.open_file(survey)
    walker.protect("mdav", 3)
    walker.go("release")
    page.fill("#about-title", "Households <b>2026</b>")
    with walker.new_step():
        page.press("#about-title", "Enter")
    page.wait_for_function(
        "document.querySelector('#reports-state').textContent.includes('up to date')"
    )
    for what in ("internal", "external"):
        written = walker.download(what, tmp_path).read_text()
        assert "Households &lt;b&gt;2026&lt;/b&gt;" in written


def test_runs_are_compared(walker: Walker, survey: Path) -> None:
    page = walker.page
    walker.open_file(survey)
    walker.protect("mdav", 3)
    walker.protect("mdav", 8)
    walker.go("compare")
    assert page.locator("[data-spot]").count() == 2
    assert "mdav k=3" in page.inner_text("#why")

    page.uncheck("#try-iamat")
    page.fill("#try-sizes", "3, 6")
    with walker.new_step():
        page.click("#compare")
    page.wait_for_selector('[data-candidate="4"]')  # two runs; mdav 6, vmdav 3 and 6
    assert page.locator("[data-candidate]").count() == 5

    page.click('[data-spot="0"]')  # the first run
    page.wait_for_selector('#step-look[aria-current="step"]')
    assert walker.title() == "MDAV, k = 3"

    walker.go("compare")
    page.click("#make-4")  # tried only: it is made
    page.wait_for_selector('#step-look[aria-current="step"]')
    assert walker.title() == "VMDAV, k = 6"


def test_the_example_is_at_hand(walker: Walker) -> None:
    page = walker.page
    page.click("#history-button")
    page.click("#past-0")
    page.wait_for_selector("#open-example:enabled")
    for place in ("roles", "protect", "look", "compare", "release"):
        walker.go(place)
        assert "Open a file" in page.inner_text(".empty")
    page.click("#to-open")
    with walker.new_step():
        page.click("#open-example")
    page.wait_for_selector("#onward")
    assert "2,000 records" in page.inner_text(".lead")
    assert page.locator(".preview tbody tr").count() == 12


def test_a_table_of_a_database(walker: Walker, tmp_path: Path) -> None:
    import duckdb

    page = walker.page
    with duckdb.connect(str(tmp_path / "office.duckdb")) as database:
        for name, rows in (("households", 30), ("persons", 50)):
            database.execute(
                f"create table {name} as select range as person_id, (range * 7) % 23 as age, "
                f"(range * 13) % 101 as income from range({rows})"
            )
    walker.go("open")
    with walker.new_step():
        page.set_input_files("#file", tmp_path / "office.duckdb")
    page.wait_for_selector("#table-1")
    assert walker.title() == "Which table of office.duckdb?"
    with walker.new_step():
        page.locator(".card", has_text="persons").click()
    page.wait_for_selector("#onward")
    assert "50 records and 3 columns" in page.inner_text(".lead")
    walker.protect("mdav", 5)


def test_looking_closer(walker: Walker, survey: Path) -> None:
    """A limit that is set is shown beside its risk, and a group answers to the pointer."""
    page = walker.page
    walker.open_file(survey)
    walker.go("protect")
    page.click("#fold-limits")
    page.fill("#limit-percent", "12.5")
    with walker.new_step():
        page.press("#limit-percent", "Enter")
    walker.protect("mdav", 10)
    page.click("#look-4")
    page.wait_for_selector("td .tag")
    assert page.inner_text("td .tag") == "within 12.5"
    page.click("#look-2")
    page.hover('.map [data-group="5"][data-tip]', force=True)
    page.wait_for_selector(".tip.shown")
    assert "A group of 1" in page.inner_text(".tip")
    assert page.locator('.map [data-group="5"].on').count() >= 2 * 10 + 1
    assert page.locator('.map [data-group="6"].on').count() == 0
