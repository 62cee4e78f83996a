"""Run the command: in this process where that is enough, in one of its own where it is not."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from covey.cli import main

COMMAND = [sys.executable, "-c", "from covey.cli.main import run; run()"]


class Ran(NamedTuple):
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str


def covey(*arguments: object) -> Ran:
    """Run the command as its entry point does; warnings are printed, as for a user."""
    out, err = StringIO(), StringIO()
    argv = ["covey", *map(str, arguments)]
    with warnings.catch_warnings(), patch.object(sys, "argv", argv):
        warnings.simplefilter("always")
        with redirect_stdout(out), redirect_stderr(err):
            code = _exit_code()
    return Ran(code, out.getvalue(), err.getvalue())


def _exit_code() -> int:
    try:
        main.run()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def in_a_process(*arguments: object, cwd: Path | None = None, before: str = "") -> Ran:
    """Run the command in a process of its own, after the Python statements `before`."""
    code = f"{before}\nfrom covey.cli.main import run\nrun()"
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def said(text: str) -> str:
    """Printed text without its frame and its line breaks."""
    return " ".join(text.replace("│", " ").split())


def read_json(name: str | Path) -> Any:
    return json.loads(Path(name).read_text(encoding="utf-8"))
