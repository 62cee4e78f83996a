"""Each variable as it was and as it is released."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from covey.app.pages.elements import Part, box, inline
from covey.reports.formatting import figure, percent, signed

if TYPE_CHECKING:
    from covey.app.results import Run


def before_after(run: Run) -> None:
    with Part("ul", "key"):
        for look, text in (("", "original"), ("line", "released")):
            with Part("li"):
                inline("", f"swatch {look}")
                inline(text)
    about = _in_words(run)
    with box("charts"):
        drawn = zip(run.content["distributions"], run.pictures["distributions"], strict=True)
        for data, picture in drawn:
            with Part("figure"):
                with Part("figcaption"):
                    inline(data["name"])
                    inline(about.get(data["name"], ""), "about after-name")
                ui.html(picture).classes("chart")


def _in_words(run: Run) -> dict[str, str]:
    """What became of each variable, by its name."""
    numbers = {
        loss["name"]: f"mean {signed(loss['mean_shift'])} % of an SD, "
        f"SD × {figure(loss['sd_ratio'])}"
        for loss in run.content["numeric_losses"]
    }
    categories = {
        loss["name"]: loss["note"] or f"{percent(loss['share_changed'])} of the values changed"
        for loss in run.content["categorical_losses"]
    }
    return numbers | categories
