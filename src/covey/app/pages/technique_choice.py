"""Techniques as cards, and a form for the parameters that the chosen one declares."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from covey.app.pages.elements import Part, box, drawn, hear, words
from covey.app.pages.fields import choice, entry, field, tick
from covey.app.pages.parts import folded, section
from covey.app.pages.wording import AUTO, cannot_be_used, card_of, cards

if TYPE_CHECKING:
    from covey.app.pages.frame import Frame
    from covey.app.technique_cards import Card, Field

JOINT = "k holds for all quasi-identifiers together."
WITH_BLOCKS = " With a block size it holds inside each block only."
# What may be written as a decimal number.
NUMBERS = ("number", "number or word")
PER_BLOCK = "k holds inside blocks of columns only; whole released records may be unique."


def technique_choice(frame: Frame) -> None:
    chosen = card_of(frame.workshop.state.choices.technique)
    with section("Technique", "How similar records are found. If unsure, keep the first."):
        listed = [_card(frame, card, card.name == chosen.name) for card in cards().values()]
        shown = drawn(Markup("").join(listed), "cards")
        shown.props.update({"role": "radiogroup", "aria-label": "Technique"})
        if chosen.fields:
            with (
                folded(
                    f"Parameters of {chosen.title}",
                    id="fold-parameters",
                    is_open=bool(frame.workshop.state.choices.parameters),
                ),
                box("fields"),
            ):
                for declared in chosen.fields:
                    _field(frame, declared)


_CARD = Markup(
    '<button class="card" type="button" role="radio" id="technique-{name}" data-hears="click" '
    'aria-checked="{checked}" tabindex="{tabindex}"{disabled}>'
    '<span class="pick" aria-hidden="true"></span>'
    '<span class="name">{title}{recommended}</span><span class="says">{sentence}</span>'
    '<span><span class="tag {look}" data-tip="{meaning}">{guarantee}</span>'
    '<span class="unseen">{meaning}</span></span>{reason}'
    '<span class="paper">{paper}</span></button>'
)
_REASON = Markup('<span class="cannot">{}</span>')
_RECOMMENDED = Markup(' <span class="tag solid">recommended</span>')


def _card(frame: Frame, card: Card, chosen: bool) -> Markup:
    with_blocks = WITH_BLOCKS if card.block_parameter else ""
    reason = cannot_be_used(card, frame.workshop.state.choices)
    hear("click", f"technique-{card.name}", lambda _: _choose(frame, card))
    return _CARD.format(
        name=card.name,
        checked="true" if chosen else "false",
        tabindex="0" if chosen else "-1",
        title=card.title,
        recommended=_RECOMMENDED if card.is_recommended else "",
        sentence=card.sentence,
        look="good" if card.is_joint else "care",
        meaning=JOINT + with_blocks if card.is_joint else PER_BLOCK,
        guarantee="k for the whole record" if card.is_joint else "k for each block alone",
        disabled=Markup(" disabled") if reason and not chosen else "",
        reason=_REASON.format(reason) if reason else "",
        paper=card.paper,
    )


def _choose(frame: Frame, card: Card) -> None:
    name = AUTO if card.is_recommended else card.name
    if card_of(frame.workshop.state.choices.technique).name != card.name:
        frame.choose(f"Technique: {card.title}", technique=name)


# -- parameters --------------------------------------------------------------------------


def _field(frame: Frame, declared: Field) -> None:
    """An input of the kind that fits what is declared."""
    id, label = f"parameter-{declared.name}", declared.name.replace("_", " ").capitalize()
    given = frame.workshop.state.choices.parameters.get(declared.name, declared.default)
    about = declared.about or f"{declared.allowed.capitalize()}."
    if declared.input == "columns":
        _columns(frame, declared, label, about)
        return
    if declared.input == "flag":
        with box("field"):
            tick(id, label, bool(given), lambda value: _set(frame, declared, value))
            words(about, "hint")
        return
    with field(label, id, about):
        if declared.input == "choice":
            _options(frame, declared, id, given)
        else:
            _number_or_text(frame, declared, id, given)


def _options(frame: Frame, declared: Field, id: str, given: Any) -> None:
    options = declared.options if not declared.may_be_empty else (None, *declared.options)
    names = {
        str(at): "not set" if value is None else str(value) for at, value in enumerate(options)
    }
    at = next(at for at, value in enumerate(options) if value is given or value == given)
    choice(id, str(at), names, lambda text: _set(frame, declared, options[int(text)]))


def _number_or_text(frame: Frame, declared: Field, id: str, given: Any) -> None:
    numeric = declared.input in ("whole", "number")
    made = entry(
        id,
        "" if given is None else f"{given}",
        lambda text: _set(frame, declared, read_value(declared, text)),
        placeholder="not set" if declared.may_be_empty else None,
    )
    made.assign(aria_describedby=f"{id}-hint", inputmode="decimal" if numeric else None)


def read_value(declared: Field, text: str) -> Any:
    """What was written as the value it stands for; as text where it stands for none."""
    written = text.strip().replace(",", ".")
    if not written:
        return None
    try:
        if declared.input == "whole":
            return int(written)
        return float(written) if declared.input in NUMBERS else text.strip()
    except ValueError:
        return text.strip()  # a word, or refused with what is allowed


def _columns(frame: Frame, declared: Field, label: str, about: str) -> None:
    """Boxes to tick: some of the quasi-identifiers, or none for all of them."""
    choices = frame.workshop.state.choices
    chosen = list(choices.parameters.get(declared.name) or ())

    def change(column: str, wanted: bool) -> None:
        kept = [name for name in chosen if name != column] + ([column] if wanted else [])
        ordered = [name for name in choices.with_role("quasi-identifier") if name in kept]
        _set(frame, declared, ordered or None)

    with Part("fieldset", "field plain-set"):
        Part("legend", "legend", label)
        words(about, "hint")
        with box("ticks-list"):
            for at, column in enumerate(choices.with_role("quasi-identifier")):
                id = f"parameter-{declared.name}-{at}"
                tick(id, column, column in chosen, partial(change, column))


def _set(frame: Frame, declared: Field, value: Any) -> None:
    """Change one parameter; what is the default is not said."""
    parameters = dict(frame.workshop.state.choices.parameters)
    parameters.pop(declared.name, None)
    if value != declared.default:
        parameters[declared.name] = value
    shown = "not set" if value is None else value
    frame.choose(f"{declared.name.replace('_', ' ')}: {shown}", parameters=parameters)
