"""Settings: how groups are formed, and what each column is for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from covey.parameters import Text, Whole
from covey.settings.forms import Names, Table, Value, Weights
from covey.settings.groups import GROUPING, ROLES
from covey.settings.setting import Setting


@dataclass(frozen=True)
class Grouping:
    """How groups are formed."""

    k: Annotated[
        int,
        Setting(
            Value(Whole(2)),
            "Smallest group size; 3 if not given.",
            GROUPING,
            "A technique that is an instance has its own.",
            by_position=True,
            always=True,
            unset=None,
        ),
    ] = 3
    technique: Annotated[
        str,
        Setting(
            Value(Text()),
            "Technique that forms the groups, by its name, or auto.",
            GROUPING,
            'An instance will do too. "auto" is NearOptimal, which searches for about half a '
            "minute, or a minute on large files: the larger the file, the fewer moves per record. "
            "With more than two million records it works in blocks of 65,536.",
            metavar="NAME",
            by_position=True,
            always=True,
            python="str | Technique",
        ),
    ] = "auto"
    parameters: Annotated[
        Mapping[str, Any],
        Setting(
            Table(),
            "Parameters of the technique, when it is given by name.",
            GROUPING,
            option="--set",
            metavar="NAME=VALUE",
        ),
    ] = field(default_factory=dict)


@dataclass(frozen=True)
class Roles:
    """What each column is for."""

    identifiers: Annotated[
        tuple[str, ...],
        Setting(
            Names(),
            "Columns that name a person or firm; they are dropped.",
            ROLES,
            by_position=True,
        ),
    ] = ()
    quasi_identifiers: Annotated[
        tuple[str, ...] | None,
        Setting(
            Names((None,)),
            "Columns to microaggregate; columns named nowhere are then dropped.",
            ROLES,
            "If not given, every column that is named nowhere is microaggregated.",
            by_position=True,
        ),
    ] = None
    confidential: Annotated[
        tuple[str, ...],
        Setting(
            Names(),
            "Columns nobody should learn about a person; released as they are.",
            ROLES,
            "They are checked for diversity inside the groups.",
            by_position=True,
        ),
    ] = ()
    strata: Annotated[
        tuple[str, ...],
        Setting(
            Names(),
            "Columns that groups never cross.",
            ROLES,
            "They are released and count as known to an intruder.",
            by_position=True,
        ),
    ] = ()
    weight: Annotated[
        str | tuple[str, ...] | None,
        Setting(
            Weights(),
            "Survey weight; released as the mean of the group. Of several the first is used.",
            ROLES,
            "Means, modes and medians of groups are weighted. Name it in `keep` too to release the "
            "original weights. All of several weights are released; a record without one of the "
            "others counts as 0 in its mean.",
            by_position=True,
        ),
    ] = None
    keep: Annotated[
        tuple[str, ...],
        Setting(Names(), "Columns released as they are.", ROLES, by_position=True),
    ] = ()
