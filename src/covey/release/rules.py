"""Edit rules: sums, ratios and bounds that the data should keep, counted before and after.

A rule is written as in a spreadsheet: ``gross_income - income_tax = net_income``,
``wage_income / gross_income <= 1``, ``age >= 16``. Names that are no plain words stand between
backquotes.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from covey.errors import InvalidParameter, SchemaError, unknown_name
from covey.types import BoolVector, FloatVector

# Sides of an equation that agree to so many digits are equal: means are rounded in the last one.
TOLERANCE = 1e-12
# Terms, signs and names of a rule, all together.
MOST_PARTS = 1000

_SUMS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def numeric_names(table: Any) -> list[str]:
    """The columns of a pyarrow table that a rule can be about."""
    import pyarrow.types as t

    return [
        part.name for part in table.schema if t.is_integer(part.type) or t.is_floating(part.type)
    ]


class RuleCount(NamedTuple):
    """How often a rule is broken before and after, and the records it could be applied to."""

    name: str
    rule: str
    before: int
    after: int
    applies_before: int
    applies_after: int


class _Rule(NamedTuple):
    comparison: ast.Compare
    columns: Mapping[str, str]


def check_rules(
    original: Mapping[str, FloatVector],
    released: Mapping[str, FloatVector],
    rules: Mapping[str, str],
) -> list[RuleCount]:
    """Count the records of both files that break each rule.

    A record with a missing value in the rule is not counted; neither is a division by zero.
    """
    counts = []
    for name, text in rules.items():
        rule = parse(text, list(original))
        before, after = broken(rule, original), broken(rule, released)
        counts.append(
            RuleCount(
                name,
                text,
                int(before[0].sum()),
                int(after[0].sum()),
                int(before[1].sum()),
                int(after[1].sum()),
            )
        )
    return counts


def parse(text: str, columns: list[str]) -> _Rule:
    """Read a rule; `InvalidParameter` for anything but sums, products and one comparison."""
    aliases: dict[str, str] = {}

    def alias(found: re.Match[str]) -> str:
        name = f"column_{len(aliases)}_"
        while name in text or name in columns:
            name += "_"
        aliases[name] = found[1]
        return name

    plain = re.sub(r"`([^`]+)`", alias, text)
    plain = re.sub(r"(?<![<>=!])=(?!=)", "==", plain)
    try:
        tree = ast.parse(plain.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        tree = None
    if not isinstance(tree, ast.Compare) or len(tree.ops) != 1 or not _allowed(tree):
        raise InvalidParameter(
            f"The rule {text!r} cannot be read. Write sums, products and ratios of columns and "
            "numbers, and one of =, <, <=, >, >= between two sides; put names with blanks between "
            "backquotes."
        )
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    meant = {name: aliases.get(name, name) for name in names}
    for name in meant.values():
        if name not in columns:
            raise SchemaError(
                f"In the rule {text!r}: {unknown_name('column of numbers', name, columns)}"
            )
    return _Rule(tree, meant)


def _allowed(tree: ast.Compare) -> bool:
    comparisons = (ast.Eq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
    parts = (
        ast.Compare,
        ast.BinOp,
        ast.UnaryOp,
        ast.USub,
        ast.UAdd,
        ast.Name,
        ast.Load,
        ast.Constant,
        *_SUMS,
        *comparisons,
    )
    nodes = list(ast.walk(tree))
    numbers = all(_finite(node.value) for node in nodes if isinstance(node, ast.Constant))
    return len(nodes) <= MOST_PARTS and numbers and all(isinstance(node, parts) for node in nodes)


def _finite(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def broken(rule: _Rule, values: Mapping[str, FloatVector]) -> tuple[BoolVector, BoolVector]:
    """Records that break the rule, and records it could be applied to."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        left = _Side(rule, values).of(rule.comparison.left)
        right = _Side(rule, values).of(rule.comparison.comparators[0])
    n = next(iter(values.values())).size
    left, right = (_Number(*(np.broadcast_to(part, n) for part in side)) for side in (left, right))
    applies = np.isfinite(left.value) & np.isfinite(right.value)
    slack = TOLERANCE * (left.size + right.size)
    difference = np.where(applies, left.value - right.value, 0.0)
    slack = np.where(applies, slack, 0.0)
    kept = {
        ast.Eq: np.abs(difference) <= slack,
        ast.LtE: difference <= slack,
        ast.GtE: difference >= -slack,
        ast.Lt: difference < -slack,
        ast.Gt: difference > slack,
    }[type(rule.comparison.ops[0])]
    return applies & ~kept, applies


class _Number(NamedTuple):
    """A value, and the size of the terms it was made of: rounding grows with these."""

    value: Any
    size: Any


class _Side(NamedTuple):
    rule: _Rule
    values: Mapping[str, FloatVector]

    def of(self, node: ast.expr) -> _Number:
        if isinstance(node, ast.Name):
            value = self.values[self.rule.columns[node.id]]
            return _Number(value, np.abs(value))
        if isinstance(node, ast.Constant):
            number = float(node.value)  # type: ignore[arg-type]
            return _Number(number, abs(number))
        if isinstance(node, ast.UnaryOp):
            inner = self.of(node.operand)
            sign = -1.0 if isinstance(node.op, ast.USub) else 1.0
            return _Number(sign * inner.value, inner.size)
        assert isinstance(node, ast.BinOp)
        left, right = self.of(node.left), self.of(node.right)
        value = _SUMS[type(node.op)](left.value, right.value)
        if isinstance(node.op, ast.Add | ast.Sub):
            return _Number(value, left.size + right.size)
        if isinstance(node.op, ast.Mult):
            return _Number(value, left.size * right.size)
        return _Number(value, left.size / np.abs(right.value))
