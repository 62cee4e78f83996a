"""A generated survey from raw file to two reports, as a user would do it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from covey import release
from covey.cli.exits import report
from covey.cli.releasing import (
    Wanted,
    check_targets,
    make_release,
    measure_release,
    write_everything,
)
from covey.cli.showing import show_release, show_reports
from covey.datasets import make_survey
from covey.datasets.survey import EDUCATION
from covey.errors import MissingExtra
from covey.sources.files import FileProblem, write_table
from covey.sources.files_as_sources import FileSource

SETTINGS = release.Settings.from_dict(
    {
        "k": 5,
        "identifiers": ["person_id"],
        "strata": ["region"],
        "weight": "weight",
        "confidential": ["occupation"],
        "ordinal": {"education": list(EDUCATION)},
        "integers": ["age", "hours"],
        "rules": {
            "net income": "gross_income - income_tax = net_income",
            "working age": "age >= 16",
        },
        "thresholds": {"distance_linkage": 20.0},
    }
)


def demonstrate(folder: Path, records: int, *, force: bool = False, quiet: bool = False) -> None:
    """Make a survey with gaps, protect it, and write the release, settings and reports."""
    made_it = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileProblem(f"The folder {folder} could not be made: {error.strerror}.") from None
    try:
        _demonstrate(folder, records, force=force, quiet=quiet)
    except BaseException:
        if made_it:
            with suppress(OSError):  # somebody else put something there
                folder.rmdir()
        raise


def _demonstrate(folder: Path, records: int, *, force: bool, quiet: bool) -> None:
    """Check, write the survey, and protect it; a survey whose release fails is taken back."""
    survey = folder / "survey.csv"
    about = {"title": "Household survey (synthetic)", "publisher": None, "contact": None}
    reports = (folder / "internal.html", folder / "external.html")
    files = Wanted(
        FileSource(folder / "released.csv"),
        *reports,
        folder / "run.toml",
        folder / "protect.py",
        about,
    )
    try:
        check_targets(files, str(survey), force=force)
    except MissingExtra as error:
        report(f"The reports are left out: {error}")
        files = files._replace(internal=None, external=None)
        check_targets(files, str(survey), force=force)
    new = not survey.exists()
    write_table(make_survey(records, random_state=1, missing=0.03), survey, force=force)
    try:
        _protect(survey, files, force=force, quiet=quiet)
    except BaseException:
        if new:
            survey.unlink(missing_ok=True)
        raise


def _protect(survey: Path, files: Wanted, *, force: bool, quiet: bool) -> None:
    signed = files.internal is not None
    made = make_release(str(survey), SETTINGS, quiet=quiet)
    measure_release(made, quiet=quiet, signed=signed)
    write_everything(made, files, None, force=force, quiet=quiet)
    if quiet:
        show_reports(files, None)
    else:
        show_release(made, str(survey), files, measures=True, as_json=False)
