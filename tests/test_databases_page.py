"""docs/databases.md: its commands, SQL and Python are run as printed, in order."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.running import covey

PAGE = (Path(__file__).parents[1] / "docs" / "databases.md").read_text("utf-8")
BLOCK = re.compile(r"^```(console|python|sql)\n(.*?)^```", re.M | re.S)


def test_everything_on_the_page(postgres, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    postgres.run("create database survey", database="postgres")
    postgres.database = "survey"
    for language, text in BLOCK.findall(PAGE):
        if language == "sql":
            postgres.run(*filter(str.strip, text.split(";")))
            postgres.run("alter role steward password 'not-for-any-message'")
        elif language == "python":
            exec(here(text, postgres.server.port), {})
        else:
            run(here(text, postgres.server.port))
    assert Path("adults.parquet").is_file()


def here(text: str, port: int) -> str:
    return text.replace("@localhost/", f"@127.0.0.1:{port}/")


def run(text: str) -> None:
    """A command, and the lines it prints, in this order; dots stand for some that are left out."""
    command, *lines = text.removeprefix("$ ").splitlines()
    result = covey(*shlex.split(command)[1:])
    assert result.code == 0, f"{command}\n{result.err}"
    printed = iter(line.rstrip() for line in result.out.splitlines())
    for line in lines:
        if line != "...":
            assert line in printed, f"{command}\ndoes not print, in this order:\n{line}"


@pytest.mark.parametrize("word", ["PGPASSWORD", "grant select on persons to steward", ":memory:"])
def test_what_people_look_for_is_there(word):
    assert word in PAGE
