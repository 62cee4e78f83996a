"""Help: what there is to choose from, flags without a type, brackets that stay brackets."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from rich.text import Text

from covey.cli.help import listed_techniques
from covey.cli.main import app
from covey.cli.streams import plain_console
from covey.errors import install_command
from covey.techniques import available

from .conftest import NUMBERS
from .running import COMMAND, covey, in_a_process, said

GROUP = typer.main.get_command(app)
COMMANDS = list(GROUP.commands)
SOURCE = Path(__file__).parents[2] / "src" / "covey"
posix = pytest.mark.skipif(os.name != "posix", reason="pipes of Unix")


class TestTechniques:
    def test_help_lists_what_is_registered(self):
        """It is read from the source; the registry knows the same."""
        registered = [
            (one.name, one.summary, one.cls.is_default, one.is_comparable) for one in available()
        ]
        assert [tuple(one) for one in listed_techniques()] == registered

    @pytest.mark.parametrize("command", ["protect", "compare", "tune"])
    def test_each_is_explained_where_one_is_chosen(self, command):
        shown = said(covey(command, "--help").out)
        for info in available():
            assert info.summary in shown

    def test_the_default_is_said(self):
        assert "nearoptimal (the default: auto):" in said(covey("protect", "--help").out)
        assert "optimalunivariate (if named):" in said(covey("compare", "--help").out)

    def test_the_command_explains_them_too(self):
        shown = said(covey("techniques").out)
        assert all(info.summary in shown for info in available())
        assert "nearoptimal (the default: auto)" in shown


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_flags_have_no_type(command):
    assert "<bool>" not in covey(*command.split(), "--help").out


# -- brackets ------------------------------------------------------------------------------


def test_help_has_no_markup_by_accident():
    texts = [text for command in GROUP.commands.values() for text in help_texts(command)]
    assert len(texts) > 100
    for text in texts:
        assert Text.from_markup(text).plain == text


def help_texts(command):
    return [command.help, *(param.help for param in command.params if param.help)]


def test_consoles_are_plain():
    """One place makes them, so that no message is taken for markup."""
    makers = [
        path.name
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Console"
    ]
    assert makers == ["streams.py"]


def test_brackets_are_printed(capsys):
    plain_console().print("pip install 'covey[report]' [bold] :smile:")
    assert capsys.readouterr().out == "pip install 'covey[report]' [bold] :smile:\n"


WITHOUT_REPORTS = """
import importlib.util as u
find = u.find_spec
u.find_spec = lambda name, *a: None if name in ("jinja2", "vl_convert") else find(name, *a)
"""


def test_the_demo_says_how_to_get_reports(folder):
    """The advice was once printed as: pip install 'covey'."""
    result = in_a_process("demo", "shown", "--records", 200, cwd=folder, before=WITHOUT_REPORTS)
    assert result.code == 0, result.err
    assert "The reports are left out: A report needs the package" in result.err
    assert "(covey[report])" in result.err
    assert install_command("report") in result.err
    assert (folder / "shown" / "released.csv").exists()


@posix
def test_stages_of_a_bar_may_have_brackets(folder):
    """A stage may name a file or a table."""
    import pty

    from .test_processes import _everything

    code = (
        "from covey.cli.progress import progress_bar\n"
        "with progress_bar() as show:\n    show('reading [green] a[1].csv', 1, 2)"
    )
    master, terminal = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    subprocess.run([sys.executable, "-c", code], stderr=terminal, env=environment, check=True)
    os.close(terminal)
    assert "reading [green] a[1].csv" in _everything(master)


# -- readers that leave --------------------------------------------------------------------


@posix
@pytest.mark.parametrize(
    "arguments",
    [
        ["techniques"], ["techniques", "--json"], ["--help"], ["--version"],
        *([command, "--help"] for command in COMMANDS),
        ["inspect", "survey.csv"], ["inspect", "survey.csv", "--json"],
        ["measure", "survey.csv", "survey.csv", "--keys", "age,hours"],
        ["compare", "survey.csv", "--quasi-identifiers", NUMBERS, "--techniques", "mdav"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_reader_that_leaves(survey, folder, arguments):
    """`covey techniques | head -2` is no mistake of anybody."""
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [*COMMAND, *arguments], stdout=write, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(write)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert "Broken" not in done.stderr


@posix
def test_the_work_is_done_though_nobody_reads(survey, folder, left):
    read, write = os.pipe()
    os.close(read)
    asked = ["protect", "survey.csv", "--quasi-identifiers", NUMBERS, "--out", "r.csv"]
    done = subprocess.run([*COMMAND, *asked], stdout=write, stderr=write, check=False)
    os.close(write)
    assert done.returncode == 0
    assert left() == ["r.csv"]


@posix
def test_a_mistake_keeps_its_code_though_nobody_reads(folder):
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([*COMMAND, "inspect", "no.csv"], stdout=write, stderr=write, check=False)
    os.close(write)
    assert done.returncode == 2
