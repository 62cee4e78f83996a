"""Limits on risk and edit rules: they do not change the release, and are checked in the reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.app.pages.elements import box, inline, words
from covey.app.pages.fields import choice, entry, field
from covey.app.pages.parts import button, folded
from covey.measures.registry import available, with_limits

if TYPE_CHECKING:
    from covey.app.pages.frame import Frame

# What the list stands on before anything is chosen: the measure that is easiest to explain.
FIRST = "distance_linkage"


def risks() -> dict[str, str]:
    """The measures that a limit can be set on, and what people call them."""
    labels = {measure.name: measure.label for measure in available()}
    return {name: labels[name] for name in with_limits()}


def limits(frame: Frame) -> None:
    choices, called = frame.workshop.state.choices, risks()
    some = bool(choices.thresholds or choices.rules)
    with folded("Limits and edit rules", id="fold-limits", is_open=some), box("stack"):
        words(
            "A limit is the highest risk that your office allows. An edit rule is something that "
            "records should obey. Both are checked and reported; they do not change the release.",
            "muted",
        )
        for at, (risk, percent) in enumerate(choices.thresholds.items()):
            _line(
                frame,
                f"{called.get(risk, risk)}: at most {percent:g} %",
                f"limit-{at}",
                "thresholds",
                risk,
            )
        for at, (name, rule) in enumerate(choices.rules.items()):
            said = rule if name == rule else f"{name}: {rule}"
            _line(frame, said, f"rule-{at}", "rules", name)
        with box("fields"):
            _new_limit(frame)
            _new_rule(frame)


def _line(frame: Frame, text: str, id: str, setting: str, name: str) -> None:
    def remove() -> None:
        kept = dict(getattr(frame.workshop.state.choices, setting))
        kept.pop(name, None)
        frame.choose(f"Removed: {text}", **{setting: kept})

    with box("row"):
        inline(text, "strong")
        button("Remove", remove, id=id, look="plain slim", says=f"Remove {text}")


def _new_limit(frame: Frame) -> None:
    measure = frame.memory.setdefault("limited risk", FIRST)

    def take(text: str) -> None:
        try:
            percent = float(text.strip().rstrip("%").replace(",", "."))
        except ValueError:
            frame.say(f"A limit is a number of percent, from 0 to 100; got {text!r}.")
            return
        risk = frame.memory["limited risk"]
        together = {**frame.workshop.state.choices.thresholds, risk: percent}
        frame.choose(f"Limit: {risks()[risk]} at most {percent:g} %", thresholds=together)

    with field("A limit on", "limit-measure"):
        choice(
            "limit-measure",
            measure,
            risks(),
            lambda name: frame.memory.update({"limited risk": name}),
        )
        with box("row"):
            entry(
                "limit-percent",
                "",
                take,
                placeholder="percent, such as 10",
                inputmode="decimal",
                aria_label="Highest risk allowed, in percent",
            )


def _new_rule(frame: Frame) -> None:
    def take(text: str) -> None:
        rule = text.strip()
        if rule:
            together = {**frame.workshop.state.choices.rules, rule: rule}
            frame.choose(f"Edit rule: {rule}", rules=together)

    with field("An edit rule", "rule", "Such as: gross_income - income_tax = net_income"):
        entry("rule", "", take, placeholder="age >= 16")
