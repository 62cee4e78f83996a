"""A first guess at what each column is, with the reason. Never applied on its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from covey.tables import column_names as names
from covey.tables.categories import codes_of
from covey.tables.column_facts import NUMBERS, Facts, facts_of, looks_coded
from covey.tables.guess_words import Advice, Note, Reason
from covey.tables.repetition import constant_inside
from covey.tables.strata import stratify
from covey.types import IntVector

MOST_STRATA, MOST_YEARS = 60, 15
# Records of a stratum, at least, but for a few of them.
LEAST_IN_STRATUM, FEW = 3, 0.05
# A unit that has no name: so many of them, of so many records each, with so many columns that do
# not change inside, one of which is an amount with so many values for each unit.
LEAST_UNITS, RECORDS_EACH, LEAST_CONSTANT, VALUES_EACH = 50, 1.2, 2, 0.3
MOST_NAMES = 4
# Values of a weight that has a name which may mean something else.
LEAST_WEIGHTS = 10

# For codes that have an order: named alone as ordinal, they would be averaged.
LIST_THEM = (
    "list them from low to high as ordinal (ordinal = {NAME = [low, …, high]} or --ordinal "
    "'NAME=low<…<high')"
)


class Inspected(NamedTuple):
    """A column: what it holds, the role it probably has, why, and what to look at.

    `treatment` is what a quasi-identifier should be declared as, "" for what it is by itself; of
    several weights, the one to be used has the treatment "used".
    """

    name: str
    kind: str
    missing: int
    distinct: int
    role: str
    reason: Reason
    note: Note
    treatment: str = ""


class _Guess(NamedTuple):
    role: str
    reason: Reason
    notes: tuple[Note, ...] = ()
    treatment: str = ""

    def noting(self, text: str, advice: Advice | None = None) -> _Guess:
        return self._replace(notes=(*self.notes, Note(text, advice)))


_QUASI_IDENTIFIER = _Guess("quasi-identifier", Reason.OTHERS_KNOW)
_Guesses = dict[str, _Guess]


def inspect_table(table: Any) -> list[Inspected]:
    """Look at every column of a pyarrow table, and at what they say of each other."""
    columns = table.column_names
    facts = [facts_of(name, table[name], columns) for name in columns]
    guesses = {one.name: _first_guess(one) for one in facts}
    for settle in (_settle_strata, _settle_units, _settle_weights):
        settle(table, facts, guesses)
    return [_inspected(one, guesses[one.name]) for one in facts]


def _inspected(facts: Facts, guess: _Guess) -> Inspected:
    treatment = guess.treatment
    if guess.role == "quasi-identifier" and facts.are_codes:
        treatment = "nominal"
    notes = (*guess.notes, *_notes_on_values(facts, guess, treatment))
    note = Note(" ".join(notes), notes[0].advice if notes else None)
    counted = (facts.kind, facts.missing, facts.distinct)
    return Inspected(facts.name, *counted, guess.role, guess.reason, note, treatment)


# -- one column by itself ----------------------------------------------------------------------


def _first_guess(facts: Facts) -> _Guess:
    role, reason = next((role, reason) for role, reason, holds in _GUESSES if holds(facts))
    return _Guess(role, reason)


def _is_named_identifier(facts: Facts) -> bool:
    keyed = facts.kind in ("integer", "nominal") and facts.named(names.KEY)
    return keyed or facts.named(names.IDENTIFIER)


def _is_weight(facts: Facts) -> bool:
    if facts.kind not in NUMBERS or facts.distinct == 0 or facts.named(names.NO_WEIGHT):
        return False
    if (facts.values < 0).any() or not (facts.values > 0).any():
        return False
    weak = facts.named(names.WEAK_WEIGHT) and facts.distinct >= LEAST_WEIGHTS
    return weak or facts.named(names.WEIGHT)


def _is_stratum(facts: Facts) -> bool:
    if facts.variable is None or not 0 < facts.distinct <= facts.known / LEAST_IN_STRATUM:
        return False
    yearly = facts.distinct <= MOST_YEARS and facts.named(names.YEAR)
    return yearly or (facts.distinct <= MOST_STRATA and facts.named(names.STRATUM))


def _is_one_place_or_year(facts: Facts) -> bool:
    """A stratum that divides nothing."""
    return _is_stratum(facts) and facts.distinct == 1 and not facts.missing


def _all_different(facts: Facts) -> bool:
    is_amount = facts.kind == "integer" and facts.named(names.AMOUNT)
    return not facts.repeats and not is_amount and facts.is_key


def _are_names(facts: Facts) -> bool:
    many = facts.distinct > MOST_STRATA and facts.named(r"[a-z]name$")
    return many or facts.named(names.PERSON)


_GUESSES: tuple[tuple[str, Reason, Callable[[Facts], bool]], ...] = (
    ("identifier", Reason.NAME, _is_named_identifier),
    ("weight", Reason.NAME, _is_weight),
    ("kept", Reason.ONE_VALUE, _is_one_place_or_year),
    ("stratum", Reason.NAME_AND_FEW_VALUES, _is_stratum),
    ("identifier", Reason.ALL_DIFFERENT, _all_different),
    (
        "identifier",
        Reason.NAMES_OF_PERSONS,
        lambda facts: facts.kind == "nominal" and _are_names(facts),
    ),
    ("confidential", Reason.NAME, lambda facts: facts.named(names.CONFIDENTIAL)),
    ("not named", Reason.NO_VALUES, lambda facts: facts.distinct == 0),
    ("not named", Reason.UNKNOWN_KIND, lambda facts: facts.variable is None),
    (
        "not named",
        Reason.TOO_MANY_TEXTS,
        lambda facts: facts.kind == "nominal" and facts.distinct > facts.n_records / 3,
    ),
    ("quasi-identifier", Reason.OTHERS_KNOW, lambda _: True),
)


def _notes_on_values(facts: Facts, guess: _Guess, treatment: str) -> Iterator[Note]:
    """What to look at in a column that is grouped or released."""
    if guess.role == "kept":
        yield Note(
            "One value divides no records and tells nothing about any of them: it is released as "
            "it is. Leave it out if it is not needed."
        )
    if guess.role not in ("quasi-identifier", "confidential"):
        return
    if facts.variable is not None and looks_coded(facts.variable):
        yield Note(
            "The lowest value is negative, repeated and looks like a code. If it means "
            "'unknown', empty these cells first.",
            Advice.MISSING_CODE,
        )
    elif treatment == "nominal":
        yield Note(
            "Few whole numbers, taken as codes (nominal): a group gets its most frequent code. If "
            f"they have an order, {LIST_THEM}; if they are counts or amounts, name "
            "it as neither.",
            Advice.TAKEN_AS_CODES,
        )
    elif facts.kind == "integer" and 2 < facts.distinct <= 10:
        yield Note(
            "Few whole numbers: if these are codes, name it as nominal; if the codes have an "
            f"order, {LIST_THEM}.",
            Advice.MAYBE_CODES,
        )
    elif facts.kind == "nominal" and 2 < facts.distinct <= 12:
        yield Note(
            "If its categories have an order, name it as ordinal and list them.", Advice.HAS_ORDER
        )


# -- columns together --------------------------------------------------------------------------


def _with(role: str, facts: list[Facts], guesses: _Guesses) -> list[Facts]:
    return [one for one in facts if guesses[one.name].role == role]


def _settle_strata(table: Any, facts: list[Facts], guesses: _Guesses) -> None:
    """Only strata that have enough records when they are crossed."""
    chosen: list[Any] = []
    for one in _with("stratum", facts, guesses):
        crossed = stratify([*chosen, table[one.name]], table.num_rows)
        sizes = np.bincount(crossed)
        small = sizes[sizes < LEAST_IN_STRATUM].sum()
        if small <= FEW * table.num_rows:
            chosen.append(table[one.name])
        else:
            guesses[one.name] = _QUASI_IDENTIFIER.noting(
                "With the other strata it would leave too few records in many of them."
            )


def _settle_units(table: Any, facts: list[Facts], guesses: _Guesses) -> None:
    """Identifiers that repeat name units; other columns may do so too, and then are identifiers."""
    for one in facts:
        role = guesses[one.name].role
        if role == "identifier" and one.repeats and one.distinct:
            inside = _constant_inside(one, table, facts)
            guesses[one.name] = guesses[one.name].noting(_about_unit(one, inside))
        elif role in ("quasi-identifier", "not named") and _may_be_unit(one):
            inside = _constant_inside(one, table, facts)
            if len(inside) >= LEAST_CONSTANT and _has_amount(one, inside, facts):
                found = _Guess("identifier", Reason.REPEATS)
                guesses[one.name] = found.noting(_about_unit(one, inside))


def _may_be_unit(facts: Facts) -> bool:
    """A column that nothing is known of, whose values are keys that repeat."""
    if facts.missing or not LEAST_UNITS <= facts.distinct <= facts.n_records / RECORDS_EACH:
        return False
    if any(facts.named(pattern) for pattern in (names.CODE, names.AMOUNT, names.YEAR)):
        return False
    return facts.is_key


def _constant_inside(unit: Facts, table: Any, facts: list[Facts]) -> list[str]:
    def others() -> Iterator[tuple[str, IntVector]]:
        for one in facts:
            if one.name != unit.name and one.distinct > 1:
                yield one.name, codes_of(table[one.name])

    return constant_inside(codes_of(table[unit.name]), others())


def _has_amount(unit: Facts, inside: list[str], facts: list[Facts]) -> bool:
    """Whether an amount stays the same with it, and not only what other codes are part of."""
    return any(
        one.name in inside
        and one.kind in NUMBERS
        and one.distinct >= VALUES_EACH * unit.distinct
        and not one.is_key
        for one in facts
    )


def _about_unit(unit: Facts, inside: list[str]) -> str:
    if not inside:
        return (
            "Its values repeat, so it names no record alone. It is dropped; if it holds codes, "
            "give it another role."
        )
    what = "household" if unit.named(names.HOUSEHOLD) else "unit"
    such = "" if what == "household" else ", such as a household or an employer"
    return (
        f"Its values repeat: it names a {what} of several records{such}, inside which "
        f"{_listed(inside)} {'stays' if len(inside) == 1 else 'stay'} the same. It is dropped, and "
        f"k counts records: k records of a group may come from fewer than k {what}s."
    )


def _settle_weights(table: Any, facts: list[Facts], guesses: _Guesses) -> None:
    """The weights, and whether one of them can be used."""
    found = _with("weight", facts, guesses)
    usable = [one for one in found if _can_be_used(one)]
    used = _weight_to_use(usable, facts, guesses)
    for one in found:
        if not usable:
            guesses[one.name] = _QUASI_IDENTIFIER.noting(
                "By its name a weight, but some values are missing or zero, so means cannot be "
                "weighted by it. Correct them and name it as weight, or leave it out."
            )
        elif len(found) > 1:
            guesses[one.name] = guesses[one.name].noting(
                f"Which weight fits your estimates? Means are weighted by the first, {used}, "
                "unless you put another one first; all are released as the mean of the group.",
                Advice.WHICH_WEIGHT,
            )
            if one.name == used:
                guesses[one.name] = guesses[one.name]._replace(treatment="used")


def _weight_to_use(usable: list[Facts], facts: list[Facts], guesses: _Guesses) -> str:
    """The first of them; of persons one of persons, where the first is of households."""
    if not usable:
        return ""
    identifiers = _with("identifier", facts, guesses)
    of_persons = [one.name for one in usable if one.named(names.PERSON_WEIGHT)]
    if of_persons and usable[0].named(names.HOUSEHOLD_WEIGHT) and any(map(_is_person, identifiers)):
        return of_persons[0]
    return usable[0].name


def _is_person(identifier: Facts) -> bool:
    """Whether an identifier is one of persons: by its name, or because it names single records."""
    if identifier.named(names.PERSON_KEY):
        return True
    return not identifier.repeats and not identifier.named(names.HOUSEHOLD)


def _can_be_used(weight: Facts) -> bool:
    return weight.missing == 0 and bool((weight.values > 0).all())


def _listed(columns: list[str]) -> str:
    more = len(columns) - MOST_NAMES
    shown = columns[:MOST_NAMES]
    if more > 0:
        return f"{', '.join(shown)} and {more} more"
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
