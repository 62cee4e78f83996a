"""The command in a process of its own: start, terminal, Ctrl-C, a full disk."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest
from pyarrow import csv

from covey.cli.exits import exit_code
from covey.datasets import make_survey
from covey.errors import CoveyError, GuaranteeViolated, Infeasible

from .conftest import NUMBERS, ROLES
from .running import COMMAND, covey, in_a_process

COMMANDS = ("inspect", "protect", "compare", "tune", "measure", "report", "techniques", "demo")
posix = pytest.mark.skipif(os.name != "posix", reason="signals and terminals of Unix")


def test_help_loads_nothing_heavy():
    """It is shown in 0.3 s because of that."""
    heavy = "{'numpy', 'pyarrow', 'scipy', 'sklearn', 'pandas', 'narwhals', 'jinja2'}"
    code = (
        "import sys\nfrom covey.cli import main\n"
        f"for words in {[[], *([command] for command in COMMANDS)]}:\n"
        "    sys.argv = ['covey', *words, '--help']\n"
        "    try:\n        main.run()\n"
        "    except SystemExit as end:\n        assert not end.code\n"
        f"print('loaded:', sorted({heavy} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded: []"


def test_protecting_without_measures_loads_little(survey, folder):
    """A small file is protected in about a second because of that."""
    heavy = "{'scipy', 'sklearn', 'joblib', 'matplotlib', 'duckdb', 'jinja2', 'vl_convert'}"
    words = ["protect", survey, "--out", "r.csv", *ROLES, "--technique", "mdav", "--no-measures"]
    code = (
        "import sys\nfrom covey.cli import main\n"
        f"sys.argv = {['covey', *map(str, words)]}\n"
        "try:\n    main.run()\n"
        "except SystemExit as end:\n    assert not end.code\n"
        f"print('loaded:', sorted({heavy} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                          cwd=folder)  # fmt: skip
    assert done.stdout.splitlines()[-1] == "loaded: []"
    assert (folder / "r.csv").exists()


def test_help_and_version():
    shown = covey("--help").out
    assert all(command in shown for command in COMMANDS)
    assert covey("--version").out.startswith("covey ")
    assert "protect" in covey().out + covey().err


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_every_command(command):
    result = covey(command, "--help")
    assert result.code == 0
    assert f"Usage: covey {command} " in result.out
    assert max(map(len, result.out.splitlines())) <= 80


def test_completion_can_be_shown(monkeypatch):
    monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")
    for shell in ("bash", "zsh", "fish"):
        assert "_COVEY_COMPLETE" in covey("--show-completion", shell).out


def test_completion_completes():
    environment = {**os.environ, "_COVEY_COMPLETE": "complete_bash", "COMP_WORDS": "covey pro",
                   "COMP_CWORD": "1"}  # fmt: skip
    code = "import sys; sys.argv = ['covey']; from covey.cli.main import run; run()"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True,
                          text=True, check=False)  # fmt: skip
    assert done.stdout.split() == ["protect"]


def test_exit_codes():
    assert exit_code(GuaranteeViolated()) == 4
    assert exit_code(Infeasible()) == 3
    assert exit_code(CoveyError()) == 2


def test_a_broken_guarantee_ends_in_4(protect, monkeypatch, left):
    def broken(*_args, **_kwargs):
        raise GuaranteeViolated("A class of 2 records.")

    monkeypatch.setattr("covey.release.release.require_guarantee", broken)
    result = protect()
    assert result.code == 4
    assert result.err == "Error: A class of 2 records.\n"
    assert left() == []


# -- progress ------------------------------------------------------------------------------


def test_no_bar_in_a_pipe(survey, folder):
    result = in_a_process("protect", survey, "--out", "r.csv", *ROLES, cwd=folder)
    assert result.code == 0
    assert result.err == ""
    assert "\x1b" not in result.out


@posix
@pytest.mark.parametrize("quiet", [False, True])
def test_a_bar_on_a_terminal(survey, folder, quiet):
    import pty

    master, terminal = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "protect", survey, "--out", "r.csv", *ROLES, *["--quiet"] * quiet],
        cwd=folder, stdout=subprocess.DEVNULL, stderr=terminal,
        env={**os.environ, "TERM": "xterm"},
    )  # fmt: skip
    os.close(terminal)
    shown = _everything(master)
    assert process.wait() == 0
    assert ("grouping" in shown) != quiet
    assert ("━" in shown) != quiet


def _everything(master: int) -> str:
    parts = []
    try:
        while part := os.read(master, 4096):
            parts.append(part)
    except OSError:  # Linux says so when the other side is closed
        pass
    os.close(master)
    return b"".join(parts).decode()


# -- Ctrl-C and a full disk ----------------------------------------------------------------


@posix
def test_ctrl_c_while_grouping(folder, left):
    """A search of such effort runs for minutes, and a compiled loop cannot be interrupted."""
    csv.write_csv(make_survey(3_000).select(NUMBERS.split(",")), "survey.csv")
    process = subprocess.Popen(
        [*COMMAND, "protect", "survey.csv", "--out", "r.csv", "--set", "effort=10000000"],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    time.sleep(5)
    assert process.poll() is None, "the run ended before it could be interrupted"
    process.send_signal(signal.SIGINT)
    sent = time.monotonic()
    _, errors = process.communicate(timeout=30)
    assert time.monotonic() - sent < 10
    assert process.returncode == 130
    assert errors.startswith("Cancelled; ")
    assert len(errors.splitlines()) == 1
    assert left() == []


# Press Ctrl-C when the first cell is grouped.
CTRL_C_AT_WORK = """
import os, signal, time
import covey.pipeline.route as running
def pressed(*_args):
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(1)
running.release_part = pressed
"""


@posix
@pytest.mark.parametrize("named", [True, False])
def test_ctrl_c_leaves_a_work_folder_and_says_so(survey, folder, left, named):
    asked = ("--work-dir", "temporary") if named else ("--memory-limit", "1GB")
    columns = ("--quasi-identifiers", NUMBERS, "--identifiers", "person_id")
    command = ("protect", survey, "--out", "r.parquet", *columns, *asked)
    result = in_a_process(*command, cwd=folder, before=CTRL_C_AT_WORK)
    assert result.code == 130
    (work,) = left()
    assert result.err.startswith("Cancelled; no release was written.")
    assert str(folder / work) in result.err
    assert "goes on from there" in result.err
    assert in_a_process(*command, cwd=folder).code == 0
    assert left() == ["r.parquet"]


# Press Ctrl-C when the given file is about to be moved into place.
CTRL_C = """
import os, signal, time
from covey.sources import whole
place, moved = whole.place_new, []
def pressed(source, target):
    moved.append(target)
    if len(moved) == {number}:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(1)
    place(source, target)
whole.place_new = pressed
"""


@posix
@pytest.mark.parametrize("number", [1, 2])
def test_ctrl_c_while_writing(survey, folder, left, number):
    """The release is the first file that is written, the report the second."""
    result = in_a_process("protect", survey, "--out", "r.csv", *ROLES, "--internal", "i.html",
                          cwd=folder, before=CTRL_C.format(number=number))  # fmt: skip
    assert result.code == 130
    assert "Cancelled" in result.err
    assert "Traceback" not in result.err
    assert left() == []


# Files cannot grow beyond a size: what a full disk looks like to a program.
FULL = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))\n"


@posix
@pytest.mark.parametrize(("size", "file"), [(4000, "r.csv"), (50_000, "i.html")])
def test_a_full_disk(survey, folder, left, size, file):
    result = in_a_process("protect", survey, "--out", "r.csv", *ROLES, "--internal", "i.html",
                          cwd=folder, before=FULL.format(size=size))  # fmt: skip
    assert result.code == 2
    assert f"{file} could not be written" in result.err
    assert "Traceback" not in result.err
    assert left() == []
