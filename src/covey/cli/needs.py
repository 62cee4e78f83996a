"""What options need so that they have an effect: one without is refused, and the reason said."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from covey.errors import InvalidParameter

# The options that were given, by the name of the parameter, with their values.
Given: TypeAlias = Mapping[str, Any]

STREAMED = ("memory_limit", "work_dir", "scheduler")
KEPT = ("save_config", "save_script")
IN_MEMORY = (
    "needs the whole release in memory: it does not go with --memory-limit, --work-dir or "
    "--scheduler."
)

NO_STRATA = (
    "is for strata, or for --missing pattern: give one of them too, or --save-config to keep it."
)


class Need(NamedTuple):
    """Options of some commands (all, if none is named), what they need, and why."""

    options: tuple[str, ...]
    met: Callable[[Given], bool]
    reason: str
    commands: tuple[str, ...] = ()


def any_of(*names: str) -> Callable[[Given], bool]:
    return lambda given: any(name in given for name in names)


def none_of(*names: str) -> Callable[[Given], bool]:
    return lambda given: not any(name in given for name in names)


def _limits_are_checked(given: Given) -> bool:
    return bool(given.get("measures", True)) or any_of("internal", *KEPT)(given)


def _strata_can_be_small(given: Given) -> bool:
    named = any_of("strata", "config", *KEPT)(given)  # those of a file are looked at later
    return named or given.get("missing") == "pattern"


def _release_is_in_database(given: Given) -> bool:
    """Whether it was named; it may also be in the database that is read."""
    from covey.sources.opening import is_database

    return "released" in given or is_database(given.get("file", ""))


NEEDS = (
    Need(
        ("title",),
        any_of("internal", "external"),
        "is the title of the reports: give --internal or --external too.",
    ),
    Need(
        ("publisher", "contact"),
        any_of("external"),
        "is for the external report: give --external too.",
    ),
    Need(
        ("alternatives",),
        any_of("internal"),
        "is for the internal report: give --internal too.",
    ),
    Need(("keep_order",), none_of(*STREAMED), IN_MEMORY),
    Need(
        ("rules",),
        any_of("internal", *KEPT),
        "is for the internal report: give --internal too, or --save-config to keep it.",
        ("protect",),
    ),
    Need(
        ("thresholds",),
        _limits_are_checked,
        "is a limit on risk, which is not measured here: leave out --no-measures, or give "
        "--save-config to keep it.",
        ("protect",),
    ),
    Need(
        ("exact",),
        _limits_are_checked,
        "is about risk, which is not measured here: leave out --no-measures, or give "
        "--save-config to keep it.",
        ("protect",),
    ),
    Need(
        ("rules", "thresholds"),
        any_of("save_config"),
        "does not change the search: give --save-config to keep it with what is found.",
        ("tune",),
    ),
    Need(
        ("rules", "thresholds"),
        lambda _: False,
        "has no effect on a comparison: give it to `covey protect`.",
        ("compare",),
    ),
    Need(
        ("force",),
        any_of("save_config", "save", "map"),
        "replaces files, but none is to be written.",
        ("inspect", "compare", "tune"),
    ),
    Need(("json",), none_of("quiet"), "prints what --quiet holds back: give one of the two."),
    Need(
        ("small_strata",),
        _strata_can_be_small,
        NO_STRATA,
    ),
    Need(
        ("released_table",),
        _release_is_in_database,
        "is a table of a database, but a file is read: name the database with --released.",
        ("report",),
    ),
)


def refuse_idle(command: str, given: Given, names: Mapping[str, str]) -> None:
    """Raise for an option that would have no effect; `names` has what users wrote."""
    for need in NEEDS:
        if need.commands and command not in need.commands:
            continue
        for option in need.options:
            if option in given and not need.met(given):
                raise InvalidParameter(f"{names[option]} {need.reason}")
