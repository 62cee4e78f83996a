"""What a column is for: roles, as the user gave them and as they were understood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from covey.errors import InvalidParameter, SchemaError, unknown_name
from covey.parameters import as_list

LISTS = ("identifiers", "quasi_identifiers", "confidential", "strata", "keep")
SINGULAR = {
    "identifiers": "identifier",
    "quasi_identifiers": "quasi-identifier",
    "confidential": "confidential",
    "strata": "stratum",
    "keep": "kept",
    "weight": "weight",
}


@dataclass(frozen=True)
class Roles:
    """The role of every column, each list in the order of the table.

    `weights` are in the order they were given in: means are weighted by the first. `kept_weights`
    are those of them that are released as they are, instead of group means of them. `dropped` has
    the columns that are not released and why.
    """

    identifiers: tuple[str, ...] = ()
    quasi_identifiers: tuple[str, ...] = ()
    confidential: tuple[str, ...] = ()
    strata: tuple[str, ...] = ()
    weights: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    kept_weights: tuple[str, ...] = ()
    dropped: dict[str, str] = field(default_factory=dict)

    @property
    def weight(self) -> str | None:
        """The weight that means are weighted by."""
        return self.weights[0] if self.weights else None

    @property
    def changed(self) -> tuple[str, ...]:
        """Columns whose values are changed, so that cells of them may lose theirs."""
        return (*self.quasi_identifiers, *self.strata, *self.averaged_weights)

    @property
    def averaged_weights(self) -> tuple[str, ...]:
        """Weights that are released as group means."""
        return tuple(name for name in self.weights if name not in self.kept_weights)

    def of(self, column: str) -> str:
        """The role of a column in one word."""
        for role in LISTS:
            if column in getattr(self, role):
                return SINGULAR[role]
        return SINGULAR["weight"] if column in self.weights else "not named"


def assign_roles(
    columns: Sequence[str],
    identifiers: Sequence[str] = (),
    quasi_identifiers: Sequence[str] | None = None,
    confidential: Sequence[str] = (),
    strata: Sequence[str] = (),
    weight: str | Sequence[str] | None = None,
    keep: Sequence[str] = (),
) -> Roles:
    """Give every column one role.

    Without `quasi_identifiers` every column that is named nowhere is one; with them such a column
    is dropped. Of several weights the first is used. A weight may be named in `keep` too: then it
    is released as it is.
    """
    given: dict[str, Sequence[str]] = {
        "identifiers": as_list(identifiers),
        "quasi_identifiers": () if quasi_identifiers is None else as_list(quasi_identifiers),
        "confidential": as_list(confidential),
        "strata": as_list(strata),
        "keep": as_list(keep),
    }
    for role, names in given.items():
        _require_list(role, names)
    identifiers, keep = given["identifiers"], given["keep"]
    if quasi_identifiers is not None and len(quasi_identifiers) == 0:
        raise InvalidParameter(
            "quasi_identifiers must name at least one column.", parameter="quasi_identifiers"
        )
    weights = names_of_weights(weight)
    given["keep"] = [name for name in keep if name not in weights]
    given["weight"] = weights
    _require_known(given, columns)
    _require_one_role(given)
    named = {name for names in given.values() for name in names}
    dropped = dict.fromkeys(identifiers, "identifier")
    if quasi_identifiers is None:
        given["quasi_identifiers"] = [name for name in columns if name not in named]
    else:
        dropped |= {name: "not named" for name in columns if name not in named}
    if not given["quasi_identifiers"]:
        raise SchemaError("No column is left to protect: name at least one quasi-identifier.")
    ordered = {role: tuple(name for name in columns if name in given[role]) for role in LISTS}
    kept_weights = tuple(name for name in weights if name in keep)
    return Roles(weights=weights, kept_weights=kept_weights, dropped=dropped, **ordered)


def names_of_weights(weight: Any) -> tuple[str, ...]:
    """One weight or a list of them as a list; raises for anything else."""
    names = () if weight is None else (weight,) if isinstance(weight, str) else weight
    listed = isinstance(names, Sequence) and all(isinstance(name, str) for name in names)
    if not listed or len(set(names)) < len(names):
        raise InvalidParameter(
            "weight must be a column name, or a list of them, each once.", parameter="weight"
        )
    return tuple(names)


def _require_list(role: str, names: Any) -> None:
    listed = isinstance(names, Sequence) and not isinstance(names, str)
    if not listed or not all(isinstance(name, str) for name in names):
        raise InvalidParameter(f"{role} must be a list of column names.", parameter=role)
    if len(set(names)) < len(names):
        raise InvalidParameter(f"{role} must be a list of column names, each once.", parameter=role)


def _require_known(given: dict[str, Sequence[str]], columns: Sequence[str]) -> None:
    for names in given.values():
        for name in names:
            if name not in columns:
                raise SchemaError(unknown_name("column", name, columns))


def _require_one_role(given: dict[str, Sequence[str]]) -> None:
    role_of: dict[str, str] = {}
    for role, names in given.items():
        for name in names:
            if name in role_of:
                first, second = SINGULAR[role_of[name]], SINGULAR[role]
                raise SchemaError(f"{name!r}: {first} or {second}, not both.", column=name)
            role_of[name] = role
