"""Settings: what is read, and what is checked and reported of a release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from covey.parameters import Flag, Maybe, Number, Text
from covey.settings.forms import Names, Numbers, Rules, Value
from covey.settings.groups import CHECKS, INPUT
from covey.settings.setting import Setting

PERCENT = Number(0.0, maximum=100.0, closed=True)


@dataclass(frozen=True)
class Input:
    """What is read from a file or a database."""

    encoding: Annotated[
        str | None,
        Setting(
            Value(Maybe(Text())),
            "Encoding of a CSV file, when the one that is recognised is wrong.",
            INPUT,
            metavar="NAME",
        ),
    ] = None
    table: Annotated[
        str | None,
        Setting(
            Value(Maybe(Text())), "Table or view of a database to read.", INPUT, metavar="TABLE"
        ),
    ] = None
    query: Annotated[
        str | None,
        Setting(Value(Maybe(Text())), "Query of a database; it only reads.", INPUT, metavar="SQL"),
    ] = None
    order_by: Annotated[
        tuple[str, ...],
        Setting(
            Names(),
            "Columns that order the rows of a database; else its primary key, else all.",
            INPUT,
        ),
    ] = ()


@dataclass(frozen=True)
class Checks:
    """What is checked and reported; nothing of it changes a release."""

    rules: Annotated[
        Mapping[str, str],
        Setting(
            Rules(),
            "Edit rules for the report, such as 'gross - tax = net'.",
            CHECKS,
            "A rule may have a name: in a table of names and rules, or as NAME: RULE in an option.",
            option="--rule",
            metavar="RULE",
            reported=True,
        ),
    ] = field(default_factory=dict)
    thresholds: Annotated[
        Mapping[str, float],
        Setting(
            Numbers(PERCENT, "threshold"),
            "Highest risks allowed, in percent.",
            CHECKS,
            "A limit that is exceeded is reported; the release is made all the same.",
            option="--threshold",
            metavar="NAME=PERCENT",
            reported=True,
        ),
    ] = field(default_factory=dict)
    exact: Annotated[
        bool,
        Setting(
            Value(Flag()),
            "Measure linkage on all records, never on a sample.",
            CHECKS,
            "That may take long; see docs/measures.md.",
            reported=True,
        ),
    ] = False
