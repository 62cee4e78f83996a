"""The techniques as the help of a command lists them."""

from __future__ import annotations

import ast
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from rich.markup import escape


class Listed(NamedTuple):
    """A technique as the help names it."""

    name: str
    summary: str
    is_default: bool
    is_comparable: bool


def listed_techniques() -> list[Listed]:
    """The techniques by name, read from their source: importing them would take a second."""
    package = find_spec("covey.techniques")
    folders = (package.submodule_search_locations if package else None) or []
    classes = [
        node
        for folder in folders
        for source in Path(folder).glob("*.py")
        for node in ast.parse(source.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and _is_registered(node)
    ]
    return sorted(_listed(node) for node in classes)


def _is_registered(node: ast.ClassDef) -> bool:
    return any(isinstance(one, ast.Name) and one.id == "register" for one in node.decorator_list)


def _listed(node: ast.ClassDef) -> Listed:
    declared = {ast.unparse(part) for part in node.body if isinstance(part, ast.Assign)}
    summary = (ast.get_docstring(node) or "").split("\n")[0]
    alone = {"guarantee = 'per block'", "by_one_variable = True"} & declared
    return Listed(node.name.lower(), summary, "is_default = True" in declared, not alone)


def one_technique() -> str:
    """The techniques to choose one from, below the options."""
    marks = {one: " (the default: auto)" if one.is_default else "" for one in listed_techniques()}
    return _in_words(marks)


def several_techniques() -> str:
    """The techniques to choose several from."""
    marks = {one: "" if one.is_comparable else " (if named)" for one in listed_techniques()}
    return _in_words(marks)


def _in_words(marks: dict[Listed, str]) -> str:
    lines = [f"{one.name}{mark}: {escape(one.summary)}" for one, mark in marks.items()]
    return "\n\n".join(["Techniques; `covey techniques` shows their parameters:", *lines])


# What stands below the options of a command that has one of these.
BELOW = {"technique": one_technique, "techniques": several_techniques}
