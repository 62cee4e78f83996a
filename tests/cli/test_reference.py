"""docs/command-line.md names every option, and no other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer

from covey.cli.main import app

PAGE = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text("utf-8")
COMMANDS = typer.main.get_command(app).commands
# Two sections send the reader to that of another command.
SENT_TO = {"compare": ["protect"], "tune": ["compare", "protect"]}


def section(command: str) -> str:
    return re.search(rf"^## `covey {command}\b.*?(?=^## )", PAGE, re.M | re.S)[0]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_there(command):
    text = "".join(section(name) for name in (command, *SENT_TO.get(command, [])))
    for parameter in COMMANDS[command].params:
        for option in (*parameter.opts, *parameter.secondary_opts):
            if option.startswith("--") and option != "--help":
                assert option in text, option


@pytest.mark.parametrize("command", COMMANDS)
def test_no_option_is_invented(command):
    known = {option for p in COMMANDS[command].params for option in (*p.opts, *p.secondary_opts)}
    in_tables = re.findall(r"^\| (`-.*?) \|", section(command), re.M)
    named = {option for row in in_tables for option in re.findall(r"`(--[a-z-]+)", row)}
    assert named <= known
