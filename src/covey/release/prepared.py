"""A table made ready: roles, variables, strata and weights, before any technique sees it."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn, SupportsIndex

import narwhals as nw
import numpy as np

from covey.errors import (
    DisclosureWarning,
    Infeasible,
    SchemaError,
    refuse_to_pickle,
    unknown_name,
    ways,
)
from covey.release.rules import numeric_names, parse
from covey.release.settings import Settings
from covey.sources.asking import Reading
from covey.sources.databases.columns import DECLARED, LABEL
from covey.sources.files import is_number
from covey.sources.labelled.codebook import CODEBOOK, codebook_of
from covey.sources.opening import open_source
from covey.sources.source import Source
from covey.tables.categories import MOST_CATEGORIES, codes_of, too_many_categories
from covey.tables.column_facts import why_identifier
from covey.tables.frames import require_frame
from covey.tables.kinds import Kinds, is_text
from covey.tables.refusing import listed
from covey.tables.roles import Roles, assign_roles
from covey.tables.storage import UNUSABLE, marked_table, require_usable, stored_table
from covey.tables.variables import Variable, read_variable
from covey.tables.weights import read_weights
from covey.types import FloatVector, IntVector, Progress

# What a field may say of its column, beside its codebook.
KEPT = (LABEL, DECLARED, UNUSABLE)
# So few categories are no identifier, however few the records.
FEW_CATEGORIES = 5
# Text of which so large a share of a sample is different hardly repeats in all records.
HARDLY_REPEATED = 0.9


@dataclass(frozen=True)
class Original:
    """The data as they came: a pyarrow table, the kind of frame, and where they were, if said."""

    table: Any = field(repr=False)
    backend: Any
    source: Source | None = None
    notes: tuple[str, ...] = ()

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        refuse_to_pickle(self)

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that they were in."""
        return () if self.source is None else self.source.files

    @property
    def n_records(self) -> int:
        return int(self.table.num_rows)


@dataclass(frozen=True)
class Prepared:
    """Columns by role, read once."""

    original: Original
    table: Any = field(repr=False)
    roles: Roles
    variables: tuple[Variable, ...] = field(repr=False)
    weights: FloatVector | None = field(repr=False)
    importance: dict[str, float]
    _noticed: dict[str, Any] = field(default_factory=dict, repr=False)

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        refuse_to_pickle(self)

    @property
    def n_records(self) -> int:
        return int(self.table.num_rows)

    def noticed(self, what: str, look: Callable[[Prepared], Any]) -> Any:
        """What `look` finds in the columns; looked for once, however many releases are tried."""
        if what not in self._noticed:
            self._noticed[what] = look(self)
        return self._noticed[what]

    def take(self, rows: IntVector) -> Prepared:
        """The same with some of the records only."""
        variables = tuple(variable.take(rows) for variable in self.variables)
        weights = None if self.weights is None else self.weights[rows]
        return self.of(self.table.take(rows), variables, weights)

    def of(
        self, table: Any, variables: tuple[Variable, ...], weights: FloatVector | None
    ) -> Prepared:
        """The same of some of the records, which were read again."""
        return Prepared(self.original, table, self.roles, variables, weights, self.importance)

    def numbers(self) -> Any:
        """The variables that have an order, complete, for a selector to choose from."""
        import pyarrow as pa

        ordered = {v.name: _complete(v.values) for v in self.variables if v.kind != "nominal"}
        if not ordered:
            raise SchemaError("There is no variable with an order for a selector to choose from.")
        return pa.table(ordered)


def open_original(
    data: Any, progress: Progress | None = None, reading: Reading | None = None
) -> Original:
    """A frame of any library, a file or a table of a database, as a pyarrow table."""
    reading = reading or Reading()
    if isinstance(data, str | Path | Source):
        source = open_source(data, reading)
        contents = source.read(progress)
        read = contents.table
        table = _bare(marked_table(read.columns, read.schema, read.num_rows))
        return Original(table, nw.Implementation.PYARROW, source, contents.notes)
    reading.refuse_for_frame("a data frame")
    frame = require_frame(data)
    return Original(_bare(stored_table(frame)), frame.implementation)


