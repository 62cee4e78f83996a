"""render: the content of a report in, one HTML file out that needs nothing else.

No script, no request: a policy in the page itself forbids both. Whatever comes from the data is
escaped, for a column may be called anything.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from importlib.util import find_spec
from typing import Any, Literal, TypeAlias, cast, overload

from covey.errors import InvalidParameter, missing_extra
from covey.parameters import OneOf, require
from covey.reports import formatting, three_questions
from covey.reports.charts import theme
from covey.reports.content_types import ExternalContent, InternalContent
from covey.reports.figures import Drawn, external_figures, internal_figures

Audience: TypeAlias = Literal["internal", "external"]


@overload
def render(
    content: InternalContent, audience: Literal["internal"], drawn: Drawn | None = None
) -> str: ...
@overload
def render(
    content: ExternalContent, audience: Literal["external"], drawn: Drawn | None = None
) -> str: ...
def render(
    content: InternalContent | ExternalContent, audience: Audience, drawn: Drawn | None = None
) -> str:
    """One self-contained page of HTML.

    Parameters
    ----------
    content : InternalContent or ExternalContent
        The figures; exactly the fields of the audience's type. Content of the internal report is
        refused for the external one, not cut down to it.
    audience : "internal" or "external"
        Who reads it: those who sign the release, or those who use it.
    drawn : dict, optional
        Its charts, if they were drawn before by `covey.reports.figures`.
    """
    require(OneOf(("internal", "external")), audience=audience)
    if audience == "internal":
        return _internal(cast(InternalContent, content), drawn)
    return _external(cast(ExternalContent, content), drawn)


def _internal(content: InternalContent, drawn: Drawn | None) -> str:
    _require_fields(content, InternalContent.__required_keys__, "internal")
    template = _environment().get_template("internal.html.j2")
    drawn, answers = drawn or internal_figures(content), three_questions.answers(content)
    return cast(str, template.render(content=content, drawn=drawn, answers=answers))


def _external(content: ExternalContent, drawn: Drawn | None) -> str:
    _require_fields(content, ExternalContent.__required_keys__, "external")
    template = _environment().get_template("external.html.j2")
    return cast(str, template.render(content=content, drawn=drawn or external_figures(content)))


def _require_fields(content: Mapping[str, Any], fields: Collection[str], audience: str) -> None:
    missing = sorted(set(fields) - set(content))
    unknown = sorted(set(content) - set(fields))
    if missing or unknown:
        found = [f"lacks {', '.join(missing)}"] if missing else []
        found += [f"has no place for {', '.join(unknown)}"] if unknown else []
        raise InvalidParameter(f"The content of the {audience} report {' and '.join(found)}.")


def require_extra() -> None:
    """Raise `MissingExtra` if the packages that draw and fill pages are not there."""
    for module, package in (("jinja2", "jinja2"), ("vl_convert", "vl-convert-python")):
        if find_spec(module) is None:
            raise missing_extra("A report", package, "report")


def _environment() -> Any:
    require_extra()
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("covey.reports"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    for name in ("breakable", "count", "figure", "percent", "signed"):
        environment.filters[name] = getattr(formatting, name)
    environment.globals["recoloured"] = theme.RECOLOURED
    return environment
