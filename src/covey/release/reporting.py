"""Reports and pictures of releases, as files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from covey.errors import InvalidParameter
from covey.parameters import OneOf, require
from covey.release.candidates import label_of
from covey.sources.whole import Together, filling, write_bytes, write_text

if TYPE_CHECKING:
    from covey.release.comparing import Comparison
    from covey.release.release import Release


class Rendered(NamedTuple):
    """A report as a page and as JSON."""

    page: str
    figures: str

    def write_into(self, files: Together, path: Path) -> None:
        """Add the page, and the same figures as JSON beside it."""
        check_page(path)
        files.add(path, filling(self.page.encode()))
        files.add(path.with_suffix(".json"), filling(self.figures.encode()))


def rendered(
    release: Release, audience: str, alternatives: Comparison | None = None, **about: str | None
) -> Rendered:
    """The report for an audience; `about` has its title, publisher and contact."""
    from covey.release.describing import external_content, internal_content
    from covey.reports import render

    require(OneOf(("internal", "external")), audience=audience)
    given: Any = {name: text for name, text in about.items() if text is not None}
    if audience == "internal":
        if set(given) - {"title"}:
            raise InvalidParameter("publisher and contact are for the external report.")
        inside = internal_content(release, alternatives, **given)
        return Rendered(render(inside, "internal"), _as_json(inside))
    if alternatives is not None:
        raise InvalidParameter("The external report does not show alternatives.")
    outside = external_content(release, **given)
    return Rendered(render(outside, "external"), _as_json(outside))


def _as_json(content: Any) -> str:
    return json.dumps(content, indent=2, allow_nan=False)


def check_page(path: Path) -> None:
    """Raise unless the name is that of a page."""
    if path.suffix.lower() not in (".html", ".htm"):
        raise InvalidParameter(f"{path}: a report is a page; use a name ending in .html.")


def check_picture(path: Path) -> None:
    """Raise unless the name is that of a picture."""
    if path.suffix.lower() not in (".svg", ".png"):
        raise InvalidParameter(f"{path}: a picture is .svg or .png.")


def draw_comparison(comparison: Comparison, path: Path, *, force: bool = False) -> None:
    """The risk–utility map as .svg or .png."""
    from covey.reports.charts import png, risk_utility, svg

    check_picture(path)
    spec = risk_utility(
        comparison.points(),
        label_of(comparison.loss),
        label_of(comparison.risk),
        comparison.max_risk,
    )
    if path.suffix.lower() == ".svg":
        write_text(path, svg(spec), force=force)
    else:
        write_bytes(path, png(spec, 2.0), force=force)
