"""Choices: what a person has chosen in the page, and the settings they come to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from covey.errors import InvalidParameter, SchemaError, unknown_name
from covey.parameters import check
from covey.release.inspecting import Inspection
from covey.release.rules import parse
from covey.release.settings import Settings
from covey.settings.groups import GROUPING
from covey.settings.setting import declared
from covey.sources.asking import Reading

UNNAMED = "not named"
ROLES = (
    *("quasi-identifier", "confidential", "identifier", "stratum", "weight"),
    *("kept", UNNAMED),
)
# As detected is one of these; a person may say otherwise.
KINDS = ("number", "integer", "ordinal", "nominal")
NUMBERS = ("number", "integer")
NOT_RELEASED = ("identifier", UNNAMED)
# What differs between releases of one comparison, and what does not change a release.
VARIED = {one.name: one.default for one in declared(Settings) if one.group == GROUPING}
ONLY_REPORTED = {one.name: one.default for one in declared(Settings) if one.reported}
# Settings that are chosen as they are declared, with their defaults.
SHOWN = {one.name: one.default for one in declared(Settings) if one.shown is not None}
# Mappings by column: a change names some columns, and the others stay as they are.
BY_COLUMN = ("roles", "kinds", "orders", "importance")


@dataclass(frozen=True)
class Choices:
    """What was chosen. Mappings are by column; nothing is changed in place.

    `roles` has every column of the file. `kinds` has those that are not as detected, and `orders`
    the categories from low to high of those that are ordinal. `weighted_by` is the weight that is
    used, where there are several; without it the first is. `rules` and `thresholds` are for the
    reports. `asked` has the other settings that the form shows, where they are not the defaults.
    """

    roles: Mapping[str, str] = field(default_factory=dict)
    detected: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    orders: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    importance: Mapping[str, float] = field(default_factory=dict)
    k: int = 3
    technique: str = "auto"
    parameters: Mapping[str, Any] = field(default_factory=dict)
    asked: Mapping[str, Any] = field(default_factory=dict)
    keeps_weight: bool = False
    weighted_by: str | None = None
    rules: Mapping[str, str] = field(default_factory=dict)
    thresholds: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def guessed(cls, inspection: Inspection) -> Choices:
        """The guesses about a file, to be read and corrected."""
        columns, settings = inspection.columns, inspection.settings()
        return cls(
            roles={column.name: column.role for column in columns},
            detected={column.name: column.kind for column in columns},
            kinds=dict.fromkeys(settings.nominal, "nominal"),
            asked=_not_default({name: getattr(settings, name) for name in SHOWN}),
            weighted_by=next(iter(inspection.weights), None),
        )

    def setting(self, name: str) -> Any:
        """The value of a setting that the form shows as it is declared."""
        return self.asked.get(name, SHOWN[name])

    def changed(self, **changes: Any) -> Choices:
        """The same with some values replaced; of a mapping by column, those that are named.

        None takes a column out of `kinds`, `orders` or `importance`.
        """
        for name in BY_COLUMN:
            if name in changes:
                changes[name] = self._merged(name, changes[name])
        asked = {name: changes.pop(name) for name in SHOWN if name in changes}
        if asked:
            changes["asked"] = _not_default({**self.asked, **asked})
        if changes.get("technique", self.technique) != self.technique:
            changes.setdefault("parameters", {})  # they belonged to the other technique
        made = replace(self, **changes)
        made.check()
        return made

    def _merged(self, name: str, given: Mapping[str, Any]) -> dict[str, Any]:
        for column in given:
            if column not in self.roles:
                raise SchemaError(unknown_name("column", column, self.roles))
        together = {**getattr(self, name), **given}
        return {column: value for column, value in together.items() if value is not None}

    def check(self) -> None:
        """Raise for a value that can never be right; what depends on the data comes later."""
        for role in self.roles.values():
            if role not in ROLES:
                raise InvalidParameter(unknown_name("role", role, ROLES))
        for kind in self.kinds.values():
            if kind not in KINDS:
                raise InvalidParameter(unknown_name("kind", kind, KINDS))
        self._as_settings(Reading()).check()
        numbers = [name for name, kind in self.detected.items() if kind in NUMBERS]
        for rule in self.rules.values():
            parse(rule, numbers)

    def with_role(self, role: str) -> tuple[str, ...]:
        """The columns that have a role, in the order of the file."""
        return tuple(name for name, given in self.roles.items() if given == role)

    def weights(self) -> tuple[str, ...]:
        """The weights, with the one that is used before the others."""
        return tuple(sorted(self.with_role("weight"), key=lambda name: name != self.weighted_by))

    def kind_of(self, column: str) -> str:
        """What was chosen for a column, or else what was detected."""
        return self.kinds.get(column, self.detected[column])

    def treatment(self) -> Settings:
        """Everything that changes a release, but the technique and k."""
        return self._as_settings(Reading()).changed(**VARIED, **ONLY_REPORTED)

    def settings(self, reading: Reading) -> Settings:
        """The settings of a release; raises for what cannot be protected as chosen."""
        if not self.with_role("quasi-identifier"):
            raise SchemaError(
                "No column is left to protect: make at least one column a quasi-identifier."
            )
        self._refuse_text_as_numbers()
        self._refuse_rules_of_what_is_left_out()
        settings = self._as_settings(reading)
        settings.check()
        technique = settings.instance()
        check(technique.parameters, technique.get_params(deep=False))
        return settings

    def _refuse_text_as_numbers(self) -> None:
        for name in self.with_role("quasi-identifier"):
            chosen, detected = self.kinds.get(name), self.detected[name]
            if chosen in NUMBERS and detected not in NUMBERS:
                raise SchemaError(
                    f"{name!r} cannot be used as numbers: it holds {HELD.get(detected, 'text')}. "
                    "Correct the values in the file, or choose another kind for it."
                )

    def _refuse_rules_of_what_is_left_out(self) -> None:
        for rule in self.rules.values():
            for name in sorted(parse(rule, list(self.roles)).columns.values()):
                if self.roles[name] in NOT_RELEASED:
                    raise SchemaError(
                        f"The edit rule {rule!r} cannot be checked: {name!r} is not released. "
                        "Remove the rule, or give the column another role."
                    )

    def _as_settings(self, reading: Reading) -> Settings:
        grouped = self.with_role("quasi-identifier")
        kinds = {name: kind for name, kind in self.kinds.items() if name in grouped}
        weights = self.weights()
        kept = {*self.with_role("kept"), *(weights if self.keeps_weight else ())}
        return Settings(
            k=self.k,
            technique=self.technique,
            parameters=dict(self.parameters),
            identifiers=self.with_role("identifier"),
            quasi_identifiers=grouped,
            confidential=self.with_role("confidential"),
            strata=self.with_role("stratum"),
            weight=weights if len(weights) > 1 else next(iter(weights), None),
            keep=tuple(name for name in self.roles if name in kept),
            ordinal={n: self.orders.get(n, ()) for n, kind in kinds.items() if kind == "ordinal"},
            nominal=tuple(n for n, kind in kinds.items() if kind == "nominal"),
            integers=tuple(n for n, kind in kinds.items() if kind == "integer"),
            importance={n: value for n, value in self.importance.items() if n in grouped},
            rules=dict(self.rules),
            thresholds=dict(self.thresholds),
            **self.asked,
            **reading._asdict(),
        )


HELD = {"nominal": "text", "ordinal": "categories", "date": "dates"}


def _not_default(asked: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in asked.items() if value != SHOWN[name]}
