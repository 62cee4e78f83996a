"""What `compare` and `tune` do alike."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.errors import InvalidParameter

if TYPE_CHECKING:
    from covey.release import Comparison, Settings


def shared_settings(settings: Settings, *unused: str) -> dict[str, Any]:
    """All settings but those that a search varies and those that it has no use for."""
    varied = {"k", "technique", "parameters", *unused}
    return {name: value for name, value in settings.to_dict().items() if name not in varied}


def driving_counts(given: str) -> list[int]:
    """Comma-separated numbers of driving variables; none for an empty text."""
    try:
        return [int(part) for part in given.split(",") if part.strip()]
    except ValueError:
        raise InvalidParameter(f"--driving takes whole numbers; got {given!r}.") from None


def check_pictures(places: Sequence[Path | None], original: Sequence[Path], *, force: bool) -> None:
    """Raise before any work is done if one of the files could not be written."""
    from covey.release.reporting import check_picture
    from covey.reports import require_extra
    from covey.sources.whole import check_place

    given = [path for path in places if path is not None]
    doubled = [path for path in given if given.count(path) > 1]
    if doubled:
        raise InvalidParameter(f"{doubled[0]} is named for two different things.")
    for path in places:
        if path is not None:
            check_place(path, force=force, original=original)
    picture = places[0]
    if picture is not None:
        check_picture(picture)
        require_extra()


def write_search(
    comparison: Comparison, picture: Path | None, save: Path | None, *, force: bool
) -> None:
    from covey.sources.whole import write_text

    if picture is not None:
        comparison.draw(picture, force=force)
    if save is not None:
        write_text(save, comparison.to_json(), force=force)
