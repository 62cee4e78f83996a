"""Commands: flags without a type in their help, and no option that is ignored."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperGroup

from covey.cli.help import BELOW
from covey.cli.needs import refuse_idle


class Command(TyperCommand):
    """A command whose help says what there is to choose from, and which ignores no option."""

    def invoke(self, ctx: Any) -> Any:
        given = {p.name: p for p in self.params if _is_given(p.name, ctx)}
        values = {name: ctx.params[name] for name in given}
        names = {name: _as_written(p, values[name]) for name, p in given.items()}
        refuse_idle(self.name or "", values, names)
        return super().invoke(ctx)

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


def _is_given(name: str, ctx: Any) -> bool:
    """Whether an option was written; one that says no, such as ``--no-measures``, is too."""
    source = ctx.get_parameter_source(name)
    return name in ctx.params and source is not None and source.name == "COMMANDLINE"


def _as_written(param: Any, value: Any) -> str:
    said_no = value is False and param.secondary_opts
    return str((param.secondary_opts if said_no else param.opts)[0])


def _untyped_flags(params: list[Any]) -> list[Any]:
    """A flag takes no value, so its help shows no type."""
    for param in params:
        if getattr(param, "is_flag", False):
            param.metavar = ""
    return params
