"""Blocks: the fenced parts of a page, with the marks that stand before them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
LANGUAGES = {"console", "python", "toml", "sql", "r", "text", ""}
# Before a block: <!-- slow: why -->, <!-- not run: why -->, <!-- file: name -->.
MARK = re.compile(r"^<!-- (slow|not run|file): (.+?) -->$")
# Anywhere: what the page needs to be there, <!-- given: survey.csv, PostgreSQL -->.
GIVEN = re.compile(r"^<!-- given: (.+?) -->$", re.M)
FENCE = re.compile(r"^```(\w*)$")


@dataclass(frozen=True)
class Block:
    """Lines of a page between fences; `start` is the index of the first of them in the page."""

    language: str
    lines: list[str]
    start: int
    mark: str = ""
    because: str = ""


@dataclass(frozen=True)
class Command:
    """A command of a console block, and the lines below it; `start` is that of these lines."""

    words: str
    shown: list[str]
    start: int


def blocks_of(text: str) -> list[Block]:
    """The fenced blocks of a page, in order."""
    lines, found, opened = text.splitlines(), [], -1
    for i, line in enumerate(lines):
        fence = FENCE.match(line)
        if fence and opened < 0:
            opened, language = i, fence[1]
        elif fence:
            mark = MARK.match(lines[opened - 1]) if opened else None
            said = (mark[1], mark[2]) if mark else ("", "")
            found.append(Block(language, lines[opened + 1 : i], opened + 1, *said))
            opened = -1
    return found


def given(text: str) -> list[str]:
    """What a page needs beside itself."""
    return [name for names in GIVEN.findall(text) for name in names.split(", ")]


def commands_of(block: Block) -> list[Command]:
    """Each `$ command`, whole where it is continued by a backslash, with what is shown below."""
    found: list[Command] = []
    lines = iter(enumerate(block.lines, block.start))
    for i, line in lines:
        if not line.startswith("$ "):
            found[-1].shown.append(line)
            continue
        words = line.removeprefix("$ ")
        while words.endswith("\\"):
            i, more = next(lines)
            words = words.removesuffix("\\") + more.strip()
        found.append(Command(words, [], i + 1))
    return found
