"""A generated survey from raw file to two reports, as a user would do it."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from covey import release
from covey.cli.releasing import Wanted, make_release, write_everything
from covey.cli.showing import show_release
from covey.datasets import make_survey
from covey.datasets.survey import EDUCATION
from covey.errors import MissingExtra
from covey.sources.files import write_table

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


def demonstrate(folder: Path, records: int, *, quiet: bool = False) -> None:
    """Make a survey with gaps, protect it, and write the release, settings and reports."""
    folder.mkdir(parents=True, exist_ok=True)
    survey = folder / "survey.csv"
    write_table(make_survey(records, random_state=1, missing=0.03), survey, force=True)
    made = make_release(survey, SETTINGS, measures=True, quiet=quiet, signed=True)
    about = {"title": "Household survey (synthetic)", "publisher": None, "contact": None}
    reports = (folder / "internal.html", folder / "external.html")
    files = Wanted(
        folder / "released.csv", *reports, folder / "run.toml", folder / "protect.py", about
    )
    try:
        write_everything(made, files, None, force=True, quiet=quiet)
    except MissingExtra as error:
        Console(stderr=True, highlight=False).print(f"The reports were left out: {error}")
        files = files._replace(internal=None, external=None)
    show_release(made, survey, files, measures=not quiet, as_json=False)
