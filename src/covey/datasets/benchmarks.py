"""The three reference files of the CASC project."""

from __future__ import annotations

from typing import Any, NamedTuple

from covey.datasets import fetching
from covey.errors import InvalidParameter, SchemaError
from covey.sources.files import read_table


class BenchmarkFile(NamedTuple):
    """A reference file: where it is, and what tells that it is the right one."""

    name: str
    source: str
    sha256: str
    shape: tuple[int, int]


CENSUS = BenchmarkFile(
    "census.csv",
    "CASCrefmicrodata.rda",
    "147d0d7fa823a384e36c2297174560e32cdbe6e39803f22f797610fb1a2993d6",
    (1080, 13),
)
TARRAGONA = BenchmarkFile(
    "tarragona.csv",
    "Tarragona.rda",
    "e83def0648be5e47eaf202b4dd60dd6981591d0858fd249817b9a2cc97cf2aef",
    (834, 13),
)
EIA = BenchmarkFile(
    "eia.csv",
    "EIA.rda",
    "8b61ceb0d1fa01d024bd62171655601abed62ff70a5e9e6fd550c43a1f76695e",
    (4092, 15),
)


def load_census() -> Any:
    """Census: 1080 records, 13 variables of income and tax, as a pyarrow Table.

    The file is looked for in the folder that the environment variable ``COVEY_DATA`` names,
    then in a per-user cache that a checksummed download fills.
    """
    return _load(CENSUS)


def load_tarragona() -> Any:
    """Tarragona: 834 companies, 13 variables of their accounts, as a pyarrow Table.

    Found as `load_census` says.
    """
    return _load(TARRAGONA)


def load_eia(version: str = "eia11") -> Any:
    """EIA: 4092 records of electric utilities, as a pyarrow Table.

    Found as `load_census` says.

    Parameters
    ----------
    version : {"eia11", "eia10"}
        "eia10" has the last ten columns; "eia11" has UTILITYID before them. The literature uses
        both under one name; their results cannot be compared.
    """
    if version not in ("eia11", "eia10"):
        raise InvalidParameter(f"version must be 'eia11' or 'eia10'; got {version!r}.")
    table = _load(EIA)
    columns = table.column_names[5:]
    return table.select(["UTILITYID", *columns] if version == "eia11" else columns)


def _load(file: BenchmarkFile) -> Any:
    table = read_table(fetching.locate(file.name, file.source, file.sha256))
    if table.shape != file.shape:
        raise SchemaError(
            f"{file.name} has {table.shape[0]} records and {table.shape[1]} columns where "
            f"{file.shape[0]} and {file.shape[1]} are expected: it is another file."
        )
    return table
