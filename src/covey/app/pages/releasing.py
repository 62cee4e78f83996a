"""Release: what can be taken away, who it is for, and what was checked."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING

from covey.app.pages.elements import Part, box, icon, inline, words
from covey.app.pages.failing import show_failure
from covey.app.pages.fields import entry, field
from covey.app.pages.looking import show_judgement
from covey.app.pages.parts import checked, head, note, section
from covey.app.pages.wording import count_of

if TYPE_CHECKING:
    from covey.app.pages.frame import Frame
    from covey.app.results import Run

FORMATS = {
    "csv": "CSV",
    "tsv": "TSV",
    "parquet": "Parquet",
    "arrow": "Arrow",
    "feather": "Arrow",
    "xlsx": "Excel",
    "dta": "Stata",
    "sav": "SPSS",
    "zsav": "SPSS",
}
COUNTED = (
    "This was counted in the release itself, and again in each file after it was written and read "
    "back. Had one class been smaller than k, no file would have been made."
)
COUNTED_IN_BLOCKS = "This was counted in the release itself, block by block."
AS_WRITTEN = (
    "A CSV file is written with commas, decimal points and in UTF-8, whatever the original had. "
    "Dates that were text in an Excel or Parquet file stay text."
)
ABOUT = {
    "title": ("Title", "Stands at the top of both reports."),
    "publisher": ("Publisher", "For the external report."),
    "contact": ("Contact", "For the external report: who answers questions."),
}


def page(frame: Frame) -> None:
    run = frame.workshop.run
    assert run is not None
    lead = f"All files of {run.name}. You decide who gets them."
    head("Take it away", lead)
    if frame.workshop.state.choices != run.choices:
        with note("You have changed something since", "care"):
            words("These files are from before the changes. Protect again to include them.")
    show_failure(frame, "report", "The reports could not be written")
    _checked(run)
    show_judgement(run)
    _data(run)
    _reports(frame, run)
    _again(run)


def _checked(run: Run) -> None:
    verdict = run.content["verdict"]
    k, achieved = verdict["k_requested"], verdict["k_achieved"]
    joint, passed = verdict["guarantee"] == "joint", all_passed(run)
    shared = (
        "in all quasi-identifiers and strata"
        if joint
        else "inside each block of columns; whole records may be unique"
    )
    title = f"k = {k} holds" if passed else "A check is not passed"
    with note(title, "good" if passed else "bad"):
        words(
            f"Every released record is equal to at least {count_of(achieved - 1, 'other')} "
            f"{shared}. {COUNTED if joint else COUNTED_IN_BLOCKS}",
            id="k-check",
        )
        checked(verdict["checks"])


def all_passed(run: Run) -> bool:
    return all(check["passed"] for check in run.content["verdict"]["checks"])


def _data(run: Run) -> None:
    about = (
        "For those who use the data. The rows are in a new order, so that nothing of the original "
        "order is left."
    )
    with section("The released data", about), box("row"):
        formats = [name for name in run.files if name in FORMATS]
        for name in formats:
            main = run.files[name] == run.files["data"]
            _download(run, name, file_words(name, all_passed(run)), "main-action" if main else "")
        for sentence in run.notes:
            words(sentence, "muted small")
        words(AS_WRITTEN, "muted small", id="as-written")


def file_words(format: str, passed: bool) -> str:
    """
    >>> file_words("csv", True), file_words("csv", False)
    ('CSV file', 'Download although a limit is exceeded: CSV')
    """
    name = FORMATS[format]
    return f"{name} file" if passed else f"Download although a limit is exceeded: {name}"


def _download(run: Run, what: str, text: str, look: str = "") -> None:
    link = Part("a", f"button {look}", href=f"/download/{run.number}/{what}", id=f"download-{what}")
    link.assign(download=run.files[what])
    with link:
        icon("download")
        inline(text)


# -- reports -----------------------------------------------------------------------------


def _reports(frame: Frame, run: Run) -> None:
    with section("The two reports", "Pages that need nothing else; a browser prints them to PDF."):
        with box("cards"):
            _report(
                run,
                "internal",
                "Internal report",
                "For those who sign the release: everything needed to judge and repeat it, with "
                "risks and settings. Do not publish it.",
            )
            _report(
                run,
                "external",
                "External report",
                "For those who use the data: what was changed and what is preserved. It has "
                "nothing that an intruder could use.",
            )
        with box("fields"):
            for name, (label, hint) in ABOUT.items():
                _about(frame, name, label, hint)
        words(_reports_state(frame), "muted small", id="reports-state", aria_live="polite")


def _reports_state(frame: Frame) -> str:
    if frame.workshop.reports_are_being_written:
        return "The reports are being written …"
    if frame.workshop.reports_are_current:
        return "The reports are up to date."
    return "The reports still have the title from before: change it once more to write them."


def _report(run: Run, what: str, title: str, text: str) -> None:
    with box("panel stack"):
        Part("h3", text=title)
        words(text, "small muted")
        with box("row"):
            _download(run, what, "Download")
            shown = Part("a", "button plain", "Read it here", href=f"/show/{run.number}/{what}")
            shown.assign(target="_blank", rel="noopener", id=f"show-{what}")
            shown.assign(aria_label=f"Read the {what} report in a new tab")


def _about(frame: Frame, name: str, label: str, hint: str) -> None:
    given = getattr(frame.workshop.state.about, name) or ""
    with field(label, f"about-{name}", hint):
        made = entry(
            f"about-{name}",
            given,
            lambda text: frame.attempt(lambda: frame.workshop.describe(**{name: text})),
        )
        made.assign(aria_describedby=f"about-{name}-hint")


# -- doing it again ----------------------------------------------------------------------


def _again(run: Run) -> None:
    about = "The same release can be made again without this page, to the byte."
    with section("Do it again", about):
        with box("row"):
            _download(run, "settings", "Settings (TOML)")
            _download(run, "script", "Python script")
        words("With the command line:", "muted small")
        name = run.upload.name
        Part(
            "pre",
            text=f"covey protect {quote(name)} --config {run.files['settings']} --out "
            f"{run.files['data']}",
        )