def prepare(original: Original, settings: Settings) -> Prepared:
    """Give every column its role, and read those that will be grouped."""
    import pyarrow as pa

    table = original.table
    if table.num_rows == 0:
        raise SchemaError("The table has no records.")
    roles = roles_in(table.column_names, settings)
    require_usable(table.schema, roles.dropped)
    for name in roles.strata:
        if pa.types.is_nested(table[name].type):
            raise SchemaError(
                f"{name!r} holds lists or records and cannot be a stratum.", column=name
            )
    kinds = Kinds.read(settings.ordinal, settings.nominal, settings.integers)
    if table.num_rows < settings.k:
        raise Infeasible(
            f"{table.num_rows} {'record is' if table.num_rows == 1 else 'records are'} too few for "
            f"one group of k={settings.k}.",
            remedy="Lower k or add records",
            parameter="k",
        )
    numbers = [name for name in numeric_names(table) if name not in roles.dropped]
    for rule in settings.rules.values():
        parse(rule, numbers)
    _require_grouped((*kinds.named(), *settings.importance), roles, table.column_names)
    variables = tuple(read_variable(name, table[name], kinds) for name in roles.quasi_identifiers)
    for variable in variables:
        require_few_categories(variable, settings, table.schema.field(variable.name))
    if settings.missing == "error":
        _require_complete(variables)
    weights = read_weights(roles, table)
    return Prepared(original, table, roles, variables, weights, dict(settings.importance))


def roles_in(columns: list[str], settings: Settings) -> Roles:
    """The role that the settings give every column."""
    return assign_roles(
        columns,
        settings.identifiers,
        settings.quasi_identifiers,
        settings.confidential,
        settings.strata,
        settings.weight,
        settings.keep,
    )


def warn_about_weights(prepared: Prepared) -> None:
    """Warn of weights that are released as they are."""
    roles = prepared.roles
    if roles.kept_weights:
        names = ", ".join(map(repr, roles.kept_weights))
        _warn(f"The original weights ({names}) are released: weights identify people.")


def warn_about_unnamed(prepared: Prepared, *, counts: bool) -> None:
    """Warn of columns that nobody named, are averaged for that reason, and may be identifiers."""
    for name, reason in unnamed_identifiers(prepared, counts=counts).items():
        _warn(
            f"{name!r} looks like an identifier ({reason}) and is averaged as a "
            "quasi-identifier, because nothing else was said. Name it as one (identifiers= or "
            "--identifiers) to drop it, or name the quasi-identifiers."
        )


def unnamed_identifiers(prepared: Prepared, *, counts: bool = True) -> dict[str, str]:
    """Quasi-identifiers that look like identifiers, and why."""
    found = {v.name: why_identifier(v, counts=counts) for v in prepared.variables}
    return {name: reason for name, reason in found.items() if reason}


def warn_about_names(prepared: Prepared, k: int, *, is_sample: bool = False) -> None:
    """Warn of other columns that are released as they are and may tell who is who."""
    where = "a sample of " if is_sample else ""
    for name, distinct in kept_identifiers(prepared, k, is_sample=is_sample).items():
        _warn(
            f"{name!r} is released as it is and has {distinct} different values in "
            f"{where}{prepared.n_records} records: it may be an identifier."
        )


def kept_identifiers(prepared: Prepared, k: int, *, is_sample: bool = False) -> dict[str, int]:
    """Columns that are released as they are and may name records, with their different values.

    In a sample values repeat less than in all records, so there it has to be text that hardly
    repeats at all.
    """
    roles, n_records = prepared.roles, prepared.n_records
    most = HARDLY_REPEATED * n_records if is_sample else n_records / k
    found = {
        name: _distinct_labels(prepared.table[name], text_only=is_sample)
        for name in (*roles.keep, *roles.confidential)
    }
    return {name: distinct for name, distinct in found.items() if distinct > most}


def _warn(text: str) -> None:
    warnings.warn(text, DisclosureWarning, stacklevel=4)


