"""Every block of every page is run in order, and gives what the page shows."""

from __future__ import annotations

import re

import pytest

from .blocks import LANGUAGES, PAGES, ROOT, Block, blocks_of, commands_of, given
from .commands import invented_options
from .figures import CHECKS
from .given import FILES, provide
from .walk import REMEDY, Walk

SLOW = [page for page in PAGES if any(b.mark == "slow" for b in blocks_of(page.read_text("utf-8")))]


def name(page):
    return str(page.relative_to(ROOT))


@pytest.fixture
def follow(folder, refresh, request):
    """Follow a page, and say where it differs."""

    def go(page, slow):
        needs = given(page.read_text("utf-8"))
        provide(needs)
        server = request.getfixturevalue("survey_server") if "PostgreSQL" in needs else {}
        walk = Walk(page, slow=slow, **server)
        walk.go()
        if refresh:
            walk.write()
            return
        differences = [*walk.differences, *CHECKS.get(page.name, lambda *_: [])(walk.text, folder)]
        assert not differences, "\n".join([*differences, REMEDY])

    return go


@pytest.fixture
def survey_server(postgres):
    """A PostgreSQL server with an empty database `survey`, as the page on databases has it."""
    postgres.run("create database survey", database="postgres")
    postgres.database = "survey"

    def sql(text):
        postgres.run(*filter(str.strip, text.split(";")))
        postgres.run("alter role steward password 'not-for-any-message'")

    port = postgres.server.port
    return {"sql": sql, "place": lambda text: text.replace("@localhost/", f"@127.0.0.1:{port}/")}


@pytest.mark.full_effort
@pytest.mark.parametrize("page", PAGES, ids=name)
def test_page(page, follow):
    follow(page, slow=False)


@pytest.mark.slow
@pytest.mark.full_effort
@pytest.mark.parametrize("page", SLOW, ids=name)
def test_page_at_full_effort(page, follow):
    follow(page, slow=True)


@pytest.mark.parametrize("page", PAGES, ids=name)
class TestEveryPage:
    def test_languages_are_known(self, page):
        assert {block.language for block in blocks_of(page.read_text("utf-8"))} <= LANGUAGES

    def test_no_command_hides_in_a_plain_block(self, page):
        for block in blocks_of(page.read_text("utf-8")):
            if block.language in ("", "text"):
                assert not any(line.startswith(("$ ", "covey ")) for line in block.lines)

    def test_console_blocks_begin_with_a_command(self, page):
        for block in blocks_of(page.read_text("utf-8")):
            if block.language == "console":
                assert block.lines[0].startswith("$ ")
                assert commands_of(block)

    def test_marks_belong_to_a_block(self, page):
        text = page.read_text("utf-8")
        marks = re.findall(r"^<!-- (?:slow|not run|file)\b", text, re.M)
        assert len(marks) == sum(bool(block.mark) for block in blocks_of(text))

    def test_what_is_given_is_known(self, page):
        assert set(given(page.read_text("utf-8"))) <= set(FILES)

    def test_options_in_running_text_are_there(self, page):
        assert invented_options(page.read_text("utf-8")) == []


def test_the_guide_takes_every_step():
    text = (ROOT / "docs" / "guide.md").read_text("utf-8")
    used = {c.words.split()[1] for b in blocks_of(text) if b.language == "console"
            for c in commands_of(b)}  # fmt: skip
    assert used == {"demo", "inspect", "compare", "tune", "protect", "report"}


@pytest.mark.parametrize("word", ["PGPASSWORD", "grant select on persons to steward", ":memory:"])
def test_what_people_look_for_about_databases_is_there(word):
    assert word in (ROOT / "docs" / "databases.md").read_text("utf-8")


def test_a_walk_is_described():
    """The marks stand in CONTRIBUTING.md."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    for words in ("<!-- slow: ", "<!-- not run: ", "<!-- file: ", "<!-- given: ", "--refresh"):
        assert words in text, words


def test_blocks_have_places():
    text = "a\n\n<!-- slow: long -->\n```console\n$ covey x \\\n    --y\nz\n$ covey w\n```\n"
    (block,) = blocks_of(text)
    assert block == Block("console", text.splitlines()[4:8], 4, "slow", "long")
    assert [(c.words, c.shown, c.start) for c in commands_of(block)] == [
        ("covey x --y", ["z"], 6),
        ("covey w", [], 8),
    ]
