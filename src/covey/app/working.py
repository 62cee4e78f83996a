"""The work itself, as the worker process does it: open, protect, compare, report."""

from __future__ import annotations

import shutil
import warnings
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from covey.app.choices import Choices
from covey.app.looking import look_at, source_of
from covey.app.results import Compared, Opened, Reported, Run, Upload
from covey.app.side_by_side import RISK, WEIGHT_OF_LOSS
from covey.app.writing import About, Contents, Written, write_release, write_reports
from covey.datasets import make_survey
from covey.errors import DisclosureWarning
from covey.progress import Stage, within
from covey.release.candidates import UNUSED, figure
from covey.release.comparing import as_candidate, compare, loss_measure
from covey.release.describing import external_content, internal_content
from covey.release.describing.summary_lines import release_figures, release_lines
from covey.release.protecting import protect_whole
from covey.release.release import Release
from covey.reports.content_types import InternalContent
from covey.reports.content_types.pictures import Alternatives
from covey.reports.figures import external_figures, groups_map_picture, internal_figures
from covey.reports.formatting import count
from covey.sources.asking import Reading
from covey.sources.files import write_table
from covey.types import Progress

EXAMPLE_RECORDS = 2000
MAP = 780, 440  # width and height of the map of groups
LINKAGES = 4  # the measures that take time, and say how far they are


class Open(NamedTuple):
    """Look at a file, or make the example first."""

    upload: Upload
    reading: Reading
    is_example: bool = False

    def do(self, progress: Progress) -> Opened:
        upload = self.upload
        if self.is_example:
            survey = make_survey(EXAMPLE_RECORDS, random_state=1, missing=0.03)
            write_table(survey, upload.path, force=True)
            upload = upload._replace(size=upload.path.stat().st_size)
        return look_at(upload, self.reading, progress)


class Protect(NamedTuple):
    """Make a release, measure it, and write everything about it into `folder`."""

    number: int
    upload: Upload
    reading: Reading
    choices: Choices
    folder: Path
    about: About = About()

    def do(self, progress: Progress) -> Run:
        try:
            return self._made(progress)
        except BaseException:
            self.clear_away()
            raise

    def clear_away(self) -> None:
        """Leave nothing of a release that nobody wants any more."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _made(self, progress: Progress) -> Run:
        release = self._release(progress)
        release.measure(within(progress, Stage.MEASURING, LINKAGES))
        release.measure_original(within(progress, Stage.MEASURING_ORIGINAL, LINKAGES))
        progress(Stage.WRITING, 0, 1)
        written = write_release(release, self.folder, self.upload.name, self.number)
        progress(Stage.DRAWING, 0, 1)
        inside, outside = internal_content(release), external_content(release)
        contents = Contents(inside, outside, internal_figures(inside), external_figures(outside))
        progress(Stage.REPORTING, 0, 1)
        contents.keep(self.folder)
        reports = write_reports(contents, self.folder, self.about)
        return self._run(release, contents, Written(written.files | reports, written.notes))

    def _release(self, progress: Progress) -> Release:
        settings = self.choices.settings(self.reading)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DisclosureWarning)  # they are in the provenance
            made = protect_whole(source_of(self.upload, self.reading), settings, progress)
        return _called(made, self.upload.name)

    def _run(self, release: Release, contents: Contents, written: Written) -> Run:
        loss = loss_measure(None, release.masked.prepared)
        evaluation, seconds = release.evaluation, release.provenance.seconds
        return Run(
            number=self.number,
            name=f"{type(release.technique).__name__}, k = {release.settings.k}",
            upload=self.upload,
            reading=self.reading,
            choices=self.choices,
            lines=release_lines(release, self.upload.name),
            figures=release_figures(release),
            content=contents.internal,
            pictures={**contents.pictures, "groups_map": _groups_map(contents.internal)},
            candidate=as_candidate(
                release,
                seconds,
                figure(evaluation, loss),
                figure(evaluation, RISK),
                WEIGHT_OF_LOSS,
            ),
            loss=loss,
            risk=RISK,
            seconds=seconds,
            folder=self.folder,
            files=written.files,
            notes=written.notes,
        )


class Compare(NamedTuple):
    """Try techniques and group sizes, with the roles that were chosen."""

    number: int
    upload: Upload
    reading: Reading
    choices: Choices
    techniques: tuple[str, ...]
    sizes: tuple[int, ...]

    def do(self, progress: Progress) -> Compared:
        shared = self.choices.settings(self.reading).to_dict()
        for other in ("k", "technique", "parameters", *UNUSED):
            shared.pop(other, None)
        found = compare(
            source_of(self.upload, self.reading),
            self.sizes,
            self.techniques,
            progress=progress,
            risk=RISK,
            weight_of_loss=WEIGHT_OF_LOSS,
            **shared,
        )
        return Compared(self.number, self.upload, self.reading, self.choices, found)


class Report(NamedTuple):
    """Write the reports of a run again, under another title or with what was tried beside it."""

    run: int
    folder: Path
    about: About
    tried: Alternatives | None

    def do(self, progress: Progress) -> Reported:
        progress(Stage.REPORTING, 0, 1)
        write_reports(Contents.kept(self.folder), self.folder, self.about, self.tried)
        return Reported(self.run, self.about)


def _groups_map(content: InternalContent) -> str | None:
    """The map of groups, as the page shows it: larger, and with words for each group."""
    return groups_map_picture(content["groups_map"], _group_in_words, *MAP)


def _group_in_words(records: int) -> str:
    return (
        f"A group of {count(records)} records\nReleased as {count(records)} equal records, at the "
        "middle of the group."
    )


def _called(release: Release, name: str) -> Release:
    """The same release, of a file that goes by the name its owner gave it."""
    prepared = release.masked.prepared
    assert prepared.original.source is not None
    source = prepared.original.source.called(name)
    original = replace(prepared.original, source=source)
    masked = replace(release.masked, prepared=replace(prepared, original=original))
    provenance = replace(release.provenance, input_name=source.name)
    return replace(release, masked=masked, provenance=provenance)
