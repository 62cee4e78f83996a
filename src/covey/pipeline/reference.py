"""The frame of reference: figures of all records, so that any of them can be read and placed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from covey.errors import SchemaError
from covey.pipeline.column_statistics import (
    Categories,
    Described,
    Numbers,
    OrderedNumbers,
    shared_unit,
)
from covey.tables.embedding import Embedding, Placing, embed_placed, placings_of
from covey.tables.kinds import Kinds
from covey.tables.refusing import listed
from covey.tables.roles import Roles
from covey.tables.variables import Variable, read_variable
from covey.tables.weights import read_weights
from covey.types import FloatVector


class Frame(NamedTuple):
    """Everything about all records that a part of them cannot know.

    `placings` are for the technique, `scores` for the loss.
    """

    kinds: Kinds
    roles: Roles
    variables: tuple[Described, ...]
    placings: tuple[Placing, ...]
    scores: tuple[Placing, ...]
    roots: FloatVector

    def read(self, table: Any) -> list[Variable]:
        """The quasi-identifiers of some records."""
        return [one.read(table[one.name], self.kinds) for one in self.variables]

    def read_alone(self, table: Any) -> list[Variable]:
        """The same, on their own: their categories are those that these records have."""
        return [read_variable(one.name, table[one.name], self.kinds) for one in self.variables]

    def embedded(self, variables: Sequence[Variable]) -> Embedding:
        """What the technique sees."""
        return embed_placed(variables, self.placings, self.roots)

    def z_scores(self, variables: Sequence[Variable]) -> Embedding:
        """What the loss is taken from."""
        return embed_placed(variables, self.scores, self.roots)

    def weights(self, table: Any) -> FloatVector | None:
        return read_weights(self.roles, table)


class Survey:
    """Figures that grow chunk by chunk, and become a frame when all records were seen."""

    def __init__(self, roles: Roles, kinds: Kinds, schema: Any) -> None:
        self.roles = roles
        self.kinds = kinds
        self.n_records = 0
        self._kind = {
            name: kinds.of(name, schema.field(name).type) for name in roles.quasi_identifiers
        }
        self._figures: dict[str, Numbers | Categories] = {
            name: _figures(name, kind, kinds, schema.field(name).type)
            for name, kind in self._kind.items()
        }
        self._first: list[Variable] | None = None  # all records, while they are one chunk

    def read(self, table: Any) -> list[Variable]:
        """The quasi-identifiers of some records, on their own."""
        return [read_variable(name, table[name], self.kinds) for name in self._figures]

    def add(self, table: Any) -> list[Variable]:
        """Take the figures of a chunk, whose quasi-identifiers come back."""
        weights = read_weights(self.roles, table)
        variables = self.read(table)
        self._first = variables if self.n_records == 0 else None
        self.n_records += table.num_rows
        for variable, figures in zip(variables, self._figures.values(), strict=True):
            figures.add(variable, weights)
        return variables

    def require_complete(self) -> None:
        """Raise if a value is missing."""
        gaps = {name: self.n_records - one.count for name, one in self._figures.items()}
        found = [f"{name} ({count})" for name, count in gaps.items() if count]
        if found:
            raise SchemaError(
                f"There are missing values in: {listed(found, quote=False)}. Fill them, or choose "
                "another way to treat them (missing= or --missing)."
            )

    def frame(self, scaling: str, importance: dict[str, float]) -> Frame:
        """The frame of reference for a way of scaling."""
        kinds, figures = self._kind, self._figures
        described = tuple(one.described(name, kinds[name]) for name, one in figures.items())
        unit = shared_unit(list(figures.values()))
        roots = np.sqrt([importance.get(name, 1.0) for name in figures])

        def placings(way: str) -> tuple[Placing, ...]:
            if self._first is not None and way in ("zscore", "range"):
                # To the last bit what a technique does to a plain matrix.
                return placings_of(self._first, way)
            return tuple(
                one.placing(kinds[name], way, self.n_records, unit) for name, one in figures.items()
            )

        scores = placings("zscore")
        own = scores if scaling == "zscore" else placings(scaling)
        return Frame(self.kinds, self.roles, described, own, scores, roots)


def _figures(name: str, kind: str, kinds: Kinds, arrow_type: Any) -> Numbers | Categories:
    import pyarrow as pa

    if kinds.orders_numbers(name, arrow_type):
        return OrderedNumbers()
    if kind not in ("ordinal", "nominal"):
        return Numbers()
    ordered = pa.types.is_dictionary(arrow_type) and arrow_type.ordered
    return Categories(name, kind, bool(kinds.ordinal.get(name)) or (kind == "ordinal" and ordered))
