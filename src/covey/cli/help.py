"""How commands show their help: flags without a type, and the techniques where one is chosen."""

from __future__ import annotations

import ast
from importlib.resources import files
from typing import Any, NamedTuple

from rich.markup import escape
from typer.core import TyperCommand, TyperGroup


class Listed(NamedTuple):
    """A technique as the help names it."""

    name: str
    summary: str
    is_default: bool
    is_comparable: bool


def listed_techniques() -> list[Listed]:
    """The techniques by name, read from their source: importing them would take a second."""
    folder = files("covey") / "techniques"
    sources = [file for file in folder.iterdir() if file.name.endswith(".py")]
    classes = [
        node
        for source in sources
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


class Command(TyperCommand):
    """A command whose help says what there is to choose from."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _untyped_flags(super().get_params(ctx))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        for param in self.params:
            if param.name in BELOW:
                self.epilog = BELOW[param.name]()
        super().format_help(ctx, formatter)


class Group(TyperGroup):
    """All commands."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _untyped_flags(super().get_params(ctx))


def _untyped_flags(params: list[Any]) -> list[Any]:
    """A flag takes no value, so its help shows no type."""
    for param in params:
        if getattr(param, "is_flag", False):
            param.metavar = ""
    return params
