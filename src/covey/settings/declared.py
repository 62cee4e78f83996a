"""The settings of a release, each declared once.

Checks, settings files, the arguments of `protect`, the options of the command line, the form of the
app and the reference in docs/settings.md all come from here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from covey.parameters import Flag, Maybe, Number, OneOf, Parameter, Satisfies, Text, Whole
from covey.settings.forms import Names, NamesOrAll, Numbers, Orders, Rules, Table, Value, Weights
from covey.settings.setting import Group, Setting, Shown

GROUPING = Group("Groups")
ROLES = Group("Roles of columns", "lists are comma-separated")
TREATMENT = Group("How columns are treated")
INPUT = Group("What to read")
CHECKS = Group("What is checked and reported")
OUTPUT = Group("Output")
LARGE = Group("Larger than memory")

# Records in a block, at least: smaller ones would lose too much.
LEAST_BLOCK = 1_000
# The largest numbers that are grouped, multiplied by the root of more, would leave the floats.
IMPORTANCE = Number(0.0, maximum=1e9, closed=True)
PERCENT = Number(0.0, maximum=100.0, closed=True)
# The section of the app's form about gaps and about strata below k.
GAPS_AND_STRATA = "Missing values and strata"


def at_most_k(settings: Any) -> Parameter:
    """A whole number that is not above k, or None."""
    return Maybe(Whole(1, maximum=int(settings.k)))


def looked_at_later(allowed: str) -> Value:
    """A value that is checked where it is used; `allowed` says what it may be."""
    return Value(Satisfies(f"None or {allowed}", lambda value: True))


@dataclass(frozen=True)
class Declared:
    """What decides a release. Lists are tuples and unset values None or empty."""

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
            Value(Maybe(Whole(LEAST_BLOCK))),
            "Records that are grouped at a time; all at once if not given.",
            TREATMENT,
            "The seams between such blocks are repaired; see docs/scale.md. The technique "
            '"auto" works in blocks by itself when there are very many records.',
            metavar="NUMBER",
        ),
    ] = None
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


@dataclass(frozen=True)
class Run:
    """What is asked of one run of `protect`, and no part of the settings of a release."""

    out: Annotated[
        Any,
        Setting(
            looked_at_later("a path or a source"),
            "Write the release here, batch by batch.",
            OUTPUT,
            "The result is a `StreamedRelease`: for data that need not fit into memory. A .parquet "
            "file, a folder (a name that ends in /) or a database.",
            python="str | Path | Source",
            typed="path or source",
        ),
    ] = None
    into: Annotated[
        str | None,
        Setting(
            Value(Maybe(Text())),
            "Table for the release, when it goes to a database.",
            OUTPUT,
            metavar="TABLE",
        ),
    ] = None
    memory_limit: Annotated[
        Any,
        Setting(
            looked_at_later("a size, such as 2GB, or a number of bytes"),
            "Work batch by batch in so much memory, such as 2GB.",
            LARGE,
            "With `out`; 2GB if not given.",
            metavar="SIZE",
            python="str | int",
        ),
    ] = None
    work_dir: Annotated[
        Any,
        Setting(
            looked_at_later("a path"),
            "Folder for the work; a killed run goes on there.",
            LARGE,
            "With `out`; beside it if not given. The folder holds original values. Call again what "
            "was killed, and it goes on.",
            python="str | Path",
            typed="path",
        ),
    ] = None
    scheduler: Annotated[
        Any,
        Setting(
            looked_at_later("an address or a client"),
            "Dask cluster that does the work: tcp://…",
            LARGE,
            "With `out`.",
            metavar="ADDRESS",
            python="Any",
            typed="str or distributed.Client",
        ),
    ] = None
    force: Annotated[
        bool,
        Setting(
            Value(Flag()),
            "Replace existing files and tables.",
            OUTPUT,
            "With `out`: a release that is there already.",
        ),
    ] = False
