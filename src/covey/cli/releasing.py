"""What `protect`, `report` and `demo` do alike: make a release, and write what was asked for."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from covey.cli.reading import original_files, refuse_table
from covey.cli.working import working
from covey.errors import DisclosureWarning, InvalidParameter
from covey.progress import Part, Stage, within
from covey.sources import Reading, Source, open_source
from covey.sources.opening import is_database
from covey.types import Progress

if TYPE_CHECKING:
    from covey.release import Comparison, Release, Settings
    from covey.release.reporting import Rendered


class Wanted(NamedTuple):
    """The files that were asked for; `about` has title, publisher and contact of the reports."""

    out: Source | None
    internal: Path | None
    external: Path | None
    config: Path | None
    script: Path | None
    about: dict[str, str | None]
    keep_order: bool = False

    def places(self) -> list[Path]:
        """Every file that will be written, the JSON beside the reports too."""
        reports = [path for path in (self.internal, self.external) if path is not None]
        beside = [path.with_suffix(".json") for path in reports]
        out = None if self.out is None else self.out.file
        others = [path for path in (out, self.config, self.script) if path is not None]
        return [*others, *reports, *beside]


def target_of(original: str, out: str | None, into: str | None) -> Source:
    """Where the release goes: a file, a folder, or a table of a database."""
    from covey.release.streamed import target_at

    place = original if out is None else out
    if out is None and (into is None or not is_database(original)):
        raise InvalidParameter(
            "Say where the release goes: --out FILE, --into TABLE of the database that is read, "
            "or --out DATABASE --into TABLE."
        )
    return target_at(place, into)


def released_source(original: str, released: str | None, table: str | None) -> Source | None:
    """The release that is to be checked, if one was named; a table may be beside the original."""
    if released is None and table is None:
        return None
    place = original if released is None else released
    refuse_table("--released-table", table, place)
    return open_source(place, Reading(table=table))


def check_targets(wanted: Wanted, place: str, *, force: bool) -> None:
    """Raise before any work is done if one of the files could not be written."""
    from covey.release.reporting import check_page
    from covey.reports import require_extra
    from covey.sources.whole import check_place

    places, original = wanted.places(), original_files(place)
    doubled = [path for path in places if places.count(path) > 1]
    if doubled:
        raise InvalidParameter(f"{doubled[0]} is named for two different things.")
    for path in places:
        check_place(path, force=force, original=original)
    for page in (wanted.internal, wanted.external):
        if page is not None:
            check_page(page)
            require_extra()
    if wanted.out is not None:
        wanted.out.check_target(force=force)


def make_release(file: str, settings: Settings, *, quiet: bool) -> Release:
    """Protect a file or a table, with a bar."""
    from covey.release.protecting import protect_whole

    return working(lambda progress: protect_whole(file, settings, progress), quiet=quiet)


def measure_release(release: Release, *, quiet: bool, signed: bool) -> None:
    """Loss and risk, and the risk of the original when somebody will sign."""

    def work(progress: Progress) -> None:
        release.measure(progress)
        if signed:
            release.measure_original(within(progress, Stage.MEASURING_ORIGINAL, 1, "original: "))

    working(work, quiet=quiet)


def warn_above_limits(release: Release) -> None:
    """Say loudly which limits are not kept; the release is still the user's to judge."""
    from covey.release.describing.summary_lines import limits_exceeded

    for sentence in limits_exceeded(release):
        warnings.warn(sentence, DisclosureWarning, stacklevel=2)


def write_everything(
    release: Release, wanted: Wanted, tried: Comparison | None, *, force: bool, quiet: bool
) -> None:
    """Write all files that were asked for; they appear together or not at all."""
    from covey.sources.whole import filling

    with release.together(force=force) as files:
        if wanted.out is not None and release.target is None:
            order = "original" if wanted.keep_order else "released"
            release.write_into(files, wanted.out, order=order)
        if wanted.config is not None:
            files.add(wanted.config, filling(release.settings.to_toml().encode()))
        if wanted.script is not None:
            files.add(wanted.script, filling(release.script().encode()))
        for audience, page in (("internal", wanted.internal), ("external", wanted.external)):
            if page is not None:
                _report(release, audience, wanted, tried, quiet=quiet).write_into(files, page)


def _report(
    release: Release, audience: str, wanted: Wanted, tried: Comparison | None, *, quiet: bool
) -> Rendered:
    """A report, which knows the hash of the release that is about to appear."""
    from covey.release.reporting import rendered

    internal = audience == "internal"
    about = {"title": wanted.about.get("title")} if internal else wanted.about

    def work(progress: Progress) -> Rendered:
        progress(Part(f"{audience} report", Stage.REPORTING, 1, 1), 0, 1)
        return rendered(release, audience, tried if internal else None, **about)

    return working(work, quiet=quiet)
