"""SPSS, Stata and SAS: what each format holds and how it is read and written."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from covey.sources.kinds import Kind
from covey.sources.labelled import calendars, names, stamps
from covey.sources.labelled.calendars import Calendar
from covey.sources.labelled.names import Naming


class Product(NamedTuple):
    """A format of a statistics package.

    `reader` and `writer` are functions of pyreadstat with their options. `whole` is the format
    of whole numbers, as a template to write and a pattern to recognise; `integers` tells that
    the package has a type for them. `refused` are kinds of column it cannot hold.
    """

    name: str
    reader: str
    writer: str | None
    options: dict[str, Any]
    calendar: Calendar
    naming: Naming
    whole_format: str
    whole_pattern: re.Pattern[str]
    integers: bool
    labels: bool
    refused: tuple[Kind, ...]
    longest_label: int
    longest_description: int
    largest: float
    smallest: float
    erase_stamps: Callable[[Path], None]

    @property
    def family(self) -> str:
        """Whose formats and missing values it understands."""
        return self.name.split()[0]


ZONED = (Kind.ZONED, Kind.OTHER)

SPSS = Product(
    name="SPSS",
    reader="read_sav",
    writer="write_sav",
    options={},
    calendar=calendars.SPSS,
    naming=names.SPSS,
    whole_format="F{}.0",
    whole_pattern=re.compile(r"(?:F|N|COMMA|DOT)\d+(?:\.0)?"),
    integers=False,
    labels=True,
    refused=ZONED,
    longest_label=120,
    longest_description=255,
    largest=1.79e308,
    smallest=0.0,
    erase_stamps=stamps.erase_spss,
)

SPSS_COMPRESSED = SPSS._replace(options={"compress": True})

STATA = Product(
    name="Stata",
    reader="read_dta",
    writer="write_dta",
    options={"version": 14},  # the newest that every edition since Stata 14 opens
    calendar=calendars.STATA,
    naming=names.STATA,
    whole_format="%{}.0f",
    whole_pattern=re.compile(r"%-?\d+\.0fc?"),
    integers=True,
    labels=True,
    refused=ZONED,
    longest_label=32_000,
    longest_description=80,
    largest=8.98e307,
    smallest=0.0,
    erase_stamps=stamps.erase_stata,
)

SAS_TRANSPORT = Product(
    name="SAS transport",
    reader="read_xport",
    writer="write_xport",
    options={"file_format_version": 8},
    calendar=calendars.SAS,
    naming=names.SAS,
    whole_format="F{}",
    whole_pattern=re.compile(r"F?\d+(?:\.0?)?"),
    integers=False,
    labels=False,
    refused=ZONED,
    longest_label=0,
    longest_description=255,
    largest=7.2e75,
    smallest=5.4e-79,
    erase_stamps=stamps.erase_sas,
)

SAS = SAS_TRANSPORT._replace(name="SAS", reader="read_sas7bdat", writer=None)
