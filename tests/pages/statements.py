"""Python of the pages: a statement with `# → value` beside it gives, or prints, that value."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from typing import Any, NamedTuple

# What comes after a semicolon explains the value.
SHOWN = re.compile(r"#\s→ (?P<value>.*?)(?P<why>; .*)?$")


class Outcome(NamedTuple):
    """What a statement of one or more lines gave; `line` counts from 0 in the block."""

    line: int
    value: str
    printed: str


def run(lines: list[str], names: dict[str, Any]) -> Iterator[Outcome]:
    """Execute a block, statement by statement."""
    for statement in ast.parse("\n".join(lines)).body:
        out = StringIO()
        with redirect_stdout(out):
            value = _execute(statement, names)
        shown = out.getvalue().rstrip("\n") if value is None else repr(value)
        yield Outcome((statement.end_lineno or 1) - 1, shown, out.getvalue())


def _execute(statement: ast.stmt, names: dict[str, Any]) -> Any:
    if isinstance(statement, ast.Expr):
        return eval(compile(ast.Expression(statement.value), "<page>", "eval"), names)
    exec(compile(ast.Module([statement], []), "<page>", "exec"), names)
    return None


def shown_value(line: str) -> str | None:
    """The value that a line promises; None if it promises none."""
    found = SHOWN.search(line)
    return found["value"] if found else None


def with_value(line: str, value: str) -> str:
    """The line with another value, its explanation kept."""
    found = SHOWN.search(line)
    assert found
    return f"{line[: found.start('value')]}{value}{found['why'] or ''}"
