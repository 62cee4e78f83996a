"""Reports and pictures of releases, as files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.errors import InvalidParameter
from covey.parameters import OneOf, require
from covey.release.candidates import label_of
from covey.sources.whole import write_bytes, write_text

if TYPE_CHECKING:
    from covey.release.comparing import Comparison
    from covey.release.release import Release


def write_report(
    release: Release,
    path: Path,
    audience: str,
    alternatives: Comparison | None = None,
    *,
    force: bool = False,
    **about: Any,
) -> None:
    """One HTML file, and the same figures as JSON beside it."""
    from covey.release.describing import external_content, internal_content
    from covey.reports import render

    require(OneOf(("internal", "external")), audience=audience)
    check_page(path)
    if audience == "internal":
        if set(about) - {"title"}:
            raise InvalidParameter("publisher and contact are for the external report.")
        inside = internal_content(release, alternatives, **about)
        page, content = render(inside, "internal"), dict(inside)
    else:
        if alternatives is not None:
            raise InvalidParameter("The external report does not show alternatives.")
        outside = external_content(release, **about)
        page, content = render(outside, "external"), dict(outside)
    text = json.dumps(content, indent=2, allow_nan=False)
    write_text(path, page, force=force)
    write_text(path.with_suffix(".json"), text, force=force)


def check_page(path: Path) -> None:
    """Raise unless the name is that of a page."""
    if path.suffix.lower() not in (".html", ".htm"):
        raise InvalidParameter(f"{path}: a report is a page; use a name ending in .html.")


def draw_comparison(comparison: Comparison, path: Path, *, force: bool = False) -> None:
    """The risk–utility map as .svg or .png."""
    from covey.reports.charts import png, risk_utility, svg

    spec = risk_utility(
        comparison.points(),
        label_of(comparison.loss),
        label_of(comparison.risk),
        comparison.max_risk,
    )
    suffix = path.suffix.lower()
    if suffix == ".svg":
        write_text(path, svg(spec), force=force)
    elif suffix == ".png":
        write_bytes(path, png(spec, 2.0), force=force)
    else:
        raise InvalidParameter(f"{path}: a picture is .svg or .png.")
