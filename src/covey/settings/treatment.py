"""Settings: how the values of columns are treated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from covey.parameters import Maybe, Number, OneOf, Parameter, Whole
from covey.settings.forms import Names, NamesOrAll, Numbers, Orders, Value
from covey.settings.groups import GAPS_AND_STRATA, TREATMENT
from covey.settings.setting import Setting, Shown

# Records in a block: smaller ones would lose too much.
BLOCK = Whole(1_000)
# The largest numbers that are grouped, multiplied by the root of more, would leave the floats.
IMPORTANCE = Number(0.0, maximum=1e9, closed=True)


def at_most_k(settings: Any) -> Parameter:
    """A whole number that is not above k, or None."""
    return Maybe(Whole(1, maximum=int(settings.k)))


@dataclass(frozen=True)
class Treatment:
    """How the values of columns are treated."""

    ordinal: Annotated[
        Mapping[str, Any],
        Setting(
            Orders(),
            "Ordered columns, with their categories from low to high.",
            TREATMENT,
            "Numbers and ordered categories need no list. Categories are released as lower "
            "medians, numbers without a list as the mean of the `min_contributors` middle members, "
            "unless that many share the median.",
            metavar="NAME=low<high",
        ),
    ] = field(default_factory=dict)
    nominal: Annotated[
        tuple[str, ...],
        Setting(
            Names(),
            "Columns of numbers that are codes of categories.",
            TREATMENT,
            "Text is nominal anyway.",
        ),
    ] = ()
    integers: Annotated[
        bool | tuple[str, ...],
        Setting(
            NamesOrAll(),
            "Columns of whole numbers whose means are rounded.",
            TREATMENT,
            "True for all of them.",
        ),
    ] = False
    importance: Annotated[
        Mapping[str, float],
        Setting(
            Numbers(IMPORTANCE, "importance"),
            "How much a column counts when records are compared; 1 if not named.",
            TREATMENT,
            metavar="NAME=NUMBER",
        ),
    ] = field(default_factory=dict)
    missing: Annotated[
        str,
        Setting(
            Value(OneOf(("group", "pattern", "error"))),
            "What is done with missing values.",
            TREATMENT,
            '"group": a group\'s value comes from the members that have one and is given to all of '
            'them. "pattern": only records that miss the same values are grouped. "error": refuse.',
            metavar="WAY",
            always=True,
            shown=Shown(
                GAPS_AND_STRATA,
                "Missing values",
                "A gap never breaks a group apart: members who have a value decide it for all. Or "
                "only records that miss the same values are grouped.",
                {
                    "group": "Use the values of the group",
                    "pattern": "Group only equal gaps",
                    "error": "Refuse missing values",
                },
            ),
        ),
    ] = "group"
    min_contributors: Annotated[
        int | None,
        Setting(
            Value(Maybe(Whole(1))),
            "Known values behind a released one; the smaller of 3 and k if not given.",
            TREATMENT,
            "Where fewer members have any known value, that of the whole group is missing.",
            metavar="NUMBER",
            narrowed=at_most_k,
            shown=Shown(
                GAPS_AND_STRATA,
                "Fewest values behind a released one",
                "A value that fewer members of a group have is left empty for all of it. If not "
                "set, the smaller of 3 and k.",
            ),
        ),
    ] = None
    small_strata: Annotated[
        str,
        Setting(
            Value(OneOf(("error", "merge", "suppress"))),
            "What is done with strata of fewer than k records.",
            TREATMENT,
            metavar="WAY",
            always=True,
            shown=Shown(
                GAPS_AND_STRATA,
                "Strata with fewer than k records",
                words={
                    "error": "Refuse, and say which",
                    "merge": "Merge them with the most similar one",
                    "suppress": "Leave their records out",
                },
                for_role="stratum",
            ),
        ),
    ] = "error"
    block_size: Annotated[
        int | None,
        Setting(
            Value(Maybe(BLOCK)),
            "Records that are grouped at a time; all at once if not given.",
            TREATMENT,
            "The seams between such blocks are repaired; see docs/scale.md. The technique "
            '"auto" works in blocks by itself when there are very many records.',
            metavar="NUMBER",
        ),
    ] = None
