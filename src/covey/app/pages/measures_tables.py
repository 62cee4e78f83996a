"""Loss and risk, each measure with a sentence on what it means."""

from __future__ import annotations

from collections.abc import Sequence

from covey.app.pages.elements import Part, box, inline
from covey.reports.content_types.internal import OverallLoss, Risk
from covey.reports.formatting import figure


def losses_table(losses: Sequence[OverallLoss]) -> None:
    with _table("Loss", ("percent",)):
        for loss in losses:
            with Part("tr"):
                _named(loss["measure"], loss["meaning"])
                Part("td", "number", figure(loss["percent"]))


def risks_table(risks: Sequence[Risk]) -> None:
    limited = any(risk["threshold"] is not None for risk in risks)
    heads = ("original", "released", *(("limit",) if limited else ()))
    with _table("Risk", heads):
        for risk in risks:
            with Part("tr"):
                _named(risk["measure"], risk["meaning"])
                Part("td", "number muted", figure(risk["before"]))
                Part("td", "number", figure(risk["after"]))
                if limited:
                    _limit(risk)


def _limit(risk: Risk) -> None:
    with Part("td", "number"):
        if risk["threshold"] is None:
            inline("–", "muted")
        else:
            look, word = ("good", "within") if risk["passed"] else ("bad", "above")
            inline(f"{word} {risk['threshold']:g}", f"tag {look}")


def _table(name: str, heads: Sequence[str]) -> Part:
    """A table in a box that scrolls; what follows goes into its body."""
    with box("scroll", tabindex="0", role="region", aria_label=name), Part("table", "figures"):
        with Part("thead"), Part("tr"):
            Part("th", text=name, scope="col")
            for text in heads:
                Part("th", "number", text, scope="col")
        return Part("tbody")


def _named(measure: str, meaning: str) -> None:
    with Part("th", scope="row"):
        inline(measure)
        inline(meaning, "words")
