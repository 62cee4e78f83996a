"""The table of columns, with the role of each to choose."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

from covey.app.choices import Choices
from covey.app.pages.sparkline import sparkline
from covey.app.results import Opened, SeenColumn
from covey.release.describing.words import KINDS
from covey.reports.formatting import breakable, count
from covey.tables.guess_words import Advice, Reason

ROLE_NAMES = {
    "quasi-identifier": "Quasi-identifier",
    "confidential": "Confidential",
    "identifier": "Identifier",
    "stratum": "Stratum",
    "weight": "Weight",
    "kept": "Keep as it is",
    "not named": "Leave out",
}
# The value "" is what was detected.
TREATMENTS = {
    "number": {
        "": "Number",
        "integer": "Rounded number",
        "ordinal": "Ordered numbers",
        "nominal": "Codes",
    },
    "date": {"": "Date"},
    "nominal": {"": "Category", "ordinal": "Ordered category", "number": "Number"},
    "ordinal": {"": "Ordered category", "nominal": "Category"},
}
NUMBERS = ("number", "integer")
REASONS = {
    Reason.NAME: "its name",
    Reason.NAME_AND_FEW_VALUES: "its name and its few values",
    Reason.NAMES_OF_PERSONS: "it may hold names of persons",
    Reason.NO_VALUES: "it has no values",
    Reason.UNKNOWN_KIND: "it is of a kind that cannot be grouped",
    Reason.TOO_MANY_TEXTS: "it is text with too many different values",
    Reason.REPEATS: "it repeats, and other columns stay the same with it",
    Reason.REFUSED: "it cannot be grouped as it is",
}
# What `inspect` advises, as it is done on this page.
ADVICE = {
    Advice.HAS_ORDER: "Do its categories have an order?",
    Advice.TAKEN_AS_CODES: "Few numbers, taken as codes. Are they counts or amounts, or do "
    "they have an order? Then treat them as that.",
    Advice.MAYBE_CODES: "Few numbers: are they codes?",
    Advice.WHICH_WEIGHT: "There are several weights: choose under Protect which the means are "
    "weighted by.",
    Advice.MISSING_CODE: "Its lowest value looks like a code for “unknown”. If it is, "
    "empty these cells in the file first.",
}

_TABLE = Markup(
    '<table class="roles"><caption class="unseen">Columns and their roles</caption><thead><tr>'
    '<th scope="col">Column</th><th scope="col" class="number">Missing</th>'
    '<th scope="col" class="number">Distinct</th><th scope="col">Distribution</th>'
    '<th scope="col">Role</th><th scope="col">Treat as</th>'
    '<th scope="col" class="why">Why this role</th>'
    "</tr></thead><tbody>{rows}</tbody></table>"
)
_ROW = Markup(
    '<tr class="{row}"><th scope="row">{name}<span class="kind">{kind}</span>'
    '<span class="reason-below">{reason}</span></th>'
    '<td class="number">{missing}</td><td class="number">{distinct}</td><td>{drawing}</td>'
    '<td><div class="role-cell"><span class="role-dot {look}"></span>{role}</div></td>'
    '<td>{treatment}{wrong}</td><td class="reason">{reason}</td></tr>'
)
_WRONG = Markup('<span class="wrong">{}</span>')
_SELECT = Markup(
    '<select id="{what}-{at}" data-tells="{what}" data-at="{at}" aria-label="{says}">{options}'
    "</select>"
)


def roles_table(opened: Opened, choices: Choices) -> Markup:
    rows = [_row(at, column, choices) for at, column in enumerate(opened.columns)]
    return _TABLE.format(rows=Markup("").join(rows))


def _row(at: int, column: SeenColumn, choices: Choices) -> Markup:
    role, wrong = choices.roles[column.name], what_is_wrong(column, choices)
    return _ROW.format(
        row=_look(role, wrong),
        name=breakable(column.name),
        kind=KINDS.get(column.kind, column.kind),
        missing=count(column.missing) if column.missing else "–",
        distinct=count(column.distinct),
        drawing=_drawing(column),
        look=role.replace(" ", "-"),
        role=_select("role", at, f"Role of {column.name}", ROLE_NAMES, role),
        wrong=_WRONG.format(wrong) if wrong else "",
        treatment=_treatment(at, column, choices),
        reason=_reason(column, role, advised=_as_guessed(column, choices)),
    )


def _as_guessed(column: SeenColumn, choices: Choices) -> bool:
    """Whether nobody chose another treatment than the one that was guessed."""
    guessed = "nominal" if column.treatment == "nominal" else None
    return choices.kinds.get(column.name) == guessed


def _look(role: str, wrong: str) -> str:
    if wrong:
        return "has-problem"
    return "" if role == "quasi-identifier" else "as-is"


def what_is_wrong(column: SeenColumn, choices: Choices) -> str:
    """Why a column cannot be treated as chosen; empty if it can."""
    chosen = choices.kinds.get(column.name)
    if choices.roles[column.name] != "quasi-identifier" or chosen not in NUMBERS:
        return ""
    return "" if column.kind in NUMBERS else "It holds values that are not numeric."


def treatments_of(column: SeenColumn) -> Mapping[str, str]:
    """What a column can be treated as; nothing where it cannot be grouped."""
    found = TREATMENTS.get("number" if column.kind == "integer" else column.kind, {})
    dead_end = column.kind == "nominal" and not column.can_be_ordered
    return {kind: words for kind, words in found.items() if not (dead_end and kind == "ordinal")}


def _treatment(at: int, column: SeenColumn, choices: Choices) -> Markup:
    """How values of a group become one; only quasi-identifiers are grouped."""
    options = treatments_of(column)
    if not options or choices.roles[column.name] != "quasi-identifier":
        return Markup('<span class="none">–</span>')
    chosen = choices.kinds.get(column.name, "")
    return _select("treatment", at, f"Treat {column.name} as", options, chosen)


def _select(what: str, at: int, says: str, options: Mapping[str, str], chosen: str) -> Markup:
    option = Markup('<option value="{}"{}>{}</option>')
    selected = {True: Markup(" selected"), False: ""}
    listed = [
        option.format(value, selected[value == chosen], name) for value, name in options.items()
    ]
    return _SELECT.format(what=what, at=at, says=says, options=Markup("").join(listed))


def _drawing(column: SeenColumn) -> Markup:
    names = column.sketch["levels"] if column.sketch else None
    if names is not None and column.distinct > 3 * len(names):
        return Markup('<span class="none said">too many to draw</span>')
    return sparkline(column.sketch)


def _reason(column: SeenColumn, role: str, *, advised: bool) -> Markup:
    """Why it has this role; and what to look at, where nothing else was said yet."""
    why = REASONS.get(column.reason, column.reason)
    if role != column.role:
        return Markup('<span class="by-you">Your choice.</span> The guess was {}: {}.').format(
            ROLE_NAMES[column.role].lower(), why
        )
    advice = column.note if column.note.advice is None else ADVICE[column.note.advice]
    also = Markup('<span class="also">{}</span>').format(advice) if advice and advised else ""
    return Markup("Guess: {}.{}").format(why, also)
