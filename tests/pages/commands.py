"""Commands of the pages: `covey` is run, of other programs it is checked that they are there."""

from __future__ import annotations

import importlib.util
import re
import shlex

import typer

from covey.cli.main import app
from tests.cli.running import Ran, covey

from .blocks import ROOT

COMMANDS = typer.main.get_command(app).commands
USAGE = typer.BadParameter.__bases__[0]  # click's own, or that of the copy in typer
# What script/demo runs when everything is installed.
DEMO = ("demo", "demo-output", "--force")


def run(words: str) -> Ran | None:
    """Run a command that is Covey's; None, after a check, for any other."""
    program, *arguments = shlex.split(words, comments=True)
    if program == "covey":
        return covey(*arguments)
    if program == "script/demo":
        assert '"$bin/covey" demo "$out" --force' in (ROOT / program).read_text()
        return covey(*DEMO)
    check(words)
    return None


def check(words: str) -> None:
    """Fail when there is no such command, or when it has no such option."""
    for part in re.split(r"\s&&\s", words):
        program, *arguments = _without_environment(shlex.split(part, comments=True))
        if program == "covey":
            _parse(arguments)
        elif program == "pip":
            _check_extras(arguments)
        elif program == "python":
            _check_module(arguments)
        elif program == ".":
            pass
        else:
            _check_script(program, arguments)


def _without_environment(words: list[str]) -> list[str]:
    """Leave out `NAME=value` before a command."""
    while re.match(r"[A-Z_]+=", words[0]):
        words = words[1:]
    return words


def _parse(arguments: list[str]) -> None:
    name, *rest = arguments
    if name in ("--help", "--version"):
        return
    assert name in COMMANDS, f"there is no command covey {name}"
    try:
        COMMANDS[name].make_context(name, rest)
    except USAGE as error:
        raise AssertionError(f"covey {' '.join(arguments)}: {error.format_message()}") from error


def _check_extras(arguments: list[str]) -> None:
    text = (ROOT / "pyproject.toml").read_text()
    declared = text.split("[project.optional-dependencies]")[1].split("\n[")[0]
    extras = set(re.findall(r"^(\w+) = ", declared, re.M))
    assert arguments[0] == "install"
    for argument in arguments[1:]:
        asked = re.fullmatch(r"(?:\.|covey)\[([\w,]+)\]", argument)
        assert asked, f"pip install {argument} installs something else than Covey"
        assert set(asked[1].split(",")) <= extras, f"there is no such extra: {argument}"


def _check_module(arguments: list[str]) -> None:
    assert arguments[0] == "-m", "a page runs Python by a module"
    assert importlib.util.find_spec(arguments[1]), f"there is no module {arguments[1]}"


def _check_script(program: str, arguments: list[str]) -> None:
    script = ROOT / program
    assert program.startswith(("script/", ".ci/")), f"the tests do not know the command {program}"
    assert script.is_file(), f"there is no {program}"
    for option in arguments:
        if option.startswith("--"):
            read_by_pytest = program == "script/test"
            assert read_by_pytest or option in script.read_text(), f"{program} has no {option}"


def invented_options(text: str) -> list[str]:
    """Options in running text, `covey protect --nonsense`, that the command does not have."""
    found = []
    for name, rest in re.findall(r"`covey ([a-z]+)([^`]*)`", text):
        known = {o for p in COMMANDS[name].params for o in (*p.opts, *p.secondary_opts)}
        named = re.findall(r"(?<!\S)(--[a-z-]+|-[a-z])\b", rest)
        found += [f"covey {name} {option}" for option in named if option not in known]
    return found
