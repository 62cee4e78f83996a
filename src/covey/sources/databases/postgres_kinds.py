"""Types of PostgreSQL as Arrow types, and the other way round."""

from __future__ import annotations

from typing import Any, NamedTuple

from covey.sources.databases.columns import Column, column, reference
from covey.sources.databases.names import quote
from covey.sources.databases.types import Target
from covey.sources.kinds import Kind

BACKEND = "PostgreSQL"
MOST_DIGITS = 38
TEXTS = ("text", "varchar", "bpchar", "name")
# Read as they are; everything else is read as text.
NATIVE = (
    *("int2", "int4", "int8", "float4", "float8", "bool", "date", "time"),
    *("timestamp", "timestamptz", "bytea"),
)
FAMILIES = {
    Kind.WHOLE: ("smallint", "integer", "bigint"),
    Kind.TEXT: ("text", "character", "character varying"),
}
_NAMES = {
    "bool": "boolean",
    "int8": "smallint",
    "int16": "smallint",
    "int32": "integer",
    "int64": "bigint",
    "uint8": "smallint",
    "uint16": "integer",
    "uint32": "bigint",
    "float": "real",
    "double": "double precision",
    "binary": "bytea",
}
_FILLED_BY = {
    "smallint": "int16",
    "integer": "int32",
    "bigint": "int64",
}


class Said(NamedTuple):
    """What the catalogue says of a column of a table."""

    declared: str
    comment: str | None


class Decimal(NamedTuple):
    """Digits before and after the point; None if they are too many for a decimal number."""

    precision: int
    scale: int

    @property
    def fits(self) -> bool:
        return 0 <= self.scale <= self.precision <= MOST_DIGITS and self.precision > 0


def modifier(typmod: int) -> Decimal | None:
    """Precision and scale that a numeric column was declared with."""
    if typmod < 4:
        return None
    declared = Decimal((typmod - 4) >> 16, (typmod - 4) & 0xFFFF)
    return declared if declared.fits else None


def as_column(field: Any, said: Said | None, digits: Decimal | None) -> Column:
    """A column of a result, by the type that the driver tells."""
    name, type = field.name, type_of(field)
    here = reference(name)
    comment = None if said is None else said.comment
    arrow, select, order = _reading(type, here, digits, field.type)
    declared = None
    if said is not None and said.declared.startswith((*FAMILIES[Kind.WHOLE], *FAMILIES[Kind.TEXT])):
        declared = f"{BACKEND}:{said.declared}"
    return Column(column(name, arrow, comment, declared), select, order)


def type_of(field: Any) -> str:
    """The name of the PostgreSQL type of a field of a result."""
    return str((field.metadata or {}).get(b"POSTGRESQL:type", b"").decode())


def typmod_of(field: Any) -> int:
    return int((field.metadata or {}).get(b"POSTGRESQL:typmod", b"-1"))


def _reading(type: str, here: str, digits: Decimal | None, arrow: Any) -> tuple[Any, str, str]:
    """The Arrow type, what is selected and what is ordered by."""
    import pyarrow as pa

    if type == "numeric" and digits is not None and digits.fits:
        known = f"nullif({here}, 'NaN')::text"
        return pa.decimal128(digits.precision, digits.scale), known, here
    if type == "numeric":
        return pa.float64(), f"{here}::float8", here
    if type in NATIVE:
        return arrow, here, here
    return pa.string(), f"{here}::text", f'{here}::text collate "C"'


def measured_digits(names: list[str], relation: str) -> str:
    """The query for the digits that numbers without a declared size need."""
    parts = []
    for name in names:
        here = reference(name)
        finite = f"filter (where {here} not in ('NaN', 'Infinity', '-Infinity'))"
        parts += [
            f"max(length(trunc(abs({here}))::text)) {finite}",
            f"max(scale({here})) {finite}",
            f"count(*) filter (where {here} in ('Infinity', '-Infinity'))",
        ]
    return f"select {', '.join(parts)} from {relation}"


def from_measured(before: int | None, after: int | None, infinite: int) -> Decimal | None:
    """Digits as they were measured; None where a decimal number cannot hold them."""
    if infinite:
        return None
    found = Decimal((before or 1) + (after or 0), after or 0)
    return found if found.fits else None


def target(type: Any) -> Target | None:
    """How a column of an Arrow type is declared, and what fills it."""
    import pyarrow as pa

    t = pa.types
    if t.is_string(type) or t.is_large_string(type) or t.is_null(type):
        return Target("text", pa.string())
    if t.is_decimal(type):
        return Target(f"numeric({type.precision}, {type.scale})", type)
    if t.is_timestamp(type):
        zone = "UTC" if type.tz else None
        return Target("timestamptz" if zone else "timestamp", pa.timestamp("us", zone))
    if t.is_date(type):
        return Target("date", pa.date32())
    if t.is_time(type):
        return Target("time", pa.time64("us"))
    if t.is_uint64(type):
        return Target("numeric(20, 0)", pa.decimal128(20, 0))
    if str(type) not in _NAMES:
        return None
    declared = _NAMES[str(type)]
    return Target(declared, pa.type_for_alias(_FILLED_BY.get(declared, str(type))))


def filled_by(declared: str) -> Any:
    """The Arrow type that fills a declared one."""
    import pyarrow as pa

    return pa.type_for_alias(_FILLED_BY[declared]) if declared in _FILLED_BY else pa.string()


def definitions(schema: Any, found: list[Target]) -> str:
    """The columns of a CREATE TABLE."""
    parts = zip(schema, found, strict=True)
    return ", ".join(f"{quote(field.name)} {target.declared}" for field, target in parts)