def _distinct_labels(column: Any, *, text_only: bool = False) -> int:
    """Different values of a column that may be a name or a number of a person, else 0.

    Amounts and dates differ too, so anything but text counts only when no two are equal.
    """
    import pyarrow.types as t

    kind = column.type.value_type if t.is_dictionary(column.type) else column.type
    if text_only and not is_text(kind):
        return 0
    n_distinct = len(np.unique(codes_of(column)))
    return n_distinct if is_text(kind) or n_distinct == len(column) else 0


def _bare(table: Any) -> Any:
    import pyarrow as pa

    return pa.Table.from_arrays(table.columns, schema=bare_schema(table.schema))


def bare_schema(schema: Any) -> Any:
    """The columns with labels, codebooks and declared types: other metadata may hold anything."""
    import pyarrow as pa

    return pa.schema([pa.field(part.name, part.type, metadata=_harmless(part)) for part in schema])


def _harmless(part: Any) -> Any:
    kept = {key: text for key, text in (part.metadata or {}).items() if key in KEPT}
    book = codebook_of(part)
    if book is not None:
        kept[CODEBOOK] = book.to_metadata()
    return kept or None


def _require_grouped(names: tuple[str, ...], roles: Roles, columns: list[str]) -> None:
    """Kinds and importance are for quasi-identifiers."""
    for name in names:
        if name not in columns:
            raise SchemaError(unknown_name("column", name, columns))
        if name not in roles.quasi_identifiers:
            raise SchemaError(
                f"{name!r} is given a kind or an importance, but it is not a quasi-identifier "
                f"(it is: {roles.of(name)})."
            )


def require_few_categories(variable: Variable, settings: Settings, field: Any) -> None:
    """Raise for a column of categories that nobody would group as it is.

    In a file with labels, such as those of SPSS, numbers beside text are codes without a label.
    """
    if variable.kind != "nominal":
        return
    n, distinct = variable.values.size, len(np.unique(variable.values[variable.known]))
    named = variable.name in settings.nominal
    book = codebook_of(field)
    if not named and not (book and book.known):
        _require_no_stray_text(variable)
    if distinct > max(n / 3, FEW_CATEGORIES) and (not named or distinct > MOST_CATEGORIES):
        raise _looks_like_identifier(variable.name, distinct, n)
    if distinct > MOST_CATEGORIES:
        raise too_many_categories(variable.name)


def _looks_like_identifier(name: str, distinct: int, n_records: int) -> SchemaError:
    """What to do first about a column that tells records apart: drop it."""
    else_, settings = "put its categories together if it really is one", ["identifiers"]
    if distinct <= MOST_CATEGORIES:
        else_, settings = "as nominal if it really is a category", ["identifiers", "nominal"]
    return SchemaError(
        f"{name!r} has {distinct} different values in {n_records} records: it looks like an "
        "identifier.",
        remedy=f"Name it as one to drop it, or {else_}",
        how=ways(*settings),
        column=name,
    )


def _require_no_stray_text(variable: Variable) -> None:
    """A few words among numbers make a column text: most likely they do not belong there."""
    if variable.n_categories == 0 or not isinstance(variable.categories[0].as_py(), str):
        return
    counts = np.bincount(
        variable.values[variable.known].astype(np.int64), minlength=variable.n_categories
    )
    is_text = np.array([not is_number(text) for text in variable.categories.to_pylist()])
    wrong, total = int(counts[is_text].sum()), int(counts.sum())
    if 0 < wrong < total / 2:
        raise SchemaError(
            f"{variable.name!r} holds text: {wrong} of {total} values are not numeric.",
            remedy="Correct or empty these, or name it as nominal if it holds categories",
            how=ways("nominal"),
            column=variable.name,
        )


def _require_complete(variables: tuple[Variable, ...]) -> None:
    gaps = [(v.name, int((~v.known).sum())) for v in variables]
    found = [f"{name} ({count})" for name, count in gaps if count]
    if found:
        raise SchemaError(
            f"There are missing values in: {listed(found, quote=False)}.",
            remedy="Fill them, or choose another way to treat them",
            how=ways("missing"),
            parameter="missing",
        )


def _complete(values: FloatVector) -> FloatVector:
    known = ~np.isnan(values)
    return np.where(known, values, values[known].mean() if known.any() else 0.0)
