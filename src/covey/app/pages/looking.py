"""Look: what became of the data, what was lost, and what can still be found out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from nicegui import ui

from covey.app.pages.before_after import before_after
from covey.app.pages.elements import Part, box, inline, words
from covey.app.pages.measures_tables import losses_table, risks_table
from covey.app.pages.parts import bullets, button, checked, head, note, section, tabs, tile
from covey.app.pages.wording import count_of, duration
from covey.reports.formatting import count, percent

if TYPE_CHECKING:
    from covey.app.pages.frame import Frame
    from covey.app.results import Run

# The figures that stand first, as an evaluation names them, and what they are called here.
FIRST = {
    "il": ("Loss of information", "of the variance disappeared inside the groups"),
    "categories": ("Categories changed", "of the records have another category, on average"),
    "distance_linkage": (
        "Distance linkage",
        "of the records would be found by an intruder who knows all original values and guesses "
        "once",
    ),
    "interval": (
        "Records given away",
        "of the records have all their original values close to the released ones (interval "
        "disclosure)",
    ),
    "g_dr": ("General disclosure risk", "is the risk that Compare uses (G_DR)"),
}


def page(frame: Frame) -> None:
    run = frame.workshop.run
    assert run is not None
    head(run.name, " ".join(run.content["summary"][:1]))
    _not_current(frame, run)
    tabs(frame, "look", VIEWS)(run)
    _onward(frame)


def _overview(run: Run) -> None:
    _verdict(run)
    _first_figures(run)
    show_judgement(run)
    _lines(run)


def _variables(run: Run) -> None:
    with section("Before and after", "Each quasi-identifier as it was, and as it is released."):
        before_after(run)


def _measures(run: Run) -> None:
    with section("All measures", "Everything that was measured, in percent; less is better."):
        losses_table(run.content["overall_losses"])
        risks_table(run.content["risks"])
        words(run.content["linkage_note"], "muted small")


def _not_current(frame: Frame, run: Run) -> None:
    """Say so when something was chosen since."""
    if frame.workshop.state.choices == run.choices:
        return
    with note("You have changed something since", "care"):
        words("This is the release from before. Protect again to see what the changes do.")
        with box("row"):
            button("Go to Protect", lambda: frame.go("protect"), id="to-protect", look="slim")


def _verdict(run: Run) -> None:
    checks = run.content["verdict"]["checks"]
    failed = [check for check in checks if not check["passed"]]
    title = "Not all checks are passed" if failed else "All checks on the release are passed"
    with note(title, "bad" if failed else "good"):
        checked(checks)


def _first_figures(run: Run) -> None:
    """The figures of the evaluation that the command line prints first."""
    evaluation = run.figures["evaluation"]
    with section("In short"), box("tiles"):
        for name, (what, means) in FIRST.items():
            figure = _percent(evaluation, name)
            if figure is not None:
                more = MORE[name](run) if name in MORE else ""
                tile(percent(figure), what, f"{means}{more}.", data_figure=name)


def _percent(evaluation: Mapping[str, Any], name: str) -> float | None:
    part = evaluation.get(name)
    return part["percent"] if isinstance(part, dict) else part


def _bound(run: Run) -> str:
    """The most that distance linkage can be; none where whole records may be unique."""
    bound = run.content["three_questions"]["linkability"]["bound_percent"]
    if bound is None:
        return ""
    whole = percent(bound, 0 if bound == round(bound) else 2)
    return f"; at most 1/{run.content['verdict']['k_achieved']} = {whole}"


def _single_values(run: Run) -> str:
    values = _percent(run.figures["evaluation"], "interval_values")
    return "" if values is None else f". Of the single values, {percent(values)} are close"


def _halves(run: Run) -> str:
    """What the general risk is made of."""
    evaluation = run.figures["evaluation"]
    linkage = percent(evaluation["record_linkage"]["percent"])
    if _percent(evaluation, "interval") is None:
        return f": record linkage, {linkage}"
    return (
        f": the mean of records given away and of record linkage, {linkage}, which counts a "
        "record as found when it is among the two nearest"
    )


MORE = {"distance_linkage": _bound, "interval": _single_values, "g_dr": _halves}


def show_judgement(run: Run) -> None:
    """What no check decides."""
    sentences = [*strata_changed(run), *run.content["judgement"]]
    if sentences:
        with note("For you to judge", "care"):
            bullets(sentences)


def strata_changed(run: Run) -> list[str]:
    """Strata that were put together, and records that were left out."""
    return [
        f"{count_of(change['records'], 'record')} ({change['stratum']}): {change['change']}."
        for change in run.content["method"]["strata_changes"]
    ]


def _groups(run: Run) -> None:
    groups, data = run.content["groups"], run.content["groups_map"]
    about = (
        f"{count_of(groups['groups'], 'group')} of {count(groups['smallest'])} to "
        f"{count_of(groups['largest'], 'record')}, {groups['mean']:.1f} on average."
    )
    with section("Groups", about):
        if data is None:
            words("There is no map: each block of columns has groups of its own.", "muted")
        else:
            _map(run)
        if run.pictures["group_sizes"]:
            with Part("figure"):
                with Part("figcaption"):
                    inline("How large the groups are")
                ui.html(run.pictures["group_sizes"]).classes("chart")


def _map(run: Run) -> None:
    data = run.content["groups_map"]
    assert data is not None
    shown = len(data["x"])
    some = "" if shown == data["of_records"] else f" {count(shown)} of them are shown."
    away = run.pictures["far_away"]
    if away:
        some += f" {outside(away)}"
    with Part("figure"):
        with Part("ul", "key"):
            for look, text in (("faint", "a record"), ("dot", "what its group is released as")):
                with Part("li"):
                    inline("", f"swatch {look}")
                    inline(text)
        ui.html(run.pictures["groups_map"]).classes("chart map")
        with Part("figcaption"):
            inline(
                "The records in the two directions in which they differ most. Point at a group to "
                f"see it.{some}",
                "about",
            )


def outside(records: int) -> str:
    """
    >>> outside(1)
    '1 record far away from the others is outside the picture.'
    """
    are = "is" if records == 1 else "are"
    return f"{count_of(records, 'record')} far away from the others {are} outside the picture."


def _correlations(run: Run) -> None:
    picture = run.pictures["correlation_difference"]
    if not picture:
        words("There are no two numeric quasi-identifiers whose correlation could move.", "muted")
        return
    about = (
        "How much each correlation moved: 0 is unchanged, blue rose, orange fell. Strong colours "
        "are pairs whose relation should not be studied in the release."
    )
    with section("Correlations", about):
        ui.html(picture).classes("chart")


def _lines(run: Run) -> None:
    with section("What covey protect would print"):
        with Part("dl", "facts panel soft", id="lines"):
            for name, text in run.lines.items():
                Part("dt", text=name)
                Part("dd", text=text, data_line=name)
        words(f"Made in {duration(run.seconds)}.", "muted small")


def _onward(frame: Frame) -> None:
    with box("onward"):
        button(
            "Release it",
            lambda: frame.go("release"),
            id="onward",
            look="main-action",
            picture="arrow",
        )
        button("Compare with others", lambda: frame.go("compare"), id="to-compare")


VIEWS = {
    "Overview": _overview,
    "Variables": _variables,
    "Groups": _groups,
    "Correlations": _correlations,
    "All measures": _measures,
}
